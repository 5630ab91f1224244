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
    lastSent: (id: string, when: string, how: Progress): Html =>
      html`last sent: ${code(`#${id}`)}, ${when}, ${PROGRESS_EN[how]}`,
    takenBy: (by: Html): Html => html`🙋 ${by}`,
    answeredBy: (name: string): Html => html`↩️ answered by ${who(name)}`,
    answer: (name: string, id: string, how: Progress): Html =>
      html`↩️ ${how === 'waiting' ? 'answer' : 'answered'} by ${who(name)} · ${code(`#${id}`)} · ${PROGRESS_EN[how]}`,
    autoAnswer: (id: string, how: Progress): Html =>
      html`🤖 a rule’s answer · ${code(`#${id}`)} · ${PROGRESS_EN[how]}`,
    unanswered: (why: UnansweredReason): Html => html`🤖 a rule’s answer was not sent: ${UNANSWERED_EN[why]}`,
    doneBy: (name: string): Html => html`✔ done · ${who(name)}`,
    opt: (what: 'out' | 'in', outcome: BlacklistOutcome, sender: Html, line: string): Html =>
      what === 'out' ? outOptEn(outcome, sender, line) : inOptEn(outcome, sender, line),
    blocked: (name: string, outcome: BlacklistOutcome, line: string): Html =>
      html`⛔ ${who(name)}: ${BLOCKED_EN[outcome]} on ${digits(line)}`,
    undone: (what: 'off' | 'on', name: string, outcome: BlacklistOutcome): Html =>
      html`↩️ ${who(name)}: ${what === 'off' ? OFF_EN[outcome] : BLOCKED_EN[outcome]}`,
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
      html`${sender} is no mobile number but a name or a short code: nobody can be reached there. This message cannot be answered.`,
    gone: html`I do not have this message, or it is not this chat’s.`,
    noMessage: (id: string): Html =>
      html`There is no received message ${code(`#in${id}`)} in this chat. Look at its number once more; what has come: /inbox all`,
    aboutInbound: 'bring a received message',
    otherAccount: html`This message came to an account that this chat has no longer. It cannot be answered from here.`,
    askText: (id: string, undo: string | null): Html =>
      lines(
        html`↩️ Your answer to ${code(id)}? It is sent from the line that received the message.`,
        undo === null
          ? html`Next comes a card to confirm; nothing leaves before.`
          : html`It is sent ${undo} after your reply. Until then ↩️ Undo takes it back.`,
      ),
    sameAnswer: (id: string): Html =>
      html`↩️ This message has an answer with the same text already: ${code(`#${id}`)}. Press ✅ below to send it once more.`,
    doubt: {
      code: html`✋ Not sent yet: this is only the code of a card. To see that card, send it with a / before it. To send it as an SMS, press ✅ on the card below.`,
      long: html`✋ Not sent yet: this answer has more than three parts. Read it on the card below, then press ✅.`,
      fields: html`✋ Not sent yet: nothing fills the {braces} in this answer. Change the text on the card below, or press ✅ to send it as it is.`,
      mention: html`✋ Not sent yet: this names somebody with @. If it is for the sender of the SMS, press ✅ on the card below.`,
    },
    onlyText: html`An SMS is text alone: nothing was sent. Reply to the card with the text, without a picture, a file or a voice message.`,
    answerAt: (title: string, id: string): Html =>
      lines(
        html`People cannot write to me here. Answer in ${isolateAuto(title)}:`,
        html`${code(`/reply ${id} …`)}`,
      ),
    answerHome: (id: string): Html =>
      html`I take answers only in the chat that the account is linked to: ${code(`/reply ${id} …`)}`,
    noTopics: html`📥 I cannot make a topic for each correspondent here: this is no forum, or I may not manage topics. Received messages come into one place again. Give me that right, then switch topics on again with /alerts`,
    aboutReply: 'answer a received message by its number',
    aboutName: 'give a number a name that cards then show',
    exampleReply: '/reply in12 Thank you, it is on its way.',
    exampleName: '/name 09121234567 Maryam',
    usageId: 'in12',
    usageName: 'name',
    askId: html`Which message? Its card shows a number such as ${code('#in12')}.`,
    badId: html`That is not the number of a received message. It looks like ${code('in12')} and stands on the card.`,
    askName: html`Which name? Up to 60 characters; ${code('-')} takes the name away.`,
    badName: html`A name has 1 to 60 characters, on one line.`,
    named: (sender: Html, name: string): Html => html`${sender} is called ${b(who(name))} here now.`,
    unnamed: (sender: Html): Html => html`${sender} has no name here any more.`,
    askBlock: (sender: Html, line: string): Html =>
      lines(
        html`⛔ Block ${sender} on line ${digits(line)}?`,
        html`The gateway then sends it nothing from this line. Taking it off again is for approvers.`,
      ),
    blockYes: '✅ Block',
    cancel: '✖ Cancel',
    left: html`Left. Nothing was changed.`,
    blocking: html`⏳ Asking the gateway …`,
    asked: (what: 'off' | 'on', outcome: BlacklistOutcome, sender: Html, line: string): Html =>
      html`${sender} · line ${digits(line)}: ${what === 'on' ? BLOCKED_EN[outcome] : OFF_EN[outcome]}`,
    refused: (why: string): Html => html`The gateway refused: ${why}`,
    again: html`Pressing the card’s button again is safe.`,
  },
  fa: {
    head: (line, when, id) => html`📩 به ${digits(line)} · ${when} · ${code(`#in${id}`)}`,
    from: (sender, name) => (name === null ? html`از ${sender}` : html`از ${sender} · ${b(who(name))}`),
    noText: html`(بی‌متن)`,
    cut: (shown, all) => `${shown} کاراکتر اول از ${all}`,
    lastSent: (id, when, how) => html`آخرین ارسال: ${code(`#${id}`)}، ${when}، ${PROGRESS_FA[how]}`,
    takenBy: (by) => html`🙋 با ${by}`,
    answeredBy: (name) => html`↩️ ${who(name)} پاسخ داد`,
    answer: (name, id, how) => html`↩️ پاسخ ${who(name)} · ${code(`#${id}`)} · ${PROGRESS_FA[how]}`,
    autoAnswer: (id, how) => html`🤖 پاسخ خودکار قاعده · ${code(`#${id}`)} · ${PROGRESS_FA[how]}`,
    unanswered: (why) => html`🤖 پاسخ خودکار نرفت: ${UNANSWERED_FA[why]}`,
    doneBy: (name) => html`✔ انجام شد · ${who(name)}`,
    opt: (what, outcome, sender, line) =>
      what === 'out' ? outOptFa(outcome, sender, line) : inOptFa(outcome, sender, line),
    blocked: (name, outcome, line) => html`⛔ ${who(name)}: ${BLOCKED_FA[outcome]}، خط ${digits(line)}`,
    undone: (what, name, outcome) =>
      html`↩️ ${who(name)}: ${what === 'off' ? OFF_FA[outcome] : BLOCKED_FA[outcome]}`,
    take: '🙋 با من',
    takeOver: '🙋 به من بسپار',
    reply: '↩️ پاسخ',
    block: '⛔ مسدود',
    done: '✔ انجام شد',
    reopen: '🔓 بازکردن دوباره',
    undo: '↩️ لغو این کار',
    takenFirst: (name, ago) =>
      html`${who(name)} این را ${ago} برداشت. با دکمهٔ ${b('به من بسپار')} روی کارت می‌توانید آن را بگیرید.`,
    someoneHas: (name, ago, id) =>
      html`🙋 ${who(name)} ${code(`#in${id}`)} را ${ago} برداشته و هنوز پاسخ نداده است.`,
    someoneAnswered: (name, ago, id) => html`↩️ ${who(name)} به ${code(`#in${id}`)} ${ago} پاسخ داده است.`,
    yourText: html`متن شما ارسال نشده است:`,
    sendAnyway: '✅ با این حال بفرست',
    ask: (name) => `🙋 پرسیدن از ${who(name)}`,
    asks: (other, name, id) =>
      html`🙋 ${link(who(other.name), `tg://user?id=${other.id}`)}، ${who(name)} می‌خواهد به ${code(`#in${id}`)} که با شماست پاسخ دهد. اجازه می‌دهید؟`,
    notMobile: (sender) =>
      html`${sender} شمارهٔ همراه نیست، نام یا سرشماره است و پیامی به آن نمی‌رسد. به این پیام نمی‌شود پاسخ داد.`,
    gone: html`این پیام را ندارم، یا از این گفتگو نیست.`,
    noMessage: (id) =>
      html`پیام دریافتی ${code(`#in${id}`)} در این گفتگو نیست. شماره‌اش را یک بار دیگر ببینید؛ آنچه رسیده: ${isolateLtr('/inbox all')}`,
    aboutInbound: 'آوردن یک پیام دریافتی',
    otherAccount: html`این پیام به حسابی رسیده که دیگر به این گفتگو وصل نیست. از این‌جا نمی‌شود به آن پاسخ داد.`,
    askText: (id, undo) =>
      lines(
        html`↩️ پاسخ شما به ${code(id)}؟ از همان خطی می‌رود که پیام به آن رسیده است.`,
        undo === null
          ? html`پس از آن کارت تأیید می‌آید؛ پیش از تأیید چیزی ارسال نمی‌شود.`
          : html`${undo} پس از آن‌که بفرستید ارسال می‌شود. تا آن هنگام با ↩️ لغو ارسال می‌توانید جلویش را بگیرید.`,
      ),
    sameAnswer: (id) =>
      html`↩️ به این پیام پیش‌تر با همین متن پاسخ داده شده است: ${code(`#${id}`)}. اگر می‌خواهید یک بار دیگر ارسال شود، ✅ را روی کارت زیر بزنید.`,
    doubt: {
      code: html`✋ هنوز ارسال نشده: این فقط کد یک کارت است. برای دیدن آن کارت، کد را با / در اولش بفرستید. اگر متن پیامک است، ✅ را روی کارت زیر بزنید.`,
      long: html`✋ هنوز ارسال نشده: این پاسخ بیش از سه پارت است. متن را روی کارت زیر بخوانید و بعد ✅ را بزنید.`,
      fields: html`✋ هنوز ارسال نشده: چیزی جای {آکولاد}های این پاسخ نمی‌نشیند. متن را روی کارت زیر عوض کنید، یا برای ارسال به همین شکل ✅ را بزنید.`,
      mention: html`✋ هنوز ارسال نشده: در متن کسی با @ صدا زده شده است. اگر برای فرستندهٔ پیامک است، ✅ را روی کارت زیر بزنید.`,
    },
    onlyText: html`پیامک فقط متن دارد؛ چیزی ارسال نشد. متن را بدون عکس، فایل یا پیام صوتی در پاسخ به کارت بفرستید.`,
    answerAt: (title, id) =>
      lines(
        html`این‌جا نمی‌شود برایم نوشت. در ${isolateAuto(title)} پاسخ دهید:`,
        html`${code(`/reply ${id} …`)}`,
      ),
    answerHome: (id) =>
      html`پاسخ را تنها در گفتگویی می‌پذیرم که حساب به آن وصل است: ${code(`/reply ${id} …`)}`,
    noTopics: html`📥 این‌جا نمی‌توانم برای هر مخاطب موضوعی جدا بسازم: یا گروه موضوع‌بندی ندارد یا اجازهٔ مدیریت موضوع‌ها را ندارم. پیام‌های دریافتی از این پس یک‌جا می‌آیند. این اجازه را بدهید و با ${slash('fa', 'alerts')} دوباره روشنش کنید.`,
    aboutReply: 'پاسخ به یک پیام دریافتی با شمارهٔ آن',
    aboutName: 'نام‌گذاری یک شماره، تا کارت‌ها آن را نشان دهند',
    exampleReply: '/reply in12 سپاس، در راه است.',
    exampleName: '/name 09121234567 مریم',
    usageId: 'شمارهٔ پیام',
    usageName: 'نام',
    askId: html`کدام پیام؟ روی کارتش شماره‌ای مانند ${code('#in12')} هست.`,
    badId: html`این شمارهٔ پیام دریافتی نیست. شماره روی کارت است و مانند ${code('in12')} است.`,
    askName: html`چه نامی؟ حداکثر ۶۰ کاراکتر؛ ${code('-')} نام را برمی‌دارد.`,
    badName: html`نام ۱ تا ۶۰ کاراکتر در یک خط است.`,
    named: (sender, name) => html`از این پس نام ${sender} در این‌جا ${b(who(name))} است.`,
    unnamed: (sender) => html`${sender} دیگر در این‌جا نامی ندارد.`,
    askBlock: (sender, line) =>
      lines(
        html`⛔ ${sender} در خط ${digits(line)} مسدود شود؟`,
        html`از آن پس پنل پیامک از این خط چیزی به آن نمی‌فرستد. برداشتن از لیست با تأییدکننده است: ${slash('fa', 'unblock')}`,
      ),
    blockYes: '✅ مسدود کن',
    cancel: '✖ انصراف',
    left: html`کنار گذاشته شد. چیزی تغییر نکرد.`,
    blocking: html`⏳ در حال پرسیدن از پنل پیامک …`,
    asked: (what, outcome, sender, line) =>
      html`${sender} · خط ${digits(line)}: ${what === 'on' ? BLOCKED_FA[outcome] : OFF_FA[outcome]}`,
    refused: (why) => html`پنل پیامک نپذیرفت: ${why}`,
    again: html`فشردن دوبارهٔ دکمهٔ کارت خطری ندارد.`,
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
  not_sent: '✖ فرستاده‌نشده',
  blocked: '⛔ مسدود',
  unknown: '❔ نامعلوم',
};

const UNANSWERED_EN: Readonly<Record<UnansweredReason, string>> = {
  today: 'this number has had one today',
  blocked: 'the number is on the line’s blacklist',
  limited: 'the chat’s limits do not let it',
  role: 'whoever made the rule may not send here any more',
  loop: 'it would answer an answer',
  unreachable: 'the blacklist could not be read',
  late: 'its time was over before it could',
};

const UNANSWERED_FA: Readonly<Record<UnansweredReason, string>> = {
  today: 'این شماره امروز یک پاسخ گرفته است',
  blocked: 'شماره در لیست سیاه این خط است',
  limited: 'محدودیت‌های گفتگو اجازه نمی‌دهد',
  role: 'سازندهٔ قاعده دیگر این‌جا اجازهٔ ارسال ندارد',
  loop: 'پاسخ‌دادن به یک پاسخ می‌شد',
  unreachable: 'لیست سیاه خوانده نشد',
  late: 'پیش از آن‌که بتواند برود زمانش گذشت',
};

const BLOCKED_EN: Readonly<Record<BlacklistOutcome, string>> = {
  done: 'put on the blacklist',
  already: 'was on the blacklist already',
  unclear: 'the gateway’s answer about the blacklist is unclear',
  unknown: 'not known whether it is on the blacklist; no answer came',
  not_done: 'not put on the blacklist',
};

const BLOCKED_FA: Readonly<Record<BlacklistOutcome, string>> = {
  done: 'به لیست سیاه افزوده شد',
  already: 'از پیش در لیست سیاه بود',
  unclear: 'پاسخ پنل پیامک دربارهٔ لیست سیاه روشن نیست',
  unknown: 'معلوم نیست در لیست سیاه باشد؛ پاسخی نیامد',
  not_done: 'به لیست سیاه افزوده نشد',
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
  unknown: 'معلوم نیست از لیست سیاه برداشته شده باشد؛ پاسخی نیامد',
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
  return html`♻️ ${sender} با پاسخ ۱۲ خواست باز از ${digits(line)} پیام بگیرد: ${OFF_FA[outcome]}.`;
}
