import type { Clock } from '../../../ports/runtime.ts';
import type { BindingStore, DraftStore, DraftView } from '../../../ports/stores.ts';
import type { TemplateStore } from '../../../ports/templates.ts';
import { defineCommand, type Feature } from '../../../telegram/feature.ts';
import type { Turn } from '../../../telegram/turn.ts';
import { draftLine, draftLineArgument, draftOf } from '../../shared/new-draft.ts';
import { textArgument, typedNumbersArgument } from '../../shared/shared-arguments.ts';
import { textOrTemplate } from '../../shared/template-call.ts';
import { draftActions } from '../actions.ts';
import { atArgument, readWhen, type When } from './arguments.ts';
import { createScheduleForms, WHEN_FORM } from './forms.ts';
import { texts } from './texts.ts';
import { createWaiting, type WaitingDeps } from './waiting-cards.ts';

export interface ScheduleDeps extends WaitingDeps {
  readonly drafts: DraftStore;
  readonly bindings: BindingStore;
  readonly templates: TemplateStore;
  readonly clock: Clock;
}

/** Sends that Peyk itself keeps until their time, once or by a rule. */
export function createScheduleFeature(deps: ScheduleDeps): Feature {
  const { drafts, schedule, bindings, templates, clock, cards } = deps;

  const waiting = createWaiting({ schedule, cards });

  /** A draft of this chat, of the person who speaks. */
  const ownDraft = async (turn: Turn, draftId: string): Promise<DraftView | null> => {
    const draft = (await drafts.card(draftId))?.draft;
    return draft?.chatId === turn.chat.id && draft.authorId === turn.person.id ? draft : null;
  };

  const edit = async (
    turn: Turn,
    { id, version }: { readonly id: string; readonly version: number },
    when: When | null,
  ): Promise<void> => {
    const changed = await drafts.edit(id, version, { when });
    if (!changed) await turn.say(texts(turn.locale).changedElsewhere);
    await cards.refresh(id);
  };

  const forms = createScheduleForms({
    now: () => clock.now(),
    draftOf: ownDraft,
    edit,
    timeOf: async (turn, jobId) => {
      const send = await schedule.one(turn.chat.id, jobId);
      if (send !== null) return { sendAt: send.at, recur: send.recur };
      await turn.say(texts(turn.locale).gone);
      return null;
    },
    move: async (turn, jobId, when) => await waiting.openChange(turn, jobId, { when }),
  });

  const later = defineCommand({
    name: 'schedule',
    permission: 'send.schedule',
    facet: 'sending',
    about: (locale) => texts(locale).about,
    example: (locale) => texts(locale).example,
    args: {
      when: atArgument,
      numbers: typedNumbersArgument,
      text: textArgument,
      line: draftLineArgument(bindings),
    },
    run: async (turn, { when: typedWhen, numbers, text: typed, line: chosen }) => {
      const read = readWhen(typedWhen, { now: clock.now(), format: turn.format, before: null });
      if ('problem' in read) {
        await turn.say(read.problem);
        // All but the time was good: it alone is asked for again.
        const rest = chosen === undefined ? {} : { line: chosen };
        return await turn.ask('schedule', { numbers: numbers.typed, text: typed, ...rest });
      }
      const text = await textOrTemplate(turn, typed, templates, 'stay');
      if (text === null) return await turn.ask('schedule', { when: typedWhen, numbers: numbers.typed });
      const line = await draftLine(turn, chosen, bindings);
      if (line === null) return;
      const { id } = await drafts.create(
        draftOf(turn, {
          outgoing: { kind: 'text' },
          text,
          line,
          recipients: numbers.recipients,
          repeated: numbers.repeated.map(({ raw, recipient }) => ({ raw, reason: recipient })),
          invalid: numbers.invalid,
          ...(read.when === null ? {} : { sendAt: read.when.sendAt, recur: read.when.recur ?? undefined }),
        }),
      );
      await cards.refresh(id);
    },
  });

  const list = defineCommand({
    name: 'scheduled',
    permission: 'send.schedule',
    about: (locale) => texts(locale).aboutList,
    args: {},
    run: async (turn) => await waiting.list.say(turn, { page: 1 }),
  });

  return {
    name: 'schedule',
    topic: 'sending',
    commands: [later, list, ...forms],
    actions: [
      ...waiting.actions,
      draftActions.when.does(async (turn, { draftId, version }) => {
        await cards.refresh(draftId);
        await turn.ask(WHEN_FORM, { draft: draftId, version: String(version) });
      }),
      draftActions.opening.does(async (turn, { draftId, version, at }) => {
        const draft = await ownDraft(turn, draftId);
        if (draft === null) return;
        await edit(turn, { id: draftId, version }, { sendAt: new Date(at), recur: draft.recur });
      }),
    ],
  };
}
