import { expect, test } from 'vitest';
import { quietRequest } from '../../../../test/support/features.ts';
import { plainText } from '../../../telegram/html.ts';
import { daysArgument, fieldArgument, repeatArgument, timeArgument } from './arguments.ts';

/* What `/dates` is told in one line: each argument takes what is its own off the front. */

const read = (data: unknown) => (data === null ? { success: false } : { success: true, data });

test.each([
  ['on the day', 0],
  ['Same day', 0],
  ['همان روز', 0],
  ['روز خودش', 0],
  ['3 days before', 3],
  [' 3  days  before ', 3],
  ['۳ روز قبل', 3],
  ['3 روز پیش', 3],
  ['1 day earlier', 1],
  ['a day before it', 1],
  ['a week before', 7],
  ['2 Weeks BEFORE', 14],
  ['60 days before', 60],
  ['one day after', -1],
  ['an day later', -1],
  ['یک هفته بعد', -7],
  ['2 روز پس از آن', -2],
  ['60 days later', -60],
  ['0 days after', 0],
  ['61 days before', null],
  ['9 weeks after', null],
  ['1000 days before', null],
  ['days before', null],
  ['3 before', null],
  ['3 days', null],
  ['3 days beforehand', null],
  ['3 days before Dear', null],
  ['on the days', null],
  ['not on the day', null],
  ['همانروز', 0],
  ['2 days before  it', 2],
  ['12 days before', 12],
  ['in 3 days before', null],
])('%j is so many days before the date: %j', (typed, days) => {
  expect(daysArgument.schema.safeParse(typed)).toMatchObject(read(days));
});

test.each([
  ['10:00', 600],
  ['at 9', 540],
  ['AT  9:30 ', 570],
  [' 9 ', 540],
  ['ساعت ۹', 540],
  ['0:00', 0],
  ['23:59', 1439],
  ['24:00', null],
  ['noon', null],
  [' at 9', 540],
  ['1at 0:00', null],
  ['look at 9', null],
  ['', null],
])('%j is a time of the day: %j', (typed, minute) => {
  expect(timeArgument.schema.safeParse(typed)).toMatchObject(read(minute));
});

test.each([
  ['once', false],
  ['یک‌بار', false],
  ['فقط یک بار', false],
  ['yearly', true],
  ['Every year', true],
  ['each year', true],
  ['هرسال', true],
  ['سالانه', true],
  ['twice', null],
])('%j comes again each year: %j', (typed, yearly) => {
  expect(repeatArgument.schema.safeParse(typed)).toMatchObject(read(yearly));
});

test.each([
  ['birthday', 'birthday'],
  [' « تاریخ تولد » ', 'تاریخ تولد'],
  [' birthday ', 'birthday'],
  ['" "', null],
  ['', null],
])('%j is the field %j', (typed, field) => {
  expect(fieldArgument.schema.safeParse(typed)).toMatchObject(read(field));
});

test.each([
  ['3 days before it 10:00 Dear', '3 days before it', '10:00 Dear'],
  ['۳ روز قبل\n۱۰:۰۰ سلام', '۳ روز قبل', '۱۰:۰۰ سلام'],
  [' on the day  10:00 Dear', 'on the day', '10:00 Dear'],
  ['10:00 3 days before', 'on the day', '10:00 3 days before'],
  ['10:00 on the day', 'on the day', '10:00 on the day'],
])('of %j the days are %j', (line, value, rest) => {
  expect(daysArgument.take(line)).toEqual({ value, rest });
});

test.each([
  ['10:00 once Dear {name},\nhello', '10:00', 'once Dear {name},\nhello'],
  [' at 10:00  Dear', 'at 10:00', 'Dear'],
  ['ساعت ۱۰\nسلام', 'ساعت ۱۰', 'سلام'],
  ['atlas', 'atlas', ''],
  ['at  10:00 Dear', 'at  10:00', 'Dear'],
  [' \n', '', ''],
  ['', '', ''],
])('of %j the time is %j', (line, value, rest) => {
  expect(timeArgument.take(line)).toEqual({ value, rest });
});

test.each([
  ['once Dear', 'once', 'Dear'],
  [' Every year\nDear', 'Every year', 'Dear'],
  ['فقط یک بار سلام', 'فقط یک بار', 'سلام'],
  ['یکبار سلام', 'یکبار', 'سلام'],
  ['هرسال سلام', 'هرسال', 'سلام'],
  ['هر سال', 'هر سال', ''],
  ['yearlyish Dear', 'yearly', 'yearlyish Dear'],
  ['Dear, once', 'yearly', 'Dear, once'],
])('of %j the repeat is %j', (line, value, rest) => {
  expect(repeatArgument.take(line)).toEqual({ value, rest });
});

test('what is offered is what is taken', async () => {
  const ctx = quietRequest('en');
  for (const { choices, schema, labels, problem } of [
    { ...daysArgument, labels: ['On the day', '1 day before', '3 days before', '7 days before'] },
    { ...timeArgument, labels: ['🕐 10:00', '🕐 09:00', '🕐 12:00', '🕐 18:00'] },
    { ...repeatArgument, labels: ['🔁 Every year', '📍 Once'] },
  ]) {
    expect(plainText(problem('en', 'x'))).not.toBe('');
    const offered = await choices(ctx);
    expect(offered.map(({ label }) => label)).toEqual(labels);
    const taken = offered.map(({ value }) => schema.safeParse(value));
    expect(taken.every(({ success }) => success)).toBe(true);
    expect(new Set(taken.map(({ data }) => data)).size).toBe(labels.length);
  }
  expect(plainText(daysArgument.problem('en', 'x'))).toContain('at most 60 days');
  expect((await daysArgument.choices(ctx)).map(({ value }) => daysArgument.schema.parse(value))).toEqual([
    0, 1, 3, 7,
  ]);
  expect((await repeatArgument.choices(ctx)).map(({ value }) => repeatArgument.schema.parse(value))).toEqual([
    true,
    false,
  ]);
});
