import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, clip, code, html, lines, type Html } from '../../telegram/html.ts';
import { slash } from '../../telegram/slash.ts';
import type { BlockVerdict } from './blocker.ts';
import type { CheckVerdict } from './checker.ts';

const line = (digits: string): Html => code(isolateLtr(digits));
const said = (raw: string): string => isolateAuto(clip(raw, 60));

export const texts = defineTexts({
  en: {
    aboutBlocked: 'numbers that a line must not send to',
    aboutIsBlocked: 'whether numbers are blocked on a line',
    aboutBlock: 'put numbers on the blacklist of a line',
    aboutUnblock: 'take a number off the blacklist of a line',
    askLine: html`The blacklist of which line? Every line has its own.`,
    askBlock: html`Which numbers should I block? Separate several with commas, spaces or new lines.`,
    askUnblock: html`Which number should I unblock?`,
    numbers: { one: 'number', other: 'numbers' },
    listHead: (digits: string, count: string): Html =>
      html`⛔ ${b('Blacklist')} · line ${line(digits)} · ${count}`,
    entry: (index: string, number: Html, setBy: string | undefined): Html =>
      html`${index}. ${number}${setBy === undefined ? '' : html` · set by ${said(setBy)}`}`,
    empty: (digits: string): Html => html`No number is blocked on line ${line(digits)}.`,
    moreOnPage: (count: string): Html =>
      html`… and ${count} more on this page than fit here: ⬇ gives all of them as a file.`,
    emptyPage: html`There is nothing on this page.`,
    otherLine: 'Other line',
    exportedPart: (got: string, total: string): Html =>
      html`⚠ The file holds ${got} of ${total} that the gateway counts; one file takes at most 5,000.`,
    checkHead: (digits: string, blocked: string, all: string): Html =>
      html`⛔ Line ${line(digits)} · ${blocked} of ${all} blocked`,
    checked: (verdict: CheckVerdict['verdict'], number: Html, raw: string): Html =>
      ({
        blocked: () => html`⛔ ${number}: blocked`,
        worded: () => html`▫️ ${number}: no block confirmed; the gateway says “${said(raw)}”`,
        silent: () => html`▫️ ${number}: no block confirmed; the gateway leaves it out of its answer`,
        not_asked: () => html`❔ ${number}: not known, the question failed`,
      })[verdict](),
    checkedWords: {
      blocked: 'blocked',
      worded: 'no block confirmed',
      silent: 'no block confirmed',
      not_asked: 'not known',
    } satisfies Record<CheckVerdict['verdict'], string>,
    onlyBlocked: html`The gateway’s documentation has a word for “blocked” only, so for other numbers I show what it says.`,
    askToBlock: (digits: string, count: string): Html =>
      html`⛔ ${b(`Block ${count}`)} on line ${line(digits)}?`,
    repeated: (count: string): Html => html`♻️ ${count} repeated`,
    invalid: (raw: string, why: string): Html => html`🚫 ${isolateAuto(raw)}: ${why}`,
    why: (reason: string): string => WHY_EN[reason] ?? 'not a mobile number',
    more: (count: string): Html => html`… and ${count} more`,
    whatBlocking: html`The gateway then sends them nothing from this line. Taking them off again is for approvers: /unblock`,
    block: (count: string) => `✅ Block ${count}`,
    cancel: '✖ Cancel',
    cancelled: html`Left. Nothing was changed.`,
    decided: html`This has been decided already.`,
    blocking: (digits: string, count: string): Html => html`⏳ Blocking ${count} on line ${line(digits)} …`,
    blockHead: (digits: string, name: string, counts: string): Html =>
      html`⛔ Line ${line(digits)} · by ${isolateAuto(name)}: ${counts}`,
    counts: {
      added: (n: string) => `${n} added`,
      already: (n: string) => `${n} already there`,
      worded: (n: string) => `${n} unclear`,
      unknown: (n: string) => `${n} not known`,
      not_added: (n: string) => `${n} not added`,
    } satisfies Record<BlockVerdict['verdict'], (n: string) => string>,
    blocked: (verdict: BlockVerdict['verdict'], number: Html, raw: string): Html =>
      ({
        added: () => html`✅ ${number}: added`,
        already: () => html`▫️ ${number}: was on the list already`,
        worded: () => html`❔ ${number}: the gateway says “${said(raw)}”`,
        unknown: () => html`❔ ${number}: not known`,
        not_added: () => html`✖ ${number}: not added`,
      })[verdict](),
    blockedWords: {
      added: 'added',
      already: 'already there',
      worded: 'unclear',
      unknown: 'not known',
      not_added: 'not added',
    } satisfies Record<BlockVerdict['verdict'], string>,
    refused: (why: string): Html => html`The gateway refused: ${why}`,
    noAnswer: html`The gateway gave no answer.`,
    unreadable: html`The gateway answered something that I cannot read.`,
    mayBeAdded: html`Those that are not known may be on the list. I do not repeat the call by myself.`,
    againHelps: html`🔁 looks first what is on the list and adds the rest; nothing is added twice.`,
    again: '🔁 Again',
    columns: ['number', 'line', 'result', 'word of the gateway'],
    listColumns: ['number', 'line', 'set by', 'owner'],
    askToUnblock: (digits: string, number: Html): Html =>
      lines(
        html`♻️ ${b('Unblock')} ${number} on line ${line(digits)}?`,
        html`The line can send to it again then, also if its owner asked to be left alone.`,
      ),
    unblock: '✅ Unblock',
    unblocked: (digits: string, number: Html, name: string): Html =>
      html`✅ ${number} is off the blacklist of line ${line(digits)} · by ${isolateAuto(name)}`,
    notThere: (digits: string, number: Html): Html =>
      html`${number} is not on the blacklist of line ${line(digits)}: the gateway found nothing to take off.`,
    goneNow: (digits: string, number: Html): Html =>
      html`${number} is not on the blacklist of line ${line(digits)} now. Perhaps the call before took it off, perhaps it never was there.`,
    stillThere: (digits: string, number: Html): Html =>
      html`${number} was not taken off the blacklist of line ${line(digits)}.`,
    mayBeOff: (digits: string, number: Html): Html =>
      html`❔ It is not known whether ${number} is off the blacklist of line ${line(digits)}. I do not repeat the call by myself; 🔁 is safe: if it is off, the gateway says so.`,
  },
  fa: {
    aboutBlocked: 'شماره‌هایی که یک خط نباید به آن‌ها بفرستد',
    aboutIsBlocked: 'آیا شماره‌ها در یک خط مسدودند',
    aboutBlock: 'افزودن شماره‌ها به لیست سیاه یک خط',
    aboutUnblock: 'برداشتن یک شماره از لیست سیاه یک خط',
    askLine: html`لیست سیاه کدام خط؟ هر خط لیست خودش را دارد.`,
    askBlock: html`کدام شماره‌ها مسدود شوند؟ چند شماره را با ویرگول، فاصله یا خط تازه جدا کنید.`,
    askUnblock: html`کدام شماره از لیست سیاه برداشته شود؟`,
    numbers: { one: 'شماره', other: 'شماره' },
    listHead: (digits, count) => html`⛔ ${b('لیست سیاه')} · خط ${line(digits)} · ${count}`,
    entry: (index, number, setBy) =>
      html`${index}. ${number}${setBy === undefined ? '' : html` · به دست ${said(setBy)}`}`,
    empty: (digits) => html`هیچ شماره‌ای در خط ${line(digits)} مسدود نیست.`,
    moreOnPage: (count) =>
      html`… و ${count} دیگر در این صفحه که این‌جا جا نشد: با ⬇ همه را در یک فایل می‌گیرید.`,
    emptyPage: html`در این صفحه چیزی نیست.`,
    otherLine: 'خط دیگر',
    exportedPart: (got, total) =>
      html`⚠ در این فایل ${got} از ${total} شماره‌ای هست که پنل پیامک می‌شمارد؛ در هر فایل حداکثر ۵٬۰۰۰ می‌آید.`,
    checkHead: (digits, blocked, all) => html`⛔ خط ${line(digits)} · ${blocked} از ${all} مسدود`,
    checked: (verdict, number, raw) =>
      ({
        blocked: () => html`⛔ ${number}: مسدود`,
        worded: () => html`▫️ ${number}: مسدودبودن تأیید نشد؛ پنل پیامک می‌گوید «${said(raw)}»`,
        silent: () => html`▫️ ${number}: مسدودبودن تأیید نشد؛ در پاسخ پنل پیامک نیامده است`,
        not_asked: () => html`❔ ${number}: نامعلوم، پرسش انجام نشد`,
      })[verdict](),
    checkedWords: {
      blocked: 'مسدود',
      worded: 'مسدودبودن تأیید نشد',
      silent: 'مسدودبودن تأیید نشد',
      not_asked: 'نامعلوم',
    },
    onlyBlocked: html`مستندات پنل پیامک تنها برای «مسدود» واژه‌ای دارد؛ برای شماره‌های دیگر همان را که می‌گوید نشان می‌دهم.`,
    askToBlock: (digits, count) => html`⛔ ${b(`مسدودکردن ${count}`)} در خط ${line(digits)}؟`,
    repeated: (count) => html`♻️ ${count} تکراری`,
    invalid: (raw, why) => html`🚫 ${isolateAuto(raw)}: ${why}`,
    why: (reason) => WHY_FA[reason] ?? 'شمارهٔ همراه نیست',
    more: (count) => html`… و ${count} تای دیگر`,
    whatBlocking: html`از آن پس پنل پیامک از این خط چیزی به آن‌ها نمی‌فرستد. برداشتن از لیست با تأییدکننده است: ${slash('fa', 'unblock')}`,
    block: (count) => `✅ مسدودکردن ${count}`,
    cancel: '✖ انصراف',
    cancelled: html`کنار گذاشته شد. چیزی تغییر نکرد.`,
    decided: html`در این باره پیش‌تر تصمیم گرفته شده است.`,
    blocking: (digits, count) => html`⏳ در حال مسدودکردن ${count} در خط ${line(digits)} …`,
    blockHead: (digits, name, counts) => html`⛔ خط ${line(digits)} · به دست ${isolateAuto(name)}: ${counts}`,
    counts: {
      added: (n) => `${n} افزوده شد`,
      already: (n) => `${n} از پیش بود`,
      worded: (n) => `${n} نامشخص`,
      unknown: (n) => `${n} نامعلوم`,
      not_added: (n) => `${n} افزوده نشد`,
    },
    blocked: (verdict, number, raw) =>
      ({
        added: () => html`✅ ${number}: افزوده شد`,
        already: () => html`▫️ ${number}: از پیش در لیست بود`,
        worded: () => html`❔ ${number}: پنل پیامک می‌گوید «${said(raw)}»`,
        unknown: () => html`❔ ${number}: نامعلوم`,
        not_added: () => html`✖ ${number}: افزوده نشد`,
      })[verdict](),
    blockedWords: {
      added: 'افزوده شد',
      already: 'از پیش بود',
      worded: 'نامشخص',
      unknown: 'نامعلوم',
      not_added: 'افزوده نشد',
    },
    refused: (why) => html`پنل پیامک نپذیرفت: ${why}`,
    noAnswer: html`پنل پیامک پاسخی نداد.`,
    unreadable: html`پاسخ پنل پیامک خوانا نبود.`,
    mayBeAdded: html`شماره‌های نامعلوم شاید در لیست باشند. خودم درخواست را تکرار نمی‌کنم.`,
    againHelps: html`با 🔁 اول می‌بینم چه شماره‌هایی در لیست هست و بقیه را اضافه می‌کنم. هیچ شماره‌ای دو بار اضافه نمی‌شود.`,
    again: '🔁 دوباره',
    columns: ['شماره', 'خط', 'نتیجه', 'واژهٔ پنل پیامک'],
    listColumns: ['شماره', 'خط', 'ثبت‌کننده', 'صاحب'],
    askToUnblock: (digits, number) =>
      lines(
        html`♻️ ${b('برداشتن')} ${number} از لیست سیاه خط ${line(digits)}؟`,
        html`آن‌گاه این خط باز می‌تواند به آن بفرستد، حتی اگر صاحبش خواسته باشد پیامی نگیرد.`,
      ),
    unblock: '✅ بردار',
    unblocked: (digits, number, name) =>
      html`✅ ${number} از لیست سیاه خط ${line(digits)} برداشته شد · به دست ${isolateAuto(name)}`,
    notThere: (digits, number) =>
      html`${number} در لیست سیاه خط ${line(digits)} نیست: پنل پیامک چیزی برای برداشتن نیافت.`,
    goneNow: (digits, number) =>
      html`${number} اکنون در لیست سیاه خط ${line(digits)} نیست. شاید درخواست پیشین آن را برداشته، شاید هم از آغاز نبوده است.`,
    stillThere: (digits, number) => html`${number} از لیست سیاه خط ${line(digits)} برداشته نشد.`,
    mayBeOff: (digits, number) =>
      html`❔ معلوم نیست ${number} از لیست سیاه خط ${line(digits)} برداشته شده باشد. خودم درخواست را تکرار نمی‌کنم؛ 🔁 خطری ندارد: اگر برداشته شده باشد پنل پیامک می‌گوید.`,
  },
});

const WHY_EN: Readonly<Record<string, string>> = {
  too_short: 'too few digits',
  too_long: 'too many digits',
  not_mobile: 'not an Iranian mobile number',
  not_a_number: 'not a number',
};

const WHY_FA: Readonly<Record<string, string>> = {
  too_short: 'رقم‌هایش کم است',
  too_long: 'رقم‌هایش زیاد است',
  not_mobile: 'شمارهٔ همراه ایران نیست',
  not_a_number: 'شماره نیست',
};
