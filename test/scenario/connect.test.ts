import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { restart } from '../support/restart.ts';
import { schedulesIn } from '../support/scheduling.ts';
import { dataOf, linkOf, payloadOf, plain, rows, talkIn } from '../support/talk.ts';
import { startWorld } from '../support/world.ts';
import { useWorld } from '../support/use-world.ts';
import { until } from '../support/until.ts';

/* Linking and unlinking an account: who may, by which way, what is stored, and what becomes of a key. */

const { world, talk } = useWorld({}, { deliverySeconds: 1 });

const ASK_KEY = 'Send the API key';
const someone = (first_name: string) => world.driver.user({ first_name, language_code: 'en' });
const shows = (place: Parameters<typeof talk.hears>[0]): string =>
  world.driver.messages(place).map(plain).join('\n');

describe.concurrent('who may link an account to a group', () => {
  test('a member who is no administrator at Telegram is refused with the reason', async () => {
    const owner = someone('Olga');
    const member = someone('Mina');
    const group = world.driver.group({ creator: owner, members: [member] });
    const told = await talk.asks(member, group, '/connect', 'must be an administrator');
    expect(rows(told)).toEqual([]);
  });

  test('an administrator at Telegram may, becomes owner, and nobody else may replace it', async () => {
    const creator = someone('Olga');
    const admin = someone('Amir');
    const group = world.driver.group({ creator, members: [admin], title: 'Ops' });
    world.playground.control.member({ chat_id: group, user_id: admin.id, status: 'administrator' });
    const account = talk.account();

    await talk.connects(admin, { apiKey: account.apiKey }, { chat: group });
    await talk.hears(group, 'Linked by Amir');
    await talk.asks(admin, group, '/whoami', 'Role: owner');
    // The creator of the group has no role here by being its creator.
    await talk.asks(creator, group, '/connect', 'only the owner may replace it');
    await talk.asks(creator, group, '/disconnect', 'needs the role owner');
    expect(await talk.bindings(group)).toMatchObject([
      { state: 'live', kinds: ['api_key'], line: '3000123456' },
    ]);
  });

  test.each([
    { type: 'supergroup', lang: 'en', label: '💬 Open the group', says: 'Continue in «Ops». Try: /send' },
    { type: 'forum', lang: 'fa', label: '💬 بازکردن گروه', says: 'در «Ops» ادامه دهید.' },
    { type: 'group', lang: 'en', label: null, says: 'Continue in «Ops». Try: /send' },
  ] as const)(
    'the private chat ends with the way back into a $type, in $lang',
    async ({ type, lang, label, says }) => {
      const owner = world.driver.user({ first_name: 'Olga', language_code: lang });
      const group = world.driver.group({ creator: owner, title: 'Ops', type });
      const link = async () => {
        await talk.connects(owner, { apiKey }, { chat: group, line: null });
        return await talk.hears(group, /Linked by|حساب را وصل کرد/u, told);
      };
      const links = (message: Message) =>
        message.reply_markup?.inline_keyboard.filter((row) => row.some((button) => 'url' in button));
      const { apiKey } = talk.account();
      let told = 0;
      const way = (id: number) =>
        label === null ? [] : [[{ text: label, url: `https://t.me/c/${-group - 1_000_000_000_000}/${id}` }]];
      told = (await link()).message_id;
      const which = await talk.hears(owner, /Which sender line|کدام خط/u);
      owner.send(owner, '3000123456');
      const end = await talk.hears(owner, says, which.message_id);
      expect(links(end)).toEqual(way(told));
      // With a line known from before nothing more is asked.
      told = (await link()).message_id;
      const again = await talk.hears(owner, says, end.message_id);
      expect(links(again)).toEqual(way(told));
      expect(world.driver.messages(owner).at(-1)?.message_id).toBe(again.message_id);
    },
  );

  test.each([
    {
      lang: 'en',
      cancel: '✖ Cancel',
      way: '💬 Open the group',
      question: 'Which sender line',
      ends: 'your first send asks for one.\nContinue in «Ops».',
      left: 'Cancelled.',
      dropped: 'Not linked;',
    },
    {
      lang: 'fa',
      cancel: '✖ انصراف',
      way: '💬 بازکردن گروه',
      question: 'اول از کدام خط',
      ends: 'در اولین ارسال پرسیده می‌شود.\nدر «Ops» ادامه دهید.',
      left: 'لغو شد. چیزی تغییر نکرد',
      dropped: 'وصل نشد؛',
    },
  ] as const)('what is cancelled on the way leads back into the group, in $lang', async (words) => {
    const { lang, cancel, way, question, ends, left, dropped } = words;
    const owner = world.driver.user({ first_name: 'Olga', language_code: lang });
    const group = world.driver.group({ creator: owner, title: 'Ops' });
    const { apiKey } = talk.account();
    const toAsked = `https://t.me/c/${-group - 1_000_000_000_000}`;
    /** The last message in private has the way back. */
    const isLast = (end: Message) => {
      expect(rows(end)).toContainEqual([way]);
      expect(linkOf(end)).toMatch(new RegExp(`^${toAsked}/\\d+$`));
      expect(world.driver.messages(owner).at(-1)?.message_id).toBe(end.message_id);
    };
    const begin = async () => {
      const offer = await talk.asks(owner, group, '/connect', /works once|یک بار و تا ۱۰ دقیقه/u);
      return owner.start(payloadOf(offer));
    };
    const toFound = async () => await talk.offers(owner, { apiKey }, (await begin()).message_id);

    const asked = await talk.hears(owner, /Send the API key|کلید API را/u, (await begin()).message_id);
    await talk.presses(owner, asked, cancel);
    isLast(await talk.turns(asked, left));

    const refused = await toFound();
    await talk.presses(owner, refused, cancel);
    isLast(await talk.turns(refused, dropped));

    const found = await toFound();
    await talk.presses(owner, found, '✅');
    const which = await talk.hears(owner, question, found.message_id);
    await talk.presses(owner, which, cancel);
    isLast(await talk.turns(which, ends));

    const once = await toFound();
    await talk.presses(owner, once, '✅');
    const again = await talk.hears(owner, question, once.message_id);
    isLast(await talk.asks(owner, owner, '/cancel', ends));
    expect(rows(await talk.turns(again, question))).toEqual([]);
  });

  test.each(['unlinked', 'owned by somebody else'] as const)(
    'the question for the line ends without one where the account is %s by now',
    async (what) => {
      const owner = someone('Olga');
      const group = world.driver.group({ creator: owner, title: 'Ops' });
      const { apiKey } = talk.account();
      await talk.connects(owner, { apiKey }, { chat: group, line: null });
      const which = await talk.hears(owner, 'Which sender line');
      if (what === 'unlinked') {
        const asked = await talk.asks(owner, group, '/disconnect', 'Unlink «');
        await talk.presses(owner, asked, '🔌 Unlink');
        await talk.turns(asked, 'the key is wiped');
      } else
        await world.database.sql`
          update member set role = 'viewer'
          where person_id = ${owner.id} and chat_id = (select id from chat where telegram_id = ${group})`;
      const end = await talk.asks(owner, owner, '3000123456', 'This question is no longer open');
      expect(rows(end)).toEqual([['💬 Open the group']]);
      expect(end.message_id).toBeGreaterThan(which.message_id);
      expect(await talk.bindings(group)).toMatchObject([{ line: null }]);
    },
  );

  test('the owner of the group may, and the key is never asked for in the group', async () => {
    const creator = someone('Olga');
    const group = world.driver.group({ creator, title: 'Nik <b>Shop</b>' });
    const offer = await talk.asks(creator, group, '/connect', 'works once');
    expect(linkOf(offer)).toMatch(/^https:\/\/t\.me\/PeykSandboxBot\?start=[A-Za-z0-9_-]{20,64}$/);
    creator.start(payloadOf(offer));
    const question = await talk.hears(creator, ASK_KEY);
    expect(plain(question)).toContain('«Nik <b>Shop</b>»');
    expect(shows(group)).not.toContain(ASK_KEY);
  });

  test('with ACCESS=allowlist only the operators of the deployment may, also in private', async () => {
    const boss = 700_000_001;
    await using closed = await startWorld({ ACCESS: 'allowlist', OWNER_IDS: String(boss) });
    const { asks, connects, bindings } = talkIn(closed);
    const stranger = closed.driver.user({ first_name: 'Mina', language_code: 'en' });
    stranger.start();
    const told = await asks(stranger, stranger, '/connect', 'administrator may link an account here');
    expect(rows(told)).toEqual([]);
    expect(await bindings(stranger.id)).toEqual([]);
    const operator = closed.driver.user({ id: boss, first_name: 'Boss', language_code: 'en' });
    await connects(operator, { apiKey: 'sandbox-key-demo' });
    expect(await bindings(boss)).toMatchObject([{ state: 'live' }]);
  });
});

describe.concurrent('the link into the private chat', () => {
  test('opens the question for its person alone, once', async () => {
    const creator = someone('Olga');
    const other = someone('Eve');
    const group = world.driver.group({ creator, members: [other] });
    const payload = payloadOf(await talk.asks(creator, group, '/connect', 'works once'));

    other.start(payload);
    await talk.hears(other, 'for somebody else');
    expect(shows(other)).not.toContain(ASK_KEY);
    const first = creator.start(payload);
    await talk.hears(creator, ASK_KEY, first.message_id);
    const second = creator.start(payload);
    await talk.hears(creator, 'was used already', second.message_id);
  });

  test('is dead after ten minutes', async () => {
    const creator = someone('Olga');
    const group = world.driver.group({ creator });
    const payload = payloadOf(await talk.asks(creator, group, '/connect', 'for 10 minutes'));
    const aged = await world.database.sql`
      update deep_link set expires_at = expires_at - interval '10 minutes'
      where person_id = ${creator.id} and expires_at between now() and now() + interval '10 minutes' returning 1`;
    expect(aged).toHaveLength(1);
    creator.start(payload);
    await talk.hears(creator, 'has expired');
    expect(shows(creator)).not.toContain(ASK_KEY);
  });

  test('that nobody made is refused', async () => {
    const eve = someone('Eve');
    eve.start('c_AAAAAAAAAAAAAAAAAAAAAA');
    const told = await talk.hears(eve, 'Get a new one with /connect');
    expect(rows(told)).toEqual([]);
  });

  test('is checked again at the end: who has lost to another owner meanwhile links nothing', async () => {
    const first = someone('Ali');
    const second = someone('Babak');
    const group = world.driver.group({ creator: first, members: [second] });
    world.playground.control.member({ chat_id: group, user_id: second.id, status: 'administrator' });
    const [one, two] = [talk.account(), talk.account()];
    const offered = async (person: Person, apiKey: string) => {
      const offer = await talk.asks(person, group, '/connect', 'works once');
      return await talk.offers(person, { apiKey }, person.start(payloadOf(offer)).message_id);
    };
    const found1 = await offered(first, one.apiKey);
    const found2 = await offered(second, two.apiKey);
    await talk.presses(first, found1, '✅');
    await talk.turns(found1, 'You are the owner');
    await talk.presses(second, found2, '✅');
    await talk.turns(found2, 'no longer open');
    const bindings = await talk.bindings(group);
    expect(bindings.filter(({ state }) => state === 'live')).toHaveLength(1);
    await talk.asks(second, group, '/whoami', 'No role');
  });
});

describe.concurrent('a credential that is given', () => {
  test('behind /connect in the private chat is used as the answer, and deleted', async () => {
    const sara = someone('Sara');
    const account = talk.account();
    const typed = sara.send(sara, `/connect ${account.apiKey}`);
    await talk.hears(sara, 'Use it in this chat?', typed.message_id);
    expect(shows(sara.id)).not.toContain(account.apiKey);
    const again = sara.send(sara, '/connect no');
    await talk.hears(sara, 'Send the API key', again.message_id);
  });

  test('is deleted from the chat, kept sealed, and only its last characters are shown', async () => {
    const sara = someone('Sara');
    const account = talk.account();
    const asked = sara.send(sara, '/connect');
    const found = await talk.offers(sara, { apiKey: account.apiKey }, asked.message_id);
    expect(plain(found)).toContain(`…${account.apiKey.slice(-4)}`);
    expect(plain(found)).toContain('10,000,000 rial');
    expect(shows(sara)).not.toContain(account.apiKey);
    const [pending] = await talk.bindings(sara.id);
    expect(pending).toMatchObject({ state: 'pending' });
    expect(pending?.credentials?.toString('latin1')).not.toContain(account.apiKey);
    // Until it is confirmed nothing can be done with it.
    await talk.asks(sara, sara, '/credit', 'No gateway account is linked');
  });

  test.each([
    { name: 'a wrong key', key: 'there-is-no-such-key-1', says: 'Nothing was stored' },
    { name: 'the key of a locked account', key: 'sandbox-key-locked', says: 'the account is locked' },
    { name: 'no key at all but a sentence', key: 'what do you mean?', says: 'That is not a key' },
  ])('$name is refused with the reason, deleted, and nothing is stored', async ({ key, says }) => {
    const sara = someone('Sara');
    await talk.asks(sara, sara, '/connect', ASK_KEY);
    const typed = sara.send(sara, key);
    await talk.hears(sara, says, typed.message_id);
    expect(world.driver.messages(sara).some((each) => each.message_id === typed.message_id)).toBe(false);
    expect(shows(sara)).not.toContain(key);
    expect(await talk.bindings(sara.id)).toEqual([]);
    expect(await rolesOf(sara.id)).toEqual([]);
  });

  test.each([
    { name: 'hangs up', fault: { kind: 'drop' as const }, says: 'did not answer' },
    { name: 'answers with a page of HTML', fault: { kind: 'html' as const }, says: 'cannot read' },
  ])('while the gateway $name nothing is stored and the next try is possible', async ({ fault, says }) => {
    const sara = someone('Sara');
    const account = talk.account();
    await talk.asks(sara, sara, '/connect', ASK_KEY);
    const rule = world.sandbox.faults.add({ ...fault, account: account.username });
    const typed = sara.send(sara, account.apiKey);
    await talk.hears(sara, says, typed.message_id);
    expect(shows(sara)).not.toContain(account.apiKey);
    expect(await talk.bindings(sara.id)).toEqual([]);
    world.sandbox.faults.remove(rule);
    await talk.connects(sara, { apiKey: account.apiKey });
  });

  test('is forgotten by Cancel at the question and by Cancel at the confirmation', async () => {
    const sara = someone('Sara');
    const account = talk.account();
    const question = await talk.asks(sara, sara, '/connect', ASK_KEY);
    expect(await talk.presses(sara, question, '✖')).toBe('');
    await talk.turns(question, 'Nothing was changed');

    const asked = sara.send(sara, '/connect');
    const found = await talk.offers(sara, { apiKey: account.apiKey }, asked.message_id);
    await talk.presses(sara, found, '✖');
    const left = await talk.turns(found, 'is forgotten');
    expect(rows(left)).toEqual([]);
    expect(await talk.bindings(sara.id)).toMatchObject([{ state: 'gone', credentials: null }]);
    expect(await rolesOf(sara.id)).toEqual([]);
    // The other button of that message is dead too.
    sara.forge(found, dataOf(found, '✅'));
    await talk.settled(sara, sara);
    expect(await talk.bindings(sara.id)).toMatchObject([{ state: 'gone', credentials: null }]);
  });
});

describe.concurrent('a credential for a group that does not get through', () => {
  test.each([
    { name: 'that the gateway refuses', fault: null, says: 'does not accept this' },
    { name: 'while the gateway hangs up', fault: { kind: 'drop' as const }, says: 'did not answer' },
  ])('$name is asked for again, for the same group', async ({ fault, says }) => {
    const creator = someone('Olga');
    const group = world.driver.group({ creator, title: 'Ops' });
    const account = talk.account();
    const offer = await talk.asks(creator, group, '/connect', 'works once');
    await talk.hears(creator, ASK_KEY, creator.start(payloadOf(offer)).message_id);
    const rule = fault === null ? null : world.sandbox.faults.add({ ...fault, account: account.username });
    const typed = creator.send(creator, fault === null ? 'there-is-no-such-key-2' : account.apiKey);
    const told = await talk.hears(creator, says, typed.message_id);
    const again = await talk.hears(creator, ASK_KEY, told.message_id);
    expect(plain(again)).toContain('«Ops»');
    if (rule !== null) world.sandbox.faults.remove(rule);

    const found = await talk.asks(creator, creator, account.apiKey, 'Use it in «Ops»?');
    await talk.presses(creator, found, '✅');
    await talk.hears(group, 'Linked by Olga');
    expect(await talk.bindings(group)).toMatchObject([{ state: 'live' }]);
    expect(await talk.bindings(creator.id)).toEqual([]);
  });

  test('is asked for again in the way that was chosen, and Cancel leaves it', async () => {
    const creator = someone('Olga');
    const group = world.driver.group({ creator, title: 'Ops' });
    const account = talk.account();
    const offer = await talk.asks(creator, group, '/connect', 'works once');
    const question = await talk.hears(creator, ASK_KEY, creator.start(payloadOf(offer)).message_id);
    await talk.presses(creator, question, 'Username and password');
    await talk.hears(creator, 'The user name at the gateway?', question.message_id);
    await talk.asks(creator, creator, account.username, 'The password?');
    const told = await talk.asks(creator, creator, 'not-its-password', 'does not accept this');
    const again = await talk.hears(creator, 'The user name at the gateway?', told.message_id);
    await talk.presses(creator, again, '✖');
    await talk.turns(again, 'Nothing was changed');
    expect(await talk.bindings(group)).toEqual([]);
  });
});

test('a credential that nobody confirmed within a day is wiped', async () => {
  await using own = await startWorld();
  const its = talkIn(own);
  const sara = own.driver.user({ first_name: 'Sara', language_code: 'en' });
  await its.offers(sara, { apiKey: 'sandbox-key-demo' }, sara.send(sara, '/connect').message_id);
  const aged = await own.database.sql`
    update binding set created_at = created_at - interval '25 hours' where state = 'pending' returning 1`;
  expect(aged).toHaveLength(1);
  await using again = await restart(own);
  expect(again.botUsername).toBe('PeykSandboxBot');
  await until(async () => {
    expect(await its.bindings(sara.id)).toMatchObject([{ state: 'gone', credentials: null }]);
  });
});

describe.concurrent('what is linked', () => {
  test('leaves first from a line that its messages show, by a press', async () => {
    const sara = someone('Sara');
    const message = { from: '9121110001', message: 'Hello' };
    const account = talk.account({
      inbox: ['50001234', '3000123456', '50001234'].map((line) => ({
        ...message,
        line,
        ageSeconds: 5,
        read: false,
      })),
    });
    const asked = sara.send(sara, '/connect');
    const found = await talk.offers(sara, { apiKey: account.apiKey }, asked.message_id);
    await talk.presses(sara, found, '✅');
    const which = await talk.hears(sara, 'Which sender line', found.message_id);
    expect(rows(which).flat().toSorted()).toEqual(['3000123456', '50001234', '✖ Cancel']);
    await talk.presses(sara, which, '50001234');
    await talk.hears(sara, 'Line 50001234', which.message_id);
    expect(await talk.bindings(sara.id)).toMatchObject([{ state: 'live', line: '50001234' }]);
  });

  test('gains what a version 1 token adds, and keeps its key', async () => {
    await using reader = await startWorld({ GATEWAY_VERSIONS: '1,3,4' });
    const its = talkIn(reader);
    const sara = reader.driver.user({ first_name: 'Sara', language_code: 'en' });
    const account = its.account();
    const asked = sara.send(sara, '/connect');
    const found = await its.offers(sara, { apiKey: account.apiKey }, asked.message_id);
    await its.presses(sara, found, '✅');
    const line = await its.hears(sara, 'Which sender line', found.message_id);
    sara.send(sara, '3000123456');
    await its.hears(sara, 'Try: /send', line.message_id);
    const adds = await its.hears(sara, 'With it /future works too');
    await its.asks(sara, sara, '/credit', 'rial');
    expect(
      its
        .hits(account.username)
        .filter((hit) => hit.operation === 'credit')
        .at(-1)?.version,
    ).toBe(3);

    const planned = await its.asks(sara, sara, '/schedule tomorrow 9:00 09121234567 Good morning', 'Draft');
    await its.presses(sara, planned, '✅');
    await its.turns(planned, 'Scheduled for');

    await its.presses(sara, adds, '🔑 Add a token');
    const question = await its.hears(sara, 'The version 1 token, made', adds.message_id);
    const typed = sara.send(sara, account.token);
    const second = await its.hears(sara, 'Use it in this chat?', typed.message_id);
    expect(plain(second)).not.toContain('It replaces');
    expect(second.message_id).toBeGreaterThan(question.message_id);
    await its.presses(sara, second, '✅');
    await its.turns(second, '✅ Linked.');
    const bindings = await its.bindings(sara.id);
    expect(bindings).toMatchObject([
      { state: 'replaced', credentials: null },
      { state: 'live', kinds: ['api_key', 'token'], line: '3000123456' },
    ]);
    // The deployment prefers version 1 for reads, and the account can now be read by it.
    await its.asks(sara, sara, '/credit', 'rial');
    expect(its.hits(account.username).at(-1)).toMatchObject({ version: 1, operation: 'credit' });
    await schedulesIn(reader, its).comes(sara.id, 'A1');
    await its.turns(planned, '1 accepted');
  });

  test('is not mixed with a token of somebody else, which replaces it and says so', async () => {
    await using reader = await startWorld({ GATEWAY_VERSIONS: '1,3,4' });
    const its = talkIn(reader);
    const sara = reader.driver.user({ first_name: 'Sara', language_code: 'en' });
    const [own, other] = [
      its.account({ profile: { mellicode: '001*****89' } }),
      its.account({ profile: { mellicode: '0049999921' } }),
    ];
    await its.connects(sara, { apiKey: own.apiKey });
    const adds = await its.hears(sara, 'With it /future works too');
    await its.presses(sara, adds, '🔑 Add a token');
    await its.hears(sara, 'The version 1 token, made', adds.message_id);
    const typed = sara.send(sara, other.token);
    const found = await its.hears(sara, 'Use it in this chat?', typed.message_id);
    expect(plain(found)).toMatch(/⚠ It replaces «.+», and what is still waiting/u);
    await its.presses(sara, found, '✅');
    await its.turns(found, '✅ Linked.');
    expect((await its.bindings(sara.id)).at(-1)).toMatchObject({ state: 'live', kinds: ['token'] });
  });

  test('is replaced by its owner: the old key is wiped and only the new account is asked', async () => {
    const sara = someone('Sara');
    const [old, fresh] = [talk.account(), talk.account({ credit: 77_000 })];
    await talk.connects(sara, { apiKey: old.apiKey });
    const asked = sara.send(sara, '/connect');
    const found = await talk.offers(sara, { apiKey: fresh.apiKey }, asked.message_id);
    expect(plain(found)).toContain('⚠ It replaces «');
    await talk.presses(sara, found, '✅');
    await talk.turns(found, '✅ Linked.');
    await talk.asks(sara, sara, '/credit', '77,000 rial');
    expect(await talk.bindings(sara.id)).toMatchObject([
      { state: 'replaced', credentials: null },
      { state: 'live', kinds: ['api_key'] },
    ]);
    expect((await talk.bindings(sara.id))[1]?.credentials).not.toBeNull();
  });

  test('is kept when unlinking is not confirmed, and wiped from its row when it is', async () => {
    const sara = someone('Sara');
    const account = talk.account();
    await talk.connects(sara, { username: account.username, password: account.password });
    const asked = await talk.asks(sara, sara, '/disconnect', 'Unlink «');
    await talk.presses(sara, asked, '✖ Cancel');
    await talk.turns(asked, 'Nothing was changed');
    expect(await talk.bindings(sara.id)).toMatchObject([{ state: 'live' }]);

    const again = await talk.asks(sara, sara, '/disconnect', 'Unlink «');
    await talk.presses(sara, again, '🔌 Unlink');
    await talk.turns(again, 'the key is wiped');
    expect(await talk.bindings(sara.id)).toMatchObject([{ state: 'gone', credentials: null }]);
    await talk.asks(sara, sara, '/credit', 'No gateway account is linked');
    await talk.asks(sara, sara, '/disconnect', 'No account is linked here');
    // Whoever was owner may link again.
    await talk.asks(sara, sara, '/connect', ASK_KEY);
  });
});

describe.concurrent('a key that is typed in a group', () => {
  test.each([
    { name: 'like a key, behind the word key', text: 'my key is 9f31bd77c2a04e5510' },
    { name: 'like a key, and the whole message', text: '9f31bd77c2a04e5510' },
    { name: 'behind /connect', text: '/connect hunter2' },
    { name: 'behind /connect to this bot', text: '/connect@PeykSandboxBot hunter2' },
  ])('$name is deleted and called leaked', async ({ text }) => {
    const [creator, member] = [someone('Olga'), someone('Mina')];
    const group = world.driver.group({ creator, members: [member], bot: 'administrator' });
    const typed = member.send(group, text);
    const told = await talk.hears(group, 'treat it as leaked', typed.message_id);
    expect(plain(told)).toContain('Mina');
    expect(plain(told)).not.toMatch(/9f31bd77|hunter2/);
    expect(world.driver.messages(group).some((each) => each.message_id === typed.message_id)).toBe(false);
    expect(await exposures(group)).toEqual([{ deleted: true }]);
    expect(shows(member)).not.toContain(ASK_KEY);
  });

  test('that is a credential in use here is known, whatever it looks like', async () => {
    const [creator, member] = [someone('Olga'), someone('Mina')];
    const group = world.driver.group({ creator, members: [member], bot: 'administrator' });
    // Linked in another chat: a key is recognised everywhere.
    const account = talk.account({ apiKey: 'shortpw' });
    await talk.connects(member, { apiKey: account.apiKey });
    const typed = creator.send(group, 'try it with shortpw please');
    await talk.hears(group, 'treat it as leaked', typed.message_id);
    expect(shows(group)).not.toContain('shortpw');
    // A word like it is none.
    creator.send(group, 'try it with shortpx please');
    await talk.settled(creator, group);
    expect(shows(group)).toContain('shortpx');
    expect(await exposures(group)).toHaveLength(1);
  });

  test('that is a password is known where it is used, and nowhere else can it be guessed', async () => {
    const [owner, other] = [someone('Olga'), someone('Mina')];
    const group = world.driver.group({ creator: owner, bot: 'administrator' });
    const elsewhere = world.driver.group({ creator: other, bot: 'administrator' });
    const account = talk.account({ password: 'hunter' });
    await talk.connects(owner, { username: account.username, password: 'hunter' }, { chat: group });
    other.send(elsewhere, 'is it hunter or not');
    await talk.settled(other, elsewhere);
    expect(await exposures(elsewhere)).toEqual([]);
    owner.send(group, 'is it hunter or not');
    // They have a private chat with the bot.
    await talk.hears(owner, 'treat it as leaked');
    expect(await exposures(group)).toEqual([{ deleted: true }]);
  });

  test('is called leaked also where the bot may not delete', async () => {
    const creator = someone('Olga');
    const group = world.driver.group({ creator, bot: 'member' });
    const typed = creator.send(group, '/connect 9f31bd77c2a04e5510');
    const told = await talk.hears(group, 'not allowed to delete', typed.message_id);
    expect(plain(told)).toContain('Delete it yourself');
    expect(plain(told)).not.toContain('9f31bd77');
    expect(await exposures(group)).toEqual([{ deleted: false }]);
  });
});

async function rolesOf(chat: number): Promise<readonly unknown[]> {
  return await world.database.sql`
    select m.role from member m join chat c on c.id = m.chat_id where c.telegram_id = ${chat}`;
}

async function exposures(chat: number): Promise<unknown[]> {
  const found = await world.database.sql<{ details: unknown }[]>`
    select a.details from audit a join chat c on c.id = a.chat_id
    where c.telegram_id = ${chat} and a.action = 'key_exposed'`;
  return found.map(({ details }) => details);
}
