import { cardCodeTexts } from '../../src/features/shared/card-code.ts';
import { checkTexts } from './check-texts.ts';

checkTexts(
  'src/features/shared/card-code.ts',
  cardCodeTexts,
)(() => ({ bad: [['A1 A2'], ['']], noCard: [['A41']] }));
