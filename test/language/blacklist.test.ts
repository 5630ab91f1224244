import { shownNumber, texts } from '../../src/features/blacklist/texts.ts';
import { refusalText } from '../../src/telegram/refusal-texts.ts';
import { checkTexts } from './check-texts.ts';
import { NAME } from './samples.ts';

const LINE = '3000123456';

checkTexts(
  'src/features/blacklist/texts.ts',
  texts,
)(({ locale, foreign, format }) => {
  const t = texts(locale);
  const count = format.count(1204, t.numbers);
  const some = format.number(1204);
  const number = shownNumber({ format }, '989121234567');
  const by = foreign(NAME);
  return {
    moreOnPage: [[format.count(4, t.numbers)]],
    listHead: [[LINE, count]],
    entry: [
      [some, number, foreign(200)],
      [some, number, undefined],
    ],
    empty: [[LINE]],
    exportedPart: [[count, some]],
    checkHead: [[LINE, some, count]],
    checked: [
      ['blocked', number, ''],
      ['worded', number, foreign(200)],
      ['silent', number, ''],
      ['not_asked', number, ''],
    ],
    askToBlock: [[LINE, count]],
    repeated: [[some]],
    invalid: [[foreign(60), t.why('too_short')]],
    why: [['too_short'], ['too_long'], ['not_mobile'], ['not_a_number']],
    more: [[some]],
    block: [[count]],
    blocking: [[LINE, count]],
    blockHead: [[LINE, by, format.list([t.counts.added(some), t.counts.already(some)])]],
    counts: { added: [[some]], already: [[some]], worded: [[some]], unknown: [[some]], not_added: [[some]] },
    blocked: [
      ['added', number, ''],
      ['already', number, ''],
      ['worded', number, foreign(200)],
      ['unknown', number, ''],
      ['not_added', number, ''],
    ],
    refused: [[refusalText(locale, 'not_authorized')]],
    askToUnblock: [[LINE, number]],
    unblocked: [[LINE, number, by]],
    notThere: [[LINE, number]],
    goneNow: [[LINE, number]],
    stillThere: [[LINE, number]],
    mayBeOff: [[LINE, number]],
  };
});
