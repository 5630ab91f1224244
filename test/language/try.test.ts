import { tryTexts } from '../../src/app/try-mode.ts';
import { code } from '../../src/telegram/html.ts';
import { checkTexts } from './check-texts.ts';

checkTexts(
  'src/app/try-mode.ts',
  tryTexts,
)(() => ({
  link: [[code('sandbox-key-demo'), code('3000123456')]],
  look: [[code('/report 7d')]],
  answer: [['Phones']],
  send: [[code('/send 09121234567 Hi')]],
}));
