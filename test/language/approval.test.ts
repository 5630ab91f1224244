import { approvalTexts } from '../../src/features/sending/confirm/approval-texts.ts';
import { wordsTexts } from '../../src/features/sending/draft/words-texts.ts';
import { texts as sendTexts } from '../../src/features/sending/texts.ts';
import { checkTexts } from './check-texts.ts';
import { NAME } from './samples.ts';

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
  return {
    approve: [
      [format.number(1204), parts],
      [format.number(1204), null],
    ],
    needed: [[parts], [null]],
    nobody: [[parts], [null]],
    alone: [[parts], [null]],
    waits: [['A41', foreign(NAME)]],
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
  'src/features/sending/draft/words-texts.ts',
  wordsTexts,
)(() => ({
  press: [['A41']],
  waits: [['A41']],
  asText: [['A41']],
  byButtons: [['A41']],
  onItsWay: [['A41']],
  editTooLate: [['A41']],
  over: [['A41']],
}));
