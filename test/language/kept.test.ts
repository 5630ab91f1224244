import { keptTexts } from '../../src/features/shared/kept-texts.ts';
import { checkTexts } from './check-texts.ts';

checkTexts(
  'src/features/shared/kept-texts.ts',
  keptTexts,
)(({ format, locale }) => {
  const { sends } = keptTexts(locale);
  return { leftOut: [[format.count(1, sends)], [format.count(1204, sends)]] };
});
