import { texts } from '../../src/features/sending/tags/index.ts';
import { checkTexts } from './check-texts.ts';

checkTexts(
  'src/features/sending/tags/index.ts',
  texts,
)(({ foreign }) => {
  const tag = foreign(32);
  return {
    tagged: [
      ['A41', tag, null],
      ['A41', tag, foreign(32)],
    ],
    untagged: [['A41', tag]],
    hadNone: [['A41']],
  };
});
