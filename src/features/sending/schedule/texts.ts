import { defineTexts } from '../../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../../i18n/format.ts';
import { b, code, html, lines, type Html } from '../../../telegram/html.ts';

const one = (id: string) => b(isolateLtr(`#${id}`));

export const texts = defineTexts({
  en: {
    about: 'send a message later, once or repeatedly',
    example: '/schedule tomorrow 9:00 09121234567 Hello',
    aboutList: 'the scheduled sends of this chat',
    ask: lines(
      html`When should it be sent?`,
      html`For example ${code('tomorrow 9:00')}, ${code('24 Dec 18:30')}, ${code('1405/10/03 18:30')}, ${code('in 2h')}, or again and again ${code('every day 9:00')}, ${code('every tuesday 10:00')}, ${code('every month 5 9:00')}.`,
    ),
    askDraft: html`When should it be sent? Choose, or type a time such as ${code('tomorrow 9:00')}, ${code('tuesday 10:30')}, ${code('1405/10/03 18:30')} or ${code('every tuesday 10:00')}.`,
    askDaily: html`At what time of each day? As ${code('9:00')}.`,
    askWeekly: html`On which day of each week, and when? As ${code('tuesday 10:00')}.`,
    askMonthly: html`On which day of each month, and when? As ${code('5 9:00')}. A month that is too short sends on its last day.`,
    now: '▶ Now',
    once: '🔂 Only once',
    daily: '🔁 Every day …',
    weekly: '🔁 Every week …',
    monthly: '🔁 Every month …',
    repeats: (rule: string): string => `🔁 ${rule}`,
    changedElsewhere: html`The card has changed since; use its newest buttons.`,
    gone: html`It no longer waits: it was sent, changed or cancelled. Its card says what is known.`,
    notYours: html`Only its author, or somebody who may approve, can change it. Whoever may stop sends can cancel it.`,
    change: (id: string, of: string, when: string | null, author: string | null): Html =>
      html`✏️ ${one(id)} changes ${one(of)}. ${when === null ? 'That one still waits for its answer' : html`That one stays scheduled for ${when}`} until ${author === null ? 'the change is confirmed' : html`${isolateAuto(author)} confirms the change`}.`,
    changing: (id: string): Html => html`✏️ A change waits to be confirmed: ${one(id)}`,
    askEnd: (id: string, rule: string): Html => html`${one(id)} repeats ${rule}. What should end?`,
    endOne: '🗑 This one only',
    endSeries: '🗑 The whole series',
    keep: '↩️ Keep it',
    kept: (id: string): Html => html`${one(id)} stays as it is.`,
    ended: (id: string, series: boolean): Html =>
      series ? html`🗑 ${one(id)} was cancelled, and it will not repeat.` : html`🗑 ${one(id)} was cancelled.`,
    none: html`Nothing is scheduled here. ${code('/schedule')} sends a message later.`,
    head: (count: string): Html => html`🕐 ${b(count)}`,
    sends: { one: 'scheduled send', other: 'scheduled sends' },
    messages: { one: 'message', other: 'messages' },
    row: (when: string, id: string, messages: string, author: string): Html =>
      html`${b(when)} · ${one(id)} · ${messages} · ${isolateAuto(author)}`,
    missedRow: (when: string, id: string, messages: string, author: string): Html =>
      html`⚠ ${b(when)} · not sent · ${one(id)} · ${messages} · ${isolateAuto(author)}`,
    price: (rial: string): string => `≈ ${rial}`,
    show: (id: string): string => `#${id}`,
    edit: (id: string): string => `✏️ ${id}`,
    time: (id: string): string => `🕐 ${id}`,
    cancel: (id: string): string => `🗑 ${id}`,
    sendNow: (id: string): string => `✅ Send now ${id}`,
  },
  fa: {
    about: 'ارسال پیام در زمانی دیگر، یک بار یا تکراری',
    example: '/schedule فردا ۹:۰۰ 09121234567 سلام',
    aboutList: 'ارسال‌های زمان‌بندی‌شدهٔ این گفتگو',
    ask: lines(
      html`کی ارسال شود؟`,
      html`مثلاً ${code('فردا ۹ صبح')}، ${code('۳ دی ساعت ۱۸:۳۰')}، ${code('1405/10/03 18:30')}، ${code('۲ ساعت دیگر')}، یا پیاپی ${code('هر روز ۹')}، ${code('هر سه‌شنبه ۱۰')}، ${code('هر ماه ۵ ام ساعت ۹')}`,
    ),
    askDraft: html`کی ارسال شود؟ یکی را انتخاب کنید یا زمانی بنویسید، مانند ${code('فردا ۹ صبح')}، ${code('سه‌شنبه ۱۰:۳۰')}، ${code('1405/10/03 18:30')} یا ${code('هر سه‌شنبه ۱۰')}`,
    askDaily: html`هر روز چه ساعتی؟ مانند ${code('۹ صبح')}`,
    askWeekly: html`کدام روز هفته و چه ساعتی؟ مانند ${code('سه‌شنبه ۱۰')}`,
    askMonthly: html`کدام روز ماه شمسی و چه ساعتی؟ مانند ${code('۵ ساعت ۹')}. در ماهی که کوتاه‌تر باشد، روز پایانی آن می‌رود.`,
    now: '▶ الان',
    once: '🔂 فقط یک بار',
    daily: '🔁 هر روز …',
    weekly: '🔁 هر هفته …',
    monthly: '🔁 هر ماه …',
    repeats: (rule) => `🔁 ${rule}`,
    changedElsewhere: html`کارت از آن وقت تغییر کرده است؛ دکمه‌های جدیدش را بزنید.`,
    gone: html`دیگر در انتظار نیست: ارسال شده، تغییر کرده یا لغو شده است. آنچه معلوم است روی کارتش هست.`,
    notYours: html`فقط نویسنده‌اش یا کسی که اجازهٔ تأیید دارد می‌تواند تغییرش دهد. هر کسی که اجازهٔ توقف ارسال دارد می‌تواند لغوش کند.`,
    change: (id, of, when, author) =>
      html`✏️ ${one(id)} تغییر ${one(of)} است. تا ${author === null ? 'تغییر' : html`${isolateAuto(author)} تغییر را`} تأیید ${author === null ? 'نشود' : 'نکند'}، ${when === null ? html`${one(of)} در انتظار پاسخ می‌ماند` : html`${one(of)} سر زمان خودش، ${when}، ارسال می‌شود`}.`,
    changing: (id) => html`✏️ تغییری در انتظار تأیید است: ${one(id)}`,
    askEnd: (id, rule) => html`${one(id)} تکرار می‌شود: ${rule}. کدام لغو شود؟`,
    endOne: '🗑 فقط همین یکی',
    endSeries: '🗑 همهٔ تکرارها',
    keep: '↩️ بماند',
    kept: (id) => html`${one(id)} همان‌طور می‌ماند.`,
    ended: (id, series) =>
      series ? html`🗑 ${one(id)} لغو شد و دیگر تکرار نمی‌شود.` : html`🗑 ${one(id)} لغو شد.`,
    none: html`اینجا چیزی زمان‌بندی نشده است. با ${code('/schedule')} می‌توانید پیامی را دیرتر ارسال کنید.`,
    head: (count) => html`🕐 ${b(count)}`,
    sends: { one: 'ارسال زمان‌بندی‌شده', other: 'ارسال زمان‌بندی‌شده' },
    messages: { one: 'پیام', other: 'پیام' },
    row: (when, id, messages, author) => html`${b(when)} · ${one(id)} · ${messages} · ${isolateAuto(author)}`,
    missedRow: (when, id, messages, author) =>
      html`⚠ ${b(when)} · ارسال نشد · ${one(id)} · ${messages} · ${isolateAuto(author)}`,
    price: (rial) => `≈ ${rial}`,
    show: (id) => `#${id}`,
    edit: (id) => `✏️ ${id}`,
    time: (id) => `🕐 ${id}`,
    cancel: (id) => `🗑 ${id}`,
    sendNow: (id) => `✅ ارسال همین حالا ${isolateLtr(id)}`,
  },
});
