import { approvalTexts } from '../../src/features/sending/confirm/approval-texts.ts';
import { lineRuleTexts } from '../../src/features/shared/line-rule-texts.ts';
import { wordsTexts } from '../../src/features/sending/draft/words-to-card.ts';
import { texts as sendTexts } from '../../src/features/sending/texts.ts';
import { checkTexts } from './check-texts.ts';
import { NAME } from './samples.ts';

const LINE = '3000123456';

checkTexts(
  'src/features/sending/confirm/approval-texts.ts',
  approvalTexts,
)(({ locale, foreign, format }) => {
  const { parts: noun } = sendTexts(locale);
  const parts = format.count(1204, noun);
  const people = [
    { id: 7001, name: foreign(NAME) },
    { id: 7002, name: foreign(NAME) },
  ];
  const words = [foreign(60), foreign(60)];
  return {
    approve: [
      [format.number(1204), parts],
      [format.number(1204), null],
    ],
    needed: [[{ above: parts, words: [] }], [{ above: null, words }], [{ words }]],
    nobody: [[{ above: parts, words: [] }], [{ above: null, words }], [{ words }]],
    alone: [[{ above: parts, words: [] }], [{ above: null, words }], [{ words }]],
    waits: [['A41', foreign(NAME)]],
    stuck: [['A41']],
    approvers: [[[foreign(64)]], [[foreign(64), foreign(64)]]],
    calls: [
      ['A41', foreign(NAME), people],
      ['A41', foreign(NAME), [{ id: 7001, name: '' }]],
    ],
    approved: [['A41', foreign(NAME)]],
    refused: [['A41', foreign(NAME)]],
    authorLost: [[foreign(NAME)]],
    rejected: [['A41', foreign(NAME), foreign(NAME)]],
    expired: [['A41', foreign(NAME)]],
    notNeeded: [['A41']],
  };
});

checkTexts(
  'src/features/shared/line-rule-texts.ts',
  lineRuleTexts,
)(({ foreign, format }) => {
  const words = Array.from({ length: 7 }, () => foreign(40));
  const [from, to] = [format.clock(540), format.clock(1260)];
  return {
    lacks: [[foreign(40), LINE]],
    add: [[foreign(40)]],
    says: [[words], [words.slice(0, 1)]],
    answerSays: [[words, LINE]],
    second: [[words, foreign(NAME)]],
    window: [
      [LINE, from, to, format.time(new Date(0)), 'Asia/Tehran'],
      [LINE, from, to, null, 'Asia/Tehran'],
    ],
  };
});

checkTexts(
  'src/features/sending/draft/words-to-card.ts',
  wordsTexts,
)(({ foreign }) => ({
  press: [
    ['A41', '✅'],
    ['A41', '▶'],
  ],
  pressIf: [
    ['A41', '✅'],
    ['A41', '✖'],
  ],
  staysOpen: [['A41']],
  waits: [['A41']],
  asText: [['A41']],
  byButtons: [['A41']],
  onItsWay: [['A41']],
  editTooLate: [['A41']],
  again: [['A41', foreign(200)]],
  over: [['A41']],
}));
