import type { AlertKind } from '../../domain/alerts.ts';
import { defineTexts } from '../../i18n/define.ts';

const en: Readonly<Record<AlertKind, string>> = {
  inbound: 'Received messages',
  credit: 'Credit',
  job: 'Sends',
  failures: 'Delivery failures',
  account: 'Account',
  gateway: 'Gateway',
  inbox: 'Inbox watch',
  digest: 'Digest',
};

const fa: Readonly<Record<AlertKind, string>> = {
  inbound: 'پیام‌های دریافتی',
  credit: 'اعتبار',
  job: 'ارسال‌ها',
  failures: 'نرسیدن پیام‌ها',
  account: 'حساب',
  gateway: 'درگاه',
  inbox: 'پایش صندوق',
  digest: 'خلاصه',
};

/** What each kind of alert is called. */
export const kindTexts = defineTexts({ en: { names: en }, fa: { names: fa } });
