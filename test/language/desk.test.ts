import { deskTexts } from '../../src/features/inbox/desk-texts.ts';
import { isolateAuto } from '../../src/i18n/format.ts';
import { b } from '../../src/telegram/html.ts';
import { checkTexts } from './check-texts.ts';
import { NAME, TITLE } from './samples.ts';

const AT = new Date('2026-11-24T08:30:00Z');

checkTexts(
  'src/features/inbox/desk-texts.ts',
  deskTexts,
)(({ locale, foreign, format }) => {
  const count = format.count(1204, deskTexts(locale).people);
  const name = foreign(NAME);
  return {
    askSnooze: [['in12']],
    snoozed: [['12', format.dateTime(AT)]],
    overAlready: [['12']],
    askHandOver: [['12']],
    handedOver: [['12', name]],
    isYours: [[b(isolateAuto(name)), name]],
    atHome: [[foreign(TITLE), '12']],
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
