import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFormat } from '../../src/i18n/format.ts';
import { inAnyOrder } from '../support/orders.ts';
import { given, has, plain, rows, styleOf, talkIn, type TestAccount } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/* What a card promises and what leaves are the same: the hour, each of many messages, and nobody twice. */

const someone = (world: World, first_name: string) => world.driver.user({ first_name, language_code: 'en' });

describe('a world with every version', () => {
  let world: World;
  let talk: ReturnType<typeof talkIn>;

  beforeAll(async () => {
    world = await startWorld({}, { deliverySeconds: 600 });
    talk = talkIn(world);
  });

  afterAll(async () => {
    expect(talk.errors()).toEqual([]);
    await world.stop();
  });

  test('the hour on the card of a later send is the hour at which the gateway sends it', async () => {
    const sara = someone(world, 'Sara');
    const account = talk.account();
    await talk.connects(sara, { token: account.token });
    const card = await talk.asks(sara, sara, '/future tomorrow 18:30 09121234567 Good evening', '#A1');
    expect(plain(card)).toMatch(/🕐 \w{3} \d{1,2} \w{3} \d{4}, 18:30/);
    await talk.presses(sara, card, '✅');
    const kept = await talk.turns(card, /gateway keeps/);
    const [send] = talk.sends(account.username);
    const at = new Date(given(send?.scheduledFor) * 1000);
    expect(plain(kept)).toContain(createFormat('en', 'Asia/Tehran').dateTime(at));
    expect(createFormat('en', 'Asia/Tehran').time(at)).toBe('18:30');
  });

  test('the same file, and the same text, for the same people again says so before it is paid for twice', async () => {
    const sara = someone(world, 'Sara');
    const account = talk.account();
    await talk.connects(sara, { apiKey: account.apiKey });
    const opens = async (): Promise<Message> => {
      const file = Buffer.from('mobile,name\n09121234567,Ali\n09351112233,Omid\n');
      const { message_id: after } = sara.upload(sara, 'a.csv', file, '/bulk Hi {name}');
      const card = await talk.hears(sara, has('▶'), after);
      await talk.presses(sara, card, '▶');
      return await talk.turns(card, has('✅'));
    };
    const first = await opens();
    const second = await opens();
    expect(plain(first)).not.toContain('the same text');
    expect(plain(second)).toContain('Draft #A1 has the same text for the same people.');
    await talk.presses(sara, first, '✅');
    await talk.turns(first, 'accepted');
    expect(plain(await opens())).toMatch(/#A1 \(.+\) has the same text for the same people\./u);

    const waits = await talk.asks(sara, sara, '/schedule tomorrow 9 09121234567 Good morning', has('✅'));
    await talk.presses(sara, waits, '✅');
    await talk.turns(waits, 'Scheduled for');
    const now = await talk.asks(sara, sara, '/send 09121234567 Good morning', has('✅'));
    expect(plain(now)).toMatch(/#A4 \(.+, 09:00\) has the same text/u);
    expect([styleOf(waits), styleOf(now)]).toEqual(['success', undefined]);

    const text = await talk.asks(sara, sara, '/send 09121234567 Hello', '#A6');
    expect(plain(text)).not.toContain('the same text');
    await talk.presses(sara, text, '✅');
    await talk.turns(text, 'accepted');
    const again = await talk.asks(sara, sara, '/send 09121234567 Hello', '#A7');
    expect(plain(again)).toContain('If you send this too, they may get it twice.');
    expect(plain(await talk.asks(sara, sara, '/send 09351112233 Hello', '#A8'))).not.toContain(
      'the same text',
    );
    const refused = await talk.asks(sara, sara, '/send 09121234567 Hello!', '#A9');
    expect(plain(refused)).not.toContain('the same text');
    // What surely reached nobody is no reason to hesitate.
    const rule = {
      kind: 'error',
      status: 411,
      operation: 'send',
      account: account.username,
      times: 1,
    } as const;
    world.sandbox.faults.add(rule);
    await talk.presses(sara, refused, '✅');
    await talk.turns(refused, 'not sent');
    expect(plain(await talk.asks(sara, sara, '/send 09121234567 Hello!', '#A10'))).not.toContain(
      'the same text',
    );
  });

  test('what an account may have sent before it was linked anew is not sent again', async () => {
    const sara = someone(world, 'Sara');
    const account = talk.account();
    await talk.connects(sara, { apiKey: account.apiKey });
    const rule = {
      kind: 'reset',
      when: 'after',
      operation: 'send',
      account: account.username,
      times: 1,
    } as const;
    world.sandbox.faults.add(rule);
    const first = await talk.asks(sara, sara, '/send 09121234567 Once is enough', '#A1');
    await talk.presses(sara, first, '✅');
    await talk.turns(first, '1 unknown');

    const { username, password } = account;
    const after = sara.send(sara, '/connect').message_id;
    await talk.presses(sara, await talk.offers(sara, { username, password }, after), '✅');
    await talk.hears(sara, /Linked/, after);
    const second = await talk.asks(sara, sara, '/multi 3000123456;09121234567;Once is enough', '#A2');
    await talk.presses(sara, second, '✅');
    await talk.turns(second, 'could reach them twice');
    await talk.settled(sara, sara);
    expect(talk.sends(account.username)).toHaveLength(1);
    expect(talk.hits(account.username).filter(({ operation }) => operation === 'multi')).toEqual([]);
  });

  test('of many rows that will not do all are told in a file', async () => {
    const sara = someone(world, 'Sara');
    await talk.connects(sara, { apiKey: talk.account().apiKey });
    const bad = Array.from({ length: 11 }, (_, n) => `3000123456;0912${n};row ${n}`);
    const card = await talk.asks(
      sara,
      sara,
      `/multi ${['3000123456;09121234567;good', ...bad].join('\n')}`,
      '#A1',
    );
    expect(plain(card)).toContain('… and 3 more');
    expect(rows(card).flat()).toContain('🚫 All 11 as a file');
    await talk.presses(sara, card, '🚫');
    const file = await talk.hears(sara, (m) => m.document !== undefined, card.message_id);
    const table = talk.fileOf(file).toString('utf8').trim().split('\n');
    expect(table).toHaveLength(12);
    expect(table.at(-1)).toContain('no mobile number');
    expect(table.at(-1)).toContain('12: 3000123456;091210;row 10');
  });
});

describe('version 4 alone', () => {
  let world: World;
  let talk: ReturnType<typeof talkIn>;
  let account: TestAccount;

  beforeAll(async () => {
    world = await startWorld({ GATEWAY_VERSIONS: '4' }, { deliverySeconds: 600 });
    talk = talkIn(world);
    account = talk.account();
  });

  afterAll(async () => {
    expect(talk.errors()).toEqual([]);
    await world.stop();
  });

  test('carries many Persian messages in as many addresses as they need, and says which it cannot', async () => {
    const sara = someone(world, 'Sara');
    await talk.connects(sara, { apiKey: account.apiKey });
    const texts = Array.from({ length: 30 }, (_, n) => `سلام، سفارش شمارهٔ ${n} شما آمادهٔ تحویل است`);
    const typed = texts.map((text, n) => `3000123456;091200000${String(n + 10)};${text}`);
    const card = await talk.asks(
      sara,
      sara,
      `/multi ${typed.join('\n')}\n3000123456;09121234567;a, b`,
      '#A1',
    );
    expect(plain(card)).toContain('31 messages → 30 to send, 1 invalid');
    expect(plain(card)).toContain('this account cannot send a text with a comma (gateway version 4)');
    await talk.presses(sara, card, '✅');
    await talk.turns(card, '30 accepted');
    const calls = talk.hits(account.username).filter(({ operation }) => operation === 'multi');
    expect(calls.length).toBeGreaterThan(1);
    expect(calls.map(({ outcome }) => outcome)).toEqual(calls.map(() => 'answered'));
    expect(inAnyOrder(talk.sends(account.username).map(({ text }) => text))).toEqual(inAnyOrder(texts));
  });
});
