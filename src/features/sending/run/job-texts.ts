import { defineTexts } from '../../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../../i18n/format.ts';
import { b, code, html, type Html } from '../../../telegram/html.ts';

const one = (id: string) => b(isolateLtr(`#${id}`));

/** What people do to a send that runs or has ended, and what its card says of it. */
export const jobTexts = defineTexts({
  en: {
    progress: (bar: string, done: string, all: string, share: string, left: string | null): Html =>
      html`🚚 ${bar} ${done} / ${all} · ${share}${left === null ? '' : ` · ~${left}`}`,
    numbers: (counts: readonly string[]): string => counts.join(', '),
    stoppedBy: (name: string, at: string, numbers: string): Html =>
      html`⏹ Stopped by ${isolateAuto(name)} at ${at} · ${numbers}`,
    stoppedAt: (at: string, numbers: string): Html => html`At ${at}: ${numbers}`,
    pausedBy: (name: string, numbers: string): Html => html`⏸ Paused by ${isolateAuto(name)} · ${numbers}`,
    halted: (name: string | null, numbers: string): Html =>
      name === null
        ? html`⏸ Paused: I could no longer write here · ${numbers}. It resumes with ${code('/limits go')}.`
        : html`⏸ Paused: ${isolateAuto(name)} switched all sends of this chat off · ${numbers}. It resumes with ${code('/limits go')}.`,
    held: (numbers: string): Html =>
      html`⏸ Paused: the bot’s administrator has stopped the sends of all chats · ${numbers}. It resumes by itself when they let sends continue.`,
    keptBack: (numbers: string): Html =>
      html`⏸ Paused: something holds this one back, so it did not resume by itself · ${numbers}. ▶ Resume says what.`,
    answeredLate: (numbers: string): Html =>
      html`⏸ Paused: the gateway’s answer came late, and some of these people had been sent to the first time · ${numbers}. ▶ Resume sends it to them again.`,
    restored: html`↩ The bot’s data was restored from a backup in which this send had not ended. The rest may have been sent since: I look for it in the gateway’s lists, and send none of it by myself.`,
    restoredDraft: (id: string): Html =>
      html`↩ Draft ${one(id)} · the bot’s data was restored from a backup in which it was not confirmed yet. Whether it was sent since is not known here: look at this chat and the gateway’s panel before you send it again.`,
    took: (duration: string): string => `in ${duration}`,
    noPrice: 'price not known',
    answerNotSent: (id: string): Html => html`❌ Your SMS answer ${one(id)} was not sent; its card says why.`,
    answerUnknown: (id: string): Html =>
      html`❔ It is not known whether your SMS answer ${one(id)} was sent: the gateway gave no clear answer. I look for it in the gateway’s lists, and send nothing again by myself.`,
    answerAsks: (id: string): Html =>
      html`❓ The gateway’s lists do not say whether your SMS answer ${one(id)} was sent. What do you know?`,
    report: '📊 Report',
    pause: '⏸ Pause',
    stop: '⏹ Stop',
    resume: '▶ Resume',
    sendRest: '▶ Send the rest',
    restAnswered: html`⚠️ Some of those who are left had been sent to the first time, and would get it twice.`,
    restDoubted: html`⚠️ Whether an earlier try had reached those who are left is not known: some could get it twice.`,
    restFile: '⬇ rest.csv',
    restName: (id: string, part: number | null): string => `rest-${id}${part === null ? '' : `-${part}`}.csv`,
    restColumns: ['number', 'why', 'line', 'text'],
    why: { stopped: 'its turn did not come', refused: 'refused', blocked: 'blocked' },
    restCaption: (id: string, count: string): Html =>
      html`${count} of ${one(id)} had not been sent when this file was made.`,
    nobodyLeft: html`Nobody is left: it was sent to all of them.`,
    resend: (count: string): string => `🔁 Resend to ${count}`,
    resent: (codes: readonly string[]): Html =>
      html`🔁 Sent again with ${codes.map((id, index) => html`${index === 0 ? '' : ', '}${one(id)}`)}`,
    resendOf: (id: string): Html => html`🔁 To those of ${one(id)} who certainly got nothing.`,
    resendAnswered: (id: string): Html =>
      html`🔁 To those of ${one(id)} who were thought to have got nothing. Some of them had been sent to the first time, and would get it twice.`,
    resendDoubted: (id: string): Html =>
      html`🔁 To those of ${one(id)} who got nothing by it. Whether an earlier try had reached them is not known: some could get it twice.`,
    resendRestored: (id: string): Html =>
      html`🔁 To those of ${one(id)} who had got nothing by the time of the backup that the bot’s data was restored from. They may have been sent to again since: look at this chat and the gateway’s panel before you confirm.`,
    resendLeftOut: (unknown: string | null, blocked: string | null): Html =>
      html`${unknown === null && blocked === null ? '' : ' Left out:'}${unknown === null ? '' : ` ${unknown} unknown (could arrive twice)`}${unknown === null || blocked === null ? '' : ','}${blocked === null ? '' : ` ${blocked} blocked`}`,
    resendOpen: (id: string): Html =>
      html`🔁 They are on ${one(id)} already, which is not decided yet: confirm or cancel that one first.`,
    nothingToResend: html`Nobody is left to resend to: the others got it, may have got it, were sent to again, or their numbers were deleted, or a number in the text.`,
    nothingToPause: html`There is nothing to pause.`,
    nothingToResume: html`There is nothing more to send, or it has been resumed already.`,
    notGoneOn: html`It was not resumed.`,
    moreLeft: (count: string): Html =>
      html`By now ${count} have not been sent, more than the card showed. It shows all of them now: press again.`,
    topUp: html`Top the account up, then press ▶ Send the rest.`,
    accountGone: html`The account that it was confirmed for is not linked here any more. ⬇ rest.csv has the rest, for a new send.`,
    tooNear: html`The time at which the gateway was to send it is over or less than two minutes away. ⬇ rest.csv has the rest, for a new send.`,
  },
  fa: {
    progress: (bar, done, all, share, left) =>
      html`🚚 ${bar} ${done} از ${all} · ${share}${left === null ? '' : ` · حدود ${left}`}`,
    numbers: (counts) => counts.join('، '),
    stoppedBy: (name, at, numbers) => html`⏹ ${isolateAuto(name)} ساعت ${at} متوقفش کرد · ${numbers}`,
    stoppedAt: (at, numbers) => html`ساعت ${at}: ${numbers}`,
    pausedBy: (name, numbers) => html`⏸ مکث توسط ${isolateAuto(name)} · ${numbers}`,
    halted: (name, numbers) =>
      name === null
        ? html`⏸ مکث شد، چون دیگر نمی‌توانستم اینجا بنویسم · ${numbers}. با ${code('/limits ادامه')} ادامه پیدا می‌کند.`
        : html`⏸ ${isolateAuto(name)} همهٔ ارسال‌های این گفتگو را خاموش کرد و این هم روی مکث رفت · ${numbers}. با ${code('/limits ادامه')} ادامه پیدا می‌کند.`,
    held: (numbers) =>
      html`⏸ مدیر ربات ارسال‌های همهٔ گفتگوها را متوقف کرد و این هم روی مکث رفت · ${numbers}. وقتی دوباره اجازه بدهد خودش ادامه پیدا می‌کند.`,
    keptBack: (numbers) =>
      html`⏸ روی مکث ماند: چیزی جلوی این یکی را می‌گیرد و خودش ادامه پیدا نکرد · ${numbers}. ▶ ادامه می‌گوید چه چیزی.`,
    answeredLate: (numbers) =>
      html`⏸ روی مکث است: پاسخ پنل پیامک دیر آمد و بار اول برای بعضی از این افراد ارسال شده بود · ${numbers}. با ▶ ادامه پیام را دوبار می‌گیرند.`,
    restored: html`↩ داده‌های ربات از نسخهٔ پشتیبانی برگشت که این ارسال در آن تمام نشده بود. شاید بقیه‌اش بعد از آن ارسال شده باشد: در لیست‌های پنل پیامک دنبالش می‌گردم و خودم چیزی از آن ارسال نمی‌کنم.`,
    restoredDraft: (id) =>
      html`↩ پیش‌نویس ${one(id)} · داده‌های ربات از نسخهٔ پشتیبانی برگشت که این پیش‌نویس در آن هنوز تأیید نشده بود. اینجا معلوم نیست بعد از آن ارسال شده یا نه: قبل از ارسال دوباره، این گفتگو و پنل پیامک را ببینید.`,
    took: (duration) => `در ${duration}`,
    noPrice: 'قیمت نامعلوم',
    answerNotSent: (id) => html`❌ پاسخ پیامکی شما ${one(id)} ارسال نشد؛ دلیلش روی کارتش هست.`,
    answerUnknown: (id) =>
      html`❔ معلوم نیست پاسخ پیامکی شما ${one(id)} ارسال شده یا نه: پنل پیامک پاسخ روشنی نداد. در لیست‌های پنل پیامک دنبالش می‌گردم و خودم دوباره نمی‌فرستم.`,
    answerAsks: (id) =>
      html`❓ از لیست‌های پنل پیامک معلوم نشد پاسخ پیامکی شما ${one(id)} ارسال شده یا نه. شما چه می‌دانید؟`,
    report: '📊 گزارش',
    pause: '⏸ مکث',
    stop: '⏹ توقف',
    resume: '▶ ادامه',
    sendRest: '▶ ارسال بقیه',
    restAnswered: html`⚠️ بار اول برای بعضی از کسانی که مانده‌اند ارسال شده بود و پیام را دوبار می‌گیرند.`,
    restDoubted: html`⚠️ معلوم نیست بار قبل برای کسانی که مانده‌اند ارسال شده یا نه: شاید بعضی‌ها دوبار بگیرند.`,
    restFile: '⬇ فایل مانده‌ها',
    restName: (id, part) => `rest-${id}${part === null ? '' : `-${part}`}.csv`,
    restColumns: ['شماره', 'دلیل', 'خط', 'متن'],
    why: { stopped: 'نوبتش نرسید', refused: 'پذیرفته نشد', blocked: 'در لیست سیاه' },
    restCaption: (id, count) => html`وقتی این فایل ساخته شد، ${count} تا از ${one(id)} ارسال نشده بود.`,
    nobodyLeft: html`کسی نمانده است: به همه ارسال شد.`,
    resend: (count) => `🔁 ارسال دوباره به ${count}`,
    resent: (codes) =>
      html`🔁 دوباره ارسال شد با ${codes.map((id, index) => html`${index === 0 ? '' : '، '}${one(id)}`)}`,
    resendOf: (id) => html`🔁 به کسانی از ${one(id)} که حتماً چیزی نگرفته‌اند.`,
    resendAnswered: (id) =>
      html`🔁 به کسانی از ${one(id)} که گمان می‌رفت چیزی نگرفته‌اند. بار اول برای بعضی از این افراد ارسال شده بود و پیام را دوبار می‌گیرند.`,
    resendDoubted: (id) =>
      html`🔁 به کسانی از ${one(id)} که از آن چیزی نگرفته‌اند. معلوم نیست بار قبل برایشان ارسال شده یا نه: شاید بعضی‌ها دوبار بگیرند.`,
    resendRestored: (id) =>
      html`🔁 به کسانی از ${one(id)} که تا زمان نسخهٔ پشتیبان چیزی نگرفته بودند. داده‌های ربات از همان نسخه برگشته است و شاید بعد از آن دوباره برایشان ارسال شده باشد: قبل از تأیید، این گفتگو و پنل پیامک را ببینید.`,
    resendLeftOut: (unknown, blocked) =>
      html`${unknown === null && blocked === null ? '' : ' کنار گذاشته‌شده:'}${unknown === null ? '' : ` ${unknown} نامعلوم (شاید دوبار برسد)`}${unknown === null || blocked === null ? '' : '،'}${blocked === null ? '' : ` ${blocked} در لیست سیاه`}`,
    resendOpen: (id) =>
      html`🔁 آن‌ها الان در ${one(id)} هستند که هنوز تکلیفش معلوم نیست: اول همان را تأیید یا لغو کنید.`,
    nothingToResend: html`کسی برای ارسال دوباره نمانده است: بقیه گرفته‌اند، شاید گرفته‌اند، دوباره برایشان ارسال شده، یا شماره‌شان یا شماره‌ای در متن حذف شده است.`,
    nothingToPause: html`چیزی برای مکث نمانده است.`,
    nothingToResume: html`چیزی برای ارسال نمانده، یا همین الان ادامه دارد.`,
    notGoneOn: html`ادامه پیدا نکرد.`,
    moreLeft: (count) =>
      html`حالا ${count} تا ارسال نشده است، بیش از آنچه کارت نشان می‌داد. کارت به‌روز شد: دوباره بزنید.`,
    topUp: html`حساب را شارژ کنید و ▶ ارسال بقیه را بزنید.`,
    accountGone: html`حسابی که برایش تأیید شده بود دیگر اینجا وصل نیست. بقیه در ⬇ فایل مانده‌ها هستند تا در ارسال جدیدی بروند.`,
    tooNear: html`زمانی که پنل پیامک باید آن را ارسال می‌کرد گذشته یا کمتر از دو دقیقه مانده است. بقیه در ⬇ فایل مانده‌ها هستند تا در ارسال جدیدی بروند.`,
  },
});
