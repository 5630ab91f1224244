import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { until } from '../support/story.ts';
import { plain } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* Somebody leaves a group: nothing is theirs to decide there until they are back, and a group is never left without a way. */

const { world, talk } = useWorld({}, { deliverySeconds: 0.2 });
const someone = (first_name: string, language_code = 'en') =>
  world.driver.user({ first_name, language_code });

function move(chat: number, person: Person, status: 'left' | 'kicked' | 'member', by: Person = person): void {
  world.playground.control.member({ chat_id: chat, user_id: person.id, status, actor_id: by.id });
}

async function team(language = 'en') {
  const owner = someone('Olga <b>', language);
  const operator = someone('Omid', language);
  const boss = someone('Boss', language);
  const group = world.driver.group({ creator: boss, members: [owner, operator], title: 'Shop' });
  world.playground.control.member({
    chat_id: group,
    user_id: owner.id,
    status: 'administrator',
    actor_id: boss.id,
  });
  const account = talk.account();
  await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
  await talk.gives('operator', operator, group);
  return { owner, operator, boss, group, account };
}

async function roleOf(group: number, person: Person): Promise<string | null> {
  const [row] = await world.database.sql<{ role: string }[]>`
    select m.role from member m join chat c on c.id = m.chat_id
    where c.telegram_id = ${group} and m.person_id = ${person.id}`;
  return row?.role ?? null;
}

async function hasRole(group: number, person: Person, role: string | null): Promise<void> {
  await until(async () => expect(await roleOf(group, person)).toBe(role));
}

describe.concurrent('somebody who leaves a group', () => {
  test('has no role in it until they are back, and then the same as before', async () => {
    const { owner, operator, group } = await team();
    move(group, operator, 'kicked', owner);
    await hasRole(group, operator, null);
    move(group, operator, 'member');
    await hasRole(group, operator, 'operator');
    const audit = await world.database.sql`
      select action, details ->> 'role' as role from audit a join chat c on c.id = a.chat_id
      where c.telegram_id = ${group} and action like 'member_%' order by a.id`;
    expect(audit).toEqual([
      { action: 'member_left', role: 'operator' },
      { action: 'member_returned', role: 'operator' },
    ]);
  });

  test('comes back with the role that was given to them meanwhile, and with none that was taken', async () => {
    const { owner, operator, group } = await team();
    move(group, operator, 'left');
    await hasRole(group, operator, null);
    await talk.asks(owner, group, `/role ${operator.id} none`, 'Omid');
    move(group, operator, 'member');
    await talk.asks(operator, group, '/whoami', 'Omid');
    expect(await roleOf(group, operator)).toBeNull();

    move(group, operator, 'left');
    await talk.asks(owner, group, `/role ${operator.id} viewer`, 'Omid');
    await hasRole(group, operator, 'viewer');
    move(group, operator, 'member');
    await talk.asks(operator, group, '/whoami', 'Omid');
    expect(await roleOf(group, operator)).toBe('viewer');
  });

  test.each([
    ['en', 'was the only owner here'],
    ['fa', 'تنها مالک'],
  ])('and was its last owner: the group is told how it gets another (%s)', async (language, words) => {
    const { owner, operator, group, account } = await team(language);
    move(group, owner, 'left');
    const told = await talk.hears(group, words);
    expect(plain(told)).toContain('Olga <b>');
    expect(plain(told)).not.toContain('/connect');
    // Everybody else keeps their role.
    const draft = await talk.asks(operator, group, '/send 09121234567 still here', '#A1');
    await talk.presses(operator, draft, '✅');
    await until(() => expect(talk.sends(account.username)).toHaveLength(1));
    move(group, owner, 'member');
    await hasRole(group, owner, 'owner');
  });

  test('as its last owner is no owner any more once an admin has linked an account; to others Telegram’s rights give nothing', async () => {
    const { owner, operator, boss, group } = await team();
    await talk.gives('admin', operator, group);
    move(group, owner, 'left');
    await talk.hears(group, 'an admin here can send');
    // Whoever runs the group at Telegram has no role, and gets none by this.
    await talk.asks(boss, group, '/connect', 'only the owner may replace it');
    await talk.connects(operator, { apiKey: talk.account().apiKey }, { chat: group, line: null });
    await hasRole(group, operator, 'owner');
    move(group, owner, 'member');
    await talk.asks(owner, group, '/whoami', 'Olga');
    expect(await roleOf(group, owner)).toBeNull();
  });
});
