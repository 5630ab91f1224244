import { Api } from 'grammy';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Role } from '../domain/roles.ts';
import type { BindingView, ChatType } from '../ports/stores.ts';
import { defineCommand, type Command } from './feature.ts';
import { html } from './html.ts';
import { publishMenus, usage, visibleCommands } from './menus.ts';
import type { Turn } from './turn.ts';

function command(name: string, more: Partial<Command> = {}): Command {
  const made = defineCommand({
    name,
    permission: null,
    about: (locale) => `${name} ${locale}`,
    args: {},
    run: () => Promise.resolve(),
  });
  return { ...made, ...more };
}

const COMMANDS = [
  command('help'),
  command('send', { permission: 'send.prepare', facet: 'sending' }),
  command('credit', { permission: 'credit.view', facet: 'credit' }),
  command('team', { permission: 'team.view' }),
  command('secret', { place: 'private' }),
  command('send-text', { internal: true }),
];

const BINDING: BindingView = { id: 'b', kinds: ['api_key'], keyTail: '', accountName: '', line: null };

function visible(type: ChatType, role: Role | null, facets: readonly string[] | null): string[] {
  const turn = {
    chat: { type },
    role,
    binding: facets === null ? null : BINDING,
    capabilities: { has: (facet: string) => facets?.includes(facet) ?? false, missing: () => [] },
  } as unknown as Turn;
  return visibleCommands(COMMANDS, turn).map(({ name }) => name);
}

describe('the commands that a person sees', () => {
  test.each<[ChatType, Role | null, readonly string[] | null, string[]]>([
    ['private', null, null, ['help', 'secret']],
    ['supergroup', null, null, ['help']],
    ['supergroup', 'viewer', ['sending', 'credit'], ['help', 'credit']],
    ['supergroup', 'operator', ['sending', 'credit'], ['help', 'send', 'credit']],
    ['supergroup', 'operator', ['credit'], ['help', 'credit']],
    ['supergroup', 'operator', null, ['help']],
    ['private', 'owner', ['sending', 'credit'], ['help', 'send', 'credit', 'team', 'secret']],
  ])('%s, %s, account for %s', (type, role, facets, wanted) => {
    expect(visible(type, role, facets)).toEqual(wanted);
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
  expect(usage(send, 'fa')).toBe('/send <شماره‌ها> [line]');
  expect(usage(command('help'), 'en')).toBe('/help');
});

test('the menus say in each language and place what works there, and no more', async () => {
  const calls: { scope: string; language: string | undefined; names: string[]; about: string | undefined }[] =
    [];
  const api = new Api('1:x');
  api.config.use((_prev, method, payload) => {
    const {
      commands,
      scope,
      language_code: language,
    } = payload as unknown as {
      commands: { command: string; description: string }[];
      scope: { type: string };
      language_code?: string;
    };
    expect(method).toBe('setMyCommands');
    calls.push({
      scope: scope.type,
      language,
      names: commands.map((each) => each.command),
      about: commands[0]?.description,
    });
    return Promise.resolve({ ok: true, result: true } as never);
  });
  await publishMenus(api, COMMANDS);
  const group = ['help', 'send', 'credit'];
  const all = ['help', 'send', 'credit', 'team', 'secret'];
  expect(calls).toEqual([
    { scope: 'all_group_chats', language: undefined, names: group, about: 'help en' },
    { scope: 'all_private_chats', language: undefined, names: all, about: 'help en' },
    { scope: 'all_group_chats', language: 'fa', names: group, about: 'help fa' },
    { scope: 'all_private_chats', language: 'fa', names: all, about: 'help fa' },
  ]);
});
