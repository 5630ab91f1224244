import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import type { MessageProblem } from '../../domain/message.ts';
import { b, code, html, lines, type Html } from '../../telegram/html.ts';

const WHY_EN: Readonly<Record<string, string>> = {
  too_short: 'too short',
  too_long: 'too long',
  not_mobile: 'not a mobile number',
  not_a_number: 'not a number',
};

const WHY_FA: Readonly<Record<string, string>> = {
  too_short: 'کوتاه است',
  too_long: 'بلند است',
  not_mobile: 'شمارهٔ همراه نیست',
  not_a_number: 'شماره نیست',
};

const one = (id: string) => b(isolateLtr(`#${id}`));

export const texts = defineTexts({
  en: {
    about: 'send a message: preview first, then confirm',
    aboutStop: 'stop a send',
    usageNumbers: 'numbers',
    usageText: 'text',
    usageLine: 'line',
    usageMobile: 'mobile',
    askNumbers: html`To which numbers? Several are separated by commas, spaces or lines.`,
    badNumbers: (typed: string): Html =>
      lines(
        typed !== '' && html`I found no mobile number in «${isolateAuto(typed)}».`,
        html`Write numbers as ${code('09121234567')}, ${code('+989121234567')} or ${code('۰۹۱۲۱۲۳۴۵۶۷')}.`,
      ),
    askText: html`What shall the message say?`,
    badText: (problem: MessageProblem, characters: number, limit: number): Html => {
      if (problem === 'too_long')
        return html`That is ${characters} characters; the gateway takes at most ${limit}. Shorten it.`;
      if (problem === 'empty') return html`The message is empty. Write some text.`;
      return html`The text holds a broken character that cannot be sent. Type it anew.`;
    },
    askLine: html`From which sender line? It is kept for this chat; /line changes it.`,
    badLine: html`A sender line has 5 to 14 digits, such as ${code('3000123456')}`,
    askMobile: html`Your own mobile number, for test messages?`,
    badMobile: html`One mobile number, please, such as ${code('09121234567')}`,
    draft: (id: string, line: string, flash: boolean): Html =>
      html`✉️ Draft ${one(id)} · line ${isolateLtr(line)}${flash ? ' · ⚡ flash' : ''}`,
    measure: (characters: string, encoding: string, parts: string): Html =>
      html`${characters} · ${encoding} · ${parts}`,
    characters: { one: 'character', other: 'characters' },
    parts: { one: 'part', other: 'parts' },
    numbers: { one: 'number', other: 'numbers' },
    recipients: { one: 'recipient', other: 'recipients' },
    encodings: { gsm7: 'Latin', ucs2: 'Unicode' },
    audience: (all: string, good: string, repeated: string | null, invalid: string | null): Html =>
      html`${all} → ${good} to send${repeated === null ? '' : `, ${repeated} repeated`}${invalid === null ? '' : `, ${invalid} not usable`}`,
    repeatedLine: (list: string): Html => html`♻️ Repeated, once is enough: ${list}`,
    invalidItem: (raw: string, why: string): Html => html`🚫 ${isolateAuto(raw)}: ${why}`,
    why: (reason: string): string => WHY_EN[reason] ?? reason,
    more: (count: string): Html => html`… and ${count} more`,
    total: (parts: string): Html => html`${parts} in all · the price is not known yet`,
    send: (count: string, parts: string): string => `✅ Send ${count} · ${parts}`,
    text: '✏️ Text',
    line: '📞 Line',
    flash: (on: boolean): string => (on ? '⚡ Flash: on' : '⚡ Flash: off'),
    toMe: '🧪 To me',
    cancel: '✖ Cancel',
    undo: '↩️ Undo',
    stop: '⏹ Stop',
    onlyAsker: 'Only the asker can press the buttons.',
    cancelled: (id: string): Html => html`✖ Draft ${one(id)} · cancelled, none of it was sent`,
    expired: (id: string): Html =>
      html`⌛ Draft ${one(id)} · expired, none of it was sent. Send the command again.`,
    changedElsewhere: html`The card has changed since; use its newest buttons.`,
    notOpen: html`That draft is not open any more.`,
    head: (id: string, name: string): Html => html`✉️ ${one(id)} by ${isolateAuto(name)}`,
    leaving: (recipients: string, seconds: string): Html => html`${recipients} · leaving in ${seconds} s`,
    undone: (id: string, name: string): Html =>
      html`↩️ ${one(id)} by ${isolateAuto(name)} · undone · not sent`,
    sending: html`🚚 Sending…`,
    delivered: (count: string): Html => html`✅ ${count} delivered`,
    accepted: (count: string): Html => html`📤 ${count} accepted by the gateway`,
    failed: (count: string): Html => html`❌ ${count} not delivered`,
    waiting: (count: string): Html => html`⏳ ${count} waiting to leave`,
    onWire: (count: string): Html => html`⏳ ${count} asked of the gateway, no answer yet`,
    notSent: (count: string): Html => html`⛔ ${count} not sent`,
    left: (count: string): Html => html`⛔ ${count} not sent: stopped before they left`,
    because: (why: string): Html => html` ${why}`,
    unknown: (count: string): Html =>
      html`❔ ${count} unknown: no clear answer from the gateway. They may have gone out; I will not send them again by myself.`,
    skipped: (count: string, raw: readonly string[]): Html =>
      html`🚫 ${count} not usable: ${raw.map((item) => isolateAuto(item)).join(', ')}`,
    noReport: html`No further report came within 72 hours.`,
    stopped: {
      credit: html`⏹ Stopped: not enough credit. Top the account up, then send the rest again.`,
      account: html`⏹ Stopped: the gateway says the account is not active. See /account`,
      person: html`⏹ Stopped by a person.`,
      earlier_unknown: html`⏹ Stopped: an earlier, equal message to some of these numbers has an unknown outcome. Sending now could reach them twice.`,
      not_connected: html`⏹ Stopped: no gateway account is linked any more.`,
      unreachable: html`⏹ Stopped: the gateway could not be reached, and nothing left for the rest.`,
    },
    tooLate: html`Too late to undo: it has begun to leave. The card says what is known.`,
    nothingToStop: html`There is nothing left to stop.`,
    localRefusal: 'this text or these numbers cannot travel by the version that the account can use',
    test: html`🧪 Test message`,
  },
  fa: {
    about: 'ارسال پیام: نخست پیش‌نمایش، سپس تأیید',
    aboutStop: 'ایستاندن ارسال',
    usageNumbers: 'شماره‌ها',
    usageText: 'متن',
    usageLine: 'خط',
    usageMobile: 'همراه',
    askNumbers: html`به کدام شماره‌ها؟ چند شماره را با ویرگول، فاصله یا خط تازه جدا کنید.`,
    badNumbers: (typed) =>
      lines(
        typed !== '' && html`در «${isolateAuto(typed)}» شمارهٔ همراهی نیافتم.`,
        html`شماره را چنین بنویسید: ${code('09121234567')}، ${code('+989121234567')} یا ${code('۰۹۱۲۱۲۳۴۵۶۷')}.`,
      ),
    askText: html`متن پیام چه باشد؟`,
    badText: (problem, characters, limit) => {
      if (problem === 'too_long')
        return html`این ${characters} نویسه است و درگاه بیش از ${limit} نمی‌پذیرد. کوتاهش کنید.`;
      if (problem === 'empty') return html`پیام خالی است. متنی بنویسید.`;
      return html`متن نویسهٔ خرابی دارد که فرستادنی نیست. دوباره تایپ کنید.`;
    },
    askLine: html`از کدام خط؟ برای این گفتگو می‌ماند و با /line عوض می‌شود.`,
    badLine: html`خط فرستنده ۵ تا ۱۴ رقم دارد، مانند ${code('3000123456')}`,
    askMobile: html`شمارهٔ همراه خودتان برای پیام آزمایشی؟`,
    badMobile: html`یک شمارهٔ همراه بنویسید، مانند ${code('09121234567')}`,
    draft: (id, line, flash) =>
      html`✉️ پیش‌نویس ${one(id)} · خط ${isolateLtr(line)}${flash ? ' · ⚡ آنی' : ''}`,
    measure: (characters, encoding, parts) => html`${characters} · ${encoding} · ${parts}`,
    characters: { one: 'نویسه', other: 'نویسه' },
    parts: { one: 'بخش', other: 'بخش' },
    numbers: { one: 'شماره', other: 'شماره' },
    recipients: { one: 'گیرنده', other: 'گیرنده' },
    encodings: { gsm7: 'لاتین', ucs2: 'یونیکد' },
    audience: (all, good, repeated, invalid) =>
      html`${all} ← ${good} فرستاده می‌شود${repeated === null ? '' : `، ${repeated} تکراری`}${invalid === null ? '' : `، ${invalid} نامعتبر`}`,
    repeatedLine: (list) => html`♻️ تکراری، یک بار بس است: ${list}`,
    invalidItem: (raw, why) => html`🚫 ${isolateAuto(raw)}: ${why}`,
    why: (reason) => WHY_FA[reason] ?? reason,
    more: (count) => html`… و ${count} تای دیگر`,
    total: (parts) => html`روی هم ${parts} · بها هنوز معلوم نیست`,
    send: (count, parts) => `✅ ارسال به ${count} · ${parts}`,
    text: '✏️ متن',
    line: '📞 خط',
    flash: (on) => (on ? '⚡ آنی: روشن' : '⚡ آنی: خاموش'),
    toMe: '🧪 به خودم',
    cancel: '✖ انصراف',
    undo: '↩️ برگردان',
    stop: '⏹ بایست',
    onlyAsker: 'فقط درخواست‌کننده می‌تواند دکمه‌ها را بزند.',
    cancelled: (id) => html`✖ پیش‌نویس ${one(id)} · لغو شد و چیزی از آن فرستاده نشد`,
    expired: (id) =>
      html`⌛ پیش‌نویس ${one(id)} · مهلتش گذشت و چیزی از آن فرستاده نشد. دستور را دوباره بدهید.`,
    changedElsewhere: html`کارت از آن وقت تغییر کرده است؛ دکمه‌های تازه‌اش را بزنید.`,
    notOpen: html`آن پیش‌نویس دیگر باز نیست.`,
    head: (id, name) => html`✉️ ${one(id)} از ${isolateAuto(name)}`,
    leaving: (recipients, seconds) => html`${recipients} · تا ${seconds} ثانیهٔ دیگر می‌رود`,
    undone: (id, name) => html`↩️ ${one(id)} از ${isolateAuto(name)} · برگردانده شد · فرستاده نشد`,
    sending: html`🚚 در حال ارسال…`,
    delivered: (count) => html`✅ ${count} رسید`,
    accepted: (count) => html`📤 ${count} را درگاه پذیرفت`,
    failed: (count) => html`❌ ${count} نرسید`,
    waiting: (count) => html`⏳ ${count} در نوبت رفتن`,
    onWire: (count) => html`⏳ ${count} به درگاه سپرده شد و هنوز پاسخی نیست`,
    notSent: (count) => html`⛔ ${count} فرستاده نشد`,
    left: (count) => html`⛔ ${count} فرستاده نشد: پیش از رفتن ایستاد`,
    because: (why) => html` ${why}`,
    unknown: (count) =>
      html`❔ ${count} نامعلوم: درگاه پاسخ روشنی نداد. شاید رفته باشد؛ خودم دوباره نمی‌فرستم.`,
    skipped: (count, raw) => html`🚫 ${count} نامعتبر: ${raw.map((item) => isolateAuto(item)).join('، ')}`,
    noReport: html`تا ۷۲ ساعت گزارش دیگری نیامد.`,
    stopped: {
      credit: html`⏹ ایستاد: اعتبار کافی نیست. حساب را شارژ و بقیه را دوباره بفرستید.`,
      account: html`⏹ ایستاد: درگاه می‌گوید حساب فعال نیست. /account را ببینید.`,
      person: html`⏹ به خواست یک نفر ایستاد.`,
      earlier_unknown: html`⏹ ایستاد: نتیجهٔ پیام یکسان پیشین به برخی از این شماره‌ها نامعلوم است و ارسال اکنون شاید دوبار برسد.`,
      not_connected: html`⏹ ایستاد: دیگر حسابی وصل نیست.`,
      unreachable: html`⏹ ایستاد: درگاه در دسترس نبود و بقیه نرفت.`,
    },
    tooLate: html`برای برگرداندن دیر شد: رفتن آغاز شده است. آنچه معلوم است روی کارت هست.`,
    nothingToStop: html`چیزی برای ایستاندن نمانده است.`,
    localRefusal: 'این متن یا شماره‌ها با نسخه‌ای که حساب دارد فرستادنی نیست',
    test: html`🧪 پیام آزمایشی`,
  },
});
