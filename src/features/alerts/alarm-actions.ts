import { muteUntil } from '../../domain/mute-until.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Action } from '../../telegram/action.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { doerOf } from '../shared/doer.ts';
import { alertActions } from './actions.ts';
import { alarmTexts } from './alarm-texts.ts';
import { eventTexts } from './event-texts.ts';

export interface AlarmActionDeps extends Pick<Stores, 'alarms'> {
  readonly destinations: Pick<Stores['destinations'], 'get'>;
  readonly notifications: Pick<Stores['notifications'], 'refresh' | 'foldedIn'>;
  readonly tables: Pick<Tables, 'write'>;
  readonly clock: Clock;
  /** Shows the settings in place of the message whose button was pressed. */
  readonly showCard: (ctx: RequestContext) => Promise<void>;
}

/** What can be done below an alert, wherever it stands. */
export function createAlarmActions({
  destinations,
  alarms,
  notifications,
  tables,
  clock,
  showCard,
}: AlarmActionDeps): readonly Action[] {
  return [
    alertActions.ack.does(async (ctx, { alarmId }) => {
      const alarm = await alarms.get(alarmId);
      if (alarm === null || alarm.chatId !== ctx.chat.id) return;
      // The messages that show it follow by themselves, wherever they are.
      if ((await alarms.ack(alarmId, doerOf(ctx))) !== null) return;
      const t = alarmTexts(ctx.locale);
      const now = await alarms.get(alarmId);
      if (now?.endedAt !== null) await ctx.say(t.over);
      else if (now.ackedBy !== null)
        await ctx.say(t.ackedBefore(now.ackedBy.name, ctx.format.time(now.ackedAt ?? clock.now())));
    }),
    alertActions.mute.does(async (ctx, { alarmId, mute }) => {
      const alarm = await alarms.get(alarmId);
      if (alarm === null || alarm.chatId !== ctx.chat.id) return;
      const until = muteUntil(mute, clock.now(), ctx.format.timeZone);
      await alarms.mute(ctx.chat.id, alarm.kind, until, doerOf(ctx));
      await notifications.refresh({ alarmId });
    }),
    alertActions.unmute.does(async (ctx, payload) => {
      await alarms.mute(ctx.chat.id, payload.kind, null, doerOf(ctx));
      if (payload.alarmId !== undefined) return await notifications.refresh({ alarmId: payload.alarmId });
      await showCard(ctx);
    }),
    alertActions.file.does(async (ctx, payload) => {
      const t = eventTexts(ctx.locale);
      const destination = await destinations.get(payload.sinkId);
      const all =
        destination?.chatId !== ctx.chat.id || ctx.pressedMessageId === null
          ? []
          : await notifications.foldedIn(destination.id, ctx.pressedMessageId);
      if (all.length === 0) return void (await ctx.say(t.noFile));
      const rows = all.map(({ id, at, line, sender, name, text }) => [
        `in${id}`,
        ctx.format.dateTime(at),
        line,
        sender,
        name ?? '',
        text,
      ]);
      const content = await tables.write({ header: t.fileColumns, rows }, 'csv');
      await ctx.sendFile({ name: t.fileName, content });
    }),
  ];
}
