import { defineTexts, type Locale } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import type { DeliveryState } from '../../ports/gateway.ts';
import { countLabel } from '../shared/count-words.ts';
import { clip, code, html, lines, quote, type Html } from '../../telegram/html.ts';

interface LatestShown {
  readonly id: string;
  readonly text: string;
  readonly line: string | null;
  readonly recipients: string;
  /** Some of them. */
  readonly shown: string;
  /** The gateway gives one state: of several recipients nobody's in particular. */
  readonly single: boolean;
  readonly state: Html;
  readonly when: string | null;
}

const examples = { card: code('A41'), day: code('2026-11-24'), jalali: code('1405/09/03') };

export const texts = defineTexts({
  en: {
    aboutStatus: 'delivery status of messages, by id or by card',
    aboutLatest: 'the latest sent message',
    aboutTrack: 'messages sent to one number',
    aboutOutbox: 'sent messages of a period, or the latest ones',
    aboutCount: 'how much was sent and received, and what it cost',
    aboutReport: 'report of a card, a period, a line or a tag: picture, states, cost, file',
    usageIds: 'ids or card',
    usageSince: 'since',
    usageReport: 'card, period, line or tag',
    askIds: html`Which messages? Ids separated by commas, or a card such as ${examples.card}.`,
    badIds: html`A message id is a number; a card is a letter and a number, such as ${examples.card}.`,
    askOutbox: html`Which time? For example ${code('today')}, ${code('7d')}, one day such as ${examples.day} or ${examples.jalali}, two days, the earlier one first, or ${code('latest')}.`,
    askReport: lines(
      html`Report of what? A card is a letter and a number, such as ${examples.card}. A period is ${code('today')}, ${code('7d')}, one day such as ${examples.day} or ${examples.jalali}, or two days, the earlier one first.`,
      html`A line or a tag goes with a period or alone: ${code('7d line:3000123456')}, ${code('tag:promo')}.`,
    ),
    badReport: (typed: string): Html =>
      html`I could not read ${typed === '' ? 'that' : html`«${isolateAuto(typed)}»`} as a card, a period in the past, a line or a tag.`,
    noAnswer: html`The gateway knows none of these messages.`,
    messages: { one: 'message', other: 'messages' },
    numbers: { one: 'number', other: 'numbers' },
    parts: { one: 'part', other: 'parts' },
    days: { one: 'day', other: 'days' },
    recipients: { one: 'recipient', other: 'recipients' },
    entry: (id: string, recipient: string, state: Html): Html =>
      html`${code(isolateLtr(id))}${recipient === '' ? '' : html` ${isolateLtr(recipient)}`}: ${state}`,
    missing: (count: string, ids: readonly string[], more: boolean): Html =>
      html`No answer for ${count}: ${ids.map((id) => isolateLtr(id)).join(', ')}${more ? ' …' : ''}`,
    details: (count: string | null): string =>
      count === null ? '🔎 Details' : `🔎 Details of the first ${count}`,
    detailsHead: (count: string): Html => html`🔎 Details of ${count}`,
    detail: (id: string, recipient: Html | null, state: Html, when: string | null, text: string): Html =>
      lines(
        html`${code(isolateLtr(id))}${recipient === null ? '' : html` · ${recipient}`} · ${state}${when === null ? '' : ` · ${when}`}`,
        quote(isolateAuto(text)),
      ),
    /** How many are in a state, and their share. */
    stands: (state: string, count: string, share: string): Html => html`${state}: ${count} · ${share}`,
    noSuchId: '❔ the gateway knows no such id',
    none: html`This account has sent nothing yet.`,
    latest: (m: LatestShown): Html =>
      lines(
        html`✉️ ${code(isolateLtr(m.id))}${m.line === null ? '' : html` · line ${isolateLtr(m.line)}`}${m.when === null ? '' : html` · ${m.when}`}`,
        quote(clip(m.text, 1500)),
        html`${m.recipients} ${m.shown}`,
        m.single ? m.state : html`As a whole: ${m.state} · one by one: ${code(`/status ${m.id}`)}`,
      ),
  },
  fa: {
    aboutStatus: 'وضعیت تحویل پیام‌ها، با شناسه یا کارت',
    aboutLatest: 'آخرین پیام ارسال‌شده',
    aboutTrack: 'پیام‌های ارسال‌شده به یک شماره',
    aboutOutbox: 'پیام‌های ارسال‌شدهٔ یک بازه، یا آخرین‌ها',
    aboutCount: 'تعداد پیام‌های ارسالی و دریافتی و هزینه',
    aboutReport: 'گزارش یک کارت، بازه، خط یا برچسب: تصویر، وضعیت‌ها، هزینه، فایل',
    usageIds: 'شناسه‌ها یا کارت',
    usageSince: 'از کی',
    usageReport: 'کارت، بازه، خط یا برچسب',
    askIds: html`کدام پیام‌ها؟ شناسه‌ها را با ویرگول جدا کنید یا کارتی مانند ${examples.card} بنویسید.`,
    badIds: html`شناسهٔ پیام عدد است و کارت یک حرف و یک عدد، مانند ${examples.card}.`,
    askOutbox: html`چه زمانی؟ مثلاً ${code('امروز')}، ${code('۷ روز')}، یک روز مانند ${examples.jalali} یا ${examples.day}، دو روز که زودتر اول بیاید، یا ${code('آخرین')}.`,
    askReport: lines(
      html`گزارش چه؟ کارت یک حرف و یک عدد است، مانند ${examples.card}. بازه ${code('امروز')} است، ${code('۷ روز')}، یک روز مانند ${examples.jalali} یا ${examples.day}، یا دو روز که زودتر اول بیاید.`,
      html`خط یا برچسب همراه بازه یا به‌تنهایی می‌آید: ${code('۷ روز خط:3000123456')}، ${code('برچسب:یلدا')}.`,
    ),
    badReport: (typed) =>
      html`${typed === '' ? 'این' : html`«${isolateAuto(typed)}»`} را نه کارت فهمیدم، نه زمانی در گذشته، نه خط و نه برچسب.`,
    noAnswer: html`پنل پیامک هیچ‌کدام از این پیام‌ها را نمی‌شناسد.`,
    messages: { one: 'پیام', other: 'پیام' },
    numbers: { one: 'شماره', other: 'شماره' },
    parts: { one: 'پارت', other: 'پارت' },
    days: { one: 'روز', other: 'روز' },
    recipients: { one: 'گیرنده', other: 'گیرنده' },
    entry: (id, recipient, state) =>
      html`${code(isolateLtr(id))}${recipient === '' ? '' : html` ${isolateLtr(recipient)}`}: ${state}`,
    missing: (count, ids, more) =>
      html`برای ${count} پاسخی نیامد: ${ids.map((id) => isolateLtr(id)).join('، ')}${more ? ' …' : ''}`,
    details: (count) => (count === null ? '🔎 جزئیات' : `🔎 جزئیات ${count} پیام اول`),
    detailsHead: (count) => html`🔎 جزئیات ${count}`,
    detail: (id, recipient, state, when, text) =>
      lines(
        html`${code(isolateLtr(id))}${recipient === null ? '' : html` · ${recipient}`} · ${state}${when === null ? '' : ` · ${when}`}`,
        quote(isolateAuto(text)),
      ),
    stands: (state, count, share) => html`${state}: ${count} · ${share}`,
    noSuchId: '❔ پنل پیامک چنین شناسه‌ای نمی‌شناسد',
    none: html`این حساب هنوز چیزی ارسال نکرده است.`,
    latest: (m) =>
      lines(
        html`✉️ ${code(isolateLtr(m.id))}${m.line === null ? '' : html` · خط ${isolateLtr(m.line)}`}${m.when === null ? '' : html` · ${m.when}`}`,
        quote(clip(m.text, 1500)),
        html`${m.recipients} ${m.shown}`,
        m.single ? m.state : html`به‌طور کلی: ${m.state} · تک‌تک: ${code(`/status ${m.id}`)}`,
      ),
  },
});

/** What the gateway says of a state, with our word before it; an unknown state shows its number. */
export function stateText(locale: Locale, state: DeliveryState): Html {
  const word = countLabel(state.kind, locale);
  const said = state.text === '' ? '' : html` (${isolateAuto(clip(state.text, 80))})`;
  return state.kind === 'unknown' ? html`${word} ${isolateLtr(String(state.raw))}${said}` : html`${word}`;
}
