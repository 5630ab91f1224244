import { alarmTexts } from '../../src/features/alerts/alarm-texts.ts';
import { eventTexts } from '../../src/features/alerts/event-texts.ts';
import { kindTexts } from '../../src/features/alerts/kind-cards.ts';
import { texts } from '../../src/features/alerts/texts.ts';
import { countOf } from '../../src/features/shared/count-words.ts';
import { isolateAuto, isolateLtr } from '../../src/i18n/format.ts';
import { notificationTexts } from '../../src/telegram/alerts/notification-sender.ts';
import { code } from '../../src/telegram/html.ts';
import { operatorTexts } from '../../src/features/shared/operator-texts.ts';
import { checkTexts } from './check-texts.ts';
import { NAME, TITLE } from './samples.ts';

const AT = new Date('2026-11-24T08:30:00Z');
const NUMBER = code(isolateLtr('0912•••4567'));

checkTexts('src/features/alerts/kind-cards.ts', kindTexts)(() => ({}));

checkTexts('src/features/alerts/texts.ts', texts)(
  ({ locale, foreign, format }) => {
    const t = texts(locale);
    const kind = kindTexts(locale).credit.name;
    const [from, to] = [format.digits('22:00'), format.digits('08:00')];
    return {
      head: [[''], [foreign(TITLE)]],
      offer: [[foreign(40)]],
      topic: [
        [t.thisChat, foreign(TITLE)],
        [t.thisChat, ''],
      ],
      place: [[foreign(60), kind]],
      quiet: [[from, to]],
      digest: [[format.digits('09:00')]],
      week: [[t.days[0] ?? '']],
      dead: [[format.dateTime(AT)]],
      creditAt: [[format.rial(5_000_000)]],
      failuresAt: [[format.percent(0.2)]],
      unansweredAt: [[format.duration(1_800_000)]],
      unansweredSet: [[format.duration(1_800_000)]],
      muted: [
        [kind, format.dateTime(AT), foreign(NAME)],
        [kind, format.dateTime(AT), ''],
      ],
      zone: [['Asia/Tehran']],
      settings: [[t.thisChat]],
      unmute: [[kind]],
      on: [[kind]],
      off: [[kind]],
      added: [[foreign(TITLE)]],
      addedBefore: [[foreign(TITLE)]],
      removed: [[foreign(TITLE)]],
      changed: [[t.quietNone]],
      creditSet: [[format.rial(5_000_000)]],
      failuresSet: [[format.percent(0.2)]],
      quietSet: [[from, to]],
      digestSet: [[format.digits('09:00')]],
      weekSet: [[t.days[0] ?? '']],
      bad: [[foreign(40)]],
      badValue: [
        [foreign(40), true],
        [foreign(40), false],
      ],
      notThere: [[foreign(40)]],
      botMayNot: [[foreign(40)]],
      personMayNot: [[foreign(40)]],
    };
  },
  { sameInBoth: ['language'] },
);

checkTexts(
  'src/features/alerts/alarm-texts.ts',
  alarmTexts,
)(({ locale, foreign, format }) => {
  const account = foreign(TITLE);
  const money = format.rial(4_900_000);
  const when = format.dateTime(AT);
  const long = format.duration(205_200_000);
  return {
    pace: [[format.rial(2_050_000), long, when]],
    paceLeft: [[long]],
    unfit: [['B9', when, format.rial(6_100_000)]],
    elsewhere: [[format.rial(6_100_000)]],
    limit: [[money, format.rial(5_000_000)]],
    within: [[long, when]],
    on: [[when]],
    until: [[format.date(AT)]],
    since: [[when]],
    after: [[long]],
    workingTime: [[long]],
    waitTime: [[long]],
    countsDay: [[format.date(AT), format.number(12), format.number(1204)]],
    pause: [['B9']],
    changed: [[account, format.count(12, alarmTexts(locale).messages)]],
    marking: [[account]],
    acked: [
      [foreign(NAME), format.time(AT), format.time(AT)],
      [foreign(NAME), format.time(AT), null],
    ],
    muted: [
      [when, foreign(NAME)],
      [when, ''],
    ],
    stood: [[when, when]],
    ackedBefore: [[foreign(NAME), format.time(AT)]],
  };
});

checkTexts('src/features/alerts/event-texts.ts', eventTexts)(
  ({ locale, foreign, format }) => {
    const t = eventTexts(locale);
    const when = format.dateTime(AT);
    const count = format.number(1204);
    const numbers = [countOf('delivered', 1204, format), countOf('unknown', 1204, format)].join(' · ');
    return {
      ended: [[`B7`, numbers]],
      stopped: [[`B7`, t.reasons.credit, numbers]],
      asks: [[`B7`, format.count(12, t.messages)]],
      missed: [[`B7`]],
      failuresMost: [[operatorTexts(locale).names.irancell, format.percent(0.96), format.percent(0.02)]],
      failures: [[`B7`, format.number(247), count, format.percent(0.205)]],
      digestHead: [[t.day, when, when]],
      digestSent: [[numbers]],
      digestReceived: [[count]],
      digestAnswered: [[count]],
      digestWaits: [[format.duration(720_000), format.duration(3_900_000)]],
      digestBy: [
        [`${isolateAuto(foreign(NAME))} ${count}`, null],
        [`${isolateAuto(foreign(NAME))} ${count}`, count],
      ],
      digestCredit: [[format.rial(4_900_000)]],
      digestScheduled: [[count]],
      digestQuestions: [[count]],
      backlog: [[format.count(12, t.messages)]],
      foldHead: [[format.count(40, t.messages)]],
      foldLine: [['3000123456', count]],
      foldOne: [[NUMBER, foreign(60)]],
      foldRest: [[count]],
    };
  },
  { sameInBoth: ['fileName'] },
);

checkTexts(
  'src/telegram/alerts/notification-sender.ts',
  notificationTexts,
)(({ foreign }) => ({
  destinationOff: [
    [foreign(TITLE), 'kicked'],
    [foreign(TITLE), 'thread_gone'],
  ],
}));
