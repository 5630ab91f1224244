import { kindOf } from '../../../domain/kinds/index.ts';
import { defineTexts } from '../../../i18n/define.ts';
import { createFormat, isolateAuto, isolateLtr, type Format } from '../../../i18n/format.ts';
import type { JobControl, LateAnswer } from '../../../ports/jobs.ts';
import type { CardView, DraftStore, DraftView, JobView } from '../../../ports/stores.ts';
import type { Buttons } from '../../../telegram/buttons.ts';
import { html, lines, type Html } from '../../../telegram/html.ts';
import type { Notifier } from '../../../telegram/outgoing/notifier.ts';
import { doubtActions } from '../actions.ts';

/** What a person has to decide about, with all that is known of it; nothing when there is no question. */
export function doubtLines({ lang }: DraftView, { asked, doubt }: JobView, format: Format): Html | false {
  if (asked === 0 || doubt === null) return false;
  const t = doubtTexts(lang);
  const say = doubt.listsAreWhole ? t.absent : t.undecided;
  return lines(
    say(format.number(asked), format.count(doubt.calls, t.calls)),
    doubt.found > 0 && t.found(format.number(doubt.found)),
    doubt.lookedAt !== null && t.looked(format.count(doubt.looks, t.times), format.time(doubt.lookedAt)),
  );
}

/** The answers to it. */
export function doubtButtons(
  { lang, outgoing }: DraftView,
  { id, asked, doubt }: JobView,
  format: Format,
): Buttons {
  if (asked === 0 || doubt === null) return [];
  const t = doubtTexts(lang);
  const question = { jobId: id, seen: doubt.seen.map(([from, to]): [number, number] => [from, to]) };
  const { settle, again, look, file } = doubtActions;
  return [
    [again.button(t.again(format.number(asked)), question)],
    [
      settle.button(t.wereSent, { ...question, sent: true }),
      settle.button(t.wereNotSent, { ...question, sent: false }),
    ],
    [
      // The lists cannot tell of a text that the gateway keeps.
      kindOf(outgoing).isListed && look.button(t.look, question),
      file.button(t.file(format.number(asked)), { jobId: id }),
    ],
  ];
}

const one = (code: string): string => isolateLtr(`#${code}`);

/** What is said about messages whose outcome neither the answer nor the gateway's lists have told. */
export const doubtTexts = defineTexts({
  en: {
    undecided: (count: string, calls: string): Html =>
      html`❓ The gateway’s lists do not tell whether these were sent: ${count} (${calls}). Sending them again could reach people twice. What do you know?`,
    absent: (count: string, calls: string): Html =>
      html`❓ Not in the gateway’s lists, which are complete: ${count} (${calls}). Most likely they were never sent; nothing is sent again without your decision.`,
    calls: { one: 'request', other: 'requests' },
    found: (count: string): Html => html`Found in the lists, of the same requests: ${count}.`,
    looked: (times: string, at: string): Html => html`Looked ${times}, last at ${at}.`,
    times: { one: 'time', other: 'times' },
    again: (count: string): string => `🔁 Send ${count} again`,
    wereSent: '✔ They were sent',
    wereNotSent: '✖ They were not sent',
    look: '🔎 Look again',
    file: (count: string): string => `⬇ The ${count} as a file`,
    columns: ['number', 'text'],
    messages: { one: 'message', other: 'messages' },
    lateSent: (code: string, count: string, by: string, again: string | null): Html =>
      html`⚠️ ${one(code)}: the gateway’s answer came late. ${count} that ${isolateAuto(by)} had marked as not sent were accepted after all, and count as accepted now.${again === null ? '' : html` Some of these people may get it twice, by ${one(again)}; what of it has not left yet waits for somebody’s word on its card.`}`,
    lateTwice: (code: string, count: string, by: string, again: string): Html =>
      html`⚠️ ${one(code)}: the gateway’s answer came late. ${count} that ${isolateAuto(by)} sent again by ${one(again)} had been accepted the first time. What has left by ${one(again)} these people get twice; what of it has not left yet waits for somebody’s word on its card.`,
    lateNotSent: (code: string, count: string, by: string): Html =>
      html`⚠️ ${one(code)}: it turned out late that ${count} that ${isolateAuto(by)} had marked as sent were not sent. The card counts them as not sent now; they can be sent again from there.`,
    reminder: (code: string, count: string): Html =>
      html`❓ ${one(code)} still waits for your word about ${count} whose outcome is unknown. Nothing is sent again until somebody decides.`,
  },
  fa: {
    undecided: (count, calls) =>
      html`❓ از لیست‌های پنل پیامک معلوم نشد این‌ها ارسال شده یا نه: ${count} تا (${calls}). ارسال دوباره شاید دوبار به کسی برسد. شما چه می‌دانید؟`,
    absent: (count, calls) =>
      html`❓ این‌ها در لیست‌های پنل پیامک نیست و لیست‌ها کامل است: ${count} تا (${calls}). به احتمال زیاد ارسال نشده‌اند؛ بدون تصمیم شما چیزی دوباره ارسال نمی‌شود.`,
    calls: { one: 'درخواست', other: 'درخواست' },
    found: (count) => html`از همین درخواست‌ها در لیست‌ها پیدا شد: ${count}.`,
    looked: (times, at) => html`${times} جستجو شد، آخرین بار ${at}.`,
    times: { one: 'بار', other: 'بار' },
    again: (count) => `🔁 ارسال دوبارهٔ ${count}`,
    wereSent: '✔ ارسال شده‌اند',
    wereNotSent: '✖ ارسال نشده‌اند',
    look: '🔎 جستجوی دوباره',
    file: (count) => `⬇ فایل این ${count} تا`,
    columns: ['شماره', 'متن'],
    messages: { one: 'پیامک', other: 'پیامک' },
    lateSent: (code, count, by, again) =>
      html`⚠️ ${one(code)}: پاسخ پنل پیامک دیر آمد. ${count} که ${isolateAuto(by)} «ارسال نشده» اعلام کرده بود پذیرفته شده بود و حالا پذیرفته به حساب می‌آید.${again === null ? '' : html` شاید بعضی از این افراد با ${one(again)} پیام را دوبار بگیرند؛ هرچه از آن هنوز نرفته روی کارتش منتظر تصمیم می‌ماند.`}`,
    lateTwice: (code, count, by, again) =>
      html`⚠️ ${one(code)}: پاسخ پنل پیامک دیر آمد. ${count} که ${isolateAuto(by)} با ${one(again)} دوباره ارسال کرد، بار اول پذیرفته شده بود. هرچه با ${one(again)} رفته باشد این افراد دوبار می‌گیرند و هرچه هنوز نرفته روی کارتش منتظر تصمیم می‌ماند.`,
    lateNotSent: (code, count, by) =>
      html`⚠️ ${one(code)}: دیر معلوم شد ${count} که ${isolateAuto(by)} «ارسال شده» اعلام کرده بود ارسال نشده است. کارت حالا آن را ارسال‌نشده به حساب می‌آورد و از همان‌جا می‌توان دوباره ارسال کرد.`,
    reminder: (code, count) =>
      html`❓ ${one(code)} هنوز منتظر نظر شما دربارهٔ ${count} با نتیجهٔ نامعلوم است. تا کسی تصمیم نگیرد چیزی دوباره فرستاده نمی‌شود.`,
  },
});

interface LateAnswerDeps {
  readonly jobs: Pick<JobControl, 'draftOf'>;
  readonly drafts: Pick<DraftStore, 'card'>;
  readonly notifier: Pick<Notifier, 'tell'>;
}

/** Brings a question up again that nobody has answered; null where there is none any more. */
export function reminderText(
  { draft: { code, lang }, job: { asked } }: Pick<CardView, 'draft'> & { readonly job: JobView },
  format: Format,
): Html | null {
  const t = doubtTexts(lang);
  return asked === 0 ? null : t.reminder(code, format.count(asked, t.messages));
}

/** Says that the answer of a call was heard when a person had decided about it otherwise. */
export function createLateAnswer({ notifier, ...deps }: LateAnswerDeps): (late: LateAnswer) => Promise<void> {
  return async ({ jobId, untrue, recipients, by, again }) => {
    const view = await cardOf(deps, jobId);
    if (view === null) return;
    const { chatId, lang, code } = view.draft;
    const t = doubtTexts(lang);
    const count = createFormat(lang, view.timeZone ?? 'UTC').count(recipients, t.messages);
    const said = {
      said_sent: t.lateNotSent(code, count, by),
      said_not_sent: t.lateSent(code, count, by, again),
      sent_again: t.lateTwice(code, count, by, again ?? ''),
    };
    await notifier.tell(view.place, { chatId, locale: lang, content: said[untrue], buttons: [] });
  };
}

async function cardOf(
  { jobs, drafts }: Omit<LateAnswerDeps, 'notifier'>,
  jobId: string,
): Promise<CardView | null> {
  const draftId = await jobs.draftOf(jobId);
  return draftId === null ? null : await drafts.card(draftId);
}
