import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Locale } from '../../src/i18n/define.ts';
import { hurry } from '../support/quiet.ts';
import { inAnyOrder, isDraft, ordersIn } from '../support/orders.ts';
import { dataOf, harm, hasButton, HELD, until } from '../support/story.ts';
import { isFromBot, plain, rows, type TestAccount } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/* What /multi, /future, /pattern and /booksend have in common with /send: who may, how often, and how it ends. */

const KINDS = [
  {
    command: 'multi',
    operation: 'multi',
    line: (text: string) => `/multi 3000123456;09121234567;${text}`,
    answers: ['3000123456;09121234567;by reply'],
  },
  {
    command: 'future',
    operation: 'future-send',
    line: (text: string) => `/future in 3h 09121234567 ${text}`,
    answers: ['in 3h', '09121234567', 'by reply'],
  },
  {
    command: 'pattern',
    operation: 'pattern-send',
    line: (text: string) => `/pattern 1 09121234567 code="${text}"`,
    answers: ['1', '09121234567', 'code="by reply"'],
  },
  {
    command: 'booksend',
    operation: 'phonebook-send',
    line: (text: string) => `/booksend Staff ${text}`,
    answers: ['Staff', 'by reply'],
  },
] as const;

/** An account for which every kind works. */
const ABLE = {
  patterns: [{ id: 1, text: 'Code {code}' }],
  phonebooks: [
    { title: 'Staff', flag: 'staff', numbers: ['9121234567'] },
    { title: 'مشتریان', flag: 'customers', numbers: ['9121234567'] },
  ],
} satisfies Partial<TestAccount>;

describe('with sends that leave at once', () => {
  let world: World;
  let on: ReturnType<typeof ordersIn>;
  beforeAll(async () => {
    world = await startWorld({}, { deliverySeconds: 600 });
    on = ordersIn(world);
  });
  afterAll(async () => {
    expect(on.talk.errors()).toEqual([]);
    await world.stop();
  });

  const updateWith = (...parts: readonly string[]): number => {
    const found = world.playground.control
      .updates()
      .findLast(({ json }) => parts.every((part) => json.includes(part)));
    if (found === undefined) throw new Error(`no update has ${parts.join(' and ')}`);
    return found.id;
  };
  const someone = (first_name: string) => world.driver.user({ first_name, language_code: 'en' });
  const answer = async (queryId: string): Promise<string> =>
    (await world.driver.waitForAnswer(queryId)).text ?? '';

  describe.concurrent.each(KINDS)('/$command', ({ command, operation, line, answers }) => {
    test('is pressed twice and delivered again by Telegram, and makes one draft and one call', async () => {
      const { sara, account } = await on.linked(ABLE);
      const text = `once of ${command}`;
      const card = await on.order(sara, line(text));
      const typed = updateWith(text);
      world.playground.control.resendUpdate(typed);
      const taps = [sara.tap(card, '✅'), sara.tap(card, '✅')];
      const [first, second] = await Promise.all(taps.map(answer));
      expect(first).toBe('');
      expect(second).toMatch(/^You pressed this already, at \d/u);
      await on.talk.turns(card, '1 accepted');
      const pressed = updateWith(`"${taps[0]}"`);
      await world.database.sql`delete from update where update_id in (${typed}, ${pressed})`;
      for (const id of [typed, pressed, typed, pressed]) world.playground.control.resendUpdate(id);
      await on.settled(sara);
      await on.talk.settled(sara, sara);
      expect(on.calls(account, operation)).toHaveLength(1);
      expect(on.sent(account)).toHaveLength(1);
      const cards = world.driver.messages(sara).filter((m) => isFromBot(m) && /#A\d/u.test(plain(m)));
      expect(cards).toHaveLength(1);
    });

    test('is left by its Cancel button, and an old button then sends nothing', async () => {
      const { sara, account } = await on.linked(ABLE);
      const card = await on.order(sara, line('left alone'));
      expect(await on.talk.presses(sara, card, '✖')).toBe('');
      const left = await on.talk.turns(card, 'cancelled, none of it was sent');
      expect(rows(left)).toEqual([]);
      expect(await answer(sara.forge(card, dataOf(card, '✅')))).toContain('changed since');
      await on.settled(sara);
      expect(on.calls(account, operation)).toEqual([]);
    });

    test('says by itself that it has expired, and is a draft again by one press', async () => {
      const { sara, account } = await on.linked(ABLE);
      const card = await on.order(sara, line('forgotten'));
      await world.database.sql`
        with late as (
          update draft set expires_at = now() - interval '1 second'
          where chat_id = (select id from chat where telegram_id = ${sara.id}) returning id
        )
        update graphile_worker._private_jobs g set run_at = now() from late where g.key = 'expiry:' || late.id`;
      const shown = await on.talk.turns(card, 'expired, none of it was sent');
      expect(rows(shown)).toEqual([['🔄 Reopen']]);
      expect(on.calls(account, operation)).toEqual([]);
      await on.talk.presses(sara, shown, '🔄');
      const again = await on.talk.hears(sara, '#A1 again, which was not sent in time', card.message_id);
      expect(plain(again)).toContain('Draft #A2');
      expect(plain(again)).toContain(command === 'pattern' ? 'code = forgotten' : 'forgotten');
      expect(rows(await on.talk.turns(card, 'It is draft #A2 again'))).toEqual([]);
      await on.talk.presses(sara, again, '✅');
      await on.talk.turns(again, '1 accepted');
      expect(on.calls(account, operation)).toHaveLength(1);
    });

    test('is for operators, and its card for whoever asked', async () => {
      const [olga, omid, vera, nina] = [someone('Olga'), someone('Omid'), someone('Vera'), someone('Nina')];
      const group = world.driver.group({ creator: olga, members: [omid, vera, nina], bot: 'administrator' });
      const account = on.talk.account(ABLE);
      await on.talk.asks(omid, group, line('too early'), 'No gateway account is linked to this chat');
      await on.talk.connects(olga, pairOf(account), { chat: group });
      await on.talk.gives('operator', omid, group);
      await on.talk.gives('viewer', vera, group);
      for (const person of [vera, nina])
        await on.talk.asks(person, group, line('not allowed'), 'This needs the role operator in this chat');
      const card = await on.order(omid, line('allowed'), group);
      expect(await on.talk.presses(olga, card, '✅')).toBe('Only the person who asked can press this.');
      expect(await on.talk.presses(omid, card, '✅')).toBe('');
      const shown = await on.talk.turns(card, '1 accepted');
      expect(plain(shown)).toContain('by Omid');
      await on.settled(group);
      expect(on.calls(account, operation)).toHaveLength(1);
    });

    test('asks in a group for what is missing, and takes a reply to its question for the answer', async () => {
      const olga = someone('Olga');
      const group = world.driver.group({ creator: olga, bot: 'administrator' });
      await on.talk.connects(olga, pairOf(on.talk.account(ABLE)), { chat: group });
      let question = await on.talk.asks(olga, group, `/${command}`, '(Reply to this message.)');
      for (const [index, each] of answers.entries()) {
        const said = olga.send(group, each, { replyTo: question });
        const isLast = index === answers.length - 1;
        question = await on.talk.hears(group, isLast ? isDraft : '(Reply to this message.)', said.message_id);
      }
      expect(plain(question)).toContain('✉️ Draft #A1');
    });
  });

  describe.concurrent('a send of several calls', () => {
    test('is stopped before the last, and says what left', async () => {
      const row = '3000123456;09121234567';
      const { sara, account } = await on.linked({ credit: 100_000_000 });
      const { struck, heal } = harm(world, account, { ...HELD, operation: 'multi', times: 2 });
      const card = await on.order(sara, `/multi ${row};One\n${row};Two\n${row};Three`);
      expect(await on.talk.presses(sara, card, '✅')).toBe('');
      await struck();
      const running = await on.talk.turns(
        card,
        (m) => hasButton(m, '⏹') && plain(m).includes('2 waiting for the gateway’s answer'),
      );
      expect(plain(running)).toContain('1 waiting to be sent');
      expect(await on.talk.presses(sara, running, '⏹')).toBe('');
      await on.talk.turns(card, '1 not sent: stopped before');
      heal();
      await on.talk.turns(card, '2 accepted');
      await on.settled(sara);
      expect(on.calls(account, 'multi')).toHaveLength(2);
    });
  });

  describe.concurrent('the example of its help', () => {
    test.each(
      (['en', 'fa'] as const).flatMap((language) => KINDS.map(({ command }) => [command, language] as const)),
    )('of /%s in %s works as it stands', async (command, language: Locale) => {
      const { sara } = await on.linked({ ...ABLE, language });
      const help = await on.talk.asks(sara, sara, `/help ${command}`, '/' + command);
      const example = plain(help)
        .split('\n')
        .findLast((each) => each.startsWith(`/${command} `));
      const card = await on.order(sara, example ?? '');
      expect(plain(card)).toContain(language === 'en' ? '1 to send' : '۱ ارسال می‌شود');
    });
  });

  describe.concurrent('while the outcome of one message is unknown', () => {
    const TEXT = 'the same to the same';
    const WAYS = {
      send: { operation: 'send', line: (text: string) => `/send 09121234567 ${text}` },
      ...Object.fromEntries(KINDS.map(({ command, ...way }) => [command, way])),
    } as Record<string, { readonly operation: string; readonly line: (text: string) => string }>;
    const way = (command: string) => WAYS[command] ?? expect.unreachable(command);

    test.each([
      ['send', 'multi'],
      ['multi', 'send'],
      ['send', 'booksend'],
      ['booksend', 'multi'],
      ['multi', 'future'],
      ['future', 'send'],
      ['pattern', 'pattern'],
    ])('by /%s, the same by /%s is stopped, and another text goes through', async (first, second) => {
      const { sara, account } = await on.linked(ABLE);
      on.harm(account, way(first).operation, { kind: 'drop', when: 'after', times: 1 });
      const lost = await on.order(sara, way(first).line(TEXT));
      await on.ships(sara, lost, '1 unknown');
      const calls = on.talk.hits(account.username).length;

      const same = await on.order(sara, way(second).line(TEXT));
      const stopped = await on.ships(sara, same, 'Sending now could reach them twice');
      expect(plain(stopped)).toContain('1 not sent');
      expect(plain(stopped)).not.toContain('unknown:');
      await on.settled(sara);
      expect(on.sent(account)).toHaveLength(1);
      expect(
        on.talk
          .hits(account.username)
          .slice(calls)
          .filter(({ operation }) => /send|multi/u.test(operation ?? '')),
      ).toEqual([]);

      const other = await on.order(sara, way(second).line('quite another text'));
      await on.ships(sara, other, '1 accepted');
      expect(on.sent(account)).toHaveLength(2);
    });

    test('two equal rows of one file are one, and a second message to the number waits for nobody', async () => {
      const { sara, account } = await on.linked(ABLE);
      on.harm(account, 'multi', { kind: 'drop', when: 'after', times: 1 });
      const row = '3000123456;09121234567';
      const card = await on.order(sara, `/multi ${row};One\n${row};One\n${row};Two`);
      expect(plain(card)).toContain('🚫 2: 3000123456;09121234567;One: the same as a row above');
      const shown = await on.ships(sara, card, '1 unknown');
      expect(plain(shown)).toContain('1 accepted');
      await on.settled(sara);
      expect(inAnyOrder(on.sent(account).map(({ text }) => text))).toEqual(['One', 'Two']);
    });
  });
});

const pairOf = ({ username, password }: TestAccount) => ({ username, password });

describe('with an undo hold', () => {
  let world: World;
  let on: ReturnType<typeof ordersIn>;
  beforeAll(async () => {
    world = await startWorld({ UNDO_SECONDS: '600' }, { deliverySeconds: 600 });
    on = ordersIn(world);
  });
  afterAll(async () => {
    expect(on.talk.errors()).toEqual([]);
    await world.stop();
  });

  test.each(KINDS)(
    '/$command is undone before anything is asked of the gateway',
    async ({ operation, line }) => {
      const { sara, account } = await on.linked(ABLE);
      const card = await on.order(sara, line('taken back'));
      const holding = await on.ships(sara, card, 'leaving in');
      expect(plain(holding)).toContain(
        operation === 'multi' ? '1 message · leaving' : '1 recipient · leaving',
      );
      expect(rows(holding)).toEqual([['↩️ Undo']]);
      expect(await on.talk.presses(sara, holding, '↩️')).toBe('');
      const undone = await on.talk.turns(card, /undone by .* · not sent/u);
      expect(rows(undone)).toEqual([]);
      await hurry(world);
      await until(async () => {
        const left = await world.database
          .sql`select 1 from graphile_worker.jobs where task_identifier = 'send'`;
        expect(left).toEqual([]);
      });
      expect(on.calls(account, operation)).toEqual([]);
    },
  );
});
