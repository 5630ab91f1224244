import { defineTexts } from '../../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../../i18n/format.ts';
import { b, html, type Html } from '../../../telegram/html.ts';

const one = (id: string) => b(isolateLtr(`#${id}`));

/** When a send leaves, how it repeats, and what becomes of one that could not leave. */
export const whenTexts = defineTexts({
  en: {
    when: '🕐 When',
    edit: '✏️ Edit',
    time: '🕐 Time',
    newTime: '🕐 New time',
    sendNow: '✅ Send now',
    cancel: '🗑 Cancel',
    opening: (time: string, day: string | null): string =>
      `🕘 Schedule ${time}${day === null ? '' : ` · ${day}`}`,
    sendAt: (count: string, when: string, repeats: boolean): string =>
      `✅ Send ${count} · ${when}${repeats ? ' 🔁' : ''}`,
    today: (time: string): string => `today ${time}`,
    dayAndTime: (day: string, time: string): string => `${day} ${time}`,
    leaves: (when: string, zone: string, distance: string): Html =>
      html`🕐 Leaves ${when} (${isolateLtr(zone)}) · ${distance}`,
    over: (when: string): Html =>
      html`🕐 It was to leave ${when}. That time is over: give it another one with 🕐 When.`,
    scheduled: (when: string, zone: string): Html => html`🕐 Scheduled for ${b(when)} (${isolateLtr(zone)})`,
    repeats: (rule: string, next: string): Html => html`🔁 Then ${rule}; next ${next}`,
    repeatsLater: (rule: string): Html => html`🔁 Repeats ${rule}`,
    missed: (when: string): Html => html`⚠ It was not sent ${when}.`,
    willMiss: (when: string): Html => html`⚠ It will not leave ${when} by itself.`,
    reasons: {
      late: 'Its turn came more than half an hour late, so it was kept back.',
      window: 'At that time no message may leave this chat.',
      cap: 'It would go over the day’s cap.',
      halted: 'Every send of this chat was switched off then.',
      held: 'The bot’s administrator had stopped the sends of all chats then.',
      restored:
        'The bot’s data went back to an older copy, in which it waits. Since then it may have been changed, taken off the schedule or sent: look at what this chat showed before you answer.',
      not_connected: 'The account that it was confirmed for is no longer linked.',
      role: 'Whoever confirmed the series may not send here any more.',
      approval: 'By now a send of its size needs a second person’s approval.',
      paused: 'It was paused, since the credit would not do for it.',
      book: 'Its phonebook holds other numbers than those that were confirmed.',
      book_empty: 'Its phonebook is empty now, or was deleted.',
    },
    bookNow: (confirmed: string, now: string): Html =>
      html`📒 Confirmed were ${confirmed}; in the book are ${now} now, and it would go to these.`,
    question: html`What should happen?`,
    seriesWaits: html`Those that follow in its series wait for the answer too.`,
    cancelled: (id: string, author: string, by: string | null): Html =>
      html`🗑 ${one(id)} by ${isolateAuto(author)} · taken off the schedule${by === null ? '' : ` by ${isolateAuto(by)}`} · not sent`,
    replaced: (id: string, author: string, by: string): Html =>
      html`✏️ ${one(id)} by ${isolateAuto(author)} · changed: ${one(by)} stands for it`,
    changes: (of: string, when: string | null): Html =>
      when === null
        ? html`✏️ Changes ${one(of)}, which waits for its answer until this is confirmed.`
        : html`✏️ Changes ${one(of)}, which stays scheduled for ${when} until this is confirmed.`,
    lapsed: (id: string): Html => html`⌛ The change ${one(id)} was not confirmed in time.`,
    stays: (of: string, when: string | null): Html =>
      when === null
        ? html`${one(of)} still waits for its answer.`
        : html`${one(of)} stays scheduled for ${when}.`,
    overtaken: (id: string, of: string): Html =>
      html`⚠ ${one(of)} has left as it was: its change ${one(id)} was not confirmed before. Nothing of the change was sent.`,
    changeVoid: (id: string, of: string): Html =>
      html`⚠ ${one(of)} no longer waits, so its change ${one(id)} is void. Nothing of the change was sent; the card of ${one(of)} says what is known.`,
    notification: (id: string): Html => html`What should happen with ${one(id)}?`,
    windowOffer: (when: string): Html => html`It opens next ${when}.`,
    short: html`💰 The credit may not suffice for all of it, so nothing was sent. Top the account up, or press again: what does not fit will be refused.`,
    authorLost: (author: string): Html =>
      html`It would be sent in the name of ${isolateAuto(author)}, who may not send here any more. Nothing was sent; 🗑 Cancel takes it off the schedule.`,
    gone: html`It no longer waits: it was sent, changed or cancelled. Its card says what is known.`,
    notYours: html`Only its author, or somebody who may approve, can do that. Whoever may stop sends can cancel it.`,
    pastTime: html`The time of this draft is over, so nothing was sent. Give it another one with 🕐 When on its card.`,
  },
  fa: {
    when: '🕐 زمان',
    edit: '✏️ ویرایش',
    time: '🕐 تغییر زمان',
    newTime: '🕐 زمان تازه',
    sendNow: '✅ ارسال هم‌اکنون',
    cancel: '🗑 لغو',
    opening: (time, day) => `🕘 زمان‌بندی برای ${day === null ? '' : `${day} `}${time}`,
    sendAt: (count, when, repeats) => `✅ ارسال به ${count} · ${when}${repeats ? ' 🔁' : ''}`,
    today: (time) => `امروز ${time}`,
    dayAndTime: (day, time) => `${day} ${time}`,
    leaves: (when, zone, distance) => html`🕐 زمان رفتن: ${when} (${isolateLtr(zone)}) · ${distance}`,
    over: (when) => html`🕐 قرار بود ${when} برود. این زمان گذشته است: با 🕐 زمان، وقت دیگری بدهید.`,
    scheduled: (when, zone) => html`🕐 زمان‌بندی‌شده برای ${b(when)} (${isolateLtr(zone)})`,
    repeats: (rule, next) => html`🔁 بعد ${rule}؛ بار بعد ${next}`,
    repeatsLater: (rule) => html`🔁 تکرار: ${rule}`,
    missed: (when) => html`⚠ در زمان خود نرفت: ${when}`,
    willMiss: (when) => html`⚠ در زمان خود به‌خودی‌خود نمی‌رود: ${when}`,
    reasons: {
      late: 'نوبتش بیش از نیم ساعت دیر شد و برای همین نگه داشته شد.',
      window: 'در آن ساعت پیامی از این گفتگو نمی‌رود.',
      cap: 'از سقف روزانه می‌گذشت.',
      halted: 'در آن هنگام همهٔ ارسال‌های این گفتگو خاموش بود.',
      held: 'در آن هنگام مدیر ربات ارسال‌های همهٔ گفتگوها را نگه داشته بود.',
      restored:
        'داده‌های ربات به نسخه‌ای قدیمی‌تر برگشت که این ارسال در آن منتظر زمانش است. شاید پس از آن تغییر کرده، لغو شده یا رفته باشد: پیش از پاسخ ببینید این گفتگو چه نشان داده است.',
      not_connected: 'حسابی که برای آن تأیید شده بود دیگر وصل نیست.',
      role: 'کسی که این ارسال‌های پیاپی را تأیید کرد، دیگر این‌جا اجازهٔ ارسال ندارد.',
      approval: 'اکنون ارسالی به این اندازه تأیید نفر دوم می‌خواهد.',
      paused: 'مکث داده شد، چون اعتبار برایش کافی نبود.',
      book: 'در دفترچه‌اش شماره‌هایی جز آنچه تأیید شده بود هست.',
      book_empty: 'دفترچه‌اش اکنون خالی است یا پاک شده است.',
    },
    bookNow: (confirmed, now) =>
      html`📒 ${confirmed} تأیید شده بود؛ اکنون ${now} در دفترچه است و به همین‌ها می‌رود.`,
    question: html`چه شود؟`,
    seriesWaits: html`نوبت‌های بعدی آن هم در انتظار همین پاسخ است.`,
    cancelled: (id, author, by) =>
      html`🗑 ${one(id)} از ${isolateAuto(author)} · ${by === null ? '' : `به دست ${isolateAuto(by)} `}از برنامه برداشته شد · ارسال نشد`,
    replaced: (id, author, by) =>
      html`✏️ ${one(id)} از ${isolateAuto(author)} · تغییر کرد: ${one(by)} جای آن است`,
    changes: (of, when) =>
      when === null
        ? html`✏️ تغییر ${one(of)} است که تا تأیید این کارت در انتظار پاسخ می‌ماند.`
        : html`✏️ تغییر ${one(of)} است که تا تأیید این کارت برای ${when} زمان‌بندی‌شده می‌ماند.`,
    lapsed: (id) => html`⌛ تغییر ${one(id)} به‌موقع تأیید نشد.`,
    stays: (of, when) =>
      when === null
        ? html`${one(of)} همچنان در انتظار پاسخ است.`
        : html`${one(of)} برای ${when} زمان‌بندی‌شده می‌ماند.`,
    overtaken: (id, of) =>
      html`⚠ ${one(of)} همان‌گونه که بود رفت: تغییرش ${one(id)} پیش از آن تأیید نشد. از تغییر چیزی ارسال نشد.`,
    changeVoid: (id, of) =>
      html`⚠ ${one(of)} دیگر در انتظار نیست و تغییرش ${one(id)} باطل شد. از تغییر چیزی ارسال نشد؛ آنچه معلوم است روی کارت ${one(of)} هست.`,
    notification: (id) => html`با ${one(id)} چه شود؟`,
    windowOffer: (when) => html`بار بعد ${when} باز می‌شود.`,
    short: html`💰 شاید اعتبار برای همه‌اش کافی نباشد و برای همین چیزی ارسال نشد. حساب را شارژ کنید یا دوباره بزنید؛ آنچه جا نشود پذیرفته نمی‌شود.`,
    authorLost: (author) =>
      html`به نام ${isolateAuto(author)} می‌رفت که دیگر این‌جا اجازهٔ ارسال ندارد. چیزی ارسال نشد؛ با 🗑 لغو از برنامه برداشته می‌شود.`,
    gone: html`دیگر در انتظار نیست: رفته، تغییر کرده یا لغو شده است. آنچه معلوم است روی کارتش هست.`,
    notYours: html`این کار را فقط نویسنده‌اش یا کسی که اجازهٔ تأیید دارد می‌تواند انجام دهد. هر کسی که اجازهٔ توقف ارسال دارد می‌تواند لغوش کند.`,
    pastTime: html`زمان این پیش‌نویس گذشته است و چیزی ارسال نشد. با 🕐 زمان روی کارتش وقت دیگری بدهید.`,
  },
});
