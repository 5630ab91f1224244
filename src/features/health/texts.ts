import { defineTexts } from '../../i18n/define.ts';
import { isolateLtr } from '../../i18n/format.ts';
import { b, code, html, type Html } from '../../telegram/html.ts';

const WAYS_EN = { webhook: 'by webhook', polling: 'by polling' };
const WAYS_FA = { webhook: 'با وب‌هوک', polling: 'با پرسیدن پیوسته' };

export const texts = defineTexts({
  en: {
    about: 'how this deployment is, for whoever runs it',
    head: (at: string): Html => html`${b('Bot status')} · ${at}`,
    well: (line: Html): Html => html`✅ ${line}`,
    ill: (line: Html, advice: string, section: string): Html =>
      html`⚠️ ${line} ${advice} More: «${section}» in the operations guide.`,
    process: (version: string, up: string, roles: readonly string[]): Html =>
      html`Peyk ${isolateLtr(version)}, up for ${up}. This process has the roles ${code(roles.join(', '))}.`,
    alive: (processes: string, leader: 'here' | 'elsewhere' | 'nobody'): Html =>
      html`${processes} alive; ${{ here: 'this one handles the updates', elsewhere: 'another one handles the updates', nobody: 'none handles the updates' }[leader]}.`,
    processes: { one: 'process', other: 'processes' },
    leaderAdvice: 'Another one takes over within half a minute; look again then.',
    database: (ms: string): Html => html`The database answers in ${ms} ms.`,
    databaseAdvice: 'Is it busy, out of memory, or far away?',
    databaseAway: html`The database does not answer.`,
    awayAdvice: 'Is it running, and is its disk full?',
    unread: html`What stands in the database could not be read.`,
    unreadAdvice: 'Look again; if it stays so, read the log.',
    work: (due: string, oldest: string | null, failed: string): Html =>
      html`Work: ${due} due${oldest === null ? '' : `, the oldest for ${oldest}`}; ${failed} given up.`,
    dueAdvice: 'Is a process with the role worker up? Start another one.',
    failedAdvice: 'The log at error tells what was given up.',
    calls: (out: string, outFor: string | null, unknown: string, oldest: string | null): Html =>
      html`Send calls: ${out} out${outFor === null ? '' : `, the oldest for ${outFor}`}; ${unknown} of which it is not known what came of them${oldest === null ? '' : `, the oldest for ${oldest}`}.`,
    callsAdvice: 'Is the gateway in reach? A person answers the questions on the cards.',
    held: (duration: string): Html =>
      html`All sends are held, for ${duration} now: nothing leaves in any chat.`,
    heldAdvice:
      'That is npm run halt -- on, a backup that was brought back, or a database that has lost what it confirmed; npm run halt -- off lets them go.',
    updates: (waiting: string): Html => html`Updates that are written down and not handled: ${waiting}.`,
    updatesAdvice: 'The log tells what keeps them.',
    polls: (late: string | null): Html =>
      late === null
        ? html`No account is looked at late.`
        : html`Accounts are looked at late by up to ${late}.`,
    pollsAdvice: 'Is a process with the role poller up? Start another one.',
    accounts: (linked: string, halted: string, failing: string): Html =>
      html`Accounts: ${linked} linked, ${halted} with all sends switched off, ${failing} failing.`,
    accountsAdvice: 'Their chats have been told what is wrong.',
    comes: (way: 'webhook' | 'polling'): Html => html`Updates come ${WAYS_EN[way]}, as they should.`,
    comesNot: (way: 'webhook' | 'polling'): Html =>
      html`Updates may not arrive: something is wrong with taking them ${WAYS_EN[way]}.`,
    comesAdvice: 'Can this server reach Telegram, and Telegram this server?',
    putOff: (calls: string): Html => html`Telegram has put off ${calls} since the start.`,
    putOffCalls: { one: 'call', other: 'calls' },
    putOffAdvice: 'Some chat is written to more than Telegram allows.',
    keys: html`Every stored credential is under a master key that this process has.`,
    foreign: (credentials: string): Html =>
      html`${credentials} under a master key that this process does not have: the accounts cannot be used here.`,
    credentials: { one: 'stored credential', other: 'stored credentials' },
    keysAdvice: 'Put that key back behind the newest one.',
    disk: (free: string, all: string): Html => html`${free} GB of ${all} GB free where the database is.`,
    diskAdvice: 'Make room before it is full.',
    diskUnread: html`How much room the database has could not be read.`,
    again: '↻',
  },
  fa: {
    about: 'وضعیت ربات، برای مدیر ربات',
    head: (at) => html`${b('وضعیت ربات')} · ${at}`,
    well: (line) => html`✅ ${line}`,
    ill: (line, advice, section) =>
      html`⚠️ ${line} ${advice} بیشتر: بخش «${isolateLtr(section)}» در راهنمای راه‌اندازی.`,
    process: (version, up, roles) =>
      html`پیک ${isolateLtr(version)}، ${up} است که کار می‌کند. نقش‌های این فرایند: ${code(isolateLtr(roles.join(', ')))}`,
    alive: (processes, leader) =>
      html`${processes} زنده است؛ ${{ here: 'رسیدگی به پیام‌های تلگرام با همین یکی است', elsewhere: 'رسیدگی به پیام‌های تلگرام با یکی دیگر است', nobody: 'هیچ‌کدام به پیام‌های تلگرام رسیدگی نمی‌کند' }[leader]}.`,
    processes: { one: 'فرایند', other: 'فرایند' },
    leaderAdvice: 'تا نیم دقیقه یکی دیگر آن را به دست می‌گیرد؛ آنگاه دوباره نگاه کنید.',
    database: (ms) => html`پایگاه داده در ${ms} میلی‌ثانیه پاسخ می‌دهد.`,
    databaseAdvice: 'آیا سرش شلوغ است، حافظه کم دارد یا راهش دور است؟',
    databaseAway: html`پایگاه داده پاسخ نمی‌دهد.`,
    awayAdvice: 'آیا روشن است و دیسکش پر نیست؟',
    unread: html`آنچه در پایگاه داده هست خوانده نشد.`,
    unreadAdvice: 'دوباره نگاه کنید؛ اگر همچنان چنین بود گزارش رویدادها را بخوانید.',
    work: (due, oldest, failed) =>
      html`کارها: ${due} در نوبت${oldest === null ? '' : `، کهنه‌ترین از ${oldest} پیش`}؛ ${failed} رهاشده.`,
    dueAdvice: 'آیا فرایندی با نقش worker روشن است؟ یکی دیگر هم روشن کنید.',
    failedAdvice: 'گزارش رویدادها در سطح error می‌گوید چه رها شده است.',
    calls: (out, outFor, unknown, oldest) =>
      html`فراخوان‌های ارسال: ${out} در راه${outFor === null ? '' : `، کهنه‌ترین از ${outFor} پیش`}؛ ${unknown} با سرانجام نامعلوم${oldest === null ? '' : `، کهنه‌ترین از ${oldest} پیش`}.`,
    callsAdvice: 'آیا پنل پیامک در دسترس است؟ پرسش‌های روی کارت‌ها را یک نفر باید پاسخ دهد.',
    held: (duration) =>
      html`همهٔ ارسال‌ها از ${duration} پیش نگه داشته شده است: در هیچ گفتگویی چیزی فرستاده نمی‌شود.`,
    heldAdvice:
      'علتش npm run halt -- on است، یا نسخهٔ پشتیبانی که برگردانده شده، یا پایگاه داده‌ای که آخرین ثبت‌هایش را از دست داده؛ با npm run halt -- off آزاد می‌شود.',
    updates: (waiting) => html`پیام‌های تلگرام که ثبت شده و هنوز رسیدگی نشده: ${waiting}.`,
    updatesAdvice: 'گزارش رویدادها می‌گوید چه جلویشان را گرفته است.',
    polls: (late) =>
      late === null
        ? html`نوبت سر زدن به هیچ حسابی عقب نیفتاده است.`
        : html`سر زدن به حساب‌ها تا ${late} عقب است.`,
    pollsAdvice: 'آیا فرایندی با نقش poller روشن است؟ یکی دیگر هم روشن کنید.',
    accounts: (linked, halted, failing) =>
      html`حساب‌ها: ${linked} وصل، ${halted} با ارسال خاموش، ${failing} با مشکل.`,
    accountsAdvice: 'به گفتگوهایشان گفته شده است که چه مشکلی هست.',
    comes: (way) => html`پیام‌های تلگرام ${WAYS_FA[way]} می‌رسد، چنان که باید.`,
    comesNot: (way) => html`شاید پیام‌های تلگرام نرسد: گرفتنشان ${WAYS_FA[way]} مشکلی دارد.`,
    comesAdvice: 'آیا این سرور به تلگرام می‌رسد و تلگرام به این سرور؟',
    putOff: (calls) => html`تلگرام از آغاز کار این فرایند ${calls} را عقب انداخته است.`,
    putOffCalls: { one: 'فراخوان', other: 'فراخوان' },
    putOffAdvice: 'در گفتگویی بیش از آنچه تلگرام می‌گذارد نوشته می‌شود.',
    keys: html`همهٔ کلیدهای حساب‌ها زیر شاه‌کلیدی است که این فرایند دارد.`,
    foreign: (credentials) =>
      html`${credentials} زیر شاه‌کلیدی است که این فرایند ندارد: آن حساب‌ها این‌جا به کار نمی‌آید.`,
    credentials: { one: 'کلید حساب', other: 'کلید حساب' },
    keysAdvice: 'آن شاه‌کلید را پس از تازه‌ترین شاه‌کلید برگردانید.',
    disk: (free, all) => html`فضای خالی کنار پایگاه داده: ${free} از ${all} گیگابایت.`,
    diskAdvice: 'پیش از پر شدن جا باز کنید.',
    diskUnread: html`فضای خالی کنار پایگاه داده خوانده نشد.`,
    again: '↻',
  },
});
