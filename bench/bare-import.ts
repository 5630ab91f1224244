import { createReadStream } from 'node:fs';

/* What the import of a file is held against: loops over its three columns that keep nothing. */

type TakeRow = (phone: string, name: string, code: string) => boolean;

/** Cuts lines into cells and looks at the number. Resolves with milliseconds; rejects where not all rows are good. */
export async function bareParser(path: string, rows: number): Promise<number> {
  return await bareLoop(path, rows, (phone, name, code) => NUMBER.test(phone) && name !== '' && code !== '');
}

/** The same, and finds repeated numbers, makes the texts and measures them: whatever is counted, but not written. */
export async function bareCount(path: string, rows: number, text: string): Promise<number> {
  const seen = new Set<string>();
  let parts = 0;
  const ms = await bareLoop(path, rows, (phone, name, code) => {
    if (!NUMBER.test(phone) || seen.has(phone)) return false;
    seen.add(phone);
    const own = text.replace('{name}', name).replace('{code}', code);
    parts += Math.ceil(own.length / (LATIN.test(own) ? 160 : 70));
    return true;
  });
  if (parts !== rows) throw new Error(`${parts} parts`);
  return ms;
}

const NUMBER = /^09\d{9}$/;
const LATIN = /^[ -~]*$/;

async function bareLoop(path: string, rows: number, take: TakeRow): Promise<number> {
  const began = performance.now();
  let rest = '';
  let good = 0;
  for await (const piece of createReadStream(path, { encoding: 'utf8' })) {
    const lines = (rest + String(piece)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [phone = '', name = '', code = ''] = line.split(',');
      if (take(phone, name, code)) good += 1;
    }
  }
  if (good !== rows) throw new Error(`${good} rows`);
  return performance.now() - began;
}
