import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Phonebook, PhonebookRead } from '../../../../ports/gateway.ts';
import { audienceOf } from './index.ts';

function gateway(titles: readonly string[], numbers: readonly string[] = []): PhonebookRead {
  const books = titles.map((title, index): Phonebook => ({
    id: String(index + 1),
    owner: 'x',
    title,
    count: 1,
  }));
  return {
    list: () => Promise.resolve(books),
    byName: () => Promise.reject(new Error('not asked')),
    numbers: () => Promise.resolve(numbers.map((number) => ({ number }))),
  };
}

describe('the numbers of a book', () => {
  test('are taken once each, in any form; what is no mobile is told apart', async () => {
    const listed = ['+989121234567', '9351112233', '09121234567', '02112345678', 'x', '989191110003'];
    expect(await audienceOf(gateway(['VIP'], listed), '1')).toEqual({
      recipients: ['989121234567', '989351112233', '989191110003'],
      invalid: [
        { raw: '02112345678', reason: 'not_mobile' },
        { raw: 'x', reason: 'not_mobile' },
      ],
    });
  });

  test('are never made up and never lost', async () => {
    const good = fc.nat(9_999_999).map((tail) => `912${String(tail).padStart(7, '0')}`);
    const written = good.chain((number) =>
      fc.constantFrom(number, `0${number}`, `98${number}`, `+98${number}`).map((form) => ({ number, form })),
    );
    const bad = fc.constantFrom('021', '0211234567', 'abc', '-').map((form) => ({ number: null, form }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(written, bad), { maxLength: 40 }), async (listed) => {
        const { recipients, invalid } = await audienceOf(
          gateway(
            ['VIP'],
            listed.map(({ form }) => form),
          ),
          '1',
        );
        const wanted = new Set(listed.flatMap(({ number }) => (number === null ? [] : [`98${number}`])));
        expect(recipients).toEqual([...wanted]);
        expect(invalid.map(({ raw }) => raw)).toEqual(
          listed.filter(({ number }) => number === null).map(({ form }) => form),
        );
      }),
    );
  });
});
