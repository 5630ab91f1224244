import type { SinkChange, SinkStore } from '../../ports/alerts.ts';
import type { Action } from '../../telegram/action.ts';
import type { Buttons } from '../../telegram/buttons.ts';
import { lines, type Html } from '../../telegram/html.ts';
import type { Turn } from '../../telegram/turn.ts';
import { alertActions } from './actions.ts';
import { doerOf } from './doer.ts';
import { nameOf, sinkCard } from './settings-card.ts';
import { texts } from './texts.ts';

export interface PlaceActionDeps {
  readonly sinks: SinkStore;
  readonly cardOf: (turn: Turn) => Promise<{ readonly content: Html; readonly buttons: Buttons }>;
}

export const DEFAULT_DIGEST_AT = 540;
const NIGHT = { from: 1320, to: 480 };

/** The buttons of the card on which places for alerts are set. */
export function createPlaceActions({ sinks, cardOf }: PlaceActionDeps): readonly Action[] {
  const changeSink = async (turn: Turn, sinkId: string, change: SinkChange): Promise<void> => {
    const sink = await sinks.change(turn.chat.id, sinkId, change, doerOf(turn));
    if (sink === null) return await turn.rewrite(texts(turn.locale).gone);
    const { content, buttons } = sinkCard(turn, sink);
    await turn.rewrite(content, { buttons });
  };

  return [
    alertActions.list.does(async (turn) => {
      const { content, buttons } = await cardOf(turn);
      await turn.rewrite(content, { buttons });
    }),
    alertActions.sink.does(async (turn, payload) => {
      const found = (await sinks.of(turn.chat.id)).find(({ id }) => id === payload.sinkId);
      if (found === undefined) return await turn.rewrite(texts(turn.locale).gone);
      const { content, buttons } = sinkCard(turn, found);
      await turn.rewrite(content, { buttons });
    }),
    alertActions.kind.does(async (turn, payload) => {
      const found = (await sinks.of(turn.chat.id)).find(({ id }) => id === payload.sinkId);
      const others = (found?.kinds ?? []).filter((each) => each !== payload.kind);
      await changeSink(turn, payload.sinkId, {
        kinds: payload.on ? [...others, payload.kind] : others,
        ...(payload.kind === 'digest' && payload.on && found?.digestAt === null
          ? { digestAt: DEFAULT_DIGEST_AT }
          : {}),
      });
    }),
    alertActions.quiet.does(
      async (turn, { sinkId: id, on }) => await changeSink(turn, id, { quiet: on ? NIGHT : null }),
    ),
    alertActions.topics.does(async (turn, { sinkId: id, on }) => await changeSink(turn, id, { topics: on })),
    alertActions.lang.does(async (turn, { sinkId: id, lang }) => await changeSink(turn, id, { lang })),
    alertActions.remove.does(async (turn, payload) => {
      const t = texts(turn.locale);
      const found = (await sinks.of(turn.chat.id)).find(({ id }) => id === payload.sinkId);
      const isGone = await sinks.remove(turn.chat.id, payload.sinkId, doerOf(turn));
      const { content, buttons } = await cardOf(turn);
      const said = isGone && found !== undefined ? t.removed(nameOf(turn, found)) : t.gone;
      await turn.rewrite(lines(said, content), { buttons });
    }),
  ];
}
