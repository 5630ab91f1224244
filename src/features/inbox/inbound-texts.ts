import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import type { BlacklistOutcome, UnansweredReason } from '../../ports/two-way.ts';
import { b, code, html, lines, link, type Html } from '../../telegram/html.ts';
import { slash } from '../../telegram/slash.ts';

const digits = (line: string): Html => code(isolateLtr(line));
const who = (name: string): string => isolateAuto(name);

/** How far an answer or the last message to somebody has come. */
export type Progress = 'waiting' | 'accepted' | 'delivered' | 'failed' | 'not_sent' | 'blocked' | 'unknown';

/** The card of a received message, and what people do with it. */
export const inboundTexts = defineTexts({
  en: {
    head: (line: string, when: string, id: string): Html =>
      html`📩 to ${digits(line)} · ${when} · ${code(`#in${id}`)}`,
    from: (sender: Html, name: string | null): Html =>
      name === null ? html`${sender}` : html`${sender} · ${b(who(name))}`,
    noText: html`(no text)`,
    cut: (shown: string, all: string) => `first ${shown} of ${all} characters`,
    sentTo: (id: string, line: string, when: string, how: Progress): Html =>
      html`✉️ ${code(`#${id}`)}${line === '' ? '' : html` from ${digits(line)}`} · ${when} · ${PROGRESS_EN[how]}`,
    lastSent: (id: string, when: string, how: Progress): Html =>
      html`last sent: ${code(`#${id}`)}, ${when}, ${PROGRESS_EN[how]}`,
    takenBy: (by: Html): Html => html`🙋 ${by}`,
    answeredBy: (name: string): Html => html`↩️ answered by ${who(name)}`,
    answer: (name: string, id: string, how: Progress): Html =>
      html`↩️ ${how === 'waiting' ? 'answer' : 'answered'} by ${who(name)} · ${code(`#${id}`)} · ${PROGRESS_EN[how]}`,
    autoAnswer: (id: string, how: Progress): Html =>
      html`🤖 automatic answer · ${code(`#${id}`)} · ${PROGRESS_EN[how]}`,
    unanswered: (why: UnansweredReason): Html =>
      html`🤖 the automatic answer was not sent: ${UNANSWERED_EN[why]}`,
    doneBy: (name: string): Html => html`✔ done · ${who(name)}`,
    opt: (what: 'out' | 'in', outcome: BlacklistOutcome, sender: Html, line: string): Html =>
      what === 'out' ? outOptEn(outcome, sender, line) : inOptEn(outcome, sender, line),
    blocked: (name: string, outcome: BlacklistOutcome, line: string): Html =>
      html`⛔ ${who(name)}: ${BLOCKED_EN[outcome]} · line ${digits(line)}`,
    undone: (what: 'off' | 'on', name: string, outcome: BlacklistOutcome): Html =>
      html`↩️ ${who(name)}: ${what === 'off' ? OFF_EN[outcome] : BLOCKED_EN[outcome]}`,
    back: (by: Html): Html => html`⏰ ${by}, this is due now.`,
    snoozedUntil: (when: string, name: string): Html => html`💤 until ${when} · ${who(name)}`,
    handOver: '🤝 Hand over',
    snooze: '💤 Snooze',
    history: '🔎 History',
    wake: '⏰ End snooze',
    take: '🙋 Take',
    takeOver: '🙋 Take over',
    reply: '↩️ Reply',
    block: '⛔ Block',
    done: '✔ Done',
    reopen: '🔓 Open again',
    undo: '↩️ Undo',
    takenFirst: (name: string, ago: string): Html =>
      html`${who(name)} took this ${ago}. ${b('Take over')} on the card makes it yours.`,
    someoneHas: (name: string, ago: string, id: string): Html =>
      html`🙋 ${who(name)} took ${code(`#in${id}`)} ${ago} and has not answered yet.`,
    someoneAnswered: (name: string, ago: string, id: string): Html =>
      html`↩️ ${who(name)} answered ${code(`#in${id}`)} ${ago}.`,
    yourText: html`Your text has not been sent:`,
    sendAnyway: '✅ Send anyway',
    ask: (name: string) => `🙋 Ask ${who(name)}`,
    asks: (other: { readonly id: number; readonly name: string }, name: string, id: string): Html =>
      html`🙋 ${link(who(other.name), `tg://user?id=${other.id}`)}, ${who(name)} would like to answer ${code(`#in${id}`)}, which is with you. May they?`,
    notMobile: (sender: Html): Html =>
      html`${sender} is a name or a short code, not a mobile number: no SMS reaches it, so this message cannot be answered.`,
    gone: html`This chat has no such message.`,
    noMessage: (id: string): Html =>
      html`There is no received message ${code(`#in${id}`)} in this chat. Check its number; all that were received: /inbox all`,
    asAnswer: (id: string): Html =>
      html`Should this be sent as the answer to ${code(`#in${id}`)}? Nothing was sent yet.`,
    useAsAnswer: '↩️ Send it as the answer',
    otherAccount: html`This message came to an account that is no longer linked here, so it cannot be answered from here.`,
    askText: (id: string, undo: string | null): Html =>
      lines(
        html`↩️ Your answer to ${code(id)}? It is sent from the line that received the message.`,
        undo === null
          ? html`A card to confirm comes next; nothing is sent before that.`
          : html`It is sent ${undo} after your reply. Until then ↩️ Undo takes it back.`,
      ),
    sameAnswer: (id: string): Html =>
      html`↩️ This message has an answer with the same text already: ${code(`#${id}`)}. Press ✅ below to send it once more.`,
    doubt: {
      code: html`✋ Not sent yet: this is only the code of a card. To see that card, send it with a / before it. To send it as an SMS, press ✅ on the card below.`,
      long: html`✋ Not sent yet: this answer has more than three parts. Read it on the card below, then press ✅.`,
      order: html`✋ Not sent yet: this reads like an order to me. ⛔ Block and ✔ Done are on the card of the message. If it is for the sender of the SMS, press ✅ on the card below.`,
      mention: html`✋ Not sent yet: this names somebody with @. If it is for the sender of the SMS, press ✅ on the card below.`,
    },
    onlyText: html`An SMS is only text, so nothing was sent. Reply to the card with the text, without a picture, a file or a voice message.`,
    answerAt: (title: string, id: string): Html =>
      lines(
        html`People cannot write to me here. Answer in ${isolateAuto(title)}:`,
        html`${code(`/reply ${id} …`)}`,
      ),
    byButtonsHere: html`This card belongs to another chat: a reaction does nothing here, its buttons do.`,
    answerHome: (id: string): Html =>
      html`Answer in the chat that the account is linked to: ${code(`/reply ${id} …`)}`,
    noTopics: html`📥 I cannot create a topic per sender here: topics are off in this group, or I am not allowed to manage them. Received messages come in one place again. Turn topics on and give me that right, then switch it on again with /alerts`,
    aboutReply: 'answer a received message by its number',
    aboutName: 'name a number, so that cards show the name',
    exampleReply: '/reply in12 Thank you, it is on its way.',
    exampleName: '/name 09121234567 Maryam',
    usageId: 'in12',
    usageName: 'name',
    askId: html`Which message? Its card shows a number such as ${code('#in12')}.`,
    badId: (typed: string): Html =>
      html`«${isolateAuto(typed)}» is not the number of a received message. It is on the card and looks like ${code('in12')}.`,
    askName: html`Which name? Up to 60 characters; ${code('-')} removes the name.`,
    badName: html`A name has 1 to 60 characters, on one line.`,
    named: (sender: Html, name: string): Html => html`${sender} is now called ${b(who(name))} here.`,
    unnamed: (sender: Html): Html => html`${sender} has no name here any more.`,
    askBlock: (sender: Html, line: string): Html =>
      lines(
        html`⛔ Block ${sender} on line ${digits(line)}?`,
        html`From then on the gateway sends it nothing from this line. Only approvers can take it off again: /unblock`,
      ),
    blockYes: '✅ Block',
    cancel: '✖ Cancel',
    left: html`Cancelled. Nothing was changed.`,
    blocking: html`⏳ Waiting for the gateway’s answer …`,
    asked: (what: 'off' | 'on', outcome: BlacklistOutcome, sender: Html, line: string): Html =>
      html`${sender} · line ${digits(line)}: ${what === 'on' ? BLOCKED_EN[outcome] : OFF_EN[outcome]}`,
    refused: (why: string): Html => html`The gateway refused: ${why}`,
    again: html`Pressing the card’s button again is safe.`,
  },
  fa: {
    head: (line, when, id) => html`📩 به ${digits(line)} · ${when} · ${code(`#in${id}`)}`,
    from: (sender, name) => (name === null ? html`از ${sender}` : html`از ${sender} · ${b(who(name))}`),
    noText: html`(بدون متن)`,
    cut: (shown, all) => `${shown} کاراکتر اول از ${all}`,
    sentTo: (id, line, when, how) =>
      html`✉️ ${code(`#${id}`)}${line === '' ? '' : html` از ${digits(line)}`} · ${when} · ${PROGRESS_FA[how]}`,
    lastSent: (id, when, how) => html`آخرین ارسال: ${code(`#${id}`)}، ${when}، ${PROGRESS_FA[how]}`,
    takenBy: (by) => html`🙋 با ${by}`,
    answeredBy: (name) => html`↩️ ${who(name)} پاسخ داد`,
    answer: (name, id, how) => html`↩️ پاسخ ${who(name)} · ${code(`#${id}`)} · ${PROGRESS_FA[how]}`,
    autoAnswer: (id, how) => html`🤖 پاسخ خودکار · ${code(`#${id}`)} · ${PROGRESS_FA[how]}`,
    unanswered: (why) => html`🤖 پاسخ خودکار ارسال نشد: ${UNANSWERED_FA[why]}`,
    doneBy: (name) => html`✔ انجام شد · ${who(name)}`,
    opt: (what, outcome, sender, line) =>
      what === 'out' ? outOptFa(outcome, sender, line) : inOptFa(outcome, sender, line),
    blocked: (name, outcome, line) => html`⛔ ${who(name)}: ${BLOCKED_FA[outcome]} · خط ${digits(line)}`,
    undone: (what, name, outcome) =>
      html`↩️ ${who(name)}: ${what === 'off' ? OFF_FA[outcome] : BLOCKED_FA[outcome]}`,
    back: (by) => html`⏰ ${by}، وقت رسیدگی به این پیام است.`,
    snoozedUntil: (when, name) => html`💤 تا ${when} · ${who(name)}`,
    handOver: '🤝 سپردن به همکار',
    snooze: '💤 بعداً',
    history: '🔎 سابقه',
    wake: '⏰ همین حالا',
    take: '🙋 با من',
    takeOver: '🙋 به عهده می‌گیرم',
    reply: '↩️ پاسخ',
    block: '⛔ مسدود',
    done: '✔ انجام شد',
    reopen: '🔓 بازکردن دوباره',
    undo: '↩️ لغو این کار',
    takenFirst: (name, ago) =>
      html`${who(name)} این را ${ago} به عهده گرفت. با دکمهٔ ${b('به عهده می‌گیرم')} روی کارت می‌توانید آن را بگیرید.`,
    someoneHas: (name, ago, id) =>
      html`🙋 ${who(name)} ${code(`#in${id}`)} را ${ago} به عهده گرفته و هنوز پاسخ نداده است.`,
    someoneAnswered: (name, ago, id) => html`↩️ ${who(name)} به ${code(`#in${id}`)} ${ago} پاسخ داده است.`,
    yourText: html`متن شما ارسال نشده است:`,
    sendAnyway: '✅ با این حال ارسال شود',
    ask: (name) => `🙋 پرسیدن از ${who(name)}`,
    asks: (other, name, id) =>
      html`🙋 ${link(who(other.name), `tg://user?id=${other.id}`)}، ${who(name)} می‌خواهد به ${code(`#in${id}`)} که با شماست پاسخ دهد. اجازه می‌دهید؟`,
    notMobile: (sender) =>
      html`${sender} شمارهٔ همراه نیست؛ نام یا سرشماره است و پیامک به آن نمی‌رسد. به این پیام نمی‌شود پاسخ داد.`,
    gone: html`چنین پیامی در این گفتگو نیست.`,
    noMessage: (id) =>
      html`پیام دریافتی ${code(`#in${id}`)} در این گفتگو نیست. شماره‌اش را یک بار دیگر ببینید؛ همهٔ دریافتی‌ها: ${isolateLtr('/inbox همه')}`,
    asAnswer: (id) => html`این نوشته به عنوان پاسخ ${code(`#in${id}`)} ارسال شود؟ هنوز چیزی ارسال نشده است.`,
    useAsAnswer: '↩️ ارسال به عنوان پاسخ',
    otherAccount: html`این پیام به حسابی رسیده که دیگر به این گفتگو وصل نیست. از اینجا نمی‌شود به آن پاسخ داد.`,
    askText: (id, undo) =>
      lines(
        html`↩️ پاسخ شما به ${code(id)}؟ از همان خطی ارسال می‌شود که پیام به آن رسیده است.`,
        undo === null
          ? html`بعد از آن کارت تأیید می‌آید؛ قبل از تأیید چیزی ارسال نمی‌شود.`
          : html`${undo} بعد از اینکه بفرستید ارسال می‌شود. تا آن موقع با ↩️ لغو ارسال می‌توانید جلویش را بگیرید.`,
      ),
    sameAnswer: (id) =>
      html`↩️ به این پیام قبلاً با همین متن پاسخ داده شده است: ${code(`#${id}`)}. اگر می‌خواهید یک بار دیگر ارسال شود، ✅ را روی کارت زیر بزنید.`,
    doubt: {
      code: html`✋ هنوز ارسال نشده: این فقط کد یک کارت است. برای دیدن آن کارت، کد را با / در اولش بفرستید. اگر متن پیامک است، ✅ را روی کارت زیر بزنید.`,
      long: html`✋ هنوز ارسال نشده: این پاسخ بیش از سه پارت است. متن را روی کارت زیر بخوانید و بعد ✅ را بزنید.`,
      order: html`✋ هنوز ارسال نشده: انگار این را به من گفته‌اید. دکمه‌های ⛔ و ✔ روی کارت همان پیام هست. اگر برای فرستندهٔ پیامک است، ✅ را روی کارت زیر بزنید.`,
      mention: html`✋ هنوز ارسال نشده: در متن، نام کسی با @ آمده است. اگر برای فرستندهٔ پیامک است، ✅ را روی کارت زیر بزنید.`,
    },
    onlyText: html`پیامک فقط متن دارد؛ چیزی ارسال نشد. متن را بدون عکس، فایل یا پیام صوتی در پاسخ به کارت بفرستید.`,
    answerAt: (title, id) =>
      lines(
        html`اینجا نمی‌شود برایم نوشت. در ${isolateAuto(title)} پاسخ دهید:`,
        html`${code(`/reply ${id} …`)}`,
      ),
    byButtonsHere: html`این کارت مال گفتگوی دیگری است: واکنش اینجا اثری ندارد، ولی دکمه‌هایش کار می‌کنند.`,
    answerHome: (id) => html`در گفتگویی پاسخ دهید که حساب به آن وصل است: ${code(`/reply ${id} …`)}`,
    noTopics: html`📥 اینجا نمی‌توانم برای هر فرستنده موضوع جدا بسازم: یا موضوع‌های گروه خاموش است یا اجازهٔ مدیریتشان را ندارم. پیام‌های دریافتی از این به بعد یک‌جا می‌آید. موضوع‌ها را روشن کنید، این اجازه را بدهید و با ${slash('fa', 'alerts')} دوباره روشنش کنید.`,
    aboutReply: 'پاسخ به یک پیام دریافتی با شمارهٔ آن',
    aboutName: 'نام‌گذاری یک شماره تا کارت‌ها آن نام را نشان دهند',
    exampleReply: '/reply in12 ممنون، در راه است.',
    exampleName: '/name 09121234567 مریم',
    usageId: 'شمارهٔ پیام',
    usageName: 'نام',
    askId: html`کدام پیام؟ روی کارتش شماره‌ای مانند ${code('#in12')} هست.`,
    badId: (typed) =>
      html`«${isolateAuto(typed)}» شمارهٔ پیام دریافتی نیست. شماره روی کارت است، مانند ${code('in12')}`,
    askName: html`چه نامی؟ حداکثر ۶۰ کاراکتر؛ ${code('-')} نام را برمی‌دارد.`,
    badName: html`نام ۱ تا ۶۰ کاراکتر و در یک خط است.`,
    named: (sender, name) => html`از این به بعد نام ${sender} در اینجا ${b(who(name))} است.`,
    unnamed: (sender) => html`${sender} دیگر در اینجا نامی ندارد.`,
    askBlock: (sender, line) =>
      lines(
        html`⛔ ${sender} در خط ${digits(line)} مسدود شود؟`,
        html`از آن به بعد پنل پیامک از این خط چیزی به آن نمی‌فرستد. فقط تأییدکننده می‌تواند آن را از لیست بردارد: ${slash('fa', 'unblock')}`,
      ),
    blockYes: '✅ مسدود شود',
    cancel: '✖ انصراف',
    left: html`لغو شد. چیزی تغییر نکرد.`,
    blocking: html`⏳ در انتظار پاسخ پنل پیامک …`,
    asked: (what, outcome, sender, line) =>
      html`${sender} · خط ${digits(line)}: ${what === 'on' ? BLOCKED_FA[outcome] : OFF_FA[outcome]}`,
    refused: (why) => html`پنل پیامک نپذیرفت: ${why}`,
    again: html`زدن دوبارهٔ دکمهٔ کارت خطری ندارد.`,
  },
});

const PROGRESS_EN: Readonly<Record<Progress, string>> = {
  waiting: '⏳ on its way',
  accepted: 'accepted',
  delivered: '✅ delivered',
  failed: '❌ not delivered',
  not_sent: '✖ not sent',
  blocked: '⛔ blocked',
  unknown: '❔ unknown',
};

const PROGRESS_FA: Readonly<Record<Progress, string>> = {
  waiting: '⏳ در راه',
  accepted: 'پذیرفته‌شده',
  delivered: '✅ تحویل‌شده',
  failed: '❌ تحویل‌نشده',
  not_sent: '✖ ارسال‌نشده',
  blocked: '⛔ مسدود',
  unknown: '❔ نامعلوم',
};

const UNANSWERED_EN: Readonly<Record<UnansweredReason, string>> = {
  today: 'this number has had one today',
  closed: 'this number has had one since the desk closed',
  blocked: 'the number is on the line’s blacklist',
  limited: 'the chat’s limits do not allow it',
  words: 'it says something that is not sent from this line without a second person',
  role: 'whoever made the rule may not send here any more',
  loop: 'it would answer an automatic answer',
  unreachable: 'the blacklist could not be read',
  late: 'it could not be sent in time',
};

const UNANSWERED_FA: Readonly<Record<UnansweredReason, string>> = {
  today: 'این شماره امروز یک پاسخ گرفته است',
  closed: 'این شماره از پایان ساعت کاری یک پاسخ گرفته است',
  blocked: 'شماره در لیست سیاه این خط است',
  limited: 'محدودیت‌های گفتگو اجازه نمی‌دهد',
  words: 'چیزی در متنش هست که از این خط بدون تأیید نفر دوم ارسال نمی‌شود',
  role: 'سازندهٔ قاعده دیگر اینجا اجازهٔ ارسال ندارد',
  loop: 'پاسخ به یک پاسخ خودکار می‌شد',
  unreachable: 'لیست سیاه خوانده نشد',
  late: 'به‌موقع ممکن نشد',
};

const BLOCKED_EN: Readonly<Record<BlacklistOutcome, string>> = {
  done: 'put on the blacklist',
  already: 'was on the blacklist already',
  unclear: 'the gateway’s answer about the blacklist is unclear',
  unknown: 'not known whether it is on the blacklist; no answer came',
  not_done: 'not put on the blacklist',
};

const BLOCKED_FA: Readonly<Record<BlacklistOutcome, string>> = {
  done: 'به لیست سیاه اضافه شد',
  already: 'از قبل در لیست سیاه بود',
  unclear: 'پاسخ پنل پیامک دربارهٔ لیست سیاه روشن نیست',
  unknown: 'معلوم نیست در لیست سیاه هست یا نه؛ پاسخی نیامد',
  not_done: 'به لیست سیاه اضافه نشد',
};

const OFF_EN: Readonly<Record<BlacklistOutcome, string>> = {
  done: 'taken off the blacklist',
  already: 'is not on the blacklist',
  unclear: 'the gateway’s answer about the blacklist is unclear',
  unknown: 'not known whether it is off the blacklist; no answer came',
  not_done: 'not taken off the blacklist',
};

const OFF_FA: Readonly<Record<BlacklistOutcome, string>> = {
  done: 'از لیست سیاه برداشته شد',
  already: 'در لیست سیاه نیست',
  unclear: 'پاسخ پنل پیامک دربارهٔ لیست سیاه روشن نیست',
  unknown: 'معلوم نیست از لیست سیاه برداشته شد یا نه؛ پاسخی نیامد',
  not_done: 'از لیست سیاه برداشته نشد',
};

function outOptEn(outcome: BlacklistOutcome, sender: Html, line: string): Html {
  if (outcome === 'done' || outcome === 'already')
    return html`⛔ ${sender} opted out of ${digits(line)} (reply 11): ${outcome === 'done' ? 'added to that line’s blacklist' : 'was on that line’s blacklist already'}.`;
  return html`⛔ ${sender} asked to opt out of ${digits(line)} (reply 11): ${BLOCKED_EN[outcome]}.`;
}

function outOptFa(outcome: BlacklistOutcome, sender: Html, line: string): Html {
  if (outcome === 'done' || outcome === 'already')
    return html`⛔ ${sender} با پاسخ ۱۱ دریافت از ${digits(line)} را لغو کرد: ${BLOCKED_FA[outcome]}.`;
  return html`⛔ ${sender} با پاسخ ۱۱ لغو دریافت از ${digits(line)} را خواست: ${BLOCKED_FA[outcome]}.`;
}

function inOptEn(outcome: BlacklistOutcome, sender: Html, line: string): Html {
  if (outcome === 'done' || outcome === 'already')
    return html`♻️ ${sender} opted in to ${digits(line)} again (reply 12): ${OFF_EN[outcome]}.`;
  return html`♻️ ${sender} asked to opt in to ${digits(line)} again (reply 12): ${OFF_EN[outcome]}.`;
}

function inOptFa(outcome: BlacklistOutcome, sender: Html, line: string): Html {
  return html`♻️ ${sender} با پاسخ ۱۲ دریافت دوباره از ${digits(line)} را خواست: ${OFF_FA[outcome]}.`;
}
