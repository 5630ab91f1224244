import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, code, html, lines, type Html } from '../../telegram/html.ts';
import { slash } from '../../telegram/slash.ts';

const line = (digits: string): Html => code(isolateLtr(digits));

export const texts = defineTexts({
  en: {
    aboutInbox: 'received messages, without marking them read',
    aboutReceive: 'fetch unread messages and mark them read',
    usageView: 'unread|unanswered|mine|all',
    usageShown: 'line, day or words',
    head: (view: 'unread' | 'all', digits: string | null, count: string): Html =>
      html`📥 ${b(view === 'unread' ? 'Unread' : 'Read and unread')} · ${digits === null ? 'all lines' : html`line ${line(digits)}`} · ${count}`,
    marksNothing: html`Looking at messages here does not mark them read.`,
    plainList: (why: string): Html =>
      lines(
        html`📥 ${b('Messages')} · all lines`,
        html`The gateway refused to list by line and by unread: ${why} This is its plain list, read and unread together.`,
      ),
    empty: (view: 'unread' | 'all', digits: string | null): Html =>
      view === 'unread'
        ? html`📭 No unread messages${digits === null ? '' : html` on line ${line(digits)}`}.`
        : html`📭 Nothing has been received${digits === null ? ' yet' : html` on line ${line(digits)} yet`}.`,
    moreOnPage: (count: string): Html =>
      html`… ${count} on this page do not fit here: ⬇ gives all of them as a file.`,
    emptyPage: html`📭 There is nothing on this page any more.`,
    entry: (number: string, sender: Html, digits: string): Html =>
      html`${number}. ${sender} → line ${isolateLtr(digits)}`,
    when: (relative: string, exact: string) => `${relative} · ${exact}`,
    noTime: 'time not given by the gateway',
    toUnread: 'Unread only',
    toAll: 'Read and unread',
    toAllLines: 'All lines',
    toLine: (digits: string) => `Line ${isolateLtr(digits)}`,
    wholeTexts: (count: string) => `📄 Whole texts (${count})`,
    markRead: '✔ Mark as read…',
    showAll: '📥 Read and unread',
    wholeHead: (count: string): Html => html`📄 ${b('Whole texts')} · ${count}`,
    wholeMissing: (count: string): Html =>
      html`The list has changed meanwhile: ${count} of this page are missing here. Open /inbox again.`,
    messages: { one: 'message', other: 'messages' },
    exportedPart: (got: string, total: string): Html =>
      html`⚠ The file has ${got} of the ${total} that the gateway counts: one file takes at most 2,000.`,
    columns: ['id', 'sender', 'line', 'time', 'text'],
    askReceive: (digits: string | null, name: string): Html =>
      lines(
        html`✔ ${b('Fetch unread messages and mark them read')} · ${digits === null ? 'all lines' : html`line ${line(digits)}`}`,
        html`This fetches at most 50 unread messages and marks them read ${b('at the gateway')}: its panel and other programs will no longer see them as new, and that cannot be taken back. To look without marking: /inbox`,
        html`Asked by ${isolateAuto(name)}.`,
      ),
    fetch: '✅ Fetch and mark read',
    cancel: '✖ Cancel',
    cancelled: html`Cancelled. Nothing was marked as read.`,
    decided: html`This has been decided already, or I was interrupted in the middle of it and do not repeat it. If messages were being fetched, the gateway may have marked up to 50 read: they are in ${code('/inbox all')}`,
    fetching: (digits: string | null): Html =>
      lines(
        html`⏳ Asked the gateway for up to 50 unread messages · ${digits === null ? 'all lines' : html`line ${line(digits)}`}`,
        html`If no answer follows below, they may still have been marked read; none is lost: ${code('/inbox all')} has them.`,
      ),
    fetched: (count: string, digits: string | null, name: string, time: string): Html =>
      html`✔ ${count} fetched and marked read at ${time} by ${isolateAuto(name)} · ${digits === null ? 'all lines' : html`line ${line(digits)}`}. They are below, and in ${code('/inbox all')}.`,
    fetchedNone: (digits: string | null): Html =>
      html`📭 The gateway has no unread messages${digits === null ? '' : html` on line ${line(digits)}`}. Nothing was marked.`,
    received: (count: string): Html => html`📨 ${b(count)}, now marked read`,
    maybeMore: html`The gateway gives at most 50 at a time: there may be more.`,
    next: '🔁 Fetch the next 50',
    refused: (why: string): Html => html`The gateway refused: ${why}`,
    noAnswer: html`The gateway gave no answer.`,
    unreadable: html`The gateway answered something that I cannot read.`,
    nothingMarked: html`Nothing was marked as read. You can try again with /receive`,
    mayBeMarked: html`⚠ It may have marked up to 50 messages read. They are in ${code('/inbox all')}; none is lost. I do not repeat the request by myself.`,
  },
  fa: {
    aboutInbox: 'پیام‌های دریافتی، بدون زدن علامت خوانده‌شده',
    aboutReceive: 'گرفتن پیام‌های نخوانده و زدن علامت خوانده‌شده',
    usageView: 'نخوانده|بی‌پاسخ|با من|همه',
    usageShown: 'خط، روز یا کلمه‌ها',
    head: (view, digits, count) =>
      html`📥 ${b(view === 'unread' ? 'نخوانده' : 'خوانده و نخوانده')} · ${digits === null ? 'همهٔ خط‌ها' : html`خط ${line(digits)}`} · ${count}`,
    marksNothing: html`با دیدن پیام‌ها در اینجا علامت خوانده‌شده نمی‌خورند.`,
    plainList: (why) =>
      lines(
        html`📥 ${b('پیام‌ها')} · همهٔ خط‌ها`,
        html`پنل پیامک لیست را به تفکیک خط و نخوانده‌ها نداد: ${why} این لیست سادهٔ آن است، خوانده و نخوانده با هم.`,
      ),
    empty: (view, digits) =>
      view === 'unread'
        ? html`📭 پیام نخوانده‌ای${digits === null ? '' : html` در خط ${line(digits)}`} نیست.`
        : html`📭 هنوز پیامی${digits === null ? '' : html` در خط ${line(digits)}`} نرسیده است.`,
    moreOnPage: (count) => html`… ${count} از این صفحه اینجا جا نشد: با ⬇ همه را در یک فایل می‌گیرید.`,
    emptyPage: html`📭 دیگر چیزی در این صفحه نیست.`,
    entry: (number, sender, digits) => html`${number}. ${sender} ← خط ${isolateLtr(digits)}`,
    when: (relative, exact) => `${relative} · ${exact}`,
    noTime: 'پنل پیامک زمانی نداده است',
    toUnread: 'فقط نخوانده‌ها',
    toAll: 'خوانده و نخوانده',
    toAllLines: 'همهٔ خط‌ها',
    toLine: (digits) => `خط ${isolateLtr(digits)}`,
    wholeTexts: (count) => `📄 متن کامل (${count})`,
    markRead: '✔ علامت خوانده‌شده…',
    showAll: '📥 خوانده و نخوانده',
    wholeHead: (count) => html`📄 ${b('متن کامل')} · ${count}`,
    wholeMissing: (count) =>
      html`لیست در این مدت تغییر کرد و ${count} از این صفحه اینجا نیست. ${slash('fa', 'inbox')} را دوباره باز کنید.`,
    messages: { one: 'پیام', other: 'پیام' },
    exportedPart: (got, total) =>
      html`⚠ در این فایل ${got} از ${total} پیام پنل پیامک هست؛ هر فایل حداکثر ۲٬۰۰۰ پیام دارد.`,
    columns: ['شناسه', 'فرستنده', 'خط', 'زمان', 'متن'],
    askReceive: (digits, name) =>
      lines(
        html`✔ ${b('گرفتن پیام‌های نخوانده و زدن علامت خوانده‌شده')} · ${digits === null ? 'همهٔ خط‌ها' : html`خط ${line(digits)}`}`,
        html`با این کار حداکثر ۵۰ پیام نخوانده گرفته می‌شود و ${b('در خود پنل پیامک')} علامت خوانده‌شده می‌خورد: پنل پیامک و برنامه‌های دیگر دیگر آن‌ها را جدید نشان نمی‌دهند و این کار برگشت‌پذیر نیست. برای دیدن بدون علامت: ${slash('fa', 'inbox')}`,
        html`به درخواست ${isolateAuto(name)}`,
      ),
    fetch: '✅ گرفتن و علامت زدن',
    cancel: '✖ انصراف',
    cancelled: html`لغو شد. هیچ پیامی علامت خوانده‌شده نخورد.`,
    decided: html`در این باره قبلاً تصمیم گرفته شده، یا کارم وسط راه قطع شده است و آن را تکرار نمی‌کنم. اگر گرفتن پیام‌ها شروع شده بود، شاید پنل پیامک به حداکثر ۵۰ پیام علامت خوانده‌شده زده باشد: آن‌ها را با ${code('/inbox همه')} ببینید.`,
    fetching: (digits) =>
      lines(
        html`⏳ تا ۵۰ پیام نخوانده از پنل پیامک خواسته شد · ${digits === null ? 'همهٔ خط‌ها' : html`خط ${line(digits)}`}`,
        html`اگر پایین‌تر پاسخی نیامد، ممکن است با این حال علامت خوانده‌شده خورده باشند؛ چیزی گم نمی‌شود: ${code('/inbox همه')} آن‌ها را نشان می‌دهد.`,
      ),
    fetched: (count, digits, name, time) =>
      html`✔ ${count} گرفته شد و علامت خوانده‌شده خورد · ${isolateAuto(name)}، ساعت ${time} · ${digits === null ? 'همهٔ خط‌ها' : html`خط ${line(digits)}`}. پایین‌تر و در ${code('/inbox همه')} هستند.`,
    fetchedNone: (digits) =>
      html`📭 پنل پیامک پیام نخوانده‌ای${digits === null ? '' : html` در خط ${line(digits)}`} ندارد. چیزی علامت نخورد.`,
    received: (count) => html`📨 ${b(count)}، الان با علامت خوانده‌شده`,
    maybeMore: html`پنل پیامک هر بار حداکثر ۵۰ پیام می‌دهد: شاید باز هم باشد.`,
    next: '🔁 ۵۰ پیام بعدی',
    refused: (why) => html`پنل پیامک نپذیرفت: ${why}`,
    noAnswer: html`پنل پیامک پاسخی نداد.`,
    unreadable: html`پاسخ پنل پیامک خوانا نبود.`,
    nothingMarked: html`هیچ پیامی علامت خوانده‌شده نخورد. می‌توانید با ${slash('fa', 'receive')} دوباره امتحان کنید.`,
    mayBeMarked: html`⚠ شاید پنل پیامک به حداکثر ۵۰ پیام علامت خوانده‌شده زده باشد. آن‌ها در ${code('/inbox همه')} هستند و چیزی گم نشده است. خودم درخواست را تکرار نمی‌کنم.`,
  },
});
