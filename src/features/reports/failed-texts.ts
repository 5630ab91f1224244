import type { FailureReason } from '../../domain/delivery-codes.ts';
import { defineTexts } from '../../i18n/define.ts';
import { isolateLtr } from '../../i18n/format.ts';
import { b, html, type Html } from '../../telegram/html.ts';

export const failedTexts = defineTexts({
  en: {
    see: (count: string): string => `❌ See ${count}`,
    ofCard: (id: string, count: string): Html => html`❌ ${b(isolateLtr(`#${id}`))} · ${count} without it`,
    ofTime: (span: string, count: string): Html => html`❌ ${span} · ${count} not delivered`,
    nobody: html`There is nobody of whom that is proved any more.`,
    line: (reasons: string): Html => html`Not delivered: ${reasons}`,
    reason: (count: string, reason: string): string => `${count} ${reason}`,
    reasons: {
      handset: 'not reached the handset',
      operator: 'not reached the network',
      returned: 'returned',
      blocked: 'blocked',
      other: 'for another reason',
    } satisfies Record<FailureReason, string>,
    columns: ['number', 'reason', "gateway's word"],
  },
  fa: {
    see: (count) => `❌ دیدن ${count} تحویل‌نشده`,
    ofCard: (id, count) => html`❌ ${b(isolateLtr(`#${id}`))} · به ${count} تحویل نشد`,
    ofTime: (span, count) => html`❌ ${span} · ${count} تحویل نشد`,
    nobody: html`دیگر کسی نیست که تحویل‌نشدنش ثابت باشد.`,
    line: (reasons) => html`تحویل‌نشده‌ها: ${reasons}`,
    reason: (count, reason) => `${count} ${reason}`,
    reasons: {
      handset: 'تحویل‌نشده به گوشی',
      operator: 'تحویل‌نشده به اپراتور موبایل',
      returned: 'برگشت‌خورده',
      blocked: 'مسدود',
      other: 'به دلیلی دیگر',
    },
    columns: ['شماره', 'دلیل', 'گفتهٔ پنل پیامک'],
  },
});
