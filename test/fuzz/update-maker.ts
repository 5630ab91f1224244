import type { Random } from '../chaos/random.ts';
import { NAUGHTY } from '../naughty/strings.ts';

export const BOT = { id: 4242, is_bot: true, first_name: 'Peyk', username: 'PeykBot' } as const;
export const TOKENS = ['AAAAAAAAAAAAAAAAAAAAAA', 'abcdefghijklmnopqrstuv', '0123456789-_ABCDEFGHIJ'] as const;

type Json = Record<string, unknown>;

const GROUP = { id: -1001234567890, type: 'supergroup', title: 'Shop' } as const;
const CHATS: readonly [Json, ...Json[]] = [
  GROUP,
  { id: 7, type: 'private', first_name: 'Sara' },
  { id: -55, type: 'group', title: 'فروش <b>' },
  { id: -1009, type: 'channel', title: 'News' },
  { ...GROUP, is_forum: true },
];
const USERS: readonly [Json, ...Json[]] = [
  { id: 7, is_bot: false, first_name: 'Sara' },
  { id: 7, is_bot: false, first_name: 'Sara', username: 'sara', language_code: 'fa' },
  { id: 4_503_599_627_370_495, is_bot: false, first_name: '<b>&', last_name: '\u202e' },
  { id: 9, is_bot: true, first_name: 'Other', username: 'OtherBot' },
  { id: 777000, is_bot: false, first_name: 'Telegram' },
  { id: 1087968824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' },
];
const TEXTS = [
  'hello',
  '/start',
  '/help',
  '/start@PeykBot',
  '/send@OtherBot 09121234567 hi',
  '/send 09121234567 سلام',
  '/send',
  '/credit',
  '/connect',
  '/role @sara owner',
  '/limits 5',
  '/START',
  '/start c_AAAAAAAAAAAAAAAAAAAAAA',
  '／start',
  '/nobody',
  '/lang fa',
  '/cancel',
  '/phonebook',
  '/status A41',
  'x'.repeat(4096),
  '/send 09121234567 ' + 'ی'.repeat(3000),
  '09121234567, ۰۹۱۲۱۲۳۴۵۶۸',
] as const;
const KINDS = [
  'message',
  'message',
  'message',
  'message',
  'callback_query',
  'callback_query',
  'my_chat_member',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'business_message',
  'inline_query',
  'chat_member',
  'message_reaction',
  'poll',
] as const;
const STATUSES = ['left', 'kicked', 'member', 'administrator', 'restricted', 'creator'] as const;

/** An update as the Bot API describes it, with hostile texts in right places. */
export function makeUpdate(random: Random, id: number, commands: readonly string[]): Json {
  const kind = random.pick(KINDS);
  const from = random.chance(0.7) ? USERS[0] : random.pick(USERS);
  const chat = random.pick(CHATS);
  if (kind === 'my_chat_member' || kind === 'chat_member') {
    const member = (): Json => ({
      status: random.pick(STATUSES),
      user: BOT,
      can_post_messages: random.chance(0.5),
    });
    const change = { chat, from, date: 1, old_chat_member: member(), new_chat_member: member() };
    return { update_id: id, [kind]: change };
  }
  if (kind === 'callback_query') return { update_id: id, callback_query: makePress(random, chat, from) };
  if (kind === 'inline_query')
    return { update_id: id, inline_query: { id: '1', from, query: 'x', offset: '' } };
  if (kind === 'poll' || kind === 'message_reaction')
    return { update_id: id, [kind]: { id: '1', chat, date: 1 } };
  return { update_id: id, [kind]: makeMessage(random, chat, from, commands) };
}

function makeMessage(random: Random, chat: Json, from: Json, commands: readonly string[]): Json {
  const text = makeText(random, commands);
  const message: Json = { message_id: random.int(1, 99), date: 1_700_000_000, chat, from };
  if (random.chance(0.85)) message['text'] = text;
  else if (random.chance(0.6)) {
    message['caption'] = text.slice(0, 1024);
    message['document'] = {
      file_id: 'f1',
      file_unique_id: 'u1',
      file_name: text.slice(0, 60),
      file_size: 100,
    };
  }
  if (random.chance(0.08))
    message['sender_chat'] = random.chance(0.5) ? chat : { id: -77, type: 'channel', title: 'x' };
  if (random.chance(0.05)) message['via_bot'] = USERS[3];
  if (random.chance(0.08))
    message['forward_origin'] = { type: 'hidden_user', sender_user_name: 'x', date: 1 };
  if (random.chance(0.1)) message['message_thread_id'] = random.int(1, 9);
  if (random.chance(0.1)) message['is_topic_message'] = true;
  if (random.chance(0.03)) message['migrate_to_chat_id'] = -1009999;
  if (random.chance(0.03)) message['migrate_from_chat_id'] = -66;
  if (random.chance(0.15))
    message['reply_to_message'] = {
      message_id: 3,
      date: 1,
      chat,
      from: random.chance(0.5) ? BOT : random.pick(USERS),
      text: 'card',
    };
  if (random.chance(0.1)) message['entities'] = [{ type: 'bot_command', offset: 9_999, length: -1 }];
  return message;
}

function makePress(random: Random, chat: Json, from: Json): Json {
  const press: Json = { id: '77', from, chat_instance: 'x' };
  if (random.chance(0.9))
    press['data'] = random.chance(0.7) ? `p1:${random.pick(TOKENS)}` : makeText(random, []);
  if (random.chance(0.1)) press['inline_message_id'] = 'x';
  else if (random.chance(0.95))
    press['message'] = {
      message_id: 5,
      chat,
      ...(random.chance(0.9) ? { date: 1, from: BOT, text: 'card' } : { date: 0 }),
    };
  return press;
}

function makeText(random: Random, commands: readonly string[]): string {
  if (random.chance(0.2)) return NAUGHTY[random.int(0, NAUGHTY.length - 1)] ?? 'x';
  const name = commands[random.int(0, commands.length - 1)];
  if (name === undefined || random.chance(0.4)) return random.pick(TEXTS);
  const words = random.chance(0.5) ? '' : ` ${NAUGHTY[random.int(0, NAUGHTY.length - 1)] ?? ''}`;
  return `/${name}${random.pick(['', '', '@PeykBot', '@OtherBot'])}${words}`;
}

const ODD: readonly [unknown, ...unknown[]] = [
  null,
  '',
  0,
  -1,
  1e300,
  0.5,
  '7',
  true,
  [],
  {},
  [null],
  'x'.repeat(9_000),
  { id: 7 },
  -(2 ** 52),
];

/** The same with something gone, or something else in its place, at any depth. */
export function breakUpdate(random: Random, update: Json): Json {
  const copy = structuredClone(update);
  const places: { holder: Json; name: string }[] = [];
  const collect = (holder: Json): void => {
    for (const [name, value] of Object.entries(holder)) {
      places.push({ holder, name });
      if (typeof value === 'object' && value !== null) collect(value as Json);
    }
  };
  collect(copy);
  const place = places[random.int(0, places.length - 1)];
  if (place === undefined) return copy;
  if (random.chance(0.4)) Reflect.deleteProperty(place.holder, place.name);
  else place.holder[place.name] = structuredClone(random.pick(ODD));
  return copy;
}
