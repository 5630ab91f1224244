import { expect, test } from 'vitest';
import type { KeptPerson } from '../../../domain/people.ts';
import type { DateSend } from '../../../ports/date-sends.ts';
import { createPersonText } from './date-text.ts';
import { surveyDates } from './survey.ts';

const ZONE = 'Asia/Tehran';
/** 5 Azar 1405, 9:00 in Tehran. */
const NOW = new Date('2026-11-26T09:00:00+03:30');
const ORDER: DateSend = {
  tag: 'club',
  field: 'birthday',
  yearly: true,
  daysBefore: 0,
  minute: 600,
  text: 'Dear {name}',
  line: '3000123456',
  lang: 'en',
};

const number = (at: number): string => `98912000000${at}`;

/** What an order comes to by people with these dates; a name of theirs may be none. */
async function survey(
  dates: readonly (string | null)[],
  { now = NOW, names = [], ...more }: Partial<DateSend> & { now?: Date; names?: readonly string[] } = {},
) {
  const people = dates.map((date, at): KeptPerson => ({
    number: number(at),
    name: names[at] ?? `P${at}`,
    fields: date === null ? {} : { birthday: date },
    tags: ['club'],
  }));
  return await surveyDates(
    {
      async *each(chatId, tag) {
        expect([chatId, tag]).toEqual(['c', 'club']);
        for (const person of people) yield await Promise.resolve([person]);
      },
      fieldNames: (chatId, tag) => {
        expect([chatId, tag]).toEqual(['c', 'club']);
        return Promise.resolve(['birthday']);
      },
    },
    { ...ORDER, ...more },
    { chatId: 'c', now, timeZone: ZONE, inAddress: false },
  );
}

const at = (day: string): Date => new Date(`${day}T10:00:00+03:30`);

test('tells who has a date, who has none, and who has what is none', async () => {
  expect(await survey(['1370/9/6', ' ', null, 'soon', '31/31', '12/1'])).toMatchObject({
    people: 6,
    good: 2,
    empty: 2,
    bad: 2,
    badExample: { number: number(3), typed: 'soon' },
    unfit: 0,
  });
  // Once, a date without a year is none.
  expect(await survey(['9/6', '1405/9/6'], { yearly: false })).toMatchObject({ good: 1, bad: 1 });
  expect(await survey(['9/6'])).toMatchObject({ badExample: null });
});

test('tells whose day comes within thirty days, the first of these, and what somebody of that day would get', async () => {
  const found = await survey(['9/9', '9/7', '9/7', '10/4', '10/5', '9/5', '9/4']);
  expect(found).toMatchObject({
    good: 7,
    soon: 5,
    next: { at: at('2026-11-26'), people: 1 },
    sample: { number: number(5), text: 'Dear P5' },
  });
  expect(await survey(['9/9', '9/7', '9/7'])).toMatchObject({
    soon: 3,
    next: { at: at('2026-11-28'), people: 2 },
    sample: { number: number(1), text: 'Dear P1' },
  });
  // Whose time of today is over comes next year, and the thirtieth time is the one of a day later.
  const over = { now: at('2026-11-26') };
  expect(await survey(['9/5', '10/4', '10/5', '10/6'], over)).toMatchObject({
    soon: 2,
    next: { at: at('2026-12-25') },
    sample: { number: number(1) },
  });
  expect(await survey(['9/8', '9/5'], { daysBefore: 3 })).toMatchObject({
    next: { at: at('2026-11-26'), people: 1 },
    sample: { number: number(0) },
  });
});

test('shows one of the others where nobody’s day is near, and nobody whom nothing can be sent', async () => {
  expect(await survey(['3/1', '4/1'])).toMatchObject({
    soon: 0,
    next: null,
    sample: { number: number(0), text: 'Dear P0' },
  });
  expect(await survey(['9/6', '9/7'], { names: ['', 'Omid'] })).toMatchObject({
    good: 2,
    unfit: 1,
    soon: 2,
    next: { people: 1 },
    sample: { number: number(1), text: 'Dear Omid' },
  });
  expect(await survey(['9/6'], { names: [''] })).toMatchObject({ unfit: 1, sample: null });
  expect(await survey(['9/6'], { text: 'Dear {city}' })).toMatchObject({ unfit: 1, sample: null });
});

test('takes what cannot travel for no text, and says why', () => {
  const sara = { number: number(1), name: 'Sara', fields: {}, tags: [] } as unknown as KeptPerson;
  const order = { ...ORDER, text: 'Dear, {name}' };
  expect(createPersonText(order, [], true)(sara)).toEqual({ ok: false, reason: 'comma' });
  expect(createPersonText(order, [], false)(sara)).toEqual({ ok: true, text: 'Dear, Sara' });
});
