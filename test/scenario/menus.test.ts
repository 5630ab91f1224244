import { describe, expect, test } from 'vitest';
import { callApi } from '../../src/playground/test-api.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { plain, rows } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';
import { until } from '../support/until.ts';

/* What the menu button and /help show: what works there, for that person, in that language, and no more. */

const { world, talk } = useWorld({}, { deliverySeconds: 1 });

const someone = (first_name: string, language_code = 'en') =>
  world.driver.user({ first_name, language_code });

/** The menu as Telegram shows it to a person in a chat: names, and the description of /help. */
function menu(person: Person, chat: number = person.id) {
  const list = world.playground.control.commands({ chat, user: person.id });
  return {
    names: list.map(({ command }) => command),
    help: list.find(({ command }) => command === 'help')?.description,
  };
}

/** What is wrong with a menu, once it has had its time to become right. */
async function awry(
  person: Person,
  chat: number,
  wanted: { readonly has?: readonly string[]; readonly not?: readonly string[]; readonly help?: string },
): Promise<string[]> {
  const look = (): string[] => {
    const { names, help } = menu(person, chat);
    return [
      ...(wanted.has ?? []).filter((name) => !names.includes(name)).map((name) => `/${name} is missing`),
      ...(wanted.not ?? []).filter((name) => names.includes(name)).map((name) => `/${name} is there`),
      ...(wanted.help === undefined || wanted.help === help ? [] : [`/help is «${help ?? ''}»`]),
    ];
  };
  await until(() => expect(look()).toEqual([])).catch(() => undefined);
  return look();
}

const HELP = { en: 'what you can do here', fa: 'کارهایی که اینجا می‌توانید انجام دهید' };
const OPEN = ['start', 'help', 'cancel', 'lang', 'connect'];
/** The twelve that people use. */
const TWELVE = 'send bulk schedule scheduled templates report inbox find books credit help cancel'.split(' ');

async function linkedGroup(
  credential: 'apiKey' | 'token' = 'apiKey',
  type: 'group' | 'supergroup' = 'supergroup',
) {
  const owner = someone('Olga');
  const member = someone('Mina');
  const group = world.driver.group({ creator: owner, members: [member], type, bot: 'administrator' });
  const account = talk.account();
  const given = credential === 'apiKey' ? { apiKey: account.apiKey } : { token: account.token };
  await talk.connects(owner, given, { chat: group });
  return { owner, member, group, account };
}

/** The commands that a help message begins its lines with. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/^\/([a-z_]+)/gmu)].map(([, name = '']) => name);

describe.concurrent('the menu', () => {
  test('shows to strangers what is open to anyone, in English and in Persian', () => {
    const [sara, reza] = [someone('Sara'), someone('Reza', 'fa')];
    const group = world.driver.group({ creator: sara, members: [reza] });
    for (const chat of [group, undefined]) {
      expect(menu(sara, chat).names.toSorted()).toEqual(OPEN.toSorted());
      expect(menu(reza, chat).names.toSorted()).toEqual(OPEN.toSorted());
      expect([menu(sara, chat).help, menu(reza, chat).help]).toEqual([HELP.en, HELP.fa]);
    }
  });

  test('in private follows the account that is linked, and the language that was chosen', async () => {
    const sara = someone('Sara');
    sara.start();
    await talk.connects(sara, { apiKey: talk.account().apiKey });
    expect(
      await awry(sara, sara.id, {
        has: TWELVE,
        not: ['connect', 'disconnect', 'line', 'start'],
        help: HELP.en,
      }),
    ).toEqual([]);
    expect(menu(sara).names).toHaveLength(12);
    await talk.asks(sara, sara, '/lang fa', 'با شما فارسی حرف می‌زنم');
    expect(await awry(sara, sara.id, { has: ['send'], help: HELP.fa })).toEqual([]);
    // A narrower list for clients in Persian would go before it.
    await until(async () => expect(await listOf({ type: 'chat', chat_id: sara.id }, 'fa')).toEqual([]));
  });

  test('in a group is each one’s own: it comes and goes with the role', async () => {
    const { owner, member, group } = await linkedGroup();
    expect(await awry(owner, group, { has: TWELVE })).toEqual([]);
    expect(await awry(member, group, { has: ['help', 'connect'], not: ['send', 'credit'] })).toEqual([]);

    const met = member.send(group, 'hello');
    await talk.asks(owner, group, '/role operator', /operator/, { replyTo: met });
    expect(
      await awry(member, group, { has: ['send', 'credit'], not: ['disconnect', 'connect', 'unblock'] }),
    ).toEqual([]);
    await talk.asks(owner, group, '/role none', /Mina/, { replyTo: met });
    expect(await awry(member, group, { has: ['help'], not: ['send', 'credit'] })).toEqual([]);
    // Nobody else lost anything.
    expect(await awry(owner, group, { has: TWELVE })).toEqual([]);
  });

  test('forgets with the account what needs one', async () => {
    const { owner, group } = await linkedGroup();
    expect(await awry(owner, group, { has: ['send', 'credit'] })).toEqual([]);
    const asked = await talk.asks(owner, group, '/disconnect', 'Unlink');
    await talk.presses(owner, asked, rows(asked)[0]?.[0] ?? '');
    expect(await awry(owner, group, { has: ['connect', 'help'], not: ['send', 'credit', 'report'] })).toEqual(
      [],
    );
  });

  test('shows with each credential what that can do', async () => {
    const byKey = await linkedGroup('apiKey');
    const byToken = await linkedGroup('token');
    expect(await awry(byKey.owner, byKey.group, { has: ['send', 'inbox', 'find', 'books'] })).toEqual([]);
    expect(
      await awry(byToken.owner, byToken.group, {
        has: ['send', 'credit'],
        not: ['inbox'],
      }),
    ).toEqual([]);
  });

  test('speaks the group’s language to those who chose none', async () => {
    const { owner, member, group } = await linkedGroup();
    const offer = await talk.asks(owner, group, '/lang fa', 'برای همهٔ این گفتگو هم همین زبان باشد؟');
    expect(await awry(owner, group, { help: HELP.fa })).toEqual([]);
    expect(await awry(member, group, { help: HELP.en })).toEqual([]);
    await talk.presses(owner, offer, 'برای');
    expect(await awry(member, group, { help: HELP.fa, not: ['send'] })).toEqual([]);
  });

  test('goes along when the group gets a new id', async () => {
    const { owner, group } = await linkedGroup('apiKey', 'group');
    expect(await awry(owner, group, { has: ['send'] })).toEqual([]);
    const { id } = world.playground.control.migrate({ chat_id: group, member_updates: true });
    expect(await awry(owner, id, { has: TWELVE })).toEqual([]);
  });

  test('is brought up to date when the bot comes back to a group', async () => {
    const { owner, member, group } = await linkedGroup();
    expect(await awry(owner, group, { has: ['send'] })).toEqual([]);
    const botId = Number(world.playground.token.split(':')[0]);
    const bot = (status: 'kicked' | 'member') =>
      world.playground.control.member({ chat_id: group, user_id: botId, status, actor_id: owner.id });
    bot('kicked');
    // Meanwhile, from elsewhere, the owner's language changes; nothing can be published here.
    const before = world.driver.calls('setMyCommands').length;
    await talk.asks(owner, owner, '/lang fa', 'فارسی');
    await until(() =>
      expect(
        world.driver
          .calls('setMyCommands')
          .slice(before)
          .some(({ ok }) => !ok),
      ).toBe(true),
    );
    expect(menu(owner, group).help).toBe(HELP.en);
    bot('member');
    expect(await awry(owner, group, { help: HELP.fa, has: ['send'] })).toEqual([]);
    expect(await awry(member, group, { not: ['send'] })).toEqual([]);
  });

  test('is not published again when nothing has changed', async () => {
    const { owner, group } = await linkedGroup();
    expect(await awry(owner, group, { has: ['send'] })).toEqual([]);
    await talk.asks(owner, group, '/help', 'What you can do here');
    await settledMenus();
    const before = setsFor(group);
    await talk.asks(owner, group, '/help', 'What you can do here');
    await talk.asks(owner, group, '/start', 'I am Peyk');
    await settledMenus();
    expect(setsFor(group)).toBe(before);
  });
});

describe.concurrent('help', () => {
  test('lists all that works, the menu among it, in groups under headings', async () => {
    const { owner, member, group } = await linkedGroup();
    await talk.gives('operator', member, group);
    for (const person of [owner, member]) {
      const help = await talk.asks(person, group, '/help all', 'What you can do here');
      await until(() => expect(menu(person, group).names).toHaveLength(12));
      expect(commandsIn(plain(help))).toEqual(expect.arrayContaining(menu(person, group).names));
      expect(commandsIn(plain(help))).toContain('pattern');
      expect(plain(help)).toMatch(/✉️ Sending[\s\S]*📊 Reports[\s\S]*💳 Account[\s\S]*🧭 General/);
    }
  });

  test('of a command that does not work says why, and what would make it work', async () => {
    const { owner, member, group } = await linkedGroup();
    await talk.gives('viewer', member, group);
    await talk.asks(member, group, '/help send', 'It needs the role operator; yours is viewer');
    await talk.asks(
      owner,
      group,
      '/help future',
      /needs a user name and password or a version 1 token.*\/connect/,
    );
    await talk.asks(member, group, '/help register', 'It needs the role admin; yours is viewer');
    const stranger = someone('Nobody');
    const told = await talk.asks(stranger, stranger, '/help send', 'does not work for you here');
    expect(plain(told)).toContain('once an account is linked here: /connect');
  });
});

async function listOf(scope: object, language_code: string): Promise<unknown> {
  const { result } = await callApi(world.playground, 'getMyCommands', { scope, language_code });
  return result;
}

/** All that was asked of the menus before this has been done: they take their turn in one queue. */
async function settledMenus(): Promise<void> {
  const other = someone('Sara');
  await talk.asks(other, other, '/lang fa', 'با شما فارسی حرف می‌زنم');
  expect(await awry(other, other.id, { help: HELP.fa })).toEqual([]);
}

function setsFor(chat: number): number {
  return world.driver
    .calls()
    .filter(
      ({ method, params }) => method.endsWith('MyCommands') && JSON.stringify(params).includes(String(chat)),
    ).length;
}
