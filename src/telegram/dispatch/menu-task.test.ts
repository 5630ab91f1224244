import { Api } from 'grammy';
import { describe, expect, test } from 'vitest';
import { createMemoryLog } from '../../../test/support/memory-log.ts';
import type { MenuAudience } from '../../ports/menus.ts';
import { defineCommand, type Command } from '../feature.ts';
import { createMenuTask } from './menu-task.ts';

const CHAT = '0b9d1f52-63a4-4a51-9a0c-0d6b6f1f2a10';

const command = (name: string, permission: Command['permission'], facet?: 'sending'): Command =>
  defineCommand({
    name,
    permission,
    ...(facet === undefined ? {} : { facet }),
    everyday: true,
    about: (locale) => `${name} ${locale}`,
    args: {},
    run: () => Promise.resolve(),
  });

const COMMANDS = [
  command('help', null),
  command('send', 'send.prepare', 'sending'),
  command('audit', 'audit.view'),
];

type Call = [what: string, scope: string, language: string | undefined, commands: string | undefined];

/** The task over a chat that a test changes, and what it asks of Telegram; `refuse` says how Telegram answers. */
function desk(first: MenuAudience | null) {
  const state: { audience: MenuAudience | null; refuse: (user: number | undefined) => object | null } = {
    audience: first,
    refuse: () => null,
  };
  const asked: Call[] = [];
  const api = new Api('1:x');
  api.config.use((_prev, method, payload) => {
    const {
      scope,
      language_code: language,
      commands,
    } = payload as unknown as {
      scope: { type: string; chat_id: number; user_id?: number };
      language_code?: string;
      commands?: { description: string }[];
    };
    const place = [scope.type, scope.chat_id, scope.user_id].filter((part) => part !== undefined).join(' ');
    const refusal = state.refuse(scope.user_id);
    asked.push([
      method === 'setMyCommands' ? 'set' : 'delete',
      place,
      language,
      commands?.map(({ description }) => description).join(', '),
    ]);
    return Promise.resolve((refusal ?? { ok: true, result: true }) as never);
  });
  const task = createMenuTask({
    api,
    menus: { audience: () => Promise.resolve(state.audience) },
    gateways: {
      capabilities: (kinds) => ({
        versions: [],
        has: () => kinds.includes('api_key'),
        missing: () => ['api_key'],
      }),
    },
    commands: COMMANDS,
    fallback: 'en',
  });
  const run = async (): Promise<Call[]> => {
    asked.length = 0;
    await task.run(
      { chatId: CHAT },
      {
        log: createMemoryLog(),
        signal: new AbortController().signal,
        attempt: 1,
        last: false,
        mustGo: () => false,
        takePlace: () => true,
      },
    );
    return [...asked];
  };
  return { state, run };
}

const group = (
  people: MenuAudience['people'],
  more: Partial<MenuAudience['chat']> = {},
  kinds: MenuAudience['kinds'] = ['api_key'],
): MenuAudience => ({ chat: { telegramId: -7, type: 'supergroup', lang: null, ...more }, kinds, people });

const refusal = (description: string, error_code = 400) => ({ ok: false, error_code, description });

describe('the menus of a group', () => {
  test('are one for each who has a role, in the own language or in both, and none for all', async () => {
    const { run } = desk(
      group([
        { id: 1, role: 'operator', lang: 'fa' },
        { id: 2, role: 'owner', lang: null },
      ]),
    );
    expect(await run()).toEqual([
      ['delete', 'chat -7', undefined, undefined],
      ['delete', 'chat -7', 'fa', undefined],
      ['set', 'chat_member -7 1', undefined, 'help fa, send fa'],
      ['delete', 'chat_member -7 1', 'fa', undefined],
      ['set', 'chat_member -7 2', undefined, 'help en, send en, audit en'],
      ['set', 'chat_member -7 2', 'fa', 'help fa, send fa, audit fa'],
    ]);
  });

  test('speak the language of the group to those who chose none, and to those without a role', async () => {
    const { run } = desk(group([{ id: 1, role: 'viewer', lang: null }], { lang: 'fa' }));
    expect(await run()).toEqual([
      ['set', 'chat -7', undefined, 'help fa'],
      ['delete', 'chat -7', 'fa', undefined],
      ['set', 'chat_member -7 1', undefined, 'help fa'],
      ['delete', 'chat_member -7 1', 'fa', undefined],
    ]);
  });

  test('are published once, then only where something has changed', async () => {
    const { state, run } = desk(
      group([
        { id: 1, role: 'operator', lang: 'en' },
        { id: 2, role: 'viewer', lang: 'en' },
      ]),
    );
    await run();
    expect(await run()).toEqual([]);
    state.audience = group([{ id: 1, role: 'viewer', lang: 'en' }]);
    expect(await run()).toEqual([['set', 'chat_member -7 1', undefined, 'help en']]);
    // The role is gone, and with it the menu of one's own.
    state.audience = group([{ id: 1, role: null, lang: 'en' }]);
    expect(await run()).toEqual([['delete', 'chat_member -7 1', undefined, undefined]]);
    expect(await run()).toEqual([]);
  });

  test('lose with the account what needs one', async () => {
    const people = [{ id: 1, role: 'owner', lang: 'en' }] as const;
    const { state, run } = desk(group(people));
    await run();
    state.audience = group(people, {}, null);
    expect(await run()).toEqual([['set', 'chat_member -7 1', undefined, 'help en, audit en']]);
    // Another credential may be able to do less.
    state.audience = group(people, {}, ['token']);
    expect(await run()).toEqual([]);
  });

  test('are not published in a channel, nor in a chat that is not there', async () => {
    const { state, run } = desk(group([{ id: 1, role: 'owner', lang: null }], { type: 'channel' }));
    expect(await run()).toEqual([]);
    state.audience = null;
    expect(await run()).toEqual([]);
  });
});

describe('the menu of a private chat', () => {
  const alone = (role: 'owner' | null, lang: 'en' | 'fa' | null): MenuAudience => ({
    chat: { telegramId: 5, type: 'private', lang: null },
    kinds: role === null ? null : ['api_key'],
    people: [{ id: 5, role, lang }],
  });

  test('is the chat’s; without a role there is one only in a language that was chosen', async () => {
    const { state, run } = desk(alone('owner', 'fa'));
    expect(await run()).toEqual([
      ['set', 'chat 5', undefined, 'help fa, send fa, audit fa'],
      ['delete', 'chat 5', 'fa', undefined],
    ]);
    state.audience = alone(null, 'en');
    expect(await run()).toEqual([['set', 'chat 5', undefined, 'help en']]);
    state.audience = alone(null, null);
    expect(await run()).toEqual([['delete', 'chat 5', undefined, undefined]]);
  });
});

describe('what Telegram refuses', () => {
  test.each([
    refusal('Forbidden: bot was kicked from the supergroup chat', 403),
    refusal('Forbidden: bot was blocked by the user', 403),
    refusal('Bad Request: chat not found'),
  ])('as long as the bot is not there ends quietly and is taken up again: $description', async (gone) => {
    const { state, run } = desk(group([{ id: 1, role: 'owner', lang: 'en' }]));
    await run();
    state.audience = group([{ id: 1, role: 'viewer', lang: 'en' }], { lang: 'fa' });
    state.refuse = () => gone;
    expect(await run()).toHaveLength(1);
    state.refuse = () => null;
    const later = await run();
    expect(later.map(([what, scope]) => `${what} ${scope}`)).toEqual(['set chat -7', 'set chat_member -7 1']);
  });

  test('for one person leaves the others their menus', async () => {
    const { state, run } = desk(
      group([
        { id: 1, role: 'viewer', lang: 'en' },
        { id: 2, role: 'viewer', lang: 'en' },
      ]),
    );
    state.refuse = (user) => (user === 1 ? refusal('Bad Request: PARTICIPANT_ID_INVALID') : null);
    expect((await run()).at(-1)).toEqual(['delete', 'chat_member -7 2', 'fa', undefined]);
    // Who has come back gets it with the next change.
    state.refuse = () => null;
    expect(await run()).toContainEqual(['set', 'chat_member -7 1', undefined, 'help en']);
  });

  test.each([
    { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 3000 } },
    refusal('Bad Gateway', 502),
  ])('for the moment makes the job come again: $description', async (answer) => {
    const { state, run } = desk(group([{ id: 1, role: 'viewer', lang: 'en' }]));
    state.refuse = () => answer;
    await expect(run()).rejects.toThrow();
    state.refuse = () => null;
    expect(await run()).toHaveLength(4);
  });
});
