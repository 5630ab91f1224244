import { priceTexts } from '../../src/features/send/price-texts.ts';
import { texts as sendTexts } from '../../src/features/send/texts.ts';
import { checkTexts } from './check-texts.ts';

checkTexts(
  'src/features/send/price-texts.ts',
  priceTexts,
)(({ locale, format }) => {
  const t = priceTexts(locale);
  const parts = format.count(20_952, sendTexts(locale).parts);
  const price = format.rial(29_751_840);
  return {
    unknown: [[parts]],
    known: [
      [parts, price, format.number(1420), false],
      [parts, price, format.number(1420), true],
    ],
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
