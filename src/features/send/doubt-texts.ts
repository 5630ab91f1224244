import { defineTexts } from '../../i18n/define.ts';
import { isolateLtr } from '../../i18n/format.ts';
import { html, type Html } from '../../telegram/html.ts';

const one = (code: string): string => isolateLtr(code);

/** What is said about messages whose outcome neither the answer nor the gateway's lists have told. */
export const doubtTexts = defineTexts({
  en: {
    undecided: (count: string, calls: string): Html =>
      html`❓ For ${count} (${calls}) the gateway's lists give no answer. Sending them again could reach people twice. What do you know?`,
    absent: (count: string, calls: string): Html =>
      html`❓ ${count} (${calls}) are not in the gateway's lists, and these are complete. Most likely they never went out; I send nothing again without your word.`,
    calls: { one: 'call', other: 'calls' },
    found: (count: string): Html => html`Found in the lists, of the same calls: ${count}.`,
    looked: (times: string, at: string): Html => html`Looked ${times}, last at ${at}.`,
    times: { one: 'time', other: 'times' },
    again: (count: string): string => `🔁 Send ${count} again`,
    wereSent: '✔ They were sent',
    wereNotSent: '✖ They were not sent',
    look: '🔎 Look again',
    file: (count: string): string => `⬇ The ${count} as a file`,
    columns: ['number', 'text'],
    reminder: (code: string, count: string): Html =>
      html`❓ ${one(code)} still waits for your word about ${count} messages whose outcome is unknown. Nothing is sent again until somebody decides.`,
  },
  fa: {
    undecided: (count, calls) =>
      html`❓ فهرست‌های درگاه دربارهٔ ${count} تا (${calls}) پاسخی نمی‌دهند. ارسال دوباره شاید دوبار به کسی برسد. شما چه می‌دانید؟`,
    absent: (count, calls) =>
      html`❓ ${count} تا (${calls}) در فهرست‌های درگاه نیست و این فهرست‌ها کامل‌اند. به احتمال زیاد نرفته‌اند؛ بی‌اجازهٔ شما چیزی دوباره فرستاده نمی‌شود.`,
    calls: { one: 'درخواست', other: 'درخواست' },
    found: (count) => html`از همین درخواست‌ها در فهرست‌ها پیدا شد: ${count}.`,
    looked: (times, at) => html`${times} جست‌وجو شد، آخرین بار ${at}.`,
    times: { one: 'بار', other: 'بار' },
    again: (count) => `🔁 ارسال دوبارهٔ ${count}`,
    wereSent: '✔ رفته‌اند',
    wereNotSent: '✖ نرفته‌اند',
    look: '🔎 جست‌وجوی دوباره',
    file: (count) => `⬇ فایل این ${count} تا`,
    columns: ['شماره', 'متن'],
    reminder: (code, count) =>
      html`❓ ${one(code)} هنوز منتظر نظر شما دربارهٔ ${count} پیام با نتیجهٔ نامعلوم است. تا کسی تصمیم نگیرد چیزی دوباره فرستاده نمی‌شود.`,
  },
});
