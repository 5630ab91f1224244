import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { EXIT } from '../process/exit-codes.ts';
import { verifyAudit, type BrokenChain, type ChainHead } from '../storage/audit-chain.ts';
import { usageOf } from './command-line.ts';
import { onDatabase, say } from './operator-tool.ts';

const NO_CHAT = 'none';
const NEVER = '-';
/** Lines of the release before have no time. */
const HEAD = z.tuple([
  z.union([z.uuid(), z.literal(NO_CHAT)]),
  z.coerce.number().int().positive(),
  z.string().regex(/^[0-9a-f]{64}$/u),
  z.union([z.iso.datetime(), z.literal(NEVER)]).default(NEVER),
]);

/** `peyk audit`: whether the audit is what was once written. Exit code 1 where it is not. */
export async function audit(args: readonly string[]): Promise<number> {
  const [command, file, ...more] = args;
  if (more.length > 0) return badUse();
  if (command === 'heads' && file === undefined) return await check([], true);
  if (command !== 'verify') return badUse();
  const known = file === undefined ? [] : readHeads(file);
  if (known !== null) return await check(known, false);
  process.stderr.write(
    `${String(file)} cannot be read, or has lines that are no heads. Make it with: peyk audit heads\n`,
  );
  return EXIT.badUse;
}

/** Lines of a chat, a number of rows, a hash and a time; null where it is something else. */
function readHeads(file: string): ChainHead[] | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return null;
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const heads = z.array(HEAD).safeParse(lines.map((line) => line.trim().split(/\s+/u)));
  return (
    heads.data?.map(([chatId, rows, hash, at]) => ({
      chatId: chatId === NO_CHAT ? null : chatId,
      rows,
      hash,
      at: at === NEVER ? null : new Date(at),
    })) ?? null
  );
}

async function check(known: readonly ChainHead[], printsHeads: boolean): Promise<number> {
  return await onDatabase(async ({ sql }) => {
    const { rows, gone, forgotten, past, heads, broken } = await verifyAudit(sql, known);
    if (printsHeads)
      for (const head of heads)
        say(`${head.chatId ?? NO_CHAT} ${head.rows} ${head.hash} ${head.at?.toISOString() ?? NEVER}`);
    for (const fault of broken) process.stderr.write(`${describe(fault)}\n`);
    if (!printsHeads && broken.length === 0) {
      say(`Everything is as it was written: rows ${rows}, chains ${heads.length}.`);
      if (gone > 0) say(`Rows that were past their time and are gone: ${gone}.`);
      if (forgotten > 0) say(`Rows out of which a number was taken: ${forgotten}.`);
      if (known.length > past) say(`The heads of the file stand in them: ${known.length - past}.`);
      if (past > 0) say(`Heads of the file that lie in what is gone: ${past}. Write new ones down.`);
    }
    return broken.length === 0 ? 0 : 1;
  });
}

function describe({ chatId, why, auditId, at }: BrokenChain): string {
  const chat = chatId === null ? 'The chain of no chat' : `The chain of chat ${chatId}`;
  if (why === 'head')
    return `${chat} does not go through the head that was written down: rows were cut off or replaced.`;
  const row = `row ${String(auditId)}${at === null ? '' : ` of ${at.toISOString()}`}`;
  if (why === 'gone') return `${chat} is broken at ${row}: the row is gone.`;
  if (why === 'loose')
    return `${chat} does not have ${row}: it was added without its link, or its link is gone.`;
  return `${chat} is broken at ${row}: that row was changed, or one before it was changed, taken out or moved.`;
}

function badUse(): number {
  process.stderr.write(`${usageOf('audit')}\n`);
  return EXIT.badUse;
}
