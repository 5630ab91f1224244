import { Api } from 'grammy';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Role } from '../../domain/roles.ts';
import { stripBidi } from '../../i18n/format.ts';
import type { Capabilities } from '../../ports/gateways.ts';
import type { BindingView, ChatType } from '../../ports/stores.ts';
import { defineCommand, type Command } from '../feature.ts';
import { html } from '../html.ts';
import type { RequestContext } from '../request-context.ts';
import {
  menuFor,
  menuLists,
  obstacles,
  outlookOf,
  publishDefaultMenus,
  usage,
  visibleCommands,
} from './menus.ts';

function command(name: string, more: Partial<Command> = {}): Command {
  const made = defineCommand({
    name,
    permission: null,
    everyday: true,
    about: (locale) => `${name} ${locale}`,
    args: {},
    run: () => Promise.resolve(),
  });
  return { ...made, ...more };
}

const COMMANDS = [
  command('help'),
  command('connect', { onceLinked: 'connect' }),
  command('send', { permission: 'send.prepare', facet: 'sending' }),
  command('credit', { permission: 'credit.view', facet: 'credit' }),
  command('team', { permission: 'team.view' }),
  command('secret', { place: 'private' }),
  command('send-text', { about: null }),
];

const BINDING: BindingView = { id: 'b', kinds: ['api_key'], keyTail: '', accountName: '', line: null };

const able = (facets: readonly string[]): Capabilities => ({
  versions: [],
  has: (facet) => facets.includes(facet),
  missing: (facet) => (facets.includes(facet) ? [] : ['token']),
});

function requestOf(type: ChatType, role: Role | null, facets: readonly string[] | null): RequestContext {
  return {
    chat: { type },
    role,
    binding: facets === null ? null : BINDING,
    capabilities: able(facets ?? ['sending', 'credit']),
  } as unknown as RequestContext;
}

const named = (commands: readonly Command[]) => commands.map(({ name }) => name);

describe('the commands that a person sees', () => {
  test.each<[ChatType, Role | null, readonly string[] | null, string[]]>([
    ['private', null, null, ['help', 'connect', 'secret']],
    ['supergroup', null, null, ['help', 'connect']],
    ['supergroup', null, ['sending', 'credit'], ['help']],
    ['supergroup', 'viewer', ['sending', 'credit'], ['help', 'credit']],
    ['supergroup', 'operator', ['sending', 'credit'], ['help', 'send', 'credit']],
    ['supergroup', 'operator', ['credit'], ['help', 'credit']],
    ['supergroup', 'operator', null, ['help', 'connect']],
    ['private', 'owner', ['sending', 'credit'], ['help', 'connect', 'send', 'credit', 'team', 'secret']],
  ])('%s, %s, account for %s', (type, role, facets, wanted) => {
    expect(named(visibleCommands(COMMANDS, outlookOf(requestOf(type, role, facets))))).toEqual(wanted);
  });

  test('are those that nothing stands in the way of; of the others everything is named that does', () => {
    const pattern = command('pattern', { permission: 'send.pattern', facet: 'pattern', place: 'private' });
    const seen = (type: ChatType, role: Role | null, facets: readonly string[] | null) =>
      obstacles(pattern, outlookOf(requestOf(type, role, facets)));
    expect(seen('private', 'operator', ['pattern'])).toEqual([]);
    expect(seen('group', 'viewer', ['sending'])).toEqual([
      { kind: 'place' },
      { kind: 'role', least: 'operator' },
      { kind: 'credential', missing: ['token'] },
    ]);
    // Without an account nobody can say what it could do.
    expect(seen('private', 'owner', null)).toEqual([{ kind: 'account' }]);
  });
});

test('usage shows what must be given, what may be, and nothing that the form alone asks', () => {
  const argument = {
    schema: z.string(),
    usage: (locale: string) => (locale === 'fa' ? 'شماره‌ها' : 'numbers'),
    ask: () => html`?`,
    problem: () => html`!`,
  };
  const send = command('send', {
    args: {
      numbers: argument,
      line: { ...argument, usage: () => 'line', optional: true },
      key: { ...argument, take: null },
    },
  });
  expect(usage(send, 'en')).toBe('/send <numbers> [line]');
  expect(usage(send, 'fa')).toBe('/send <\u2068شماره‌ها\u2069> [\u2068line\u2069]');
  expect(stripBidi(usage(send, 'fa'))).toBe('/send <شماره‌ها> [line]');
  expect(usage(command('help'), 'en')).toBe('/help');
});

describe('the lists of one menu', () => {
  const outlook = outlookOf(requestOf('group', null, null));
  const spoken = (known: 'en' | 'fa' | null, fallback: 'en' | 'fa' = 'en') => {
    const { any, fa } = menuLists(COMMANDS, outlook, { known, fallback });
    return [any?.[0]?.description ?? null, fa?.[0]?.description ?? null];
  };

  test('are one for everybody where the language is known, and else one for those who read Persian too', () => {
    expect(spoken('en')).toEqual(['help en', null]);
    expect(spoken('fa')).toEqual(['help fa', null]);
    expect(spoken(null)).toEqual(['help en', 'help fa']);
    expect(spoken(null, 'fa')).toEqual(['help fa', null]);
  });
});

test('a menu has what is used every day, and some things only until there is an account', () => {
  const all = [
    command('connect', { everyday: 'until_linked' }),
    command('send'),
    defineCommand({
      name: 'audit',
      permission: null,
      about: () => '',
      args: {},
      run: () => Promise.resolve(),
    }),
  ];
  const entries = (facets: readonly string[] | null) =>
    menuFor(all, outlookOf(requestOf('private', 'owner', facets)), 'en').map((each) => each.command);
  expect(entries(null)).toEqual(['connect', 'send']);
  expect(entries([])).toEqual(['send']);
});

test('the menus of all chats hold in each language what is open to anyone there, and no more', async () => {
  const calls: unknown[] = [];
  const api = new Api('1:x');
  api.config.use((_prev, method, payload) => {
    const {
      commands = null,
      scope,
      language_code: language,
    } = payload as unknown as {
      commands?: { command: string; description: string }[];
      scope: { type: string };
      language_code?: string;
    };
    calls.push([method, scope.type, language, commands?.map(({ description }) => description)]);
    return Promise.resolve({ ok: true, result: true } as never);
  });
  await publishDefaultMenus(api, COMMANDS, 'en');
  expect(calls).toEqual([
    ['setMyCommands', 'all_private_chats', undefined, ['help en', 'connect en', 'secret en']],
    ['setMyCommands', 'all_private_chats', 'fa', ['help fa', 'connect fa', 'secret fa']],
    ['setMyCommands', 'all_group_chats', undefined, ['help en', 'connect en']],
    ['setMyCommands', 'all_group_chats', 'fa', ['help fa', 'connect fa']],
  ]);
  calls.length = 0;
  await publishDefaultMenus(api, COMMANDS, 'fa');
  expect(calls.filter((call) => Array.isArray(call) && call[0] === 'deleteMyCommands')).toEqual([
    ['deleteMyCommands', 'all_private_chats', 'fa', undefined],
    ['deleteMyCommands', 'all_group_chats', 'fa', undefined],
  ]);
});
