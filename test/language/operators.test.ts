import { operatorTexts } from '../../src/features/shared/operator-texts.ts';
import { checkTexts } from './check-texts.ts';

checkTexts('src/features/shared/operator-texts.ts', operatorTexts)(() => ({}));
