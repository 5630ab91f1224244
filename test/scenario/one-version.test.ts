import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sentBefore } from '../support/history.ts';
import { given, plain, talkIn, type TestAccount } from '../support/talk.ts';
import { DEMO_LINE, startWorld, type World } from '../support/world.ts';

/*
 * Gateways that speak one version and nothing else: elsewhere version 3 comes first, and these operations of the
 * others would never be asked from a chat.
 */

let world: World;
let talk: ReturnType<typeof talkIn>;
let world1: World;

beforeAll(async () => {
  world = await startWorld({ GATEWAY_VERSIONS: '4' }, { deliverySeconds: 1 });
  talk = talkIn(world);
  world1 = await startWorld({ GATEWAY_VERSIONS: '1' });
});

afterAll(async () => {
  expect([...talk.errors(), ...talkIn(world1).errors()]).toEqual([]);
  await Promise.all([world.stop(), world1.stop()]);
});

const NUMBER = '09121112233';
const TEXT = 'Hello, version four';
const ANSWER = 'Thanks, version four';

/** Somebody with an account that has sent a message and got one. */
async function linked() {
  const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
  const inbox = [{ from: NUMBER, line: DEMO_LINE, message: ANSWER, ageSeconds: 60, read: false }];
  const account = talk.account({ inbox });
  await talk.connects(sara, { apiKey: account.apiKey });
  const id = sentBefore(world, account, NUMBER, { text: TEXT });
  return { sara, account, id };
}

/** The account's operations since it was linked; each must have gone by version 4. */
function asked({ username }: TestAccount): string[] {
  const hits = talk.hits(username);
  expect(new Set(hits.map(({ version }) => version))).toEqual(new Set([4]));
  return hits
    .filter(({ outcome }) => outcome === 'answered')
    .map(({ operation }) => given(operation ?? undefined));
}

describe.concurrent('on version 4 alone', () => {
  test.each([
    ['/outbox 24h', [TEXT], ['selectoutbox']],
    ['/outbox latest', [TEXT], ['latestoutbox']],
    ['/report 24h', ['1 message to 1 number', '2,840 rial'], ['selectoutbox', 'countoutbox']],
    ['/count 24h', ['Sent: 1 message', 'Received: 1 message'], ['countoutbox', 'countinbox']],
    [`/track ${NUMBER}`, [TEXT], ['statusbynumber']],
    ['/inbox', [ANSWER], ['inboxpaged']],
  ])('%s shows what there is', async (command, shown, operations) => {
    const { sara, account } = await linked();
    const answer = plain(await talk.asks(sara, sara, command, given(shown[0])));
    for (const part of shown) expect(answer).toContain(part);
    expect(asked(account)).toEqual(expect.arrayContaining(operations));
  });

  test('/status shows the details of a message on demand', async () => {
    const { sara, account, id } = await linked();
    const status = await talk.asks(sara, sara, `/status ${id}`, id);
    await talk.presses(sara, status, '🔎');
    await talk.hears(sara, TEXT, status.message_id);
    expect(asked(account)).toEqual(expect.arrayContaining(['status', 'select']));
  });

  test('/inbox takes the plain list where the one by pages is refused', async () => {
    const { sara, account } = await linked();
    const rule = { kind: 'error', status: 402, operation: 'inboxpaged', account: account.username } as const;
    world.sandbox.faults.add(rule);
    await talk.asks(sara, sara, '/inbox', ANSWER);
    expect(asked(account)).toContain('inbox');
  });

  test('/receive fetches what is unread, once it is confirmed', async () => {
    const { sara, account } = await linked();
    const question = await talk.asks(sara, sara, '/receive', 'mark them read');
    expect(asked(account)).not.toContain('receive');
    await talk.presses(sara, question, '✅');
    await talk.hears(sara, ANSWER);
    expect(asked(account)).toContain('receive');
    expect(world.sandbox.world.account(account.username)?.inbox.map(({ read }) => read)).toEqual([true]);
  });

  test('/block and /unblock change the blacklist, /blocked and /isblocked read it', async () => {
    const { sara, account } = await linked();
    const held = () => given(world.sandbox.world.account(account.username)).blacklist.list(DEMO_LINE);
    const blocking = await talk.asks(sara, sara, `/block ${NUMBER}`, 'Block 1 number');
    await talk.presses(sara, blocking, '✅');
    await talk.turns(blocking, '1 added');
    expect(held().map(({ to }) => to)).toEqual([NUMBER.slice(1)]);
    await talk.asks(sara, sara, '/blocked', NUMBER);
    await talk.asks(sara, sara, `/isblocked ${NUMBER}`, '1 of 1 blocked');
    const unblocking = await talk.asks(sara, sara, `/unblock ${NUMBER}`, NUMBER);
    await talk.presses(sara, unblocking, '✅');
    await talk.turns(unblocking, 'is off the blacklist of line');
    expect(held()).toEqual([]);
    const operations = ['blacklist-add', 'blacklist-list', 'blacklist-exists', 'blacklist-remove'];
    expect(asked(account)).toEqual(expect.arrayContaining(operations));
  });
});

test('on version 1 alone /books lists the phonebooks', async () => {
  const { account, connects, asks, hits } = talkIn(world1);
  const omid = world1.driver.user({ first_name: 'Omid', language_code: 'en' });
  const { token, username } = account({ phonebooks: [{ title: 'Staff', flag: 'f', numbers: [NUMBER] }] });
  await connects(omid, { token });
  await asks(omid, omid, '/books', 'Staff');
  const listing = hits(username).filter(({ operation }) => operation === 'phonebook-list');
  expect(listing).toMatchObject([{ version: 1, outcome: 'answered' }]);
});
