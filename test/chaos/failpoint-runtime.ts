import { appendFileSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/*
 * Runs within a copy of Peyk whose awaits call it on both sides. What to do stands in a file: a scene, in which
 * whatever is reached is noted, and perhaps the one place at which the process that comes there first is killed.
 */

const folder = process.env['FAILPOINT_FOLDER'] ?? '';
const order = join(folder, 'order');
const noted = new Set<string>();

function reach(place: string): void {
  const [scene, deadly] = readOrder();
  if (scene === undefined) return;
  const note = `${scene}\t${place}\n`;
  if (!noted.has(note)) {
    noted.add(note);
    appendFileSync(join(folder, 'reached'), note);
  }
  if (deadly !== place) return;
  try {
    // Of several processes exactly one can do this.
    renameSync(order, join(folder, 'struck'));
  } catch {
    return;
  }
  process.kill(process.pid, 'SIGKILL');
}

function readOrder(): string[] {
  try {
    return readFileSync(order, 'utf8').split('\t');
  } catch {
    return [];
  }
}

Reflect.set(globalThis, 'failpoint', {
  before: (id: string): void => reach(`before ${id}`),
  after: <T>(id: string, value: T): T => {
    reach(`after ${id}`);
    return value;
  },
});
