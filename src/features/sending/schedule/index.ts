import type { Pace } from '../../../domain/pace.ts';
import type { Clock } from '../../../ports/runtime.ts';
import type { DraftView } from '../../../ports/stores.ts';
import type { Stores } from '../../../storage/stores.ts';
import { defineCommand, type Feature } from '../../../telegram/feature.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { createBeginDraft, draftLineArgument, typedRecipients } from '../../shared/new-draft.ts';
import { choosePeople } from '../../shared/people-choices.ts';
import { textArgument, typedNumbersArgument } from '../../shared/shared-arguments.ts';
import { textOrTemplate } from '../../shared/template-call.ts';
import { likelyTimes, type LikelyDeps } from '../../shared/when-argument.ts';
import { draftActions } from '../actions.ts';
import { atArgument, NEEDS, readWhen, type When } from './arguments.ts';
import { createScheduleForms, WHEN_FORM } from './forms.ts';
import { texts } from './texts.ts';
import { createWaiting, type WaitingDeps } from './waiting-cards.ts';

export interface ScheduleDeps
  extends WaitingDeps, LikelyDeps, Pick<Stores, 'drafts' | 'bindings' | 'templates' | 'people'> {
  readonly clock: Clock;
}

/** Sends that Peyk itself keeps until their time, once or by a rule. */
export function createScheduleFeature(deps: ScheduleDeps): Feature {
  const { drafts, schedule, bindings, people, templates, clock, cards } = deps;
  const begin = createBeginDraft(deps);

  const waiting = createWaiting({ schedule, cards });
  const likely = likelyTimes(deps, NEEDS);

  /** A draft of this chat, of the person who speaks. */
  const ownDraft = async (ctx: RequestContext, draftId: string): Promise<DraftView | null> => {
    const draft = (await drafts.card(draftId))?.draft;
    return draft?.chatId === ctx.chat.id && draft.authorId === ctx.person.id ? draft : null;
  };

  const edit = async (
    ctx: RequestContext,
    { id, version }: { readonly id: string; readonly version: number },
    change: { readonly when: When | null } | { readonly pace: Pace | null },
  ): Promise<void> => {
    const changed = await drafts.edit(id, version, change);
    if (!changed) await ctx.say(texts(ctx.locale).changedElsewhere);
    await cards.bring(id, ctx);
  };

  const forms = createScheduleForms({
    now: () => clock.now(),
    likely,
    draftOf: ownDraft,
    edit,
    timeOf: async (ctx, jobId) => {
      const send = await schedule.one(ctx.chat.id, jobId);
      if (send !== null) return { sendAt: send.at, recur: send.recur };
      await ctx.say(texts(ctx.locale).gone);
      return null;
    },
    move: async (ctx, jobId, when) => await waiting.openChange(ctx, jobId, { when }),
  });

  const later = defineCommand({
    name: 'schedule',
    alsoCalled: ['زمانبندی', 'reminder', 'remind', 'یاداوری'],
    everyday: true,
    permission: 'send.schedule',
    facet: 'sending',
    followsEdits: true,
    about: (locale) => texts(locale).about,
    example: (locale) => texts(locale).example,
    args: {
      when: { ...atArgument, choices: likely },
      numbers: { ...typedNumbersArgument, choices: choosePeople(people) },
      text: textArgument,
      line: draftLineArgument(bindings),
    },
    run: async (ctx, { when: typedWhen, numbers, text: typed, line: chosen }) => {
      const read = readWhen(typedWhen, { now: clock.now(), format: ctx.format, before: null });
      if ('problem' in read) {
        // All but the time was good: it alone is asked for again.
        const rest = chosen === undefined ? {} : { line: chosen };
        return await ctx.ask('schedule', { numbers: numbers.typed, text: typed, ...rest }, typedWhen);
      }
      const text = await textOrTemplate(ctx, typed, templates);
      if (text === null) return await ctx.ask('schedule', { when: typedWhen, numbers: numbers.typed }, typed);
      await begin(ctx, chosen, {
        outgoing: { kind: 'text' },
        text,
        ...typedRecipients(numbers),
        ...(read.when === null ? {} : { sendAt: read.when.sendAt, recur: read.when.recur ?? undefined }),
      });
    },
  });

  const list = defineCommand({
    name: 'scheduled',
    alsoCalled: ['schedules', 'upcoming', 'زمانبندیها', 'زمانبندیشدهها'],
    everyday: true,
    permission: 'send.schedule',
    about: (locale) => texts(locale).aboutList,
    args: {},
    run: async (ctx) => await waiting.list.say(ctx, { page: 1 }),
  });

  return {
    name: 'schedule',
    topic: 'sending',
    commands: [later, list, ...forms],
    actions: [
      ...waiting.actions,
      draftActions.when.does(async (ctx, { draftId, version }) => {
        await cards.refresh(draftId);
        await ctx.ask(WHEN_FORM, { draft: draftId, version: String(version) });
      }),
      draftActions.opening.does(async (ctx, { draftId, version, at }) => {
        const draft = await ownDraft(ctx, draftId);
        if (draft === null) return;
        await edit(ctx, { id: draftId, version }, { when: { sendAt: new Date(at), recur: draft.recur } });
      }),
    ],
  };
}
