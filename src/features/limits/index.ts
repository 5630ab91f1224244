import { z } from 'zod';
import type { Cap, Limits } from '../../domain/limits.ts';
import { createFormat } from '../../i18n/format.ts';
import type { Stores } from '../../storage/stores.ts';
import { defineCommand, takeRest, type Command, type Feature } from '../../telegram/feature.ts';
import { lines, type Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { chatDoerOf } from '../shared/doer.ts';
import { limitActions } from './actions.ts';
import { limitArgument, takenBy, VALUES, zoneArgument, type LimitName, type WantedCap } from './arguments.ts';
import { limitButtons, limitsCard, valueText } from './card.ts';
import { createCapService, type CapDeps } from './service.ts';
import { texts } from './texts.ts';

export type LimitsFeatureDeps = CapDeps & Pick<Stores, 'limits'>;

const FORMS = {
  approval: 'limits-approval',
  cap: 'limits-cap',
  personcap: 'limits-personcap',
  window: 'limits-window',
} as const;
const OFF = {
  approval: { approvalParts: null },
  cap: { cap: null },
  personcap: { personCap: null },
  window: { window: null },
} as const satisfies Record<LimitName, Change>;

/** What a chat allows itself: when a second person must agree, how much a day, at which hours; and the switch that stops it all. */
export function createLimitsFeature(deps: LimitsFeatureDeps): Feature {
  const { limits, clock } = deps;
  const caps = createCapService(deps);

  const cardWith = async (ctx: RequestContext, now: Limits, said: Html | false) => {
    const { timeZone } = ctx.format;
    const spent = {
      all: await limits.spentToday(ctx.chat.id, timeZone),
      own: await limits.spentToday(ctx.chat.id, timeZone, ctx.person.id),
    };
    return {
      content: lines(said, limitsCard(ctx, now, spent, clock.now())),
      buttons: limitButtons(ctx, now),
    };
  };

  const change = async (ctx: RequestContext, name: LimitName, to: Change, note?: Html) => {
    const t = texts(ctx.locale);
    const done = await limits.change({ ...chatDoerOf(ctx), to });
    if (done === null) return { content: t.notAllowed, buttons: [] };
    const [before, after] = [valueText(ctx, name, done.before), valueText(ctx, name, done.after)];
    const said =
      before.markup === after.markup
        ? t.unchanged(t.names[name], after)
        : t.changed(t.names[name], after, before, ctx.person.name);
    return await cardWith(ctx, done.after, lines(said, note));
  };

  const set = async (ctx: RequestContext, name: LimitName, to: Change, note?: Html): Promise<void> => {
    const { content, buttons } = await change(ctx, name, to, note);
    await ctx.say(content, { buttons });
  };

  const setCap = async (ctx: RequestContext, name: CapName, wanted: WantedCap | null): Promise<void> => {
    const t = texts(ctx.locale);
    const to = (cap: Cap | null): Change => (name === 'cap' ? { cap } : { personCap: cap });
    if (wanted === null) return await set(ctx, name, to(null));
    if (wanted.unit === 'parts') return await set(ctx, name, to({ unit: 'parts', parts: wanted.amount }));
    const made = await caps.inRial(ctx.binding?.id ?? null, wanted.amount);
    if (made.ok) {
      const price = ctx.format.rial(made.price.rial);
      const note = made.price.from === 'paid' ? t.pricePaid(price) : t.priceTariff(price);
      return await set(ctx, name, to(made.cap), note);
    }
    await ctx.say(
      made.reason === 'no_price' ? t.noPrice(name) : t.capTooSmall(ctx.format.rial(made.price.rial), name),
    );
  };

  const stop = async (ctx: RequestContext) => {
    const t = texts(ctx.locale);
    const done = await limits.halt(chatDoerOf(ctx));
    if (done === null) return { content: t.notAllowed, buttons: [] };
    const { at, byName } = done.halted;
    const said = done.isNew
      ? t.stopped(ctx.person.name, some(ctx, done.paused))
      : t.stoppedBefore(byName, ctx.format.dateTime(at));
    return await cardWith(ctx, await limits.of(ctx.chat.id), said);
  };

  const go = async (ctx: RequestContext) => {
    const t = texts(ctx.locale);
    const done = await limits.go({ ...chatDoerOf(ctx), timeZone: ctx.format.timeZone });
    if (done === null) return { content: t.notAllowed, buttons: [] };
    const now = await limits.of(ctx.chat.id);
    const { name } = ctx.person;
    const none = now.heldAt === null ? t.notStopped : t.notStoppedHere;
    const gone = t.gone(name, some(ctx, done.resumed), some(ctx, done.kept));
    const taken = now.heldAt === null ? gone : t.goneHeld(name);
    return await cardWith(ctx, now, done.was === null ? none : taken);
  };

  const common = { permission: 'limits.manage' } as const;
  const forms: Record<LimitName, Command> = {
    approval: defineCommand({
      ...common,
      name: FORMS.approval,
      about: null,
      args: { value: VALUES.approval },
      run: async (ctx, { value }) => await set(ctx, 'approval', { approvalParts: value }),
    }),
    cap: defineCommand({
      ...common,
      name: FORMS.cap,
      about: null,
      args: { value: VALUES.cap },
      run: async (ctx, { value }) => await setCap(ctx, 'cap', value),
    }),
    personcap: defineCommand({
      ...common,
      name: FORMS.personcap,
      about: null,
      args: { value: VALUES.personcap },
      run: async (ctx, { value }) => await setCap(ctx, 'personcap', value),
    }),
    window: defineCommand({
      ...common,
      name: FORMS.window,
      about: null,
      args: { value: VALUES.window },
      run: async (ctx, { value }) => await set(ctx, 'window', { window: value }),
    }),
  };

  const show = defineCommand({
    ...common,
    name: 'limits',
    about: (locale) => texts(locale).about,
    alsoCalled: ['محدودیت', 'سقف', 'pause', 'stopeverything', 'stopall', 'متوقفکن', 'متوقفکنید', 'قطعکن'],
    urgent: ({ limit }) => limitArgument.schema.safeParse(limit).data === 'stop',
    example: (locale) => texts(locale).example,
    args: {
      limit: { ...limitArgument, optional: true },
      value: { ...VALUES.approval, schema: z.string(), take: takeRest, optional: true },
    },
    run: async (ctx, { limit: named, value }) => {
      const [only, ...others] = named === undefined && value !== undefined ? takenBy(value) : [];
      const limit = named ?? (others.length === 0 ? only : undefined);
      if (limit === undefined && value !== undefined) await ctx.ask('limits', { value });
      else if (limit === undefined) {
        const { content, buttons } = await cardWith(ctx, await limits.of(ctx.chat.id), false);
        await ctx.say(content, { buttons });
      } else if (limit === 'stop' || limit === 'go') {
        const { content, buttons } = await (limit === 'stop' ? stop(ctx) : go(ctx));
        await ctx.say(content, { buttons });
      } else if (value !== undefined && VALUES[limit].schema.safeParse(value).success) {
        await forms[limit].run(ctx, { value });
      } else {
        await ctx.ask(FORMS[limit], value === undefined ? {} : { value });
      }
    },
  });

  const zone = defineCommand({
    ...common,
    name: 'timezone',
    alsoCalled: ['tz', 'clock', 'منطقهزمانی', 'منطقه', 'تایمزون'],
    about: (locale) => texts(locale).aboutZone,
    example: () => '/timezone Dubai',
    args: { zone: zoneArgument(limits) },
    run: async (ctx, { zone: typed }) => {
      const t = texts(ctx.locale);
      const found = await limits.zoneCalled(typed);
      if (found === null) return await ctx.ask('timezone', { zone: typed });
      const { timeZone: before } = ctx.format;
      const now = createFormat(ctx.locale, found).dateTime(clock.now());
      if (found === before) return void (await ctx.say(t.zoneSame(found, now)));
      const isSet = await limits.changeZone({ ...chatDoerOf(ctx), zone: found });
      await ctx.say(isSet ? t.zoneSet(found, now, before, ctx.person.name) : t.notAllowed);
    },
  });

  return {
    name: 'limits',
    topic: 'team',
    commands: [show, zone, ...Object.values(forms)],
    actions: [
      limitActions.edit.does(async (ctx, { limit }) => await ctx.ask(FORMS[limit])),
      limitActions.off.does(async (ctx, { limit }) => {
        const { content, buttons } = await change(ctx, limit, OFF[limit]);
        await ctx.rewrite(content, { buttons });
      }),
      limitActions.stop.does(async (ctx) => {
        const { content, buttons } = await stop(ctx);
        await ctx.rewrite(content, { buttons });
      }),
      limitActions.go.does(async (ctx) => {
        const { content, buttons } = await go(ctx);
        await ctx.rewrite(content, { buttons });
      }),
    ],
  };
}

type Change = Partial<Omit<Limits, 'halted' | 'heldAt'>>;
type CapName = Extract<LimitName, 'cap' | 'personcap'>;

function some(ctx: RequestContext, count: number): string | null {
  return count === 0 ? null : ctx.format.count(count, texts(ctx.locale).sends);
}
