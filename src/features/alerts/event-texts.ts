import type { StopReason } from '../../domain/job.ts';
import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, html, type Html } from '../../telegram/html.ts';

const card = (id: string): Html => b(isolateLtr(`#${id}`));

/** What is told once: ends of sends, digests, received messages in a few words. */
export const eventTexts = defineTexts({
  en: {
    ended: (id: string, numbers: string): Html => html`🏁 ${card(id)} has ended · ${numbers}`,
    stopped: (id: string, why: string, numbers: string): Html =>
      html`⏹ ${card(id)} stopped before its end: ${why} · ${numbers}`,
    asks: (id: string, count: string): Html =>
      html`❔ ${card(id)} needs a decision: ${count} may have been sent. Decide on its card.`,
    missed: (id: string): Html =>
      html`⚠ ${card(id)} was not sent at its time and needs a decision. Its card says why: decide there.`,
    failures: (id: string, failed: string, all: string, share: string): Html =>
      html`📉 ${card(id)}: ${failed} of ${all} not delivered (${share}).`,
    failuresMost: (name: string, here: string, elsewhere: string): Html =>
      html`📶 ${name}: ${here} not delivered, against ${elsewhere} elsewhere.`,
    messages: { one: 'message', other: 'messages' },
    nobody: 'nothing was sent',
    reasons: {
      credit: 'not enough credit',
      account: 'the gateway refuses the account',
      person: 'somebody stopped it',
      halted: 'all sends are switched off',
      held: 'the bot’s administrator has stopped all sends',
      restored: 'it was already stopped in the backup that the bot’s data was restored from',
      earlier_unknown: 'an earlier, equal message has an unknown outcome',
      not_connected: 'the account is not linked any more',
      unreachable: 'the gateway cannot be reached',
      other: 'its card says why',
    } satisfies Readonly<Record<StopReason | 'other', string>>,
    digestHead: (span: string, from: string, to: string): Html => html`📅 ${b(span)} · ${from} – ${to}`,
    day: 'Daily digest',
    week: 'Weekly digest',
    digestSent: (numbers: string): Html => html`✉️ ${numbers}`,
    digestNoneSent: html`✉️ Nothing was sent`,
    digestNothing: html`✉️ Nothing was sent or received`,
    digestReceived: (received: string): Html => html`📩 Received ${received}`,
    digestAnswered: (answered: string): Html => html`↩️ Answered ${answered} of them`,
    digestWaits: (median: string, most: string): Html =>
      html`⏱ First answer, nights included: half within ${median}, 90% within ${most}`,
    digestBy: (people: string, others: string | null): Html =>
      html`🙋 Answers by ${people}${others === null ? '' : ` · others ${others}`}`,
    digestCredit: (credit: string): Html => html`💰 Credit ${credit}`,
    digestScheduled: (count: string): Html => html`🕐 Scheduled: ${count}`,
    digestQuestions: (count: string): Html => html`❔ Waiting for a decision: ${count}`,
    backlog: (count: string): Html =>
      html`📥 The inbox already held ${b(count)}: see /inbox. New ones are shown here from now on.`,
    foldHead: (count: string): Html => html`📥 Another ${b(count)}`,
    foldLine: (line: string, count: string): Html => html`· to ${isolateLtr(line)}: ${count}`,
    foldOne: (number: Html, text: string): Html => html`${number} «${isolateAuto(text)}»`,
    foldRest: (count: string): Html => html`… and ${count} more; the file has all of them.`,
    file: '⬇ All as a file',
    fileName: 'messages.csv',
    fileColumns: ['id', 'time', 'line', 'number', 'name', 'text'],
    noFile: html`These messages are not stored any more.`,
    nothing: html`🔕 Nothing to report.`,
  },
  fa: {
    ended: (id, numbers) => html`🏁 ${card(id)} به پایان رسید · ${numbers}`,
    stopped: (id, why, numbers) => html`⏹ ${card(id)} قبل از پایان متوقف شد: ${why} · ${numbers}`,
    asks: (id, count) =>
      html`❔ ${card(id)} تصمیم می‌خواهد: معلوم نشد ${count} ارسال شده است یا نه. روی کارتش تصمیم بگیرید.`,
    missed: (id) =>
      html`⚠ ${card(id)} سر وقتش ارسال نشد و تصمیم می‌خواهد. دلیلش روی کارت است؛ همان‌جا تصمیم بگیرید.`,
    failures: (id, failed, all, share) => html`📉 ${card(id)}: ${failed} از ${all} تحویل نشد (${share}).`,
    failuresMost: (name, here, elsewhere) => html`📶 ${name}: ${here} تحویل نشد، در برابر ${elsewhere} بقیه.`,
    messages: { one: 'پیام', other: 'پیام' },
    nobody: 'چیزی ارسال نشد',
    reasons: {
      credit: 'اعتبار کافی نیست',
      account: 'پنل پیامک حساب را نمی‌پذیرد',
      person: 'یک نفر متوقفش کرد',
      halted: 'همهٔ ارسال‌ها خاموش است',
      held: 'مدیر ربات همهٔ ارسال‌ها را متوقف کرده است',
      restored: 'در نسخهٔ پشتیبانی که داده‌های ربات از آن برگشت، متوقف بود',
      earlier_unknown: 'نتیجهٔ پیام یکسان قبلی نامعلوم است',
      not_connected: 'حساب دیگر وصل نیست',
      unreachable: 'پنل پیامک در دسترس نیست',
      other: 'دلیلش روی کارت است',
    },
    digestHead: (span, from, to) => html`📅 ${b(span)} · ${from} تا ${to}`,
    day: 'خلاصهٔ روز',
    week: 'خلاصهٔ هفته',
    digestSent: (numbers) => html`✉️ ${numbers}`,
    digestNoneSent: html`✉️ چیزی ارسال نشد`,
    digestNothing: html`✉️ چیزی ارسال یا دریافت نشد`,
    digestReceived: (received) => html`📩 دریافت ${received}`,
    digestAnswered: (answered) => html`↩️ ${answered} تا از آن‌ها پاسخ گرفت`,
    digestWaits: (median, most) => html`⏱ تا اولین پاسخ، با احتساب شب‌ها: نیمی در ${median}، ۹۰٪ در ${most}`,
    digestBy: (people, others) => html`🙋 پاسخ‌ها: ${people}${others === null ? '' : ` · بقیه ${others}`}`,
    digestCredit: (credit) => html`💰 اعتبار ${credit}`,
    digestScheduled: (count) => html`🕐 زمان‌بندی‌شده: ${count}`,
    digestQuestions: (count) => html`❔ در انتظار تصمیم: ${count}`,
    backlog: (count) =>
      html`📥 ${b(count)} از قبل در صندوق بود: /inbox نشانشان می‌دهد. پیام‌های جدید از این به بعد اینجا گفته می‌شود.`,
    foldHead: (count) => html`📥 ${b(count)} دیگر`,
    foldLine: (line, count) => html`· به ${isolateLtr(line)}: ${count}`,
    foldOne: (number, text) => html`از ${number}: «${isolateAuto(text)}»`,
    foldRest: (count) => html`… و ${count} پیام دیگر؛ همه در فایل است.`,
    file: '⬇ همه در یک فایل',
    fileName: 'messages.csv',
    fileColumns: ['شناسه', 'زمان', 'خط', 'شماره', 'نام', 'متن'],
    noFile: html`این پیام‌ها دیگر نگه داشته نشده است.`,
    nothing: html`🔕 خبر تازه‌ای نیست.`,
  },
});
