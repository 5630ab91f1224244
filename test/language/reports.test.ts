import { expect, test } from 'vitest';
import { costTexts } from '../../src/features/reports/cost-card.ts';
import { countTexts } from '../../src/features/reports/count-card.ts';
import { failedTexts } from '../../src/features/reports/failed-card.ts';
import { jobTable, outboxTable, statusTable } from '../../src/features/reports/file-texts.ts';
import { outboxTexts } from '../../src/features/reports/outbox-texts.ts';
import { pictureTexts } from '../../src/features/reports/picture-card.ts';
import { reportTexts } from '../../src/features/reports/report-texts.ts';
import { stateText, texts } from '../../src/features/reports/texts.ts';
import { spanText } from '../../src/features/shared/range-argument.ts';
import { displayRecipient } from '../../src/domain/phone.ts';
import { createFormat, isolateLtr } from '../../src/i18n/format.ts';
import { code } from '../../src/telegram/html.ts';
import { refusalText } from '../../src/telegram/refusal-texts.ts';
import { countLabel, countWords } from '../../src/features/shared/count-words.ts';
import { operatorTexts } from '../../src/features/shared/operator-texts.ts';
import { checkTexts } from './check-texts.ts';
import { MESSAGE, NAME } from './samples.ts';

const LINE = '3000123456';
const ID = '1234567890123';
const number = code(isolateLtr(displayRecipient('989121234567')));
const NOON = new Date('2026-11-24T08:30:00Z');

checkTexts(
  'src/features/reports/texts.ts',
  texts,
)(({ locale, foreign, format }) => {
  const t = texts(locale);
  const state = stateText(locale, { raw: 4, text: foreign(80), kind: 'delivered' });
  const odd = stateText(locale, { raw: foreign(80), text: foreign(80), kind: 'unknown' });
  const latest = {
    id: ID,
    text: foreign(MESSAGE),
    line: LINE,
    recipients: format.count(3, t.recipients),
    shown: isolateLtr('0912•••4567'),
    single: false,
    state,
    when: format.dateTime(NOON),
  };
  return {
    badReport: [[foreign(60)], ['']],
    entry: [
      [ID, '0912•••4567', state],
      [ID, '', odd],
    ],
    missing: [
      [format.count(2, t.messages), [ID, ID], false],
      [format.count(200, t.messages), [ID], true],
    ],
    details: [[null], [format.number(50)]],
    detailsHead: [[format.count(50, t.messages)]],
    detail: [
      [ID, number, state, format.dateTime(NOON), foreign(200)],
      [ID, null, odd, null, foreign(200)],
    ],
    stands: [[countLabel('delivered', locale), format.number(10_981), format.percent(0.943)]],
    latest: [[latest], [{ ...latest, line: null, when: null, single: true, state: odd }]],
  };
});

checkTexts(
  'src/features/reports/count-card.ts',
  countTexts,
)(({ locale, format }) => {
  const why = refusalText(locale, 'server_fault');
  const some = format.number(12_345);
  const t = countTexts(locale);
  return {
    head: [[format.date(NOON)]],
    sent: [[format.count(12, texts(locale).messages), format.count(20, texts(locale).parts), format.rial(9)]],
    price: [[format.rial(1420)]],
    noSent: [[why]],
    received: [[format.count(12, texts(locale).messages), [t.read(some), t.unread(some)]]],
    read: [[some]],
    unread: [[some]],
    receivedRead: [[some, why]],
    receivedUnread: [[some, why]],
    noReceived: [[why]],
  };
});

checkTexts(
  'src/features/reports/report-texts.ts',
  reportTexts,
)(({ locale, foreign, format }) => {
  const t = texts(locale);
  const when = format.dateTime(NOON);
  const some = format.count(12_345, t.messages);
  return {
    head: [['B7', format.time(NOON)]],
    rangeHead: [[format.date(NOON)]],
    notSent: [['B7']],
    by: [
      [foreign(NAME), foreign(NAME), [LINE, '50001234']],
      [foreign(NAME), null, [LINE]],
    ],
    confirmed: [[when]],
    started: [[when]],
    ended: [[when]],
    size: [
      [format.count(9, t.recipients), format.count(9, t.parts)],
      [format.count(9, t.recipients), null],
    ],
    words: [[reportTexts(locale).word(format.number(2), foreign(80))]],
    word: [[format.number(2), foreign(80)]],
    refused: [[format.number(2), refusalText(locale, 'invalid_line')]],
    byLine: [[LINE, some]],
    moreLines: [[format.number(4)]],
    byOperator: [
      [
        operatorTexts(locale).names.other,
        format.number(40),
        `${format.percent(0.96)} ${countWords(locale).failed}`,
      ],
    ],
    cost: [
      [format.count(9, t.parts), format.rial(12_780), format.rial(1420)],
      [format.count(9, t.parts), format.rial(12_780), null],
    ],
    noCost: [[refusalText(locale, 'server_fault')]],
    tag: [[foreign(NAME)]],
    tagHead: [[foreign(NAME), format.date(NOON)]],
    cards: [
      [format.count(3, costTexts(locale).sends), ['A1', 'B7'], false],
      [format.count(30, costTexts(locale).sends), ['A1'], true],
    ],
    ofLine: [[LINE]],
    resend: [[format.number(205)]],
    fileCaption: [['B7', some]],
    fileCut: [[some]],
  };
});

checkTexts(
  'src/features/reports/failed-card.ts',
  failedTexts,
)(({ locale, format }) => {
  const t = texts(locale);
  const some = format.count(247, t.recipients);
  return {
    see: [[format.number(247)]],
    ofCard: [['B7', some]],
    ofTime: [[format.date(NOON), some]],
    line: [[failedTexts(locale).reason(format.number(2), failedTexts(locale).reasons.handset)]],
    reason: [[format.number(2), failedTexts(locale).reasons.other]],
  };
});

checkTexts(
  'src/features/reports/cost-card.ts',
  costTexts,
)(({ locale, format }) => {
  const t = costTexts(locale);
  const rial = format.rial(29_751_840);
  const parts = format.count(20_951, texts(locale).parts);
  const sends = format.count(3, t.sends);
  return {
    line: [
      [t.estimated(rial), t.actual(rial)],
      [t.noEstimate, t.shared(parts, rial)],
      [t.estimated(rial), t.early(parts, rial)],
      [t.estimated(rial), t.uncounted(refusalText(locale, 'server_fault'))],
      [t.estimated(rial), null],
    ],
    estimated: [[rial]],
    actual: [[rial]],
    shared: [[parts, rial]],
    early: [[parts, rial]],
    uncounted: [[refusalText(locale, 'server_fault')]],
    together: [
      [sends, rial, null],
      [sends, rial, format.number(1)],
    ],
    nonePriced: [[sends]],
  };
});

checkTexts(
  'src/features/reports/picture-card.ts',
  pictureTexts,
)(({ foreign, format }) => ({
  ofCard: [['B7']],
  ofTag: [[foreign(NAME)]],
  line: [[LINE]],
  asOf: [[format.time(NOON)]],
}));

checkTexts(
  'src/features/reports/outbox-texts.ts',
  outboxTexts,
)(({ locale, foreign, format }) => {
  const t = texts(locale);
  const some = format.count(12_345, t.messages);
  const state = stateText(locale, { raw: 4, text: '', kind: 'delivered' });
  const row = { state, recipient: number, line: LINE, when: format.dateTime(NOON), text: foreign(90) };
  return {
    head: [[format.date(NOON)]],
    latestHead: [[some]],
    total: [[some, format.count(12_345, t.numbers)]],
    row: [[row], [{ ...row, recipient: null, line: null, when: null }]],
    left: [[format.number(5000), format.number(12_345)]],
    unread: [[format.date(NOON), outboxTexts(locale).gaps.no_answer]],
    gaps: { refused: [[refusalText(locale, 'bad_request')]] },
    tooLong: [[format.count(31, t.days), format.count(90, t.days)]],
    track: [[number, format.dateTime(NOON), some]],
    trackNothing: [[number, format.dateTime(NOON)]],
    trackFull: [['/outbox 2026-11-24']],
  };
});

test('a span of time reads as words in both languages', () => {
  const hours = (from: string, to: string) => ({ from: Date.parse(from) / 1000, to: Date.parse(to) / 1000 });
  const spans = [
    hours('2026-11-23T20:30:00Z', '2026-11-24T20:29:59Z'),
    hours('2026-11-24T05:30:00Z', '2026-11-24T08:30:00Z'),
    hours('2026-11-20T20:30:00Z', '2026-11-24T08:30:00Z'),
  ];
  const shown = (locale: 'en' | 'fa') =>
    spans.map((span) => spanText(createFormat(locale, 'Asia/Tehran'), span));
  expect(shown('en')).toEqual([
    '24 Nov 2026',
    '24 Nov 2026, 09:00–12:00',
    '21 Nov 2026 – 24 Nov 2026, 12:00',
  ]);
  expect(shown('fa')).toEqual([
    '۳ آذر ۱۴۰۵',
    '۳ آذر ۱۴۰۵، ۰۹:۰۰ تا ۱۲:۰۰',
    '۳۰ آبان ۱۴۰۵ تا ۳ آذر ۱۴۰۵، ۱۲:۰۰',
  ]);
});

test('files have their headings in both languages', () => {
  const headings = (locale: 'en' | 'fa') => {
    const format = createFormat(locale, 'Asia/Tehran');
    return [outboxTable(format, []), statusTable(format, [], ['1']), jobTable(format, 'done', [])].flatMap(
      ({ header, rows }) => [...header, ...rows.flat().filter((cell) => /\p{L}/u.test(cell))],
    );
  };
  const [english, persian] = [headings('en'), headings('fa')];
  expect(persian).toHaveLength(english.length);
  expect(english.filter((heading) => !/^[a-z' ]+$/.test(heading))).toEqual([]);
  expect(persian.filter((heading) => !/^[\u0600-\u06ff\u200c ]+$/.test(heading))).toEqual([]);
});
