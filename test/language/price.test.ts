import { priceTexts } from '../../src/features/sending/draft/price-card.ts';
import { texts as sendTexts } from '../../src/features/sending/texts.ts';
import { checkTexts } from './check-texts.ts';

checkTexts(
  'src/features/sending/draft/price-card.ts',
  priceTexts,
)(({ locale, format }) => {
  const t = priceTexts(locale);
  const parts = format.count(20_952, sendTexts(locale).parts);
  const price = format.rial(29_751_840);
  return {
    unknown: [[parts]],
    known: [
      [parts, price, t.each(format.number(1420))],
      [parts, price, format.list([t.eachOf.gsm7(format.number(2840)), t.eachOf.ucs2(format.number(1420))])],
    ],
    each: [[format.number(1420)]],
    eachOf: { gsm7: [[format.number(2840)]], ucs2: [[format.number(1420)]] },
    after: [
      [price, t.about(format.count(9, t.days))],
      [price, t.underADay],
      [price, null],
    ],
    about: [[format.count(9, t.days)], [format.count(1, t.days)]],
    short: [
      [format.rial(21_000_000), null, format.rial(8_751_840)],
      [format.rial(21_000_000), format.rial(284_000), format.rial(8_751_840)],
    ],
  };
});
