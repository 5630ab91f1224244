import { z } from 'zod';
import { ALERT_KINDS } from '../../domain/alerts.ts';
import type { SinkChange, SinkStore } from '../../ports/alerts.ts';
import type { Buttons } from '../../telegram/buttons.ts';
import { defineAction, type Action } from '../../telegram/feature.ts';
import { lines, type Html } from '../../telegram/html.ts';
import type { Turn } from '../../telegram/turn.ts';
import { doerOf } from './doer.ts';
import { nameOf, sinkCard } from './settings-card.ts';
import { texts } from './texts.ts';

export interface PlaceActionDeps {
  readonly sinks: SinkStore;
  readonly cardOf: (turn: Turn) => Promise<{ readonly content: Html; readonly buttons: Buttons }>;
}

const MANAGE = 'alerts.manage';
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

  const sinkId = z.uuid();
  const kind = z.enum(ALERT_KINDS);

  return [
    defineAction({
      name: 'alerts.list',
      permission: MANAGE,
      payload: z.object({}),
      run: async (turn) => {
        const { content, buttons } = await cardOf(turn);
        await turn.rewrite(content, { buttons });
      },
    }),
    defineAction({
      name: 'alerts.sink',
      permission: MANAGE,
      payload: z.object({ sinkId }),
      run: async (turn, payload) => {
        const found = (await sinks.of(turn.chat.id)).find(({ id }) => id === payload.sinkId);
        if (found === undefined) return await turn.rewrite(texts(turn.locale).gone);
        const { content, buttons } = sinkCard(turn, found);
        await turn.rewrite(content, { buttons });
      },
    }),
    defineAction({
      name: 'alerts.kind',
      permission: MANAGE,
      payload: z.object({ sinkId, kind, on: z.boolean() }),
      run: async (turn, payload) => {
        const found = (await sinks.of(turn.chat.id)).find(({ id }) => id === payload.sinkId);
        const others = (found?.kinds ?? []).filter((each) => each !== payload.kind);
        await changeSink(turn, payload.sinkId, {
          kinds: payload.on ? [...others, payload.kind] : others,
          ...(payload.kind === 'digest' && payload.on && found?.digestAt === null
            ? { digestAt: DEFAULT_DIGEST_AT }
            : {}),
        });
      },
    }),
    defineAction({
      name: 'alerts.quiet',
      permission: MANAGE,
      payload: z.object({ sinkId, on: z.boolean() }),
      run: async (turn, { sinkId: id, on }) => await changeSink(turn, id, { quiet: on ? NIGHT : null }),
    }),
    defineAction({
      name: 'alerts.topics',
      permission: MANAGE,
      payload: z.object({ sinkId, on: z.boolean() }),
      run: async (turn, { sinkId: id, on }) => await changeSink(turn, id, { topics: on }),
    }),
    defineAction({
      name: 'alerts.lang',
      permission: MANAGE,
      payload: z.object({ sinkId, lang: z.enum(['en', 'fa']) }),
      run: async (turn, { sinkId: id, lang }) => await changeSink(turn, id, { lang }),
    }),
    defineAction({
      name: 'alerts.remove',
      permission: MANAGE,
      payload: z.object({ sinkId }),
      run: async (turn, payload) => {
        const t = texts(turn.locale);
        const found = (await sinks.of(turn.chat.id)).find(({ id }) => id === payload.sinkId);
        const isGone = await sinks.remove(turn.chat.id, payload.sinkId, doerOf(turn));
        const { content, buttons } = await cardOf(turn);
        const said = isGone && found !== undefined ? t.removed(nameOf(turn, found)) : t.gone;
        await turn.rewrite(lines(said, content), { buttons });
      },
    }),
  ];
}
