import { jobTexts } from '../../src/features/sending/run/job-texts.ts';
import { limitTexts } from '../../src/features/sending/confirm/limit-texts.ts';
import { texts } from '../../src/features/sending/texts.ts';
import { checkTexts } from './check-texts.ts';
import { NAME } from './samples.ts';

const NOON = new Date('2026-11-24T08:30:00Z');

checkTexts('src/features/sending/run/job-texts.ts', jobTexts)(
  ({ locale, foreign, format }) => {
    const t = jobTexts(locale);
    const some = format.number(1204);
    const numbers = t.numbers(some, some, format.number(0), null);
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
      numbers: [
        [some, some, some, some],
        [some, some, some, null],
      ],
      stoppedBy: [[foreign(NAME), format.time(NOON), numbers]],
      stoppedAt: [[format.time(NOON), numbers]],
      pausedBy: [[foreign(NAME), numbers]],
      halted: [
        [foreign(NAME), numbers],
        [null, numbers],
      ],
      held: [[numbers]],
      keptBack: [[numbers]],
      restoredDraft: [['A41']],
      leftBook: [[some]],
      blocked: [[some]],
      restName: [
        ['A41', null],
        ['A41', 2],
      ],
      restCaption: [['A41', some]],
      resend: [[some]],
      resent: [[['A41']], [['A41', 'A42']]],
      resendOf: [
        ['A41', some, some],
        ['A41', null, some],
        ['A41', some, null],
        ['A41', null, null],
      ],
      resendOpen: [['A41']],
      moreLeft: [[some]],
    };
  },
  { sameInBoth: ['restName'] },
);

checkTexts(
  'src/features/sending/confirm/limit-texts.ts',
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
    window: [[format.digits('09:00'), format.digits('21:00'), format.time(NOON), 'Asia/Tehran']],
    cap: [
      [rial, rial, rial],
      [parts, parts, parts],
    ],
    personCap: [[rial, rial, rial]],
    second: [
      [parts, foreign(NAME)],
      [null, foreign(NAME)],
    ],
  };
});
