import { readdirSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { type EmbeddedStage, useEmbeddedStage } from '../support/embedded-stage.ts';
import { whenStanding } from '../support/standing.ts';
import { cardSays, gatewaySaw, harm, hasButton, linkedPerson, says } from '../support/story.ts';
import { rows } from '../support/talk.ts';
import { until } from '../support/until.ts';

/* A process that is killed while it works on a file. */

// The process is started four times.
const staged = useEmbeddedStage({ deliverySeconds: 600 });
let stage: EmbeddedStage;

beforeAll(() => {
  stage = staged();
});

// As many as the ledger keeps.
const ROWS = 10_000;
const people = [
  'mobile,name',
  ...Array.from({ length: ROWS }, (_, index) => `0912${String(index).padStart(7, '0')},N${index}`),
];

test('begins anew after each kill, while it fetches, reads and counts, and every row is there once', async () => {
  const { driver, playground, sandbox } = stage;
  await using first = await stage.start();
  const { person, account } = await linkedPerson(stage, 'Bulk', { credit: 1_000_000_000 });
  person.send(person, '/limits approval off');
  await driver.waitForMessage(person, says('Approval'));

  // While it fetches.
  playground.control.fault({ method: 'getFile', delay_ms: 60_000 });
  const { message_id: after } = person.upload(person, 'people.csv', Buffer.from(people.join('\n')), '/bulk');
  await driver.waitForMessage(person, says('Reading the file'), { after });
  await first.kill();

  // While it reads, as soon as the file is on the disk.
  await using second = await stage.start();
  await until(() => expect(uploads()).toHaveLength(1), 2);
  await second.kill();

  await using third = await stage.start();
  // The first may have been killed before it knew which message its card is: then there is another.
  const card = await driver.waitForMessage(person, (m) => hasButton(m, '▶ Continue'), { after });
  expect(card.text).toContain('10,000 good numbers');
  // What the second has left is swept when nobody can need it any more; the third has left nothing.
  expect(uploads().length).toBeLessThanOrEqual(1);
  person.tap(card, '▶ Continue');
  await driver.waitForMessage(person, says('What should the message say?'), {
    after: card.message_id,
  });
  // While it counts: it asks first who is blocked.
  const { struck, heal } = harm(stage, account, {
    operation: 'blacklist-exists',
    kind: 'delay',
    when: 'before',
    ms: 60_000,
  });
  person.send(person, 'Hello {name}');
  await cardSays(stage, card, 'Counting what would be sent');
  await struck();
  await third.kill();
  heal();

  await using fourth = await stage.start();
  const ready = await whenStanding(driver, card, (m) => hasButton(m, '✅'));
  expect(ready.text).toContain('10,000 rows → 10,000 to send');
  expect(rows(ready)[0]).toEqual(['✅ Send 10,000 · 10,000 parts']);
  expect(gatewaySaw(stage, account).sends).toBe(0);
  person.tap(ready, '✅');
  await cardSays(stage, card, '10,000 accepted');
  const sent = sandbox.ledger.sends().filter((each) => each.account === account.username);
  const recipients = sent.flatMap((each) => each.recipients);
  expect(recipients.length).toBe(ROWS);
  expect(new Set(recipients).size).toBe(ROWS);
  expect(sent.every(({ recipients: [to = ''], text }) => text === `Hello N${Number(to.slice(3))}`)).toBe(
    true,
  );
  expect(await fourth.stop()).toBe(0);
});

/** What was fetched and not yet removed. */
function uploads(): string[] {
  return readdirSync(stage.folder).filter((name) => name.startsWith('peyk-upload-'));
}
