import { defineTexts } from '../../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../../i18n/format.ts';
import { b, code, html, type Html } from '../../../telegram/html.ts';
import { mention, type Mentioned } from '../../shared/mention.ts';
import { quoted } from '../../shared/line-rule-texts.ts';

const one = (id: string) => b(isolateLtr(`#${id}`));

/** A second person's part in a send, and why a limit of the chat forbids one. */
export const approvalTexts = defineTexts({
  en: {
    ask: '➡ Ask for approval',
    approve: (count: string, parts: string | null): string =>
      `✅ Approve ${count}${parts === null ? '' : ` · ${parts}`}`,
    reject: '❌ Reject',
    needed: (what: Needing): Html => html`🟡 ${allEn(what)} need a second person’s approval.`,
    nobody: (what: Needing): Html =>
      html`🟡 ${allEn(what)} need a second person’s approval, and nobody else here may give it. An admin can make somebody an approver by replying to them with ${code('/role approver')}${what.above === undefined ? '' : html`, or turn this limit off with ${code('/limits approval off')}`}.`,
    alone: (what: Needing): Html =>
      html`🟡 ${allEn(what)} need a second person’s approval, and a private chat has no second person.${what.above === undefined ? '' : html` ${code('/limits approval off')} turns this limit off.`}`,
    patternCounted: html`The parts of a pattern are not known here, so each recipient counts as one.`,
    waits: (id: string, author: string): Html =>
      html`🟡 ${one(id)} waits for approval · asked by ${isolateAuto(author)}`,
    decides: html`Within 24 hours another person with the role approver or above decides. Any change cancels this request.`,
    freed: html`It needs no second person any more: press ✏️ Edit, then ✅ Send.`,
    stuck: (id: string): Html =>
      html`🟡 ${one(id)} waits for approval, and nobody is left who may approve it.`,
    approvers: (names: readonly string[]): Html =>
      html`Who may approve: ${names.map((name) => isolateAuto(name)).join(', ')}`,
    calls: (id: string, author: string, who: readonly Mentioned[]): Html =>
      html`🟡 ${who.map((each, index) => html`${index === 0 ? '' : ', '}${mention(each)}`)}: ${one(id)} by ${isolateAuto(author)} waits for approval.`,
    approved: (id: string, by: string): Html => html`✅ ${isolateAuto(by)} approved ${one(id)}.`,
    refused: (id: string, by: string): Html =>
      html`❌ ${isolateAuto(by)} rejected ${one(id)}. None of it was sent.`,
    authorLost: (author: string): Html =>
      html`${isolateAuto(author)}, who asked for it, may not send here any more. Nothing was sent; ❌ Reject ends it.`,
    rejected: (id: string, author: string, by: string): Html =>
      html`❌ Draft ${one(id)} by ${isolateAuto(author)} · not approved by ${isolateAuto(by)}, none of it was sent`,
    expired: (id: string, author: string): Html =>
      html`⌛ Draft ${one(id)} by ${isolateAuto(author)} · nobody approved it within 24 hours, none of it was sent`,
    nothingSent: html`Nothing was sent.`,
    pressAsk: html`Press ➡ Ask for approval on the card.`,
    notNeeded: (id: string): Html =>
      html`${one(id)} no longer needs a second person: press ✅ Send on its card.`,
  },
  fa: {
    ask: '➡ درخواست تأیید',
    approve: (count, parts) => `✅ تأیید ارسال به ${count}${parts === null ? '' : ` · ${parts}`}`,
    reject: '❌ رد',
    needed: (what) => html`🟡 ${allFa(what)} تأیید نفر دوم می‌خواهد.`,
    nobody: (what) =>
      html`🟡 ${allFa(what)} تأیید نفر دوم می‌خواهد و اینجا کس دیگری اجازهٔ تأیید ندارد. مدیر می‌تواند در پاسخ به پیام یک نفر ${code('/role تأییدکننده')} بفرستد تا تأییدکننده شود${what.above === undefined ? '' : html`، یا با ${code('/limits تأیید خاموش')} این محدودیت را بردارد`}.`,
    alone: (what) =>
      html`🟡 ${allFa(what)} تأیید نفر دوم می‌خواهد و در گفتگوی خصوصی نفر دومی نیست.${what.above === undefined ? '' : html` این محدودیت با ${code('/limits تأیید خاموش')} برداشته می‌شود.`}`,
    patternCounted: html`تعداد پارت‌های الگو از اینجا معلوم نیست؛ برای هر گیرنده یکی شمرده می‌شود.`,
    waits: (id, author) => html`🟡 ${one(id)} در انتظار تأیید · به درخواست ${isolateAuto(author)}`,
    decides: html`تا ۲۴ ساعت نفر دیگری با نقش تأییدکننده یا بالاتر تصمیم می‌گیرد. با هر تغییر، این درخواست باطل می‌شود.`,
    freed: html`دیگر تأیید نفر دوم نمی‌خواهد: ✏️ ویرایش و بعد ✅ ارسال را بزنید.`,
    stuck: (id) => html`🟡 ${one(id)} در انتظار تأیید است و کسی که اجازهٔ تأیید داشته باشد نمانده است.`,
    approvers: (names) =>
      html`کسانی که می‌توانند تأیید کنند: ${names.map((name) => isolateAuto(name)).join('، ')}`,
    calls: (id, author, who) =>
      html`🟡 ${who.map((each, index) => html`${index === 0 ? '' : '، '}${mention(each)}`)}: ${one(id)} از ${isolateAuto(author)} در انتظار تأیید است.`,
    approved: (id, by) => html`✅ ${isolateAuto(by)} ارسال ${one(id)} را تأیید کرد.`,
    refused: (id, by) => html`❌ ${isolateAuto(by)} ارسال ${one(id)} را رد کرد. چیزی از آن ارسال نشد.`,
    authorLost: (author) =>
      html`${isolateAuto(author)} که درخواستش را داده، دیگر اینجا اجازهٔ ارسال ندارد. چیزی ارسال نشد؛ با ❌ رد تمام می‌شود.`,
    rejected: (id, author, by) =>
      html`❌ پیش‌نویس ${one(id)} از ${isolateAuto(author)} · ${isolateAuto(by)} تأییدش نکرد و چیزی از آن ارسال نشد`,
    expired: (id, author) =>
      html`⌛ پیش‌نویس ${one(id)} از ${isolateAuto(author)} · در ۲۴ ساعت کسی تأییدش نکرد و چیزی از آن ارسال نشد`,
    nothingSent: html`چیزی ارسال نشد.`,
    pressAsk: html`روی کارت ➡ درخواست تأیید را بزنید.`,
    notNeeded: (id) => html`${one(id)} دیگر تأیید نفر دوم نمی‌خواهد: روی کارتش ✅ ارسال را بزنید.`,
  },
});

/** For what a second person is needed. */
export interface Needing {
  /** The limit of the chat; null: it asks for it always. Absent: it does not ask for it. */
  readonly above?: string | null;
  readonly words: readonly string[];
}

function allEn({ above, words }: Needing): string {
  const texts = words.length === 0 ? '' : `exts with ${quoted(words, ', ')}`;
  if (above === undefined) return `T${texts}`;
  const sends = above === null ? 'All sends of this chat' : `Sends of more than ${above}`;
  return texts === '' ? sends : `${sends} and t${texts}`;
}

function allFa({ above, words }: Needing): string {
  const texts = words.length === 0 ? [] : [`متن با ${quoted(words, '، ')}`];
  const sends = above === undefined ? [] : [above === null ? 'هر ارسال این گفتگو' : `ارسال بیش از ${above}`];
  return [...sends, ...texts].join(' و ');
}
