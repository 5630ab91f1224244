import { displayRecipient } from '../../src/domain/phone.ts';
import { texts } from '../../src/features/inbox/texts.ts';
import { isolateLtr } from '../../src/i18n/format.ts';
import { code } from '../../src/telegram/html.ts';
import { refusalText } from '../../src/telegram/refusal-texts.ts';
import { checkTexts } from './check-texts.ts';
import { NAME } from './samples.ts';

const LINE = '3000123456';
const NOON = new Date('2026-11-24T08:30:00Z');

checkTexts(
  'src/features/inbox/texts.ts',
  texts,
)(({ locale, foreign, format }) => {
  const count = format.count(1204, texts(locale).messages);
  const sender = code(isolateLtr(displayRecipient('989121234567')));
  return {
    moreOnPage: [[format.count(4, texts(locale).messages)]],
    head: [
      ['unread', LINE, count],
      ['all', null, count],
    ],
    plainList: [[refusalText(locale, 'bad_request')]],
    empty: [
      ['unread', LINE],
      ['unread', null],
      ['all', LINE],
      ['all', null],
    ],
    entry: [[format.number(1204), sender, LINE]],
    when: [[format.relative(NOON, new Date(NOON.getTime() + 3_600_000)), format.dateTime(NOON)]],
    toLine: [[LINE]],
    wholeTexts: [[format.number(1204)]],
    wholeHead: [[count]],
    wholeMissing: [[count]],
    exportedPart: [[count, format.number(12_345)]],
    askReceive: [
      [LINE, foreign(NAME)],
      [null, foreign(NAME)],
    ],
    fetching: [[LINE], [null]],
    fetched: [
      [count, LINE, foreign(NAME), format.time(NOON)],
      [count, null, foreign(NAME), format.time(NOON)],
    ],
    fetchedNone: [[LINE], [null]],
    received: [[count]],
    refused: [[refusalText(locale, 'user_locked')]],
  };
});
