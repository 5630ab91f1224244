import type { Message } from '@grammyjs/types';
import { expect } from 'vitest';
import type { Driver, Person } from '../../src/playground/control/driver.ts';
import type { Playground } from '../../src/playground/server.ts';
import type { FaultRule } from '../../src/sandbox/faults.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import type { AccountSeed } from '../../src/sandbox/world/account-seed.ts';
import { PATIENCE } from './patience.ts';
import { whenStanding } from './standing.ts';
import { given } from './talk.ts';
import { until } from './until.ts';

/*
 * The steps that scenarios have in common, done as a person does them. What is waited for is an event
 * of the emulator, or a state that is looked at again and again; nothing sleeps for a fixed time.
 */

/** What a story needs, whether the application runs in this process or in one of its own. */
export interface Stage {
  readonly driver: Driver;
  readonly playground: Playground;
  readonly sandbox: Sandbox;
}

export interface GatewayAccount {
  readonly username: string;
  readonly apiKey: string;
  readonly line: string;
}

export { until };
export { PATIENCE as PATIENT };

let made = 0;

/** An account of its own at the gateway, so that its faults and its ledger are nobody else's. */
function openAccount({ sandbox }: Stage, seed: Partial<AccountSeed> = {}): GatewayAccount {
  made += 1;
  const number = String(made).padStart(3, '0');
  const username = `story${number}`;
  const apiKey = `story-key-${number}-4f7d2c`;
  const line = `3000777${number}`;
  const basics = { username, apiKey, password: `story-pass-${number}`, lines: [line], credit: 100_000_000 };
  sandbox.world.addAccount({ ...basics, ...seed });
  return { username, apiKey, line };
}

/** Somebody with an account of their own, linked to the private chat. */
export async function linkedPerson(
  stage: Stage,
  name: string,
  seed: Partial<AccountSeed> & { readonly useLine?: string } = {},
): Promise<{ person: Person; account: GatewayAccount }> {
  const { useLine, ...rest } = seed;
  const person = stage.driver.user({ first_name: name, language_code: 'en' });
  const account = openAccount(stage, rest);
  person.start();
  const asked = person.send(person, '/connect');
  await finishLinking(stage, person, account, asked.message_id, useLine);
  return { person, account };
}

/** Several people, each with an account of their own, linked at the same time; found by their names. */
export async function linkedPeople<const N extends string>(
  stage: Stage,
  names: readonly N[],
): Promise<Record<N, { person: Person; account: GatewayAccount }>> {
  const linked = await Promise.all(
    names.map(async (name) => [name, await linkedPerson(stage, name)] as const),
  );
  return Object.fromEntries(linked) as Record<N, { person: Person; account: GatewayAccount }>;
}

/** A group whose creator links an account of the group's own through the deep link. */
export async function linkedGroup(
  stage: Stage,
  names: { readonly owner: string; readonly members: readonly string[] },
): Promise<{ group: number; owner: Person; members: Person[]; account: GatewayAccount }> {
  const { driver } = stage;
  const owner = driver.user({ first_name: names.owner, language_code: 'en' });
  const members = names.members.map((name) => driver.user({ first_name: name, language_code: 'en' }));
  const group = driver.group({
    creator: owner,
    members,
    title: `Team of ${names.owner}`,
    bot: 'administrator',
  });
  const account = openAccount(stage);
  owner.start();
  owner.send(group, '/connect');
  const invitation = await driver.waitForMessage(
    group,
    (m) => linkOf(m) !== undefined && m.text?.includes('links it in private') === true,
    PATIENCE,
  );
  const opened = owner.start(new URL(linkOf(invitation) ?? '').searchParams.get('start') ?? '');
  await finishLinking(stage, owner, account, opened.message_id);
  return { group, owner, members, account };
}

async function finishLinking(
  { driver }: Stage,
  person: Person,
  account: GatewayAccount,
  after: number,
  line = account.line,
): Promise<void> {
  const wait = { ...PATIENCE, after };
  await driver.waitForMessage(person, says('Send the API key'), wait);
  person.send(person, account.apiKey);
  person.tap(await driver.waitForMessage(person, says('Key …'), wait), '✅ Link');
  await driver.waitForMessage(person, says('Which sender line'), wait);
  person.send(person, line);
  await driver.waitForMessage(person, says('Try: /send'), wait);
}

/** Prepares a message and waits for its card. */
export async function draft(
  { driver }: Stage,
  person: Person,
  order: { readonly to: string; readonly text: string; readonly in?: number },
): Promise<Message> {
  const place = order.in ?? person;
  const { message_id: after } = person.send(place, `/send ${order.to} ${order.text}`);
  return await driver.waitForMessage(place, (m) => isCard(m) && hasButton(m, '✅'), { ...PATIENCE, after });
}

/** The card once all of these are on it. */
export async function cardSays(
  { driver }: Stage,
  card: Message,
  ...parts: readonly (string | RegExp)[]
): Promise<Message> {
  return await whenStanding(driver, card, ({ text = '' }) =>
    parts.every((part) => (typeof part === 'string' ? text.includes(part) : part.test(text))),
  );
}

/** Everything that the card has ever shown, oldest first. */
export function shownOn({ driver }: Pick<Stage, 'driver'>, card: Message): string[] {
  return driver
    .calls()
    .filter(({ method, params, result, ok }) => {
      if (!ok || Number(params['chat_id']) !== card.chat.id) return false;
      if (method === 'editMessageText') return Number(params['message_id']) === card.message_id;
      return method === 'sendMessage' && (result as Message).message_id === card.message_id;
    })
    .map(({ params }) => String(params['text']));
}

/** The data behind the first button whose label begins so. */
export function dataOf(message: Message, label: string): string {
  const found = message.reply_markup?.inline_keyboard.flat().find((button) => button.text.startsWith(label));
  if (found === undefined || !('callback_data' in found)) throw new Error(`no button begins with ${label}`);
  return found.callback_data;
}

export function hasButton(message: Message, label: string): boolean {
  return message.reply_markup?.inline_keyboard.flat().some(({ text }) => text.startsWith(label)) === true;
}

export function isCard(message: Message): boolean {
  return message.from?.is_bot === true && /#A\d/u.test(message.text ?? '');
}

export function says(part: string): (message: Message) => boolean {
  return (message) => message.from?.is_bot === true && message.text?.includes(part) === true;
}

/** What the gateway itself knows of an account's sends: the calls that came, and the messages that went out. */
export function gatewaySaw(
  { sandbox }: Pick<Stage, 'sandbox'>,
  { username }: Pick<GatewayAccount, 'username'>,
): { calls: number; sends: number; recipients: number } {
  const calls = sandbox.ledger.hits().filter((hit) => hit.account === username && hit.operation === 'send');
  const sends = sandbox.ledger.sends().filter((send) => send.account === username);
  return {
    calls: calls.length,
    sends: sends.length,
    recipients: sends.reduce((sum, send) => sum + send.recipients.length, 0),
  };
}

/** A gateway that takes its time until it is healed: for less than Peyk waits for the answer to a send. */
export const HELD = { kind: 'delay', when: 'before', ms: 50_000 } as const;

/** A message reaches the inbox of an account at the gateway. */
export function arrives(
  { sandbox }: Pick<Stage, 'sandbox'>,
  { username, line }: GatewayAccount,
  text: string,
  from = '09121234567',
): void {
  sandbox.world.receive(given(sandbox.world.account(username)), { line, from, text });
}

/**
 * Resolves when an inbox has been looked at more than once. What the first look finds is told as one, and it is over only when
 * the next begins.
 */
export async function inboxLookedAt({ sandbox }: Stage, { username }: GatewayAccount): Promise<void> {
  await until(() => {
    const looks = sandbox.ledger
      .hits()
      .filter(({ account, operation }) => account === username && operation?.startsWith('inbox') === true);
    expect(looks.length).toBeGreaterThan(2);
  });
}

/** Adds a fault that meets sends of this account only; `struck` resolves when it has met so many. */
export function harm(
  { sandbox }: Pick<Stage, 'sandbox'>,
  { username }: Pick<GatewayAccount, 'username'>,
  rule: FaultRule,
): { struck: (times?: number) => Promise<void>; heal: () => void } {
  const id = sandbox.faults.add({ operation: 'send', ...rule, account: username });
  return {
    struck: async (times = 1) =>
      await until(() => {
        expect(sandbox.faults.list().find((fault) => fault.id === id)?.used).toBeGreaterThanOrEqual(times);
      }),
    heal: () => void sandbox.faults.remove(id),
  };
}

/** So many different mobile numbers that all get delivered, in a form short enough for one message. */
export function numbers(count: number, from = 1000): string[] {
  const found: string[] = [];
  for (let next = from; found.length < count; next += 1) {
    const number = `912${String(next).padStart(7, '0')}`;
    if (!/(?:00|90[123])$/.test(number)) found.push(number);
  }
  return found;
}

function linkOf(message: Message): string | undefined {
  const button = message.reply_markup?.inline_keyboard.flat().find((item) => 'url' in item);
  return button !== undefined && 'url' in button ? button.url : undefined;
}
