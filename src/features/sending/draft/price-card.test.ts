import { describe, expect, test } from 'vitest';
import { cardView } from '../../../../test/support/send-card.ts';
import type { Gauge } from '../../../domain/price.ts';
import { createFormat, stripBidi } from '../../../i18n/format.ts';
import type { CardView, DraftView } from '../../../ports/stores.ts';
import { plainText } from '../../../telegram/html.ts';
import { priceNote, priceOnButton } from './price-card.ts';

const paid = (cost: number, parts: number) => ({ cost: BigInt(cost), parts: BigInt(parts) });
const GAUGE: Gauge = {
  prices: { gsm7: paid(2840 * 30, 30), ucs2: paid(1420 * 30, 30) },
  credit: 48_300_000,
  committed: 0,
  rialPerDay: 5_000_000,
};

/** One part for each of two people. */
const TEXT = 'جلسه فردا ساعت ۱۰ برگزار می‌شود.';

function view(gauge: Partial<Gauge> | null, draft: Partial<DraftView> = {}): CardView {
  return cardView({
    draft: { text: TEXT, ...draft },
    gauge: gauge === null ? null : { ...GAUGE, ...gauge },
  });
}

const read = (card: ReturnType<typeof view>, lang: 'en' | 'fa' = 'en'): string[] => {
  const note = priceNote(card, createFormat(lang, 'Asia/Tehran'));
  return note === null ? [] : stripBidi(plainText(note)).split('\n');
};
const onButton = (card: ReturnType<typeof view>, lang: 'en' | 'fa' = 'en') =>
  priceOnButton(card, createFormat(lang, 'Asia/Tehran'));

describe('what a draft says of its price', () => {
  test('is the price, what is left after it, and for how long', () => {
    expect(read(view({}))).toEqual([
      '2 parts in all · ≈ 2,840 rial (1,420 a part, learned from your account)',
      '💰 credit after ≈ 48,297,160 rial · about 9 days at your pace',
    ]);
    expect(read(view({}), 'fa')).toEqual([
      'روی هم ۲ پارت · ≈ ۲٬۸۴۰ ریال (هر پارت ۱٬۴۲۰، بر اساس حساب شما)',
      '💰 اعتبار بعد از ارسال ≈ ۴۸٬۲۹۷٬۱۶۰ ریال · با این روند حدود ۹ روز کفاف می‌دهد',
    ]);
    expect(onButton(view({}))).toEqual({ amount: '≈ 2,840 rial', style: 'success', payload: {} });
  });

  test('is nothing more than that it is not known, before it is', () => {
    expect(read(view(null))).toEqual(['2 parts in all · the price is not known yet']);
    expect(onButton(view(null))).toEqual({ amount: null, style: 'success', payload: {} });
    expect(
      read(view({}, { outgoing: { kind: 'pattern', patternId: '1', variables: {}, perCall: 1 } })),
    ).toEqual([]);
  });

  test('says nothing of a credit that nobody knows, and of no days without a pace', () => {
    expect(read(view({ credit: null }))).toHaveLength(1);
    expect(read(view({ rialPerDay: null }))[1]).toBe('💰 credit after ≈ 48,297,160 rial');
    expect(read(view({ rialPerDay: 40_000_000 }))[1]).toContain('about 1 day at your pace');
    expect(read(view({ rialPerDay: 10 ** 9 }))[1]).toContain('less than a day at your pace');
    expect(read(view({ credit: 2840 }))[1]).toBe('💰 credit after ≈ 0 rial');
  });

  test('neither tells nor warns by the price of another encoding', () => {
    const prices = { ...GAUGE.prices, ucs2: paid(0, 0) };
    const unpriced = view({ prices, credit: 1 });
    expect(read(unpriced)).toEqual(['2 parts in all · the price is not known yet']);
    expect(onButton(unpriced)).toEqual({ amount: null, style: 'success', payload: {} });
  });

  test('warns of a credit that does not suffice, and its button knows that it did', () => {
    expect(read(view({ credit: 1000 }))[1]).toBe(
      '⚠ The credit (1,000 rial) is short by about 1,840 rial; what it does not cover will be refused.',
    );
    expect(read(view({ credit: 50_000, committed: 48_000 }))[1]).toBe(
      '⚠ The credit (50,000 rial, about 48,000 rial of it for sends under way) is short by about 840 rial; what it does not cover will be refused.',
    );
    expect(read(view({ credit: 1000 }), 'fa')[1]).toBe(
      '⚠ اعتبار (۱٬۰۰۰ ریال) حدود ۱٬۸۴۰ ریال کم است؛ بقیه را پنل پیامک نمی‌پذیرد.',
    );
    expect(read(view({ credit: 50_000, committed: 48_000 }), 'fa')[1]).toBe(
      '⚠ اعتبار (۵۰٬۰۰۰ ریال که حدود ۴۸٬۰۰۰ ریال آن برای ارسال‌های در جریان است) حدود ۸۴۰ ریال کم است؛ بقیه را پنل پیامک نمی‌پذیرد.',
    );
    expect(onButton(view({ credit: 1000 }), 'fa')).toEqual({
      amount: '≈ ۲٬۸۴۰ ریال',
      style: 'danger',
      payload: { warned: true },
    });
  });
});
