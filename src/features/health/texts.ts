import { defineTexts } from '../../i18n/define.ts';
import { isolateLtr } from '../../i18n/format.ts';
import { b, code, html, type Html } from '../../telegram/html.ts';

const WAYS_EN = { webhook: 'by webhook', polling: 'by polling' };
const WAYS_FA = { webhook: 'با وب‌هوک', polling: 'با polling' };

export const texts = defineTexts({
  en: {
    head: (at: string): Html => html`${b('Bot status')} · ${at}`,
    well: (line: Html): Html => html`✅ ${line}`,
    ill: (line: Html, advice: string, section: string): Html =>
      html`⚠️ ${line} ${advice} More: «${section}» in the operations guide.`,
    process: (version: string, up: string, roles: readonly string[]): Html =>
      html`Peyk ${isolateLtr(version)}, up for ${up}. Roles of this process: ${code(roles.join(', '))}`,
    alive: (processes: string, leader: 'here' | 'elsewhere' | 'nobody'): Html =>
      html`${processes} alive; ${{ here: 'this one handles updates', elsewhere: 'another one handles updates', nobody: 'none handles updates' }[leader]}.`,
    processes: { one: 'process', other: 'processes' },
    leaderAdvice: 'Another one takes over within 30 seconds. Look again then.',
    database: (ms: string): Html => html`The database answers in ${ms} ms.`,
    databaseAdvice: 'Is it busy, out of memory, or far away?',
    databaseAway: html`The database does not answer.`,
    awayAdvice: 'Is it running? Is its disk full?',
    unread: html`The database could not be read.`,
    unreadAdvice: 'Look again. If it keeps happening, read the log.',
    work: (due: string, oldest: string | null, failed: string | null): Html =>
      html`Queue: ${due} due${oldest === null ? '' : `, the oldest for ${oldest}`}${failed === null ? '' : `; ${failed} given up`}.`,
    dueAdvice: 'Is a process with the role worker up? If so, start another one.',
    failedAdvice: 'The log shows what was given up, at level error.',
    calls: (out: string, outFor: string | null, unknown: string | null, oldest: string | null): Html =>
      html`Send calls: ${out} waiting for an answer${outFor === null ? '' : `, the oldest for ${outFor}`}${unknown === null ? '' : `; ${unknown} with an unknown outcome${oldest === null ? '' : `, the oldest for ${oldest}`}`}.`,
    callsAdvice: 'Can the gateway be reached? The cards ask about what is unknown.',
    held: (duration: string): Html =>
      html`All sends have been stopped for ${duration}: nothing is sent in any chat.`,
    heldAdvice:
      'The cause is peyk halt on, a restored backup, or a database that lost confirmed data. peyk halt off lets sends continue.',
    updates: (waiting: string): Html => html`Updates waiting to be handled: ${waiting}.`,
    updatesAdvice: 'The log shows what holds them up.',
    polls: (late: string | null): Html =>
      late === null ? html`All accounts are polled on time.` : html`Accounts are polled up to ${late} late.`,
    pollsAdvice: 'Is a process with the role poller up? If so, start another one.',
    accounts: (linked: string, halted: string | null, failing: string | null): Html =>
      html`Accounts: ${linked} linked${halted === null ? '' : `, ${halted} with all sends switched off`}${failing === null ? '' : `, ${failing} failing`}.`,
    accountsAdvice: 'Their chats have been told what is wrong.',
    comes: (way: 'webhook' | 'polling'): Html => html`Updates arrive ${WAYS_EN[way]}.`,
    comesNot: (way: 'webhook' | 'polling'): Html =>
      html`Updates may not arrive: there is a problem receiving them ${WAYS_EN[way]}.`,
    comesAdvice: 'Can this server reach Telegram, and Telegram this server?',
    putOff: (calls: string): Html => html`Telegram has throttled ${calls} since the start.`,
    putOffCalls: { one: 'call', other: 'calls' },
    putOffAdvice: 'Some chat gets more messages than Telegram allows.',
    keys: html`This process has the master keys of all stored accounts.`,
    foreign: (credentials: string): Html =>
      html`${credentials} under a master key that this process does not have: these accounts cannot be used here.`,
    credentials: { one: 'stored credential', other: 'stored credentials' },
    keysAdvice: 'Put that key back behind the newest one.',
    disk: (free: string, all: string): Html => html`${free} GB of ${all} GB free where the database is.`,
    diskAdvice: 'Free some space before it is full.',
    diskUnread: html`The free disk space could not be read.`,
    again: '↻',
  },
  fa: {
    head: (at) => html`${b('وضعیت ربات')} · ${at}`,
    well: (line) => html`✅ ${line}`,
    ill: (line, advice, section) =>
      html`⚠️ ${line} ${advice} بیشتر: بخش «${isolateLtr(section)}» در راهنمای راه‌اندازی.`,
    process: (version, up, roles) =>
      html`پیک ${isolateLtr(version)}، ${up} است که روشن است. نقش‌های این فرایند: ${code(isolateLtr(roles.join(', ')))}`,
    alive: (processes, leader) =>
      html`${processes} روشن است؛ ${{ here: 'پیام‌های تلگرام با همین یکی است', elsewhere: 'پیام‌های تلگرام با یکی دیگر است', nobody: 'هیچ‌کدام پیام‌های تلگرام را نمی‌گیرد' }[leader]}.`,
    processes: { one: 'فرایند', other: 'فرایند' },
    leaderAdvice: 'تا ۳۰ ثانیه یکی دیگر آن را به عهده می‌گیرد. بعد دوباره نگاه کنید.',
    database: (ms) => html`دیتابیس در ${ms} میلی‌ثانیه پاسخ می‌دهد.`,
    databaseAdvice: 'آیا شلوغ است، حافظه کم دارد یا دور است؟',
    databaseAway: html`دیتابیس پاسخ نمی‌دهد.`,
    awayAdvice: 'روشن است؟ دیسکش پر نیست؟',
    unread: html`دیتابیس خوانده نشد.`,
    unreadAdvice: 'دوباره نگاه کنید. اگر تکرار شد لاگ را بخوانید.',
    work: (due, oldest, failed) =>
      html`صف: ${due} آمادهٔ اجرا${oldest === null ? '' : `، قدیمی‌ترین از ${oldest} پیش`}${failed === null ? '' : `؛ ${failed} رهاشده`}.`,
    dueAdvice: 'فرایندی با نقش worker روشن است؟ اگر هست، یکی دیگر هم روشن کنید.',
    failedAdvice: 'لاگ در سطح error نشان می‌دهد چه چیزی رها شده است.',
    calls: (out, outFor, unknown, oldest) =>
      html`درخواست‌های ارسال: ${out} منتظر جواب پنل پیامک${outFor === null ? '' : `، قدیمی‌ترین از ${outFor} پیش`}${unknown === null ? '' : `؛ ${unknown} با نتیجهٔ نامعلوم${oldest === null ? '' : `، قدیمی‌ترین از ${oldest} پیش`}`}.`,
    callsAdvice: 'پنل پیامک در دسترس است؟ کارت‌ها دربارهٔ نامعلوم‌ها می‌پرسند.',
    held: (duration) => html`همهٔ ارسال‌ها از ${duration} پیش متوقف است: در هیچ گفتگویی چیزی ارسال نمی‌شود.`,
    heldAdvice:
      'علتش peyk halt on است، یا نسخهٔ پشتیبانی که برگردانده شده، یا دیتابیسی که آخرین داده‌هایش را از دست داده. با peyk halt off ارسال‌ها ادامه پیدا می‌کند.',
    updates: (waiting) => html`پیام‌های تلگرام در صف: ${waiting}.`,
    updatesAdvice: 'لاگ نشان می‌دهد چه چیزی جلویشان را گرفته است.',
    polls: (late) =>
      late === null ? html`همهٔ حساب‌ها به‌موقع خوانده می‌شوند.` : html`خواندن حساب‌ها تا ${late} عقب است.`,
    pollsAdvice: 'فرایندی با نقش poller روشن است؟ اگر هست، یکی دیگر هم روشن کنید.',
    accounts: (linked, halted, failing) =>
      html`حساب‌ها: ${linked} وصل${halted === null ? '' : `، ${halted} با ارسال خاموش`}${failing === null ? '' : `، ${failing} با مشکل`}.`,
    accountsAdvice: 'مشکل به گفتگوهایشان گفته شده است.',
    comes: (way) => html`پیام‌های تلگرام ${WAYS_FA[way]} می‌رسد.`,
    comesNot: (way) => html`شاید پیام‌های تلگرام نرسد: گرفتنشان ${WAYS_FA[way]} مشکل دارد.`,
    comesAdvice: 'این سرور به تلگرام وصل می‌شود؟ و تلگرام به این سرور؟',
    putOff: (calls) => html`تلگرام از شروع کار این فرایند ${calls} را عقب انداخته است.`,
    putOffCalls: { one: 'درخواست', other: 'درخواست' },
    putOffAdvice: 'در یک گفتگو بیشتر از حد مجاز تلگرام پیام نوشته می‌شود.',
    keys: html`این فرایند کلید اصلی همهٔ حساب‌ها را دارد.`,
    foreign: (credentials) =>
      html`${credentials} با کلید اصلی دیگری است که این فرایند ندارد: آن حساب‌ها اینجا قابل استفاده نیست.`,
    credentials: { one: 'کلید حساب', other: 'کلید حساب' },
    keysAdvice: 'آن کلید اصلی را بعد از جدیدترین کلید اصلی برگردانید.',
    disk: (free, all) => html`فضای خالی دیسک دیتابیس: ${free} از ${all} گیگابایت.`,
    diskAdvice: 'قبل از پر شدن، فضا آزاد کنید.',
    diskUnread: html`فضای خالی دیسک خوانده نشد.`,
    again: '↻',
  },
});
