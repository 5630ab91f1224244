import { jobTexts } from '../../src/features/sending/run/job-texts.ts';
import { limitTexts } from '../../src/features/sending/confirm/limited-card.ts';
import { texts } from '../../src/features/sending/texts.ts';
import { countOf } from '../../src/features/shared/count-words.ts';
import { checkTexts } from './check-texts.ts';
import { NAME } from './samples.ts';

const NOON = new Date('2026-11-24T08:30:00Z');

checkTexts('src/features/sending/run/job-texts.ts', jobTexts)(
  ({ locale, foreign, format }) => {
    const t = jobTexts(locale);
    const some = format.number(1204);
    const counts = (['given', 'not_sent', 'unknown', 'on_wire'] as const).map((what) =>
      countOf(what, 1204, format),
    );
    const numbers = t.numbers(counts);
    return {
      progress: [
        ['▓▓▓▓▓▓░░░░', format.number(7100), format.number(11_642), format.percent(0.6), null],
        [
          '▓▓▓▓▓▓░░░░',
          format.number(7100),
          format.number(11_642),
          format.percent(0.6),
          format.duration(240_000),
        ],
      ],
      numbers: [[counts], [counts.slice(0, 2)]],
      answerNotSent: [['A41']],
      answerUnknown: [['A41']],
      answerAsks: [['A41']],
      stoppedBy: [[foreign(NAME), format.time(NOON), numbers]],
      stoppedAt: [[format.time(NOON), numbers]],
      pausedBy: [[foreign(NAME), numbers]],
      halted: [
        [foreign(NAME), numbers],
        [null, numbers],
      ],
      held: [[numbers]],
      keptBack: [[numbers]],
      answeredLate: [[numbers]],
      restoredDraft: [['A41']],
      took: [[format.duration(12_000)]],
      restName: [
        ['A41', null],
        ['A41', 2],
      ],
      restCaption: [['A41', some]],
      resend: [[some]],
      resent: [[['A41']], [['A41', 'A42']]],
      resendOf: [['A41']],
      resendAnswered: [['A41']],
      resendDoubted: [['A41']],
      resendRestored: [['A41']],
      resendLeftOut: [
        [some, some],
        [null, some],
        [some, null],
        [null, null],
      ],
      resendOpen: [['A41']],
      moreLeft: [[some]],
    };
  },
  { sameInBoth: ['restName'] },
);

checkTexts(
  'src/features/sending/confirm/limited-card.ts',
  limitTexts,
)(({ locale, foreign, format }) => {
  const parts = format.count(1204, texts(locale).parts);
  const rial = format.rial(1_000_000);
  return {
    halted: [
      [foreign(NAME), format.dateTime(NOON)],
      [null, format.dateTime(NOON)],
    ],
    held: [[format.dateTime(NOON)]],
    window: [
      [format.digits('09:00'), format.digits('21:00'), format.time(NOON), 'Asia/Tehran'],
      [format.digits('09:00'), format.digits('21:00'), null, 'Asia/Tehran'],
    ],
    cap: [
      [rial, format.date(NOON), rial, rial],
      [parts, format.date(NOON), parts, parts],
    ],
    personCap: [[rial, format.date(NOON), rial, rial]],
    outgrown: [
      [rial, rial, false],
      [rial, rial, true],
    ],
    second: [
      [parts, foreign(NAME)],
      [null, foreign(NAME)],
    ],
  };
});
