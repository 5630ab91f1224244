import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Person } from './control/driver.ts';
import { startTelegram, type Telegram } from './library.ts';
import { callApi, type Reply } from './test-api.ts';

/** What the bot is shown of an ephemeral message: never a message id. */
const sentAlone = z.object({ message_id: z.literal(0), ephemeral_message_id: z.number() });

let telegram: Telegram;
let sara: Person;
let omid: Person;
let group: number;
/** What Omid's page is told. */
let events: ReadableStreamDefaultReader<Uint8Array> | undefined;

beforeAll(async () => {
  telegram = await startTelegram();
  const { driver } = telegram;
  sara = driver.user({ first_name: 'Sara' });
  omid = driver.user({ first_name: 'Omid' });
  group = driver.group({ creator: sara, members: [omid], bot: 'administrator' });
  const { body } = await fetch(`${telegram.apiRoot}/_control/events?user=${omid.id}`);
  events = body?.getReader();
});
afterAll(async () => {
  await events?.cancel();
  await telegram.close();
});

/** The messages that Omid's page is told of, until one with these words. The log of calls goes to every page. */
async function heardUntil(words: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  const told = (): string => text.replaceAll(/^data: \{"type":"call".*$/gm, '');
  while (!told().includes(words)) {
    const { done, value } = (await events?.read()) ?? { done: true };
    if (done) throw new Error('the stream has ended');
    text += decoder.decode(value, { stream: true });
  }
  return told();
}

const call = (method: string, params: object): Promise<Reply> =>
  callApi(telegram, method, { chat_id: group, ...params });
const texts = (person?: Person): (string | undefined)[] =>
  telegram.driver.messages(group, person).flatMap(({ text }) => (text === undefined ? [] : [text]));
const idOf = ({ result }: Reply): number => sentAlone.parse(result).ephemeral_message_id;
const setBot = (status: 'administrator' | 'member'): unknown =>
  telegram.control.member({ chat_id: group, user_id: Number(telegram.token.split(':')[0]), status });

async function seenBy(person: Person): Promise<string> {
  const at = `${telegram.apiRoot}/_control/messages?chat=${group}&user=${person.id}`;
  return (await fetch(at)).text();
}

describe('an ephemeral message', () => {
  const toSara = () => ({ ephemeral_message_parameters: { receiver_user_id: sara.id } });

  it('is seen by its person alone, and edited and deleted by its own methods alone', async () => {
    const markup = { inline_keyboard: [[{ text: 'Go', callback_data: 'go' }]] };
    const reply = await call('sendMessage', { text: 'for Sara', ...toSara(), reply_markup: markup });
    const id = idOf(reply);
    expect(reply.result).toMatchObject({ receiver_user: { id: sara.id }, text: 'for Sara' });
    expect([texts(sara), texts(omid)]).toEqual([['for Sara'], []]);
    expect(await seenBy(sara)).toContain('for Sara');
    expect(await seenBy(omid)).not.toContain('for Sara');

    for (const method of ['editMessageText', 'deleteMessage', 'forwardMessage', 'setMessageReaction'])
      expect(
        await call(method, { message_id: id, from_chat_id: group, text: 'x', reaction: [] }),
        method,
      ).toMatchObject({ status: 400, description: expect.stringContaining('not found') as string });

    const own = { receiver_user_id: sara.id, ephemeral_message_id: id };
    expect(
      await call('editEphemeralMessageText', { ...own, receiver_user_id: omid.id, text: 'x' }),
    ).toMatchObject({ description: 'Bad Request: message to edit not found' });
    expect(
      await call('editEphemeralMessageText', { ...own, text: 'more', reply_markup: markup }),
    ).toMatchObject({
      result: true,
    });
    expect([texts(sara), texts(omid)]).toEqual([['more'], []]);

    const [shown] = telegram.driver.messages(group, sara).filter(({ text }) => text === 'more');
    if (shown === undefined) throw new Error('Sara does not see it');
    expect(() => omid.tap(shown, 'Go')).toThrow('no such message');
    sara.tap(shown, 'Go');
    const updates = telegram.control.updates().map(({ json }): unknown => JSON.parse(json));
    expect(updates.at(-1)).toMatchObject({
      callback_query: { from: { id: sara.id }, message: { message_id: 0, ephemeral_message_id: id } },
    });

    expect(await call('deleteEphemeralMessage', own)).toMatchObject({ result: true });
    expect(texts(sara)).toEqual([]);
    await call('sendMessage', { text: 'for all' });
    expect(await heardUntil('for all')).not.toMatch(/for Sara|more/);
  });

  it('is refused where a method has none, rather than shown to all', async () => {
    const before = texts();
    for (const [method, params] of [
      ['sendDice', {}],
      ['sendPoll', { question: '?', options: ['a', 'b'] }],
      ['copyMessage', { from_chat_id: group, message_id: 1 }],
    ] as const)
      expect(await call(method, { ...params, ...toSara() }), method).toMatchObject({ ok: false });
    expect(texts()).toEqual(before);
  });

  it('is an answer, when the bot is no administrator', async () => {
    setBot('member');
    expect(await call('sendMessage', { text: 'x', ...toSara() })).toMatchObject({
      description: 'Bad Request: BOT_NOT_ADMIN',
    });
    const button = { inline_keyboard: [[{ text: 'Secret', callback_data: 's' }]] };
    await call('sendMessage', { text: 'Who?', reply_markup: button });
    const asked = await telegram.driver.waitForMessage(group, ({ text }) => text === 'Who?');
    const query = omid.tap(asked, 'Secret');
    const answer = (receiver: Person): object => ({
      text: 'psst',
      ephemeral_message_parameters: {
        receiver_user_id: receiver.id,
        callback_query_id: query,
        replace_callback_query_message: true,
      },
    });
    expect(await call('sendMessage', answer(sara))).toMatchObject({
      description: expect.stringContaining('query is too old') as string,
    });
    idOf(await call('sendMessage', answer(omid)));
    expect(telegram.driver.messages(group, omid).at(-1)).toMatchObject({
      text: 'psst',
      replaces: asked.message_id,
    });
    expect(texts(sara)).not.toContain('psst');
  });

  it('comes from a person too: as a command of that kind, and as an answer to one', async () => {
    setBot('member');
    const commands = [{ command: 'balance', description: 'Money', is_ephemeral: true }];
    await callApi(telegram, 'setMyCommands', { commands });
    sara.send(group, '/balance');
    const [update] = telegram.control.updates().slice(-1);
    const { message } = z.object({ message: sentAlone.loose() }).parse(JSON.parse(update?.json ?? ''));
    expect(message).toMatchObject({ text: '/balance', receiver_user: { is_bot: true } });
    expect(texts(omid)).not.toContain('/balance');

    const reply_parameters = { ephemeral_message_id: message.ephemeral_message_id };
    expect(await call('sendMessage', { text: '12', reply_parameters })).toMatchObject({ ok: false });
    idOf(await call('sendMessage', { text: '12', reply_parameters, ...toSara() }));
    const shown = telegram.driver.messages(group, sara).at(-1);
    expect(shown).toMatchObject({ text: '12' });
    if (shown === undefined) throw new Error('Sara does not see it');
    sara.send(group, 'thanks', { replyTo: shown });
    expect(texts(omid)).not.toContain('thanks');
    expect(telegram.control.updates().at(-1)?.json).toContain('"text":"thanks"');
  });
});
