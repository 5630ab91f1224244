import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message } from '@grammyjs/types';
import type { Locale } from '../../src/i18n/define.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { dumpOf, spellingsIn } from '../support/hunt.ts';
import { registeringIn, shortSteps, type Steps } from '../support/registering.ts';
import { given, plain, type TestAccount } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/*
 * What registrations that end in every way leave behind: the passwords and national codes that went through
 * them are in no log line, no row, no message that is still to be seen, and but for a generated password in no call to Telegram.
 */

/** Characters that every encoding writes in another way; each story has its own, so that a leak names its place. */
const PASSWORDS = {
  registered: String.raw`p1!"/+%&=?\<b>Rx`,
  refused: String.raw`p2!"/+%&=?\<b>Fx`,
  lost: String.raw`p3!"/+%&=?\<b>Lx`,
  cancelled: String.raw`p4!"/+%&=?\<b>Cx`,
  left: String.raw`p5!"/+%&=?\<b>Fm`,
  expired: String.raw`p6!"/+%&=?\<b>Ex`,
  barred: String.raw`p7!"/+%&=?\<b>Bx`,
};
const CODES = {
  registered: '0012345679',
  refused: '0790419904',
  lost: '0084575948',
  cancelled: '0060495219',
  left: '0499370899',
  expired: '1234567891',
  barred: '2345678909',
};
type Story = keyof typeof PASSWORDS;
const STORIES = Object.keys(PASSWORDS) as Story[];

interface Remains {
  readonly logs: string;
  readonly sent: string;
  readonly visible: string;
  readonly dump: Awaited<ReturnType<typeof dumpOf>>;
  readonly states: Record<string, number>;
  readonly generated: string;
  readonly leftSecrets: string[];
}

const RUNS = [
  { versions: '3,4,1', locale: 'en' },
  { versions: '4', locale: 'fa' },
] as const;

describe.each(RUNS)('on versions $versions in $locale', ({ versions, locale }) => {
  let world: World;
  let remains: Remains;

  beforeAll(async () => {
    world = await startWorld({ GATEWAY_VERSIONS: versions });
    remains = await runAll(world, locale);
  });
  afterAll(async () => {
    await world.stop();
  });

  test.each(STORIES)('the secrets of one that was %s are nowhere', (story) => {
    for (const secret of [PASSWORDS[story], CODES[story]]) {
      expect(spellingsIn(remains.logs, secret), 'log').toEqual([]);
      expect(spellingsIn(remains.dump.text, secret), 'database').toEqual([]);
      expect(spellingsIn(remains.sent, secret), 'sent').toEqual([]);
      expect(remains.visible.includes(secret), 'visible').toBe(false);
    }
    expect(remains.leftSecrets).toEqual([]);
  });

  test('a generated password was shown, and is nowhere else', () => {
    expect(remains.generated).toMatch(/^[A-Za-z2-9]{16}$/);
    expect(spellingsIn(remains.sent, remains.generated)).toContain('raw');
    expect(spellingsIn(remains.logs, remains.generated)).toEqual([]);
    expect(spellingsIn(remains.dump.text, remains.generated)).toEqual([]);
    expect(remains.visible).not.toContain(remains.generated);
  });

  test('all of it happened, and what was searched is there to be found', () => {
    expect(remains.states).toEqual({ registered: 2, refused: 1, unknown: 1, cancelled: 3 });
    expect(remains.dump.tables).toEqual(
      expect.arrayContaining([
        'public.registration',
        'public.form',
        'public.update',
        'public.button',
        'public.audit',
      ]),
    );
    for (const story of STORIES.filter((each) => each !== 'left'))
      expect(remains.dump.text).toContain(`${story}User`);
    expect(remains.logs).toContain('user_name_taken');
    expect(remains.visible).toContain('registeredUser');
  });
});

async function runAll(world: World, locale: Locale): Promise<Remains> {
  const talk = registeringIn(world);
  let shown = '';

  const linked = async (): Promise<{ person: Person; account: TestAccount }> => {
    const person = world.driver.user({ first_name: 'Sara', language_code: locale });
    const account = talk.manager();
    await talk.connects(person, { apiKey: account.apiKey });
    return { person, account };
  };
  const stepsOf = (story: Story, account: TestAccount, more: Steps = {}): Steps => ({
    parent: account.username,
    ...shortSteps(`${story}User`, { password: PASSWORDS[story], code: CODES[story], ...more }, locale),
  });
  const prepared = async (story: Story, more: Steps = {}, label = '✅') => {
    const { person, account } = await linked();
    return {
      person,
      account,
      summary: await talk.prepares(person, stepsOf(story, account, more), locale, label),
    };
  };
  const ends = async (message: Message): Promise<void> => {
    await talk.turns(message, (each) => each.reply_markup === undefined && !plain(each).startsWith('⏳'));
  };
  /** What the gateway may repeat of what it was sent, in the answer. */
  const echo = (story: Story): string =>
    `${PASSWORDS[story]} ${encodeURIComponent(PASSWORDS[story])} ${CODES[story]} ${Buffer.from(CODES[story]).toString('base64')}`;

  const stories: Record<Story | 'generated', () => Promise<void>> = {
    async registered() {
      const { person, summary } = await prepared('registered');
      await talk.presses(person, summary, '✅');
      await ends(summary);
    },
    async refused() {
      const { person, account, summary } = await prepared('refused');
      talk.harms(account.username, {
        kind: 'error',
        status: 400,
        code: 15,
        message: `کد 15 ${echo('refused')}`,
      });
      await talk.presses(person, summary, '✅');
      await ends(summary);
    },
    async lost() {
      const { person, account, summary } = await prepared('lost');
      talk.harms(account.username, { kind: 'body', text: `<html>${echo('lost')}</html>`, httpStatus: 502 });
      await talk.presses(person, summary, '✅');
      await ends(summary);
    },
    async cancelled() {
      const { person, summary } = await prepared('cancelled');
      await talk.presses(person, summary, '✖');
      await ends(summary);
    },
    async left() {
      const { person, account } = await linked();
      const said = person.send(person, '/register');
      const { parent, name, mobile, code, password } = stepsOf('left', account);
      const known = { parent, name, mobile, code, password } as Steps;
      const last = await talk.answers(person, said.message_id, known, locale);
      await talk.hears(person, locale === 'fa' ? 'بستهٔ تعرفه' : 'tariff package', last);
      await talk.asks(
        person,
        person,
        '/cancel',
        locale === 'fa' ? 'آنچه نوشتید فراموش شد' : 'Cancelled. Nothing was sent',
      );
    },
    async expired() {
      const { person, summary } = await prepared('expired');
      await talk.settled(person, person);
      await world.database.sql`update registration set expires_at = now() where person_id = ${person.id}`;
      await talk.hurries(person, 'registration');
      await ends(summary);
    },
    async barred() {
      const { person, summary } = await prepared('barred');
      await world.database.sql`delete from member where person_id = ${person.id}`;
      await talk.presses(person, summary, '✅');
      await ends(summary);
    },
    async generated() {
      const { person, summary } = await prepared(
        'registered',
        { name: 'generatedUser', password: { tap: '🎲' } },
        '👁',
      );
      await talk.presses(person, summary, '👁');
      const message = await talk.turns(summary, /\S{16}\n/);
      shown = given(/: ([A-Za-z2-9]{16})\n/.exec(plain(message))?.[1]);
      await talk.presses(person, message, '✅');
      await ends(summary);
    },
  };
  await Promise.all(Object.values(stories).map(async (story) => await story()));
  expect(talk.errors()).toEqual([]);
  await world.app.stop();

  const chats = await world.database.sql<{ telegram_id: number }[]>`select telegram_id from chat`;
  const states = await world.database.sql<{ state: string; count: number }[]>`
    select state, count(*)::int as count from registration group by state`;
  return {
    logs: world.logs.join(''),
    sent: world.driver
      .calls()
      .map(({ params }) => textOf(params))
      .join('\n'),
    visible: chats
      .flatMap((chat) => world.driver.messages(chat.telegram_id))
      .map(plain)
      .join('\n'),
    dump: await dumpOf(world.database.sql),
    states: Object.fromEntries(states.map(({ state, count }) => [state, count])),
    generated: shown,
    leftSecrets: talk.leftSecrets(),
  };
}

/** Every text inside the parameters of a call, as it is and as JSON. */
function textOf(params: Readonly<Record<string, unknown>>): string {
  const values = Object.values(params).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
  return [...values, JSON.stringify(params)].join('\n');
}
