import { describe, expect, test } from 'vitest';
import { GATEWAY_ERRORS, historyIn, mobile } from '../support/history.ts';
import { given, plain, type TestAccount } from '../support/talk.ts';
import { DEMO_LINE } from '../support/world.ts';
import { useWorld } from '../support/use-world.ts';

/* How much was sent and received, what it cost, and how long the credit lasts. */

const { world, talk, made } = useWorld({}, { deliverySeconds: 1 });
const on = made(historyIn);

/** Rial for a part of Latin text in the sandbox. */
const PRICE = 2840;

/** What came in, marked read or not. */
function received(account: TestAccount, count: number, read: boolean): void {
  const owner = given(world.sandbox.world.account(account.username));
  for (let n = 0; n < count; n += 1) {
    world.sandbox.world.receive(owner, { from: '9121112222', line: DEMO_LINE, text: 'hi' });
    given(owner.inbox.at(-1)).read = read;
  }
}

describe.concurrent('/count', () => {
  test('tells what was sent, what it cost, the price of a part, and what came in', async () => {
    const { sara, account } = await on.linked();
    on.sent(account, mobile(0), { text: 'x'.repeat(200) });
    on.sent(account, mobile(1));
    on.sent(account, mobile(2), { days: 20 });
    received(account, 3, false);
    received(account, 2, true);
    const count = await talk.asks(sara, sara, '/count 24h', 'Count');
    expect(plain(count)).toContain(
      `📤 Sent: 2 messages · 3 parts · ${(3 * PRICE).toLocaleString('en')} rial`,
    );
    expect(plain(count)).toContain('≈ 2,840 rial a part');
    expect(plain(count)).toContain('📥 Received: 5 messages (2 read, 3 unread)');
    const longer = await talk.asks(sara, sara, '/count 90d', '3 messages · 4 parts');
    expect(plain(longer)).not.toContain('⚠');
    expect(on.calls(account, 'countoutbox')).toHaveLength(2);
    expect(on.calls(account, 'countinbox')).toHaveLength(4);
  });

  test('has no zeros where nothing was sent and nothing came in', async () => {
    const { sara } = await on.linked();
    const count = plain(await talk.asks(sara, sara, '/count 24h', 'Count'));
    expect(count).toContain('📤 Nothing was sent.');
    expect(count).toContain('📥 Nothing was received.');
    expect(count).not.toMatch(/\b0 /u);
  });

  test('adds up the days where the gateway refuses a longer time, in Persian too', async () => {
    const { sara, account } = await on.linked('fa');
    for (const days of [0, 1, 2]) on.sent(account, mobile(days), { days });
    received(account, 1, false);
    on.harm(account, { kind: 'error', status: 417, operation: 'countoutbox', times: 1 });
    const count = await talk.asks(sara, sara, '/count ۳ روز', 'شمارش');
    expect(plain(count)).toContain('📤 ارسالی: ۳ پیام · ۳ پارت · ۸٬۵۲۰ ریال');
    expect(plain(count)).toContain('هر پارت ≈ ۲٬۸۴۰ ریال');
    expect(plain(count)).toContain('📥 دریافتی: ۱ پیام (۱ نخوانده)');
    expect(on.calls(account, 'countoutbox')).toHaveLength(4);
  });

  test('names no price where nothing was charged, and no sum of which a half is missing', async () => {
    const { sara, account } = await on.linked();
    const none = await talk.asks(sara, sara, '/count', 'Nothing was sent.');
    expect(plain(none)).not.toContain('≈');
    received(account, 2, false);
    on.harm(account, { kind: 'body', text: 'nonsense', operation: 'countinbox', times: 1 });
    const half = await talk.asks(sara, sara, '/count 24h', 'could not be counted');
    expect(plain(half)).toMatch(
      /Received and (?:unread: 2\. The read|read: 0\. The unread) ones could not be counted\. The gateway answered something/,
    );
    on.harm(account, { kind: 'body', text: 'nonsense', operation: 'countinbox' });
    await talk.asks(sara, sara, '/count 24h', 'What was received could not be counted');
    on.harm(account, { kind: 'body', text: 'nonsense', operation: 'countoutbox', times: 1 });
    await talk.asks(sara, sara, '/count 24h', 'answered something I cannot read');
  });

  test('asks again for a time that it cannot read', async () => {
    const { sara } = await on.linked();
    await talk.asks(sara, sara, '/count all of it', 'could not read «all of it» as a time');
    const count = await talk.asks(sara, sara, '7d', 'Nothing was sent.');
    expect(plain(count)).toContain('📥 Nothing was received.');
  });

  test.each(GATEWAY_ERRORS)('tells it when the gateway $name', async ({ rule, says }) => {
    const { sara, account } = await on.linked();
    on.harm(account, { ...rule, operation: 'countoutbox' });
    on.harm(account, { ...rule, operation: 'countinbox' });
    const told = await talk.asks(sara, sara, '/count 24h', says);
    expect(plain(told)).not.toMatch(/Sent|Received/);
  });

  test('needs a role, an account, and one that can', async () => {
    const owner = world.driver.user({ first_name: 'Olga', language_code: 'en' });
    const viewer = world.driver.user({ first_name: 'Vida', language_code: 'en' });
    const nobody = world.driver.user({ first_name: 'Nora', language_code: 'en' });
    const group = world.driver.group({ creator: owner, members: [viewer, nobody] });
    await talk.asks(nobody, group, '/count', 'No gateway account is linked');
    await talk.connects(owner, { apiKey: talk.account().apiKey }, { chat: group });
    await talk.gives('viewer', viewer, group);
    await talk.asks(nobody, group, '/count', 'needs the role viewer');
    const count = await talk.asks(viewer, group, '/count', 'Nothing was sent.');
    expect(plain(count)).toContain('Count');

    const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
    await talk.connects(sara, { token: talk.account().token });
    await talk.asks(sara, sara, '/count', /cannot do this.*an API key/);
  });
});

describe.concurrent('/credit', () => {
  test('says how fast it goes and how long it lasts at this pace', async () => {
    const { sara, account } = await on.linked('en', { credit: 100_000 });
    for (let n = 0; n < 7; n += 1) on.sent(account, mobile(n), { days: n % 6 });
    on.sent(account, mobile(8), { days: 12 });
    const left = 100_000 - 8 * PRICE;
    const told = await talk.asks(sara, sara, '/credit', `${left.toLocaleString('en')} rial`);
    expect(plain(told)).toContain('≈ 2,840 rial a day in the last 7 days · ≈ 27 days left at this pace');
  });

  test('says it in Persian, and when it is less than a day', async () => {
    const { sara, account } = await on.linked('fa', { credit: 21 * PRICE });
    for (let n = 0; n < 14; n += 1) on.sent(account, mobile(n));
    const told = await talk.asks(sara, sara, '/credit', '۱۹٬۸۸۰ ریال');
    expect(plain(told)).toContain('روزی ≈ ۵٬۶۸۰ ریال در ۷ روز گذشته · با این روند ≈ ۳ روز کفاف می‌دهد');
    for (let n = 0; n < 6; n += 1) on.sent(account, mobile(n));
    await talk.asks(sara, sara, '/credit', 'با این روند کمتر از یک روز کفاف می‌دهد');
  });

  test.each([
    { name: 'nothing was spent', rule: undefined },
    { name: 'the count is refused', rule: { kind: 'error', status: 400 } },
    { name: 'the count cannot be read', rule: { kind: 'body', text: 'nonsense' } },
    { name: 'the count does not come', rule: { kind: 'hang' } },
  ] as const)('is all the same told when $name', async ({ rule }) => {
    const { sara, account } = await on.linked();
    if (rule !== undefined) {
      on.sent(account, mobile(0));
      on.harm(account, { ...rule, operation: 'countoutbox' });
    }
    const told = await talk.asks(sara, sara, '/credit', 'as of');
    expect(plain(told)).not.toContain('pace');
  });

  test('is told alone where the account cannot count', async () => {
    const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
    const account = talk.account();
    await talk.connects(sara, { token: account.token });
    on.sent(account, mobile(0));
    const told = await talk.asks(sara, sara, '/credit', '9,997,160 rial');
    expect(plain(told)).not.toContain('pace');
  });
});
