import { z } from 'zod';
import type { Cap, Limits } from '../../domain/limits.ts';
import type { Locale } from '../../i18n/define.ts';
import type { LimitsPress, LimitsStore } from '../../ports/limits.ts';
import { defineCommand, takeRest, type Command, type Feature } from '../../telegram/feature.ts';
import { lines, type Html } from '../../telegram/html.ts';
import type { Turn } from '../../telegram/turn.ts';
import { limitActions } from './actions.ts';
import { limitArgument, VALUES, type LimitName, type WantedCap } from './arguments.ts';
import { limitButtons, limitsCard, valueText } from './card.ts';
import { createCapService, type CapDeps } from './service.ts';
import { texts } from './texts.ts';

export interface LimitsFeatureDeps extends CapDeps {
  readonly limits: LimitsStore;
}

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

  const cardWith = async (turn: Turn, now: Limits, said: Html | false) => {
    const { timeZone } = turn.format;
    const spent = {
      all: await limits.spentToday(turn.chat.id, timeZone),
      own: await limits.spentToday(turn.chat.id, timeZone, turn.person.id),
    };
    return {
      content: lines(said, limitsCard(turn, now, spent, clock.now())),
      buttons: limitButtons(turn, now),
    };
  };

  const change = async (turn: Turn, name: LimitName, to: Change, note?: Html) => {
    const t = texts(turn.locale);
    const done = await limits.change({ ...pressOf(turn), to });
    if (done === null) return { content: t.notAllowed, buttons: [] };
    const [before, after] = [valueText(turn, name, done.before), valueText(turn, name, done.after)];
    const said =
      before.markup === after.markup
        ? t.unchanged(t.names[name], after)
        : t.changed(t.names[name], after, before, turn.person.name);
    return await cardWith(turn, done.after, lines(said, note));
  };

  const set = async (turn: Turn, name: LimitName, to: Change, note?: Html): Promise<void> => {
    const { content, buttons } = await change(turn, name, to, note);
    await turn.say(content, { buttons });
  };

  const setCap = async (turn: Turn, name: CapName, wanted: WantedCap | null): Promise<void> => {
    const t = texts(turn.locale);
    const to = (cap: Cap | null): Change => (name === 'cap' ? { cap } : { personCap: cap });
    if (wanted === null) return await set(turn, name, to(null));
    if (wanted.unit === 'parts') return await set(turn, name, to({ unit: 'parts', parts: wanted.amount }));
    const made = await caps.inRial(turn.binding?.id ?? null, wanted.amount);
    if (made.ok) {
      const price = turn.format.rial(made.price.rial);
      const note = made.price.from === 'paid' ? t.pricePaid(price) : t.priceTariff(price);
      return await set(turn, name, to(made.cap), note);
    }
    await turn.say(
      made.reason === 'no_price' ? t.noPrice(name) : t.capTooSmall(turn.format.rial(made.price.rial), name),
    );
  };

  const stop = async (turn: Turn) => {
    const t = texts(turn.locale);
    const done = await limits.halt(pressOf(turn));
    if (done === null) return { content: t.notAllowed, buttons: [] };
    const { at, byName } = done.halted;
    const said = done.isNew
      ? t.stopped(turn.person.name, some(turn, done.paused))
      : t.stoppedBefore(byName, turn.format.dateTime(at));
    return await cardWith(turn, await limits.of(turn.chat.id), said);
  };

  const go = async (turn: Turn) => {
    const t = texts(turn.locale);
    const done = await limits.go({ ...pressOf(turn), timeZone: turn.format.timeZone });
    if (done === null) return { content: t.notAllowed, buttons: [] };
    const now = await limits.of(turn.chat.id);
    const { name } = turn.person;
    const none = now.heldAt === null ? t.notStopped : t.notStoppedHere;
    const gone = t.gone(name, some(turn, done.resumed), some(turn, done.kept));
    const taken = now.heldAt === null ? gone : t.goneHeld(name);
    return await cardWith(turn, now, done.was === null ? none : taken);
  };

  const common = {
    permission: 'limits.manage',
    about: (locale: Locale) => texts(locale).about,
  } as const;
  const forms: Record<LimitName, Command> = {
    approval: defineCommand({
      ...common,
      name: FORMS.approval,
      internal: true,
      args: { value: VALUES.approval },
      run: async (turn, { value }) => await set(turn, 'approval', { approvalParts: value }),
    }),
    cap: defineCommand({
      ...common,
      name: FORMS.cap,
      internal: true,
      args: { value: VALUES.cap },
      run: async (turn, { value }) => await setCap(turn, 'cap', value),
    }),
    personcap: defineCommand({
      ...common,
      name: FORMS.personcap,
      internal: true,
      args: { value: VALUES.personcap },
      run: async (turn, { value }) => await setCap(turn, 'personcap', value),
    }),
    window: defineCommand({
      ...common,
      name: FORMS.window,
      internal: true,
      args: { value: VALUES.window },
      run: async (turn, { value }) => await set(turn, 'window', { window: value }),
    }),
  };

  const show = defineCommand({
    ...common,
    name: 'limits',
    urgent: ({ limit }) => limitArgument.schema.safeParse(limit).data === 'stop',
    example: (locale) => texts(locale).example,
    args: {
      limit: { ...limitArgument, optional: true },
      value: { ...VALUES.approval, schema: z.string(), take: takeRest, optional: true },
    },
    run: async (turn, { limit, value }) => {
      if (limit === undefined) {
        const { content, buttons } = await cardWith(turn, await limits.of(turn.chat.id), false);
        await turn.say(content, { buttons });
      } else if (limit === 'stop' || limit === 'go') {
        const { content, buttons } = await (limit === 'stop' ? stop(turn) : go(turn));
        await turn.say(content, { buttons });
      } else if (value !== undefined && VALUES[limit].schema.safeParse(value).success) {
        await forms[limit].run(turn, { value });
      } else {
        await turn.ask(FORMS[limit], value === undefined ? {} : { value });
      }
    },
  });

  return {
    name: 'limits',
    topic: 'team',
    commands: [show, ...Object.values(forms)],
    actions: [
      limitActions.edit.does(async (turn, { limit }) => await turn.ask(FORMS[limit])),
      limitActions.off.does(async (turn, { limit }) => {
        const { content, buttons } = await change(turn, limit, OFF[limit]);
        await turn.rewrite(content, { buttons });
      }),
      limitActions.stop.does(async (turn) => {
        const { content, buttons } = await stop(turn);
        await turn.rewrite(content, { buttons });
      }),
      limitActions.go.does(async (turn) => {
        const { content, buttons } = await go(turn);
        await turn.rewrite(content, { buttons });
      }),
    ],
  };
}

type Change = Partial<Omit<Limits, 'halted' | 'heldAt'>>;
type CapName = Extract<LimitName, 'cap' | 'personcap'>;

function pressOf(turn: Turn): LimitsPress {
  return { chatId: turn.chat.id, personId: turn.person.id, updateId: turn.updateId };
}

function some(turn: Turn, count: number): string | null {
  return count === 0 ? null : turn.format.count(count, texts(turn.locale).sends);
}
