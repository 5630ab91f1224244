// @ts-check
// What every page says, in both languages: [English, Persian].

/** @type {Record<string, [string, string]>} */
export const TEXTS = {
  close: ['Close', 'بستن'],
  cancel: ['Cancel', 'لغو'],
  ok: ['OK', 'باشه'],
  save: ['Save', 'ذخیره'],
  send: ['Send', 'ارسال'],
  copy: ['Copy', 'کپی'],
  copied: ['Copied', 'کپی شد'],
  search: ['Search', 'جستجو'],
  nothing_found: ['Nothing found', 'چیزی پیدا نشد'],
  theme: ['Light or dark', 'روشن یا تیره'],
  other_language: ['این صفحه به فارسی', 'This page in English'],
  disconnected: ['Disconnected. Trying again…', 'ارتباط قطع شد. تلاش دوباره…'],
  failed: ['That did not work: {why}', 'انجام نشد: {why}'],
  today: ['Today', 'امروز'],
  yesterday: ['Yesterday', 'دیروز'],
};
