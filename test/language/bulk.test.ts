import { texts } from '../../src/features/sending/bulk/texts.ts';
import { bulkTexts } from '../../src/features/sending/bulk/bulk-texts.ts';
import { texts as sendTexts } from '../../src/features/sending/texts.ts';
import { countLine } from '../../src/features/shared/count-words.ts';
import { peopleTagTexts } from '../../src/features/shared/people-tag.ts';
import { checkTexts } from './check-texts.ts';

const NUMBER = '0912•••4567';

checkTexts(
  'src/features/sending/bulk/texts.ts',
  texts,
)(({ locale, foreign, format }) => {
  const t = texts(locale);
  const rows = format.count(1204, t.rows);
  const names = Array.from({ length: 20 }, () => foreign(40));
  return {
    askText: [[''], [names.join('\n')]],
    offerWords: [[foreign(30)]],
    soFar: [[foreign(500)]],
    headerRow: [[format.number(3), foreign(30)]],
    noRow: [[foreign(60), format.number(100)]],
    unknownField: [
      [foreign(60), foreign(40)],
      [foreign(60), null],
    ],
    noMulti: [[''], [locale === 'fa' ? 'کلید API' : 'an API key']],
    noColumn: [[foreign(60)]],
    closer: [['A41']],
    message: [[format.number(1204), NUMBER, foreign(500)]],
    skippedHead: [['A41', rows]],
    skippedRow: [
      [format.number(12), foreign(40), t.noValue(foreign(60))],
      [format.number(12), '', t.noValue(foreign(40))],
    ],
    skippedMore: [[format.number(1204)]],
    noValue: [[foreign(60)]],
  };
});

checkTexts('src/features/sending/bulk/bulk-texts.ts', bulkTexts)(
  ({ locale, foreign, format }) => {
    const t = bulkTexts(locale);
    const send = sendTexts(locale);
    const some = format.number(1204);
    const rows = format.count(1204, t.rows);
    const place = { row: format.number(12), limit: format.number(256) };
    const name = foreign(60);
    const count: readonly [[string]] = [[some]];
    return {
      file: [
        [name, rows, name],
        [name, rows, null],
        [name, null, null],
      ],
      people: [
        [foreign(32), format.count(1204, peopleTagTexts(locale).people)],
        [foreign(32), null],
      ],
      keeping: [[foreign(32)]],
      kept: [[format.count(1204, peopleTagTexts(locale).people), foreign(32), some]],
      keptFull: [[format.number(200_000)]],
      readSoFar: [[rows]],
      problems: {
        not_a_table: [[]],
        encrypted: [[]],
        empty: [[]],
        only_header: [[place], [{ ...place, row: '' }]],
        too_many_rows: [[place]],
        too_wide: [[place], [{ ...place, row: '' }]],
        too_many_cells: [[place]],
        too_large: [[]],
        too_long_cell: [[place]],
        open_quote: [[place]],
        mixed_encoding: [[place]],
        damaged: [[]],
        gone: [[]],
        no_people: [[]],
        other: [[]],
      },
      phone: { sure: [[name]], likely: [[name]], unsure: [[name]], chosen: [[name]] },
      column: [[format.number(3)]],
      fields: [
        [Array.from({ length: 12 }, () => foreign(40)), t.andMore(some)],
        [[foreign(40)], null],
      ],
      andMore: count,
      numbers: [
        [
          format.count(1204, t.goodNumbers),
          [countLine('repeated', 12, format), countLine('invalid', 3, format)],
        ],
        [format.count(1, t.goodNumbers), []],
      ],
      row: [[format.number(2), [NUMBER, foreign(24), foreign(24)]]],
      headerIn: [[some]],
      countedSoFar: [[some, rows]],
      place: [[some, some, some, NUMBER]],
      takes: [
        [format.count(1204, send.messages), format.count(2, send.parts), null, false],
        [format.count(1, send.messages), format.count(1, send.parts), send.encodings.ucs2, true],
      ],
      hint: [[some, format.count(7, send.characters), format.count(1, send.parts)]],
      stopped: [[rows]],
      lacking: [[rows]],
      filled: [[rows, name]],
      skipThem: [[true], [false]],
      fillThem: [[true], [false]],
      stopAll: [[true], [false]],
      skippedInJob: [[rows]],
    };
  },
  { sameInBoth: ['skippedFile'] },
);
