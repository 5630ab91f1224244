import { burnTexts } from '../../src/features/account/burn-card.ts';
import { texts } from '../../src/features/account/texts.ts';
import { lineTexts } from '../../src/features/sending/line/line-texts.ts';
import { checkTexts } from './check-texts.ts';
import { NAME } from './samples.ts';

const LINE = '3000123456';

checkTexts(
  'src/features/account/texts.ts',
  texts,
)(({ foreign, format, locale }) => ({
  credit: [[format.rial(48_300_000), foreign(200), format.time(new Date(0))]],
  pace: [
    [format.rial(2_050_000), format.count(9, texts(locale).days)],
    [format.rial(2_050_000), texts(locale).underADay],
    [format.rial(2_050_000), null],
  ],
  prices: [
    [format.list([texts(locale).inLatin(format.rial(2840)), texts(locale).inUnicode(format.rial(1420))])],
    [format.list([texts(locale).inLatin(format.rial(2840)), texts(locale).unicodeUnknown])],
    [format.list([texts(locale).latinUnknown, texts(locale).inUnicode(format.rial(1420))])],
  ],
  burn: [
    [
      format.count(14, texts(locale).days),
      format.rial(10_668_000),
      format.date(new Date(0)),
      format.rial(1_204_000),
    ],
  ],
  inLatin: [[format.rial(2840)]],
  byOperator: [
    ['latin', format.list([`MCI ≈ ${format.rial(1420)}`])],
    ['unicode', format.list([`MCI ≈ ${format.rial(1420)}`])],
  ],
  inUnicode: [[format.rial(1420)]],
  underWay: [[format.rial(28_400)]],
  scheduled: [
    [format.count(1, texts(locale).sends), format.rial(6_100_000), null],
    [format.count(12, texts(locale).sends), format.rial(6_100_000), format.number(3)],
    [format.count(2, texts(locale).sends), null, null],
  ],
  elsewhere: [[format.rial(6_100_000)]],
  willNotFit: [[format.rial(1_200_000)]],
  account: [
    [
      {
        name: foreign(200),
        company: foreign(200),
        type: foreign(60),
        tariff: foreign(60),
        credit: format.rial(48_300_000),
        expires: format.date(new Date(0)),
        expired: true,
        keyTail: '7Qd2',
        line: LINE,
      },
    ],
    [
      {
        name: foreign(200),
        company: undefined,
        type: undefined,
        tariff: undefined,
        credit: undefined,
        expires: undefined,
        expired: false,
        keyTail: '',
        line: null,
      },
    ],
  ],
}));

checkTexts(
  'src/features/sending/line/line-texts.ts',
  lineTexts,
)(({ foreign, format, locale }) => {
  const t = lineTexts(locale);
  return {
    ask: [[null], [LINE]],
    set: [[LINE]],
    head: [[LINE]],
    row: [['🎯', t.names.purpose, t.notSaid]],
    phrase: [[foreign(60)]],
    hoursIn: [[format.clock(540), format.clock(1260), 'Asia/Tehran']],
    edit: [[t.names.words]],
    turnOff: [[t.names.words]],
    bad: [[foreign(40)]],
    badSetting: [[foreign(40)]],
    askPurpose: [[LINE]],
    badPurpose: [[foreign(40)]],
    askMust: [[LINE]],
    askWords: [[LINE]],
    askHours: [[LINE, 'Asia/Tehran']],
    badHours: [[foreign(40)]],
    changed: [[t.names.must, t.phrase(foreign(60)), t.anything, foreign(NAME)]],
    unchanged: [[t.names.must, t.anything]],
    alsoMust: [[foreign(60)]],
  };
});

checkTexts(
  'src/features/account/burn-card.ts',
  burnTexts,
)(({ format, locale }) => ({
  subtitle: [[format.count(14, texts(locale).days), format.time(new Date(0))]],
}));
