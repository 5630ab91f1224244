import { paceTexts } from '../../src/features/sending/schedule/pace-card.ts';
import { texts } from '../../src/features/sending/schedule/texts.ts';
import { whenTexts } from '../../src/features/sending/schedule/when-texts.ts';
import { ruleText, ruleTexts } from '../../src/features/shared/rule-texts.ts';
import { timeTexts } from '../../src/features/shared/when-argument.ts';
import { checkTexts } from './check-texts.ts';
import { NAME, type Voice } from './samples.ts';

/** 31 Ordibehesht 1405. */
const LONG_MONTH = new Date('2026-05-21T06:30:00Z');
const TUESDAY = new Date('2026-11-24T06:30:00Z');

const LATE = { every: 'month', calendar: 'jalali', day: 31, minute: 600 } as const;

function rule({ format }: Voice): string {
  return ruleText(LATE, format);
}

checkTexts(
  'src/features/sending/schedule/texts.ts',
  texts,
)((voice) => {
  const { locale, foreign, format } = voice;
  const when = format.dateTime(TUESDAY);
  const messages = format.count(1204, texts(locale).messages);
  return {
    repeats: [[ruleText(LATE, format, true)]],
    change: [
      ['A42', 'A41', when, null],
      ['A42', 'A41', null, foreign(NAME)],
    ],
    changing: [['A42']],
    askEnd: [['A41', rule(voice)]],
    kept: [['A41']],
    ended: [
      ['A41', true],
      ['A41', false],
    ],
    head: [[format.count(12, texts(locale).sends)]],
    row: [[when, 'A41', messages, foreign(NAME)]],
    missedRow: [[when, 'A41', messages, foreign(NAME)]],
    price: [[format.rial(28_400)]],
    show: [['A41']],
    edit: [['A41']],
    time: [['A41']],
    cancel: [['A41']],
    sendNow: [['A41']],
  };
});

checkTexts(
  'src/features/sending/schedule/when-texts.ts',
  whenTexts,
)((voice) => {
  const { locale, foreign, format } = voice;
  const when = format.dateTime(TUESDAY);
  const [day = ''] = ruleTexts(locale).shortDays;
  const time = format.time(TUESDAY);
  return {
    replaced: [['A41', foreign(NAME), 'A42']],
    changes: [
      ['A41', when],
      ['A41', null],
    ],
    lapsed: [['A42']],
    stays: [
      ['A41', when],
      ['A41', null],
    ],
    overtaken: [['A42', 'A41']],
    changeVoid: [['A42', 'A41']],
    bookNow: [
      [format.number(3), format.number(603)],
      [format.number(1_000), format.number(1)],
    ],
    opening: [
      [time, null],
      [time, day],
    ],
    sendAt: [
      [format.number(1_000_000), format.day(LONG_MONTH), true],
      [format.number(2), whenTexts(locale).dayAndTime(day, time), false],
    ],
    today: [[time]],
    dayAndTime: [[day, time]],
    leaves: [[when, 'Asia/Tehran', format.relative(TUESDAY, new Date('2026-11-22T06:00:00Z'))]],
    over: [[when]],
    scheduled: [[when, 'Asia/Tehran']],
    repeats: [[rule(voice), when]],
    repeatsLater: [[rule(voice)]],
    missed: [[when]],
    willMiss: [[when]],
    cancelled: [
      ['A41', foreign(NAME), foreign(NAME)],
      ['A41', foreign(NAME), null],
    ],
    authorLost: [[foreign(NAME)]],
    notification: [['A41']],
    windowOffer: [[when]],
    capDay: [[format.date(TUESDAY)]],
  };
});

checkTexts(
  'src/features/sending/schedule/pace-card.ts',
  paceTexts,
)(({ foreign, format }) => {
  const [least, most] = [format.number(50), format.number(100_000)];
  const hours = [format.clock(540), format.clock(1200)] as const;
  return {
    perHour: [[format.number(2000)]],
    hours: [[format.number(9), format.number(20)]],
    ask: [[least, most]],
    askHours: [['Asia/Tehran']],
    bad: [[foreign(40), least, most]],
    badHours: [[foreign(40)]],
    pace: [
      [format.number(2000), hours, 'Asia/Tehran'],
      [format.number(50), null, 'Asia/Tehran'],
    ],
    through: [[format.dateTime(TUESDAY)]],
    next: [[format.time(TUESDAY)]],
    closed: [[format.dateTime(TUESDAY)]],
    full: [[format.dateTime(TUESDAY)]],
  };
});

checkTexts(
  'src/features/shared/rule-texts.ts',
  ruleTexts,
)(({ locale, format }) => {
  const time = format.digits('10:00');
  return {
    fromTo: [['Sat', 'Wed']],
    daily: [[time]],
    weekly: [[ruleTexts(locale).days[2] ?? '', time]],
    monthly: [
      ['gregorian', format.digits('5'), time, false],
      ['gregorian', format.digits('31'), time, true],
      ['jalali', format.digits('5'), time, false],
      ['jalali', format.digits('30'), time, true],
    ],
    monthlyLabel: [[format.digits('31'), time]],
  };
});

checkTexts(
  'src/features/shared/when-argument.ts',
  timeTexts,
)(({ foreign, format }) => {
  const [morning, evening] = ['2026-11-25T01:30:00Z', '2026-11-25T13:30:00Z'].map((at) =>
    format.dateTime(new Date(at)),
  );
  const typed = foreign(60);
  const could = [morning ?? '', evening ?? ''];
  return {
    today: [[format.digits('18:00')]],
    tomorrow: [[format.digits('09:00')]],
    bad: [[foreign(60)], ['']],
    doubt: {
      time: [[typed, [morning ?? '']]],
      hour: [[typed, could]],
      day: [[typed, could]],
    },
    tooSoon: [[format.duration(300_000)]],
  };
});
