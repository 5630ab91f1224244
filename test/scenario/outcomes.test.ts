import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import type { FaultRule } from '../../src/sandbox/faults.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { giveRole, hurry, quiet } from '../support/quiet.ts';
import {
  cardSays,
  draft,
  gatewaySaw,
  harm,
  hasButton,
  HELD,
  linkedGroup,
  linkedPeople,
  linkedPerson,
  numbers,
  PATIENT,
  says,
  shownOn,
  until,
} from '../support/story.ts';
import { startWorld, type World } from '../support/world.ts';

/** What a card may say only of what is known. */
const CLAIMS_FAILURE = /not sent|not delivered|fail|Stopped/u;
const CLAIMS_SUCCESS = /accepted|delivered/u;

async function confirm(
  world: World,
  person: Person,
  order: { to: readonly string[]; text: string; in?: number },
): Promise<Message> {
  const card = await draft(world, person, { ...order, to: order.to.join(' ') });
  person.tap(card, '✅ Send');
  return card;
}

/** Puts recipients on a draft that would not fit into one message of a chat. */
async function widen(world: World, text: string, recipients: readonly string[]): Promise<void> {
  const rows = await world.database.sql`
    update draft set recipients = ${recipients.map((number) => `98${number}`)}
    where text = ${text} and state = 'open' returning 1`;
  expect(rows).toHaveLength(1);
}

describe('with sends that leave at once', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({}, { deliverySeconds: 600 });
  });
  afterAll(async () => {
    await world.stop();
  });

  const UNCLEAR = {
    'an HTML page before the effect': { kind: 'html', when: 'before' },
    'an HTML page after the effect': { kind: 'html', when: 'after' },
    'a page with HTTP status 500': { kind: 'html', httpStatus: 500 },
    'a truncated answer': { kind: 'truncate' },
    'a reset after the effect': { kind: 'reset', when: 'after' },
    'a cut connection before the effect': { kind: 'drop', when: 'before' },
    'code 27': { kind: 'error', status: 400, code: 27 },
    'a status that the interface does not list': { kind: 'error', status: 777 },
    'a success without a message id': {
      kind: 'body',
      text: '{"return":{"status":200,"message":"ok"},"data":null}',
    },
    'code 2000': { kind: 'error', status: 2000, code: 2000 },
    'a status of 500 inside': { kind: 'error', status: 500 },
  } as const satisfies Record<string, FaultRule>;

  test('every answer that proves nothing is shown as unknown, never as failed, and is not sent again', async () => {
    const cases = Object.entries(UNCLEAR);
    const people = await linkedPeople(
      world,
      cases.map((_, index) => `Person${index}`),
    );
    await Promise.all(
      cases.map(async ([name, fault], index) => {
        const { person, account } = people[`Person${index}`] ?? expect.unreachable(name);
        harm(world, account, fault);
        const card = await confirm(world, person, { to: ['9123330001', '9123330002'], text: name });
        const shown = await cardSays(world, card, '2 unknown', 'may have been sent');
        expect(shown.text, name).not.toMatch(CLAIMS_SUCCESS);
        expect(gatewaySaw(world, account).calls, name).toBe(1);
        for (const text of shownOn(world, card).slice(1)) expect(text, name).not.toMatch(CLAIMS_FAILURE);
      }),
    );
    // A gateway that is overloaded rests for a minute; when that is over, nothing is called again.
    await hurry(world);
    await quiet(world);
    for (const [index, [name]] of cases.entries()) {
      const { account } = people[`Person${index}`] ?? expect.unreachable(name);
      expect(gatewaySaw(world, account).calls, name).toBe(1);
    }
    const [states] = await world.database.sql<{ unknown: number; others: number }[]>`
      select count(*) filter (where state = 'unknown')::int as unknown,
        count(*) filter (where state <> 'unknown')::int as others from attempt`;
    expect(states).toEqual({ unknown: cases.length, others: 0 });
  });

  // Each says why the gateway did not take the call at all.
  test('a refusal by a number that the interface does not list is told as one, with what to do', async () => {
    const cases = [
      [403, 'link the account again'],
      [404, 'Check it and try again'],
      [411, '09…'],
      [412, '/line'],
      [418, '/credit'],
    ] as const;
    const people = await linkedPeople(
      world,
      cases.map(([status]) => `Person${status}`),
    );
    await Promise.all(
      cases.map(async ([status, next]) => {
        const { person, account } = people[`Person${status}`] ?? expect.unreachable(`${status}`);
        harm(world, account, { kind: 'error', status });
        const order = { to: ['9123330011', '9123330012'], text: `refused with ${status}` };
        const shown = await cardSays(world, await confirm(world, person, order), next);
        expect(shown.text).toMatch(/2 (?:refused|not sent)/u);
        expect(shown.text).not.toMatch(/[1-9] unknown|may have been sent/u);
        expect(gatewaySaw(world, account)).toEqual({ calls: 1, sends: 0, recipients: 0 });
      }),
    );
  });

  test('after an unknown outcome the same message to the same number is stopped, not sent', async () => {
    const { person, account } = await linkedPerson(world, 'Again');
    harm(world, account, { kind: 'reset', when: 'after', times: 1 });
    const order = { to: ['9123330003'], text: 'the same once more' };
    await cardSays(world, await confirm(world, person, order), '1 unknown');
    const second = await confirm(world, person, order);
    const shown = await cardSays(world, second, 'Stopped', 'could reach them twice', '1 not sent');
    expect(shown.text).not.toContain('unknown: no clear answer');
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual({ calls: 1, sends: 1, recipients: 1 });
  });

  test('code 22 stops the job: what was accepted stays accepted, the rest is not sent and not tried', async () => {
    const { person, account } = await linkedPerson(world, 'Poor', { credit: 600_000 });
    const text = 'credit ends in between';
    const card = await draft(world, person, { to: '9123330004', text });
    await widen(world, text, numbers(450));
    person.tap(card, '✅ Send');
    const shown = await cardSays(world, card, '200 accepted', 'not enough credit', '200 sent, 250 not sent');
    expect(shown.text).toContain('250 not sent: stopped before');
    expect(shown.text).not.toContain('❔');
    await quiet(world);
    const { calls, ...saw } = gatewaySaw(world, account);
    expect(saw).toEqual({ sends: 1, recipients: 200 });
    // The one that was refused, and another at most that was out with it.
    expect(calls).toBeLessThanOrEqual(3);
  });

  test('code 23 says that the line is not valid, and nothing went out', async () => {
    const { person, account } = await linkedPerson(world, 'Wrong line', { useLine: '30009998887' });
    const card = await confirm(world, person, { to: ['9123330005'], text: 'by a foreign line' });
    const shown = await cardSays(world, card, '1 not sent', 'line');
    expect(shown.text).not.toContain('❔');
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual({ calls: 1, sends: 0, recipients: 0 });
  });

  test('a refused key stops the job and sends the person to the account', async () => {
    const { person, account } = await linkedPerson(world, 'Locked out');
    harm(world, account, { kind: 'error', status: 401 });
    const card = await confirm(world, person, { to: ['9123330006'], text: 'key is refused' });
    const shown = await cardSays(world, card, '1 not sent', '/account');
    expect(shown.text).not.toContain('❔');
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual({ calls: 1, sends: 0, recipients: 0 });
  });

  test('an answer that says no with HTTP status 500 is a refusal all the same', async () => {
    const { person, account } = await linkedPerson(world, 'Envelope');
    harm(world, account, { kind: 'error', status: 400, code: 24, httpStatus: 500 });
    const card = await confirm(world, person, { to: ['9123330007'], text: 'envelope wins' });
    const shown = await cardSays(world, card, '1 not sent');
    expect(shown.text).not.toContain('unknown');
  });

  test('a job that is stopped between its calls says exactly what left and what did not', async () => {
    const { person, account } = await linkedPerson(world, 'Stopper');
    person.send(person, '/limits approval off');
    await world.driver.waitForMessage(person, says('nobody else has to approve'), PATIENT);
    const { struck, heal } = harm(world, account, { ...HELD, skip: 1, times: 2 });
    const text = 'stop in between';
    const card = await draft(world, person, { to: '9123330008', text });
    await widen(world, text, numbers(850));
    person.tap(card, '✅ Send');
    await struck();
    const running = await world.driver.waitForMessage(
      person,
      (m) =>
        m.message_id === card.message_id &&
        hasButton(m, '⏹ Stop') &&
        says('200 accepted')(m) &&
        says('400 waiting for the gateway’s answer')(m),
      PATIENT,
    );
    expect(running.text).toContain('250 waiting to be sent');
    person.tap(running, '⏹ Stop');
    const stopped = await cardSays(
      world,
      card,
      'Stopped by ',
      '200 sent, 250 not sent, 400 waiting for the gateway’s answer',
      '250 not sent: stopped before',
    );
    expect(stopped.text).not.toContain('❔');
    heal();
    const ended = await cardSays(world, card, '600 accepted', '600 sent, 250 not sent');
    expect(ended.text).not.toContain('waiting for the gateway’s answer');
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual({ calls: 3, sends: 3, recipients: 600 });
  });

  test('a job whose first calls hang can be stopped, by a word as well, which brings the button; those that are on the wire stay open', async () => {
    const { group, owner, account } = await linkedGroup(world, { owner: 'Impatient', members: [] });
    const { struck, heal } = harm(world, account, { ...HELD, times: 2 });
    const text = 'stop at the first call';
    const card = await draft(world, owner, { to: '9123330009', text, in: group });
    await widen(world, text, numbers(450));
    owner.tap(card, '✅ Send');
    await struck();
    const running = await world.driver.waitForMessage(
      group,
      (m) =>
        m.message_id === card.message_id &&
        hasButton(m, '⏹ Stop') &&
        says('400 waiting for the gateway’s answer')(m),
      PATIENT,
    );
    expect(running.text).toContain('50 waiting to be sent');
    expect(running.text).not.toContain('accepted');
    const { message_id: after } = owner.send(group, 'stop!', { replyTo: running });
    const below = await world.driver.waitForMessage(group, (m) => hasButton(m, '⏹ Stop'), {
      ...PATIENT,
      after,
    });
    owner.tap(below, '⏹ Stop');
    const shown = await cardSays(world, below, 'Stopped by ');
    expect(shown.text).toContain('400 waiting for the gateway’s answer');
    expect(shown.text).toContain('50 not sent, 400 waiting for the gateway’s answer');
    heal();
    await cardSays(world, below, '400 accepted', '50 not sent: stopped before');
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual({ calls: 2, sends: 2, recipients: 400 });
  });
});

describe('with an undo hold', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ UNDO_SECONDS: '600' }, { deliverySeconds: 600 });
  });
  afterAll(async () => {
    await world.stop();
  });

  test('a send that is undone says "not sent", and no call was made', async () => {
    const { person, account } = await linkedPerson(world, 'Undoer');
    const card = await confirm(world, person, { to: ['9123330010'], text: 'taken back' });
    const holding = await cardSays(world, card, 'leaving in');
    expect(holding.text).not.toMatch(CLAIMS_SUCCESS);
    person.tap(holding, '↩️ Undo');
    const undone = await cardSays(world, card, /undone by .* · not sent/u);
    expect(hasButton(undone, '')).toBe(false);
    // The call would be due now if the job were still alive.
    await hurry(world);
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual({ calls: 0, sends: 0, recipients: 0 });
    expect(shownOn(world, card).at(-1)).toMatch(/undone by .* · not sent/u);
  });

  test.each([
    '/undo',
    '/لغو',
    '/ cancel',
    'cancel',
    '/stop',
    'stop!',
    'لغو',
    'no',
    "no, don't send it",
    'لغو ارسال',
    'کنسل',
    'oops, wrong!',
    'oh no stop',
    'hold on, wrong number',
    'cancel that pls',
    'وایسا، اشتباه شد',
    'ای وای، اشتباه زدم',
    'یه لحظه صبر کن',
    'لغو بشه لطفا',
  ])('one that is taken back by %s is a draft again, and an older draft stays', async (typed) => {
    const { person, account } = await linkedPerson(world, 'In a fright');
    const older = await draft(world, person, { to: '9123330014', text: 'an older draft' });
    const card = await confirm(world, person, { to: ['9123330013'], text: 'in a fright' });
    await cardSays(world, card, 'leaving in');
    const said = person.send(person, typed);
    await cardSays(world, card, /undone by .* · not sent/u);
    const back = await world.driver.waitForMessage(person, says('has undone'), PATIENT);
    expect(back.message_id).toBeGreaterThan(said.message_id);
    expect(hasButton(back, '✅ Send')).toBe(true);
    expect(world.driver.messages(person).at(-1)?.message_id).toBe(back.message_id);
    expect(hasButton(await cardSays(world, older, 'an older draft'), '✅ Send')).toBe(true);
    await hurry(world);
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual({ calls: 0, sends: 0, recipients: 0 });
  });

  test.each(['cancel', 'نه، لغوش کن'])('a reply «%s» to its card takes that one back', async (words) => {
    const { person } = await linkedPerson(world, 'Replies in a fright');
    const card = await confirm(world, person, { to: ['9123330018'], text: 'the wrong text' });
    const holding = await cardSays(world, card, 'leaving in');
    const other = await confirm(world, person, { to: ['9123330019'], text: 'the right text' });
    await cardSays(world, other, 'leaving in');
    person.send(person, words, { replyTo: holding });
    await cardSays(world, card, /undone by .* · not sent/u);
    person.tap(await cardSays(world, other, 'leaving in'), '↩️ Undo');
    expect(hasButton(await cardSays(world, other, /undone by .* · not sent/u), '')).toBe(false);
  });

  test('what says no to something else, or is another’s no, takes nothing back', async () => {
    const { group, owner, members } = await linkedGroup(world, { owner: 'Reza', members: ['Omid'] });
    const omid = members[0] ?? expect.unreachable();
    omid.send(group, '/whoami');
    const other = await world.driver.waitForMessage(group, says('Omid'), PATIENT);
    const order = { to: ['9123330020'], text: 'it is right', in: group };
    const holding = await cardSays(world, await confirm(world, owner, order), 'leaving in');
    const below = owner.send(group, 'no', { replyTo: other });
    await world.driver.waitForMessage(group, says('Nothing was done'), {
      ...PATIENT,
      after: below.message_id,
    });
    owner.tap(await cardSays(world, holding, 'leaving in'), '↩️ Undo');
    await cardSays(world, holding, /undone by .* · not sent/u);

    const { person } = await linkedPerson(world, 'Passes on');
    const own = await confirm(world, person, { to: ['9123330021'], text: 'it is right too' });
    await cardSays(world, own, 'leaving in');
    const elsewhere = person.send(world.driver.group({ creator: person }), 'no');
    const { message_id: after } = person.forward(elsewhere, person);
    await world.driver.waitForMessage(person, says('This was forwarded'), { ...PATIENT, after });
    for (const words of ["no, don't stop it", 'do not cancel', 'لغو نکن']) {
      const said = person.send(person, words);
      await world.driver.waitForMessage(person, says('I act on commands'), {
        ...PATIENT,
        after: said.message_id,
      });
    }
    person.tap(await cardSays(world, own, 'leaving in'), '↩️ Undo');
    await cardSays(world, own, /undone by .* · not sent/u);
  });

  test.each(['/undo', '↩️ Undo'])('%s that is handled once more does the same', async (how) => {
    const { person } = await linkedPerson(world, 'Once more');
    const older = await confirm(world, person, { to: ['9123330022'], text: 'an older send' });
    await cardSays(world, older, 'leaving in');
    const card = await confirm(world, person, { to: ['9123330023'], text: 'taken back once' });
    const holding = await cardSays(world, card, 'leaving in');
    const done = how === '↩️ Undo' ? person.tap(holding, how) : person.send(person, how).message_id;
    const back = await world.driver.waitForMessage(person, says('has undone'), PATIENT);
    await until(async () => {
      const rows = await world.database.sql`select 1 from update where done_at is null`;
      expect(rows).toHaveLength(0);
    });
    const { updates, resendUpdate } = world.playground.control;
    const { id } =
      updates().find(
        ({ json }) =>
          json.includes(`"id":"${done}"`) ||
          (json.includes(`"message_id":${done},`) && json.includes(`"text":"${how}"`)),
      ) ?? expect.unreachable();
    // As where the process has ended before it could write down that it was handled.
    await world.database.sql`delete from update where update_id = ${id}`;
    resendUpdate(id);
    await world.driver.whenPolled();
    const said = person.send(person, '/whoami');
    await world.driver.waitForMessage(person, says('Role:'), { ...PATIENT, after: said.message_id });
    const told = world.driver.messages(person).filter((m) => m.message_id > back.message_id);
    expect(told.filter(says('Too late'))).toEqual([]);
    expect(hasButton(await cardSays(world, back, 'has undone'), '✅ Send')).toBe(true);
    person.tap(await cardSays(world, older, 'leaving in'), '↩️ Undo');
    await cardSays(world, older, /undone by .* · not sent/u);
  });

  test('what was drafted after the confirmation is what /cancel ends', async () => {
    const { person } = await linkedPerson(world, 'In two minds');
    const card = await confirm(world, person, { to: ['9123330015'], text: 'confirmed first' });
    await cardSays(world, card, 'leaving in');
    const later = await draft(world, person, { to: '9123330016', text: 'drafted then' });
    person.send(person, '/cancel');
    await cardSays(world, later, 'cancelled');
    expect(hasButton(await cardSays(world, card, 'leaving in'), '↩️ Undo')).toBe(true);
    person.send(person, '/cancel');
    await cardSays(world, card, /undone by .* · not sent/u);
  });

  test('a colleague who types /undo is shown the card of it, and a press takes it back', async () => {
    const { group, owner, members } = await linkedGroup(world, { owner: 'Reza', members: ['Omid'] });
    const omid = members[0] ?? expect.unreachable();
    omid.send(group, '/whoami');
    await world.driver.waitForMessage(group, says('Omid'), PATIENT);
    await giveRole(world, group, omid.id, 'operator');
    const card = await confirm(world, omid, { to: ['9123330017'], text: 'a wrong one', in: group });
    await cardSays(world, card, 'leaving in');
    const { message_id: after } = owner.send(group, '/undo');
    const below = await world.driver.waitForMessage(group, (m) => hasButton(m, '↩️'), { ...PATIENT, after });
    owner.tap(below, '↩️');
    await cardSays(world, below, /undone by .*Reza.* · not sent/u);
  });

  test('of two people who undo at once one does it, and the other is told who did', async () => {
    const { group, owner, members, account } = await linkedGroup(world, { owner: 'Reza', members: ['Omid'] });
    const omid = members[0] ?? expect.unreachable();
    omid.send(group, '/whoami');
    await world.driver.waitForMessage(group, says('Omid'), PATIENT);
    await giveRole(world, group, omid.id, 'operator');
    const card = await confirm(world, owner, { to: ['9123330011'], text: 'two undo', in: group });
    const holding = await cardSays(world, card, 'leaving in');
    const taps = [omid.tap(holding, '↩️ Undo'), owner.tap(holding, '↩️ Undo')];
    const answers = await Promise.all(taps.map(async (id) => await world.driver.waitForAnswer(id, PATIENT)));
    expect(answers[0]?.text).toBeUndefined();
    expect(answers[1]?.text).toMatch(/^Already pressed by .*Omid.* at \d/u);
    await cardSays(world, card, /undone by .* · not sent/u);
    await hurry(world);
    await quiet(world);
    expect(gatewaySaw(world, account)).toEqual({ calls: 0, sends: 0, recipients: 0 });
  });

  test('when the hold is over the card says so at once, and does not offer to undo what has left', async () => {
    const { person, account } = await linkedPerson(world, 'Too late');
    const { struck, heal } = harm(world, account, HELD);
    const text = 'hold is over';
    const card = await confirm(world, person, { to: ['9123330012'], text });
    await cardSays(world, card, 'leaving in');
    await world.database.sql`
      update job j set hold_until = now() from draft d where d.id = j.draft_id and d.text = ${text}`;
    await hurry(world);
    await struck();
    const shown = await cardSays(world, card, 'waiting for the gateway’s answer');
    expect(hasButton(shown, '↩️ Undo')).toBe(false);
    expect(shown.text).not.toContain('leaving in');
    expect(world.sandbox.ledger.sends().some((send) => send.text === text)).toBe(false);
    heal();
    await cardSays(world, card, '1 accepted');
  });
});

test('a number whose delivery fails is shown as not delivered, the others as delivered', async () => {
  await using world = await startWorld();
  const { person, account } = await linkedPerson(world, 'Reporter');
  const card = await confirm(world, person, {
    to: ['9123330100', '9123330902', '9123330013', '9123330014'],
    text: 'some fail',
  });
  const shown = await cardSays(world, card, '2 delivered', '2 not delivered');
  expect(shown.text).not.toMatch(/unknown|not sent|accepted/u);
  expect(gatewaySaw(world, account)).toEqual({ calls: 1, sends: 1, recipients: 4 });
});

describe('when the gateway refuses connections', () => {
  const tries = async (world: World): Promise<number> => {
    const [row] = await world.database.sql<{ tries: number }[]>`select max(tries)::int as tries from attempt`;
    return row?.tries ?? 0;
  };

  test('nothing leaves, it is tried again, and in the end the card says that it could not be reached', async () => {
    const world = await startWorld();
    onTestFinished(world.stop);
    const { person } = await linkedPerson(world, 'Unlucky');
    const card = await draft(world, person, { to: '9123330015', text: 'nobody listens' });
    await world.sandbox.close();
    person.tap(card, '✅ Send');
    await cardSays(world, card, '1 waiting to be sent');
    await until(async () => {
      await hurry(world);
      expect(await tries(world)).toBeGreaterThan(2);
    });
    await until(async () => {
      await hurry(world);
      expect(shownOn(world, card).at(-1)).toContain('could not be reached');
    });
    const shown = await cardSays(world, card, '1 not sent: stopped before');
    expect(hasButton(shown, '▶ Send the rest')).toBe(true);
    for (const text of shownOn(world, card))
      expect(text).not.toMatch(/❔|waiting for the gateway’s answer|accepted/u);
  });

  test('a gateway that comes back in time gets the message, once', async () => {
    const world = await startWorld();
    onTestFinished(world.stop);
    const { person, account } = await linkedPerson(world, 'Lucky');
    const card = await draft(world, person, { to: '9123330016', text: 'it comes back' });
    const port = Number(new URL(world.sandbox.baseUrl).port);
    await world.sandbox.close();
    person.tap(card, '✅ Send');
    await cardSays(world, card, '1 waiting to be sent');
    const { username, apiKey, line } = account;
    const again = await startSandbox({
      port,
      deliverySeconds: 600,
      accounts: [{ username, apiKey, password: 'again-pass', lines: [line], credit: 100_000 }],
    });
    onTestFinished(again.close);
    await until(async () => {
      await hurry(world);
      expect(shownOn(world, card).at(-1)).toContain('1 accepted');
    });
    await quiet(world);
    expect(gatewaySaw({ sandbox: again }, account)).toEqual({ calls: 1, sends: 1, recipients: 1 });
    for (const text of shownOn(world, card)) expect(text).not.toMatch(/unknown|not sent:/u);
  });
});
