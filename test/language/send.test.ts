import { mention } from '../../src/features/shared/mention.ts';
import { texts as bookTexts } from '../../src/features/sending/kinds/book/index.ts';
import { texts as futureTexts } from '../../src/features/sending/kinds/future/index.ts';
import { texts as multiTexts } from '../../src/features/sending/kinds/multi/index.ts';
import { texts as patternTexts } from '../../src/features/sending/kinds/pattern/index.ts';
import { texts } from '../../src/features/sending/texts.ts';
import { isolateLtr } from '../../src/i18n/format.ts';
import { refusalText } from '../../src/telegram/refusal-texts.ts';
import { countLine, countOf, countWords } from '../../src/features/shared/count-words.ts';
import { checkTexts } from './check-texts.ts';
import { NAME } from './samples.ts';

const LINE = '3000123456';
const NUMBER = '0912•••4567';
const NOON = new Date('2026-11-24T08:30:00Z');
const REASONS = [
  'too_short',
  'too_long',
  'not_mobile',
  'not_a_number',
  'form',
  'no_line',
  'no_number',
  'several_numbers',
  'no_text',
  'text_too_long',
  'broken_text',
  'no_flash',
  'repeated_row',
  'comma',
  'address',
] as const;

checkTexts(
  'src/features/sending/texts.ts',
  texts,
)(({ locale, foreign, format }) => {
  const t = texts(locale);
  const some = format.number(1204);
  const parts = format.count(1204, t.parts);
  const recipients = format.count(1204, t.recipients);
  const [reason, ...others] = REASONS;
  return {
    isBelow: [['A41']],
    offerTo: [[format.phone('989121234567')]],
    textIs: [[foreign(60)]],
    draft: [
      ['A41', LINE, true],
      ['A41', LINE, false],
    ],
    draftMulti: [['A41', t.fromLines([LINE, '50001234'])]],
    fromLines: [[[LINE]], [[LINE, '50001234']]],
    row: [
      [LINE, NUMBER, foreign(60), true],
      [LINE, NUMBER, foreign(60), false],
    ],
    pattern: [['12']],
    otherAccount: [['A41']],
    knownSince: [['A41']],
    variable: [[foreign(60), foreign(60)]],
    at: [[format.dateTime(NOON)]],
    book: [[foreign(60)]],
    sendPattern: [[some]],
    resent: [[some]],
    said: [[some]],
    measure: [[format.count(77, t.characters), t.encodings.ucs2, format.count(2, t.parts)]],
    audience: [
      [
        format.count(1204, t.numbers),
        some,
        [countOf('repeated', 4, format), countOf('blacklisted', 2, format)],
      ],
      [format.count(1204, t.numbers), some, []],
    ],
    repeatedLine: [[format.list([isolateLtr(NUMBER), isolateLtr(NUMBER)])]],
    blockedLine: [
      [format.list([isolateLtr(NUMBER), isolateLtr(NUMBER)]), null],
      [isolateLtr(NUMBER), '3000123456'],
    ],
    untoldLines: [
      [['3000123456'], true],
      [['3000123456', '50001234'], true],
      [['3000123456'], false],
      [['3000123456', '50001234'], false],
    ],
    invalidItem: [[foreign(40), t.why('too_short')]],
    slipInText: [[foreign(40), t.why('too_short')]],
    numberInText: [['09351112233']],
    commandInText: [[foreign(40)]],
    templateThere: [[foreign(32)]],
    useTemplate: [[foreign(32)]],
    twin: [
      ['A41', null],
      ['A41', format.dateTime(NOON)],
    ],
    why: [[reason], ...others.map((each) => [each] as [reason: string])],
    more: [[some]],
    skippedFile: [[some]],
    send: [[some, parts]],
    flash: [[true], [false]],
    cancelled: [['A41']],
    expired: [['A41']],
    head: [
      ['A41', foreign(NAME), null],
      ['A41', foreign(NAME), foreign(NAME)],
    ],
    leaving: [[recipients, format.number(10)]],
    undone: [
      ['A41', foreign(NAME), foreign(NAME), 'A42'],
      ['A41', foreign(NAME), null, null],
    ],
    undoOf: [
      ['A41', foreign(NAME), false],
      ['A41', foreign(NAME), true],
    ],
    isAgain: [['A42']],
    againOf: [
      ['A41', foreign(NAME)],
      ['A41', null],
    ],
    undoCall: [[mention({ id: 7, name: foreign(NAME) }), 'A41', foreign(NAME), 'A42']],
    withCorrelation: [[refusalText(locale, 'insufficient_credit')]],
    unknown: [[countLine('unknown', 2, format)]],
    unknownLater: [[countLine('unknown', 2, format)]],
    skipped: [[countLine('invalid', 2, format), [foreign(20), foreign(20)]]],
  };
});

checkTexts('src/features/shared/count-words.ts', countWords)(() => ({}));

checkTexts(
  'src/features/sending/kinds/book/index.ts',
  bookTexts,
)(({ locale, foreign, format }) => ({
  bookButton: [[foreign(40), format.count(1204, bookTexts(locale).numbers)]],
  noSuchBook: [[foreign(60)]],
  empty: [[foreign(100)]],
}));

checkTexts('src/features/sending/kinds/future/index.ts', futureTexts)(() => ({}));

checkTexts(
  'src/features/sending/kinds/multi/index.ts',
  multiTexts,
)(({ locale, foreign, format }) => ({
  badRow: [[12, foreign(60), texts(locale).why('no_line')]],
  more: [[1204]],
  tooMany: [[format.number(1204), format.number(1000)]],
}));

checkTexts(
  'src/features/sending/kinds/pattern/index.ts',
  patternTexts,
)(({ foreign }) => ({
  badValues: [[foreign(60)], ['']],
}));
