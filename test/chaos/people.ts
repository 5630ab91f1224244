import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@grammyjs/types';
import type { GatewayAccount } from './gateway-oracle.ts';
import { waitForEarlier } from './patience.ts';
import type { Stand } from './stand.ts';

/** A chat with a linked account, and the people in it; the first is the owner. */
export interface Place {
  readonly chat: number;
  readonly people: readonly [number, ...number[]];
  readonly account: GatewayAccount;
  /** What the chat allows itself in a day, in parts. */
  readonly limits?: { readonly approval: number; readonly cap: number; readonly personCap: number };
}

/** The phonebooks of every account, by title: of three calls, and of six. */
export const BOOKS: ReadonlyMap<number, { readonly title: string; readonly numbers: readonly string[] }> =
  new Map([401, 1001].map((size) => [size, { title: `Book${size}`, numbers: bookNumbers(size) }]));

const PATIENCE_MS = 20_000;
const LOOK_MS = 100;

/**
 * Links accounts as people do, before anything is harmed: three private chats, one for each way in which the
 * gateway counts its ids, and two groups.
 */
export async function linkPlaces(stand: Stand): Promise<Place[]> {
  const bot = await stand.telegram.botName();
  const places = await Promise.all([
    linkPrivate(stand, bot, 1, 'call'),
    linkPrivate(stand, bot, 2, 'recipient'),
    linkPrivate(stand, bot, 3, 'call', true),
    linkGroup(stand, bot, 4),
    linkGroup(stand, bot, 5),
  ]);
  await Promise.all(places.map(async (place) => await askApprovalOff(stand, place)));
  return places;
}

/** A private chat has nobody who could approve a send to a large book. */
export async function askApprovalOff(stand: Stand, { chat, people: [owner] }: Place): Promise<void> {
  const said = await stand.telegram.say(owner, chat, '/limits approval off');
  await hears(stand, chat, owner, said.message_id, () => true);
}

/** Links an account of a person's own. `byToken`: by its token of version 1, and by nothing else. */
export async function linkPrivate(
  stand: Stand,
  bot: string,
  number: number,
  idsMode: 'call' | 'recipient',
  byToken = false,
): Promise<Place> {
  const account = makeAccount(number, byToken);
  await stand.gateway.addAccount(account, idsMode, [...BOOKS.values()]);
  return await linkPerson(stand, bot, number, account);
}

export async function linkPerson(
  stand: Stand,
  bot: string,
  number: number,
  account: GatewayAccount,
): Promise<Place> {
  const person = await stand.telegram.user(`Person ${number}`);
  await stand.telegram.start(person, bot);
  const asked = await stand.telegram.say(person, person, '/connect');
  await finishLinking(stand, person, account, asked.message_id);
  return { chat: person, people: [person], account };
}

export async function linkGroup(
  stand: Stand,
  bot: string,
  number: number,
  known?: GatewayAccount,
): Promise<Place> {
  const account = known ?? makeAccount(number, false);
  if (known === undefined) await stand.gateway.addAccount(account, 'call', [...BOOKS.values()]);
  const owner = await stand.telegram.user(`Owner ${number}`);
  const member = await stand.telegram.user(`Member ${number}`);
  const chat = await stand.telegram.group(`Team ${number}`, owner, [member]);
  await stand.telegram.start(owner, bot);
  const asked = await stand.telegram.say(owner, chat, '/connect');
  const offer = await hears(stand, chat, owner, asked.message_id, (message) => urlOf(message) !== undefined);
  const opened = await stand.telegram.start(
    owner,
    bot,
    new URL(urlOf(offer) ?? '').searchParams.get('start') ?? '',
  );
  await finishLinking(stand, owner, account, opened.message_id);
  return { chat, people: [owner, member], account };
}

async function finishLinking(
  stand: Stand,
  person: number,
  account: GatewayAccount,
  after: number,
): Promise<void> {
  const { telegram } = stand;
  const waits = (part: string): Promise<Message> =>
    hears(stand, person, person, after, (message) => message.text?.includes(part) === true);
  const question = await waits('Send the API key');
  if (account.apiKey === undefined && account.token !== undefined) {
    await tap(stand, person, question, 'Version 1 token');
    await waits('version 1 token, made');
  } else if (account.apiKey === undefined) {
    await tap(stand, person, question, 'Username and password');
    await waits('The user name at the gateway?');
    await telegram.say(person, person, account.username);
    await waits('The password?');
  }
  await telegram.say(person, person, secretOf(account));
  const found = await hears(
    stand,
    person,
    person,
    after,
    (message) => dataOf(message, '✅ Link') !== undefined,
  );
  await tap(stand, person, found, '✅ Link');
  await waits('Which sender line');
  await telegram.say(person, person, account.line);
  await waits('Try: /send');
}

/** What the account is linked by. */
export function secretOf({ apiKey, token, password }: GatewayAccount): string {
  return apiKey ?? token ?? password;
}

/** Numbers that nobody types. */
function bookNumbers(size: number): string[] {
  return Array.from({ length: size }, (_, index) => `98913${String(size * 2000 + index).padStart(7, '0')}`);
}

function makeAccount(number: number, byToken: boolean): GatewayAccount {
  // Keys of this run only: wherever one turns up, it has leaked.
  const key = `chaos-key-${number}-${randomBytes(9).toString('hex')}`;
  const base = {
    username: `chaos${number}`,
    password: `chaos-pass-${number}-${randomBytes(9).toString('hex')}`,
    line: `30007770${number}`,
    otherLines: [`30007771${number}`],
  };
  return byToken ? { ...base, token: key } : { ...base, apiKey: key };
}

/** Presses the first button whose label begins so. */
export async function tap(stand: Stand, person: number, message: Message, label: string): Promise<boolean> {
  const data = dataOf(message, label);
  if (data === undefined) return false;
  await stand.telegram.tap(person, message, data);
  return true;
}

export function dataOf(message: Message, label: string): string | undefined {
  const buttons = message.reply_markup?.inline_keyboard.flat() ?? [];
  const found = buttons.find((button) => button.text.startsWith(label));
  return found !== undefined && 'callback_data' in found ? found.callback_data : undefined;
}

/** The first message of the bot after another one that fits, there already or to come. */
export async function hears(
  stand: Stand,
  chat: number,
  person: number,
  after: number,
  fits: (message: Message) => boolean,
  patienceMs = waitForEarlier(PATIENCE_MS),
): Promise<Message> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const messages = await stand.telegram.messages(chat, person, after);
    const found = messages.find((message) => message.from?.is_bot === true && fits(message));
    if (found !== undefined) return found;
    if (performance.now() > until) {
      const said = messages.map((message) => message.text ?? '').join('\n---\n');
      throw new Error(`nothing like that was said in ${chat} within ${patienceMs} ms; there is:\n${said}`);
    }
    await sleep(LOOK_MS);
  }
}

function urlOf(message: Message): string | undefined {
  const button = message.reply_markup?.inline_keyboard.flat().find((item) => 'url' in item);
  return button !== undefined && 'url' in button ? button.url : undefined;
}
