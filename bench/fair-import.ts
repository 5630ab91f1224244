import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type postgres from 'postgres';

/* What the import of a file is held against: a loop that does the same work at one go, and can neither be taken up again nor say why. */

const CALL = 100;

/** Makes tables as durable as Peyk's, to be emptied between two runs. */
export async function makeFairTables(sql: postgres.Sql): Promise<void> {
  await sql`create table fair_call (chunk int primary key, recipients text[], texts text[], row_numbers int[])`;
  await sql`create table fair_skipped (row_number int primary key, raw text, reason text)`;
}

/**
 * Parses `phone,name,code`, recognises the numbers, drops repeated ones, renders and measures a text for each and writes
 * calls of a hundred by COPY, all in one transaction.
 */
export async function fairImport(sql: postgres.Sql, path: string) {
  const began = performance.now();
  const seen = new Set<number>();
  const skipped: string[] = [];
  let [row, chunk, messages, parts, ready] = [0, 0, 0, 0, ''];
  let call = { recipients: new Array<string>(), texts: new Array<string>(), rows: new Array<number>() };

  const close = (): void => {
    if (call.rows.length === 0) return;
    const { recipients, texts, rows } = call;
    ready += `${chunk}\t{${recipients.join(',')}}\t{${texts.join(',')}}\t{${rows.join(',')}}\n`;
    chunk += 1;
    call = { recipients: [], texts: [], rows: [] };
  };
  const skip = (raw: string, reason: string): void => {
    skipped.push(`${row}\t${NEEDS_ESCAPE.test(raw) ? escaped(raw) : raw}\t${reason}\n`);
  };
  const take = (cells: readonly string[]): void => {
    row += 1;
    if (row === 1) return;
    const [phone = '', name = '', code = ''] = cells;
    const mobile = mobileOf(phone);
    if (mobile === null) return skip(phone, 'invalid');
    if (name.trim() === '' || code.trim() === '') return skip(phone, 'missing');
    const key = Number(mobile.slice(1));
    if (seen.has(key)) return skip(phone, 'repeated');
    seen.add(key);
    const text = `Hello ${name}, your code is ${code}.`;
    parts += partsOf(text);
    messages += 1;
    call.recipients.push(`98${mobile}`);
    call.texts.push(
      NEEDS_ESCAPE.test(text) ? `"${escaped(text.replaceAll(/["\\]/gu, String.raw`\$&`))}"` : `"${text}"`,
    );
    call.rows.push(row);
    if (call.rows.length === CALL) close();
  };

  await sql.begin(async (tx) => {
    const calls = await tx`copy fair_call from stdin`.writable();
    let rest = '';
    for await (const piece of createReadStream(path, { encoding: 'utf8' })) {
      rest = eachRow(rest + String(piece), take);
      if (ready !== '' && !calls.write(ready)) await once(calls, 'drain');
      ready = '';
    }
    if (rest !== '') eachRow(`${rest}\n`, take);
    close();
    calls.end(ready);
    await once(calls, 'finish');
    const left = await tx`copy fair_skipped from stdin`.writable();
    left.end(skipped.join(''));
    await once(left, 'finish');
  });
  return { ms: performance.now() - began, messages, skipped: skipped.length, parts };
}

/** Gives the cells of each whole row. @returns what comes after the last of them */
function eachRow(text: string, take: (cells: readonly string[]) => void): string {
  for (let start = 0; ;) {
    let end = text.indexOf('\n', start);
    if (end === -1) return text.slice(start);
    let line = text.slice(start, end);
    if (line.includes('"')) {
      // Within quotes a row goes on.
      while (line.split('"').length % 2 === 0) {
        end = text.indexOf('\n', end + 1);
        if (end === -1) return text.slice(start);
        line = text.slice(start, end);
      }
      take(quotedCells(line));
    } else take(line.split(','));
    start = end + 1;
  }
}

function quotedCells(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/gu)].map(
    ([, quoted, bare = '']) => quoted?.replaceAll('""', '"') ?? bare,
  );
}

/** As Iranians write it, `0912…`, `912…`, `+98 912…`, in three scripts, with what stands between: `912…`, or null. */
function mobileOf(cell: string): string | null {
  const plain = MOBILE.exec(cell);
  if (plain !== null) return plain[1] ?? null;
  const digits = cell
    .replaceAll(/[۰-۹٠-٩]/gu, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll(/[\s\-().\u200c-\u200f\u202a-\u202e]/gu, '');
  return MOBILE.exec(digits)?.[1] ?? null;
}

const MOBILE = /^(?:(?:\+|00)?980?|0)?(9\d{9})$/;

function partsOf(text: string): number {
  if (LATIN.test(text)) return text.length <= 160 ? 1 : Math.ceil(text.length / 153);
  return text.length <= 70 ? 1 : Math.ceil(text.length / 67);
}

/** The signs of GSM-7 that take one place, without those that none of these texts has. */
const LATIN = /^[\n\r !"#$%&'()*+,\-./0-9:;<=>?@A-Z_a-z£¥§¿äöñüàèéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉÄÖÑÜ¡]*$/;

const NEEDS_ESCAPE = /["\\\t\n\r]/;

function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', String.raw`\t`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`);
}
