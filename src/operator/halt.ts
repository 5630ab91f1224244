import type { Sql } from 'postgres';
import { EXIT } from '../process/exit-codes.ts';
import { createLossStore } from '../storage/restore/loss-store.ts';
import { holdSends, readHold, releaseSends } from '../storage/sending/operator-halt.ts';
import { markRestored } from '../storage/restore/restored-backup.ts';
import { usageOf } from './command-line.ts';
import { onDatabase, say } from './operator-tool.ts';

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/u;

/** `peyk halt`: the switch over the sends of all chats, which works on the database itself. */
export async function halt(args: readonly string[]): Promise<number> {
  const [command, ...more] = args;
  const since = sinceOf(more);
  if (since === undefined || (more.length > 0 && command !== 'restored')) return badUse();
  switch (command) {
    case 'on':
      return await onDatabase(async ({ sql }) => {
        const paused = await holdSends(sql);
        say(`${sends(paused)} paused now. What is on the wire already ends by itself.`);
        return await tellStatus(sql);
      });
    case 'off':
      return await onDatabase(async ({ sql }, { defaultTimeZone }) => {
        const { resumed, kept } = await releaseSends(createLossStore(sql, defaultTimeZone));
        say(`${sends(resumed)} went on.`);
        if (kept > 0) say(`${sends(kept)} stayed paused: a limit or the switch of the chat keeps them back.`);
        return await tellStatus(sql);
      });
    case 'status':
      return await onDatabase(async ({ sql }) => await tellStatus(sql));
    case 'restored':
      return await onDatabase(async ({ sql }, { defaultTimeZone }) => {
        const { from, to, calls, asked, drafts } = await markRestored(
          createLossStore(sql, defaultTimeZone),
          since,
        );
        say(
          `From ${from.toISOString()} to ${to.toISOString()} things may have left that are not known here.`,
        );
        say(
          `Calls that may have left then: ${calls}. They are looked for in the gateway's lists once Peyk is started.`,
        );
        say(
          `Scheduled sends that wait for an answer in their chats now: ${asked}. Drafts that are void now: ${drafts}.`,
        );
        return await tellStatus(sql);
      });
    case undefined:
    default:
      return badUse();
  }
}

async function tellStatus(sql: Sql): Promise<number> {
  const { heldAt, restoredFrom, isLost, waiting, unknown, asked } = await readHold(sql);
  say(
    heldAt === null
      ? 'Sends are not held.'
      : `All sends are held since ${heldAt.toISOString()}; ${waiting === 1 ? '1 send waits' : `${waiting} sends wait`} for peyk halt off.`,
  );
  if (restoredFrom !== null)
    say(
      isLost
        ? `The database has lost what it had confirmed since ${restoredFrom.toISOString()} or later.`
        : `A backup was brought back that ends at ${restoredFrom.toISOString()}.`,
    );
  say(
    unknown === 0
      ? 'No call is unknown.'
      : `Calls that are unknown: ${unknown}. People are asked about ${asked} of them in their chats; the others are looked for.`,
  );
  return 0;
}

/** Null: none was given; undefined: what was given is no time. */
function sinceOf(more: readonly string[]): Date | null | undefined {
  const [option, value, ...rest] = more;
  if (option === undefined) return null;
  if (option !== '--since' || value === undefined || rest.length > 0 || !TIME.test(value)) return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

function sends(count: number): string {
  return count === 1 ? '1 send' : `${count} sends`;
}

function badUse(): number {
  process.stderr.write(`${usageOf('halt')}\n`);
  return EXIT.badUse;
}
