import { describe, expect, test } from 'vitest';
import { createHash } from 'node:crypto';
import type { Message } from '@grammyjs/types';
import type { Person } from '../../src/playground/control/driver.ts';
import { dumpOf, spellingsIn } from '../support/hunt.ts';
import { until } from '../support/story.ts';
import { plain } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* Keys in the private chat when none is asked for: after a question that was left, or in answer to another one. */

const KEY = '9f31bd77c2a04e5510';

const { world, talk } = useWorld();
const someone = (first_name: string, language_code = 'en') =>
  world.driver.user({ first_name, language_code });
const isGone = (person: Person, said: Message): boolean =>
  !world.driver.messages(person).some(({ message_id: id }) => id === said.message_id);

describe.concurrent('a key in the private chat that nothing waits for', () => {
  test('is deleted and not repeated, after a question that was left', async () => {
    const sara = someone('Sara');
    await talk.asks(sara, sara, '/connect', 'Send the API key');
    await talk.asks(sara, sara, '/cancel', 'Cancelled. Nothing was changed.');
    const said = sara.send(sara, KEY);
    const told = await talk.hears(sara, 'I was not waiting for one', said.message_id);
    expect(plain(told)).toContain('/connect');
    expect(plain(told)).not.toContain(KEY);
    expect(isGone(sara, said)).toBe(true);
  });

  test('is deleted after a question that is too old, in Persian', async () => {
    const mina = someone('Mina', 'fa');
    await talk.asks(mina, mina, '/connect', 'کلید API را بفرستید');
    // The question is told a moment before it is remembered; ten minutes later it is forgotten.
    await until(async () => {
      const gone = await world.database.sql`delete from form where key like ${`%:${mina.id}`} returning 1`;
      expect(gone).toHaveLength(1);
    });
    const said = mina.send(mina, `کلید: ${KEY}`);
    await talk.hears(mina, 'منتظر کلیدی نبودم', said.message_id);
    expect(isGone(mina, said)).toBe(true);
  });

  test('is known by being in use, whatever it looks like', async () => {
    const kian = someone('Kian');
    await talk.connects(kian, { apiKey: talk.account({ apiKey: 'plainword' }).apiKey });
    const said = kian.send(kian, 'is it plainword ?');
    await talk.hears(kian, 'I was not waiting for one', said.message_id);
    expect(isGone(kian, said)).toBe(true);
  });

  test('is not seen in other words', async () => {
    const lena = someone('Lena');
    await talk.asks(lena, lena, '/start', 'I am Peyk');
    const said = lena.send(lena, 'good morning to you');
    const heard = await talk.settled(lena, lena);
    expect(heard.map(plain).join('\n')).not.toContain('I was not waiting');
    expect(isGone(lena, said)).toBe(false);
  });
});

describe.concurrent('a key within what is written in private', () => {
  const WAYS: readonly [string, (sara: Person, hello: Message, key: string) => Message][] = [
    ['in the text of a send', (sara, _, key) => sara.send(sara, `/send 09121234567 my key is ${key}`)],
    ['in a template', (sara, _, key) => sara.send(sara, `/template offer our token: ${key}`)],
    ['in a command that lacks something', (sara, _, key) => sara.send(sara, `/send the api key ${key}`)],
    ['in a command that is none', (sara, _, key) => sara.send(sara, `/sned my key is ${key}`)],
    ['in a reply', (sara, hello, key) => sara.send(sara, `the key is ${key}`, { replyTo: hello })],
    [
      'in a caption',
      (sara, _, key) => sara.upload(sara, 'a.csv', Buffer.from('mobile\n09121234567\n'), `/bulk key ${key}`),
    ],
    [
      'by an edit',
      (sara, _, key) => {
        const said = sara.send(sara, '/help');
        sara.edit(said, `/send 09121234567 my key is ${key}`);
        return said;
      },
    ],
  ];

  test.each(WAYS)('%s is deleted and told, and rests nowhere', async (way, write) => {
    const key = `5ec7e7${createHash('sha256').update(way).digest('hex').slice(0, 14)}`;
    const sara = someone('Sara');
    await talk.connects(sara, { apiKey: talk.account().apiKey });
    const hello = await talk.asks(sara, sara, '/whoami', 'Role: owner');
    const said = write(sara, hello, key);
    const told = plain(await talk.hears(sara, 'I was not waiting for one', hello.message_id));
    expect(told).toContain('make a new one in the gateway’s panel');
    expect(told).toContain('/connect');
    const heard = await talk.settled(sara, sara);
    expect(heard.map(plain).join('\n')).not.toContain(key);
    expect(isGone(sara, said)).toBe(true);
    const { text } = await dumpOf(world.database.sql);
    expect(text).toContain('key_exposed');
    expect(spellingsIn(text, key)).toEqual([]);
    expect(spellingsIn(world.logs.join(''), key)).toEqual([]);
  });

  test('that is in use in any chat is known, whatever it looks like, and stops the command', async () => {
    const kian = someone('Kian', 'fa');
    const account = talk.account({ apiKey: 'simpleword' });
    await talk.connects(kian, { apiKey: account.apiKey });
    const said = kian.send(kian, '/send 09121234567 it is simpleword');
    await talk.hears(kian, 'منتظر کلیدی نبودم', said.message_id);
    expect(isGone(kian, said)).toBe(true);
    expect((await talk.settled(kian, kian)).map(plain).join('\n')).not.toContain('#A1');
  });

  test('is asked for again where a text was asked for, and the send goes on without it', async () => {
    const omid = someone('Omid');
    const account = talk.account();
    await talk.connects(omid, { apiKey: account.apiKey });
    await talk.asks(omid, omid, '/send 09121234567', /say|text/iu);
    const said = omid.send(omid, `my key is ${KEY}`);
    await talk.hears(omid, 'I was not waiting for one', said.message_id);
    expect(isGone(omid, said)).toBe(true);
    const card = await talk.asks(omid, omid, 'Hello', '#A1');
    await talk.presses(omid, card, '✅');
    await talk.turns(card, /1 (accepted|delivered)/);
    expect(talk.sends(account.username).map(({ text }) => text)).toEqual(['Hello']);
  });
});

describe.concurrent('a key in answer to another question', () => {
  test('is deleted where a user name is asked for', async () => {
    const omid = someone('Omid');
    const asked = await talk.asks(omid, omid, '/connect', 'Send the API key');
    await talk.presses(omid, asked, 'Username and password');
    await talk.hears(omid, 'The user name at', asked.message_id);
    const said = omid.send(omid, KEY);
    await talk.hears(omid, 'The password?', said.message_id);
    expect(isGone(omid, said)).toBe(true);
  });

  test('is deleted and not repeated where it will not do', async () => {
    const olga = someone('Olga');
    await talk.connects(olga, { apiKey: talk.account().apiKey });
    await talk.asks(olga, olga, '/isblocked', /number/iu);
    const said = olga.send(olga, KEY);
    const again = await talk.hears(olga, /number/iu, said.message_id);
    expect(plain(again)).not.toContain(KEY);
    expect(isGone(olga, said)).toBe(true);
  });
});
