import type { MessageProblem } from '../domain/message.ts';
import type { Role } from '../domain/roles.ts';
import { defineTexts, type Locale } from '../i18n/define.ts';
import { createFormat, isolateAuto, isolateLtr } from '../i18n/format.ts';
import { b, code, html, lines, type Html } from './html.ts';
import { slash } from './slash.ts';

const roleNames: Readonly<Record<Locale, Readonly<Record<Role, string>>>> = {
  en: { viewer: 'viewer', operator: 'operator', approver: 'approver', admin: 'admin', owner: 'owner' },
  fa: { viewer: 'بیننده', operator: 'اپراتور', approver: 'تأییدکننده', admin: 'مدیر', owner: 'مالک' },
};

export function roleName(locale: Locale, role: Role): string {
  return roleNames[locale][role];
}

const fa = (name: string): string => slash('fa', name);
const persian = (value: number): string => createFormat('fa', 'UTC').number(value);

/** What the kit itself says: guards, forms, presses and errors. */
export const kitTexts = defineTexts({
  en: {
    cancel: '✖ Cancel',
    openGroup: '💬 Open the group',
    cancelled: html`Cancelled. Nothing was changed.`,
    needsRole: (role: string) =>
      html`This needs the role <b>${role}</b> in this chat. An admin gives roles with /role; whoever links an account is its owner. What you may do: /whoami`,
    needsConnection: html`No gateway account is linked to this chat yet. Link one with /connect`,
    needsCredential: (names: string) =>
      names === ''
        ? html`The gateway that I was set up for does not offer this. Ask the bot’s administrator.`
        : html`The account linked here cannot do this. What would add it: ${names}. The owner adds it with /connect`,
    instead: (name: string): Html => html`What does it without: ${slash('en', name)}`,
    privateOnly: html`This works only in the private chat with me.`,
    openPrivate: '➡ Open the private chat',
    unknownCommand: (command: string) => html`I do not know ${code(command)}. What you can do here: /help`,
    whoAreYou: lines(
      html`You write as an anonymous admin, so I cannot see who you are.`,
      html`Press to continue as yourself; the button works for one minute.`,
    ),
    goOnAsMyself: '➡ Continue as myself',
    leakedKey: (name: string) =>
      lines(
        html`⚠ ${isolateAuto(name)}, that looked like a key. I deleted the message where I could, but people here may have seen it: treat it as leaked and make a new one in the gateway’s panel.`,
        html`Keys are given only in the private chat: /connect`,
      ),
    leakedKeyKept: (name: string) =>
      lines(
        html`⚠ ${isolateAuto(name)}, that looks like a key, and I am not allowed to delete it here. Delete it yourself, treat it as leaked, and make a new one in the gateway’s panel.`,
        html`Keys are given only in the private chat: /connect`,
      ),
    press: {
      unknown:
        'I do not know this button: it is not mine, very old, or lost when a backup was restored. Before you send again, check whether it was sent.',
      other_chat: 'This button belongs to another chat.',
      other_person: 'Only the person who asked can press this.',
      own_question: 'You asked for it; someone else must approve.',
      role: 'Your role in this chat does not allow this. See /whoami',
      used: 'This button has been pressed already.',
      changed: 'The card has changed since. Use the newest buttons.',
      expired:
        'This button has expired. Use the newest buttons of the card, or start again with the command.',
      no_person: 'Press this in the chat where the message is.',
      failed: 'That did not work. Try again in a moment.',
    },
    /** `name`: null for who presses now as well; `day`: where it is not today. */
    usedBy: (name: string | null, time: string, day: string) =>
      `${name === null ? 'You pressed this already,' : `Already pressed by ${isolateAuto(name)}`} at ${time}${day === '' ? '' : `, ${day}`}.`,
    errors: {
      bad_input: html`I could not read that. See how the command is written with /help`,
      not_allowed: html`You may not do this here. See /whoami`,
      not_connected: html`No gateway account is linked to this chat any more. Link one with /connect`,
      already_connected: html`An account is linked here already.`,
      expired: html`That has expired. Start again with the command.`,
      stale: html`That has changed in the meantime. Start again with the command.`,
      busy: html`The gateway is busy. Try again in a minute.`,
      rate_limited: html`Too many at once. Try again in a minute.`,
      gateway_no_answer: html`The gateway did not answer in time. Nothing was changed; try again in a minute.`,
      gateway_unreadable: html`The gateway answered something I cannot read. Nothing was changed; try again later, and tell the gateway’s support if it persists.`,
      gateway_unsupported: html`The account linked here cannot do this. The owner adds another key or password with /connect`,
    },
    refused: (why: string) => html`The gateway refused: ${why}`,
    /** The same where a change was asked for and may have been made: repeating it could do it twice. */
    mayHaveActed: {
      gateway_no_answer: html`The gateway did not answer in time. It is not known whether it did what you asked: look first, and repeat only what is missing.`,
      gateway_unreadable: html`The gateway answered something I cannot read. It is not known whether it did what you asked: look first, and repeat only what is missing. If it persists, tell the gateway’s support.`,
    },
    refusedPerhaps: (why: string) =>
      html`The gateway reports: ${why} It is not known whether it did what you asked anyway: look first, and repeat only what is missing.`,
    unexpected: (reference: string) =>
      html`Something went wrong on my side, and it was logged as ${code(reference)}. If you were sending, look at the card: it says what is known. Otherwise try again.`,
    usageNumbers: 'numbers',
    askNumbers: html`Which numbers? Separate several with commas, spaces or new lines.`,
    badNumbers: (typed: string) =>
      lines(
        typed !== '' && html`I found no mobile number in «${isolateAuto(typed)}».`,
        html`Write numbers like ${code('09121234567')}, ${code('+989121234567')} or ${code('۰۹۱۲۱۲۳۴۵۶۷')}.`,
      ),
    usageNumber: 'number',
    askNumber: html`Which mobile number?`,
    badNumber: (typed: string) =>
      lines(
        typed !== '' && html`«${isolateAuto(typed)}» is not one mobile number.`,
        html`Write one like ${code('09121234567')}.`,
      ),
    onlyOneNumber: html`That is more than one number; here it is one at a time.`,
    usageLine: 'line',
    askLine: html`Which sender line?`,
    askDraftLine: html`From which sender line? It is kept for this chat; /line changes it.`,
    usageText: 'text',
    askText: html`What should the message say?`,
    badText: (problem: MessageProblem, characters: number, limit: number): Html => {
      if (problem === 'too_long')
        return html`That is ${characters} characters; the gateway takes at most ${limit}. Shorten it.`;
      if (problem === 'empty') return html`The message is empty. Write some text.`;
      return html`The text has a broken character that cannot be sent. Type it again.`;
    },
    noTemplate: (name: string): Html =>
      lines(
        html`There is no template ${b(isolateAuto(`#${name}`))} in this chat, so I have no text. The templates here: /templates`,
        html`If your message is this word itself, add something to it.`,
      ),
    fieldsStay: (names: readonly string[]): Html =>
      html`⚠ The fields in this message stay as they are:${names.map((name) => html` ${code(isolateAuto(`{${name}}`))}`)}. Only /bulk fills them in, from a file.`,
    badLine: (typed: string): Html =>
      lines(
        typed !== '' && html`«${isolateAuto(typed)}» is no sender line.`,
        html`A sender line has 5 to 14 digits, such as ${code('3000123456')}`,
      ),
    usageRange: 'from to',
    askRange: html`Which time? For example ${code('today')}, ${code('yesterday')}, ${code('7d')}, ${code('24h')}, a month such as ${code('November')}, one day such as ${code('24 Nov')} or ${code('1405/09/03')}, or two, the earlier one first: ${code('1 Nov to 7 Nov')}.`,
    badRange: (typed: string): Html =>
      html`I could not read ${typed === '' ? 'that' : html`«${isolateAuto(typed)}»`} as a time in the past.`,
    restInFile: (count: string) => html`… and ${count} more; all of it is in the file below.`,
    fileProblems: {
      too_large: html`This file is larger than I can read. Split it into smaller ones.`,
      gone: html`Telegram does not give me this file any more. Send it again.`,
      not_a_table: html`I read CSV and XLSX files; this is neither. In Excel: Save as, CSV or XLSX.`,
      damaged: html`This file is damaged or cut off. Save it again and send it once more.`,
      too_wide: (limit: string): Html =>
        html`This file has more than ${limit} columns. Keep only those that are needed.`,
      too_many_rows: (limit: string): Html =>
        html`This file has more than ${limit} rows. Split it into smaller ones.`,
      too_many_cells: (limit: string): Html =>
        html`The sheet in this file has more than ${limit} cells and formats, which is the limit for a file of its size; empty cells count too. Copy the rows that you need into a new sheet, or save it as CSV.`,
      encrypted: html`This workbook has a password. Save it without one and send it again.`,
      empty: html`There is nothing in this file.`,
      too_long_cell: (limit: string): Html =>
        html`A cell of this file has more than ${limit} characters. Shorten it.`,
      open_quote: html`A quotation mark (") is opened in this file and not closed, so it is not clear where a row ends.`,
      mixed_encoding: html`This file mixes two encodings, so some letters would be wrong. Save it as UTF-8 CSV or as XLSX.`,
    },
    fileRow: (row: string): Html => html`The problem is in row ${row}.`,
    cancelByName: html`✖ ${slash('en', 'cancel')}`,
    replyToMe: html`(Reply to this message.)`,
    isThisTheAnswer: html`Is this the answer to my question? Press, or reply to the question.`,
    takeAnswer: '✅ Use it as the answer',
    whichOfContact: html`This contact has several mobile numbers. Which one?`,
    contactAdded: (number: string) => html`${number} is added.`,
    numbersAdded: html`The numbers that you sent after the first ones are added.`,
    takenBack: html`Your last answer is taken back. Give it once more:`,
    noText: html`There is no text in that message.`,
    interrupted: html`⏸ This question is still unanswered:`,
    late: html`⌛ I asked this more than ten minutes ago, so your message was not used as the answer:`,
    lateSecret: html`⌛ I asked this more than ten minutes ago. Your message was deleted and not used:`,
    goOnWith: '▶ Continue',
    editStays: html`So nothing was changed by the edit: the draft stays as it was. Edit the message once more, or use the buttons of the card.`,
    editIgnored: html`Nothing was changed: editing this message no longer has any effect. Send a new message, or use the buttons of the newest card.`,
    notWaiting: html`No question is waiting for this answer any more, so it was not used. Answer the newest question if there is one; otherwise start again with the command or button.`,
    notYours: html`No question is waiting for this answer from you: that one is over, or was put to somebody else. It was not used. Answer a newer question if it is yours; otherwise start again with the command or button.`,
  },
  fa: {
    cancel: '✖ انصراف',
    openGroup: '💬 بازکردن گروه',
    cancelled: html`لغو شد. چیزی تغییر نکرد.`,
    needsRole: (role: string) =>
      html`این کار در این گفتگو نقش <b>${role}</b> می‌خواهد. نقش را یک مدیر با ${fa('role')} می‌دهد؛ کسی که حساب را وصل کند مالک است. اختیارهای شما: ${fa('whoami')}`,
    needsConnection: html`هنوز حسابی از پنل پیامک به این گفتگو وصل نیست. با ${fa('connect')} وصل کنید.`,
    needsCredential: (names: string) =>
      names === ''
        ? html`پنل پیامکی که به ربات وصل است این کار را ندارد. از مدیر ربات بپرسید.`
        : html`این کار با حسابی که اینجا وصل است ممکن نیست. لازم دارد: ${names}. مالک آن را با ${fa('connect')} اضافه می‌کند.`,
    instead: (name) => html`بدون آن هم می‌شود: ${fa(name)}`,
    privateOnly: html`این دستور فقط در گفتگوی خصوصی با من کار می‌کند.`,
    openPrivate: '➡ گفتگوی خصوصی',
    unknownCommand: (command: string) =>
      html`دستور ${code(command)} را نمی‌شناسم. کارهایی که می‌توانید انجام دهید: ${fa('help')}`,
    whoAreYou: lines(
      html`شما به نام گروه نوشته‌اید و نمی‌بینم چه کسی هستید.`,
      html`برای ادامه به نام خودتان دکمه را بزنید؛ یک دقیقه کار می‌کند.`,
    ),
    goOnAsMyself: '➡ ادامه به نام خودم',
    leakedKey: (name: string) =>
      lines(
        html`⚠ ${isolateAuto(name)}، این شبیه یک کلید بود. پیام را تا جایی که می‌شد پاک کردم، ولی شاید دیگران دیده باشند: آن را لورفته بدانید و در پنل پیامک کلید جدید بسازید.`,
        html`کلید را فقط در گفتگوی خصوصی بدهید: ${fa('connect')}`,
      ),
    leakedKeyKept: (name: string) =>
      lines(
        html`⚠ ${isolateAuto(name)}، این شبیه یک کلید است و من اینجا اجازهٔ پاک‌کردن ندارم. خودتان پاکش کنید، آن را لورفته بدانید و در پنل پیامک کلید جدید بسازید.`,
        html`کلید را فقط در گفتگوی خصوصی بدهید: ${fa('connect')}`,
      ),
    press: {
      unknown:
        'این دکمه را نمی‌شناسم: از من نیست، خیلی قدیمی است یا با بازگرداندن نسخهٔ پشتیبان از یادم رفته. قبل از ارسال دوباره ببینید ارسال شده است یا نه.',
      other_chat: 'این دکمه مال گفتگوی دیگری است.',
      other_person: 'فقط کسی که درخواست کرده می‌تواند این را بزند.',
      own_question: 'خودتان درخواستش را داده‌اید؛ تأیید با نفر دیگری است.',
      role: `نقش شما در این گفتگو این اجازه را نمی‌دهد. ${fa('whoami')} را ببینید.`,
      used: 'این دکمه قبلاً زده شده است.',
      changed: 'کارت از آن وقت تغییر کرده است. دکمه‌های جدید را بزنید.',
      expired: 'مهلت این دکمه گذشته است. دکمه‌های جدید کارت را بزنید یا دوباره از دستور شروع کنید.',
      no_person: 'این دکمه را در همان گفتگوی پیام بزنید.',
      failed: 'انجام نشد. کمی بعد دوباره امتحان کنید.',
    },
    usedBy: (name, time, day) =>
      `${name === null ? 'خودتان' : isolateAuto(name)} ${day === '' ? '' : `${day} `}ساعت ${time} آن را زده${name === null ? '‌اید' : ' است'}.`,
    errors: {
      bad_input: html`این را نفهمیدم. شکل دستور را در ${fa('help')} ببینید.`,
      not_allowed: html`اینجا اجازهٔ این کار را ندارید. ${fa('whoami')} را ببینید.`,
      not_connected: html`دیگر حسابی از پنل پیامک به این گفتگو وصل نیست. با ${fa('connect')} وصل کنید.`,
      already_connected: html`اینجا قبلاً حسابی وصل شده است.`,
      expired: html`مهلتش گذشته است. دوباره از دستور شروع کنید.`,
      stale: html`در این مدت تغییر کرده است. دوباره از دستور شروع کنید.`,
      busy: html`پنل پیامک شلوغ است. یک دقیقه بعد دوباره امتحان کنید.`,
      rate_limited: html`درخواست‌ها زیاد بود. یک دقیقه بعد دوباره امتحان کنید.`,
      gateway_no_answer: html`پنل پیامک به‌موقع پاسخ نداد. چیزی تغییر نکرد؛ یک دقیقه بعد دوباره امتحان کنید.`,
      gateway_unreadable: html`پاسخ پنل پیامک خوانا نبود. چیزی تغییر نکرد؛ بعداً دوباره امتحان کنید و اگر ادامه داشت به پشتیبانی پنل پیامک بگویید.`,
      gateway_unsupported: html`حسابی که اینجا وصل است این کار را نمی‌تواند انجام دهد. مالک با ${fa('connect')} کلید یا رمز دیگری اضافه می‌کند.`,
    },
    refused: (why: string) => html`پنل پیامک نپذیرفت: ${why}`,
    mayHaveActed: {
      gateway_no_answer: html`پنل پیامک به‌موقع پاسخ نداد. معلوم نیست خواستهٔ شما انجام شده است یا نه: اول نگاه کنید و فقط آنچه مانده را تکرار کنید.`,
      gateway_unreadable: html`پاسخ پنل پیامک خوانا نبود. معلوم نیست خواستهٔ شما انجام شده است یا نه: اول نگاه کنید و فقط آنچه مانده را تکرار کنید. اگر ادامه داشت به پشتیبانی پنل پیامک بگویید.`,
    },
    refusedPerhaps: (why: string) =>
      html`پنل پیامک می‌گوید: ${why} معلوم نیست خواستهٔ شما انجام شده است یا نه: اول نگاه کنید و فقط آنچه مانده را تکرار کنید.`,
    unexpected: (reference: string) =>
      html`خطایی از طرف من رخ داد و با شناسهٔ ${code(isolateLtr(reference))} ثبت شد. اگر در حال ارسال بودید کارت را ببینید: هرچه معلوم است آنجا نوشته می‌شود. وگرنه دوباره امتحان کنید.`,
    usageNumbers: 'شماره‌ها',
    askNumbers: html`کدام شماره‌ها؟ چند شماره را با ویرگول، فاصله یا خط جدید جدا کنید.`,
    badNumbers: (typed) =>
      lines(
        typed !== '' && html`در «${isolateAuto(typed)}» شمارهٔ همراهی پیدا نکردم.`,
        html`شماره را این‌طور بنویسید: ${code('09121234567')}، ${code('+989121234567')} یا ${code('۰۹۱۲۱۲۳۴۵۶۷')}.`,
      ),
    usageNumber: 'شماره',
    askNumber: html`کدام شمارهٔ همراه؟`,
    badNumber: (typed) =>
      lines(
        typed !== '' && html`«${isolateAuto(typed)}» یک شمارهٔ همراه نیست.`,
        html`یک شماره بنویسید، مانند ${code('09121234567')}`,
      ),
    onlyOneNumber: html`بیش از یک شماره نوشتید؛ اینجا هر بار یک شماره می‌شود.`,
    usageLine: 'خط',
    askLine: html`کدام خط فرستنده؟`,
    askDraftLine: html`از کدام خط؟ برای این گفتگو می‌ماند؛ با ${fa('line')} عوضش کنید.`,
    usageText: 'متن',
    askText: html`متن پیام چه باشد؟`,
    badText: (problem, characters, limit) => {
      if (problem === 'too_long')
        return html`این ${persian(characters)} کاراکتر است و پنل پیامک بیش از ${persian(limit)} نمی‌پذیرد. کوتاهش کنید.`;
      if (problem === 'empty') return html`پیام خالی است. متنی بنویسید.`;
      return html`متن کاراکتر خرابی دارد که ارسال نمی‌شود. دوباره تایپ کنید.`;
    },
    noTemplate: (name) =>
      lines(
        html`متن آمادهٔ ${b(isolateAuto(`#${name}`))} در این گفتگو نیست و متنی ندارم. متن‌های آمادهٔ اینجا: ${fa('templates')}`,
        html`اگر پیامتان همین یک کلمه است، چیزی به آن اضافه کنید.`,
      ),
    fieldsStay: (names) =>
      html`⚠ فیلدهای این پیام پر نمی‌شود و همین‌طور می‌ماند:${names.map((name) => html` ${code(isolateAuto(`{${name}}`))}`)}. فقط ${fa('bulk')} آن‌ها را از روی فایل پر می‌کند.`,
    badLine: (typed) =>
      lines(
        typed !== '' && html`«${isolateAuto(typed)}» خط فرستنده نیست.`,
        html`خط فرستنده ۵ تا ۱۴ رقم دارد، مانند ${code('3000123456')}`,
      ),
    usageRange: 'از تا',
    askRange: html`چه زمانی؟ مثلاً ${code('امروز')}، ${code('دیروز')}، ${code('۷ روز')}، ${code('۲۴ ساعت')}، یک ماه مانند ${code('آذر')}، یک روز مانند ${code('۳ آذر')} یا ${code('1405/09/03')}، یا دو روز که زودتر اول بیاید: ${code('۱ تا ۷ آذر')}.`,
    badRange: (typed) =>
      html`${typed === '' ? 'این' : html`«${isolateAuto(typed)}»`} را زمانی در گذشته نفهمیدم.`,
    restInFile: (count) => html`… و ${count} تای دیگر؛ همه در فایل زیر است.`,
    fileProblems: {
      too_large: html`این فایل بزرگ‌تر از آن است که بتوانم بخوانم. آن را به چند فایل کوچک‌تر تقسیم کنید.`,
      gone: html`تلگرام دیگر این فایل را به من نمی‌دهد. دوباره بفرستید.`,
      not_a_table: html`من فایل CSV و XLSX می‌خوانم و این هیچ‌کدام نیست. در اکسل به یکی از این دو شکل ذخیره کنید.`,
      damaged: html`این فایل خراب یا ناقص است. دوباره ذخیره کنید و بفرستید.`,
      too_wide: (limit) => html`این فایل بیش از ${limit} ستون دارد. فقط ستون‌های لازم را نگه دارید.`,
      too_many_rows: (limit) =>
        html`این فایل بیش از ${limit} ردیف دارد. آن را به چند فایل کوچک‌تر تقسیم کنید.`,
      too_many_cells: (limit) =>
        html`برگهٔ این فایل بیش از ${limit} خانه و قالب‌بندی دارد که سقف فایلی با این حجم است؛ خانه‌های خالی هم شمرده می‌شوند. ردیف‌های لازم را در یک برگهٔ جدید کپی کنید یا آن را به شکل CSV ذخیره کنید.`,
      encrypted: html`این فایل رمز دارد. بدون رمز ذخیره کنید و دوباره بفرستید.`,
      empty: html`در این فایل چیزی نیست.`,
      too_long_cell: (limit) => html`یکی از خانه‌های این فایل بیش از ${limit} کاراکتر دارد. کوتاهش کنید.`,
      open_quote: html`گیومه‌ای (") در این فایل باز شده و بسته نشده و معلوم نیست ردیف کجا تمام می‌شود.`,
      mixed_encoding: html`حرف‌های این فایل با دو کدگذاری نوشته شده و بعضی از آن‌ها غلط می‌شود. آن را به شکل XLSX یا CSV یونیکد ذخیره کنید.`,
    },
    fileRow: (row) => html`مشکل در ردیف ${row} است.`,
    cancelByName: html`✖ ${fa('cancel')}`,
    replyToMe: html`(به همین پیام پاسخ دهید.)`,
    isThisTheAnswer: html`این پاسخ سؤال من است؟ دکمه را بزنید یا به خود سؤال پاسخ دهید.`,
    takeAnswer: '✅ همین پاسخ است',
    whichOfContact: html`این مخاطب چند شمارهٔ موبایل دارد. کدام؟`,
    contactAdded: (number) => html`${number} هم اضافه شد.`,
    numbersAdded: html`شماره‌هایی که بعد از آن فرستادید هم اضافه شد.`,
    takenBack: html`آخرین پاسخ شما کنار گذاشته شد. دوباره بدهید:`,
    noText: html`آن پیام متن ندارد.`,
    interrupted: html`⏸ این سؤال هنوز بی‌پاسخ است:`,
    late: html`⌛ از این سؤال بیش از ده دقیقه گذشته است؛ پیامتان جواب آن حساب نشد:`,
    lateSecret: html`⌛ از این سؤال بیش از ده دقیقه گذشته است؛ پیامتان را پاک کردم و استفاده نشد:`,
    goOnWith: '▶ ادامه',
    editStays: html`برای همین با این ویرایش چیزی تغییر نکرد و پیش‌نویس همان است که بود. پیام را دوباره ویرایش کنید یا از دکمه‌های کارت استفاده کنید.`,
    editIgnored: html`چیزی تغییر نکرد: ویرایش این پیام دیگر اثری ندارد. پیام جدیدی بفرستید یا از دکمه‌های آخرین کارت استفاده کنید.`,
    notWaiting: html`دیگر سؤالی منتظر این پاسخ نیست و از آن استفاده نشد. اگر سؤال جدیدتری هست به آن پاسخ دهید؛ وگرنه با دستور یا دکمه از اول شروع کنید.`,
    notYours: html`سؤالی منتظر این پاسخ از شما نیست: آن سؤال تمام شده یا از کس دیگری پرسیده شده است. از پاسخ استفاده نشد. اگر سؤال جدیدتری از شما پرسیده شده به آن پاسخ دهید؛ وگرنه با دستور یا دکمه از اول شروع کنید.`,
  },
});
