import { z } from 'zod';
import { AppError } from '../../domain/errors.ts';
import type { BindingStore, DraftStore, IdentityStore, JobStore, NewDraft } from '../../ports/stores.ts';
import { defineAction, defineCommand, type Feature } from '../../telegram/feature.ts';
import type { Turn } from '../../telegram/turn.ts';
import { carried, lineArgument, mobileArgument, numbersArgument, textArgument } from './arguments.ts';
import type { Cards } from './cards.ts';
import { texts } from './texts.ts';

export interface SendFeatureDeps {
  readonly drafts: DraftStore;
  readonly jobs: JobStore;
  readonly bindings: BindingStore;
  readonly identities: IdentityStore;
  readonly cards: Cards;
  readonly undoSeconds: number;
}

const DRAFT_SECONDS = 900;

/** Preparing a message, confirming it, undoing and stopping it. The calls themselves are made by the sender. */
export function createSendFeature(deps: SendFeatureDeps): Feature {
  const { drafts, jobs, bindings, identities, cards } = deps;

  const send = defineCommand({
    name: 'send',
    permission: 'send.prepare',
    facet: 'sending',
    about: (locale) => texts(locale).about,
    args: {
      numbers: numbersArgument,
      text: textArgument,
      line: {
        ...lineArgument,
        askWhen: (turn: Turn) => turn.binding?.line === null,
        choices: async (turn: Turn) => {
          const lines = turn.binding === null ? [] : await bindings.lines(turn.binding.id);
          return lines.map((line) => ({ label: line, value: line }));
        },
        optional: true,
      },
    },
    run: async (turn, { numbers, text, line: chosen }) => {
      const line = chosen ?? turn.binding?.line ?? null;
      if (turn.binding === null || line === null) return;
      if (chosen !== undefined && turn.binding.line === null) {
        await bindings.setLine({
          bindingId: turn.binding.id,
          line: chosen,
          personId: turn.person.id,
          updateId: turn.updateId,
        });
      }
      const { id } = await drafts.create({
        ...draftOf(turn, text, line),
        recipients: numbers.recipients,
        repeated: numbers.repeated.map(({ raw, recipient }) => ({ raw, reason: recipient })),
        invalid: numbers.invalid,
      });
      await cards.refresh(id);
    },
  });

  const editText = defineCommand({
    name: 'send-text',
    permission: 'send.prepare',
    internal: true,
    about: (locale) => texts(locale).about,
    args: { draft: carried, version: carried, text: { ...textArgument, take: null } },
    run: async (turn, { draft, version, text }) => await edit(turn, draft, version, { text }),
  });

  const editLine = defineCommand({
    name: 'send-line',
    permission: 'send.prepare',
    internal: true,
    about: (locale) => texts(locale).about,
    args: {
      draft: carried,
      version: carried,
      line: {
        ...lineArgument,
        choices: async (turn: Turn) => {
          const lines = turn.binding === null ? [] : await bindings.lines(turn.binding.id);
          return lines.map((line) => ({ label: line, value: line }));
        },
      },
    },
    run: async (turn, { draft, version, line }) => {
      if (turn.binding !== null) await bindings.learnLines(turn.binding.id, [line]);
      await edit(turn, draft, version, { line });
    },
  });

  const mobile = defineCommand({
    name: 'send-mobile',
    permission: 'send.confirm',
    internal: true,
    about: (locale) => texts(locale).about,
    args: { draft: carried, mobile: mobileArgument },
    run: async (turn, values) => {
      await identities.setMobile(turn.person.id, values.mobile);
      await sendTest(turn, values.draft, values.mobile);
    },
  });

  const edit = async (
    turn: Turn,
    draftId: string,
    version: string,
    change: Parameters<DraftStore['edit']>[2],
  ): Promise<void> => {
    const view = await drafts.card(draftId);
    if (view === null || view.draft.chatId !== turn.chat.id || view.draft.authorId !== turn.person.id) return;
    const changed = await drafts.edit(draftId, Number(version), change);
    if (!changed) await turn.say(texts(turn.locale).changedElsewhere);
    await cards.refresh(draftId);
  };

  const sendTest = async (turn: Turn, draftId: string, to: string): Promise<void> => {
    const view = await drafts.card(draftId);
    if (view === null || view.draft.chatId !== turn.chat.id) return;
    const { id } = await drafts.create({
      ...draftOf(turn, view.draft.text, view.draft.line),
      recipients: [to],
      repeated: [],
      invalid: [],
    });
    await cards.refresh(id);
    await drafts.confirm({
      draftId: id,
      version: 1,
      personId: turn.person.id,
      updateId: turn.updateId,
      undoSeconds: 0,
    });
    // The press has used the card's token up: the card gets fresh buttons.
    await cards.refresh(draftId);
  };

  const onDraft = z.object({ draftId: z.uuid(), version: z.number().int() });
  const onJob = z.object({ jobId: z.uuid() });

  return {
    name: 'send',
    commands: [send, editText, editLine, mobile],
    actions: [
      defineAction({
        name: 'send.confirm',
        permission: 'send.confirm',
        payload: onDraft,
        run: async (turn, { draftId, version }) => {
          const { result } = await drafts.confirm({
            draftId,
            version,
            personId: turn.person.id,
            updateId: turn.updateId,
            undoSeconds: deps.undoSeconds,
          });
          // A confirmation brings its own card along; anything else (changed, expired, confirmed before) is shown here.
          if (result !== 'confirmed') await cards.refresh(draftId);
          // The card alone would look as if nothing had been pressed.
          if (result === 'not_connected')
            throw new AppError(
              turn.binding === null ? 'not_connected' : 'stale',
              'the account of the draft is gone',
            );
        },
      }),
      defineAction({
        name: 'send.cancel',
        permission: 'send.confirm',
        payload: onDraft,
        run: async (turn, { draftId, version }) => {
          await drafts.cancel(draftId, version, turn.person.id, turn.updateId);
          await cards.refresh(draftId);
        },
      }),
      defineAction({
        name: 'send.flash',
        permission: 'send.confirm',
        payload: onDraft,
        run: async (_turn, { draftId, version }) => {
          const view = await drafts.card(draftId);
          if (view === null) return;
          await drafts.edit(draftId, version, { flash: !view.draft.flash });
          await cards.refresh(draftId);
        },
      }),
      defineAction({
        name: 'send.text',
        permission: 'send.confirm',
        payload: onDraft,
        run: async (turn, { draftId, version }) => {
          await cards.refresh(draftId);
          await turn.ask('send-text', { draft: draftId, version: String(version) });
        },
      }),
      defineAction({
        name: 'send.line',
        permission: 'send.confirm',
        payload: onDraft,
        run: async (turn, { draftId, version }) => {
          await cards.refresh(draftId);
          await turn.ask('send-line', { draft: draftId, version: String(version) });
        },
      }),
      defineAction({
        name: 'send.test',
        permission: 'send.confirm',
        payload: onDraft,
        run: async (turn, { draftId }) => {
          if (turn.person.mobile !== null) return await sendTest(turn, draftId, turn.person.mobile);
          await cards.refresh(draftId);
          await turn.ask('send-mobile', { draft: draftId });
        },
      }),
      defineAction({
        name: 'send.undo',
        permission: 'send.stop',
        payload: onJob,
        run: async (turn, { jobId }) => {
          const undone = await jobs.undo(jobId, turn.person.id, turn.updateId);
          if (undone) return;
          await turn.say(texts(turn.locale).tooLate);
          await refreshJob(jobId);
        },
      }),
      defineAction({
        name: 'send.stop',
        permission: 'send.stop',
        payload: onJob,
        run: async (turn, { jobId }) => {
          const stopped = await jobs.stop(jobId, 'person', turn.person.id, turn.updateId);
          if (stopped) return;
          await turn.say(texts(turn.locale).nothingToStop);
          await refreshJob(jobId);
        },
      }),
    ],
  };

  async function refreshJob(jobId: string): Promise<void> {
    const draftId = await jobs.draftOf(jobId);
    if (draftId !== null) await cards.refresh(draftId);
  }
}

function draftOf(
  turn: Turn,
  text: string,
  line: string,
): Omit<NewDraft, 'recipients' | 'repeated' | 'invalid'> {
  return {
    chatId: turn.chat.id,
    bindingId: turn.binding?.id ?? '',
    botId: turn.bot.id,
    updateId: turn.updateId,
    authorId: turn.person.id,
    text,
    line,
    lang: turn.locale,
    threadId: turn.threadId,
    ttlSeconds: DRAFT_SECONDS,
  };
}
