import { z } from 'zod';
import { displayRecipient } from '../../domain/phone.ts';
import type { Outgoing } from '../../domain/outgoing.ts';
import type { AskedAttempt, ReconcileStore } from '../../ports/reconcile.ts';
import type { JobStore } from '../../ports/jobs.ts';
import type { DraftStore, DraftView } from '../../ports/stores.ts';
import type { Tables } from '../../ports/tables.ts';
import { defineAction, defineCommand, type Feature } from '../../telegram/feature.ts';
import { lines } from '../../telegram/html.ts';
import { draftOf } from '../../telegram/new-draft.ts';
import type { Turn } from '../../telegram/turn.ts';
import { texts } from './texts.ts';

export interface SettleDeps {
  readonly tables: Tables;
  readonly drafts: DraftStore;
  readonly jobs: JobStore;
  readonly reconciles: ReconcileStore;
  readonly cards: { refresh(draftId: string): Promise<void> };
}

/** What is younger is still being looked for. */
const OLD_SECONDS = 900;
const LISTED = 20;

/** What people decide about sends whose outcome neither the answer nor the gateway's lists have told. */
export function createSettleFeature({ drafts, jobs, reconciles, tables, cards }: SettleDeps): Feature {
  /** The card of a job of this chat. */
  const draftHere = async (turn: Turn, jobId: string): Promise<DraftView | null> => {
    const draftId = await jobs.draftOf(jobId);
    const view = draftId === null ? null : await drafts.card(draftId);
    return view?.draft.chatId === turn.chat.id ? view.draft : null;
  };

  return {
    name: 'settle',
    topic: 'sending',
    commands: [
      defineCommand({
        name: 'unknown',
        permission: 'report.view',
        about: (locale) => texts(locale).aboutUnknown,
        args: {},
        run: async (turn) => {
          const t = texts(turn.locale);
          const { format } = turn;
          const waiting = await reconciles.waiting(turn.chat.id, OLD_SECONDS);
          if (waiting.length === 0) {
            await turn.say(t.noneUnknown);
            return;
          }
          const shown = waiting.slice(0, LISTED).map(({ code, recipients, asked, since }) => {
            const [all, open] = [format.number(recipients), format.number(asked)];
            return t.unknownCard(code, all, asked === 0 ? null : open, format.dateTime(since));
          });
          const more = waiting.length - shown.length;
          await turn.say(lines(t.unknownHead, ...shown, more > 0 && t.more(format.number(more))));
        },
      }),
    ],
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
        name: 'send.look',
        permission: 'send.settle',
        payload: z.object({ jobId: z.uuid() }),
        run: async (turn, { jobId }) => {
          if ((await draftHere(turn, jobId)) === null) return;
          const calls = await reconciles.lookAgain(jobId);
          if (calls === 0) await turn.say(texts(turn.locale).nothing);
        },
      }),
      defineAction({
        name: 'send.doubtful',
        permission: 'send.settle',
        payload: z.object({ jobId: z.uuid() }),
        run: async (turn, { jobId }) => {
          const draft = await draftHere(turn, jobId);
          if (draft === null) return;
          const t = texts(turn.locale);
          const rows = (await reconciles.asked(jobId)).flatMap(
            ({ recipients, messages }) =>
              messages?.map(({ recipient, text }) => [displayRecipient(recipient), text]) ??
              recipients.map((recipient) => [displayRecipient(recipient), draft.text]),
          );
          const content = await tables.write({ header: t.columns, rows }, 'csv');
          await turn.sendFile({ name: `unknown-${draft.code}.csv`, content });
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
  const rows = asked.flatMap(({ messages }) => messages ?? []);
  if (outgoing.kind === 'multi' || (outgoing.kind === 'bulk' && rows.length > 0))
    return { kind: 'multi', rows };
  // A call that names a book would go to everybody in it; a file is read once.
  return outgoing.kind === 'book' || outgoing.kind === 'bulk' ? { kind: 'text' } : outgoing;
}
