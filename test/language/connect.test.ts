import { texts } from '../../src/features/connect/texts.ts';
import { checkTexts } from './check-texts.ts';
import { NAME, TITLE } from './samples.ts';

const LINE = '3000123456';

checkTexts(
  'src/features/connect/texts.ts',
  texts,
)(({ foreign, format }) => ({
  askKey: [[''], [foreign(TITLE)]],
  found: [
    [
      {
        name: foreign(200),
        type: foreign(60),
        credit: format.rial(48_300_000),
        keyTail: '7Qd2',
        chat: foreign(TITLE),
        replaces: foreign(200),
      },
    ],
    [{ name: foreign(200), type: '', credit: format.rial(0), keyTail: '', chat: '', replaces: '' }],
  ],
  linked: [[true], [false]],
  lineSet: [[LINE]],
  goOnIn: [[foreign(TITLE)]],
  announced: [
    [foreign(NAME), LINE],
    [foreign(NAME), null],
  ],
  askDisconnect: [[foreign(200)]],
}));
