import { texts } from '../../src/features/people/texts.ts';
import { peopleTagTexts } from '../../src/features/shared/people-tag.ts';
import { checkTexts } from './check-texts.ts';

const TAG = 32;
const NAME = 64;

checkTexts(
  'src/features/shared/people-tag.ts',
  peopleTagTexts,
)(({ foreign }) => ({
  bad: [[foreign(40)]],
  nobody: [[foreign(TAG)]],
}));

checkTexts(
  'src/features/people/texts.ts',
  texts,
)(({ locale, foreign, format }) => {
  const people = format.count(1204, peopleTagTexts(locale).people);
  const number = format.phone('989121234567');
  const [tag, name, words] = [foreign(TAG), foreign(NAME), foreign(100)];
  return {
    offerContact: [[number]],
    overview: [[people], [format.count(1, peopleTagTexts(locale).people)]],
    head: [
      [people, tag, words],
      [people, tag, null],
      [people, null, words],
      [people, null, null],
    ],
    nobody: [
      [tag, words],
      [tag, null],
      [null, words],
      [null, null],
    ],
    row: [
      [name, number, [tag, tag]],
      ['', number, []],
    ],
    person: [
      [name, number],
      ['', number],
    ],
    tagList: [
      [[tag, tag], format.number(12)],
      [[tag], null],
    ],
    andMore: [[format.number(12)]],
    field: [[foreign(40), foreign(120)]],
    noDate: [[foreign(40)]],
    unknown: [[number]],
    askChange: [[number]],
    full: [[format.number(200_000)]],
    askDrop: [
      [name, number],
      ['', number],
    ],
    dropped: [[number]],
    askDropTag: [[tag, people]],
    droppedTag: [
      [tag, people, people],
      [tag, people, null],
    ],
  };
});
