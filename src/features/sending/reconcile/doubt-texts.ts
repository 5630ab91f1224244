import { defineTexts } from '../../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../../i18n/format.ts';
import { html, type Html } from '../../../telegram/html.ts';

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
      html`⚠️ ${one(code)}: the gateway’s answer came late. ${count} that ${isolateAuto(by)} had marked as not sent were accepted after all, and count as accepted now.${again === null ? '' : html` Some of these people may get it twice, by ${one(again)}.`}`,
    lateTwice: (code: string, count: string, by: string, again: string): Html =>
      html`⚠️ ${one(code)}: the gateway’s answer came late. ${count} that ${isolateAuto(by)} sent again by ${one(again)} had been accepted the first time. These people get it twice. If ${one(again)} has not been sent yet, stop it.`,
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
      html`⚠️ ${one(code)}: پاسخ پنل پیامک دیر آمد. ${count} که ${isolateAuto(by)} «ارسال نشده» اعلام کرده بود پذیرفته شده بود و حالا پذیرفته به حساب می‌آید.${again === null ? '' : html` شاید بعضی از این افراد با ${one(again)} پیام را دوبار بگیرند.`}`,
    lateTwice: (code, count, by, again) =>
      html`⚠️ ${one(code)}: پاسخ پنل پیامک دیر آمد. ${count} که ${isolateAuto(by)} با ${one(again)} دوباره ارسال کرد، بار اول پذیرفته شده بود. این افراد پیام را دوبار می‌گیرند. اگر ${one(again)} هنوز ارسال نشده، متوقفش کنید.`,
    lateNotSent: (code, count, by) =>
      html`⚠️ ${one(code)}: دیر معلوم شد ${count} که ${isolateAuto(by)} «ارسال شده» اعلام کرده بود ارسال نشده است. کارت حالا آن را ارسال‌نشده به حساب می‌آورد و از همان‌جا می‌توان دوباره ارسال کرد.`,
    reminder: (code, count) =>
      html`❓ ${one(code)} هنوز منتظر نظر شما دربارهٔ ${count} با نتیجهٔ نامعلوم است. تا کسی تصمیم نگیرد چیزی دوباره فرستاده نمی‌شود.`,
  },
});
