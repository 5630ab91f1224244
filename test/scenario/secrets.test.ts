import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { dumpOf, spellingsIn, spellingsOf } from '../support/hunt.ts';
import { hurry, quiet } from '../support/quiet.ts';
import { cardSays, draft, hasButton, PATIENT, says } from '../support/story.ts';
import { DEMO_KEY, DEMO_LINE, DEMO_TOKEN, startWorld, type World } from '../support/world.ts';

/** Characters that every encoding writes in another way. */
const ODD_KEY = String.raw`k3Y"/+%&=?\<b>7Qx`;
const ODD_TOKEN = String.raw`t0K\n'/+%25&=?>~9Zw`;
const ODD_PASSWORD = String.raw`p@5"/w+r%d\&=x9Lm`;
const REFUSED_KEY = 'never-valid-8472-key';
const PASTED_KEY = 'a8f3c1d2e4b59607f1a2';
const CAPTION_KEY = 'c0ffee5ec7e7c0ffee77';
const LINE = '3000888001';

const SECRETS = {
  'the demo key': DEMO_KEY,
  'the demo token': DEMO_TOKEN,
  'an odd key': ODD_KEY,
  'an odd token': ODD_TOKEN,
  'an odd password': ODD_PASSWORD,
  'a key that was refused': REFUSED_KEY,
  'a key that was pasted into a group': PASTED_KEY,
  'a key in the caption of a file': CAPTION_KEY,
  'the master key': Buffer.alloc(32, 7).toString('base64'),
};

let world: World;
let logs: string;
let sent: string;
let dump: Awaited<ReturnType<typeof dumpOf>>;
let group: number;
let boss: Person;
let talker: Person;

/** What somebody wrote is gone from the chat. */
const isGone = (message: Message): boolean =>
  !world.driver.messages(message.chat.id).some(({ message_id: id }) => id === message.message_id);

const gone: Record<string, boolean> = {};

beforeAll(async () => {
  world = await startWorld({ GATEWAY_VERSIONS: '4,3,1' });
  const { sandbox } = world;
  sandbox.world.addAccount({
    username: 'odd',
    password: ODD_PASSWORD,
    apiKey: ODD_KEY,
    token: ODD_TOKEN,
    lines: [LINE],
    credit: 10_000_000,
  });
  await keyAndToken();
  await userNameAndPassword();
  await refusedKey();
  await keyInGroup();
  await hurry(world);
  await world.app.stop();
  logs = world.logs.join('');
  sent = world.driver
    .calls()
    .map(({ params }) => textOf(params))
    .join('\n');
  dump = await dumpOf(world.database.sql);
});
afterAll(async () => {
  await world.stop();
});

describe('what a run with every credential and many faults leaves behind', () => {
  test.each(Object.entries(SECRETS))('%s is in no log line', (_name, secret) => {
    expect(spellingsIn(logs, secret)).toEqual([]);
  });

  test.each(Object.entries(SECRETS))('%s is in no message that was sent or edited', (_name, secret) => {
    expect(spellingsIn(sent, secret)).toEqual([]);
  });

  test.each(Object.entries(SECRETS))('%s is in no row of the database', (_name, secret) => {
    expect(spellingsIn(dump.text, secret)).toEqual([]);
  });

  test('the bot token is in no log line and no row', () => {
    const { token } = world.playground;
    for (const secret of [token, token.split(':')[1] ?? token]) {
      expect(spellingsIn(logs, secret)).toEqual([]);
      expect(spellingsIn(dump.text, secret)).toEqual([]);
    }
  });

  test('the messages that held a credential were deleted', () => {
    expect(gone).toEqual({
      key: true,
      'key after a fault': true,
      token: true,
      password: true,
      'refused key': true,
      'known key in a group': true,
      'pasted key': true,
      caption: true,
    });
    const left = [boss, talker, group].flatMap((chat) => world.driver.messages(chat));
    for (const secret of Object.values(SECRETS)) {
      expect(left.filter((m) => (m.text ?? m.caption ?? '').includes(secret))).toEqual([]);
    }
  });

  test('all that was searched is there to be found', () => {
    expect(
      world.logs.some((line) => line.includes('"level":"trace"') || line.includes('"level":"debug"')),
    ).toBe(true);
    expect(sent).toContain('looked like a key');
    expect(dump.tables).toEqual(
      expect.arrayContaining([
        'public.binding',
        'public.form',
        'public.update',
        'graphile_worker._private_jobs',
      ]),
    );
    expect(dump.text).toContain('echoed in a refusal');
    expect(dump.text).toContain('***');
    expect(dump.text).toContain('key_exposed');
  });

  test.each(Object.values(SECRETS))('the search would find %s in each of its spellings', (secret) => {
    for (const [name, spelling] of Object.entries(spellingsOf(secret))) {
      expect(spellingsIn(`before ${spelling} after`, secret)).toContain(name);
    }
    const inside = Buffer.from(`{"k":"${secret}"}`);
    expect(spellingsIn(inside.toString('base64'), secret).join()).toMatch(/base64 at/u);
    expect(spellingsIn(String.raw`(1,"\\x${inside.toString('hex')}")`, secret)).toContain('hex');
  });
});

/** Links by key, adds the token, and meets faults whose answers repeat what they were sent. */
async function keyAndToken(): Promise<void> {
  const { driver, sandbox } = world;
  const sara = driver.user({ first_name: 'Sara', language_code: 'en' });
  const echo = `<html>no: ${ODD_KEY} ${encodeURIComponent(ODD_KEY)} ${Buffer.from(ODD_KEY).toString('base64')} ${ODD_TOKEN}</html>`;
  const echoes = (rule: object): number =>
    sandbox.faults.add({
      account: 'odd',
      kind: 'body',
      when: 'before',
      text: echo,
      contentType: 'text/html',
      httpStatus: 502,
      ...rule,
    });

  const broken = echoes({});
  const first = sara.send(sara, '/connect');
  await driver.waitForMessage(sara, says('Send the API key'), { ...PATIENT, after: first.message_id });
  const early = sara.send(sara, ODD_KEY);
  await driver.waitForMessage(sara, says('cannot read'), { ...PATIENT, after: early.message_id });
  gone['key after a fault'] = isGone(early);
  sandbox.faults.remove(broken);

  const again = sara.send(sara, '/connect');
  await driver.waitForMessage(sara, says('Send the API key'), { ...PATIENT, after: again.message_id });
  const key = sara.send(sara, ODD_KEY);
  sara.tap(
    await driver.waitForMessage(sara, says('Key …'), { ...PATIENT, after: key.message_id }),
    '✅ Link',
  );
  gone['key'] = isGone(key);
  await driver.waitForMessage(sara, says('Which sender line'), PATIENT);
  const line = sara.send(sara, LINE);
  await driver.waitForMessage(sara, says('Try: /send'), { ...PATIENT, after: line.message_id });
  const offer = await driver.waitForMessage(
    sara,
    (m) => hasButton(m, '🔑 Add a token') && says('With it /future works too')(m),
    PATIENT,
  );
  sara.tap(offer, '🔑 Add a token');
  await driver.waitForMessage(sara, says('The version 1 token'), { ...PATIENT, after: line.message_id });
  const token = sara.send(sara, ODD_TOKEN);
  const found = await driver.waitForMessage(sara, (m) => hasButton(m, '✅ Link'), {
    ...PATIENT,
    after: token.message_id,
  });
  gone['token'] = isGone(token);
  sara.tap(found, '✅ Link');
  await driver.waitForMessage(sara, says('Linked'), { ...PATIENT, after: token.message_id });

  // Reads whose answers repeat the key, are cut, or are refusals.
  for (const rule of [
    { text: echo },
    {
      kind: 'error',
      status: 400,
      code: 1000,
      message: `bad key ${ODD_KEY} or ${ODD_TOKEN}`,
      text: undefined,
    },
  ]) {
    const fault = rule.text === undefined ? undefined : echoes(rule);
    const other =
      fault ??
      sandbox.faults.add({
        account: 'odd',
        kind: 'error',
        status: 400,
        code: 1000,
        message: `key ${ODD_KEY}`,
      });
    const { message_id: after } = sara.send(sara, '/credit');
    await driver.waitForMessage(sara, (m) => m.from?.is_bot === true, { ...PATIENT, after });
    sandbox.faults.remove(other);
  }

  // Sends whose answers repeat it: a refusal, an unknown outcome, a cut one, and one that is accepted.
  const sends = [
    [
      { kind: 'error', status: 400, code: 23, message: `line, ${ODD_KEY}, ${encodeURIComponent(ODD_KEY)}` },
      '1 not sent',
    ],
    [{ kind: 'body', text: echo, contentType: 'text/html', httpStatus: 500 }, '1 unknown'],
    [{ kind: 'reset', when: 'after' }, '1 unknown'],
    [undefined, '1 delivered'],
  ] as const;
  for (const [index, [rule, outcome]] of sends.entries()) {
    const fault =
      rule === undefined ? undefined : sandbox.faults.add({ account: 'odd', operation: 'send', ...rule });
    const card = await draft(world, sara, {
      to: `912666000${index + 1}`,
      text: index === 0 ? 'echoed in a refusal' : `echo ${index}`,
    });
    sara.tap(card, '✅ Send');
    await cardSays(world, card, outcome);
    if (fault !== undefined) sandbox.faults.remove(fault);
  }
}

async function userNameAndPassword(): Promise<void> {
  const { driver } = world;
  const kian = driver.user({ first_name: 'Kian', language_code: 'en' });
  kian.send(kian, '/connect');
  kian.tap(await driver.waitForMessage(kian, says('Send the API key'), PATIENT), 'Username and password');
  await driver.waitForMessage(kian, says('The user name'), PATIENT);
  kian.send(kian, 'odd');
  await driver.waitForMessage(kian, says('The password'), PATIENT);
  const password = kian.send(kian, ODD_PASSWORD);
  const found = await driver.waitForMessage(kian, (m) => hasButton(m, '✅ Link'), PATIENT);
  gone['password'] = isGone(password);
  kian.tap(found, '✅ Link');
  await driver.waitForMessage(kian, says('Linked'), PATIENT);
  const line = await driver.waitForMessage(kian, says('Which sender line'), PATIENT);
  kian.send(kian, LINE);
  await driver.waitForMessage(kian, says('Try: /send'), { ...PATIENT, after: line.message_id });
  const { message_id: after } = kian.send(kian, '/account');
  await driver.waitForMessage(kian, says('👤'), { ...PATIENT, after });
}

async function refusedKey(): Promise<void> {
  const { driver } = world;
  const lost = driver.user({ first_name: 'Lost', language_code: 'en' });
  lost.send(lost, '/connect');
  await driver.waitForMessage(lost, says('Send the API key'), PATIENT);
  const wrong = lost.send(lost, REFUSED_KEY);
  await driver.waitForMessage(lost, says('does not accept this'), PATIENT);
  gone['refused key'] = isGone(wrong);
}

/** The demo account is linked to a group, in which keys are then pasted. */
async function keyInGroup(): Promise<void> {
  const { driver } = world;
  boss = driver.user({ first_name: 'Boss', language_code: 'en' });
  talker = driver.user({ first_name: 'Talker', language_code: 'en' });
  group = driver.group({ creator: boss, members: [talker], title: 'Shop', bot: 'administrator' });
  boss.start();
  boss.send(group, '/connect');
  const invitation = await driver.waitForMessage(group, says('links it in private'), PATIENT);
  const button = invitation.reply_markup?.inline_keyboard.flat().find((item) => 'url' in item);
  const url = new URL(button !== undefined && 'url' in button ? button.url : '');
  boss.start(url.searchParams.get('start') ?? '');
  await driver.waitForMessage(boss, says('Send the API key'), PATIENT);
  boss.send(boss, DEMO_KEY);
  boss.tap(await driver.waitForMessage(boss, says('Key …'), PATIENT), '✅ Link');
  const asked = await driver.waitForMessage(boss, says('Which sender line'), PATIENT);
  boss.send(boss, DEMO_LINE);
  await driver.waitForMessage(boss, says('Try: /send'), { ...PATIENT, after: asked.message_id });
  const offer = await driver.waitForMessage(
    boss,
    (m) => hasButton(m, '🔑 Add a token') && says('With it /future works too')(m),
    PATIENT,
  );
  boss.tap(offer, '🔑 Add a token');
  await driver.waitForMessage(boss, says('The version 1 token'), { ...PATIENT, after: asked.message_id });
  const { message_id: after } = boss.send(boss, DEMO_TOKEN);
  const found = await driver.waitForMessage(boss, (m) => hasButton(m, '✅ Link'), { ...PATIENT, after });
  boss.tap(found, '✅ Link');
  await driver.waitForMessage(boss, says('Linked'), { ...PATIENT, after });

  const leaks: readonly [string, () => Message][] = [
    ['known key in a group', () => talker.send(group, `does anyone know what ${DEMO_KEY} is for?`)],
    ['pasted key', () => talker.send(group, PASTED_KEY)],
    ['caption', () => talker.upload(group, 'note.txt', Buffer.from('hello'), `our api key: ${CAPTION_KEY}`)],
  ];
  for (const [name, leak] of leaks) {
    const message = leak();
    await driver.waitForMessage(group, says('looked like a key'), { ...PATIENT, after: message.message_id });
    gone[name] = isGone(message);
  }
  await quiet(world);
}

/** Every text inside the parameters of a call, as it is and as JSON. */
function textOf(params: Readonly<Record<string, unknown>>): string {
  const values = Object.values(params).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
  return [...values, JSON.stringify(params)].join('\n');
}
