import { muteUntil } from '../../domain/mute-until.ts';
import type { AlarmStore, NoticeStore, SinkStore } from '../../ports/alerts.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Action } from '../../telegram/action.ts';
import type { Turn } from '../../telegram/turn.ts';
import { alertActions } from './actions.ts';
import { alarmTexts } from './alarm-texts.ts';
import { doerOf } from './doer.ts';
import { eventTexts } from './event-texts.ts';

export interface AlarmActionDeps {
  readonly sinks: Pick<SinkStore, 'get'>;
  readonly alarms: AlarmStore;
  readonly notices: Pick<NoticeStore, 'refresh' | 'foldedIn'>;
  readonly tables: Pick<Tables, 'write'>;
  readonly clock: Clock;
  /** Shows the settings in place of the message whose button was pressed. */
  readonly showCard: (turn: Turn) => Promise<void>;
}

/** What can be done below an alert, wherever it stands. */
export function createAlarmActions({
  sinks,
  alarms,
  notices,
  tables,
  clock,
  showCard,
}: AlarmActionDeps): readonly Action[] {
  return [
    alertActions.ack.does(async (turn, { alarmId }) => {
      const alarm = await alarms.get(alarmId);
      if (alarm === null || alarm.chatId !== turn.chat.id) return;
      // The messages that show it follow by themselves, wherever they are.
      if ((await alarms.ack(alarmId, doerOf(turn))) !== null) return;
      const t = alarmTexts(turn.locale);
      const now = await alarms.get(alarmId);
      if (now?.endedAt !== null) await turn.say(t.over);
      else if (now.ackedBy !== null)
        await turn.say(t.ackedBefore(now.ackedBy.name, turn.format.time(now.ackedAt ?? clock.now())));
    }),
    alertActions.mute.does(async (turn, { alarmId, mute }) => {
      const alarm = await alarms.get(alarmId);
      if (alarm === null || alarm.chatId !== turn.chat.id) return;
      const until = muteUntil(mute, clock.now(), turn.format.timeZone);
      await alarms.mute(turn.chat.id, alarm.kind, until, doerOf(turn));
      await notices.refresh({ alarmId });
    }),
    alertActions.unmute.does(async (turn, payload) => {
      await alarms.mute(turn.chat.id, payload.kind, null, doerOf(turn));
      if (payload.alarmId !== undefined) return await notices.refresh({ alarmId: payload.alarmId });
      await showCard(turn);
    }),
    alertActions.file.does(async (turn, payload) => {
      const t = eventTexts(turn.locale);
      const sink = await sinks.get(payload.sinkId);
      const all =
        sink?.chatId !== turn.chat.id || turn.pressedMessageId === null
          ? []
          : await notices.foldedIn(sink.id, turn.pressedMessageId);
      if (all.length === 0) return void (await turn.say(t.noFile));
      const rows = all.map(({ id, at, line, sender, name, text }) => [
        `in${id}`,
        turn.format.dateTime(at),
        line,
        sender,
        name ?? '',
        text,
      ]);
      const content = await tables.write({ header: t.fileColumns, rows }, 'csv');
      await turn.sendFile({ name: t.fileName, content });
    }),
  ];
}
