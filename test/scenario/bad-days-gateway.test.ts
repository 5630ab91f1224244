import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CERTIFICATE, CERTIFICATE_KEY } from '../../src/gateway/testing/certificate.ts';
import { type BadDay, comeDue, readiness, startBadDay } from '../support/bad-day.ts';
import { hurry } from '../support/quiet.ts';
import {
  cardSays,
  draft,
  gatewaySaw,
  hasButton,
  linkedPerson,
  PATIENT,
  says,
  shownOn,
  until,
} from '../support/story.ts';

/* The gateway’s name leads nowhere, something else answers in its place, and a process that stands still. */

// Each test starts processes.
let day: BadDay;
let impostor: Server;
/** Bytes that came after TLS was agreed on: there must be none. */
let heard = 0;

beforeAll(async () => {
  day = await startBadDay();
  impostor = createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (socket) => {
    socket.on('data', (bytes) => (heard += bytes.length));
    socket.on('error', () => undefined);
  });
  impostor.on('tlsClientError', () => undefined);
  await new Promise<void>((listening) => {
    impostor.listen(0, '127.0.0.1', () => listening());
  });
});
afterAll(async () => {
  impostor.close();
  await day.close();
});

function impostorUrl(): string {
  const address = impostor.address();
  return `https://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

test.each([
  ['a gateway whose name nobody knows', () => 'https://gateway.invalid'],
  ['a gateway whose certificate nobody vouches for', impostorUrl],
])(
  '%s: nothing leaves, the words say so, and what was not sent leaves once when it is right again',
  async (name, url) => {
    const first = await day.start();
    await using before = first.peyk;
    await readiness(first);
    const { person, account } = await linkedPerson(day, name);
    const card = await draft(day, person, { to: '9125550061', text: name });
    expect(await before.stop()).toBe(0);

    const second = await day.start({ GATEWAY_BASE_URL: url() });
    await using astray = second.peyk;
    await readiness(second);
    person.tap(card, '✅ Send');
    await cardSays(day, card, '1 waiting to be sent');
    const { message_id: after } = person.send(person, '/credit');
    // An alert about it may come between.
    const told = await day.driver.waitForMessage(person, says('The gateway did not answer in time'), {
      ...PATIENT,
      after,
    });
    expect(told.text).toContain('Nothing was changed');
    await until(async () => {
      await hurry(day);
      expect(shownOn(day, card).at(-1)).toContain('could not be reached');
    });
    const stopped = await cardSays(day, card, '1 not sent: stopped before');
    expect(hasButton(stopped, '▶ Send the rest')).toBe(true);
    for (const text of shownOn(day, card))
      expect(text).not.toMatch(/❔|waiting for the gateway’s answer|accepted/u);
    expect(heard).toBe(0);
    expect(await astray.stop()).toBe(0);

    const third = await day.start();
    await using again = third.peyk;
    await readiness(third);
    person.tap(stopped, '▶ Send the rest');
    await cardSays(day, card, '1 accepted');
    expect(gatewaySaw(day, account)).toEqual({ calls: 1, sends: 1, recipients: 1 });
    expect(await again.stop()).toBe(0);
  },
);

test('a process that stands still for seconds with a send about to leave: another one sends it, once', async () => {
  const first = await day.start({ UNDO_SECONDS: '60' });
  await using still = first.peyk;
  await still.line('this process leads');
  const { person, account } = await linkedPerson(day, 'Still');
  const second = await day.start();
  await using other = second.peyk;
  const card = await draft(day, person, { to: '9125550071', text: 'leaves beside it' });
  person.tap(card, '✅ Send');
  await cardSays(day, card, 'leaving in');
  process.kill(still.pid, 'SIGSTOP');
  try {
    await comeDue(day, 'leaves beside it');
    await until(async () => {
      const late = await day.database.sql`
        select 1 from job j join draft d on d.id = j.draft_id
        where d.text = 'leaves beside it' and j.hold_until < now() - interval '4 seconds'`;
      expect(late).toHaveLength(1);
    });
    await until(() => expect(gatewaySaw(day, account)).toEqual({ calls: 1, sends: 1, recipients: 1 }));
  } finally {
    process.kill(still.pid, 'SIGCONT');
  }
  await cardSays(day, card, '1 accepted');
  await readiness(first);
  const { message_id: after } = person.send(person, '/credit');
  await day.driver.waitForMessage(person, says('💰'), { ...PATIENT, after });
  expect(gatewaySaw(day, account).calls).toBe(1);
  expect(await still.stop()).toBe(0);
  expect(await other.stop()).toBe(0);
});
