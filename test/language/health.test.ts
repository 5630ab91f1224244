import { texts } from '../../src/features/health/texts.ts';
import { goneTexts } from '../../src/telegram/alerts/gone.ts';
import { html } from '../../src/telegram/html.ts';
import { checkTexts } from './check-texts.ts';
import { TITLE } from './samples.ts';

checkTexts(
  'src/features/health/texts.ts',
  texts,
)(({ locale, format }) => {
  const t = texts(locale);
  const age = format.duration(61_000);
  return {
    head: [[format.time(new Date('2026-11-22T10:32:00Z'))]],
    well: [[t.keys]],
    ill: [[html`${t.keys}`, t.dueAdvice, 'When an alarm rings']],
    process: [['1.2.3', format.duration(93_600_000), ['bot', 'worker', 'poller']]],
    alive: [
      [format.count(3, t.processes), 'here'],
      [format.count(3, t.processes), 'elsewhere'],
      [format.count(1, t.processes), 'nobody'],
    ],
    database: [[format.number(4)]],
    work: [
      [format.number(0), null, format.number(0)],
      [format.number(12), age, format.number(1)],
    ],
    calls: [
      [format.number(0), null, format.number(0), null],
      [format.number(2), age, format.number(1), age],
    ],
    held: [[age]],
    updates: [[format.number(3)]],
    polls: [[null], [age]],
    accounts: [[format.number(12), format.number(1), format.number(0)]],
    comes: [['webhook'], ['polling']],
    comesNot: [['webhook'], ['polling']],
    putOff: [[format.count(7, t.putOffCalls)]],
    foreign: [[format.count(2, t.credentials)]],
    disk: [[format.number(12.3), format.number(40)]],
  };
});

checkTexts(
  'src/telegram/alerts/gone.ts',
  goneTexts,
)(({ locale, foreign, format }) => ({
  removed: [[foreign(TITLE)]],
  ownerLeft: [
    [foreign(TITLE), true],
    [foreign(TITLE), false],
  ],
  held: [
    [format.count(2, goneTexts(locale).sends), format.count(1, goneTexts(locale).sends)],
    [null, null],
  ],
}));
