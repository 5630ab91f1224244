import { defineTexts } from '../../i18n/define.ts';
import { isolateLtr } from '../../i18n/format.ts';
import { b, code, html, type Html } from '../../telegram/html.ts';

const line = (digits: string): Html => code(isolateLtr(digits));

/** Who waits for an answer, and who is whose. */
export const deskTexts = defineTexts({
  en: {
    views: { mine: '🙋 Mine', unanswered: '❔ Unanswered' },
    all: '📥 All',
    people: { one: 'sender', other: 'senders' },
    head: (view: 'mine' | 'unanswered', digits: string | null, count: string): Html =>
      html`📥 ${b(view === 'mine' ? 'Mine' : 'Unanswered')} · ${digits === null ? 'all lines' : html`line ${line(digits)}`} · ${count}`,
    empty: (view: 'mine' | 'unanswered', digits: string | null): Html =>
      view === 'mine'
        ? html`📭 You have taken no message${digits === null ? '' : html` on line ${line(digits)}`} that is still open.`
        : html`📭 Every message${digits === null ? '' : html` on line ${line(digits)}`} is answered or done.`,
  },
  fa: {
    views: { mine: '🙋 با من', unanswered: '❔ بی‌پاسخ' },
    all: '📥 همه',
    people: { one: 'فرستنده', other: 'فرستنده' },
    head: (view, digits, count) =>
      html`📥 ${b(view === 'mine' ? 'با من' : 'بی‌پاسخ')} · ${digits === null ? 'همهٔ خط‌ها' : html`خط ${line(digits)}`} · ${count}`,
    empty: (view, digits) =>
      view === 'mine'
        ? html`📭 ${digits === null ? '' : html`در خط ${line(digits)} `}پیامی با شما نیست که هنوز باز باشد.`
        : html`📭 همهٔ پیام‌ها${digits === null ? '' : html`ی خط ${line(digits)}`} پاسخ گرفته یا انجام شده است.`,
  },
});
