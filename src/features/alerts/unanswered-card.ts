import { z } from 'zod';
import { MUTES } from '../../domain/mute-until.ts';
import type { Format } from '../../i18n/format.ts';
import type { NotificationContent } from '../../telegram/alerts/notification-card.ts';
import { b, html, lines } from '../../telegram/html.ts';
import { ALARM_SECONDS, alertActions } from './actions.ts';
import type { AlarmCard } from './alarm-card.ts';
import { alarmTexts } from './alarm-texts.ts';

const facts = z.object({
  minutes: z.number().catch(0),
  inHours: z.boolean().catch(false),
  since: z.number().catch(0),
  ended: z
    .object({ how: z.enum(['answered', 'done', 'blocked', 'snoozed']).nullable().catch(null) })
    .optional(),
});

/** The card of a received message with what is said above it: for how long nobody has answered, or how the wait has ended. */
export function unansweredOver(
  told: NotificationContent,
  { alarm, words, setting, now }: Pick<AlarmCard, 'alarm' | 'words' | 'setting' | 'now'>,
  format: Format,
): NotificationContent {
  const t = alarmTexts(format.locale);
  const { minutes, inHours, since, ended } = facts.parse(alarm.facts);
  const lasted = format.duration(minutes * 60_000);
  if (alarm.endedAt !== null) {
    const head = t.waitEnds[ended?.how ?? 'gone'];
    const after = t.after(format.duration(alarm.endedAt.getTime() - since));
    return { ...told, content: lines(html`🟢 ${b(head)} · ${after}`, told.content) };
  }
  const { id: alarmId, kind } = alarm;
  const mutedUntil = setting?.mutedUntil ?? null;
  const isMuted = mutedUntil !== null && mutedUntil > now;
  const mutes = MUTES.map((mute) => alertActions.mute.button(t.mute[mute], { alarmId, mute }));
  const unmute = alertActions.unmute.button(t.unmute, { alarmId, kind }, { ttlSeconds: ALARM_SECONDS });
  return {
    ...told,
    content: lines(
      html`🔴 ${b(words.stands)} · ${(inHours ? t.workingTime : t.waitTime)(lasted)}`,
      isMuted && t.muted(format.dateTime(mutedUntil), setting?.mutedBy ?? ''),
      told.content,
    ),
    buttons: [...(told.buttons ?? []), isMuted ? [unmute] : mutes.slice(0, 2)],
  };
}
