import type { FailedChange } from '../../domain/failed-change.ts';
import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, clip, code, html, lines, type Html } from '../../telegram/html.ts';
import { refusalText } from '../../telegram/refusal-texts.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { slash } from '../../telegram/slash.ts';
import { skipReason } from '../shared/skip-reasons.ts';
import type { BlockVerdict } from './blocker.ts';
import type { CheckVerdict } from './checker.ts';

const line = (digits: string): Html => code(isolateLtr(digits));
const said = (raw: string): string => isolateAuto(clip(raw, 60));

export const texts = defineTexts({
  en: {
    aboutBlocked: 'the blacklist of a line',
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
      html`… ${count} on this page do not fit here: ⬇ gives all of them as a file.`,
    emptyPage: html`There is nothing on this page.`,
    otherLine: 'Other line',
    exportedPart: (got: string, total: string): Html =>
      html`⚠ The file has ${got} of the ${total} that the gateway counts: one file takes at most 5,000.`,
    checkHead: (digits: string, blocked: string, all: string): Html =>
      html`⛔ Line ${line(digits)} · ${blocked} of ${all} blocked`,
    checked: (verdict: CheckVerdict['verdict'], number: Html, raw: string): Html =>
      ({
        blocked: () => html`⛔ ${number}: blocked`,
        worded: () => html`▫️ ${number}: no block confirmed; the gateway says “${said(raw)}”`,
        silent: () => html`▫️ ${number}: no block confirmed; the gateway’s answer does not have it`,
        not_asked: () => html`❔ ${number}: not known, the check failed`,
      })[verdict](),
    checkedWords: {
      blocked: 'blocked',
      worded: 'no block confirmed',
      silent: 'no block confirmed',
      not_asked: 'not known',
    } satisfies Record<CheckVerdict['verdict'], string>,
    onlyBlocked: html`The gateway documents only its word for “blocked”; for other numbers I show what it says.`,
    askToBlock: (digits: string, count: string): Html =>
      html`⛔ ${b(`Block ${count}`)} on line ${line(digits)}?`,
    repeated: (count: string): Html => html`♻️ ${count} repeated`,
    invalid: (raw: string, why: string): Html => html`🚫 ${isolateAuto(raw)}: ${why}`,
    why: (reason: string): string => skipReason('en', reason),
    more: (count: string): Html => html`… and ${count} more`,
    whatBlocking: html`From then on the gateway sends them nothing from this line. Only approvers can take them off again: /unblock`,
    block: (count: string) => `✅ Block ${count}`,
    cancel: '✖ Cancel',
    cancelled: html`Cancelled. Nothing was changed.`,
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
    mayBeAdded: html`Those that are not known may be on the list. I do not repeat the request by myself.`,
    againHelps: html`🔁 first looks at what is on the list, then adds the rest; nothing is added twice.`,
    again: '🔁 Try again',
    columns: ['number', 'line', 'result', "gateway's word"],
    listColumns: ['number', 'line', 'set by', 'owner'],
    askToUnblock: (digits: string, number: Html): Html =>
      lines(
        html`♻️ ${b('Unblock')} ${number} on line ${line(digits)}?`,
        html`The line can then send to it again, even if its owner has opted out.`,
      ),
    unblock: '✅ Unblock',
    unblocked: (digits: string, number: Html, name: string): Html =>
      html`✅ ${number} is off the blacklist of line ${line(digits)} · by ${isolateAuto(name)}`,
    notThere: (digits: string, number: Html): Html =>
      html`${number} is not on the blacklist of line ${line(digits)}: the gateway found nothing to remove.`,
    goneNow: (digits: string, number: Html): Html =>
      html`${number} is not on the blacklist of line ${line(digits)} now. Perhaps the earlier request took it off, or it never was there.`,
    stillThere: (digits: string, number: Html): Html =>
      html`${number} was not taken off the blacklist of line ${line(digits)}.`,
    mayBeOff: (digits: string, number: Html): Html =>
      html`❔ It is not known whether ${number} is off the blacklist of line ${line(digits)}. I do not repeat the request by myself; 🔁 is safe: if it is off, the gateway says so.`,
  },
  fa: {
    aboutBlocked: 'لیست سیاه یک خط',
    aboutIsBlocked: 'مسدود بودن یا نبودن شماره‌ها در یک خط',
    aboutBlock: 'افزودن شماره‌ها به لیست سیاه یک خط',
    aboutUnblock: 'برداشتن یک شماره از لیست سیاه یک خط',
    askLine: html`لیست سیاه کدام خط؟ هر خط لیست خودش را دارد.`,
    askBlock: html`کدام شماره‌ها مسدود شوند؟ چند شماره را با ویرگول، فاصله یا خط جدید جدا کنید.`,
    askUnblock: html`کدام شماره از لیست سیاه برداشته شود؟`,
    numbers: { one: 'شماره', other: 'شماره' },
    listHead: (digits, count) => html`⛔ ${b('لیست سیاه')} · خط ${line(digits)} · ${count}`,
    entry: (index, number, setBy) =>
      html`${index}. ${number}${setBy === undefined ? '' : html` · توسط ${said(setBy)}`}`,
    empty: (digits) => html`هیچ شماره‌ای در خط ${line(digits)} مسدود نیست.`,
    moreOnPage: (count) => html`… ${count} از این صفحه اینجا جا نشد: با ⬇ همه را در یک فایل می‌گیرید.`,
    emptyPage: html`در این صفحه چیزی نیست.`,
    otherLine: 'خط دیگر',
    exportedPart: (got, total) =>
      html`⚠ در این فایل ${got} از ${total} شمارهٔ پنل پیامک هست؛ هر فایل حداکثر ۵٬۰۰۰ شماره دارد.`,
    checkHead: (digits, blocked, all) => html`⛔ خط ${line(digits)} · ${blocked} از ${all} مسدود`,
    checked: (verdict, number, raw) =>
      ({
        blocked: () => html`⛔ ${number}: مسدود`,
        worded: () => html`▫️ ${number}: مسدودبودن تأیید نشد؛ پنل پیامک می‌گوید «${said(raw)}»`,
        silent: () => html`▫️ ${number}: مسدودبودن تأیید نشد؛ در پاسخ پنل پیامک نیامده است`,
        not_asked: () => html`❔ ${number}: نامعلوم، بررسی انجام نشد`,
      })[verdict](),
    checkedWords: {
      blocked: 'مسدود',
      worded: 'مسدودبودن تأیید نشد',
      silent: 'مسدودبودن تأیید نشد',
      not_asked: 'نامعلوم',
    },
    onlyBlocked: html`در مستندات پنل پیامک فقط کلمهٔ «مسدود» آمده است؛ برای شماره‌های دیگر عین حرفش را نشان می‌دهم.`,
    askToBlock: (digits, count) => html`⛔ ${b(`مسدودکردن ${count}`)} در خط ${line(digits)}؟`,
    repeated: (count) => html`♻️ ${count} تکراری`,
    invalid: (raw, why) => html`🚫 ${isolateAuto(raw)}: ${why}`,
    why: (reason) => skipReason('fa', reason),
    more: (count) => html`… و ${count} تای دیگر`,
    whatBlocking: html`از آن به بعد پنل پیامک از این خط چیزی به آن‌ها نمی‌فرستد. فقط تأییدکننده می‌تواند آن‌ها را از لیست بردارد: ${slash('fa', 'unblock')}`,
    block: (count) => `✅ مسدودکردن ${count}`,
    cancel: '✖ انصراف',
    cancelled: html`لغو شد. چیزی تغییر نکرد.`,
    decided: html`در این باره قبلاً تصمیم گرفته شده است.`,
    blocking: (digits, count) => html`⏳ در حال مسدودکردن ${count} در خط ${line(digits)} …`,
    blockHead: (digits, name, counts) => html`⛔ خط ${line(digits)} · توسط ${isolateAuto(name)}: ${counts}`,
    counts: {
      added: (n) => `${n} اضافه شد`,
      already: (n) => `${n} از قبل بود`,
      worded: (n) => `${n} نامشخص`,
      unknown: (n) => `${n} نامعلوم`,
      not_added: (n) => `${n} اضافه نشد`,
    },
    blocked: (verdict, number, raw) =>
      ({
        added: () => html`✅ ${number}: اضافه شد`,
        already: () => html`▫️ ${number}: از قبل در لیست بود`,
        worded: () => html`❔ ${number}: پنل پیامک می‌گوید «${said(raw)}»`,
        unknown: () => html`❔ ${number}: نامعلوم`,
        not_added: () => html`✖ ${number}: اضافه نشد`,
      })[verdict](),
    blockedWords: {
      added: 'اضافه شد',
      already: 'از قبل بود',
      worded: 'نامشخص',
      unknown: 'نامعلوم',
      not_added: 'اضافه نشد',
    },
    refused: (why) => html`پنل پیامک نپذیرفت: ${why}`,
    noAnswer: html`پنل پیامک پاسخی نداد.`,
    unreadable: html`پاسخ پنل پیامک خوانا نبود.`,
    mayBeAdded: html`شماره‌های نامعلوم شاید در لیست باشند. خودم درخواست را تکرار نمی‌کنم.`,
    againHelps: html`با 🔁 اول می‌بینم چه شماره‌هایی در لیست هست و بقیه را اضافه می‌کنم. هیچ شماره‌ای دو بار اضافه نمی‌شود.`,
    again: '🔁 تلاش دوباره',
    columns: ['شماره', 'خط', 'نتیجه', 'گفتهٔ پنل پیامک'],
    listColumns: ['شماره', 'خط', 'ثبت‌کننده', 'صاحب'],
    askToUnblock: (digits, number) =>
      lines(
        html`♻️ ${b('برداشتن')} ${number} از لیست سیاه خط ${line(digits)}؟`,
        html`بعد از آن این خط دوباره می‌تواند به آن پیامک بفرستد، حتی اگر صاحبش دریافت را لغو کرده باشد.`,
      ),
    unblock: '✅ برداشتن از لیست',
    unblocked: (digits, number, name) =>
      html`✅ ${number} از لیست سیاه خط ${line(digits)} برداشته شد · توسط ${isolateAuto(name)}`,
    notThere: (digits, number) =>
      html`${number} در لیست سیاه خط ${line(digits)} نیست: پنل پیامک چیزی برای برداشتن پیدا نکرد.`,
    goneNow: (digits, number) =>
      html`${number} الان در لیست سیاه خط ${line(digits)} نیست. شاید درخواست قبلی آن را برداشته، شاید هم از اول نبوده است.`,
    stillThere: (digits, number) => html`${number} از لیست سیاه خط ${line(digits)} برداشته نشد.`,
    mayBeOff: (digits, number) =>
      html`❔ معلوم نیست ${number} از لیست سیاه خط ${line(digits)} برداشته شده است یا نه. خودم درخواست را تکرار نمی‌کنم؛ 🔁 خطری ندارد: اگر برداشته شده باشد پنل پیامک می‌گوید.`,
  },
});

/** Telegram ignores the formatting beyond a hundred places of one message. */
const MAX_CODES = 90;

/** A number as the chat may see it; a tap copies it unless the message has very many. */
export function shownNumber({ format }: Pick<RequestContext, 'format'>, number: string, among = 1): Html {
  const shown = format.phone(number);
  return among > MAX_CODES ? html`${shown}` : code(shown);
}

/** What happened to a call, without what it means for the change. */
export function failureLine({ locale }: Pick<RequestContext, 'locale'>, { why, name }: FailedChange): Html {
  const t = texts(locale);
  if (why === 'refused') return t.refused(refusalText(locale, name));
  return why === 'no_answer' ? t.noAnswer : t.unreadable;
}
