import type { Page } from 'playwright-core';
import { say } from './try-page.ts';

const NAMES = {
  en: ['Reza', 'Maryam', 'Sara', 'Ali', 'Nima'],
  fa: ['رضا', 'مریم', 'زهرا', 'علی', 'نیما'],
} as const;

/** Rows with a phone, a name and an order; some are repeated, are no numbers, or lack their name. */
export function customers(good: number, locale: 'en' | 'fa'): string {
  const names = NAMES[locale];
  const rows = [locale === 'fa' ? 'شماره,نام,سفارش' : 'phone,name,order'];
  for (let index = 0; index < good; index += 1) {
    const number = `0912${String(1_000_000 + index * 7919).slice(-7)}`;
    const name = names[index % names.length] ?? '';
    rows.push(`${number},${index % 97 === 96 ? '' : name},${1000 + index}`);
    if (index % 60 === 59) rows.push(`${number},${name},${9000 + index}`);
    if (index % 80 === 79) rows.push(`none,${name},${9000 + index}`);
    if (index % 150 === 149) rows.push(`0912123,${name},${9000 + index}`);
  }
  return `${rows.join('\n')}\n`;
}

/** Drops a file into the chat that is open, with these words below it. */
export async function upload(page: Page, name: string, text: string, caption = ''): Promise<void> {
  await page
    .getByTestId('file-input')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text, 'utf8') });
  await say(page, caption);
}
