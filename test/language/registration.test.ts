import { fieldTexts } from '../../src/features/registration/field-texts.ts';
import { texts } from '../../src/features/registration/texts.ts';
import { refusalText } from '../../src/telegram/refusal-texts.ts';
import { checkTexts } from './check-texts.ts';
import { NAME, TITLE } from './samples.ts';

const USER = 'nikshiraz2';

checkTexts(
  'src/features/registration/texts.ts',
  texts,
)(({ locale, foreign, format }) => {
  const day = {
    used: format.number(1),
    most: format.number(2),
    unknown: '',
    resetsAt: format.dateTime(new Date('2026-11-24T20:30:00Z')),
  };
  const doubted = { ...day, unknown: format.number(1) };
  const manager = { account: foreign(200), chat: foreign(TITLE) };
  const alone = { account: foreign(200), chat: '' };
  return {
    notAllowed: [[foreign(TITLE)], ['']],
    notConnected: [[foreign(TITLE)], ['']],
    intro: [
      [manager, day],
      [alone, doubted],
    ],
    dayFull: [[day], [doubted]],
    under: [[manager], [alone]],
    shown: [['Xy7-Password_1']],
    calling: [[USER]],
    registered: [[USER]],
    dayNow: [[day]],
    refused: [[USER, refusalText(locale, 'user_name_taken')]],
    refusedBefore: [[USER]],
    limit: [[USER, day.resetsAt]],
    unknown: [[USER]],
    announced: [[foreign(NAME), USER]],
  };
});

checkTexts('src/features/registration/field-texts.ts', fieldTexts)(() => ({}));
