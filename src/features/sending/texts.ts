import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, code, html, type Html } from '../../telegram/html.ts';
import { slash } from '../../telegram/slash.ts';
import { skipReason } from '../shared/skip-reasons.ts';

const one = (id: string) => b(isolateLtr(`#${id}`));
const lineList = (list: readonly string[]): string =>
  `${list.length === 1 ? 'line' : 'lines'} ${list.map((line) => isolateLtr(line)).join(', ')}`;
const lineListFa = (list: readonly string[]): string =>
  `${list.length === 1 ? 'خط' : 'خط‌های'} ${list.map((line) => isolateLtr(line)).join('، ')}`;

export const texts = defineTexts({
  en: {
    about: 'send a message: preview first, then confirm',
    example: '/send 09121234567 Hello',
    offer: '✉️ Make it an SMS',
    offerTo: (number: string): string => `✉️ SMS to ${number}`,
    isBelow: (id: string): Html => html`⬇️ ${one(id)} continues below.`,
    textIs: (text: string): Html => html`✉️ Text: «${isolateAuto(text)}»`,
    askNumbers: html`To which numbers? Separate several with commas, spaces or new lines.`,
    askMobile: html`Your own mobile number, for test messages?`,
    badMobile: html`Type one mobile number, such as ${code('09121234567')}`,
    draft: (id: string, line: string, flash: boolean): Html =>
      html`✉️ Draft ${one(id)} · line ${isolateLtr(line)}${flash ? ' · ⚡ flash' : ''}`,
    draftMulti: (id: string, from: string): Html => html`✉️ Draft ${one(id)} · each its own text · ${from}`,
    fromLines: (list: readonly string[]): string => lineList(list),
    row: (line: string, recipient: string, text: string, flash: boolean): Html =>
      html`${isolateLtr(recipient)} ← ${isolateLtr(line)}${flash ? ' ⚡' : ''}: ${isolateAuto(text)}`,
    pattern: (id: string): Html => html`🧩 Pattern ${code(isolateLtr(id))}`,
    variable: (name: string, value: string): Html => html`${isolateAuto(name)} = ${isolateAuto(value)}`,
    noVariables: html`without values`,
    patternUnknown: html`The gateway keeps the text of a pattern: its parts and price are not known here.`,
    at: (when: string): Html => html`🕐 ${when}`,
    atNote: html`It waits at the gateway until then. What the gateway has accepted cannot be taken back from here.`,
    kept: html`🕐 The gateway keeps what it has accepted until then.`,
    past: html`The time of this draft is over or less than two minutes away, so nothing was sent. Send the command again with a later time.`,
    otherAccount: (code: string): Html =>
      html`Nothing was sent: since ${b(isolateLtr(`#${code}`))} was prepared, this chat’s account was unlinked or replaced. To send by the one that is linked now, send the command again.`,
    knownSince: (code: string): Html =>
      html`Nothing was sent: ${one(code)} has changed, or some of what it was to send again is known by now. The earlier card says what, and sends the rest again.`,
    book: (title: string): Html => html`📒 To the phonebook «${isolateAuto(title)}»`,
    bookCall: html`It goes to exactly these numbers: if the phonebook has others by then, I ask before anything is sent.`,
    bookExpanded: html`To the numbers that are in the phonebook now. Later changes of the phonebook do not change this send.`,
    messages: { one: 'message', other: 'messages' },
    sendPattern: (count: string): string => `✅ Send ${count}`,
    measure: (characters: string, encoding: string, parts: string): Html =>
      html`${characters} · ${encoding} · ${parts}`,
    characters: { one: 'character', other: 'characters' },
    parts: { one: 'part', other: 'parts' },
    numbers: { one: 'number', other: 'numbers' },
    recipients: { one: 'recipient', other: 'recipients' },
    encodings: { gsm7: 'Latin', ucs2: 'Unicode' },
    audience: (all: string, good: string, rest: readonly string[]): Html =>
      html`${all} → ${good} to send${rest.map((each) => `, ${each}`)}`,
    repeatedLine: (list: string): Html => html`♻️ Repeated, counted once: ${list}`,
    blockedLine: (list: string, line: string | null): Html =>
      line === null
        ? html`⛔ On this line’s blacklist, left out: ${list}`
        : html`⛔ On the blacklist of line ${isolateLtr(line)}, left out: ${list}`,
    untoldLines: (list: readonly string[], isNone: boolean): Html =>
      isNone
        ? html`🚫 The gateway says that ${lineList(list)} ${list.length === 1 ? 'does' : 'do'} not belong to the account. It may refuse the messages from there, and others in the same request.`
        : html`⛔ The blacklist of ${lineList(list)} could not be read. It is checked again right before sending.`,
    nobody: html`Nobody is left to send to. Choose other numbers, or take them off the blacklist with ${slash('en', 'unblock')}.`,
    invalidItem: (raw: string, why: string): Html => html`🚫 ${isolateAuto(raw)}: ${why}`,
    slipInText: (raw: string, why: string): Html =>
      html`⚠️ The text begins with ${isolateAuto(raw)}. If that was meant as a recipient: ${why}. It gets no message; cancel, and send again with the right number.`,
    numberInText: (numbers: string): Html =>
      html`⚠️ ${isolateLtr(numbers)} stands in the text and gets no message. If it was meant as a recipient, give all numbers first and the text behind them.`,
    commandInText: (line: string): Html =>
      html`⚠️ The text has a line that reads as a command: ${isolateAuto(line)}. A message holds one command, and the rest is its text; to give both, cancel and send each by itself.`,
    templateThere: (name: string): Html =>
      html`📄 There is a template ${isolateAuto(`#${name}`)}; the text above goes as it was typed.`,
    useTemplate: (name: string): string => `📄 Use ${isolateAuto(`#${name}`)}`,
    twin: (id: string, when: string | null): Html =>
      when === null
        ? html`⚠️ Draft ${one(id)} has the same text for the same people. If you send both, they get it twice.`
        : html`⚠️ ${one(id)} (${when}) has the same text for the same people. If you send this too, they may get it twice.`,
    why: (reason: string): string => skipReason('en', reason),
    more: (count: string): Html => html`… and ${count} more`,
    skippedFile: (count: string): string => `🚫 All ${count} as a file`,
    skippedColumns: ['left out', 'why'],
    send: (count: string, parts: string): string => `✅ Send ${count} · ${parts}`,
    reopen: '✏️ Edit',
    again: '🔄 Reopen',
    isAgain: (id: string): Html => html`It is draft ${one(id)} again.`,
    againOf: (id: string, rejectedBy: string | null): Html =>
      html`🔄 ${one(id)} again, ${rejectedBy === null ? 'which was not sent in time' : html`which ${isolateAuto(rejectedBy)} rejected`}.`,
    fileGone: html`The rows of that file are no longer kept. Send the file again.`,
    look: '👀 Look',
    back: '⬅ Back',
    text: '✏️ Text',
    line: '📞 Line',
    flash: (on: boolean): string => (on ? '⚡ Flash: on' : '⚡ Flash: off'),
    toMe: '🧪 To me',
    cancel: '✖ Cancel',
    undo: '↩️ Undo',
    onlyAsker: 'Only whoever asked can press the buttons.',
    cancelled: (id: string): Html => html`✖ Draft ${one(id)} · cancelled, none of it was sent`,
    expired: (id: string): Html => html`⌛ Draft ${one(id)} · expired, none of it was sent`,
    changedElsewhere: html`The card has changed since; use its newest buttons.`,
    notOpen: html`That draft is not open any more.`,
    head: (id: string, name: string, approver: string | null): Html =>
      html`✉️ ${one(id)} by ${isolateAuto(name)}${approver === null ? '' : `, approved by ${isolateAuto(approver)}`}`,
    leaving: (recipients: string, seconds: string): Html => html`${recipients} · leaving in ${seconds} s`,
    undone: (id: string, name: string, by: string | null, backAs: string | null): Html =>
      html`↩️ ${one(id)} by ${isolateAuto(name)} · undone${by === null ? '' : ` by ${isolateAuto(by)}`} · not sent${backAs === null ? '' : html`. It is draft ${one(backAs)} again.`}`,
    undoOf: (id: string, by: string, rowsGone: boolean): Html =>
      html`↩️ ${isolateAuto(by)} has undone ${one(id)}: nothing of it was sent.${rowsGone ? ' The rows of its file are no longer kept: it can be sent as it is. To change it, send the file again.' : ''}`,
    undoCall: (author: Html, id: string, by: string, backAs: string): Html =>
      html`${author}: ${isolateAuto(by)} has undone ${one(id)}, nothing of it was sent. It is draft ${one(backAs)} again.`,
    sending: html`🚚 Sending…`,
    withCorrelation: (why: string): Html => html`Reason: ${why}`,
    unknown: (count: string): Html =>
      html`${count}: no clear answer from the gateway. They may have been sent; I will not send them again by myself.`,
    unknownLater: (count: string): Html =>
      html`${count}: no clear answer from the gateway. It may still send them at that time; I will not repeat the request by myself.`,
    skipped: (count: string, raw: readonly string[]): Html =>
      html`${count}: ${raw.map((item) => isolateAuto(item)).join(', ')}`,
    resent: (count: string): Html =>
      html`🔁 ${count} without a clear outcome were sent again with another card; the first try may have worked too`,
    said: (count: string): Html => html`✔ ${count} counted as sent, as somebody decided`,
    reportsEnded: html`No further delivery report has come, and none is asked for any more.`,
    stopped: {
      credit: html`⏹ Stopped: not enough credit.`,
      account: html`⏹ Stopped: the gateway says the account is not active. See /account`,
      person: html`⏹ Stopped by a person.`,
      halted: html`⏹ Stopped: all sends of this chat are switched off.`,
      held: html`⏹ Stopped: the bot’s administrator has stopped the sends of all chats.`,
      restored: html`⏹ Stopped: it was already stopped in the backup that the bot’s data was restored from.`,
      earlier_unknown: html`⏹ Stopped: an earlier, equal message to some of these numbers has an unknown outcome. Sending now could reach them twice.`,
      not_connected: html`⏹ Stopped: its gateway account is no longer linked here.`,
      unreachable: html`⏹ Stopped: the gateway could not be reached, so the rest was not sent.`,
    },
    tooLate: html`Too late to undo: sending has started. The card says what is known.`,
    nothingToStop: html`There is nothing to stop.`,
    localRefusal: 'this account cannot send this text or these numbers',
    test: html`🧪 Test message`,
  },
  fa: {
    about: 'ارسال پیام: اول پیش‌نمایش، بعد تأیید',
    example: '/send 09121234567 سلام',
    offer: '✉️ پیامک شود',
    offerTo: (number) => `✉️ پیامک به ${number}`,
    isBelow: (id) => html`⬇️ ادامهٔ ${one(id)} پایین‌تر است.`,
    textIs: (text) => html`✉️ متن: «${isolateAuto(text)}»`,
    askNumbers: html`به کدام شماره‌ها؟ چند شماره را با ویرگول، فاصله یا خط جدید جدا کنید.`,
    askMobile: html`شمارهٔ همراه خودتان برای پیام آزمایشی؟`,
    badMobile: html`یک شمارهٔ همراه بنویسید، مانند ${code('09121234567')}`,
    draft: (id, line, flash) =>
      html`✉️ پیش‌نویس ${one(id)} · خط ${isolateLtr(line)}${flash ? ' · ⚡ فلش' : ''}`,
    draftMulti: (id, from) => html`✉️ پیش‌نویس ${one(id)} · هر کدام متن خودش · ${from}`,
    fromLines: (list) => lineListFa(list),
    row: (line, recipient, text, flash) =>
      html`${isolateLtr(recipient)} از خط ${isolateLtr(line)}${flash ? ' ⚡' : ''}: ${isolateAuto(text)}`,
    pattern: (id) => html`🧩 الگوی ${code(isolateLtr(id))}`,
    variable: (name, value) => html`${isolateAuto(name)} = ${isolateAuto(value)}`,
    noVariables: html`بدون مقدار`,
    patternUnknown: html`متن الگو در پنل پیامک است؛ تعداد پارت‌ها و قیمتش از اینجا معلوم نیست.`,
    at: (when) => html`🕐 ${when}`,
    atNote: html`تا آن زمان در پنل پیامک می‌ماند. آنچه پنل پیامک بپذیرد دیگر از اینجا لغو نمی‌شود.`,
    kept: html`🕐 پنل پیامک آنچه را پذیرفته تا آن زمان نگه می‌دارد.`,
    past: html`زمان این پیش‌نویس گذشته یا کمتر از دو دقیقه مانده است و چیزی ارسال نشد. دستور را با زمان دیرتری دوباره بفرستید.`,
    otherAccount: (code) =>
      html`چیزی ارسال نشد: بعد از آماده شدن ${b(isolateLtr(`#${code}`))} حساب این گفتگو جدا یا عوض شده است. برای ارسال با حسابی که الان وصل است، دستور را دوباره بفرستید.`,
    knownSince: (code) =>
      html`چیزی ارسال نشد: ${one(code)} تغییر کرده، یا نتیجهٔ بعضی از پیام‌هایش دیگر معلوم است. کارت ارسال قبلی می‌گوید کدام‌ها، و بقیه را از همان‌جا می‌شود دوباره ارسال کرد.`,
    book: (title) => html`📒 به دفترچهٔ «${isolateAuto(title)}»`,
    bookCall: html`فقط به همین شماره‌ها ارسال می‌شود: اگر تا آن موقع شماره‌های دفترچه عوض شود، قبل از ارسال می‌پرسم.`,
    bookExpanded: html`به شماره‌هایی که الان در دفترچه است. تغییرهای بعدی دفترچه روی این ارسال اثری ندارد.`,
    messages: { one: 'پیام', other: 'پیام' },
    sendPattern: (count) => `✅ ارسال به ${count}`,
    measure: (characters, encoding, parts) => html`${characters} · ${encoding} · ${parts}`,
    characters: { one: 'کاراکتر', other: 'کاراکتر' },
    parts: { one: 'پارت', other: 'پارت' },
    numbers: { one: 'شماره', other: 'شماره' },
    recipients: { one: 'گیرنده', other: 'گیرنده' },
    encodings: { gsm7: 'لاتین', ucs2: 'یونیکد' },
    audience: (all, good, rest) => html`${all} ← ${good} ارسال می‌شود${rest.map((each) => `، ${each}`)}`,
    repeatedLine: (list) => html`♻️ تکراری، یک بار حساب می‌شود: ${list}`,
    blockedLine: (list, line) =>
      line === null
        ? html`⛔ در لیست سیاه این خط، به این‌ها ارسال نمی‌شود: ${list}`
        : html`⛔ در لیست سیاه خط ${isolateLtr(line)}، از این خط به این‌ها ارسال نمی‌شود: ${list}`,
    untoldLines: (list, isNone) =>
      isNone
        ? html`🚫 پنل پیامک می‌گوید ${lineListFa(list)} مال این حساب نیست. شاید پیام‌های آن، و پیام‌های دیگری را که در همان درخواست است، نپذیرد.`
        : html`⛔ لیست سیاه ${lineListFa(list)} خوانده نشد. درست قبل از ارسال دوباره بررسی می‌شود.`,
    nobody: html`گیرنده‌ای نمانده است. شماره‌های دیگری بدهید یا با ${slash('fa', 'unblock')} از لیست سیاه بردارید.`,
    invalidItem: (raw, why) => html`🚫 ${isolateAuto(raw)}: ${why}`,
    slipInText: (raw, why) =>
      html`⚠️ متن با ${isolateAuto(raw)} شروع می‌شود. اگر گیرنده است، ${why} و چیزی به آن ارسال نمی‌شود؛ انصراف بزنید و با شمارهٔ درست دوباره بفرستید.`,
    numberInText: (numbers) =>
      html`⚠️ ${isolateLtr(numbers)} داخل متن است و پیامکی نمی‌گیرد. اگر گیرنده است، اول همهٔ شماره‌ها را بنویسید و بعد متن را.`,
    commandInText: (line) =>
      html`⚠️ یک سطر متن شبیه دستور است: ${isolateAuto(line)}. هر پیام یک دستور است و بقیه‌اش متن پیامک می‌شود؛ اگر دو دستور است، انصراف بزنید و هر کدام را جدا بفرستید.`,
    templateThere: (name) =>
      html`📄 متن آماده‌ای به نام ${isolateAuto(`#${name}`)} هست؛ ولی همان که نوشته‌اید ارسال می‌شود.`,
    useTemplate: (name) => `📄 متن آمادهٔ ${isolateAuto(`#${name}`)}`,
    twin: (id, when) =>
      when === null
        ? html`⚠️ پیش‌نویس ${one(id)} همین متن را برای همین گیرنده‌ها دارد. اگر هر دو را ارسال کنید، دو بار به آن‌ها می‌رسد.`
        : html`⚠️ ${one(id)} (${when}) همین متن را برای همین گیرنده‌ها دارد. اگر این را هم ارسال کنید، شاید دو بار به آن‌ها برسد.`,
    why: (reason) => skipReason('fa', reason),
    more: (count) => html`… و ${count} تای دیگر`,
    skippedFile: (count) => `🚫 هر ${count} مورد در فایل`,
    skippedColumns: ['کنار گذاشته‌شده', 'دلیل'],
    send: (count, parts) => `✅ ارسال به ${count} · ${parts}`,
    reopen: '✏️ ویرایش',
    again: '🔄 بازکردن دوباره',
    isAgain: (id) => html`دوباره پیش‌نویس است: ${one(id)}.`,
    againOf: (id, rejectedBy) =>
      html`🔄 همان ${one(id)} است که ${rejectedBy === null ? 'به‌موقع ارسال نشد' : html`${isolateAuto(rejectedBy)} ردش کرد`}.`,
    fileGone: html`ردیف‌های آن فایل دیگر نگه داشته نمی‌شود. فایل را دوباره بفرستید.`,
    look: '👀 مشاهده',
    back: '➡ بازگشت',
    text: '✏️ متن',
    line: '📞 خط',
    flash: (on) => (on ? '⚡ فلش: روشن' : '⚡ فلش: خاموش'),
    toMe: '🧪 به خودم',
    cancel: '✖ انصراف',
    undo: '↩️ لغو ارسال',
    onlyAsker: 'فقط درخواست‌کننده می‌تواند دکمه‌ها را بزند.',
    cancelled: (id) => html`✖ پیش‌نویس ${one(id)} · لغو شد و چیزی از آن ارسال نشد`,
    expired: (id) => html`⌛ پیش‌نویس ${one(id)} · مهلتش گذشت و چیزی از آن ارسال نشد`,
    changedElsewhere: html`کارت از آن وقت تغییر کرده است؛ دکمه‌های جدیدش را بزنید.`,
    notOpen: html`آن پیش‌نویس دیگر باز نیست.`,
    head: (id, name, approver) =>
      html`✉️ ${one(id)} از ${isolateAuto(name)}${approver === null ? '' : `، با تأیید ${isolateAuto(approver)}`}`,
    leaving: (recipients, seconds) => html`${recipients} · تا ${seconds} ثانیهٔ دیگر ارسال می‌شود`,
    undone: (id, name, by, backAs) =>
      html`↩️ ${one(id)} از ${isolateAuto(name)} · ${by === null ? 'لغو شد' : `${isolateAuto(by)} لغوش کرد`} · ارسال نشد${backAs === null ? '' : html`. دوباره پیش‌نویس است: ${one(backAs)}.`}`,
    undoOf: (id, by, rowsGone) =>
      html`↩️ ${isolateAuto(by)} ارسال ${one(id)} را لغو کرد: چیزی از آن ارسال نشد.${rowsGone ? ' ردیف‌های فایلش دیگر نگه داشته نمی‌شود: همین‌طور که هست می‌شود ارسالش کرد. برای تغییر، فایل را دوباره بفرستید.' : ''}`,
    undoCall: (author, id, by, backAs) =>
      html`${author}: ${isolateAuto(by)} ارسال ${one(id)} را لغو کرد و چیزی از آن ارسال نشد. دوباره پیش‌نویس است: ${one(backAs)}.`,
    sending: html`🚚 در حال ارسال…`,
    withCorrelation: (why) => html`دلیل: ${why}`,
    unknown: (count) =>
      html`${count}: پنل پیامک پاسخ روشنی نداد. شاید ارسال شده باشد؛ خودم دوباره ارسال نمی‌کنم.`,
    unknownLater: (count) =>
      html`${count}: پنل پیامک پاسخ روشنی نداد. شاید در آن زمان ارسال کند؛ خودم درخواست را تکرار نمی‌کنم.`,
    skipped: (count, raw) => html`${count}: ${raw.map((item) => isolateAuto(item)).join('، ')}`,
    resent: (count) =>
      html`🔁 ${count} تا که نتیجه‌شان روشن نبود با کارت دیگری دوباره ارسال شد؛ شاید بار اول هم ارسال شده باشد`,
    said: (count) => html`✔ ${count} تا با تصمیم یک نفر ارسال‌شده حساب شد`,
    reportsEnded: html`گزارش تحویل دیگری نیامده و دیگر هم پرسیده نمی‌شود.`,
    stopped: {
      credit: html`⏹ متوقف شد: اعتبار کافی نیست.`,
      account: html`⏹ متوقف شد: پنل پیامک می‌گوید حساب فعال نیست. ${slash('fa', 'account')} را ببینید.`,
      person: html`⏹ یک نفر متوقفش کرد.`,
      halted: html`⏹ متوقف شد: همهٔ ارسال‌های این گفتگو خاموش است.`,
      held: html`⏹ متوقف شد: مدیر ربات ارسال‌های همهٔ گفتگوها را متوقف کرده است.`,
      restored: html`⏹ متوقف شد: در نسخهٔ پشتیبانی که داده‌های ربات از آن برگشت، متوقف بود.`,
      earlier_unknown: html`⏹ متوقف شد: نتیجهٔ پیام یکسان قبلی به بعضی از این شماره‌ها نامعلوم است و شاید با ارسال الان دوبار برسد.`,
      not_connected: html`⏹ متوقف شد: حسابش دیگر اینجا وصل نیست.`,
      unreachable: html`⏹ متوقف شد: پنل پیامک در دسترس نبود و بقیه ارسال نشد.`,
    },
    tooLate: html`برای لغو ارسال دیر شد: ارسال شروع شده است. آنچه معلوم است روی کارت هست.`,
    nothingToStop: html`چیزی برای توقف نمانده است.`,
    localRefusal: 'این حساب نمی‌تواند این متن یا این شماره‌ها را ارسال کند',
    test: html`🧪 پیام آزمایشی`,
  },
});
