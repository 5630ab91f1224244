import { z } from 'zod';
import type { Outgoing } from '../../domain/outgoing.ts';
import type { AskedAttempt, ReconcileStore } from '../../ports/reconcile.ts';
import type { DraftStore, DraftView, JobStore } from '../../ports/stores.ts';
import { defineAction, type Feature } from '../../telegram/feature.ts';
import { draftOf } from '../../telegram/new-draft.ts';
import type { Turn } from '../../telegram/turn.ts';
import { texts } from './texts.ts';

export interface SettleDeps {
  readonly drafts: DraftStore;
  readonly jobs: JobStore;
  readonly reconciles: ReconcileStore;
  readonly cards: { refresh(draftId: string): Promise<void> };
}

/** What people decide about sends whose outcome neither the answer nor the gateway's lists have told. */
export function createSettleFeature({ drafts, jobs, reconciles, cards }: SettleDeps): Feature {
  /** The card of a job of this chat. */
  const draftHere = async (turn: Turn, jobId: string): Promise<DraftView | null> => {
    const draftId = await jobs.draftOf(jobId);
    const view = draftId === null ? null : await drafts.card(draftId);
    return view?.draft.chatId === turn.chat.id ? view.draft : null;
  };

  return {
    name: 'settle',
    topic: 'sending',
    commands: [],
    actions: [
      defineAction({
        name: 'send.settle',
        permission: 'send.settle',
        payload: z.object({ jobId: z.uuid(), sent: z.boolean() }),
        run: async (turn, { jobId, sent }) => {
          const t = texts(turn.locale);
          const draft = await draftHere(turn, jobId);
          if (draft === null) return;
          const { updateId } = turn;
          const count = await reconciles.decide({ jobId, sent, personId: turn.person.id, updateId });
          const said = turn.format.number(count);
          await turn.say(count === 0 ? t.nothing : sent ? t.sent(said) : t.notSent(said));
        },
      }),
      defineAction({
        name: 'send.again',
        permission: 'send.settle',
        payload: z.object({ jobId: z.uuid() }),
        run: async (turn, { jobId }) => {
          const draft = await draftHere(turn, jobId);
          if (draft === null) return;
          const asked = await reconciles.asked(jobId);
          if (asked.length === 0) {
            await turn.say(texts(turn.locale).nothing);
            return;
          }
          const { text, line, flash } = draft;
          const { id } = await drafts.create(
            draftOf(turn, {
              outgoing: againBy(draft.outgoing, asked),
              text,
              line,
              flash,
              recipients: [...new Set(asked.flatMap(({ recipients }) => recipients))],
              resends: asked.map(({ attemptId }) => attemptId),
            }),
          );
          await cards.refresh(id);
          // The press has used the question's buttons up; until the new card is confirmed it stands as it did.
          await cards.refresh(draft.id);
        },
      }),
    ],
  };
}

/** The same way again, for those alone that are asked about. */
function againBy(outgoing: Outgoing, asked: readonly AskedAttempt[]): Outgoing {
  if (outgoing.kind === 'multi')
    return { kind: 'multi', rows: asked.flatMap(({ messages }) => messages ?? []) };
  // A call that names a book would go to everybody in it.
  return outgoing.kind === 'book' ? { kind: 'text' } : outgoing;
}
