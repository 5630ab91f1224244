import type { Message } from '@grammyjs/types';
import { afterAll, describe, expect, test } from 'vitest';
import { ROLES, rankOf, type Role } from '../../src/domain/roles.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { createButtonStore } from '../../src/storage/chat/button-store.ts';
import type { Command } from '../../src/telegram/feature.ts';
import { answersIn } from '../support/answers.ts';
import { declaredFeatures } from '../support/features.ts';
import { TEST_MS } from '../support/patience.ts';
import { given, PATIENCE, plain } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/*
 * Role × command × button × kind of chat. What is expected is written down here by hand, from what the product
 * promises; whoever adds a command or a button adds its row.
 */

type Least = Role | null;

/** The least role of each command, and a line that does something; `null` is open to anyone. */
const COMMANDS: Readonly<Record<string, readonly [least: Least, line: string]>> = {
  start: [null, '/start'],
  help: [null, '/help'],
  cancel: [null, '/cancel'],
  whoami: [null, '/whoami'],
  lang: [null, '/lang en'],
  // Open until an account is linked; then its own handler refuses everybody but the owner.
  connect: ['owner', '/connect'],
  disconnect: ['owner', '/disconnect'],
  account: ['viewer', '/account'],
  credit: ['viewer', '/credit'],
  line: ['operator', '/line 3000123456'],
  send: ['operator', '/send 09121234567 Hello'],
  multi: ['operator', '/multi 3000123456;09121234567;Hello'],
  bulk: ['operator', '/bulk'],
  schedule: ['operator', '/schedule in 2h 09121234567 Hello'],
  scheduled: ['operator', '/scheduled'],
  dates: ['operator', '/dates'],
  card: ['viewer', '/A99'],
  future: ['operator', '/future in 2h 09121234567 Hello'],
  pattern: ['operator', '/pattern 1 09121234567 code=1234'],
  booksend: ['operator', '/booksend VIP Hello'],
  templates: ['operator', '/templates'],
  template: ['operator', '/template welcome Hello'],
  status: ['viewer', '/status 1234'],
  track: ['viewer', '/track 09121234567 7d'],
  outbox: ['viewer', '/outbox today'],
  latest: ['viewer', '/latest'],
  report: ['viewer', '/report today'],
  tag: ['operator', '/tag A1 promo'],
  count: ['viewer', '/count today'],
  inbox: ['viewer', '/inbox all'],
  receive: ['operator', '/receive'],
  find: ['viewer', '/find hello'],
  inbound: ['viewer', '/in99'],
  reply: ['operator', '/reply in1 Hello'],
  name: ['operator', '/name 09121234567 Maryam'],
  rules: ['admin', '/rules'],
  rule: ['admin', '/rule contains price → here'],
  books: ['viewer', '/books'],
  book: ['viewer', '/book VIP'],
  book_new: ['operator', '/book_new Friends 09121234567'],
  book_add: ['operator', '/book_add VIP 09121234567'],
  book_remove: ['operator', '/book_remove VIP 09121110001'],
  book_delete: ['admin', '/book_delete VIP'],
  people: ['viewer', '/people'],
  blocked: ['viewer', '/blocked'],
  isblocked: ['viewer', '/isblocked 09121234567'],
  block: ['operator', '/block 09121234567'],
  unblock: ['approver', '/unblock 09121234567'],
  register: ['admin', '/register'],
  role: ['admin', '/role @nobody_here viewer'],
  team: ['admin', '/team'],
  limits: ['admin', '/limits'],
  timezone: ['admin', '/timezone Tehran'],
  alerts: ['admin', '/alerts'],
  audit: ['admin', '/audit'],
  unknown: ['viewer', '/unknown'],
};

/** The least role of each button. Those of forms and links are bound to one person instead. */
const BUTTONS: Readonly<Record<string, Least>> = {
  'help.page': null,
  'lang.set': null,
  'lang.for-all': 'admin',
  'connect.begin': null,
  'connect.link': null,
  'connect.drop': null,
  'connect.add-token': null,
  'connect.unlink': 'owner',
  'connect.stay': 'owner',
  'draft.confirm': 'operator',
  'draft.ask': 'operator',
  'draft.approve': 'approver',
  'draft.reject': 'approver',
  'draft.panel': 'operator',
  'draft.reopen': 'operator',
  'draft.again': 'operator',
  'draft.retext': 'operator',
  'draft.cancel': 'operator',
  'draft.flash': 'operator',
  'draft.text': 'operator',
  'draft.line': 'operator',
  'draft.add': 'operator',
  'draft.template': 'operator',
  'draft.test': 'operator',
  'draft.when': 'operator',
  'draft.opening': 'operator',
  'schedule.move': 'operator',
  'schedule.page': 'operator',
  'schedule.show': 'operator',
  'schedule.time': 'operator',
  'schedule.edit': 'operator',
  'schedule.pause': 'operator',
  'schedule.cancel': 'operator',
  'schedule.end': 'operator',
  'schedule.now': 'operator',
  'dates.page': 'operator',
  'dates.add': 'operator',
  'dates.on': 'operator',
  'dates.drop': 'operator',
  'dates.retext': 'operator',
  'dates.pause': 'operator',
  'dates.resume': 'operator',
  'dates.end': 'operator',
  'job.undo': 'operator',
  'job.stop': 'operator',
  'job.pause': 'operator',
  'job.resume': 'operator',
  'job.rest': 'operator',
  'job.resend': 'operator',
  'doubt.again': 'operator',
  'doubt.settle': 'operator',
  'doubt.look': 'operator',
  'doubt.file': 'operator',
  'draft.skipped': 'operator',
  'templates.page': 'operator',
  'templates.use': 'operator',
  'templates.answers': 'operator',
  'templates.replace': 'operator',
  'templates.keep': 'operator',
  'templates.ask-remove': 'operator',
  'templates.remove': 'operator',
  'bulk.use': 'operator',
  'bulk.keep': 'operator',
  'bulk.phone': 'operator',
  'bulk.header': 'operator',
  'bulk.columns': 'operator',
  'bulk.missing': 'operator',
  'bulk.text': 'operator',
  'bulk.column': 'operator',
  'bulk.fill': 'operator',
  'bulk.row': 'operator',
  'bulk.look': 'operator',
  'bulk.skipped': 'operator',
  'bulk.skipped-file': 'operator',
  'status.details': 'viewer',
  'outbox.page': 'viewer',
  'outbox.file': 'viewer',
  'report.show': 'viewer',
  'report.send': 'viewer',
  'report.time': 'viewer',
  'track.time': 'viewer',
  'report.file': 'viewer',
  'report.failed': 'viewer',
  'report.tag-file': 'viewer',
  'report.tag-failed': 'viewer',
  'outbox.failed': 'viewer',
  'inbox.desk': 'viewer',
  'inbox.page': 'viewer',
  'inbox.texts': 'viewer',
  'inbox.export': 'viewer',
  'inbox.ask-receive': 'operator',
  'inbox.receive-now': 'operator',
  'inbox.found': 'viewer',
  'inbox.history': 'viewer',
  'inbound.take': 'operator',
  'inbound.reply': 'operator',
  'inbound.anyway': 'operator',
  'inbound.ask': 'operator',
  'inbound.done': 'operator',
  'inbound.hand-over': 'operator',
  'inbound.give': 'operator',
  'inbound.snooze': 'operator',
  'inbound.wake': 'operator',
  'inbound.block': 'operator',
  'inbound.block-yes': 'operator',
  'inbound.undo': 'approver',
  'rules.page': 'admin',
  'rules.remove': 'admin',
  'rules.optout': 'admin',
  'rules.read': 'admin',
  'rules.desk': 'admin',
  'phonebook.list': 'viewer',
  'phonebook.show': 'viewer',
  'phonebook.page': 'viewer',
  'phonebook.export': 'viewer',
  'phonebook.form': 'operator',
  'phonebook.confirm': 'operator',
  'phonebook.resume': 'operator',
  'phonebook.cancel': 'operator',
  'phonebook.change': 'operator',
  'phonebook.skipped': 'operator',
  'phonebook.delete': 'admin',
  'people.page': 'viewer',
  'people.show': 'viewer',
  'people.export': 'viewer',
  'people.change': 'operator',
  'people.ask-drop': 'admin',
  'people.drop': 'admin',
  'people.ask-drop-tag': 'admin',
  'people.drop-tag': 'admin',
  'people.keep': 'admin',
  'blacklist.page': 'viewer',
  'blacklist.other-line': 'viewer',
  'blacklist.export': 'viewer',
  'blacklist.block': 'operator',
  'blacklist.unblock': 'approver',
  'register.show': null,
  'register.confirm': null,
  'register.drop': null,
  'team.page': 'admin',
  'team.make-owner': 'admin',
  'team.leave': 'admin',
  'line.rules': 'operator',
  'line.edit': 'admin',
  'line.off': 'admin',
  'limits.edit': 'admin',
  'limits.off': 'admin',
  'limits.stop': 'admin',
  'limits.go': 'admin',
  'alerts.list': 'admin',
  'alerts.offer': 'admin',
  'alerts.add': 'admin',
  'alerts.sink': 'admin',
  'alerts.kind': 'admin',
  'alerts.quiet': 'admin',
  'alerts.topics': 'admin',
  'alerts.lang': 'admin',
  'alerts.remove': 'admin',
  'alarm.ack': 'operator',
  'alarm.mute': 'approver',
  'alarm.unmute': 'approver',
  'alerts.file': 'viewer',
  'audit.page': 'admin',
  'audit.export': 'admin',
  // One person's own besides, who runs the deployment: test/scenario/health.test.ts.
  'health.again': null,
};

const PEOPLE: readonly Least[] = [null, ...ROLES];
const ALL_COMMANDS = PEOPLE.length * Object.keys(COMMANDS).length;
const ALL_BUTTONS = PEOPLE.length * Object.keys(BUTTONS).length;
const features = declaredFeatures();

let checked = 0;

const { world, talk, made } = useWorld({}, { deliverySeconds: 0.2 });
const answers = made(answersIn);

afterAll(async () => {
  const size = `${PEOPLE.length} roles × (${Object.keys(COMMANDS).length} commands × 5 kinds of chat + ${Object.keys(BUTTONS).length} buttons × 4)`;
  process.stdout.write(`role table: ${size} = ${checked} checked\n`);
});

/** By its own name, or by a name of its shape. */
const isTyped = ({ about, calledAs }: Command): boolean => about !== null || calledAs !== undefined;

test('the tables name every command and every button there is, and no others', () => {
  const commands = features.flatMap((feature) => feature.commands);
  const typed = commands.filter(isTyped).map(({ name }) => name);
  expect(typed.toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
  const actions = features.flatMap((feature) => feature.actions ?? []).map(({ name }) => name);
  expect(actions.toSorted()).toEqual(Object.keys(BUTTONS).toSorted());
  for (const [name, [, line]] of Object.entries(COMMANDS)) {
    const { calledAs } = commands.find((each) => each.name === name) ?? {};
    const [word = ''] = line.split(' ');
    if (calledAs === undefined) expect(word).toBe(`/${name}`);
    else expect(word.slice(1).toLowerCase()).toMatch(calledAs);
  }
});

/** Where somebody stands, with which role. */
interface Stand {
  readonly role: Least;
  readonly person: Person;
  readonly chat: number;
  readonly threadId?: number;
  readonly account: string;
}

const someone = (first_name: string) => world.driver.user({ first_name, language_code: 'en' });
const control = () => world.playground.control;

function openAccount() {
  return talk.account({
    representative: true,
    packages: [12],
    patterns: [{ id: 1, text: 'code {code}' }],
    phonebooks: [{ title: 'VIP', flag: 'vip', numbers: ['9121110001', '9351110002'] }],
  });
}

/** One person of each role in a group of its own. */
async function standsIn(type: 'group' | 'supergroup' | 'forum'): Promise<Stand[]> {
  const owner = someone('Olga');
  const others = new Map(
    PEOPLE.filter((role) => role !== 'owner').map((role) => [role, someone(role ?? 'Nobody')]),
  );
  const chat = world.driver.group({
    creator: owner,
    members: [...others.values()],
    type,
    bot: 'administrator',
  });
  const { username, password } = openAccount();
  await talk.connects(owner, { username, password }, { chat });
  for (const [role, person] of others) {
    if (role !== null) await talk.gives(role, person, chat);
  }
  const thread = type === 'forum' ? { threadId: control().topic({ chat_id: chat, name: 'Orders' }).id } : {};
  return PEOPLE.map((role) => ({
    role,
    person: role === 'owner' ? owner : given(others.get(role)),
    chat,
    ...thread,
    account: username,
  }));
}

/** A private chat for each role: whoever links an account there is its owner, so the role is changed afterwards. */
async function standsInPrivate(): Promise<Stand[]> {
  return await Promise.all(
    PEOPLE.map(async (role) => {
      const person = someone(role ?? 'Nobody');
      const { username, password } = openAccount();
      await talk.connects(person, { username, password });
      if (role === null) await world.database.sql`delete from member where person_id = ${person.id}`;
      else await talk.gives(role, person, person.id);
      if (role !== 'owner') await talk.gives('owner', someone('Olga'), person.id);
      return { role, person, chat: person.id, account: username };
    }),
  );
}

/** All that a command or a button could change, and how often the gateway was asked. */
async function effects({ chat, account }: Pick<Stand, 'chat' | 'account'>): Promise<unknown> {
  await talk.gauged(chat);
  const [row] = await world.database.sql<{ seen: Record<string, unknown> }[]>`
    select json_build_object(
      'lang', c.lang,
      'drafts', (select count(*) from draft where chat_id = c.id),
      'jobs', (select count(*) from job where chat_id = c.id),
      'audit', (select count(*) from audit where chat_id = c.id),
      'links', (select count(*) from deep_link where chat_id = c.id),
      'limits', (select count(*) from chat_limits where chat_id = c.id),
      'lines', (select count(*) from line_rule where chat_id = c.id),
      'alerts', (select json_agg(json_build_array(s.id, s.kinds, s.quiet_from) order by s.id) from sink s where s.chat_id = c.id),
      'books', (select count(*) from book_change where chat_id = c.id),
      'users', (select count(*) from registration where chat_id = c.id),
      'templates', (select json_agg(json_build_array(name, text) order by name) from template where chat_id = c.id),
      'members', (select json_agg(json_build_array(person_id, role) order by person_id) from member where chat_id = c.id),
      'bindings', (select json_agg(json_build_array(id, state, line) order by id) from binding where chat_id = c.id)
    ) as seen from chat c where c.telegram_id = ${chat}`;
  return { ...row?.seen, calls: talk.hits(account).length };
}

/** Hundreds of steps one after the other, each of which has its own patience. */
const WHOLE_TABLE_MS = 4 * TEST_MS;

const mayNot = (role: Least, least: Least): boolean => rankOf(role) < rankOf(least);

const told = async (stand: Stand, line: string): Promise<Message[]> =>
  await answers.toLines(stand.person, stand.chat, [line], inTopic(stand));

function inTopic({ threadId }: Stand): { threadId?: number } {
  return threadId === undefined ? {} : { threadId };
}

/** Gives how many were checked. */
async function checkCommands(stand: Stand, ask = told): Promise<number> {
  let count = 0;
  /** Before what is refused: known still, when what came last was refused too. */
  let before: unknown;
  for (const [name, [least, line]] of Object.entries(COMMANDS)) {
    const isRefused = mayNot(stand.role, least);
    before = isRefused ? (before ?? (await effects(stand))) : undefined;
    const text = (await ask(stand, line)).map(plain).join('\n');
    const who = `${line} by ${stand.role ?? 'nobody'}`;
    const refusal = name === 'connect' ? /only the owner may replace it/ : /needs the role/;
    if (isRefused) {
      expect(text, who).toMatch(refusal);
      if (name !== 'connect') expect(text, who).toContain(`needs the role ${least ?? ''} `);
      expect(await effects(stand), who).toEqual(before);
    } else {
      expect(text, who).not.toBe('');
      expect(text, who).not.toMatch(/needs the role|only the owner may|You may not|went wrong/);
    }
    count += 1;
  }
  return count;
}

/** One after the other: all of them have the one account, whose calls are counted. */
async function inTurn(stands: readonly Stand[], check: (stand: Stand) => Promise<number>): Promise<number> {
  let count = 0;
  for (const stand of stands) count += await check(stand);
  checked += count;
  return count;
}

async function atOnce(stands: readonly Stand[], check: (stand: Stand) => Promise<number>): Promise<number> {
  const counts = await Promise.all(stands.map(async (stand) => await inTurn([stand], check)));
  return counts.reduce((sum, count) => sum + count, 0);
}

describe.concurrent(
  'a command is carried out from its least role up, and refused below without any effect',
  { timeout: WHOLE_TABLE_MS },
  () => {
    test('in a private chat', async () => {
      expect(await atOnce(await standsInPrivate(), async (stand) => await checkCommands(stand))).toBe(
        ALL_COMMANDS,
      );
    });

    test.each(['group', 'forum'] as const)('in a %s', async (type) => {
      const count = await inTurn(await standsIn(type), async (stand) => await checkCommands(stand));
      expect(count).toBe(ALL_COMMANDS);
    });

    test('by an administrator who writes as the group: only the press of the button tells who it is', async () => {
      const asGroup = async (stand: Stand, line: string): Promise<Message[]> => {
        const before = await effects(stand);
        const asked = await talk.asks(stand.person, stand.chat, line, 'cannot see who you are', {
          asAnonymous: true,
        });
        expect(await effects(stand)).toEqual(before);
        expect(await talk.presses(stand.person, asked, '➡')).toBe('');
        // The answer may take the place of the question.
        const said = await answers.since(stand.person, stand.chat, asked.message_id);
        return said.filter((message) => !plain(message).includes('cannot see who you are'));
      };
      const count = await inTurn(await standsIn('supergroup'), async (stand) => {
        if (stand.role !== 'owner')
          control().member({ chat_id: stand.chat, user_id: stand.person.id, status: 'administrator' });
        return await checkCommands(stand, asGroup);
      });
      expect(count).toBe(ALL_COMMANDS);
    });

    test('never in a channel, whatever role its owner has anywhere', async () => {
      const owner = someone('Olga');
      const { username, password } = openAccount();
      await talk.connects(owner, { username, password });
      const channel = world.driver.group({
        creator: owner,
        type: 'channel',
        bot: 'administrator',
        title: 'News',
      });
      // Peyk may have met it already.
      await world.database.sql`
      insert into chat (telegram_id, type, title) values (${channel}, 'channel', 'News') on conflict (telegram_id) do nothing`;
      for (const role of PEOPLE) {
        if (role !== null) await talk.gives(role, owner, channel);
        const before = await effects({ chat: channel, account: username });
        for (const [, line] of Object.values(COMMANDS)) owner.send(channel, line);
        await world.driver.whenPolled();
        await talk.settled(owner, owner);
        expect(await effects({ chat: channel, account: username })).toEqual(before);
        checked += Object.keys(COMMANDS).length;
      }
      const posts = world.driver.messages(channel);
      expect(posts).toHaveLength(PEOPLE.length * Object.keys(COMMANDS).length);
    });
  },
);

/** Gives how many were checked. */
async function checkButtons(stand: Stand): Promise<number> {
  const store = createButtonStore(world.database);
  const { person, chat, role } = stand;
  const message = given((await told(stand, '/whoami'))[0]);
  const [row] = await world.database.sql<{ id: string }[]>`select id from chat where telegram_id = ${chat}`;
  const chatId = given(row).id;
  const mint = async (action: string, minRank: number): Promise<string> => {
    const [token = ''] = await store.mint(chatId, [{ action, payload: {}, minRank, ttlSeconds: 600 }]);
    return token;
  };
  const press = async (token: string): Promise<string> => {
    const { text = '' } = await world.driver.waitForAnswer(person.forge(message, `p1:${token}`), PATIENCE);
    return text;
  };

  let after = message.message_id;
  let count = 0;
  const before = await effects(stand);
  for (const [action, least] of Object.entries(BUTTONS)) {
    const who = `${action} pressed by ${role ?? 'nobody'}`;
    count += 1;
    if (!mayNot(role, least)) {
      const token = await mint(action, rankOf(least));
      const claim = await store.claim({ token, chatTelegramId: chat, personId: person.id, updateId: 1 });
      expect(claim, who).toMatchObject({ ok: true, action });
      continue;
    }
    expect(await press(await mint(action, rankOf(least))), who).toMatch(
      /Your role in this chat does not allow/,
    );
    // One that was made for anybody: what it does is guarded too.
    expect(await press(await mint(action, -1)), who).toBe('');
    after = (await talk.hears(chat, 'You may not do this here', after)).message_id;
    expect(await effects(stand), who).toEqual(before);
  }
  return count;
}

describe.concurrent(
  'a button does nothing below its least role, whatever role it was made for',
  { timeout: WHOLE_TABLE_MS },
  () => {
    test('in a private chat', async () => {
      expect(await atOnce(await standsInPrivate(), checkButtons)).toBe(ALL_BUTTONS);
    });

    test.each(['group', 'supergroup', 'forum'] as const)('in a %s', async (type) => {
      expect(await inTurn(await standsIn(type), checkButtons)).toBe(ALL_BUTTONS);
    });
  },
);
