import { deskHoursText } from '../../src/features/shared/desk-hours.ts';
import { texts } from '../../src/features/rules/texts.ts';
import { joinHtml } from '../../src/telegram/html.ts';
import { checkTexts } from './check-texts.ts';

const LINE = '3000123456';
const HOURS = { from: 480, to: 960, days: [6, 0, 1, 2, 3] };

checkTexts(
  'src/features/rules/texts.ts',
  texts,
)(({ locale, foreign, format }) => {
  const t = texts(locale);
  const hours = deskHoursText({ ...HOURS, days: null }, format);
  const what = joinHtml([t.what('contains', foreign(100), LINE), t.goes(foreign(64))], ' ');
  return {
    head: [[format.count(12, t.rules)]],
    rule: [[format.number(12), what]],
    what: [
      ['contains', foreign(100), LINE],
      ['equals', foreign(100), null],
      ['pattern', foreign(100), null],
      ['closed', '', null],
    ],
    desk: [
      [deskHoursText(HOURS, format), 'Asia/Tehran', true],
      [deskHoursText({ ...HOURS, days: [6, 1] }, format), 'Asia/Tehran', false],
    ],
    askHours: [['Asia/Tehran']],
    badSetting: [[foreign(40)]],
    badHours: [[foreign(40)]],
    hoursSet: [[true], [false]],
    held: [
      [true, hours, null],
      [false, hours, null],
      [true, hours, LINE],
      [false, hours, LINE],
    ],
    goes: [[foreign(64)]],
    answers: [[foreign(120)]],
    closedAnswers: [[foreign(120)]],
    topicOf: [[foreign(64)]],
    optOut: [[t.optOutNone]],
    optOutLine: [
      [LINE, true],
      [LINE, false],
    ],
    optOutSet: [
      [LINE, true],
      [LINE, false],
    ],
    marksRead: [[true], [false]],
    marksReadSwitch: [[true], [false]],
    marksReadSet: [[true], [false]],
    numbersSet: [[true], [false]],
    remove: [[format.number(12)]],
    removed: [[what]],
    added: [[what]],
    same: [[what]],
    full: [[format.number(50)]],
    askWords: [['contains'], ['pattern']],
    badPattern: [[foreign(100)]],
    noPlace: [
      ['not_there', foreign(64)],
      ['person', foreign(64)],
      ['bot', foreign(64)],
    ],
  };
});
