import { recurrenceAt, type Recurrence } from '../../../domain/recurrence.ts';
import type { DraftView } from '../../../ports/stores.ts';
import { defineCommand, type Argument, type Choice, type Command } from '../../../telegram/feature.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { ruleText } from '../../shared/rule-texts.ts';
import { carried } from '../../shared/shared-arguments.ts';
import {
  badPace,
  calendarOf,
  dailyArgument,
  monthlyArgument,
  paceArgument,
  paceHoursArgument,
  readWhen,
  ruleLine,
  timeArgument,
  weeklyArgument,
  wishArgument,
  type When,
} from './arguments.ts';
import { leastPace, type Pace } from '../../../domain/pace.ts';
import { paceTexts, takesPace } from './pace-card.ts';
import { texts } from './texts.ts';

export const WHEN_FORM = 'schedule-when';
export const TIME_FORM = 'schedule-time';
const PACE_FORM = 'schedule-pace';
const HOURS_FORM = 'schedule-hours';
const RULE_FORMS = { day: 'schedule-daily', week: 'schedule-weekly', month: 'schedule-monthly' } as const;

const RULE_ARGUMENTS = { day: dailyArgument, week: weeklyArgument, month: monthlyArgument } as const;

interface FormDeps {
  readonly now: () => Date;
  readonly likely: NonNullable<Argument['choices']>;
  /** A draft that the person may change. */
  readonly draftOf: (ctx: RequestContext, draftId: string) => Promise<DraftView | null>;
  readonly edit: (
    ctx: RequestContext,
    draft: { readonly id: string; readonly version: number },
    change: { readonly when: When | null } | { readonly pace: Pace | null },
  ) => Promise<void>;
  /** The time that a job waits for; null: it waits no longer. */
  readonly timeOf: (ctx: RequestContext, jobId: string) => Promise<When | null>;
  readonly move: (ctx: RequestContext, jobId: string, when: When | null) => Promise<void>;
}

/** What the buttons about times ask for. */
export function createScheduleForms({ now, likely, draftOf, edit, timeOf, move }: FormDeps): Command[] {
  const common = {
    permission: 'send.confirm',
    about: null,
  } as const satisfies Partial<Command>;
  const onDraft = { draft: carried, version: carried };

  /** Gives a draft a time; what will not do is told and asked for again. */
  const change = async (
    ctx: RequestContext,
    { draft, version, typed }: { draft: string; version: string; typed: string },
  ): Promise<void> => {
    const view = await draftOf(ctx, draft);
    if (view === null) return;
    const read = readWhen(typed, { now: now(), format: ctx.format, before: timeIn(view) });
    if ('problem' in read) return await ctx.ask(WHEN_FORM, { draft, version }, typed);
    await edit(ctx, { id: draft, version: Number(version) }, read);
  };

  return [
    defineCommand({
      ...common,
      name: WHEN_FORM,
      args: {
        ...onDraft,
        when: {
          ...wishArgument,
          choices: async (ctx: RequestContext, known) => {
            const view = await draftOf(ctx, known['draft'] ?? '');
            return view === null ? [] : offers(ctx, view, await likely(ctx, known));
          },
        },
      },
      run: async (ctx, { draft, version, when }) => await change(ctx, { draft, version, typed: when }),
    }),
    ...(['day', 'week', 'month'] as const).map((every) =>
      defineCommand({
        ...common,
        name: RULE_FORMS[every],
        args: { ...onDraft, when: RULE_ARGUMENTS[every] },
        run: async (ctx, { draft, version, when }) =>
          await change(ctx, { draft, version, typed: ruleLine(every, when, ctx.locale) ?? when }),
      }),
    ),
    defineCommand({
      ...common,
      name: PACE_FORM,
      args: {
        ...onDraft,
        pace: {
          ...paceArgument,
          choices: async (ctx: RequestContext, known) => {
            const isSlow = (await draftOf(ctx, known['draft'] ?? ''))?.pace !== undefined;
            const off = { label: paceTexts(ctx.locale).fullSpeed, value: 'off' };
            return [...(await paceArgument.choices(ctx)), ...(isSlow ? [off] : [])];
          },
        },
      },
      async run(ctx, { draft, version, pace }) {
        const view = await draftOf(ctx, draft);
        if (view === null) return void (await ctx.say(paceTexts(ctx.locale).gone));
        if (pace === null) return await edit(ctx, { id: draft, version: Number(version) }, { pace: null });
        const least = leastPace(view.outgoing) ?? 0;
        if (pace >= least) return await ctx.ask(HOURS_FORM, { draft, version, pace: String(pace) });
        await ctx.ask(PACE_FORM, { draft, version }, badPace(ctx.locale, ctx.format.number(pace), least));
      },
    }),
    defineCommand({
      ...common,
      name: HOURS_FORM,
      args: { ...onDraft, pace: carried, hours: paceHoursArgument },
      run: async (ctx, { draft, version, pace, hours }) =>
        await edit(
          ctx,
          { id: draft, version: Number(version) },
          { pace: { perHour: Number(pace), window: hours } },
        ),
    }),
    defineCommand({
      ...common,
      name: TIME_FORM,
      args: { job: carried, when: { ...timeArgument, choices: likely } },
      run: async (ctx, { job, when }) => {
        const before = await timeOf(ctx, job);
        if (before === null) return;
        const read = readWhen(when, { now: now(), format: ctx.format, before });
        if (!('problem' in read)) return await move(ctx, job, read.when);
        await ctx.ask(TIME_FORM, { job }, when);
      },
    }),
  ];
}

function timeIn({ sendAt, recur }: DraftView): When | null {
  return sendAt === null ? null : { sendAt, recur };
}

/** Answers to choose from. */
function offers(ctx: RequestContext, view: DraftView, likely: readonly Choice[]): Choice[] {
  const t = texts(ctx.locale);
  const before = timeIn(view);
  const { format } = ctx;
  const again = (every: Recurrence['every'], value: string, label: string): Choice => {
    if (before === null) return { label, form: RULE_FORMS[every] };
    const rule = recurrenceAt(every, before.sendAt, {
      timeZone: format.timeZone,
      calendar: calendarOf(ctx.locale),
    });
    return { label: t.repeats(ruleText(rule, format, true)), value };
  };
  return [
    ...(before === null ? [] : [{ label: t.now, value: 'now' }]),
    ...likely,
    again('day', 'every day', t.daily),
    again('week', 'every week', t.weekly),
    again('month', 'every month', t.monthly),
    ...(before === null || before.recur === null ? [] : [{ label: t.once, value: 'once' }]),
    ...(view.pace === undefined && !takesPace(view)
      ? []
      : [{ label: paceTexts(ctx.locale).slowly, form: PACE_FORM }]),
  ];
}
