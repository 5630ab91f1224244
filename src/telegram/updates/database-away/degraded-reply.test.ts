import type { Update, User } from '@grammyjs/types';
import { Api } from 'grammy';
import { expect, test } from 'vitest';
import { createMemoryLog } from '../../../../test/support/memory-log.ts';
import type { DatabaseTrouble } from './trouble.ts';
import { createDegradedReply } from './degraded-reply.ts';

const SARA: User = { id: 5, is_bot: false, first_name: 'Sara', language_code: 'fa' };
const JOHN: User = { id: 6, is_bot: false, first_name: 'John', language_code: 'de' };
const GROUP = { id: -100, type: 'supergroup', title: 'Team' } as const;

let last = 0;
function said(from: User, text: string, inGroup = false): Update {
  last += 1;
  const chat = inGroup ? GROUP : ({ id: from.id, type: 'private', first_name: from.first_name } as const);
  return { update_id: last, message: { message_id: last, date: 1, chat, from, text } };
}
function pressed(from: User): Update {
  last += 1;
  const message = { message_id: 1, date: 0, chat: GROUP } as const;
  return { update_id: last, callback_query: { id: `q${last}`, from, chat_instance: '1', message } };
}

async function told(
  ...updates: readonly (readonly [Update, DatabaseTrouble, boolean?])[]
): Promise<string[]> {
  const calls: string[] = [];
  const api = new Api('1:x');
  api.config.use(async (_prev, method, payload) => {
    const text = 'text' in payload ? payload.text : '';
    calls.push(`${method} ${'chat_id' in payload ? String(payload.chat_id) : ''} ${text.slice(0, 22)}`);
    return { ok: true, result: true } as never;
  });
  const degradedReply = createDegradedReply({
    api,
    botUsername: 'PeykBot',
    commands: new Set(['send']),
    fallback: 'en',
    log: createMemoryLog(),
  });
  for (const update of updates) degradedReply(...update);
  await new Promise((done) => setImmediate(done));
  return calls;
}

test('people are told in their language, a press in its answer, once for each update and once a minute in a chat', async () => {
  const press = pressed(SARA);
  expect(
    await told(
      [said(JOHN, 'hello'), 'full'],
      [said(JOHN, '/credit'), 'full'],
      [said(SARA, 'سلام'), 'read_only'],
      [press, 'read_only'],
      [press, 'read_only'],
    ),
  ).toEqual([
    'sendMessage 6 I cannot save anything',
    'sendMessage 5 الان نمی‌توانم چیزی ثب',
    'answerCallbackQuery  الان نمی‌توانم چیزی ثب',
  ]);
});

test('a press that has had its answer is told of below the card', async () => {
  expect(await told([pressed(JOHN), 'full', true])).toEqual(['sendMessage -100 I cannot save anything']);
});

test.each([
  ['what is not said to the bot', said(JOHN, 'lunch?', true), 'full'],
  ['a command of another bot', said(JOHN, '/send@OtherBot 1', true), 'full'],
  ['a command that it does not have', said(JOHN, '/weather', true), 'full'],
  ['a moment without a database', said(JOHN, '/send'), 'away'],
  ['a lock', said(JOHN, '/send'), 'locked'],
] as const)('nothing is said of %s', async (_, update, trouble) => {
  expect(await told([update, trouble])).toEqual([]);
});

test('a command of its own is told of in a group', async () => {
  expect(await told([said(JOHN, '/send@PeykBot 1', true), 'full'])).toEqual([
    'sendMessage -100 I cannot save anything',
  ]);
});
