import { deskTexts } from '../../src/features/inbox/desk-texts.ts';
import { checkTexts } from './check-texts.ts';

checkTexts(
  'src/features/inbox/desk-texts.ts',
  deskTexts,
)(({ locale, format }) => {
  const count = format.count(1204, deskTexts(locale).people);
  return {
    head: [
      ['mine', null, count],
      ['unanswered', '3000123456', count],
    ],
    empty: [
      ['mine', null],
      ['mine', '3000123456'],
      ['unanswered', null],
      ['unanswered', '3000123456'],
    ],
  };
});
