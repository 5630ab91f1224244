import { defineTexts } from '../../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../../i18n/format.ts';
import { b, code, html, lines, type Html } from '../../../telegram/html.ts';

/** A sender line, and what holds for all that leaves from it. */
export const lineTexts = defineTexts({
  en: {
    about: 'show or set the sender line and its rules',
    example: '/line 3000123456 words free, prize',
    usage: 'line',
    usageSetting: 'rules|purpose|must|words|hours',
    usageValue: 'value|off',
    ask: (now: string | null): Html =>
      lines(
        now === null ? html`No line is set yet.` : html`Line: ${code(isolateLtr(now))}`,
        html`Which one should I use? Type it, or press one that was used before.`,
      ),
    bad: (typed: string): Html =>
      html`«${isolateAuto(typed)}» is no sender line. One has 5 to 14 digits, such as ${code('3000123456')}`,
    set: (line: string): Html => html`Line ${code(isolateLtr(line))} is used from now on.`,
    openRules: '📋 Rules of this line',
    names: { purpose: 'Purpose', must: 'Must say', words: 'Words held back', hours: 'Hours' },
    head: (line: string): Html => html`${b('Rules of line')} ${code(isolateLtr(line))}`,
    row: (icon: string, name: string, value: Html): Html => html`${icon} ${name}: ${value}`,
    purposes: { service: 'Service messages', advertising: 'Advertising' },
    notSaid: html`not set`,
    anything: html`nothing in particular`,
    phrase: (phrase: string): Html => html`«${isolateAuto(phrase)}»`,
    noWords: html`none`,
    anyTime: html`as the chat’s`,
    hoursIn: (from: string, to: string, zone: string): Html =>
      html`${isolateLtr(`${from}–${to}`)} · ${isolateLtr(zone)}`,
    comma: ', ',
    explain: html`A text without what it must say gets a warning and a button that adds it. A text with a word held back needs a second person’s approval. These rules are for this chat alone.`,
    explainHours: html`The line’s hours hold beside the chat’s.`,
    adminOnly: html`An admin changes them.`,
    edit: (name: string): string => `✏️ ${name}`,
    turnOff: (name: string): string => `${name} off`,
    off: 'Off',
    askSetting: html`Which rule of the line?`,
    badSetting: (typed: string): Html =>
      html`«${isolateAuto(typed)}» is not a rule of a line. They are ${code('purpose')}, ${code('must')}, ${code('words')} and ${code('hours')}; ${code('rules')} shows all of them, such as ${code('/line 3000123456 rules')}.`,
    askPurpose: (line: string): Html => html`What is line ${code(isolateLtr(line))} for?`,
    badPurpose: (typed: string): Html =>
      html`«${isolateAuto(typed)}» is not a purpose. Type ${code('service')}, ${code('advertising')} or ${code('off')}.`,
    askMust: (line: string): Html =>
      html`What should each text from line ${code(isolateLtr(line))} say? For example ${code('لغو۱۱')}; ${code('off')} for nothing.`,
    badMust: html`Type a phrase of at most 40 characters with a letter or digit in it, such as ${code('لغو۱۱')}, or ${code('off')}.`,
    askWords: (line: string): Html =>
      html`Which words should not be sent from line ${code(isolateLtr(line))} without a second person? Type all of them with commas between, such as ${code('free, prize')}: they take the place of the list. ${code('off')} empties it.`,
    badWords: html`Type at most 50 words or phrases with commas between, each of at most 40 characters and with a letter or digit in it, such as ${code('free, prize')}, or ${code('off')}.`,
    askHours: (line: string, zone: string): Html =>
      html`Between which hours may messages be sent from line ${code(isolateLtr(line))} (${isolateLtr(zone)})? For example ${code('9-21')}; ${code('off')} for the chat’s hours alone.`,
    badHours: (typed: string): Html =>
      html`«${isolateAuto(typed)}» is not two times of day. Type for example ${code('9-21')}, ${code('9:30-21:00')} or, over midnight, ${code('21-9')}; ${code('off')} for the chat’s hours alone.`,
    changed: (name: string, value: Html, before: Html, by: string): Html =>
      html`✅ ${name}: ${b(value)}. Before: ${before}. Set by ${isolateAuto(by)}.`,
    unchanged: (name: string, value: Html): Html =>
      html`${name} is already set: ${value}. Nothing was changed.`,
    alsoMust: (phrase: string): Html =>
      html`Advertising has to say how it ends: its texts must say «${isolateAuto(phrase)}» too.`,
    notAllowed: html`Your role here does not allow this. Nothing was changed: an admin changes the rules of lines.`,
    full: html`This chat has rules for 50 lines already. Turn those of another line off first. Nothing was changed.`,
  },
  fa: {
    about: 'دیدن یا تعیین خط فرستنده و قاعده‌هایش',
    example: '/line 3000123456 کلمه‌ها رایگان، جایزه',
    usage: 'خط',
    usageSetting: 'قاعده‌ها|کاربرد|عبارت|کلمه‌ها|ساعت‌ها',
    usageValue: 'مقدار|خاموش',
    ask: (now) =>
      lines(
        now === null ? html`هنوز خطی تعیین نشده است.` : html`خط: ${code(isolateLtr(now))}`,
        html`از کدام خط ارسال شود؟ بنویسید یا یکی از خط‌های قبلی را بزنید.`,
      ),
    bad: (typed) =>
      html`«${isolateAuto(typed)}» خط فرستنده نیست. خط فرستنده ۵ تا ۱۴ رقم دارد، مانند ${code('3000123456')}`,
    set: (line) => html`از این به بعد از خط ${code(isolateLtr(line))} ارسال می‌شود.`,
    openRules: '📋 قاعده‌های این خط',
    names: { purpose: 'کاربرد', must: 'عبارت الزامی', words: 'کلمه‌های ممنوع', hours: 'ساعت‌ها' },
    head: (line) => html`${b('قاعده‌های خط')} ${code(isolateLtr(line))}`,
    row: (icon, name, value) => html`${icon} ${name}: ${value}`,
    purposes: { service: 'خدماتی', advertising: 'تبلیغاتی' },
    notSaid: html`تعیین نشده`,
    anything: html`ندارد`,
    phrase: (phrase) => html`«${isolateAuto(phrase)}»`,
    noWords: html`ندارد`,
    anyTime: html`مثل گفتگو`,
    hoursIn: (from, to, zone) => html`${from} تا ${to} · ${isolateLtr(zone)}`,
    comma: '، ',
    explain: html`متنی که عبارت الزامی را نداشته باشد هشدار می‌گیرد، با دکمه‌ای که آن را اضافه می‌کند. متنی که کلمهٔ ممنوع داشته باشد تأیید نفر دوم می‌خواهد. این قاعده‌ها فقط برای همین گفتگوست.`,
    explainHours: html`ساعت‌های خط در کنار ساعت‌های گفتگو حساب می‌شود.`,
    adminOnly: html`مدیر آن‌ها را عوض می‌کند.`,
    edit: (name) => `✏️ ${name}`,
    turnOff: (name) => `حذف ${name}`,
    off: 'خاموش',
    askSetting: html`کدام قاعدهٔ خط؟`,
    badSetting: (typed) =>
      html`«${isolateAuto(typed)}» قاعدهٔ خط نیست. قاعده‌ها: ${code('کاربرد')}، ${code('عبارت')}، ${code('کلمه‌ها')} و ${code('ساعت‌ها')}؛ ${code('قاعده‌ها')} همه را نشان می‌دهد، مانند ${code('/line 3000123456 قاعده‌ها')}.`,
    askPurpose: (line) => html`خط ${code(isolateLtr(line))} برای چیست؟`,
    badPurpose: (typed) =>
      html`«${isolateAuto(typed)}» کاربرد خط نیست. بنویسید ${code('خدماتی')}، ${code('تبلیغاتی')} یا ${code('خاموش')}.`,
    askMust: (line) =>
      html`هر متن خط ${code(isolateLtr(line))} چه عبارتی داشته باشد؟ مثلاً ${code('لغو۱۱')}؛ ${code('خاموش')} یعنی هیچ.`,
    badMust: html`عبارتی تا ۴۰ کاراکتر بنویسید که حرف یا رقم داشته باشد، مانند ${code('لغو۱۱')}، یا ${code('خاموش')}.`,
    askWords: (line) =>
      html`کدام کلمه‌ها بدون تأیید نفر دوم از خط ${code(isolateLtr(line))} ارسال نشود؟ همه را با ویرگول بنویسید، مانند ${code('رایگان، جایزه')}؛ جای فهرست قبلی می‌نشیند. ${code('خاموش')} آن را خالی می‌کند.`,
    badWords: html`حداکثر ۵۰ کلمه یا عبارت را با ویرگول بنویسید، هر کدام تا ۴۰ کاراکتر و با حرف یا رقم، مانند ${code('رایگان، جایزه')}، یا ${code('خاموش')}.`,
    askHours: (line, zone) =>
      html`از خط ${code(isolateLtr(line))} بین چه ساعت‌هایی ارسال شود (به وقت ${isolateLtr(zone)})؟ مثلاً ${code('9-21')}؛ ${code('خاموش')} یعنی فقط ساعت‌های گفتگو.`,
    badHours: (typed) =>
      html`«${isolateAuto(typed)}» دو ساعت متفاوت نیست. مثلاً بنویسید ${code('9-21')}، ${code('9:30-21:00')} یا از شب تا صبح ${code('21-9')}؛ ${code('خاموش')} یعنی فقط ساعت‌های گفتگو.`,
    changed: (name, value, before, by) =>
      html`✅ ${name}: ${b(value)}. قبلاً: ${before}. توسط ${isolateAuto(by)}.`,
    unchanged: (name, value) => html`${name} الان هم همین است: ${value}. چیزی تغییر نکرد.`,
    alsoMust: (phrase) =>
      html`پیام تبلیغاتی باید راه لغو را بگوید: متن‌هایش باید «${isolateAuto(phrase)}» هم داشته باشند.`,
    notAllowed: html`نقش شما در اینجا این اجازه را نمی‌دهد. چیزی تغییر نکرد: مدیر قاعده‌های خط‌ها را عوض می‌کند.`,
    full: html`این گفتگو برای ۵۰ خط قاعده دارد. اول قاعده‌های خط دیگری را خاموش کنید. چیزی تغییر نکرد.`,
  },
});
