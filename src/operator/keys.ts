import { resolve } from 'node:path';
import { openStorage } from '../app/storage.ts';
import type { Config } from '../process/config.ts';
import { EXIT } from '../process/exit-codes.ts';
import { createFingerprint } from '../storage/keys/fingerprint.ts';
import { countSealed, rotateCredentials, type SealedCount } from '../storage/accounts/key-rotation.ts';
import { addMasterKey, newMasterKey } from '../storage/keys/master-keys.ts';
import { usageOf } from './command-line.ts';
import { opened, say, withSettings } from './operator-tool.ts';

/** `peyk keys`: the master keys of this deployment, and what is sealed under them. */
export async function keys(args: readonly string[]): Promise<number> {
  const [command, ...more] = args;
  if (more.length > 0 || !['status', 'new', 'rotate'].includes(command ?? '')) {
    process.stderr.write(`${usageOf('keys')}\n`);
    return EXIT.badUse;
  }
  return await withSettings(async (config) => {
    if (command === 'new') return makeKey(config);
    return await opened(
      // A Peyk that runs may not know the newest key yet: what is brought under it, it could not open.
      { config, tool: command === 'rotate' ? 'alone' : 'beside' },
      openStorage,
      async (storage) => await tellKeys(storage, command === 'rotate'),
    );
  });
}

function makeKey(config: Config): number {
  if (config.masterKeys.length > 0) {
    process.stderr.write(
      'Put this in front of MASTER_KEYS, with a comma behind it, in every process; start them again; then: peyk keys rotate\n',
    );
    process.stdout.write(`${newMasterKey().entry.reveal()}\n`);
    return 0;
  }
  const kid = addMasterKey(resolve(config.database.dataDir));
  say(`${kid} is the newest key in master.key now. Next, while Peyk is stopped: peyk keys rotate`);
  return 0;
}

async function tellKeys(
  { database, sealer, masterKeys }: Awaited<ReturnType<typeof openStorage>>,
  rotates: boolean,
): Promise<number> {
  const newest = masterKeys[0].kid;
  let failed = 0;
  if (rotates) {
    const keys = { sealer, fingerprint: createFingerprint(masterKeys), newest };
    const { moved, unreadable } = await rotateCredentials(database, keys);
    say(`${moved} credentials are under ${newest} now that were not before.`);
    failed = unreadable;
  }
  const counts = await countSealed(database);
  say(table(counts, newest));
  const older = masterKeys.slice(1).map(({ kid }) => kid);
  for (const kid of older) {
    const isFree = counts.every((count) => count.kid !== kid);
    say(isFree ? `${kid} is not needed any more: take it out.` : `${kid} is still needed.`);
  }
  if (failed > 0) say(`${failed} credentials open under none of these keys, and stay as they are.`);
  return failed === 0 ? 0 : 1;
}

function table(counts: readonly SealedCount[], newest: string): string {
  if (counts.length === 0) return 'Nothing is sealed.';
  return counts
    .map(
      ({ what, kid, rows }) =>
        `${String(rows).padStart(8)}  ${what.padEnd(14)} ${kid}${kid === newest ? ' (newest)' : ''}`,
    )
    .join('\n');
}
