import { texts } from '../../src/features/settle/texts.ts';
import { checkTexts } from './check-texts.ts';

checkTexts(
  'src/features/settle/texts.ts',
  texts,
)(({ format }) => ({ sent: [[format.number(1204)]], notSent: [[format.number(1204)]] }));
