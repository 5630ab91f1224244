import { doubtTexts } from '../../src/features/send/doubt-texts.ts';
import { texts } from '../../src/features/settle/texts.ts';
import { checkTexts } from './check-texts.ts';

const NOON = new Date('2026-11-24T08:30:00Z');

checkTexts(
  'src/features/settle/texts.ts',
  texts,
)(({ format }) => {
  const some = format.number(1204);
  return {
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
  'src/features/send/doubt-texts.ts',
  doubtTexts,
)(({ locale, format }) => {
  const t = doubtTexts(locale);
  const some = format.number(1204);
  return {
    undecided: [[some, format.count(3, t.calls)]],
    absent: [[some, format.count(3, t.calls)]],
    found: [[some]],
    looked: [[format.count(4, t.times), format.time(NOON)]],
    again: [[some]],
    file: [[some]],
    reminder: [['A41', some]],
  };
});
