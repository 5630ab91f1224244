import type { Locale } from '../../src/i18n/define.ts';

/** One thing, what it is called in each language, and what it is not called, in whatever a person reads. */
interface Term {
  readonly thing: string;
  readonly en: string;
  readonly fa: string;
  readonly never: Readonly<Partial<Record<Locale, RegExp>>>;
  /** The documents may say it: there, calls leave a process. */
  readonly isInDocuments?: true;
}

/**
 * The one table of terms. A word of the last column fails wherever people read it: texts, help, columns of files,
 * pictures, the start screen, the page and the documents. U+FFFC stands for what is put in.
 */
export const GLOSSARY: readonly Term[] = [
  { thing: 'message to a phone', en: 'SMS, message', fa: 'پیامک', never: {} },
  {
    thing: 'SMS part',
    en: 'part',
    fa: 'پارت',
    never: { fa: /[\d۰-۹\ufffc] ?بخش(?:‌ها)?(?!\p{L}| «)/u },
  },
  { thing: 'character', en: 'character', fa: 'کاراکتر', never: { fa: /نویسه/u } },
  { thing: 'file', en: 'file', fa: 'فایل', never: { fa: /پرونده/u } },
  {
    thing: 'price, cost',
    en: 'price, cost',
    fa: 'قیمت، هزینه',
    never: { fa: /(?<!\p{L})بها(?:ی|یش|ست)?(?!\p{L})/u },
  },
  { thing: 'credit (money)', en: 'credit', fa: 'اعتبار', never: {} },
  {
    thing: 'credential, key',
    en: 'key, password',
    fa: 'کلید، رمز',
    never: { fa: /اعتبار(?:نامه| دیگری| جدید)/u },
  },
  { thing: 'the gateway', en: 'gateway', fa: 'پنل پیامک', never: { fa: /سامانه|درگاه/u } },
  { thing: 'blacklist', en: 'blacklist', fa: 'لیست سیاه', never: { fa: /فهرست سیاه/u } },
  {
    thing: 'delivered, not delivered',
    en: 'delivered, not delivered',
    fa: 'تحویل شد، تحویل نشد',
    never: { fa: /[✅❌][^\n]*(?<!\p{L})ن?رسید(?!\p{L})/u },
  },
  { thing: 'accepted by the gateway', en: 'accepted', fa: 'پذیرفته شد', never: {} },
  { thing: 'unknown', en: 'unknown', fa: 'نامعلوم', never: {} },
  {
    thing: 'given to the network so far, or not yet',
    en: 'sent, not sent',
    fa: 'ارسال شد، ارسال نشد',
    // Of a message it reads as "remaining"; days are left, and so does somebody who leaves a group.
    isInDocuments: true,
    never: {
      en: /[\d\ufffc] (?:have )?left(?=[,.;·]|$)|\bnothing (?:has |have )?left\b|\b(?:it|they|messages?) (?:has |have |did not |will |would )?(?:left|leaves?)\b|\bwaiting to leave\b/iu,
    },
  },
  { thing: 'flash', en: 'flash', fa: 'فلش', never: { fa: /(?<!\p{L})آنی(?!\p{L})/u } },
  {
    thing: 'stop, pause, resume, undo',
    en: 'Stop, Pause, Resume, Undo',
    fa: 'توقف، مکث، ادامه، لغو ارسال',
    never: { fa: /بایست(?!د)|(?<!\p{L})ایست(?:اد|اند)|[⏸⏹] نگه|⏸ نگه دار|↩️ برگردان/u },
  },
  { thing: 'continue, use', en: 'Continue', fa: 'ادامه', never: { en: /^▶ Use$/u, fa: /^▶ همین/u } },
  {
    thing: 'merge field',
    en: 'field',
    fa: 'فیلد',
    never: { en: /\bblanks?\b/iu, fa: /جا(?:ی|های) خالی/u },
  },
  { thing: 'field without a value', en: 'empty field', fa: 'فیلد خالی', never: { fa: /بی‌مقدار/u } },
  { thing: 'operator (role)', en: 'operator', fa: 'اپراتور', never: { fa: /متصدی/u } },
  {
    thing: 'the bot’s administrator',
    en: 'the bot’s administrator',
    fa: 'مدیر ربات',
    never: { en: /\bwho(?:ever)? runs (?:me|it|this bot|the bot)\b|\bthis deployment\b/iu, fa: /گردانند/u },
  },
  {
    thing: 'mobile operator',
    en: 'network',
    fa: 'اپراتور موبایل',
    never: { en: /\b(?:with|reached|reach) (?:the )?operator\b|\b(?:telecom|mobile) operator\b/iu },
  },
  {
    thing: 'copy, fax, last',
    en: 'copy, fax, last',
    fa: 'کپی، فکس، آخرین',
    never: { fa: /رونوشت|دورنگار|واپسین/u },
  },
  { thing: 'mute off', en: 'unmute', fa: 'لغو بی‌صدا', never: { fa: /صدادار/u } },
  {
    thing: 'let it choose a password',
    en: 'Generate',
    fa: 'ساخت خودکار رمز',
    never: { en: /\bma[dk]es? (?:one )?up\b/iu, fa: /خودت بساز/u },
  },
  {
    thing: 'what you can do here',
    en: 'What you can do here',
    fa: 'کارهایی که اینجا می‌توانید انجام دهید',
    never: { fa: /برمی‌آید/u },
  },
  { thing: 'a sample of rows', en: 'picked at random', fa: 'تصادفی', never: { en: /\bby chance\b/iu } },
  {
    thing: 'what is asked for or offered',
    en: 'should, do you want',
    fa: 'انتخاب کنید، اول، بعد',
    never: { en: /\bshall\b/iu, fa: /برگزین|(?<!\p{L})نخست(?!\p{L})|(?<!\p{L})سپس(?!\p{L})/u },
  },
  { thing: 'link', en: 'link', fa: 'لینک', never: { fa: /(?<!\p{L})پیوند(?!\p{L})/u } },
  { thing: 'word', en: 'word', fa: 'کلمه', never: { fa: /واژه/u } },
  {
    thing: 'what does not pass',
    en: 'is not …',
    fa: '… نیست',
    isInDocuments: true,
    never: { en: /\bwill not do\b/iu },
  },
  {
    thing: 'here, before, from now on, found: as people say it',
    en: 'here, before, from now on, found',
    fa: 'اینجا، قبلاً، از این به بعد، پیدا شد',
    never: {
      fa: /(?:این|آن)\u200cجا|پیش\u200cتر|از این پس|نیافت|می\u200cیاب[مد]|برخی/u,
    },
  },
];

/** The first word of a text that nobody says here, with what is said instead; null where all is well. */
export function neverWord(locale: Locale, text: string, isDocument = false): string | null {
  for (const { never, isInDocuments, [locale]: said } of GLOSSARY) {
    if (isDocument && isInDocuments === true) continue;
    const found = never[locale]?.exec(text);
    if (found !== null && found !== undefined) return `${found[0].trim()} (say: ${said})`;
  }
  return null;
}
