import { limitTexts } from '../../src/telegram/dispatch/limiter.ts';
import { checkTexts } from './check-texts.ts';
import { NAME } from './samples.ts';

checkTexts('src/telegram/dispatch/limiter.ts', limitTexts)(
  ({ format, foreign }) => {
    const wait = format.duration(12_000);
    return {
      tooMany: [
        ['person', 'command', wait, null],
        ['person', 'read', wait, foreign(NAME)],
        ['chat', 'upload', wait, null],
        ['chat', 'command', wait, null],
        ['deployment', 'command', wait, null],
        ['deployment', 'read', wait, null],
        ['deployment', 'upload', wait, null],
      ],
      press: [[wait]],
    };
  },
  { toasts: ['press'] },
);
