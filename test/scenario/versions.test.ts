import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import type { Locale } from '../../src/i18n/define.ts';
import { given, isFromBot, plain, rows, talkIn, type TestAccount } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/*
 * The newcomer's story on every kind of binding and in both languages: first greeting, linking, a send to
 * three numbers of which one is wrong, its report, and what can be read of the account.
 */

type Deployment = '3,4,1' | '4' | '1';

interface Binding {
  readonly name: string;
  readonly deployment: Deployment;
  readonly serves: 3 | 4 | 1;
  readonly credential: (account: TestAccount) => Parameters<ReturnType<typeof talkIn>['connects']>[1];
}

const BINDINGS: readonly Binding[] = [
  {
    name: 'version 3 by API key',
    deployment: '3,4,1',
    serves: 3,
    credential: ({ apiKey }) => ({ apiKey }),
  },
  {
    name: 'version 3 by user name and password',
    deployment: '3,4,1',
    serves: 3,
    credential: ({ username, password }) => ({ username, password }),
  },
  { name: 'version 4 alone', deployment: '4', serves: 4, credential: ({ apiKey }) => ({ apiKey }) },
  { name: 'version 1 by token', deployment: '1', serves: 1, credential: ({ token }) => ({ token }) },
  {
    name: 'version 1 by user name and password',
    deployment: '1',
    serves: 1,
    credential: ({ username, password }) => ({ username, password }),
  },
];

interface Story extends Binding {
  readonly locale: Locale;
  readonly choice: 'the language of Telegram' | '/lang fa';
}

const STORIES = BINDINGS.flatMap((binding, index): Story[] => [
  { ...binding, locale: 'en', choice: 'the language of Telegram' },
  {
    ...binding,
    locale: 'fa',
    choice: index % 2 === 0 ? 'the language of Telegram' : '/lang fa',
  },
]);

/** What a person sees, in the person's language. */
const SEEN = {
  en: {
    hello: 'I am Peyk',
    send: '/send 09121234567, ۰۹۳۵۱۱۱۲۲۳۳, 0912x, Hello there',
    text: 'Hello there',
    all: '3 numbers → 2 to send, 1 invalid',
    bad: '0912x: not a number',
    measure: '11 characters · Latin · 1 part',
    confirm: '✅ Send 2 · 2 parts',
    edits: ['🕐 When', '✏️ Text', '📞 Line'],
    accepted: '2 accepted',
    delivered: '✅ 2 delivered',
    credit: (left: number) => `${left.toLocaleString('en')} rial`,
    expires: /Expires: \d{1,2} [A-Z][a-z]{2} \d{4}/,
    latest: ['2 recipients', 'As a whole: ✅ delivered'],
    when: /[A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2} 20\d\d, \d\d:\d\d/,
    state: '✅ delivered',
  },
  fa: {
    hello: 'من پیکم',
    send: '/send 09121234567، ۰۹۳۵۱۱۱۲۲۳۳، 0912x، جلسه فردا ساعت ۱۰ برگزار می‌شود.',
    text: 'جلسه فردا ساعت ۱۰ برگزار می‌شود.',
    all: '۳ شماره ← ۲ ارسال می‌شود، ۱ نامعتبر',
    bad: '0912x: شماره نیست',
    measure: '۳۲ کاراکتر · یونیکد · ۱ پارت',
    confirm: '✅ ارسال به ۲ · ۲ پارت',
    edits: ['📞 خط', '✏️ متن', '🕐 زمان'],
    accepted: '۲ پذیرفته شد',
    delivered: '✅ ۲ تحویل شد',
    credit: (left: number) => `${left.toLocaleString('fa')} ریال`,
    expires: /انقضا: [۰-۹]{1,2} \p{L}+ ۱[۳-۴][۰-۹]{2}/u,
    latest: ['۲ گیرنده', 'به‌طور کلی: ✅ تحویل شد'],
    when: /\p{L}+ [۰-۹]{1,2} \p{L}+ ۱[۴-۵][۰-۹]{2}، [۰-۹]{2}:[۰-۹]{2}/u,
    state: '✅ تحویل شد',
  },
};

const worlds = new Map<Deployment, World>();

beforeAll(async () => {
  for (const deployment of ['3,4,1', '4', '1'] as const) {
    worlds.set(deployment, await startWorld({ GATEWAY_VERSIONS: deployment }, { deliverySeconds: 2 }));
  }
});

afterAll(async () => {
  await Promise.all([...worlds.values()].map((world) => world.stop()));
});

describe.concurrent('a newcomer links an account, sends, and sees the report', () => {
  test.each(STORIES)('on $name, in $locale by $choice', async (story) => {
    const world = given(worlds.get(story.deployment));
    const talk = talkIn(world);
    const { locale } = story;
    const seen = SEEN[locale];
    const account = talk.account({ username: `${story.serves}${story.name.replaceAll(/\W/g, '')}${locale}` });
    const sara = world.driver.user({
      first_name: 'Sara',
      language_code: story.choice === '/lang fa' ? 'en' : locale === 'fa' ? 'fa-IR' : 'en',
    });

    // Greeting and language
    const hello = sara.start();
    if (story.choice === '/lang fa') {
      await talk.hears(sara, SEEN.en.hello);
      await talk.asks(sara, sara, '/lang fa', 'با شما فارسی حرف می‌زنم');
    } else {
      await talk.hears(sara, seen.hello, hello.message_id);
    }
    const spokenSince = world.driver.messages(sara).at(-1)?.message_id ?? 0;

    // Linking
    await talk.connects(sara, story.credential(account));
    expect(world.driver.messages(sara).map(plain).join('\n')).not.toMatch(
      new RegExp(`${account.apiKey}|${account.token}|${account.password}`),
    );

    // The card
    const card = await talk.asks(sara, sara, seen.send, '#A1');
    const shown = plain(card);
    expect(shown).toContain(seen.text);
    expect(shown).toContain(seen.all);
    expect(shown).toContain(seen.bad);
    expect(shown).toContain(seen.measure);
    expect(shown).toContain('3000123456');
    expect(shown).toContain('09121234567 09351112233');
    const [[confirm], edits] = rows(card) as [string[], string[]];
    expect(confirm).toBe(seen.confirm);
    expect(edits).toEqual(seen.edits);
    expect(talk.sends(account.username)).toEqual([]);

    // The send, by the gateway's own ledger
    expect(await talk.presses(sara, card, '✅')).toBe('');
    // On a slow machine it is delivered before the card has shown that it was accepted.
    await talk.turns(card, (message) =>
      [seen.accepted, seen.delivered].some((said) => plain(message).includes(said)),
    );
    const sent = talk.sends(account.username);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      version: story.serves,
      line: '3000123456',
      text: seen.text,
      recipients: ['9121234567', '9351112233'],
      flash: false,
    });

    // The report, and what can be read
    const done = await talk.turns(card, seen.delivered);
    const report = [[expect.stringMatching(/^📊 (Report|گزارش)$/u)]];
    expect(rows(done)).toEqual(report);
    const left = 10_000_000 - given(sent[0]).cost;
    await talk.asks(sara, sara, '/credit', seen.credit(left));
    const details = await talk.asks(sara, sara, '/account', 'کاربر آزمایشی');
    expect(plain(details)).toContain(seen.credit(left));
    expect(plain(details)).toContain('3000123456');
    // Version 1 shows neither tariff nor expiry.
    if (story.serves !== 1) expect(plain(details)).toMatch(seen.expires);
    const latest = await talk.asks(sara, sara, '/latest', seen.text);
    expect(plain(latest)).toContain('3000123456');
    // What a state of version 1 means here is not said: only the status operation has a table.
    for (const part of seen.latest.slice(0, story.serves === 1 ? 1 : 2)) {
      expect(plain(latest)).toContain(part);
    }
    expect(plain(latest)).toMatch(seen.when);
    const byCard = await talk.asks(sara, sara, '/status A1', seen.delivered);
    expect(rows(byCard)).toEqual(report);
    const id = given(sent[0]?.messageIds[0]);
    const byId = await talk.asks(sara, sara, `/status ${id}`, id);
    expect(plain(byId)).toContain(seen.state);

    // Nothing came twice, every call went by the one version, and the language held throughout.
    expect(talk.sends(account.username)).toHaveLength(1);
    expect(new Set(talk.hits(account.username).map(({ version }) => version))).toEqual(
      new Set([story.serves]),
    );
    for (const message of since(world, sara, spokenSince)) expectLanguage(message, locale);
    expect(talk.errors()).toEqual([]);
  });
});

function since(world: World, person: Person, after: number): Message[] {
  return world.driver.messages(person).filter((each) => isFromBot(each) && each.message_id > after);
}

/** Digits of prose are the language's; what is copied, quoted or somebody else's text is left alone. */
function expectLanguage(message: Message, locale: Locale): void {
  const prose = proseOf(message);
  if (locale === 'fa') expect(prose).not.toMatch(/[0-9]/);
  else expect(prose).not.toMatch(/[۰-۹]|\p{Script=Arabic}/u);
  for (const label of message.reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? []) {
    // Each language is offered in itself.
    if (['English', 'فارسی'].includes(label) || /^\d{5,14}$/.test(label)) continue;
    if (locale === 'fa') expect(label).not.toMatch(/[0-9]/);
    else expect(label).not.toMatch(/[۰-۹]|\p{Script=Arabic}/u);
  }
}

function proseOf(message: Message): string {
  const text = message.text ?? '';
  const quoted = (message.entities ?? []).filter(({ type }) =>
    /^(code|pre|.*blockquote|bot_command)$/.test(type),
  );
  const kept = [...text.matchAll(/[\s\S]/gu)].filter(
    ({ index }) => !quoted.some(({ offset, length }) => index >= offset && index < offset + length),
  );
  return kept
    .map(([character]) => character)
    .join('')
    .replaceAll(/[\u2066\u2068][^\u2069]*\u2069/gu, '');
}
