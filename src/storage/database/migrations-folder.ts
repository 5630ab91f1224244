import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where the migrations lie: above this file, as far as it takes, for a bundle lies elsewhere than the source. */
export function migrationsFolder(from: string = import.meta.dirname): string {
  const found = join(from, 'drizzle');
  if (existsSync(join(found, 'meta'))) return found;
  const above = dirname(from);
  if (above === from) throw new Error('there are no migrations beside this program');
  return migrationsFolder(above);
}
