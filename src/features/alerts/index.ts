import { FAILURES_PERCENT, FIRST_KINDS } from '../../domain/alerts.ts';
import type { AlarmStore, NoticeStore, SinkChange, SinkStore, SinkView } from '../../ports/alerts.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Tables } from '../../ports/tables.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import { lines, type Html } from '../../telegram/html.ts';
import type { Turn } from '../../telegram/turn.ts';
import { createAlarmActions } from './alarm-actions.ts';
import { wantedArgument, type Wanted } from './arguments.ts';
import { doerOf } from './doer.ts';
import { createPlaceActions, DEFAULT_DIGEST_AT } from './place-actions.ts';
import { clockText, nameOf, settingsCard, sinkCard } from './settings-card.ts';
import { texts } from './texts.ts';

export interface AlertsFeatureDeps {
  readonly sinks: SinkStore;
  readonly alarms: AlarmStore;
  readonly notices: NoticeStore;
  readonly tables: Pick<Tables, 'write'>;
  readonly clock: Clock;
}

const MANAGE = 'alerts.manage';

/** What the team is told without asking: where, which, from when on; and who sees to it. */
export function createAlertsFeature({ sinks, alarms, notices, tables, clock }: AlertsFeatureDeps): Feature {
  const cardOf = async (turn: Turn) =>
    settingsCard(turn, {
      sinks: await sinks.of(turn.chat.id),
      settings: await alarms.settings(turn.chat.id),
      now: clock.now(),
    });

  const sayCard = async (turn: Turn, said: Html): Promise<void> => {
    const { content, buttons } = await cardOf(turn);
    await turn.say(lines(said, content), { buttons });
  };

  const changeHere = async (turn: Turn, change: SinkChange, said: Html): Promise<void> => {
    const t = texts(turn.locale);
    const here = placeHere(turn, await sinks.of(turn.chat.id));
    const done = here === null ? null : await sinks.change(turn.chat.id, here.id, change, doerOf(turn));
    if (done === null) await turn.say(t.notHere);
    else await sayCard(turn, t.changed(said));
  };

  const addPlace = async (
    turn: Turn,
    place: {
      telegramId: number | null;
      threadId: number | null;
      title: string;
      type?: 'group' | 'supergroup' | 'channel';
    },
  ): Promise<void> => {
    const t = texts(turn.locale);
    const before = await sinks.of(turn.chat.id);
    const id = await sinks.add({
      ...place,
      chatId: turn.chat.id,
      kinds: FIRST_KINDS,
      lang: turn.locale,
      ...doerOf(turn),
    });
    const isNew = !before.some((sink) => sink.id === id);
    const sink = await sinks.get(id);
    const name = sink === null ? place.title : nameOf(turn, sink);
    const { content, buttons } = sink === null ? await cardOf(turn) : sinkCard(turn, sink);
    await turn.say(lines(isNew ? t.added(name) : t.addedBefore(name), content), { buttons });
  };

  const addElsewhere = async (turn: Turn, place: string | number): Promise<void> => {
    const t = texts(turn.locale);
    const right = await turn.postingRight(place);
    const typed = String(place);
    if (right.ok) {
      if (right.telegramId === turn.chat.telegramId)
        return await addPlace(turn, { telegramId: null, threadId: null, title: '' });
      return await addPlace(turn, { ...right, threadId: null });
    }
    const why = { not_there: t.notThere, bot: t.botMayNot, person: t.personMayNot }[right.reason];
    await turn.say(why(typed));
  };

  const set = async (turn: Turn, wanted: Wanted): Promise<void> => {
    const t = texts(turn.locale);
    const { format } = turn;
    const by = doerOf(turn);
    switch (wanted.what) {
      case 'credit':
        await alarms.setThreshold(turn.chat.id, 'credit', wanted.rial, by);
        return await sayCard(
          turn,
          t.changed(wanted.rial === null ? t.creditDefault : t.creditSet(format.rial(wanted.rial))),
        );
      case 'failures':
        await alarms.setThreshold(turn.chat.id, 'failures', wanted.percent, by);
        return await sayCard(
          turn,
          t.changed(t.failuresSet(format.percent((wanted.percent ?? FAILURES_PERCENT) / 100))),
        );
      case 'quiet':
        return await changeHere(
          turn,
          { quiet: wanted.hours },
          wanted.hours === null
            ? t.quietNone
            : t.quietSet(clockText(turn, wanted.hours.from), clockText(turn, wanted.hours.to)),
        );
      case 'digest':
      case 'week': {
        const here = placeHere(turn, await sinks.of(turn.chat.id));
        if (here === null) return void (await turn.say(t.notHere));
        return await changeHere(turn, digestChange(here, wanted), digestSaid(turn, wanted));
      }
      case 'here':
        return await addPlace(turn, { telegramId: null, threadId: turn.threadId ?? null, title: '' });
      case 'place':
        return await addElsewhere(turn, wanted.place);
    }
  };

  return {
    name: 'alerts',
    topic: 'team',
    commands: [
      defineCommand({
        name: 'alerts',
        permission: MANAGE,
        about: (locale) => texts(locale).about,
        example: (locale) => texts(locale).example,
        args: { wanted: wantedArgument },
        run: async (turn, { wanted }) => {
          if (wanted !== undefined) return await set(turn, wanted);
          const { content, buttons } = await cardOf(turn);
          await turn.say(content, { buttons });
        },
      }),
    ],
    actions: [
      ...createPlaceActions({ sinks, cardOf }),
      ...createAlarmActions({
        sinks,
        alarms,
        notices,
        tables,
        clock,
        showCard: async (turn) => {
          const { content, buttons } = await cardOf(turn);
          await turn.rewrite(content, { buttons });
        },
      }),
    ],
  };
}

/** The place in which somebody speaks, as a sink: the topic where that is one, else the chat itself. */
function placeHere(turn: Turn, all: readonly SinkView[]): SinkView | null {
  const here = all.filter((sink) => sink.telegramId === turn.chat.telegramId);
  const topic = here.find(({ threadId }) => threadId !== null && threadId === turn.threadId);
  return topic ?? here.find(({ threadId }) => threadId === null) ?? null;
}

function digestChange(here: SinkView, wanted: Extract<Wanted, { what: 'digest' | 'week' }>): SinkChange {
  const others = here.kinds.filter((kind) => kind !== 'digest');
  if (wanted.what === 'week') {
    if (wanted.day === null) return { digestDay: null };
    return {
      kinds: [...others, 'digest'],
      digestDay: wanted.day,
      digestAt: here.digestAt ?? DEFAULT_DIGEST_AT,
    };
  }
  if (wanted.at === null) return { kinds: others, digestAt: null };
  return { kinds: [...others, 'digest'], digestAt: wanted.at };
}

function digestSaid(turn: Turn, wanted: Extract<Wanted, { what: 'digest' | 'week' }>): Html {
  const t = texts(turn.locale);
  if (wanted.what === 'week') return wanted.day === null ? t.weekNone : t.weekSet(t.days[wanted.day] ?? '');
  return wanted.at === null ? t.digestNone : t.digestSet(clockText(turn, wanted.at));
}
