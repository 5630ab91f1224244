import { UNANSWERED_MINUTES } from '../../domain/alerts.ts';
import { workingTimeAgo } from '../../domain/working-time.ts';
import type { Stores } from '../../storage/stores.ts';

/**
 * Looks for those whom nobody has answered for as long as their chat bears, in its working hours: an alarm for each, which
 * ends with the answer. Any number of processes may look.
 */
export function createUnansweredWatch({
  unanswered,
  alarms,
}: {
  readonly unanswered: Stores['unanswered'];
  readonly alarms: Pick<Stores['alarms'], 'find'>;
}): () => Promise<void> {
  return async () => {
    for (const { talkId, how, ...place } of await unanswered.over())
      await alarms.find({ ...place, kind: 'unanswered', subject: talkId, level: 0, facts: { how } });
    for (const { chatId, timeZone, hours, now, ...set } of await unanswered.watched()) {
      const minutes = set.minutes ?? UNANSWERED_MINUTES;
      const since = workingTimeAgo(now, minutes, hours, timeZone);
      if (since === null) continue;
      for (const { talkId, accountId, inboundId, since: at } of await unanswered.overdue(chatId, since))
        await alarms.find({
          chatId,
          accountId,
          kind: 'unanswered',
          subject: talkId,
          level: 1,
          facts: { inboundId, minutes, inHours: hours !== null, since: at.getTime() },
        });
    }
  };
}
