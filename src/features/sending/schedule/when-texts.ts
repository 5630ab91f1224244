import { defineTexts } from '../../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../../i18n/format.ts';
import { b, code, html, type Html } from '../../../telegram/html.ts';

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
      html`🕐 To be sent ${when} (${isolateLtr(zone)}) · ${distance}`,
    over: (when: string): Html =>
      html`🕐 It was to be sent ${when}. That time is over: choose another one with 🕐 When.`,
    scheduled: (when: string, zone: string): Html => html`🕐 Scheduled for ${b(when)} (${isolateLtr(zone)})`,
    repeats: (rule: string, next: string): Html => html`🔁 Then ${rule}; next ${next}`,
    repeatsLater: (rule: string): Html => html`🔁 Repeats ${rule}`,
    missed: (when: string): Html => html`⚠ It was not sent at its time: ${when}`,
    willMiss: (when: string): Html => html`⚠ It will not be sent by itself at its time: ${when}`,
    reasons: {
      late: 'Its turn came more than half an hour late, so it was held back.',
      window: 'That time is outside the chat’s sending hours.',
      line_window: 'That time is outside the hours of its line.',
      cap: 'It would go over the day’s cap.',
      halted: 'All sends of this chat were switched off then.',
      held: 'The bot’s administrator had stopped the sends of all chats then.',
      restored:
        'The bot’s data was restored from a backup in which it waits. Since then it may have been changed, cancelled or sent: look at what this chat showed before you answer.',
      not_connected: 'The account that it was confirmed for is no longer linked.',
      role: 'It is sent in the name of somebody who may not send here any more.',
      approval: 'By now a send of its size needs a second person’s approval.',
      words:
        'By now it says something that this chat does not send from its line without a second person’s approval.',
      paused: 'It was paused for lack of credit.',
      book: 'The numbers in its phonebook are no longer those that were confirmed.',
      book_empty: 'Its phonebook is empty now, or was deleted.',
      answered:
        'The gateway’s answer came late: some of these people had been sent to the first time, and would get it twice.',
    },
    seeDates: html`🎂 See in ${code('/dates')} whether it is still to be sent by date.`,
    bookNow: (confirmed: string, now: string): Html =>
      html`📒 Confirmed: ${confirmed}. In the phonebook now: ${now}, and it would go to these.`,
    question: html`What should happen?`,
    seriesWaits: html`The rest of its series waits for this answer too.`,
    seriesOver: html`🔁 The rest of its series will not be sent either.`,
    cancelled: (id: string, author: string, by: string | null): Html =>
      html`🗑 ${one(id)} by ${isolateAuto(author)} · cancelled${by === null ? '' : ` by ${isolateAuto(by)}`} · not sent`,
    replaced: (id: string, author: string, by: string): Html =>
      html`✏️ ${one(id)} by ${isolateAuto(author)} · changed: ${one(by)} takes its place`,
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
      html`⚠ ${one(of)} started without the change: ${one(id)} was not confirmed in time, and nothing of it was sent.`,
    changeVoid: (id: string, of: string): Html =>
      html`⚠ ${one(of)} no longer waits, so its change ${one(id)} is void. Nothing of the change was sent; the card of ${one(of)} says what is known.`,
    notification: (id: string): Html => html`What should happen with ${one(id)}?`,
    windowOffer: (when: string): Html => html`Sending is possible again ${when}.`,
    short: html`💰 The credit may not cover all of it, so nothing was sent. Top the account up, or press again: what it does not cover will be refused.`,
    authorLost: (author: string): Html =>
      html`It would be sent in the name of ${isolateAuto(author)}, who may not send here any more. Nothing was sent; 🗑 Cancel ends it.`,
    gone: html`It no longer waits: it was sent, changed or cancelled. Its card says what is known.`,
    notYours: html`Only its author, or somebody who may approve, can do that. Whoever may stop sends can cancel it.`,
    pastTime: html`The time of this draft is over, so nothing was sent. Give it another one with 🕐 When on its card.`,
  },
  fa: {
    when: '🕐 زمان',
    edit: '✏️ ویرایش',
    time: '🕐 تغییر زمان',
    newTime: '🕐 زمان جدید',
    sendNow: '✅ ارسال همین حالا',
    cancel: '🗑 لغو',
    opening: (time, day) => `🕘 زمان‌بندی برای ${day === null ? '' : `${day} `}${time}`,
    sendAt: (count, when, repeats) => `✅ ارسال به ${count} · ${when}${repeats ? ' 🔁' : ''}`,
    today: (time) => `امروز ${time}`,
    dayAndTime: (day, time) => `${day} ${time}`,
    leaves: (when, zone, distance) => html`🕐 زمان ارسال: ${when} (${isolateLtr(zone)}) · ${distance}`,
    over: (when) => html`🕐 قرار بود ${when} ارسال شود. این زمان گذشته است: با 🕐 زمان، وقت دیگری بدهید.`,
    scheduled: (when, zone) => html`🕐 زمان‌بندی‌شده برای ${b(when)} (${isolateLtr(zone)})`,
    repeats: (rule, next) => html`🔁 بعد ${rule}؛ بار بعد ${next}`,
    repeatsLater: (rule) => html`🔁 تکرار: ${rule}`,
    missed: (when) => html`⚠ سر وقتش ارسال نشد: ${when}`,
    willMiss: (when) => html`⚠ سر وقتش خودبه‌خود ارسال نمی‌شود: ${when}`,
    reasons: {
      late: 'نوبتش بیش از نیم ساعت دیر شد و برای همین نگه داشته شد.',
      window: 'آن زمان خارج از ساعت‌های ارسال این گفتگوست.',
      line_window: 'آن زمان خارج از ساعت‌های خطش است.',
      cap: 'از سقف روزانه می‌گذشت.',
      halted: 'آن موقع همهٔ ارسال‌های این گفتگو خاموش بود.',
      held: 'آن موقع مدیر ربات ارسال‌های همهٔ گفتگوها را متوقف کرده بود.',
      restored:
        'داده‌های ربات از نسخهٔ پشتیبانی برگشت که این ارسال در آن منتظر زمانش است. شاید بعد از آن تغییر کرده، لغو یا ارسال شده باشد: قبل از پاسخ ببینید این گفتگو چه نشان داده است.',
      not_connected: 'حسابی که برای آن تأیید شده بود دیگر وصل نیست.',
      role: 'به نام کسی ارسال می‌شود که دیگر اینجا اجازهٔ ارسال ندارد.',
      approval: 'الان ارسالی به این اندازه تأیید نفر دوم می‌خواهد.',
      words: 'الان چیزی در متنش هست که این گفتگو بدون تأیید نفر دوم از این خط نمی‌فرستد.',
      paused: 'به خاطر کمبود اعتبار روی مکث رفت.',
      book: 'شماره‌های دفترچه‌اش با آنچه تأیید شده بود فرق کرده است.',
      book_empty: 'دفترچه‌اش الان خالی است یا پاک شده است.',
      answered:
        'پاسخ پنل پیامک دیر آمد: بار اول برای بعضی از این افراد ارسال شده بود و پیام را دوبار می‌گیرند.',
    },
    seeDates: html`🎂 در ${code('/dates')} ببینید این ارسال مناسبتی هنوز باید انجام شود یا نه.`,
    bookNow: (confirmed, now) =>
      html`📒 تأییدشده: ${confirmed}. الان در دفترچه: ${now} و به همین‌ها ارسال می‌شود.`,
    question: html`چه کار شود؟`,
    seriesWaits: html`نوبت‌های بعدی آن هم در انتظار همین پاسخ است.`,
    seriesOver: html`🔁 نوبت‌های بعدی آن هم ارسال نمی‌شود.`,
    cancelled: (id, author, by) =>
      html`🗑 ${one(id)} از ${isolateAuto(author)} · ${by === null ? '' : `توسط ${isolateAuto(by)} `}لغو شد · ارسال نشد`,
    replaced: (id, author, by) =>
      html`✏️ ${one(id)} از ${isolateAuto(author)} · تغییر کرد: ${one(by)} جای آن را گرفت`,
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
      html`⚠ ${one(of)} بدون تغییر شروع شد: ${one(id)} به‌موقع تأیید نشد و چیزی از آن ارسال نشد.`,
    changeVoid: (id, of) =>
      html`⚠ ${one(of)} دیگر در انتظار نیست و تغییرش ${one(id)} باطل شد. از تغییر چیزی ارسال نشد؛ آنچه معلوم است روی کارت ${one(of)} هست.`,
    notification: (id) => html`با ${one(id)} چه کار شود؟`,
    windowOffer: (when) => html`از ${when} دوباره می‌شود ارسال کرد.`,
    short: html`💰 شاید اعتبار برای همه‌اش کافی نباشد و برای همین چیزی ارسال نشد. حساب را شارژ کنید یا دوباره بزنید؛ بقیه را پنل پیامک نمی‌پذیرد.`,
    authorLost: (author) =>
      html`به نام ${isolateAuto(author)} ارسال می‌شد که دیگر اینجا اجازهٔ ارسال ندارد. چیزی ارسال نشد؛ با 🗑 لغو تمام می‌شود.`,
    gone: html`دیگر در انتظار نیست: ارسال شده، تغییر کرده یا لغو شده است. آنچه معلوم است روی کارتش هست.`,
    notYours: html`این کار را فقط نویسنده‌اش یا کسی که اجازهٔ تأیید دارد می‌تواند انجام دهد. هر کسی که اجازهٔ توقف ارسال دارد می‌تواند لغوش کند.`,
    pastTime: html`زمان این پیش‌نویس گذشته است و چیزی ارسال نشد. با 🕐 زمان روی کارتش وقت دیگری بدهید.`,
  },
});
