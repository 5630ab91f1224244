import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, code, html, lines, type Html } from '../../telegram/html.ts';
import { slash } from '../../telegram/slash.ts';

/** The account that a user is registered under; `chat` is empty where it is the private chat's own. */
export interface Manager {
  readonly account: string;
  readonly chat: string;
}

/** The count of a day, as it is shown. */
export interface DayShown {
  readonly used: string;
  readonly most: string;
  /** Empty: none among them is in doubt. */
  readonly unknown: string;
  readonly resetsAt: string;
}

export const texts = defineTexts({
  en: {
    about: 'register a user at the gateway, in private',
    inPrivate: html`🔒 This needs a password and a national code, so it continues in private. The button works once, for you, for 10 minutes.`,
    goPrivate: '➡ Continue in private',
    linkGone: html`This link was used already, has expired, or is for somebody else. Get a new one with /register in the chat.`,
    notAllowed: (chat: string): Html =>
      html`Registering users needs the role <b>admin</b>${chat === '' ? '' : html` in «${isolateAuto(chat)}»`}, and you do not have it now. Nothing was sent to the gateway.`,
    notConnected: (chat: string): Html =>
      html`No gateway account is linked ${chat === '' ? 'here' : html`to «${isolateAuto(chat)}»`} any more.`,
    intro: ({ account, chat }: Manager, day: DayShown): Html =>
      lines(
        html`👤 A new user under ${b(isolateAuto(account))}${chat === '' ? '' : html`, the account of «${isolateAuto(chat)}»`}.`,
        html`Registered through me today: ${day.used} of ${day.most}. Other programs may have registered some too.`,
        day.unknown !== '' &&
          html`${day.unknown} of them had no clear answer, and may not have been registered.`,
        html`/cancel ends this at any time, and what you typed is forgotten.`,
      ),
    dayFull: (day: DayShown): Html =>
      lines(
        html`⛔ The gateway takes ${day.most} new users a day. Registered through me today: ${day.used}.`,
        day.unknown !== '' &&
          html`${day.unknown} of them had no clear answer, and may not have been registered; the gateway’s panel shows it.`,
        html`You can register again from ${day.resetsAt} (Tehran), if no other program uses up that day’s share.`,
      ),
    short: 'Short form',
    natural: 'Natural person',
    legal: 'Legal person',
    skip: '⏭ Skip',
    generate: '🎲 Generate',
    yes: 'Yes',
    no: 'No',
    male: 'Male',
    female: 'Female',
    under: ({ account, chat }: Manager): Html =>
      html`under ${isolateAuto(account)}${chat === '' ? '' : html` · «${isolateAuto(chat)}»`}`,
    typed: html`as you typed it; I do not show it`,
    made: html`generated. Look at it before you register: I show it once, for a minute.`,
    shown: (password: string): Html =>
      html`${code(password)}\nNote it now (a tap copies): in a minute it is hidden for good.`,
    hidden: html`generated and shown; it is not shown again`,
    confirmAsk: html`Register this user? The request is sent once only. The buttons work for 10 minutes.`,
    show: '👁 Show the password',
    confirm: '✅ Register',
    cancel: '✖ Cancel',
    unreachable: html`⚠ The gateway could not be reached, so nothing was sent to it. You can try again.`,
    unsent: html`⚠ Nothing was sent to the gateway.`,
    calling: (name: string): Html => html`⏳ Waiting for the gateway’s answer about ${b(isolateLtr(name))} …`,
    registered: (name: string): Html => html`✅ User ${b(isolateLtr(name))} is registered.`,
    dayNow: (day: DayShown): Html => html`Registered through me today: ${day.used} of ${day.most}.`,
    refused: (name: string, why: string): Html =>
      lines(
        html`❌ ${b(isolateLtr(name))} was not registered. The gateway refused: ${why}`,
        html`What you typed is forgotten. Start again with /register`,
      ),
    refusedBefore: (name: string): Html =>
      html`❌ ${b(isolateLtr(name))} was not registered: the gateway refused. Start again with /register`,
    limit: (name: string, resetsAt: string): Html =>
      lines(
        html`⛔ ${b(isolateLtr(name))} was not registered: the gateway says that the day’s limit is reached. Other programs count as well.`,
        html`You can register again from ${resetsAt} (Tehran). What you typed is forgotten.`,
      ),
    unknown: (name: string): Html =>
      lines(
        html`❓ It is not known whether ${b(isolateLtr(name))} was registered: I asked the gateway once and got no clear answer. I will not repeat it.`,
        html`Look for the user in the gateway’s panel. If the first try did work, registering it again is answered with “name taken”.`,
      ),
    accountGone: html`The account was unlinked or replaced in the meantime. Nothing was sent to the gateway, and what you typed is forgotten.`,
    expired: html`This was not confirmed within 10 minutes. Nothing was sent to the gateway, and what you typed is forgotten. Start again with /register`,
    dropped: html`Cancelled. Nothing was sent to the gateway, and what you typed is forgotten.`,
    announced: (person: string, name: string): Html =>
      html`👤 ${isolateAuto(person)} registered user ${isolateLtr(name)}.`,
  },
  fa: {
    about: 'ثبت کاربر در پنل پیامک، در گفتگوی خصوصی',
    inPrivate: html`🔒 این کار رمز و کد ملی می‌خواهد، پس در گفتگوی خصوصی ادامه پیدا می‌کند. دکمه فقط برای شما، یک بار و تا ۱۰ دقیقه کار می‌کند.`,
    goPrivate: '➡ ادامه در گفتگوی خصوصی',
    linkGone: html`این لینک استفاده شده، مهلتش گذشته یا برای کس دیگری است. در گفتگو با ${slash('fa', 'register')} لینک جدید بگیرید.`,
    notAllowed: (chat) =>
      html`ثبت کاربر${chat === '' ? '' : html` در «${isolateAuto(chat)}»`} نقش <b>مدیر</b> می‌خواهد و شما الان آن را ندارید. چیزی به پنل پیامک فرستاده نشد.`,
    notConnected: (chat) =>
      html`دیگر حسابی از پنل پیامک ${chat === '' ? 'اینجا' : html`به «${isolateAuto(chat)}»`} وصل نیست.`,
    intro: ({ account, chat }, day) =>
      lines(
        html`👤 کاربر جدید زیر حساب ${b(isolateAuto(account))}${chat === '' ? '' : html`، حساب «${isolateAuto(chat)}»`}.`,
        html`امروز از طریق من ثبت شده: ${day.used} از ${day.most}. شاید برنامه‌های دیگر هم ثبت کرده باشند.`,
        day.unknown !== '' && html`پاسخ ${day.unknown} از آن‌ها روشن نبود و شاید ثبت نشده باشد.`,
        html`با ${slash('fa', 'cancel')} هر وقت بخواهید تمامش می‌کنید و آنچه نوشته‌اید فراموش می‌شود.`,
      ),
    dayFull: (day) =>
      lines(
        html`⛔ پنل پیامک روزی ${day.most} کاربر جدید می‌پذیرد. امروز از طریق من ثبت شده: ${day.used}.`,
        day.unknown !== '' &&
          html`پاسخ ${day.unknown} از آن‌ها روشن نبود و شاید ثبت نشده باشد؛ در پنل پیامک معلوم است.`,
        html`از ${day.resetsAt} (به وقت تهران) دوباره می‌توانید ثبت کنید، اگر برنامهٔ دیگری سهم آن روز را مصرف نکند.`,
      ),
    short: 'فرم کوتاه',
    natural: 'شخص حقیقی',
    legal: 'شخص حقوقی',
    skip: '⏭ رد کردن',
    generate: '🎲 ساخت خودکار رمز',
    yes: 'بله',
    no: 'خیر',
    male: 'مرد',
    female: 'زن',
    under: ({ account, chat }) =>
      html`زیر حساب ${isolateAuto(account)}${chat === '' ? '' : html` · «${isolateAuto(chat)}»`}`,
    typed: html`همان که نوشتید؛ نشان داده نمی‌شود`,
    made: html`خودکار ساخته شد. قبل از ثبت آن را ببینید: فقط یک بار و یک دقیقه نشان داده می‌شود.`,
    shown: (password) =>
      html`${code(password)}\nهمین حالا یادداشتش کنید (با لمس کپی می‌شود): تا یک دقیقهٔ دیگر برای همیشه پنهان می‌شود.`,
    hidden: html`خودکار ساخته و یک بار نشان داده شد؛ دیگر نشان داده نمی‌شود`,
    confirmAsk: html`این کاربر ثبت شود؟ درخواست فقط یک بار فرستاده می‌شود. دکمه‌ها ۱۰ دقیقه کار می‌کنند.`,
    show: '👁 نمایش رمز',
    confirm: '✅ ثبت شود',
    cancel: '✖ انصراف',
    unreachable: html`⚠ پنل پیامک در دسترس نبود و چیزی برایش فرستاده نشد. می‌توانید دوباره امتحان کنید.`,
    unsent: html`⚠ چیزی به پنل پیامک فرستاده نشد.`,
    calling: (name) => html`⏳ در انتظار پاسخ پنل پیامک دربارهٔ ${b(isolateLtr(name))} …`,
    registered: (name) => html`✅ کاربر ${b(isolateLtr(name))} ثبت شد.`,
    dayNow: (day) => html`امروز از طریق من ثبت شده: ${day.used} از ${day.most}.`,
    refused: (name, why) =>
      lines(
        html`❌ ${b(isolateLtr(name))} ثبت نشد. پنل پیامک نپذیرفت: ${why}`,
        html`آنچه نوشتید فراموش شد. دوباره با ${slash('fa', 'register')} شروع کنید.`,
      ),
    refusedBefore: (name) =>
      html`❌ ${b(isolateLtr(name))} ثبت نشد: پنل پیامک نپذیرفت. دوباره با ${slash('fa', 'register')} شروع کنید.`,
    limit: (name, resetsAt) =>
      lines(
        html`⛔ ${b(isolateLtr(name))} ثبت نشد: به گفتهٔ پنل پیامک سهم امروز پر است. برنامه‌های دیگر هم حساب می‌شوند.`,
        html`از ${resetsAt} (به وقت تهران) دوباره می‌توانید ثبت کنید. آنچه نوشتید فراموش شد.`,
      ),
    unknown: (name) =>
      lines(
        html`❓ معلوم نیست ${b(isolateLtr(name))} ثبت شده است یا نه: یک بار از پنل پیامک خواستم و پاسخ روشنی نیامد. تکرارش نخواهم کرد.`,
        html`در پنل پیامک دنبالش بگردید. اگر دوباره ثبت کنید و بار اول ثبت شده باشد، پنل پیامک می‌گوید این نام گرفته شده است.`,
      ),
    accountGone: html`در این میان حساب جدا یا عوض شده است. چیزی به پنل پیامک فرستاده نشد و آنچه نوشتید فراموش شد.`,
    expired: html`ظرف ۱۰ دقیقه تأیید نشد. چیزی به پنل پیامک فرستاده نشد و آنچه نوشتید فراموش شد. دوباره با ${slash('fa', 'register')} شروع کنید.`,
    dropped: html`لغو شد. چیزی به پنل پیامک فرستاده نشد و آنچه نوشتید فراموش شد.`,
    announced: (person, name) => html`👤 ${isolateAuto(person)} کاربر ${isolateLtr(name)} را ثبت کرد.`,
  },
});
