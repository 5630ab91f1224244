import { posix } from 'node:path';
import type { Archive } from './archive.ts';
import { FIXED_LIMITS } from './limits.ts';
import { tableProblem } from './table-problem.ts';
import { readXml, withoutPrefix, type MarkCount } from './xml.ts';

export interface WorkbookParts {
  /** Its path in the archive. */
  readonly sheet: string;
  /** As people read it. */
  readonly name: string;
  /** Absent where no cell shares its text. */
  readonly sharedStrings?: string;
}

/**
 * Where in an archive the first sheet with cells is that people see; a hidden one where they see none.
 * Throws `not_a_table` for an archive that is no workbook.
 */
export async function findParts(archive: Archive, count: MarkCount): Promise<WorkbookParts> {
  const [workbook] = (await relationsOf(archive, '', count)).filter(isOf('officeDocument'));
  if (workbook === undefined || !archive.has(workbook.target)) throw tableProblem('not_a_table');
  // `.xlsb`, which is a format of its own.
  if (workbook.target.endsWith('.bin')) throw tableProblem('not_a_table');
  const sheets = await sheetsOf(archive, workbook.target, count);
  const relations = await relationsOf(archive, workbook.target, count);
  const worksheets = relations.filter(isOf('worksheet'));
  const [found] = [...sheets.filter(({ isHidden }) => !isHidden), ...sheets].flatMap(({ id, name }) => {
    const worksheet = worksheets.find((each) => each.id === id);
    return worksheet === undefined ? [] : [{ sheet: worksheet.target, name }];
  });
  if (found === undefined) throw tableProblem('not_a_table');
  const sharedStrings = relations.find(isOf('sharedStrings'))?.target;
  return { ...found, ...(sharedStrings === undefined ? {} : { sharedStrings }) };
}

interface Relation {
  readonly id: string;
  /** The last word of its address: the two editions of the standard differ in what comes before. */
  readonly type: string;
  /** Path in the archive. */
  readonly target: string;
}

/** Where a part points to; `''` is the archive itself. */
async function relationsOf(archive: Archive, path: string, count: MarkCount): Promise<readonly Relation[]> {
  const folder = posix.dirname(path);
  const source = posix.join(folder, '_rels', `${posix.basename(path)}.rels`);
  const relations: Relation[] = [];
  if (!archive.has(source)) return relations;
  await readXml(
    archive.part(source, FIXED_LIMITS.directory),
    {
      open(name, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
        if (name !== 'Relationship' || mode === 'External') return;
        relations.push({
          id,
          type: posix.basename(type),
          target: target.startsWith('/') ? target.slice(1) : posix.join(folder, target),
        });
      },
    },
    count,
  );
  return relations;
}

function isOf(type: string): (relation: Relation) => boolean {
  return (relation) => relation.type === type;
}

interface Sheet {
  /** Of the workbook's relation. */
  readonly id: string;
  readonly name: string;
  readonly isHidden: boolean;
}

/** The sheets in their order. */
async function sheetsOf(archive: Archive, workbook: string, count: MarkCount): Promise<readonly Sheet[]> {
  const sheets: Sheet[] = [];
  await readXml(
    archive.part(workbook, FIXED_LIMITS.directory),
    {
      open(name, attributes, path) {
        if (path.length === 0 && name !== 'workbook') throw tableProblem('not_a_table');
        if (name !== 'sheet' || path.at(-1) !== 'sheets') return;
        const [, id = ''] =
          Object.entries(attributes).find(([key]) => key.includes(':') && withoutPrefix(key) === 'id') ?? [];
        const isHidden = attributes['state']?.toLowerCase().endsWith('hidden') ?? false;
        sheets.push({ id, name: attributes['name'] ?? '', isHidden });
      },
    },
    count,
  );
  return sheets;
}
