import type { Tables } from '../ports/tables.ts';
import type { Buttons } from './buttons.ts';
import { fitBlocks, lines, MESSAGE_BUDGET, visibleLength, type Html } from './html.ts';
import { sendTable, type TableFile } from './table-file.ts';
import { kitTexts } from './texts.ts';
import type { RequestContext } from './request-context.ts';

export interface LongAnswer {
  readonly head: Html;
  readonly rows: readonly Html[];
  readonly tail?: Html | undefined;
  readonly buttons?: Buttons | undefined;
  /** The same in full. */
  readonly file: TableFile;
}

/** Says a list: in one message where it fits, else as much as fits and all of it as a CSV file. */
export async function sayLong(
  request: RequestContext,
  answer: LongAnswer,
  tables: Pick<Tables, 'write'>,
): Promise<void> {
  const { head, rows, tail, buttons, file } = answer;
  const room = MESSAGE_BUDGET - visibleLength(head) - (tail === undefined ? 0 : visibleLength(tail)) - 100;
  const { shown, dropped } = fitBlocks(rows, room);
  if (dropped === 0) {
    await request.say(lines(head, shown, tail), { buttons });
    return;
  }
  await request.say(
    lines(head, shown, kitTexts(request.locale).restInFile(request.format.number(dropped)), tail),
    {
      buttons,
    },
  );
  await sendTable(request, file, tables);
}
