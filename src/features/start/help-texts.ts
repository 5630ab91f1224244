import { defineTexts } from '../../i18n/define.ts';
import type { Topic } from '../../telegram/feature.ts';
import type { Page } from './actions.ts';
import { b, code, html, lines, type Html } from '../../telegram/html.ts';
import { slash, slashes } from '../../telegram/slash.ts';

const fa = (name: string): string => slash('fa', name);

export const helpTexts = defineTexts({
  en: {
    topics: {
      sending: 'Sending',
      reports: 'Reports',
      inbox: 'Inbox',
      phonebooks: 'Phonebooks',
      blacklist: 'Blacklist',
      account: 'Account',
      team: 'Team',
      general: 'General',
    } satisfies Record<Topic, string>,
    head: b('What you can do here'),
    press: html`Press what you want: each page says how, with an example that you can try.`,
    all: '☰ All commands',
    back: '‹ Back',
    link: '🔗 Link an account',
    walk: '📖 A whole run, step by step',
    trial: 'Hello, this is a test from Peyk.',
    more: (names: readonly string[]): Html => html`More: ${slashes('en', names)}`,
    pages: {
      send: {
        title: '✉️ Send an SMS',
        how: lines(
          html`The numbers, then the text, in one line:`,
          code('/send 09121234567, 09351112233 Hello, we meet at ten.'),
          html`You see a draft with its length and its price. Nothing is sent before you press ✅ on it; after that you have some seconds to undo.`,
          html`${code('/send')} by itself asks for one thing at a time. In answer to a message, ${code('/send 09121234567')} sends what that says; a text that you forward to me, or a contact, leads to an SMS by one press.`,
        ),
        tried: '▶ Try it with your own number',
      },
      file: {
        title: '📄 Send from a file',
        how: lines(
          html`A CSV or XLSX file with a column of mobile numbers, or the contacts of a phone as VCF. Attach it with ${code('/bulk')} as its caption.`,
          html`You write one text. ${code('Dear {name}, your order is ready.')} takes the name of each row.`,
          html`You look through the messages, then press ✅. Numbers that are repeated, wrong or blocked are left out and listed. 🕐 sends at another time, or slowly: so many an hour.`,
          html`${code('/people #customers')} as the caption keeps them under that tag instead; ${code('/bulk #customers')} sends to them from then on.`,
        ),
        tried: '▶ Try it with a file',
      },
      inbox: {
        title: '📥 Inbox',
        how: lines(
          html`What people write to your lines comes here as a card.`,
          html`Reply to the card to answer: you can take it back before it is sent. 🙋 on the card tells the others that it is yours. So does 👀 as a reaction to it, and 👌 closes it; in a group I see reactions if I am an administrator.`,
          html`To search: ${code('/find order')}`,
        ),
        tried: '▶ Show the inbox',
      },
      reports: {
        title: '📊 Reports',
        how: lines(
          html`The card of a send shows what was delivered. A report has the reasons, the mobile networks, the cost and a chart:`,
          code('/report yesterday'),
          html`For one send, by the number on its card: ${code('/report A1')}`,
        ),
        tried: '▶ Show the last 7 days',
      },
      credit: {
        title: '💳 Credit',
        how: lines(
          html`How much is left in the account, and how many days it will last.`,
          html`I tell this chat when it runs low; ${code('/alerts')} sets the limit.`,
        ),
        tried: '▶ Show the credit',
      },
      team: {
        title: '👥 The team',
        how: lines(
          html`In a group everybody has a role: a viewer reads, an operator sends, an approver approves large sends, an admin gives roles.`,
          html`Reply to somebody’s message with ${code('/role operator')} to give them one.`,
        ),
        tried: '▶ My role here',
      },
    } satisfies Record<Page, { readonly title: string; readonly how: Html; readonly tried: string }>,
    entry: (name: string, about: string): Html => html`${slash('en', name)}: ${about}`,
    inDetail: (name: string, group: string): Html =>
      html`One of them in detail: ${code(`/help ${name}`)} · one group: ${code(`/help ${group}`)}`,
    moreAfterConnecting: html`More commands appear once an account is linked: /connect`,
    moreWith: (credentials: string, names: readonly string[]): Html =>
      html`With ${credentials} also: ${slashes('en', names)}`,
    addCredential: html`The owner adds one with /connect`,
    example: (line: string): Html => lines('Example:', code(line)),
    notNow: html`It does not work for you here at the moment:`,
    onlyPrivate: html`• It works only in the private chat with me.`,
    noAccount: html`• It works once an account is linked here: /connect`,
    needsRole: (role: string, yours: string | null): Html =>
      html`• It needs the role ${b(role)}; ${yours === null ? 'you have none here' : html`yours is ${b(yours)}`}. An admin gives roles with /role`,
    needsCredential: (credentials: string): Html =>
      html`• The account linked here needs ${credentials} for it. The owner adds that with /connect`,
    notOffered: html`• The gateway that I was set up for does not offer it. Ask the bot’s administrator.`,
    otherwise: (names: readonly string[]): Html =>
      html`Not available to you here now: ${slashes('en', names)}. Why: ${code(`/help ${names[0] ?? ''}`)}`,
    nothing: (topic: string, groups: string): Html =>
      lines(html`There is no command ${code(topic)}. All of them: /help`, html`Groups: ${groups}`),
  },
  fa: {
    topics: {
      sending: 'ارسال',
      reports: 'گزارش',
      inbox: 'دریافتی',
      phonebooks: 'دفترچه',
      blacklist: 'مسدودها',
      account: 'حساب',
      team: 'همکاران',
      general: 'عمومی',
    },
    head: b('کارهایی که اینجا می‌توانید انجام دهید'),
    press: html`هر کدام را بزنید: هر صفحه راهش را می‌گوید، با نمونه‌ای که می‌توانید امتحان کنید.`,
    all: '☰ همهٔ دستورها',
    back: '‹ بازگشت',
    link: '🔗 وصل‌کردن حساب',
    walk: '📖 یک ارسال کامل، گام به گام',
    trial: 'سلام، این یک پیام آزمایشی از پیک است.',
    more: (names) => html`بیشتر: ${slashes('fa', names)}`,
    pages: {
      send: {
        title: '✉️ ارسال پیامک',
        how: lines(
          html`اول شماره‌ها و بعد متن، در یک خط:`,
          code('/send 09121234567, 09351112233 سلام، ساعت ده جلسه داریم.'),
          html`پیش‌نویسی با طول و قیمتش می‌بینید. تا دکمهٔ ✅ را نزنید چیزی ارسال نمی‌شود و بعد از آن هم چند ثانیه فرصت لغو دارید.`,
          html`با ${code('/send')} به‌تنهایی، یکی‌یکی می‌پرسم. اگر ${code('/send 09121234567')} را در پاسخ به یک پیام بنویسید، متن همان پیام ارسال می‌شود؛ متنی که فوروارد کنید یا مخاطبی که بفرستید با یک دکمه به پیامک می‌رسد.`,
        ),
        tried: '▶ امتحان با شمارهٔ خودتان',
      },
      file: {
        title: '📄 ارسال از فایل',
        how: lines(
          html`یک فایل CSV یا XLSX که ستونی از شماره‌های همراه دارد، یا مخاطبان گوشی به شکل VCF. آن را با کپشن ${code('/bulk')} بفرستید.`,
          html`یک متن می‌نویسید. در ${code('{نام} عزیز، سفارش شما آماده است.')} نام هر ردیف می‌آید.`,
          html`پیام‌ها را مرور می‌کنید و بعد ✅ را می‌زنید. شماره‌های تکراری، نادرست و مسدود کنار می‌روند و لیستشان را می‌بینید. با 🕐 در زمان دیگری ارسال می‌شود، یا آهسته: هر ساعت چند پیام.`,
          html`با کپشن ${code('/people #مشتریان')} فقط با آن برچسب ثبت می‌شوند و از آن پس ${code('/bulk #مشتریان')} به آن‌ها ارسال می‌کند.`,
        ),
        tried: '▶ امتحان با یک فایل',
      },
      inbox: {
        title: '📥 خواندن و پاسخ',
        how: lines(
          html`هر پیامی که مردم به خط‌های شما بفرستند، اینجا یک کارت می‌شود.`,
          html`برای پاسخ، به خود کارت پاسخ دهید: تا قبل از ارسال می‌توانید لغوش کنید. با 🙋 روی کارت، بقیه می‌دانند پیگیری‌اش با شماست. واکنش 👀 به کارت هم همین کار را می‌کند و 👌 آن را می‌بندد؛ در گروه واکنش‌ها را وقتی می‌بینم که ادمین باشم.`,
          html`برای جستجو: ${code('/find سفارش')}`,
        ),
        tried: '▶ نمایش دریافتی‌ها',
      },
      reports: {
        title: '📊 گزارش‌ها',
        how: lines(
          html`کارت هر ارسال خودش می‌گوید چند پیام تحویل شد. دلیل‌ها، اپراتورهای موبایل، هزینه و نمودار در گزارش است:`,
          code('/report دیروز'),
          html`گزارش یک ارسال، با شمارهٔ روی کارتش: ${code('/report A1')}`,
        ),
        tried: '▶ نمایش هفت روز گذشته',
      },
      credit: {
        title: '💳 اعتبار',
        how: lines(
          html`چقدر اعتبار مانده و برای چند روز کافی است.`,
          html`وقتی رو به پایان باشد همین‌جا خبر می‌دهم؛ حدش را با ${code('/alerts')} تعیین کنید.`,
        ),
        tried: '▶ نمایش اعتبار',
      },
      team: {
        title: '👥 همکاران',
        how: lines(
          html`در گروه هر کس نقشی دارد: بیننده می‌خواند، اپراتور ارسال می‌کند، تأییدکننده ارسال‌های بزرگ را تأیید می‌کند و مدیر نقش می‌دهد.`,
          html`برای نقش‌دادن، به پیام آن شخص پاسخ دهید و بنویسید ${code('/role اپراتور')}`,
        ),
        tried: '▶ نقش من اینجا',
      },
    },
    entry: (name, about) => html`${fa(name)}: ${about}`,
    inDetail: (name, group) =>
      html`شرح یک دستور: ${code(`/help ${name}`)} · یک دسته: ${code(`/help ${group}`)}`,
    moreAfterConnecting: html`بعد از وصل‌کردن حساب دستورهای بیشتری در دسترس است: ${fa('connect')}`,
    moreWith: (credentials, names) => html`با ${credentials} این‌ها هم: ${slashes('fa', names)}`,
    addCredential: html`مالک آن را با ${fa('connect')} اضافه می‌کند.`,
    example: (line) => lines('نمونه:', code(line)),
    notNow: html`فعلاً اینجا برای شما کار نمی‌کند:`,
    onlyPrivate: html`• فقط در گفتگوی خصوصی با من کار می‌کند.`,
    noAccount: html`• بعد از وصل‌کردن حساب کار می‌کند: ${fa('connect')}`,
    needsRole: (role, yours) =>
      html`• نقش ${b(role)} می‌خواهد و ${yours === null ? 'شما اینجا نقشی ندارید' : html`نقش شما ${b(yours)} است`}. نقش را یک مدیر با ${fa('role')} می‌دهد.`,
    needsCredential: (credentials) =>
      html`• حسابی که اینجا وصل است برای آن ${credentials} می‌خواهد. مالک آن را با ${fa('connect')} اضافه می‌کند.`,
    notOffered: html`• پنل پیامکی که به ربات وصل است این کار را ندارد. از مدیر ربات بپرسید.`,
    otherwise: (names) =>
      html`فعلاً اینجا در دسترس شما نیست: ${slashes('fa', names)}. دلیلش: ${code(`/help ${names[0] ?? ''}`)}`,
    nothing: (topic, groups) =>
      lines(html`دستور ${code(topic)} وجود ندارد. همهٔ دستورها: ${fa('help')}`, html`دسته‌ها: ${groups}`),
  },
});
