import { fileOf } from '../../../domain/kinds/index.ts';
import { checkMessage } from '../../../domain/message.ts';
import { displayRecipient, splitNumbersAndText } from '../../../domain/phone.ts';
import {
  asksHowItWent,
  asksToChange,
  isCourtesy,
  saysAgain,
  saysNo,
  saysToEnd,
  saysYes,
} from '../../../domain/said-words.ts';
import { defineTexts } from '../../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../../i18n/format.ts';
import type { CardView, DraftStore } from '../../../ports/stores.ts';
import type { Stores } from '../../../storage/stores.ts';
import type { Action } from '../../../telegram/action.ts';
import { offerButton, tryButton } from '../../../telegram/again.ts';
import type { Button } from '../../../telegram/buttons.ts';
import type { Feature } from '../../../telegram/feature.ts';
import { b, clip, html, type Html } from '../../../telegram/html.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { cardCodeIn } from '../../shared/card-code.ts';
import { ownSend, tellItGoesOn } from '../../shared/held-send.ts';
import { textArgument } from '../../shared/shared-arguments.ts';
import { draftActions } from '../actions.ts';
import { namesRow } from '../bulk/steps.ts';
import type { Cards } from '../cards.ts';
import { approvalTexts } from '../confirm/approval-texts.ts';
import { slash } from '../../../telegram/slash.ts';
import { cardOf } from '../kinds/cards.ts';
import { texts } from '../texts.ts';
import { againButton, authored } from './author-card.ts';

export interface WordsToCardDeps {
  readonly drafts: Pick<DraftStore, 'card' | 'findByCode' | 'findByMessage' | 'findBySource' | 'newest'>;
  readonly jobs: Pick<Stores['jobs'], 'lastLetGo'>;
  readonly cards: Pick<Cards, 'bring'>;
  /** Takes a send back in its hold; see createUndo. */
  readonly undo: (ctx: RequestContext, send: { readonly jobId: string }) => Promise<void>;
  readonly edit: (
    ctx: RequestContext,
    draft: { readonly id: string; readonly version: number },
    change: { readonly text: string; readonly textBy: number },
  ) => Promise<void>;
}

const SHOWN = 200;
/** A line for more of them is no line. */
const MOST_AGAIN = 50;

/**
 * Words about the card of a send. They let nothing leave: a yes is shown the button that does, and a reply to the card is
 * offered as its text. A no takes back what is in its hold: by the time that a button is found it may be paid for.
 */
export function createWordsToCard({
  drafts,
  jobs,
  edit,
  cards,
  undo,
}: WordsToCardDeps): Required<Pick<Feature, 'replied' | 'meant' | 'edited'>> & { readonly action: Action } {
  /** Offers the same message once more; false where this person has sent none here. What is open or no plain message shows its card. */
  const offerAgain = async (ctx: RequestContext): Promise<boolean> => {
    const newest = await drafts.newest(ctx.chat.id, ctx.person.id, 'any');
    const view = newest === null ? null : await drafts.card(newest);
    if (newest === null || view === null) return false;
    const isOpen = view.job === null && view.draft.state !== 'cancelled' && !view.draft.expired;
    const line = isOpen ? null : lineOf(view);
    if (line === null) await cards.bring(newest, ctx);
    else {
      const { again, same } = wordsTexts(ctx.locale);
      await ctx.say(again(view.draft.code, clip(view.draft.text, SHOWN)), {
        buttons: [[offerButton(ctx, line, same)]],
        ...(ctx.messageId === null ? {} : { replyTo: ctx.messageId }),
      });
    }
    return true;
  };

  return {
    replied: async (ctx, target, { text, isFurther, isCry }) => {
      // A file below a card is met as a file, and a command as one.
      if (ctx.file !== null || (isCry && ctx.isPrivate)) return false;
      const draftId = await drafts.findByMessage(ctx.chat.id, target.id);
      const view = draftId === null ? null : await drafts.card(draftId);
      if (view === null) return false;
      if (isFurther) return true;
      const { job } = view;
      if (ctx.isPrivate && job !== null && isCourtesy(text)) return await welcome(ctx);
      if (job !== null && job.endedAt === null && ctx.can('send.stop') && saysNo(text)) {
        if (job.state === 'holding') await undo(ctx, { jobId: job.id });
        else await tellItGoesOn(ctx, view, cards);
        return true;
      }
      const isOwn = job === null && view.draft.authorId === ctx.person.id;
      const decides = view.draft.state === 'asked' && saysYes(text);
      // Below what is over, or another's, a group may be talking among themselves.
      if (!isOwn && !decides && ctx.chat.type !== 'private') return false;
      // Heard by what has the rows of the file.
      if (isOwn && waitsForColumns(view) && namesRow(text)) return false;
      if (draftId !== null && (asksHowItWent(text) || asksToChange(text))) await cards.bring(draftId, ctx);
      else await answer(ctx, view, text, true);
      return true;
    },

    meant: async (ctx, words, { isOrder }) => {
      if (isOrder && isCourtesy(words)) return await welcome(ctx);
      const named = isOrder && ctx.can('status.view') ? cardCodeIn(words) : null;
      const asked =
        named !== null && isOfCard(named.beside)
          ? await drafts.findByCode(ctx.chat.id, named.code)
          : asksHowItWent(words)
            ? await drafts.newest(ctx.chat.id, ctx.person.id, 'any')
            : asksToChange(words)
              ? ((await ownSend(ctx, jobs))?.draftId ??
                (await drafts.newest(ctx.chat.id, ctx.person.id, 'open')))
              : null;
      if (asked !== null) {
        await cards.bring(asked, ctx);
        return true;
      }
      if (isOrder && saysAgain(words) && (await offerAgain(ctx))) return true;
      const last = isOrder && saysNo(words) ? await ownSend(ctx, jobs) : null;
      if (last?.canUndo === true) {
        await undo(ctx, last);
        return true;
      }
      const draftId = await drafts.newest(ctx.chat.id, ctx.person.id, 'open');
      const view = draftId === null ? null : await drafts.card(draftId);
      const sent =
        view === null && last !== null && saysToEnd(words) ? await drafts.card(last.draftId) : null;
      if (sent !== null && (await tellItGoesOn(ctx, sent, cards))) return true;
      if (view === null && isOrder && (saysYes(words) || saysNo(words))) {
        await ctx.say(wordsTexts(ctx.locale).noSend);
        return true;
      }
      if (view === null) return false;
      const isForFile = view.draft.text === '' && waitsForColumns(view) && !namesRow(words);
      const isText = words !== '' && (isForFile || view.draft.replaces !== undefined);
      if (!saysYes(words) && !saysNo(words) && !isText) return false;
      await answer(ctx, view, words, false);
      return true;
    },

    edited: async (ctx, edited) => {
      if (ctx.messageId === null) return null;
      const draftId = await drafts.findBySource(ctx.chat.id, ctx.messageId);
      const view = draftId === null ? null : await drafts.card(draftId);
      if (draftId === null || view === null || view.draft.authorId !== ctx.person.id) return null;
      const show = async (): Promise<void> => await cards.bring(draftId, ctx);
      const { draft, job } = view;
      const isOver = draft.state === 'cancelled' || draft.expired;
      if (job === null && !isOver && edited !== null) {
        if (edited !== draft.text) await answer(ctx, view, edited, true);
        return 'told';
      }
      if (job === null && !isOver && fileOf(draft.outgoing) === null) return show;
      const t = wordsTexts(ctx.locale);
      const said = isOver
        ? t.over(draft.code)
        : job === null
          ? t.byButtons(draft.code)
          : t.editTooLate(draft.code);
      await ctx.say(said, {
        replyTo: ctx.messageId,
        buttons: [[isOver && tryButton(t.anew, '/send')]],
      });
      if (!isOver) await show();
      return 'told';
    },

    action: draftActions.retext.does(async (ctx, { draftId, version }) => {
      const t = wordsTexts(ctx.locale);
      if (ctx.pressedMessageId !== null) await ctx.disarm(ctx.pressedMessageId);
      if (ctx.subject === null) return void (await ctx.say(t.gone));
      const { words, messageId: textBy } = ctx.subject;
      if (checkMessage(words).ok) await edit(ctx, { id: draftId, version }, { text: words, textBy });
      else await ctx.say(textArgument.problem(ctx.locale, words));
    }),
  };
}

/** Whether words are about a send, and say nothing else. */
function isOfCard(words: string): boolean {
  return [asksHowItWent, asksToChange, saysAgain, saysNo, saysYes].some((says) => says(words));
}

async function welcome(ctx: RequestContext): Promise<true> {
  await ctx.say(wordsTexts(ctx.locale).welcome);
  return true;
}

async function answer(ctx: RequestContext, view: CardView, words: string, isBelow: boolean): Promise<void> {
  const { draft, job, approval, place } = view;
  const t = wordsTexts(ctx.locale);
  const say = async (
    content: Html,
    button?: Button | readonly Button[],
    replyTo = ctx.messageId,
  ): Promise<void> => {
    await ctx.say(content, {
      buttons: [button].flat().map((each) => [each]),
      ...(replyTo === null ? {} : { replyTo }),
    });
  };
  if (job !== null) return await say(t.onItsWay(draft.code), tryButton(t.report, `/report ${draft.code}`));
  if (draft.state === 'cancelled' || draft.expired)
    return await say(t.over(draft.code), againButton(view) ?? tryButton(t.anew, '/send'));
  // Where something else has been said since, that may have asked too: a block, a phonebook.
  const isSure = isBelow || (place.messageId !== null && ctx.messageId === place.messageId + 1);
  if (saysYes(words)) {
    if (draft.state === 'asked' && draft.authorId === ctx.person.id)
      return await say(t.waits(draft.code), undefined, place.messageId);
    const isPressed = draft.state === 'asked' || approval.need === null;
    const button = waitsForColumns(view) ? '▶' : '✅';
    const press = isPressed
      ? isSure
        ? t.press(draft.code, button)
        : t.pressIf(draft.code, button)
      : approvalTexts(ctx.locale).pressAsk;
    return await say(press, undefined, place.messageId);
  }
  if (saysNo(words) && draft.authorId === ctx.person.id)
    return await say(
      isSure ? t.staysOpen(draft.code) : t.pressIf(draft.code, '✖'),
      isBelow || !isSure ? undefined : offerButton(ctx, `/cancel ${draft.code}`, '/cancel'),
      place.messageId,
    );
  const { numbers, text } = splitNumbersAndText(words);
  const isText =
    fileOf(draft.outgoing) === null
      ? cardOf(draft.outgoing).changes(draft.outgoing).text
      : waitsForColumns(view);
  const isNumbers = numbers !== '' && text === '';
  if (!isText || isNumbers || words.trim() === '') return await say(t.byButtons(draft.code));
  const { payload, look } = authored(draft);
  await say(t.asText(draft.code), [
    draftActions.retext.button(t.useAsText, payload, look),
    // What was not said below the card may have nothing to do with it.
    ...(isBelow ? [] : [offerButton(ctx, '/send', texts(ctx.locale).offer, 'words')]),
  ]);
}

/** The command that makes the same message for the same people; null where a line does not say all of it. */
function lineOf({ draft: { outgoing, recipients, text } }: CardView): string | null {
  if (outgoing.kind !== 'text' || recipients.length === 0 || recipients.length > MOST_AGAIN) return null;
  const line = `${recipients.map(displayRecipient).join(', ')} ${text}`;
  return text !== '' && splitNumbersAndText(line).text === text ? `/send ${line}` : null;
}

/** A file whose columns are still asked about; its text comes next. */
function waitsForColumns({ job, draft }: CardView): boolean {
  return job === null && fileOf(draft.outgoing)?.step === 'columns';
}

const one = (id: string) => b(isolateLtr(`#${id}`));

/** What is said to words about the card of a send, which is moved by its buttons alone. */
export const wordsTexts = defineTexts({
  en: {
    press: (id: string, button: '✅' | '▶'): Html =>
      html`A message does not send it. Press ${button} on the card of ${one(id)}; tap the quote above to get there.`,
    pressIf: (id: string, button: '✅' | '▶' | '✖'): Html =>
      html`A message presses no button, so nothing was done. If you mean ${one(id)}, press ${button} on its card; tap the quote above to get there. Another question has buttons of its own below it.`,
    staysOpen: (id: string): Html =>
      html`A message does not cancel it. Press ✖ on the card of ${one(id)}; tap the quote above to get there.`,
    waits: (id: string): Html =>
      html`${one(id)} waits for a second person’s approval, by the buttons on its card.`,
    asText: (id: string): Html => html`Should this be the text of ${one(id)}? Nothing was changed yet.`,
    useAsText: '✏️ Use it as the text',
    byButtons: (id: string): Html =>
      html`Nothing was changed: use the buttons on the card of ${one(id)} to change or send it.`,
    onItsWay: (id: string): Html =>
      html`Nothing was changed: ${one(id)} was confirmed already. Its card says what is known.`,
    editTooLate: (id: string): Html =>
      html`Nothing was changed: ${one(id)} was confirmed already, and edits of the message are no longer followed.`,
    again: (id: string, text: string): Html =>
      html`Do you mean ${one(id)}, «${isolateAuto(text)}»? You see it first.`,
    same: '✉️ The same again',
    report: '📊 Report',
    over: (id: string): Html => html`Draft ${one(id)} is closed; none of it was sent. Start again:`,
    anew: '✉️ A new SMS',
    welcome: html`At your service. /send writes an SMS, /help shows the rest.`,
    noSend: html`A message presses no button, so nothing was done, and no draft of yours is open. Another question has buttons of its own below it. /send begins a new SMS, /help shows the rest.`,
    gone: html`The message with the new text is not there any more. Nothing was changed; send it once more.`,
  },
  fa: {
    press: (id, button) =>
      html`با نوشتن پیام چیزی ارسال نمی‌شود. روی کارت ${one(id)} دکمهٔ ${button} را بزنید؛ با زدن نقل‌قول بالا کارت را می‌بینید.`,
    pressIf: (id, button) =>
      html`با نوشتن پیام دکمه‌ای زده نمی‌شود و کاری انجام نشد. اگر منظورتان ${one(id)} است، روی کارتش دکمهٔ ${button} را بزنید؛ با زدن نقل‌قول بالا کارت را می‌بینید. هر سؤال دیگری زیر خودش دکمه دارد.`,
    staysOpen: (id) =>
      html`با نوشتن پیام چیزی لغو نمی‌شود. روی کارت ${one(id)} دکمهٔ ✖ را بزنید؛ با زدن نقل‌قول بالا کارت را می‌بینید.`,
    waits: (id) => html`${one(id)} منتظر تأیید نفر دوم است، با دکمه‌های کارتش.`,
    asText: (id) => html`این نوشته متن ${one(id)} شود؟ هنوز چیزی تغییر نکرده است.`,
    useAsText: '✏️ استفاده به عنوان متن',
    byButtons: (id) => html`چیزی تغییر نکرد: برای تغییر یا ارسال ${one(id)} از دکمه‌های کارتش استفاده کنید.`,
    onItsWay: (id) => html`چیزی تغییر نکرد: ${one(id)} قبلاً تأیید شده است. آنچه معلوم است روی کارتش هست.`,
    editTooLate: (id) => html`چیزی تغییر نکرد: ${one(id)} قبلاً تأیید شده است و ویرایش پیام دیگر اثری ندارد.`,
    again: (id, text) => html`منظورتان ${one(id)} است، «${isolateAuto(text)}»؟ اول آن را می‌بینید.`,
    same: '✉️ همان دوباره',
    report: '📊 گزارش',
    over: (id) => html`پیش‌نویس ${one(id)} بسته شده و چیزی از آن ارسال نشد. از نو شروع کنید:`,
    anew: '✉️ پیامک جدید',
    welcome: html`در خدمتم. پیامک با ${slash('fa', 'send')} و بقیهٔ کارها در ${slash('fa', 'help')}`,
    noSend: html`با نوشتن پیام دکمه‌ای زده نمی‌شود و کاری انجام نشد؛ پیش‌نویس بازی هم ندارید. هر سؤال دیگری زیر خودش دکمه دارد. پیامک جدید با ${slash('fa', 'send')} و بقیهٔ کارها در ${slash('fa', 'help')}`,
    gone: html`پیامی که متن جدید در آن بود دیگر نیست. چیزی تغییر نکرد؛ دوباره بفرستید.`,
  },
});
