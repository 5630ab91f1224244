import { afterAll, beforeAll, expect, test } from 'vitest';
import { cardSays, draft, harm, linkedPerson } from '../support/story.ts';
import { startWorld, type World } from '../support/world.ts';
import { until } from '../support/until.ts';

/* One number in the log leads from what somebody pressed to the last call that came of it. */

let world: World;
beforeAll(async () => {
  world = await startWorld({}, { deliverySeconds: 600 });
});
afterAll(async () => {
  await world.stop();
});

interface Line {
  readonly msg: string;
  readonly update?: number;
  readonly operation?: string;
  readonly outcome?: string;
  readonly task?: string;
}

function linesOf(update: number): Line[] {
  return world.logs.map((line): Line => JSON.parse(line)).filter((line) => line.update === update);
}

function operationsOf(update: number): (string | undefined)[] {
  return linesOf(update).flatMap(({ operation }) => (operation === undefined ? [] : [operation]));
}

/** The update by which this person last pressed a button. */
async function lastPress(personId: number): Promise<number> {
  const [row] = await world.database.sql<{ update_id: number }[]>`
    select update_id from audit where person_id = ${personId} and update_id is not null order by id desc limit 1`;
  return row?.update_id ?? 0;
}

test('a press, its job, the call at the gateway and what is asked about it later are under one number', async () => {
  const { person, account } = await linkedPerson(world, 'Thread');
  harm(world, account, { kind: 'reset', when: 'after', operation: 'send', times: 1 });
  const card = await draft(world, person, { to: '9123340001', text: 'which way did it go' });
  person.tap(card, '✅ Send');
  await cardSays(world, card, '1 unknown');
  const press = await lastPress(person.user.id);
  await until(() => {
    expect(operationsOf(press)).toContain('send');
  });
  const [call] = linesOf(press).filter(({ operation }) => operation === 'send');
  expect(call?.outcome).toBe('unknown');
  expect(linesOf(press).map(({ task }) => task)).toContain('send');

  await world.database.sql`
    update graphile_worker._private_jobs set run_at = now() where key like 'reconcile:%' and locked_at is null`;
  await cardSays(world, card, '1 accepted by the gateway');
  await until(() => {
    expect(operationsOf(press).length).toBeGreaterThan(1);
    expect(linesOf(press).map(({ task }) => task)).toContain('reconcile');
  });
  expect(operationsOf(press).filter((operation) => operation === 'send')).toHaveLength(1);
});

test('two people who send at once are told apart', async () => {
  const people = [await linkedPerson(world, 'One'), await linkedPerson(world, 'Two')];
  const cards = await Promise.all(
    people.map(async ({ person }, index) =>
      draft(world, person, { to: `912334001${index}`, text: `number ${index}` }),
    ),
  );
  for (const [index, { person }] of people.entries()) {
    const card = cards[index];
    if (card !== undefined) person.tap(card, '✅ Send');
  }
  for (const card of cards) await cardSays(world, card, '1 accepted');
  const presses = await Promise.all(people.map(async ({ person }) => await lastPress(person.user.id)));
  expect(new Set(presses).size).toBe(2);
  for (const press of presses)
    await until(() => {
      expect(operationsOf(press).filter((operation) => operation === 'send')).toHaveLength(1);
    });
});

test('no line names the update twice', () => {
  const twice = world.logs.filter((line) => (line.match(/"update":/gu)?.length ?? 0) > 1);
  expect(twice).toEqual([]);
});
