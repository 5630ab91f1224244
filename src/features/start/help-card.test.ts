import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Role } from '../../domain/roles.ts';
import type { Locale } from '../../i18n/define.ts';
import { stripBidi } from '../../i18n/format.ts';
import type { CredentialName, FacetName } from '../../ports/gateway.ts';
import type { Outlook } from '../../telegram/dispatch/menus.ts';
import { defineCommand, type Command, type Feature, type Topic } from '../../telegram/feature.ts';
import { html, plainText } from '../../telegram/html.ts';
import { helpOn, helpOverview } from './help-card.ts';

const word = {
  schema: z.string(),
  usage: () => 'word',
  ask: () => html`?`,
  problem: () => html`!`,
};

const command = (name: string, more: Partial<Command> = {}): Command => ({
  ...defineCommand({
    name,
    permission: null,
    about: (locale) => (locale === 'fa' ? `کار ${name}` : `does ${name}`),
    args: {},
    run: () => Promise.resolve(),
  }),
  ...more,
});

const feature = (name: string, topic: Topic | undefined, commands: readonly Command[]): Feature => ({
  name,
  ...(topic === undefined ? {} : { topic }),
  commands,
});

const FEATURES = [
  feature('start', undefined, [command('help')]),
  feature('connect', 'account', [
    command('connect', { onceLinked: 'connect' }),
    command('connect-key', { about: null }),
  ]),
  feature('send', 'sending', [
    command('send', {
      permission: 'send.prepare',
      facet: 'sending',
      args: { word },
      example: () => '/send 09121234567 Hello',
    }),
  ]),
  feature('pattern', 'sending', [
    command('pattern', { permission: 'send.pattern', facet: 'pattern' }),
    command('future', { permission: 'send.future', facet: 'futureSend' }),
    command('nowhere', { permission: 'send.future', facet: 'multi' }),
  ]),
  feature('users', 'team', [
    command('register', { permission: 'users.register', facet: 'registration', place: 'private' }),
  ]),
];

/** An account that sends and registers; a token would add patterns, and nothing at all the several messages. */
const MISSING: Partial<Record<FacetName, readonly CredentialName[]>> = {
  pattern: ['token', 'username_password'],
  futureSend: ['token', 'username_password'],
  multi: [],
};

const outlook = (role: Role | null, more: Partial<Outlook> = {}): Outlook => ({
  isPrivate: false,
  role,
  capabilities: {
    versions: [],
    has: (facet) => MISSING[facet] === undefined,
    missing: (facet) => MISSING[facet] ?? [],
  },
  ...more,
});

const read = (content: Parameters<typeof plainText>[0]): string => stripBidi(plainText(content));
const overview = (from: Outlook, locale: Locale = 'en') => read(helpOverview(FEATURES, from, locale));
const on = (wanted: string, from: Outlook, locale: Locale = 'en') =>
  read(helpOn(FEATURES, wanted, from, locale).content);

describe('help', () => {
  test('has a heading for each group in which something works, and what a credential would add', () => {
    expect(overview(outlook('operator')).split('\n')).toEqual([
      'What you can do here',
      '',
      '✉️ Sending',
      '/send: does send',
      '',
      '🧭 General',
      '/help: does help',
      '',
      'With a version 1 token or a user name and password also: /pattern · /future',
      'The owner adds one with /connect',
      'One of them in detail: /help send · one group: /help sending',
    ]);
  });

  test('is the same in Persian', () => {
    const text = overview(outlook('operator'), 'fa');
    expect(text).toMatch(/^کارهایی که اینجا می‌توانید انجام دهید\n\n✉️ ارسال\n\/send: کار send\n/);
    expect(text).toMatch(/با توکن نسخهٔ ۱ یا نام کاربری و رمز این‌ها هم: \/pattern · \/future/);
  });

  test('names nothing that the role does not reach, credential or not', () => {
    const text = overview(outlook('viewer'));
    expect(text).not.toMatch(/send|pattern|future|The owner adds/);
    expect(overview(outlook(null))).not.toContain('/connect:');
  });

  test('before an account is linked tells that more will come', () => {
    const text = overview(outlook(null, { capabilities: null }));
    expect(text).toContain('/connect: does connect');
    expect(text).toContain('More commands appear once an account is linked: /connect');
    expect(text).not.toContain('/send');
  });
});

describe('help on one command', () => {
  test('shows how it is written, what it does, and a line that works', () => {
    expect(on('send', outlook('owner'))).toBe('/send <word>\ndoes send\nExample:\n/send 09121234567 Hello');
    expect(on('/SEND', outlook('owner'))).toBe(on('send', outlook('owner')));
    expect(on('/send@PeykBot', outlook('owner'))).toBe(on('send', outlook('owner')));
    expect(on('send', outlook('owner'), 'fa')).toContain('نمونه:\n/send 09121234567 Hello');
  });

  test.each(['sned', 'سثدی', 'سند'])('takes a name that is nearly one, like everywhere: %s', (typed) => {
    expect(on(typed, outlook('owner'))).toBe(on('send', outlook('owner')));
  });

  test.each([
    ['a role that is missing', 'send', outlook('viewer'), /role operator; yours is viewer.*\/role/],
    ['no role at all', 'send', outlook(null), /role operator; you have none here/],
    [
      'no account',
      'send',
      outlook('owner', { capabilities: null }),
      /once an account is linked here: \/connect/,
    ],
    ['a credential', 'pattern', outlook('owner'), /needs a version 1 token or a user name.*\/connect/],
    ['what the gateway does not offer', 'nowhere', outlook('owner'), /does not offer it/],
    ['the place', 'register', outlook('owner'), /in the private chat with me/],
    ['the owner’s part', 'connect', outlook('viewer'), /role owner; yours is viewer/],
  ])('says what stands in the way: %s', (_why, name, from, says) => {
    expect(on(name, from)).toMatch(/It does not work for you here at the moment:\n• /);
    expect(on(name, from)).toMatch(says);
    expect(on(name, from, 'fa')).toMatch(/فعلاً اینجا برای شما کار نمی‌کند:\n• /);
  });

  test('says everything that stands in the way, and offers the private chat where that is a part of it', () => {
    const { content, inPrivate } = helpOn(FEATURES, 'register', outlook('viewer'), 'en');
    expect(read(content)).toMatch(/private chat[\s\S]*role admin; yours is viewer/);
    expect(inPrivate).toBe(true);
    expect(helpOn(FEATURES, 'send', outlook('viewer'), 'en').inPrivate).toBe(false);
  });
});

describe('help on a group', () => {
  test.each(['sending', 'Sending', 'ارسال'])('is found by its name: %s', (name) => {
    expect(on(name, outlook('operator')).split('\n')).toEqual([
      '✉️ Sending',
      '/send <word>',
      'does send',
      'Not available to you here now: /pattern · /future · /nowhere. Why: /help pattern',
    ]);
  });

  test('that is no group, or a form, tells the groups there are', () => {
    expect(on('weather', outlook(null))).toBe(
      'There is no command weather. All of them: /help\nGroups: Sending, Account, Team and General',
    );
    expect(on('connect-key', outlook('owner'))).toContain('no command connect-key');
    expect(on('account', outlook('owner'))).not.toContain('connect-key');
    expect(on('\u202e<b>' + 'x'.repeat(5000), outlook(null)).length).toBeLessThan(200);
  });
});
