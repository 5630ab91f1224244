import { describe, expect, test } from 'vitest';
import type { Role } from '../../src/domain/roles.ts';
import { post } from '../../src/playground/deliver.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import type { ChatState } from '../../src/playground/types.ts';
import { GROUP_ANONYMOUS_BOT } from '../../src/playground/world.ts';
import { until } from '../support/story.ts';
import { given, payloadOf, plain } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* Whose word counts after a group has changed: a new id, the bot gone and back, an owner who left, a name that went on. */

const { world, talk } = useWorld({}, { deliverySeconds: 1 });

const emulator = () => world.playground.emulator;
const control = () => world.playground.control;
const botId = () => Number(world.playground.token.split(':')[0]);
const someone = (first_name: string, username?: string) =>
  world.driver.user({ first_name, language_code: 'en', ...(username === undefined ? {} : { username }) });
const stateOf = (chat: number): ChatState => given(emulator().world.chats.get(String(chat)));

/** A group with a linked account: its owner, an operator, a viewer, and a member without a role. */
async function team(type: 'group' | 'supergroup' = 'supergroup') {
  const [owner, operator, viewer, member] = [
    someone('Olga'),
    someone('Omid'),
    someone('Vida'),
    someone('Mina'),
  ];
  const members = [operator, viewer, member];
  const group = world.driver.group({ creator: owner, members, type, bot: 'administrator' });
  const account = talk.account();
  await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
  await talk.hears(group, 'Linked by Olga');
  await talk.gives('operator', operator, group);
  await talk.gives('viewer', viewer, group);
  return { owner, operator, viewer, member, group, account };
}

/** Each person's role in a chat, as the bot says it. */
async function holdRoles(chat: number, roles: readonly (readonly [Person, Role | null])[]): Promise<void> {
  for (const [person, role] of roles)
    await talk.asks(person, chat, '/whoami', role === null ? 'No role in this chat yet' : `Role: ${role}`);
}

/** A supergroup with the members of a group, of which nothing has been said to the bot. */
function successorOf(group: number, creator: Person): number {
  const successor = world.driver.group({ creator, type: 'supergroup' });
  stateOf(successor).members = new Map([...stateOf(group).members].map(([id, each]) => [id, { ...each }]));
  return successor;
}

/** How the new id comes to be known: each of the two chats tells of the other, or a message to the old one is refused. */
const ANNOUNCED = {
  'in the old group': (group: number, successor: number, by: Person) => {
    const content = { migrate_to_chat_id: successor };
    post(emulator(), stateOf(group), { from: by.user, service: true, content });
    stateOf(group).migratedTo = successor;
  },
  'in the new group': (group: number, successor: number) => {
    stateOf(group).migratedTo = successor;
    const content = { migrate_from_chat_id: group };
    const senderChat = stateOf(successor);
    post(emulator(), senderChat, { from: GROUP_ANONYMOUS_BOT, senderChat, service: true, content });
  },
  'by the refusal of an answer': (group: number, successor: number, by: Person) => {
    const entities = [{ type: 'bot_command' as const, offset: 0, length: '/credit'.length }];
    post(emulator(), stateOf(group), { from: by.user, content: { text: '/credit', entities } });
    stateOf(group).migratedTo = successor;
  },
} as const;

describe.concurrent('a group that gets a new id', () => {
  test.each(Object.entries(ANNOUNCED))(
    'told %s, then in every other way and again, has moved once with account and roles',
    async (_, announce) => {
      const { owner, operator, viewer, member, group, account } = await team('group');
      const card = await talk.asks(operator, group, '/send 09121234567 Hello', '#A1');
      const successor = successorOf(group, owner);
      const roles = [
        [owner, 'owner'],
        [operator, 'operator'],
        [viewer, 'viewer'],
        [member, null],
      ] as const;

      announce(group, successor, owner);
      await until(async () => expect(await talk.bindings(successor)).toMatchObject([{ state: 'live' }]));
      await talk.asks(viewer, successor, '/credit', 'rial');
      await holdRoles(successor, roles);

      // The card below the old id has no power any more, and whoever presses it does not bring the old id back.
      expect(await talk.presses(operator, card, '✅')).toContain('This button belongs to another chat');
      for (const again of Object.values(ANNOUNCED)) again(group, successor, owner);
      await holdRoles(successor, roles);
      expect(await talk.bindings(successor)).toMatchObject([{ state: 'live', line: '3000123456' }]);
      expect(await talk.bindings(group)).toEqual([]);
      expect(talk.sends(account.username)).toEqual([]);

      const next = await talk.asks(operator, successor, '/send 09121234567 Hello', '#A2');
      expect(await talk.presses(viewer, next, '✅')).not.toBe('');
      expect(await talk.presses(operator, next, '✅')).toBe('');
      await talk.turns(next, /1 (accepted|delivered)/);
      expect(talk.sends(account.username)).toHaveLength(1);
    },
  );
});

describe.concurrent('the bot that was removed', () => {
  test('has the same team when a stranger adds it again, and the stranger has no say', async () => {
    const { owner, operator, viewer, member, group, account } = await team();
    const stranger = someone('Sam');
    const card = await talk.asks(operator, group, '/send 09121234567 Hello', '#A1');
    control().member({ chat_id: group, user_id: stranger.id, status: 'administrator', actor_id: owner.id });
    control().member({ chat_id: group, user_id: botId(), status: 'kicked', actor_id: owner.id });
    // What the draft has looked up by itself is over.
    await until(async () => {
      const waiting = await world.database.sql`
        select 1 from graphile_worker.jobs where task_identifier = 'gauge'`;
      expect(waiting).toHaveLength(0);
    });
    const calls = talk.hits(account.username).length;
    control().member({ chat_id: group, user_id: botId(), status: 'administrator', actor_id: stranger.id });

    await talk.asks(stranger, group, '/connect', 'only the owner may replace it');
    await talk.asks(stranger, group, '/credit', 'needs the role viewer');
    await talk.asks(stranger, group, '/disconnect', 'needs the role owner');
    expect(await talk.presses(stranger, card, '✅')).not.toBe('');
    expect(talk.hits(account.username)).toHaveLength(calls);
    await holdRoles(group, [
      [owner, 'owner'],
      [operator, 'operator'],
      [viewer, 'viewer'],
      [member, null],
      [stranger, null],
    ]);
    expect(await talk.presses(operator, card, '✅')).toBe('');
    await talk.turns(card, /1 (accepted|delivered)/);
    expect(talk.sends(account.username)).toHaveLength(1);
  });
});

describe.concurrent('an owner who leaves', () => {
  test('leaves account and roles as they are, and who runs the group at Telegram gets nothing by it', async () => {
    const { owner, operator, member, group, account } = await team();
    control().member({ chat_id: group, user_id: owner.id, status: 'left' });
    control().member({ chat_id: group, user_id: member.id, status: 'creator', actor_id: owner.id });

    await holdRoles(group, [[member, null]]);
    await talk.asks(member, group, '/connect', 'only the owner may replace it');
    await talk.asks(member, group, '/disconnect', 'needs the role owner');
    await talk.asks(member, group, `/role ${member.id} owner`, 'needs the role admin');
    await talk.asks(operator, group, `/role ${operator.id} owner`, 'needs the role admin');

    const card = await talk.asks(operator, group, '/send 09121234567 Hello', '#A1');
    expect(await talk.presses(member, card, '✅')).not.toBe('');
    expect(await talk.presses(operator, card, '✅')).toBe('');
    await talk.turns(card, /1 (accepted|delivered)/);
    expect(talk.sends(account.username)).toHaveLength(1);

    control().member({ chat_id: group, user_id: owner.id, status: 'member', actor_id: owner.id });
    await talk.asks(owner, group, '/whoami', 'Role: owner');
  });
});

describe.concurrent('a user name that goes to somebody else', () => {
  test('takes no role along, nor a button, and the next role by that name goes to its new holder', async () => {
    const { owner, group, account } = await team();
    const former = someone('Farid', 'team_desk');
    control().member({ chat_id: group, user_id: former.id, status: 'member', actor_id: former.id });
    await talk.asks(former, group, '/whoami', `id ${former.id}`);
    await talk.asks(owner, group, '/role @team_desk operator', 'is now operator here');
    const card = await talk.asks(former, group, '/send 09121234567 Hello', '#A1');

    given(emulator().world.users.get(former.id)).username = 'farid_himself';
    const taker = someone('Farid', 'team_desk');
    control().member({ chat_id: group, user_id: taker.id, status: 'member', actor_id: taker.id });
    await holdRoles(group, [
      [taker, null],
      [former, 'operator'],
    ]);
    await talk.asks(taker, group, '/credit', 'needs the role viewer');
    expect(await talk.presses(taker, card, '✅')).not.toBe('');
    expect(talk.sends(account.username)).toEqual([]);

    const told = await talk.asks(owner, group, '/role @team_desk viewer', 'is now viewer here');
    expect(plain(told)).toContain(`id ${taker.id}`);
    await holdRoles(group, [
      [taker, 'viewer'],
      [former, 'operator'],
    ]);
  });
});

describe.concurrent('a role by a user name', () => {
  test('goes not to a former holder, though nobody has seen the new one', async () => {
    const { owner, member: taker, group } = await team();
    const former = someone('Farid', 'front_desk');
    control().member({ chat_id: group, user_id: former.id, status: 'member', actor_id: former.id });
    await talk.asks(former, group, '/whoami', `id ${former.id}`);
    given(emulator().world.users.get(former.id)).username = 'farid_again';
    given(emulator().world.users.get(taker.id)).username = 'front_desk';

    const told = await talk.asks(
      owner,
      group,
      '/role @front_desk admin',
      'I know nobody here with that name',
    );
    expect(plain(told)).toContain('Reply to a message of the person');
    expect(plain(told)).toContain('whoever opens it first admin here');
    await talk.asks(owner, group, '/role @front_desk owner', 'nobody here with that name or id');
    await holdRoles(group, [
      [former, null],
      [taker, null],
    ]);
    // Both have been seen since.
    await talk.asks(owner, group, '/role @front_desk operator', `id ${taker.id} is now operator`);
    await talk.asks(owner, group, '/role @farid_again viewer', `id ${former.id} is now viewer`);
  });

  test('is not taken from a former holder', async () => {
    const { owner, operator, group } = await team();
    given(emulator().world.users.get(operator.id)).username = 'desk_of_yore';
    await talk.asks(operator, group, '/whoami', `id ${operator.id}`);
    given(emulator().world.users.get(operator.id)).username = 'somebody_else_now';
    await talk.asks(owner, group, '/role @desk_of_yore none', 'no role to take away');
    await holdRoles(group, [[operator, 'operator']]);
    given(emulator().world.users.get(operator.id)).username = 'desk_of_yore';
    await talk.asks(owner, group, '/role @somebody_else_now viewer', 'I know nobody here with that name');
    const told = await talk.asks(owner, group, '/role @desk_of_yore none', 'has no role here any more');
    expect(plain(told)).toContain(`id ${operator.id}`);
  });

  test('goes not to somebody whom another chat has seen: a link is for them alone', async () => {
    const { owner, group } = await team();
    const stranger = someone('Sara', 'sara_of_elsewhere');
    await talk.asks(stranger, stranger, '/whoami', `id ${stranger.id}`);
    const offer = await talk.asks(
      owner,
      group,
      '/role @sara_of_elsewhere admin',
      'I know nobody here with that name',
    );
    expect(plain(offer)).toContain(`the person with id ${stranger.id} admin here`);
    expect(payloadOf(offer)).toMatch(/^j_/u);
    await talk.asks(owner, group, '/role @sara_of_elsewhere owner', 'an owner is never made by a link');
    const rows = await world.database.sql`
      select 1 from member m join chat c on c.id = m.chat_id
      where c.telegram_id = ${group} and m.person_id = ${stranger.id}`;
    expect(rows).toHaveLength(0);
  });

  test('is not given where Telegram does not say who has it; as a reply it is', async () => {
    const { owner, member, group } = await team();
    given(emulator().world.users.get(member.id)).username = 'quiet_member';
    const said = member.send(group, '/whoami');
    await talk.hears(group, `id ${member.id}`, said.message_id);
    control().fault({
      method: 'getChatMember',
      match: { chat_id: group },
      code: 400,
      description: 'Bad Request: member list is inaccessible',
      times: 1,
    });
    await talk.asks(owner, group, '/role @quiet_member viewer', 'I know nobody here with that name');
    await holdRoles(group, [[member, null]]);
    const told = await talk.asks(owner, group, '/role viewer', 'is now viewer', { replyTo: said });
    expect(plain(told)).toContain(`id ${member.id}`);
  });
});

describe.concurrent('a user name that goes to somebody whom the bot met earlier', () => {
  test('stands for its new holder from their first word with it, whoever had it last', async () => {
    const { owner, group } = await team();
    const earlier = someone('Early', 'early_bird');
    control().member({ chat_id: group, user_id: earlier.id, status: 'member', actor_id: earlier.id });
    await talk.asks(earlier, group, '/whoami', `id ${earlier.id}`);
    const former = someone('Farid', 'night_desk');
    control().member({ chat_id: group, user_id: former.id, status: 'member', actor_id: former.id });
    await talk.asks(former, group, '/whoami', `id ${former.id}`);

    given(emulator().world.users.get(former.id)).username = 'farid_at_home';
    given(emulator().world.users.get(earlier.id)).username = 'Night_Desk';
    await talk.asks(earlier, group, '/whoami', `id ${earlier.id}`);
    const told = await talk.asks(owner, group, '/role @night_desk operator', 'is now operator here');
    expect(plain(told)).toContain(`id ${earlier.id}`);
    await holdRoles(group, [
      [earlier, 'operator'],
      [former, null],
    ]);
    await talk.asks(owner, group, '/role @farid_at_home viewer', 'is now viewer here');
  });
});

describe.concurrent('a group of which Telegram does not say who runs it', () => {
  test.each([
    ['Bad Request: user not found', 400, 1],
    ['Bad Request: member list is inaccessible', 400, 1],
    ['Bad Request: CHAT_ADMIN_REQUIRED', 400, 1],
    // A question is asked anew before it is given up.
    ['Bad Gateway', 502, 4],
  ])(
    'is linked to nothing until it does, and is told what would help: %s',
    async (description, code, times) => {
      const owner = someone('Olga');
      const group = world.driver.group({ creator: owner, bot: 'administrator' });
      const match = { chat_id: group };
      control().fault({ method: 'getChatMember', match, code, description, times });
      const told = await talk.asks(owner, group, '/connect', 'Telegram does not tell me');
      expect(plain(told)).toContain('Make me an administrator of the group');
      await talk.asks(owner, group, '/connect', 'works once');
    },
  );
});
