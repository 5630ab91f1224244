import { kindOf } from '../../../domain/kinds/index.ts';
import { displayRecipient } from '../../../domain/phone.ts';
import type { DraftView } from '../../../ports/stores.ts';
import type { Tables } from '../../../ports/tables.ts';
import type { Stores } from '../../../storage/stores.ts';
import { defineCommand, type Feature } from '../../../telegram/feature.ts';
import { lines, type Html } from '../../../telegram/html.ts';
import { sendTable } from '../../../telegram/table-file.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { draftOf } from '../../shared/new-draft.ts';
import { doubtActions } from '../actions.ts';
import type { Cards } from '../cards.ts';
import { texts } from './texts.ts';

export interface ReconcileFeatureDeps extends Pick<Stores, 'drafts' | 'jobs' | 'reconciles'> {
  readonly tables: Tables;
  readonly cards: Pick<Cards, 'refresh' | 'heard'>;
}

/** What is younger is still being looked for. */
const OLD_SECONDS = 900;
const LISTED = 20;

/** What people decide about sends whose outcome neither the answer nor the gateway's lists have told. */
export function createReconcileFeature({
  drafts,
  jobs,
  reconciles,
  tables,
  cards,
}: ReconcileFeatureDeps): Feature {
  /** The card of a job of this chat. */
  const draftHere = async (ctx: RequestContext, jobId: string): Promise<DraftView | null> => {
    const draftId = await jobs.draftOf(jobId);
    const view = draftId === null ? null : await drafts.card(draftId);
    return view?.draft.chatId === ctx.chat.id ? view.draft : null;
  };

  /** What a press came to, and what is asked besides by now: it was not on the card, so nothing is decided about it. */
  const tellRest = async (
    ctx: RequestContext,
    draft: DraftView,
    jobId: string,
    said: Html | false,
  ): Promise<void> => {
    const t = texts(ctx.locale);
    const asked = await reconciles.asked(jobId);
    const others = asked.reduce((sum, { recipients }) => sum + recipients.length, 0);
    const more = others > 0 && t.others(ctx.format.count(others, t.messages));
    await ctx.say(said === false && more === false ? t.nothing : lines(said, more));
    await cards.heard(draft.id, ctx);
    // The press has used the button up.
    await cards.refresh(draft.id);
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
        run: async (ctx) => {
          const t = texts(ctx.locale);
          const { format } = ctx;
          const waiting = await reconciles.waiting(ctx.chat.id, OLD_SECONDS);
          if (waiting.length === 0) {
            await ctx.say(t.noneUnknown);
            return;
          }
          const shown = waiting.slice(0, LISTED).map(({ code, recipients, asked, since }) => {
            const [all, open] = [format.number(recipients), format.number(asked)];
            return t.unknownCard(code, all, asked === 0 ? null : open, format.dateTime(since));
          });
          const more = waiting.length - shown.length;
          await ctx.say(lines(t.unknownHead, ...shown, more > 0 && t.more(format.number(more))));
          // The buttons of a question that has stood for long have lost their time.
          for (const { draftId, asked } of waiting.slice(0, LISTED))
            if (asked > 0) await cards.refresh(draftId);
        },
      }),
    ],
    actions: [
      doubtActions.settle.does(async (ctx, { jobId, seen, sent }) => {
        const t = texts(ctx.locale);
        const draft = await draftHere(ctx, jobId);
        if (draft === null) return;
        const { updateId } = ctx;
        const count = await reconciles.decide({ jobId, seen, sent, personId: ctx.person.id, updateId });
        const said = ctx.format.number(count);
        await tellRest(ctx, draft, jobId, count > 0 && (sent ? t.sent(said) : t.notSent(said)));
      }),
      doubtActions.look.does(async (ctx, { jobId, seen }) => {
        const draft = await draftHere(ctx, jobId);
        if (draft === null) return;
        await cards.heard(draft.id, ctx);
        if ((await reconciles.lookAgain(jobId, seen)) === 0) await tellRest(ctx, draft, jobId, false);
      }),
      doubtActions.file.does(async (ctx, { jobId }) => {
        const draft = await draftHere(ctx, jobId);
        if (draft === null) return;
        const t = texts(ctx.locale);
        const rows = (await reconciles.asked(jobId)).flatMap(
          ({ recipients, messages }) =>
            messages?.map(({ recipient, text }) => [displayRecipient(recipient), text]) ??
            recipients.map((recipient) => [displayRecipient(recipient), draft.text]),
        );
        await sendTable(ctx, { name: `unknown-${draft.code}`, table: { header: t.columns, rows } }, tables);
      }),
      doubtActions.again.does(async (ctx, { jobId, seen }) => {
        const draft = await draftHere(ctx, jobId);
        if (draft === null) return;
        const asked = await reconciles.asked(jobId, seen);
        if (asked.length === 0) return await tellRest(ctx, draft, jobId, false);
        const { text, line, flash } = draft;
        const { id } = await drafts.create(
          draftOf(ctx, {
            outgoing: kindOf(draft.outgoing).toDoubted(
              draft.outgoing,
              asked.flatMap(({ messages }) => messages ?? []),
            ),
            text,
            line,
            flash,
            recipients: [...new Set(asked.flatMap(({ recipients }) => recipients))],
            resends: asked.map(({ attemptId }) => attemptId),
          }),
        );
        await cards.refresh(id);
        await cards.heard(draft.id, ctx);
        // The press has used the question's buttons up; until the new card is confirmed it stands as it did.
        await cards.refresh(draft.id);
      }),
    ],
  };
}
