import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FaultRule } from '../../src/sandbox/faults.ts';
import {
  cardSays,
  dataOf,
  draft,
  gatewaySaw,
  harm,
  hasButton,
  linkedPerson,
  numbers,
  says,
  shownOn,
} from '../support/story.ts';
import { until } from '../support/until.ts';
import { startWorld, type World } from '../support/world.ts';

/* Sends whose answer was lost, and what the gateway's own lists say of them afterwards. */

let world: World;
beforeAll(async () => {
  world = await startWorld({}, { deliverySeconds: 600 });
});
afterAll(async () => {
  await world.stop();
});

/** The looks come after seconds, minutes and hours: the next one is due now. */
async function lookNow(ageSeconds = 0): Promise<void> {
  await world.database.sql`
    update attempt set on_wire_at = on_wire_at - ${ageSeconds} * interval '1 second',
      ended_at = ended_at - ${ageSeconds} * interval '1 second' where state = 'unknown'`;
  await world.database.sql`
    update graphile_worker._private_jobs set run_at = now()
    where key like 'reconcile:%' and locked_at is null`;
}

async function unclear(name: string, fault: FaultRule, to = '9123330001 9123330002') {
  const { person, account } = await linkedPerson(world, name);
  harm(world, account, { ...fault, operation: 'send', times: 1 });
  const card = await draft(world, person, { to, text: `${name} says hello` });
  person.tap(card, '✅ Send');
  await cardSays(world, card, '2 unknown');
  return { person, account, card };
}

describe('a send whose answer was lost', () => {
  test('is found in the outbox when it went through, and is not sent again', async () => {
    const { account, card } = await unclear('Found', { kind: 'reset', when: 'after' });
    await lookNow();
    const shown = await cardSays(world, card, '2 accepted by the gateway');
    expect(shown.text).not.toContain('unknown');
    expect(gatewaySaw(world, account).calls).toBe(1);
    const [row] = await world.database.sql`
      select state, shared from attempt a where state = 'sent' and recipients @> '{989123330001}'`;
    expect(row).toEqual({ state: 'sent', shared: false });
  });

  test('stays unknown while nothing proves anything, and is never called failed or sent', async () => {
    const { account, card } = await unclear(
      'Open',
      { kind: 'drop', when: 'before' },
      '9123330003 9123330004',
    );
    await lookNow();
    await lookNow(60);
    const [row] = await world.database.sql<{ state: string }[]>`
      select state from attempt where recipients @> '{989123330003}'`;
    expect(row?.state).toBe('unknown');
    expect(gatewaySaw(world, account).calls).toBe(1);
    for (const text of shownOn(world, card).slice(1))
      expect(text).not.toMatch(/not sent|accepted|delivered/u);
  });

  test('is not taken for sent by the rows of an equal one before, of which the gateway told one id for all', async () => {
    const to = '9123330013 9123330014 9123330015';
    const { person, account } = await linkedPerson(world, 'Twice');
    for (const each of world.sandbox.world.accounts())
      if (each.username === account.username) each.idsMode = 'recipient';
    const first = await draft(world, person, { to, text: 'Twice says hello' });
    person.tap(first, '✅ Send');
    await cardSays(world, first, '3 accepted');
    harm(world, account, { kind: 'drop', when: 'before', operation: 'send', times: 1 });
    const second = await draft(world, person, { to, text: 'Twice says hello' });
    person.tap(second, '✅ Send');
    await cardSays(world, second, '3 unknown');
    // It went out right after the first one, and a day passes for Peyk, whose clock is compared with the gateway's anew.
    await world.database.sql`
      update attempt a set on_wire_at = first.ended_at + interval '1 second', ended_at = first.ended_at + interval '2 seconds'
      from attempt first where a.state = 'unknown' and a.recipients @> '{989123330013}'
        and first.state = 'accepted' and first.recipients @> '{989123330013}'`;
    await world.database.sql`
      update attempt set on_wire_at = on_wire_at - interval '90000 seconds', ended_at = ended_at - interval '90000 seconds'
      where recipients @> '{989123330013}'`;
    await lookNow();
    await cardSays(world, second, '3 unknown', 'lists do not tell');
    const rows = await world.database.sql`
      select state, outcome from attempt where recipients @> '{989123330014}' order by on_wire_at`;
    expect(rows.map(({ state }) => state)).toEqual(['accepted', 'asked']);
    expect(gatewaySaw(world, account)).toMatchObject({ calls: 2, sends: 1 });
  });

  test('is called absent by whole lists only when two looks some minutes apart agree', async () => {
    const to = '9123330017 9123330018';
    const { person, account } = await linkedPerson(world, 'Apart');
    // A call that was accepted tells the gateway's clock, and what its counts count.
    const known = await draft(world, person, { to, text: 'Apart says hello' });
    person.tap(known, '✅ Send');
    await cardSays(world, known, '2 accepted');
    harm(world, account, { kind: 'drop', when: 'before', operation: 'send', times: 1 });
    const card = await draft(world, person, { to, text: 'Apart says goodbye' });
    person.tap(card, '✅ Send');
    await cardSays(world, card, '2 unknown');
    const doubt = async () => {
      const [row] = await world.database.sql<{ state: string; checks: number; looked: boolean }[]>`
        select a.state, a.checks, a.last_look is not null as looked
        from attempt a join job j on j.id = a.job_id join draft d on d.id = j.draft_id where d.text = 'Apart says goodbye'`;
      return row;
    };
    // Every row of its time is in the lists by now.
    await lookNow(400);
    await expect.poll(async () => (await doubt())?.looked).toBe(true);
    const { checks = 0 } = (await doubt()) ?? {};
    await expect
      .poll(async () => {
        await lookNow();
        return (await doubt())?.checks;
      })
      .toBeGreaterThan(checks + 1);
    expect(await doubt()).toMatchObject({ state: 'unknown' });
    for (const text of shownOn(world, card)) expect(text).not.toContain('Not in the gateway’s lists');
    // A look that is still under way would write its own time over the one that is set here.
    await until(async () => {
      const underWay = await world.database.sql`
        select 1 from graphile_worker._private_jobs
        where key like 'reconcile:%' and (locked_at is not null or run_at <= now())`;
      expect(underWay).toEqual([]);
    });
    await world.database.sql`
      update attempt set last_look = jsonb_set(last_look, '{at}', to_jsonb((last_look ->> 'at')::float8 - 300))
      where state = 'unknown' and recipients @> '{989123330017}'`;
    await lookNow();
    await cardSays(world, card, 'Not in the gateway’s lists, which are complete: 2 (1 request)');
    expect(gatewaySaw(world, account)).toMatchObject({ calls: 2, sends: 1 });
  });

  test('is asked about when the lists give no answer for a day, and goes again only by a person’s word', async () => {
    const { person, account, card } = await unclear(
      'Asked',
      { kind: 'drop', when: 'before' },
      '9123330005 9123330006',
    );
    await lookNow(90_000);
    const asked = await cardSays(world, card, '2 unknown', 'lists do not tell');
    const data = person.tap(asked, '🔁 Send 2 again');
    await world.driver.waitForAnswer(data);
    const again = await world.driver.waitForMessage(
      person,
      (m) => m.message_id > card.message_id && hasButton(m, '✅ Send 2'),
    );
    expect(gatewaySaw(world, account).calls).toBe(1);
    person.tap(again, '✅ Send 2');
    await cardSays(world, again, '2 accepted');
    await cardSays(world, card, '2 without a clear outcome were sent again with another card');
    expect(gatewaySaw(world, account)).toMatchObject({ calls: 2, sends: 1, recipients: 2 });
  });

  test('does not go again once it is known, though it was prepared before, and whoever presses is told', async () => {
    const { person, account, card } = await unclear(
      'Since then',
      { kind: 'drop', when: 'before' },
      '9123330021 9123330022',
    );
    await lookNow(90_000);
    const asked = await cardSays(world, card, '2 unknown', 'lists do not tell');
    await world.driver.waitForAnswer(person.tap(asked, '🔁 Send 2 again'));
    const again = await world.driver.waitForMessage(
      person,
      (m) => m.message_id > card.message_id && hasButton(m, '✅ Send 2'),
    );
    person.tap(await cardSays(world, card, 'lists do not tell'), '✔ They were sent');
    await cardSays(world, card, '2 counted as sent, as somebody decided');
    person.tap(again, '✅ Send 2');
    await world.driver.waitForMessage(person, says('is known by now. The earlier card says'));
    expect(gatewaySaw(world, account).calls).toBe(1);
  });

  test('counts as sent or not sent when a person knows it', async () => {
    const { person, card } = await unclear('Word', { kind: 'drop', when: 'before' }, '9123330007 9123330008');
    await lookNow(90_000);
    const asked = await cardSays(world, card, 'lists do not tell');
    person.tap(asked, '✔ They were sent');
    const shown = await cardSays(world, card, '2 counted as sent, as somebody decided');
    expect(shown.text).not.toMatch(/unknown|lists do not tell/u);
    expect(shown.reply_markup?.inline_keyboard.flat().map(({ text }) => text)).toEqual(['📊 Report']);
  });

  test('is listed by /unknown while it lasts, and brought up again while nobody answers', async () => {
    const { person, card } = await unclear(
      'Listed',
      { kind: 'drop', when: 'before' },
      '9123330009 9123330010',
    );
    const told = async (...words: string[]) =>
      await world.driver.waitForMessage(
        person,
        (m) => words.every((word) => (m.text ?? '').includes(word)),
        {},
      );
    person.send(person, '/unknown');
    await told('unknown for more than 15 minutes');
    await world.database.sql`
      update attempt set on_wire_at = on_wire_at - interval '20 minutes' where recipients @> '{989123330009}'`;
    person.send(person, '/unknown');
    await told('Unknown for more than', 'still looked for');
    await lookNow(90_000);
    const asked = await cardSays(world, card, 'lists do not tell');
    person.send(person, '/unknown');
    await told('Unknown for more than', 'waiting for your decision on the card: 2');
    const drawnAnew = async (before: Message) =>
      await world.driver.waitForMessage(
        person,
        (m) =>
          m.message_id === card.message_id && hasButton(m, '🔎') && dataOf(m, '🔎') !== dataOf(before, '🔎'),
      );
    // The list gives the card fresh buttons, and so does the reminder.
    const listed = await drawnAnew(asked);
    await world.database.sql`
      update graphile_worker._private_jobs set run_at = now() where key like 'remind:%:0'`;
    const reminder = await told('still waits for your word about 2');
    expect(reminder.reply_to_message?.message_id).toBe(card.message_id);
    const fresh = await drawnAnew(listed);
    person.tap(fresh, '⬇ The 2 as a file');
    const file = await world.driver.waitForMessage(person, (m) => m.document !== undefined);
    expect(file.document?.file_name).toMatch(/^unknown-A[0-9]+\.csv$/u);
    await world.driver.waitForAnswer(person.tap(fresh, '🔎 Look again'));
    await expect
      .poll(async () => {
        const [row] = await world.database.sql<{ state: string; checks: number }[]>`
          select state, checks from attempt where recipients @> '{989123330009}'`;
        return row?.state === 'asked' && row.checks > 1;
      })
      .toBe(true);
    await cardSays(world, card, 'lists do not tell');
  });

  test('a person’s word is about what the card showed, and what is asked since waits for another', async () => {
    const { person, account } = await linkedPerson(world, 'Since');
    harm(world, account, { kind: 'drop', when: 'before', operation: 'send', times: 2 });
    // Two calls: one to 200, and one to the last.
    const to = numbers(201, 3_400_000).join(' ');
    const card = await draft(world, person, { to, text: 'Since' });
    person.tap(card, '✅ Send');
    await cardSays(world, card, '201 unknown');
    const askAbout = async (chunk: number): Promise<void> => {
      const [call] = await world.database.sql<{ id: string }[]>`
        update attempt a set on_wire_at = a.on_wire_at - interval '90000 seconds', ended_at = a.ended_at - interval '90000 seconds'
        from job j join draft d on d.id = j.draft_id
        where j.id = a.job_id and d.text = 'Since' and a.chunk = ${chunk} and a.state = 'unknown' returning a.id`;
      await world.database.sql`
        update graphile_worker._private_jobs set run_at = now() where key = ${`reconcile:${call?.id ?? ''}`}`;
    };
    await askAbout(1);
    const first = await cardSays(world, card, 'sent: 1 (1 request)');
    await askAbout(0);
    const both = await cardSays(world, card, 'sent: 201 (2 requests)');
    // Whoever presses may still see the card as it was.
    person.forge(first, dataOf(first, '✖ They were not sent'));
    await world.driver.waitForMessage(person, says('1 counted as not sent'));
    await world.driver.waitForMessage(person, says('Nothing was decided about 200 messages'));
    await cardSays(world, card, '200 unknown', 'sent: 200 (1 request)', '1 not sent');
    // What the second card showed is no longer all asked about: the word counts for what is.
    person.forge(both, dataOf(both, '✔ They were sent'));
    const shown = await cardSays(world, card, '200 counted as sent, as somebody decided', '1 not sent');
    expect(hasButton(shown, '✔ They were sent')).toBe(false);
    expect(gatewaySaw(world, account)).toMatchObject({ calls: 2, sends: 0 });
  });

  test('is found when it is looked for once more, though a person was asked already', async () => {
    const { person, account, card } = await unclear(
      'Late',
      { kind: 'reset', when: 'after' },
      '9123330011 9123330012',
    );
    world.sandbox.world.setSwitches({ lagMs: 3_600_000 });
    await lookNow(90_000);
    const asked = await cardSays(world, card, 'lists do not tell');
    world.sandbox.world.setSwitches({ lagMs: 0 });
    await world.database.sql`
      update attempt set on_wire_at = on_wire_at + interval '90000 seconds', ended_at = ended_at + interval '90000 seconds'
      where recipients @> '{989123330011}'`;
    person.tap(asked, '🔎 Look again');
    await cardSays(world, card, '2 accepted by the gateway');
    expect(gatewaySaw(world, account).calls).toBe(1);
  });
});
