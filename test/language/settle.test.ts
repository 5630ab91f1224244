import { doubtTexts } from '../../src/features/sending/reconcile/doubt-card.ts';
import { texts } from '../../src/features/sending/reconcile/texts.ts';
import { checkTexts } from './check-texts.ts';
import { NAME } from './samples.ts';

const NOON = new Date('2026-11-24T08:30:00Z');

checkTexts(
  'src/features/sending/reconcile/texts.ts',
  texts,
)(({ locale, format }) => {
  const some = format.number(1204);
  return {
    others: [[format.count(1204, texts(locale).messages)]],
    sent: [[some]],
    notSent: [[some]],
    unknownCard: [
      ['A41', some, null, format.dateTime(NOON)],
      ['A41', some, some, format.dateTime(NOON)],
    ],
    more: [[some]],
  };
});

checkTexts(
  'src/features/sending/reconcile/doubt-card.ts',
  doubtTexts,
)(({ locale, foreign, format }) => {
  const t = doubtTexts(locale);
  const some = format.number(1204);
  const messages = format.count(1204, t.messages);
  return {
    undecided: [[some, format.count(3, t.calls)]],
    absent: [[some, format.count(3, t.calls)]],
    found: [[some]],
    looked: [[format.count(4, t.times), format.time(NOON)]],
    again: [[some]],
    file: [[some]],
    lateSent: [
      ['A41', messages, foreign(NAME), 'A42'],
      ['A41', messages, foreign(NAME), null],
    ],
    lateTwice: [['A41', messages, foreign(NAME), 'A42']],
    lateNotSent: [['A41', messages, foreign(NAME)]],
    reminder: [['A41', messages]],
  };
});
