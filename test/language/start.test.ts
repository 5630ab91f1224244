import { helpTexts } from '../../src/features/start/help-texts.ts';
import { heldTexts } from '../../src/features/shared/held-send.ts';
import { texts } from '../../src/features/start/texts.ts';
import { stripBidi } from '../../src/i18n/format.ts';
import { slashes } from '../../src/telegram/slash.ts';
import { roleName } from '../../src/telegram/texts.ts';
import { checkTexts } from './check-texts.ts';
import { NAME } from './samples.ts';

const NOON = new Date('2026-11-22T08:30:00Z');
const ALLOWED = ['send', 'credit', 'book_new', 'isblocked'];

checkTexts('src/features/start/texts.ts', texts)(
  ({ locale, foreign, format }) => ({
    about: [['start'], ['help'], ['cancel'], ['whoami'], ['lang']],
    hello: [
      [true, true],
      [false, true],
      [false, false],
    ],
    held: [
      [format.dateTime(NOON), format.count(2, texts(locale).sends), format.count(1, texts(locale).sends)],
      [format.dateTime(NOON), null, null],
    ],
    cancelled: [[true], [false]],
    formLeft: [['A41'], [null]],
    draftCancelled: [['A41']],
    whoami: [
      [{ name: foreign(NAME), id: 7_123_456_789, role: null, isLinked: false, allowed: null }],
      [{ name: foreign(NAME), id: 7_123_456_789, role: null, isLinked: true, allowed: null }],
      [
        {
          name: foreign(NAME),
          id: 7,
          role: roleName(locale, 'owner'),
          isLinked: true,
          allowed: slashes(locale, ALLOWED),
        },
      ],
    ],
    langNow: [[texts(locale).langName]],
  }),
  { sameInBoth: ['usageLang'] },
);

checkTexts(
  'src/features/shared/held-send.ts',
  heldTexts,
)(() => ({ isConfirmed: [['A41']], isScheduled: [['A41']] }));

checkTexts(
  'src/features/start/help-texts.ts',
  helpTexts,
)(({ locale, foreign, format }) => ({
  entry: [['send', locale === 'fa' ? 'ارسال پیام' : 'send a message']],
  more: [[ALLOWED]],
  moreWith: [[locale === 'fa' ? 'توکن نسخهٔ ۱' : 'a version 1 token', ALLOWED]],
  example: [['/send 09121234567 x']],
  inDetail: [['send', helpTexts(locale).topics.sending]],
  needsRole: [
    [roleName(locale, 'admin'), null],
    [roleName(locale, 'admin'), roleName(locale, 'viewer')],
  ],
  needsCredential: [[locale === 'fa' ? 'کلید API' : 'an API key']],
  otherwise: [[ALLOWED]],
  // Whoever asks for it is answered with what was typed, without its direction marks.
  nothing: [[stripBidi(foreign(60)), format.list([helpTexts(locale).topics.sending])]],
}));
