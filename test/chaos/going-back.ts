import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from './checks.ts';
import { startJob } from './drill.ts';
import { readFacts, short } from './facts.ts';
import type { Acceptance } from './gateway-oracle.ts';
import { waitForEarlier, within } from './patience.ts';
import { probe, untilStill } from './quiet.ts';
import type { RoundContext } from './round.ts';

const NOTICED_MS = 20_000;
const LOOK_MS = 250;
/** What Peyk does by the clock about a send that it knows nothing more of. */
const AFTER_MS = 10_000;

/**
 * Sets the database back to a copy some seconds old, in the middle of a job that the copy does not know as begun. Nobody may
 * be written to twice, and all sends have to be held until people let them go on. Nothing can be sent afterwards.
 */
export async function goBack(context: RoundContext, round: number): Promise<Finding[]> {
  const { stand, prober, signal } = context;
  const text = `chaos r${round} s9 goes back`;
  const isConfirmed = async (): Promise<boolean> =>
    (await readFacts(stand, [round])).some(({ job, says }) => job !== null && says.includes(text));
  await startJob(context, text, async () => {
    await within(waitForEarlier(NOTICED_MS), isConfirmed);
    await stand.restartPostgres('keep');
  });
  await stand.restartPostgres('back');
  const backAt = Date.now();
  const held = await within(waitForEarlier(NOTICED_MS), async () => await isHeld(context), LOOK_MS);
  await probe(stand, prober, signal);
  await sleep(AFTER_MS, undefined, { signal });
  await untilStill(stand);
  const taken = stand.gateway.acceptances().filter((each) => each.text === text);
  return checkGoneBack(taken, held, backAt);
}

/** Nobody is written to twice, and it is noticed: all sends are held. */
export function checkGoneBack(taken: readonly Acceptance[], held: boolean, backAt: number): Finding[] {
  const numbers = Map.groupBy(
    taken.flatMap(({ recipients }) => recipients.map(short)),
    (number) => number,
  );
  const twice = [...numbers.values()].filter(({ length }) => length > 1).length;
  const after = taken.filter(({ at }) => at > backAt).length;
  const findings: Finding[] = [];
  if (twice > 0)
    findings.push({
      kind: 'doubled',
      count: twice,
      what: `${twice} recipients twice, ${after} calls after the database went back`,
    });
  if (!held) findings.push({ kind: 'wrong', count: 1, what: 'a database that went back holds no sends' });
  return findings;
}

async function isHeld({ stand }: RoundContext): Promise<boolean> {
  return await stand.postgres
    .ask(async (sql) => (await sql`select 1 from deployment where held_at is not null`).length > 0)
    .catch(() => false);
}
