import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import type { DeliveryState } from '../../ports/gateway.ts';
import { clip, code, html, lines, quote, type Html } from '../../telegram/html.ts';

type Kind = DeliveryState['kind'];

interface LatestShown {
  readonly id: string;
  readonly text: string;
  readonly line: string | null;
  readonly recipients: string;
  /** Some of them, masked. */
  readonly shown: string;
  /** The gateway gives one state: of several recipients nobody's in particular. */
  readonly single: boolean;
  readonly state: Html;
  readonly when: string | null;
}

export const texts = defineTexts({
  en: {
    aboutStatus: 'delivery status of messages, by id or by card',
    aboutLatest: 'the latest sent message',
    usageIds: 'ids or card',
    askIds: html`Which messages? Ids separated by commas, or a card such as ${code('A41')}.`,
    badIds: html`A message id is a number; a card is a letter and a number, such as ${code('A41')}.`,
    noCard: (card: string): Html => html`There is no card ${code(card)} in this chat.`,
    noAnswer: html`The gateway knows none of these messages.`,
    entry: (id: string, recipient: string, state: Html): Html =>
      html`${code(isolateLtr(id))}${recipient === '' ? '' : html` ${isolateLtr(recipient)}`}: ${state}`,
    more: (count: string): Html => html`… and ${count} more`,
    missing: (ids: readonly string[]): Html =>
      html`No answer for: ${ids.map((id) => isolateLtr(id)).join(', ')}`,
    kinds: {
      waiting: '⏳ waiting',
      sent: '📤 with the operator',
      delivered: '✅ delivered',
      failed: '❌ not delivered',
      blocked: '⛔ blocked',
      unknown: '❔ unknown',
    } satisfies Record<Kind, string>,
    none: html`This account has sent nothing yet.`,
    latest: (m: LatestShown): Html =>
      lines(
        html`✉️ ${code(isolateLtr(m.id))}${m.line === null ? '' : html` · line ${isolateLtr(m.line)}`}${m.when === null ? '' : html` · ${m.when}`}`,
        quote(clip(m.text, 1500)),
        html`${m.recipients} ${m.shown}`,
        m.single ? m.state : html`As a whole: ${m.state} · one by one: ${code(`/status ${m.id}`)}`,
      ),
    recipients: { one: 'recipient', other: 'recipients' },
  },
  fa: {
    aboutStatus: 'وضعیت رسیدن پیام‌ها، با شناسه یا کارت',
    aboutLatest: 'واپسین پیام فرستاده‌شده',
    usageIds: 'شناسه‌ها یا کارت',
    askIds: html`کدام پیام‌ها؟ شناسه‌ها را با ویرگول جدا کنید یا کارتی مانند ${code('A41')} بنویسید.`,
    badIds: html`شناسهٔ پیام عدد است و کارت یک حرف و یک عدد، مانند ${code('A41')}.`,
    noCard: (card) => html`کارت ${code(card)} در این گفتگو نیست.`,
    noAnswer: html`درگاه هیچ‌کدام از این پیام‌ها را نمی‌شناسد.`,
    entry: (id, recipient, state) =>
      html`${code(isolateLtr(id))}${recipient === '' ? '' : html` ${isolateLtr(recipient)}`}: ${state}`,
    more: (count) => html`… و ${count} تای دیگر`,
    missing: (ids) => html`بی‌پاسخ: ${ids.map((id) => isolateLtr(id)).join('، ')}`,
    kinds: {
      waiting: '⏳ در انتظار',
      sent: '📤 نزد اپراتور',
      delivered: '✅ رسید',
      failed: '❌ نرسید',
      blocked: '⛔ مسدود',
      unknown: '❔ نامعلوم',
    },
    none: html`این حساب هنوز چیزی نفرستاده است.`,
    latest: (m) =>
      lines(
        html`✉️ ${code(isolateLtr(m.id))}${m.line === null ? '' : html` · خط ${isolateLtr(m.line)}`}${m.when === null ? '' : html` · ${m.when}`}`,
        quote(clip(m.text, 1500)),
        html`${m.recipients} ${m.shown}`,
        m.single ? m.state : html`روی هم: ${m.state} · یکی‌یکی: ${code(`/status ${m.id}`)}`,
      ),
    recipients: { one: 'گیرنده', other: 'گیرنده' },
  },
});

/** What the gateway says of a state, with our word before it; an unknown state shows its number. */
export function stateText(locale: 'en' | 'fa', state: DeliveryState): Html {
  const word = texts(locale).kinds[state.kind];
  const said = state.text === '' ? '' : html` (${isolateAuto(clip(state.text, 80))})`;
  return state.kind === 'unknown' ? html`${word} ${isolateLtr(String(state.raw))}${said}` : html`${word}`;
}
