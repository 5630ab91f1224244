import { texts } from '../../src/features/templates/texts.ts';
import { checkTexts } from './check-texts.ts';
import { MESSAGE } from './samples.ts';

const NAME = 32;

checkTexts(
  'src/features/templates/texts.ts',
  texts,
)(({ locale, foreign, format }) => {
  const t = texts(locale);
  const name = foreign(NAME);
  const whole = foreign(MESSAGE);
  return {
    badName: [[foreign(40)], ['']],
    askText: [[name]],
    head: [[format.count(1, t.templates)], [format.count(200, t.templates)]],
    row: [[name, foreign(160)]],
    card: [[name, whole]],
    measure: [[format.count(900, t.characters), format.count(14, t.parts)]],
    fields: [
      [[name], null],
      [Array.from({ length: 8 }, () => name), format.number(292)],
    ],
    savedBy: [[foreign(32), format.date(new Date(0))]],
    useOne: [[name]],
    answers: [[true], [false]],
    answersSet: [
      [name, true],
      [name, false],
    ],
    saved: [[name]],
    replaced: [[name]],
    same: [[name]],
    taken: [[name, whole]],
    full: [[format.count(200, t.templates)]],
    askRemove: [[name, whole]],
    removed: [[name]],
  };
});
