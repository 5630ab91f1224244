import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, html, lines, type Html } from '../../telegram/html.ts';

interface Details {
  readonly name: string;
  readonly company: string | undefined;
  readonly type: string | undefined;
  readonly tariff: string | undefined;
  readonly credit: string | undefined;
  readonly expires: string | undefined;
  readonly expired: boolean;
  readonly keyTail: string;
  readonly line: string | null;
}

export const texts = defineTexts({
  en: {
    aboutAccount: 'the linked account: owner, type, expiry, tariff',
    aboutCredit: 'credit of the account, and how long it lasts',
    credit: (amount: string, name: string, time: string): Html =>
      lines(html`💰 ${b(amount)}`, html`${isolateAuto(name)} · as of ${time}`),
    pace: (perDay: string, left: string | null): Html =>
      html`📉 ≈ ${perDay} a day in the last 7 days${left === null ? '' : ` · ${left} left at this pace`}`,
    days: { one: 'day', other: 'days' },
    underADay: 'less than a day',
    burn: (days: string, sum: string, day: string, most: string): Html =>
      html`📈 ${sum} in the last ${days}, the most on ${day}: ${most}`,
    prices: (list: string): Html => html`🏷 Price of a part: ${list}`,
    inLatin: (price: string): string => `≈ ${price} in Latin`,
    inUnicode: (price: string): string => `≈ ${price} in Unicode`,
    latinUnknown: 'not known yet in Latin',
    unicodeUnknown: 'not known yet in Unicode',
    byOperator: (encoding: 'latin' | 'unicode', list: string): Html =>
      html`📶 A ${encoding === 'latin' ? 'Latin' : 'Unicode'} part by network: ${list}`,
    noPrice: html`🏷 The price of a part is not known yet.`,
    underWay: (amount: string): Html => html`🚚 About ${amount} of it is for sends under way.`,
    sends: { one: 'send', other: 'sends' },
    scheduled: (sends: string, amount: string | null, without: string | null): Html =>
      html`🗓 ${sends} scheduled: ${amount === null ? 'the price is not known' : `≈ ${amount}`}${without === null ? '' : `, not counting ${without} whose price is not known`}`,
    elsewhere: (amount: string): Html => html`🗓 Scheduled in other chats on this account: ≈ ${amount}`,
    willNotFit: (missing: string): Html =>
      html`⚠ The credit does not cover all of that: it is short by about ${missing}.`,
    account: (d: Details): Html =>
      lines(
        html`👤 <b>${isolateAuto(d.name)}</b>${d.type === undefined ? '' : html` · ${isolateAuto(d.type)}`}`,
        d.company !== undefined && html`Company: ${isolateAuto(d.company)}`,
        d.credit !== undefined && html`Credit: ${d.credit}`,
        d.tariff !== undefined && html`Tariff: ${isolateAuto(d.tariff)}`,
        d.expires !== undefined && html`${d.expired ? '⚠ Expired' : 'Expires'}: ${d.expires}`,
        d.line !== null && html`Default line: ${isolateLtr(d.line)}`,
        d.keyTail !== '' && html`Key: …${isolateLtr(d.keyTail)}`,
      ),
  },
  fa: {
    aboutAccount: 'حساب وصل‌شده: صاحب، نوع، انقضا، تعرفه',
    aboutCredit: 'اعتبار حساب و اینکه تا کی کفاف می‌دهد',
    credit: (amount, name, time) => lines(html`💰 ${b(amount)}`, html`${isolateAuto(name)} · ساعت ${time}`),
    pace: (perDay, left) =>
      html`📉 روزی ≈ ${perDay} در ۷ روز گذشته${left === null ? '' : ` · با این روند ${left} کفاف می‌دهد`}`,
    days: { one: 'روز', other: 'روز' },
    underADay: 'کمتر از یک روز',
    burn: (days, sum, day, most) => html`📈 ${sum} در ${days} گذشته، بیشترین در ${day}: ${most}`,
    prices: (list) => html`🏷 قیمت هر پارت: ${list}`,
    inLatin: (price) => `لاتین ≈ ${price}`,
    inUnicode: (price) => `یونیکد ≈ ${price}`,
    latinUnknown: 'لاتین هنوز معلوم نیست',
    unicodeUnknown: 'یونیکد هنوز معلوم نیست',
    byOperator: (encoding, list) =>
      html`📶 هر پارت ${encoding === 'latin' ? 'لاتین' : 'یونیکد'} به تفکیک اپراتور: ${list}`,
    noPrice: html`🏷 قیمت هر پارت هنوز معلوم نیست.`,
    underWay: (amount) => html`🚚 حدود ${amount} از آن برای ارسال‌های در جریان است.`,
    sends: { one: 'ارسال', other: 'ارسال' },
    scheduled: (sends, amount, without) =>
      html`🗓 ${sends} زمان‌بندی‌شده: ${amount === null ? 'قیمت معلوم نیست' : `≈ ${amount}`}${without === null ? '' : `، بدون حساب ${without} ارسال که قیمتش معلوم نیست`}`,
    elsewhere: (amount) => html`🗓 زمان‌بندی‌شده در گفتگوهای دیگر با همین حساب: ≈ ${amount}`,
    willNotFit: (missing) => html`⚠ اعتبار برای همهٔ این‌ها کافی نیست: حدود ${missing} کم است.`,
    account: (d) =>
      lines(
        html`👤 <b>${isolateAuto(d.name)}</b>${d.type === undefined ? '' : html` · ${isolateAuto(d.type)}`}`,
        d.company !== undefined && html`شرکت: ${isolateAuto(d.company)}`,
        d.credit !== undefined && html`اعتبار: ${d.credit}`,
        d.tariff !== undefined && html`تعرفه: ${isolateAuto(d.tariff)}`,
        d.expires !== undefined && html`${d.expired ? '⚠ منقضی شد' : 'انقضا'}: ${d.expires}`,
        d.line !== null && html`خط پیش‌فرض: ${isolateLtr(d.line)}`,
        d.keyTail !== '' && html`کلید: …${isolateLtr(d.keyTail)}`,
      ),
  },
});
