import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, code, html, lines, type Html } from '../../telegram/html.ts';

interface RowShown {
  readonly state: Html;
  readonly recipient: Html | null;
  readonly line: string | null;
  readonly when: string | null;
  readonly text: string;
}

export const outboxTexts = defineTexts({
  en: {
    head: (span: string): Html => html`📤 ${b('Sent')} · ${span}`,
    latestHead: html`📤 ${b('The latest sent messages')}`,
    nothing: html`Nothing was sent in this period.`,
    nothingRead: html`Nothing was sent in the days that could be read.`,
    total: (messages: string, numbers: string): Html => html`${messages} to ${numbers}`,
    row: (row: RowShown): Html =>
      lines(
        html`${row.state}${row.recipient === null ? '' : html` · ${row.recipient}`}${row.line === null ? '' : html` · line ${isolateLtr(row.line)}`}${row.when === null ? '' : ` · ${row.when}`}`,
        html`  ${isolateAuto(row.text)}`,
      ),
    left: (kept: string, left: string): Html =>
      html`⚠ Only the newest ${kept} are listed; ${left} older ones are counted. Ask for a shorter period to see them.`,
    unread: (days: string, why: string): Html => html`⚠ Missing here: ${days}. ${why}`,
    gaps: {
      refused: (why: string): string => `The gateway refused: ${why}`,
      no_answer: 'The gateway did not answer.',
      unreadable: 'The gateway answered something I cannot read.',
      not_asked: 'I stopped asking after the gateway did not answer, or refused.',
    },
    tooLong: (most: string, days: string): Html =>
      html`That is ${days}; I read at most ${most} at once, because the gateway gives one day at a time. Ask for a shorter period, such as ${code('7d')} or two dates.`,
    track: (recipient: Html, since: string, count: string): Html =>
      html`🔎 ${b(recipient)} · since ${since} · ${count}`,
    trackNothing: (recipient: Html, since: string): Html =>
      html`Nothing was sent to ${recipient} since ${since}.`,
    trackFull: (day: string): Html =>
      html`⚠ The gateway gives at most 50 at once, so there may be more. Ask for a shorter period, or for a whole day: ${code(day)}`,
    trackSince: { '90d': '🔎 The last 90 days', '24h': '🔎 The last 24 hours' },
  },
  fa: {
    head: (span) => html`📤 ${b('ارسال‌شده‌ها')} · ${span}`,
    latestHead: html`📤 ${b('آخرین پیام‌های ارسال‌شده')}`,
    nothing: html`در این بازه چیزی ارسال نشده است.`,
    nothingRead: html`در روزهایی که خوانده شد چیزی ارسال نشده است.`,
    total: (messages, numbers) => html`${messages} به ${numbers}`,
    row: (row) =>
      lines(
        html`${row.state}${row.recipient === null ? '' : html` · ${row.recipient}`}${row.line === null ? '' : html` · خط ${isolateLtr(row.line)}`}${row.when === null ? '' : ` · ${row.when}`}`,
        html`  ${isolateAuto(row.text)}`,
      ),
    left: (kept, left) =>
      html`⚠ فقط ${kept} پیام آخر در لیست است؛ ${left} پیام قدیمی‌تر فقط شمرده شده. برای دیدنشان بازهٔ کوتاه‌تری بخواهید.`,
    unread: (days, why) => html`⚠ در اینجا نیست: ${days}. ${why}`,
    gaps: {
      refused: (why) => `پنل پیامک نپذیرفت: ${why}`,
      no_answer: 'پنل پیامک پاسخ نداد.',
      unreadable: 'پاسخ پنل پیامک خوانا نبود.',
      not_asked: 'چون پنل پیامک پاسخ نداد یا نپذیرفت، دیگر نپرسیدم.',
    },
    tooLong: (most, days) =>
      html`این ${days} است و یک‌باره بیش از ${most} نمی‌خوانم، چون پنل پیامک هر بار فقط یک روز را می‌دهد. بازهٔ کوتاه‌تری بخواهید، مانند ${code('۷ روز')} یا دو تاریخ.`,
    track: (recipient, since, count) => html`🔎 ${b(recipient)} · از ${since} · ${count}`,
    trackNothing: (recipient, since) => html`از ${since} چیزی به ${recipient} ارسال نشده است.`,
    trackFull: (day) =>
      html`⚠ پنل پیامک هر بار حداکثر ۵۰ پیام می‌دهد و شاید بیشتر باشد. بازهٔ کوتاه‌تری بخواهید، یا همهٔ یک روز را: ${code(day)}`,
    trackSince: { '90d': '🔎 ۹۰ روز گذشته', '24h': '🔎 ۲۴ ساعت گذشته' },
  },
});
