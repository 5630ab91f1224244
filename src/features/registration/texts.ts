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
    inPrivate: html`🔒 This needs a password and a national code, so it goes on in private. The button works once, for you, for 10 minutes.`,
    goPrivate: '➡ Go on in private',
    linkGone: html`This link was used already, has expired, or is for somebody else. Get a new one with /register in the chat.`,
    notAllowed: (chat: string): Html =>
      html`Registering users needs the role <b>admin</b>${chat === '' ? '' : html` in «${isolateAuto(chat)}»`}, and you do not have it now. Nothing was asked of the gateway.`,
    notConnected: (chat: string): Html =>
      html`No gateway account is linked ${chat === '' ? 'here' : html`to «${isolateAuto(chat)}»`} any more.`,
    intro: ({ account, chat }: Manager, day: DayShown): Html =>
      lines(
        html`👤 A new user under ${b(isolateAuto(account))}${chat === '' ? '' : html`, the account of «${isolateAuto(chat)}»`}.`,
        html`Today ${day.used} of ${day.most} are used, as far as I know: other programs may have registered some too.`,
        day.unknown !== '' &&
          html`${day.unknown} of them had no clear answer, and may not have been registered.`,
        html`/cancel leaves at any time, and what you typed is forgotten.`,
      ),
    dayFull: (day: DayShown): Html =>
      lines(
        html`⛔ The gateway takes ${day.most} new users a day, and ${day.used} were registered through me today.`,
        day.unknown !== '' &&
          html`${day.unknown} of them had no clear answer, and may not have been registered; the gateway’s panel shows it.`,
        html`It is possible again from ${day.resetsAt} (Tehran), if no other program uses the day up.`,
      ),
    short: 'Short form',
    natural: 'Natural person',
    legal: 'Legal person',
    skip: '⏭ Skip',
    generate: '🎲 Make one up',
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
    confirmAsk: html`Register this user? It is one call, made once. The buttons work for 10 minutes.`,
    show: '👁 Show the password',
    confirm: '✅ Register',
    cancel: '✖ Cancel',
    unreachable: html`⚠ The gateway could not be reached, so nothing was sent to it. You can try again.`,
    unsent: html`⚠ Nothing was asked of the gateway.`,
    calling: (name: string): Html => html`⏳ Asking the gateway to register ${b(isolateLtr(name))} …`,
    registered: (name: string): Html => html`✅ User ${b(isolateLtr(name))} is registered.`,
    dayNow: (day: DayShown): Html => html`Today ${day.used} of ${day.most} are used, as far as I know.`,
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
        html`It is possible again from ${resetsAt} (Tehran). What you typed is forgotten.`,
      ),
    unknown: (name: string): Html =>
      lines(
        html`❓ It is not known whether ${b(isolateLtr(name))} was registered: I asked the gateway once and got no clear answer. I do not repeat it.`,
        html`Look for the user in the gateway’s panel. If you register it again and the first time had worked, the gateway says that the name is taken.`,
      ),
    accountGone: html`The account was unlinked or replaced in the meantime. Nothing was asked of the gateway, and what you typed is forgotten.`,
    expired: html`This was not confirmed within 10 minutes. Nothing was asked of the gateway, and what you typed is forgotten. Start again with /register`,
    dropped: html`Left. Nothing was asked of the gateway, and what you typed is forgotten.`,
    announced: (person: string, name: string): Html =>
      html`👤 ${isolateAuto(person)} registered user ${isolateLtr(name)}.`,
  },
  fa: {
    about: 'ثبت کاربر در پنل پیامک، در گفتگوی خصوصی',
    inPrivate: html`🔒 این کار رمز و کد ملی می‌خواهد، پس در گفتگوی خصوصی ادامه می‌یابد. دکمه یک بار، برای شما، تا ۱۰ دقیقه کار می‌کند.`,
    goPrivate: '➡ ادامه در گفتگوی خصوصی',
    linkGone: html`این پیوند به کار رفته، مهلتش گذشته یا برای کس دیگری است. در گفتگو با ${slash('fa', 'register')} پیوند تازه بگیرید.`,
    notAllowed: (chat) =>
      html`ثبت کاربر نقش <b>مدیر</b> می‌خواهد${chat === '' ? '' : html` در «${isolateAuto(chat)}»`} و شما اکنون آن را ندارید. چیزی از پنل پیامک خواسته نشد.`,
    notConnected: (chat) =>
      html`دیگر حسابی از پنل پیامک ${chat === '' ? 'این‌جا' : html`به «${isolateAuto(chat)}»`} وصل نیست.`,
    intro: ({ account, chat }, day) =>
      lines(
        html`👤 کاربر تازه زیر حساب ${b(isolateAuto(account))}${chat === '' ? '' : html`، حساب «${isolateAuto(chat)}»`}.`,
        html`تا جایی که می‌دانم امروز ${day.used} از ${day.most} به کار رفته است؛ شاید برنامه‌های دیگر هم ثبت کرده باشند.`,
        day.unknown !== '' && html`پاسخ ${day.unknown} از آن‌ها روشن نبود و شاید ثبت نشده باشد.`,
        html`با ${slash('fa', 'cancel')} هر وقت بخواهید بیرون می‌آیید و آنچه نوشته‌اید فراموش می‌شود.`,
      ),
    dayFull: (day) =>
      lines(
        html`⛔ پنل پیامک روزی ${day.most} کاربر تازه می‌پذیرد و امروز ${day.used} کاربر از راه من ثبت شده است.`,
        day.unknown !== '' &&
          html`پاسخ ${day.unknown} از آن‌ها روشن نبود و شاید ثبت نشده باشد؛ در پنل پیامک پیداست.`,
        html`از ${day.resetsAt} (به وقت تهران) دوباره می‌شود، اگر برنامهٔ دیگری سهم روز را به کار نبرد.`,
      ),
    short: 'فرم کوتاه',
    natural: 'شخص حقیقی',
    legal: 'شخص حقوقی',
    skip: '⏭ رد شو',
    generate: '🎲 ساخت خودکار رمز',
    yes: 'بله',
    no: 'خیر',
    male: 'مرد',
    female: 'زن',
    under: ({ account, chat }) =>
      html`زیر حساب ${isolateAuto(account)}${chat === '' ? '' : html` · «${isolateAuto(chat)}»`}`,
    typed: html`همان که نوشتید؛ نشانش نمی‌دهم`,
    made: html`من ساخته‌ام. پیش از ثبت ببینیدش: یک بار و یک دقیقه نشان داده می‌شود.`,
    shown: (password) =>
      html`${code(password)}\nهمین حالا یادداشتش کنید (با لمس کپی می‌شود): تا یک دقیقهٔ دیگر برای همیشه پنهان می‌شود.`,
    hidden: html`من ساخته‌ام و نشان داده شد؛ دیگر نشان داده نمی‌شود`,
    confirmAsk: html`این کاربر ثبت شود؟ یک درخواست است و یک بار فرستاده می‌شود. دکمه‌ها ۱۰ دقیقه کار می‌کنند.`,
    show: '👁 نمایش رمز',
    confirm: '✅ ثبت شود',
    cancel: '✖ انصراف',
    unreachable: html`⚠ به پنل پیامک وصل نشدم و چیزی برایش نرفت. می‌توانید دوباره امتحان کنید.`,
    unsent: html`⚠ چیزی از پنل پیامک خواسته نشد.`,
    calling: (name) => html`⏳ در حال درخواست ثبت ${b(isolateLtr(name))} از پنل پیامک …`,
    registered: (name) => html`✅ کاربر ${b(isolateLtr(name))} ثبت شد.`,
    dayNow: (day) => html`تا جایی که می‌دانم امروز ${day.used} از ${day.most} به کار رفته است.`,
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
        html`از ${resetsAt} (به وقت تهران) دوباره می‌شود. آنچه نوشتید فراموش شد.`,
      ),
    unknown: (name) =>
      lines(
        html`❓ معلوم نیست ${b(isolateLtr(name))} ثبت شده است یا نه: یک بار از پنل پیامک خواستم و پاسخ روشنی نیامد. تکرارش نمی‌کنم.`,
        html`در پنل پیامک دنبالش بگردید. اگر دوباره ثبت کنید و بار اول ثبت شده باشد، پنل پیامک می‌گوید این نام گرفته شده است.`,
      ),
    accountGone: html`در این میان حساب جدا یا عوض شده است. چیزی از پنل پیامک خواسته نشد و آنچه نوشتید فراموش شد.`,
    expired: html`ظرف ۱۰ دقیقه تأیید نشد. چیزی از پنل پیامک خواسته نشد و آنچه نوشتید فراموش شد. دوباره با ${slash('fa', 'register')} شروع کنید.`,
    dropped: html`کنار گذاشته شد. چیزی از پنل پیامک خواسته نشد و آنچه نوشتید فراموش شد.`,
    announced: (person, name) => html`👤 ${isolateAuto(person)} کاربر ${isolateLtr(name)} را ثبت کرد.`,
  },
});
