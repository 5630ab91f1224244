import type { SinkChange } from '../../ports/alerts.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Action } from '../../telegram/action.ts';
import type { Buttons } from '../../telegram/buttons.ts';
import { lines, type Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { alertActions } from './actions.ts';
import { doerOf } from './doer.ts';
import { nameOf, sinkCard } from './settings-card.ts';
import { texts } from './texts.ts';

export interface PlaceActionDeps extends Pick<Stores, 'sinks'> {
  readonly cardOf: (ctx: RequestContext) => Promise<{ readonly content: Html; readonly buttons: Buttons }>;
}

export const DEFAULT_DIGEST_AT = 540;
const NIGHT = { from: 1320, to: 480 };

/** The buttons of the card on which places for alerts are set. */
export function createPlaceActions({ sinks, cardOf }: PlaceActionDeps): readonly Action[] {
  const changeSink = async (ctx: RequestContext, sinkId: string, change: SinkChange): Promise<void> => {
    const sink = await sinks.change(ctx.chat.id, sinkId, change, doerOf(ctx));
    if (sink === null) return await ctx.rewrite(texts(ctx.locale).gone);
    const { content, buttons } = sinkCard(ctx, sink);
    await ctx.rewrite(content, { buttons });
  };

  return [
    alertActions.list.does(async (ctx) => {
      const { content, buttons } = await cardOf(ctx);
      await ctx.rewrite(content, { buttons });
    }),
    alertActions.sink.does(async (ctx, payload) => {
      const found = (await sinks.of(ctx.chat.id)).find(({ id }) => id === payload.sinkId);
      if (found === undefined) return await ctx.rewrite(texts(ctx.locale).gone);
      const { content, buttons } = sinkCard(ctx, found);
      await ctx.rewrite(content, { buttons });
    }),
    alertActions.kind.does(async (ctx, payload) => {
      const found = (await sinks.of(ctx.chat.id)).find(({ id }) => id === payload.sinkId);
      const others = (found?.kinds ?? []).filter((each) => each !== payload.kind);
      await changeSink(ctx, payload.sinkId, {
        kinds: payload.on ? [...others, payload.kind] : others,
        ...(payload.kind === 'digest' && payload.on && found?.digestAt === null
          ? { digestAt: DEFAULT_DIGEST_AT }
          : {}),
      });
    }),
    alertActions.quiet.does(
      async (ctx, { sinkId: id, on }) => await changeSink(ctx, id, { quiet: on ? NIGHT : null }),
    ),
    alertActions.topics.does(async (ctx, { sinkId: id, on }) => await changeSink(ctx, id, { topics: on })),
    alertActions.lang.does(async (ctx, { sinkId: id, lang }) => await changeSink(ctx, id, { lang })),
    alertActions.remove.does(async (ctx, payload) => {
      const t = texts(ctx.locale);
      const found = (await sinks.of(ctx.chat.id)).find(({ id }) => id === payload.sinkId);
      const isGone = await sinks.remove(ctx.chat.id, payload.sinkId, doerOf(ctx));
      const { content, buttons } = await cardOf(ctx);
      const said = isGone && found !== undefined ? t.removed(nameOf(ctx, found)) : t.gone;
      await ctx.rewrite(lines(said, content), { buttons });
    }),
  ];
}
