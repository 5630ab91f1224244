import type { DestinationChange } from '../../ports/alerts.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Action } from '../../telegram/action.ts';
import { lines } from '../../telegram/html.ts';
import type { RenderedCard } from '../../telegram/outgoing/notifier.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { doerOf } from '../shared/doer.ts';
import { alertActions } from './actions.ts';
import { nameOf, destinationCard } from './settings-card.ts';
import { texts } from './texts.ts';

export interface PlaceActionDeps extends Pick<Stores, 'destinations'> {
  readonly cardOf: (ctx: RequestContext) => Promise<RenderedCard>;
}

export const DEFAULT_DIGEST_AT = 540;
const NIGHT = { from: 1320, to: 480 };

/** The buttons of the card on which places for alerts are set. */
export function createPlaceActions({ destinations, cardOf }: PlaceActionDeps): readonly Action[] {
  const changeDestination = async (
    ctx: RequestContext,
    destinationId: string,
    change: DestinationChange,
  ): Promise<void> => {
    const destination = await destinations.change(ctx.chat.id, destinationId, change, doerOf(ctx));
    if (destination === null) return await ctx.rewrite(texts(ctx.locale).gone);
    const { content, buttons } = destinationCard(ctx, destination);
    await ctx.rewrite(content, { buttons });
  };

  return [
    alertActions.list.does(async (ctx) => {
      const { content, buttons } = await cardOf(ctx);
      await ctx.rewrite(content, { buttons });
    }),
    alertActions.destination.does(async (ctx, payload) => {
      const found = (await destinations.of(ctx.chat.id)).find(({ id }) => id === payload.sinkId);
      if (found === undefined) return await ctx.rewrite(texts(ctx.locale).gone);
      const { content, buttons } = destinationCard(ctx, found);
      await ctx.rewrite(content, { buttons });
    }),
    alertActions.kind.does(async (ctx, payload) => {
      const found = (await destinations.of(ctx.chat.id)).find(({ id }) => id === payload.sinkId);
      const others = (found?.kinds ?? []).filter((each) => each !== payload.kind);
      await changeDestination(ctx, payload.sinkId, {
        kinds: payload.on ? [...others, payload.kind] : others,
        ...(payload.kind === 'digest' && payload.on && found?.digestAt === null
          ? { digestAt: DEFAULT_DIGEST_AT }
          : {}),
      });
    }),
    alertActions.quiet.does(
      async (ctx, { sinkId: id, on }) => await changeDestination(ctx, id, { quiet: on ? NIGHT : null }),
    ),
    alertActions.topics.does(
      async (ctx, { sinkId: id, on }) => await changeDestination(ctx, id, { topics: on }),
    ),
    alertActions.lang.does(async (ctx, { sinkId: id, lang }) => await changeDestination(ctx, id, { lang })),
    alertActions.remove.does(async (ctx, payload) => {
      const t = texts(ctx.locale);
      const found = (await destinations.of(ctx.chat.id)).find(({ id }) => id === payload.sinkId);
      const isGone = await destinations.remove(ctx.chat.id, payload.sinkId, doerOf(ctx));
      const { content, buttons } = await cardOf(ctx);
      const said = isGone && found !== undefined ? t.removed(nameOf(ctx, found)) : t.gone;
      await ctx.rewrite(lines(said, content), { buttons });
    }),
  ];
}
