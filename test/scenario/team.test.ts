import { describe, expect, test } from 'vitest';
import type { Role } from '../../src/domain/roles.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { dataOf, linkOf, PATIENCE, payloadOf, plain, rows } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* Who has which role: giving and taking, the form, owners, join links, the list, and what the audit says of it. */

const { world, talk } = useWorld({}, { deliverySeconds: 1 });

let names = 0;
/** A person with a user name that nobody else has. */
const someone = (first_name: string, language_code = 'en'): Person & { readonly at: string } => {
  names += 1;
  const username = `${first_name}_${names}`;
  return { ...world.driver.user({ first_name, username, language_code }), at: `@${username}` };
};

/** A group with a linked account, its owner, and one member whom the bot has not met. */
async function linked(locale = 'en', type: 'supergroup' | 'forum' = 'supergroup') {
  const [owner, omid] = [someone('Olga', locale), someone('Omid', locale)];
  const group = world.driver.group({ creator: owner, members: [omid], type, bot: 'administrator' });
  const account = talk.account();
  await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
  await talk.hears(group, /Linked by Olga|Olga/);
  return { owner, omid, group, account };
}

/** A further member with a role. */
async function staff(group: number, role: Role | null, name: string) {
  const person = someone(name);
  world.playground.control.member({
    chat_id: group,
    user_id: person.id,
    status: 'member',
    actor_id: person.id,
  });
  await talk.asks(person, group, '/whoami', `id ${person.id}`);
  if (role !== null) await talk.gives(role, person, group);
  return person;
}

const roleOf = async (group: number, person: Person): Promise<Role | null> => {
  const [row] = await world.database.sql<{ role: Role }[]>`
    select m.role from member m join chat c on c.id = m.chat_id
    where c.telegram_id = ${group} and m.person_id = ${person.id}`;
  return row?.role ?? null;
};

const auditOf = async (group: number) =>
  await world.database.sql<{ action: string; person_id: number | null; details: Record<string, unknown> }[]>`
    select a.action, a.person_id, a.details from audit a join chat c on c.id = a.chat_id
    where c.telegram_id = ${group} order by a.id`;

describe.concurrent('giving a role', () => {
  test('as a reply works for somebody whom the bot has not met, at once, and is told in the chat', async () => {
    const { owner, omid, group, account } = await linked();
    const said = omid.send(group, 'good morning');
    const told = await talk.asks(owner, group, '/role operator', 'is now operator here', { replyTo: said });
    expect(plain(told)).toContain(`Omid · id ${omid.id} is now operator here. Given by Olga.`);
    expect(told.entities).toContainEqual(
      expect.objectContaining({ type: 'text_mention', user: expect.objectContaining({ id: omid.id }) }),
    );
    const card = await talk.asks(omid, group, '/send 09121234567 Hello', '#A1');
    await talk.presses(omid, card, '✅');
    await talk.turns(card, /1 (accepted|delivered)/);
    expect(talk.sends(account.username)).toHaveLength(1);
    expect((await auditOf(group)).find(({ action }) => action === 'role_granted')).toMatchObject({
      person_id: owner.id,
      details: { person: omid.id, name: 'Omid', old: null, new: 'operator' },
    });
  });

  test('by @name in any case, by id, before or behind the role; taking it away ends what it allowed', async () => {
    const { owner, omid, group } = await linked();
    await talk.asks(omid, group, '/whoami', 'No role');
    await talk.asks(owner, group, `/role ${omid.at.toUpperCase()} viewer`, 'is now viewer here');
    const changed = await talk.asks(owner, group, `/role approver ${omid.at}`, 'is now approver here');
    expect(plain(changed)).toContain('before: viewer');
    await talk.asks(owner, group, `/role ${omid.id} Operator`, 'is now operator here, before: approver');
    await talk.asks(owner, group, `/role ${omid.id} operator`, 'Omid is operator here.');
    const card = await talk.asks(omid, group, '/send 09121234567 Hello', '#A1');
    await talk.asks(owner, group, `/role ${omid.at} none`, 'has no role here any more, before: operator');
    // The button stands there still; the role is judged at the press.
    expect(await talk.presses(omid, card, '✅')).toContain('Your role in this chat does not allow this');
    await talk.asks(omid, group, '/credit', 'needs the role viewer');
    await talk.asks(owner, group, `/role ${omid.at} none`, 'Omid has no role here.');
  });

  test.each([
    ['اپراتور', 'operator'],
    ['متصدی', 'operator'],
    ['تأیید‌کننده', 'approver'],
    ['تاييدكننده', 'approver'],
    ['مدیر', 'admin'],
    ['بیننده', 'viewer'],
  ] as const)('takes the Persian name %s, and speaks Persian', async (word, role) => {
    const { owner, omid, group } = await linked('fa');
    const said = omid.send(group, 'سلام');
    const told = await talk.asks(owner, group, `/role ${word}`, 'از این به بعد در اینجا', { replyTo: said });
    expect(plain(told)).toContain('توسط Olga');
    expect(await roleOf(group, omid)).toBe(role);
    await talk.asks(owner, group, '/role هیچ', 'دیگر در اینجا نقشی ندارد', { replyTo: said });
    expect(await roleOf(group, omid)).toBe(null);
  });

  test('is refused below admin, and above the own role, also to take one away', async () => {
    const { owner, omid, group } = await linked();
    const admin = await staff(group, 'admin', 'Ada');
    const approver = await staff(group, 'approver', 'Pari');
    await talk.asks(omid, group, '/whoami', 'No role');
    await talk.asks(approver, group, `/role ${omid.at} viewer`, 'needs the role admin');
    await talk.asks(omid, group, `/role ${omid.at} owner`, 'needs the role admin');
    await talk.asks(admin, group, `/role ${omid.at} owner`, 'Nobody can give a role above their own');
    await talk.asks(admin, group, `/role ${owner.at} viewer`, 'is owner here, which is above your own role');
    await talk.asks(admin, group, `/role ${owner.at} none`, 'is owner here');
    expect(await roleOf(group, omid)).toBe(null);
    expect(await roleOf(group, owner)).toBe('owner');
    await talk.asks(admin, group, `/role ${omid.at} admin`, 'is now admin here');
    expect((await auditOf(group)).filter(({ action }) => action.startsWith('role_'))).toHaveLength(1);
  });

  test('in a private chat says that there is nobody to give it to', async () => {
    const sara = someone('Sara');
    await talk.connects(sara, { apiKey: talk.account().apiKey });
    await talk.asks(sara, sara, '/role operator', 'A private chat has one person');
    await talk.asks(sara, sara, '/lang fa', 'با شما فارسی');
    const told = await talk.asks(sara, sara, '/role', 'گفتگوی خصوصی یک نفر دارد');
    expect(rows(told)).toEqual([]);
  });

  test('to nobody who is not one person: an anonymous admin, a channel, the bot', async () => {
    const { owner, group } = await linked();
    const anonymous = owner.send(group, '/whoami', { asAnonymous: true });
    await talk.hears(group, 'cannot see who you are', anonymous.message_id);
    const bot = Number(world.playground.token.split(':')[0]);
    for (const id of [1_087_968_824, 136_817_688, 777_000, bot])
      await talk.asks(owner, group, `/role ${id} operator`, 'cannot have a role');
    await talk.asks(owner, group, '/role @GroupAnonymousBot admin', 'cannot have a role');
    // A reply to such a message names no person.
    const asked = await talk.asks(owner, group, '/role operator', 'Whose role?', { replyTo: anonymous });
    expect(plain(asked)).toContain('Bots, channels and anonymous admins have no role');
    const given = await world.database.sql`
      select 1 from member where person_id in (1087968824, 136817688, 777000, ${bot})`;
    expect(given).toHaveLength(0);
  });

  test('given by an anonymous admin goes on as whoever presses, with their own rights', async () => {
    const { owner, omid, group } = await linked();
    await talk.asks(omid, group, '/whoami', 'No role');
    const asked = await talk.asks(owner, group, `/role ${omid.at} viewer`, 'cannot see who you are', {
      asAnonymous: true,
    });
    await talk.presses(omid, asked, '➡');
    await talk.hears(group, 'needs the role admin', asked.message_id);
    expect(await roleOf(group, omid)).toBe(null);
    const again = await talk.asks(owner, group, `/role ${omid.at} viewer`, 'cannot see who you are', {
      asAnonymous: true,
    });
    await talk.presses(owner, again, '➡');
    await talk.hears(group, 'is now viewer here', again.message_id);
  });

  test('names that are meant to do harm are shown as they are', async () => {
    const { owner, group } = await linked();
    const evil = world.driver.user({ first_name: '</a><b>x</b> \u202eevil', last_name: '&lt;' });
    world.playground.control.member({
      chat_id: group,
      user_id: evil.id,
      status: 'member',
      actor_id: evil.id,
    });
    const said = evil.send(group, 'hello');
    const told = await talk.asks(owner, group, '/role viewer', 'is now viewer', { replyTo: said });
    expect(plain(told)).toContain('✅ </a><b>x</b> evil &lt; · id');
    const team = await talk.asks(owner, group, '/team', 'Roles in');
    expect(plain(team)).toContain('</a><b>x</b> evil &lt; · id');
    const audit = await talk.asks(owner, group, '/audit', 'Who did what');
    expect(plain(audit)).toContain('Olga: made </a><b>x</b> evil &lt; viewer');
  });
});

describe.concurrent('the form of /role', () => {
  test('asks who and which, by buttons, and offers only what the granter may give', async () => {
    const { owner, group } = await linked();
    const admin = await staff(group, 'admin', 'Ada');
    const viewer = await staff(group, 'viewer', 'Vida');
    const who = await talk.asks(admin, group, '/role', 'Whose role?');
    // The owner is above the admin, and not offered.
    expect(rows(who)).toEqual([['Ada · admin'], ['Vida · viewer'], ['✖ Cancel']]);
    await talk.presses(admin, who, 'Vida');
    const which = await talk.hears(group, 'Which role?', who.message_id);
    expect(rows(which).flat()).toEqual(['operator', 'approver', 'admin', 'No role', '✖ Cancel']);
    expect(await talk.presses(owner, which, 'operator')).toContain('Only the person who asked');
    await talk.presses(admin, which, 'operator');
    const told = await talk.hears(group, 'is now operator here, before: viewer', which.message_id);
    expect(plain(told)).toContain('Given by Ada');
    expect(await roleOf(group, viewer)).toBe('operator');
  });

  test('of a reply asks for the role alone, and offers owner to the owner', async () => {
    const { owner, omid, group } = await linked();
    const said = omid.send(group, 'good morning');
    const which = await talk.asks(owner, group, '/role', 'Which role?', { replyTo: said });
    expect(rows(which).flat()).toEqual(['viewer', 'operator', 'approver', 'admin', 'owner', '✖ Cancel']);
    owner.send(group, 'approver', { replyTo: which });
    await talk.hears(group, 'Omid · id', which.message_id);
    expect(await roleOf(group, omid)).toBe('approver');
  });

  test('takes a typed @name, says what is wrong with anything else, and asks again for a role that is none', async () => {
    const { owner, omid, group } = await linked();
    await talk.asks(omid, group, '/whoami', 'No role');
    const who = await talk.asks(owner, group, '/role', 'Whose role?');
    owner.send(group, 'that nice fellow', { replyTo: who });
    const again = await talk.hears(group, '«that nice fellow» is neither', who.message_id);
    owner.send(group, omid.at, { replyTo: again });
    const which = await talk.hears(group, 'Which role?', again.message_id);
    owner.send(group, 'boss', { replyTo: which });
    const better = await talk.hears(group, '«boss» is not a role', which.message_id);
    expect(plain(better)).toContain('viewer, operator, approver, admin, owner');
    owner.send(group, 'viewer', { replyTo: better });
    await talk.hears(group, 'is now viewer here', better.message_id);
  });

  test('keeps the person of the reply when the role behind the command is none', async () => {
    const { owner, omid, group } = await linked();
    const said = omid.send(group, 'good morning');
    const asked = await talk.asks(owner, group, '/role boss', '«boss» is not a role', { replyTo: said });
    await talk.presses(owner, asked, 'viewer');
    await talk.hears(group, `Omid · id ${omid.id} is now viewer here`, asked.message_id);
    expect(await roleOf(group, omid)).toBe('viewer');
  });
});

describe.concurrent('owners', () => {
  test('the last one keeps the role, whoever asks and however', async () => {
    const { owner, group } = await linked();
    for (const role of ['none', 'admin', 'viewer'])
      await talk.asks(owner, group, `/role ${owner.at} ${role}`, 'is the only owner');
    expect(await roleOf(group, owner)).toBe('owner');
  });

  test('another one is made only after a press that says what it means, by the one who asked', async () => {
    const { owner, omid, group } = await linked();
    const said = omid.send(group, 'good morning');
    const left = await talk.asks(owner, group, '/role owner', 'an owner?', { replyTo: said });
    expect(plain(left)).toContain('take your own role away');
    await talk.presses(owner, left, '✖');
    await talk.turns(left, 'Nothing was changed');
    const card = await talk.asks(owner, group, '/role owner', 'an owner?', { replyTo: said });
    expect(await roleOf(group, omid)).toBe(null);
    expect(await talk.presses(omid, card, '✅')).toContain('Only the person who asked');
    expect(await talk.presses(owner, card, '✅')).toBe('');
    await talk.hears(group, `Omid · id ${omid.id} is now owner here`, card.message_id);
    const disarmed = await world.driver.waitForMessage(
      group,
      (m) => m.message_id === card.message_id && rows(m).length === 0,
      PATIENCE,
    );
    expect(plain(disarmed)).toContain('an owner?');
    // Now the first one may go, and the new one stays.
    await talk.asks(omid, group, `/role ${owner.at} admin`, 'is now admin here, before: owner');
    await talk.asks(omid, group, `/role ${omid.at} none`, 'is the only owner');
    expect(await roleOf(group, owner)).toBe('admin');
  });

  test('a confirmation that comes after the role was lost changes nothing', async () => {
    const { owner, omid, group } = await linked();
    const other = await staff(group, 'owner', 'Other');
    const said = omid.send(group, 'good morning');
    const card = await talk.asks(owner, group, '/role owner', 'an owner?', { replyTo: said });
    await talk.asks(other, group, `/role ${owner.at} admin`, 'is now admin');
    expect(await talk.presses(owner, card, '✅')).toBe('');
    await talk.hears(group, 'Nobody can give a role above their own', card.message_id);
    expect(await roleOf(group, omid)).toBe(null);
  });
});

describe.concurrent('a join link', () => {
  test('of a group that takes no messages of the bot says all the same who has the role', async () => {
    const { owner, group } = await linked();
    const nima = someone('Nima');
    const offer = await talk.asks(owner, group, '/role @nobody_is_here operator', 'I know nobody here');
    world.playground.control.fault({
      method: 'sendMessage',
      match: { chat_id: group },
      code: 400,
      description: 'Bad Request: not enough rights to send text messages to the chat',
    });
    const opened = nima.start(payloadOf(offer));
    const joined = await talk.hears(nima, 'You are operator in «Group»', opened.message_id);
    expect(rows(joined)).toEqual([]);
    expect(await roleOf(group, nima)).toBe('operator');
  });

  test('is the answer for somebody whom nobody has met; who opens it first has the role, and the chat is told', async () => {
    const { owner, group, account } = await linked();
    const [first, second] = [someone('Nima'), someone('Neda')];
    const offer = await talk.asks(
      owner,
      group,
      '/role @nobody_here_yet operator',
      'I know nobody here with that name',
    );
    expect(plain(offer)).toMatch(/whoever opens it first operator here:[\s\S]*within 24 hours/);
    expect(plain(offer)).toContain(linkOf(offer));
    expect(payloadOf(offer)).toMatch(/^j_[\w-]{22}$/);
    const opened = first.start(payloadOf(offer));
    const joined = await talk.hears(first, 'You are operator in «Group»', opened.message_id);
    const told = await talk.hears(group, 'joined as operator by Olga’s link', offer.message_id);
    expect(plain(told)).toContain(`Nima · id ${first.id}`);
    expect(rows(joined)).toEqual([['💬 Open the group']]);
    expect(linkOf(joined)).toBe(`https://t.me/c/${-group - 1_000_000_000_000}/${told.message_id}`);
    second.start(payloadOf(offer));
    await talk.hears(second, 'has been used, has expired');
    first.start(payloadOf(offer));
    await talk.hears(first, 'has been used, has expired', opened.message_id);
    expect(await roleOf(group, second)).toBe(null);
    world.playground.control.member({
      chat_id: group,
      user_id: first.id,
      status: 'member',
      actor_id: first.id,
    });
    const card = await talk.asks(first, group, '/send 09121234567 Hello', '#A1');
    await talk.presses(first, card, '✅');
    await talk.turns(card, /1 (accepted|delivered)/);
    expect(talk.sends(account.username)).toHaveLength(1);
    expect((await auditOf(group)).map(({ action, person_id: by }) => ({ action, by }))).toEqual(
      expect.arrayContaining([
        { action: 'join_link_made', by: owner.id },
        { action: 'join_link_used', by: first.id },
      ]),
    );
    // What is kept of a link opens nothing.
    expect(JSON.stringify(await auditOf(group))).not.toContain(payloadOf(offer).slice(2));
  });

  test('leaves someone with a higher role as they are, and stays good', async () => {
    const { owner, group } = await linked();
    const ada = await staff(group, 'admin', 'Ada');
    const late = someone('Late');
    const offer = await talk.asks(
      owner,
      group,
      '/role @nobody_here_yet viewer',
      'I know nobody here with that name',
    );
    ada.start(payloadOf(offer));
    await talk.hears(ada, 'You are admin in «Group» already');
    late.start(payloadOf(offer));
    await talk.hears(late, 'You are viewer in «Group»');
    expect(await roleOf(group, ada)).toBe('admin');
  });

  test('is void once its maker may not give the role any more', async () => {
    const { owner, group } = await linked();
    const ada = await staff(group, 'admin', 'Ada');
    const late = someone('Late');
    const offer = await talk.asks(
      ada,
      group,
      '/role @nobody_here_yet admin',
      'I know nobody here with that name',
    );
    await talk.asks(owner, group, `/role ${ada.at} operator`, 'is now operator');
    late.start(payloadOf(offer));
    await talk.hears(late, 'This link is no longer valid');
    expect(await roleOf(group, late)).toBe(null);
  });

  test('for an id opens for that person alone; past its day it opens for nobody', async () => {
    const { owner, group } = await linked();
    const [meant, other] = [someone('Meant'), someone('Other')];
    const offer = await talk.asks(
      owner,
      group,
      `/role ${meant.id} viewer`,
      'I know nobody here with that name',
    );
    expect(plain(offer)).toContain(`the person with id ${meant.id} viewer`);
    other.start(payloadOf(offer));
    await talk.hears(other, 'is not for you');
    meant.start(payloadOf(offer));
    await talk.hears(meant, 'You are viewer in «Group»');
    const old = await talk.asks(owner, group, '/role @nobody_here_yet viewer', 'whoever opens it first');
    await world.database.sql`
      update deep_link l set expires_at = now() from chat c where c.id = l.chat_id and c.telegram_id = ${group}`;
    const late = other.start(payloadOf(old));
    await talk.hears(other, 'has expired', late.message_id);
    expect(await roleOf(group, other)).toBe(null);
  });

  test('is not made for an owner, for no role, or above the own role', async () => {
    const { owner, group } = await linked();
    const ada = await staff(group, 'admin', 'Ada');
    await talk.asks(owner, group, '/role @nobody_here_yet owner', 'an owner is never made by a link');
    await talk.asks(owner, group, '/role @nobody_here_yet none', 'no role to take away');
    await talk.asks(ada, group, '/role @nobody_here_yet owner', 'Nobody can give a role above their own');
    const links = await world.database.sql`
      select 1 from deep_link l join chat c on c.id = l.chat_id where c.telegram_id = ${group} and l.purpose = 'join'`;
    expect(links).toHaveLength(0);
  });

  test('speaks Persian, and tells the chat in its own language', async () => {
    const { owner, group } = await linked('fa');
    const late = someone('Late', 'fa');
    const offer = await talk.asks(owner, group, '/role اپراتور @nobody_here_yet', 'اینجا کسی را با این نام');
    expect(rows(offer)).toEqual([['➡ عضویت با نقش اپراتور']]);
    await world.database.sql`update chat set lang = 'en' where telegram_id = ${group}`;
    late.start(payloadOf(offer));
    await talk.hears(late, 'نقش شما در «Group» اپراتور است');
    await talk.hears(group, 'joined as operator by Olga’s link', offer.message_id);
  });
});

describe.concurrent('/team', () => {
  test('lists everyone by rank, with user name, id, giver and day, and nobody of another chat', async () => {
    const { owner, omid, group } = await linked();
    await linked();
    const ada = await staff(group, 'admin', 'Ada');
    const said = omid.send(group, 'good morning');
    await talk.asks(ada, group, '/role operator', 'is now operator', { replyTo: said });
    const team = await talk.asks(ada, group, '/team', 'Roles in «Group» · 3 people');
    const shown = plain(team).split('\n');
    expect(shown.slice(1).map((line) => line.split(' · ')[0])).toEqual([
      'owner',
      `Olga ${owner.at}`,
      'admin',
      `Ada ${ada.at}`,
      'operator',
      `Omid ${omid.at}`,
    ]);
    expect(shown[2]).toMatch(new RegExp(`id ${owner.id} · linked the account, \\d+ \\w+ 20\\d\\d$`));
    expect(shown[6]).toMatch(new RegExp(`id ${omid.id} · by Ada, `));
    // A list tells nobody of itself.
    expect((team.entities ?? []).filter(({ type }) => type.includes('mention'))).toEqual([]);
    expect(rows(team)).toEqual([]);
    await talk.asks(omid, group, '/team', 'needs the role admin');
  });

  test('in Persian has Persian role names and Jalali days', async () => {
    const { owner, group } = await linked('fa');
    const team = await talk.asks(owner, group, '/team', 'نقش‌ها در «Group» · ۱ نفر');
    expect(plain(team)).toMatch(/مالک\nOlga .* حساب را وصل کرد، [۰-۹]+ \S+ ۱[۰-۹]{3}$/u);
  });

  test('comes in pages of twenty, which only look: they can be pressed again, by whoever may', async () => {
    const { owner, omid, group } = await linked();
    await world.database.sql`
      insert into person (telegram_id, name) select 8000000 + n, 'Member ' || to_char(n, 'FM000') from generate_series(1, 45) n
      on conflict do nothing`;
    await world.database.sql`
      insert into member (chat_id, person_id, role, granted_by)
      select c.id, 8000000 + n, 'viewer', ${owner.id} from chat c, generate_series(1, 45) n where c.telegram_id = ${group}`;
    const first = await talk.asks(owner, group, '/team', '46 people');
    expect(plain(first).match(/Member \d+/g)).toHaveLength(19);
    expect(rows(first)).toEqual([['1 / 3', '▶']]);
    await talk.presses(owner, first, '▶');
    const second = await talk.turns(first, 'Member 020');
    expect(rows(second)).toEqual([['◀', '2 / 3', '▶']]);
    await talk.presses(owner, second, '▶');
    const third = await talk.turns(first, 'Member 045');
    expect(await talk.presses(owner, third, '◀')).toBe('');
    await talk.turns(first, 'Member 039');
    const query = omid.forge(first, dataOf(second, '▶'));
    const { text } = await world.driver.waitForAnswer(query, PATIENCE);
    expect(text).toContain('Your role in this chat does not allow this');
  });

  test('in a forum answers in the topic where it was asked', async () => {
    const { owner, omid, group } = await linked('en', 'forum');
    const topic = world.playground.control.topic({ chat_id: group, name: 'Orders' }).id;
    // Every message in a topic replies to the one that made it, which is nobody's.
    const asked = await talk.asks(owner, group, '/role viewer', 'Whose role?', { threadId: topic });
    const said = omid.send(group, 'hello', { threadId: topic });
    const told = await talk.asks(owner, group, '/role viewer', 'is now viewer', {
      threadId: topic,
      replyTo: said,
    });
    const team = await talk.asks(owner, group, '/team', '2 people', { threadId: topic });
    expect([asked, told, team].map((m) => m.message_thread_id)).toEqual([topic, topic, topic]);
  });
});

describe.concurrent('/audit', () => {
  test('tells who did what, newest first, and only to admins', async () => {
    const { owner, omid, group } = await linked();
    const said = omid.send(group, 'good morning');
    await talk.asks(owner, group, '/role operator', 'is now operator', { replyTo: said });
    const card = await talk.asks(omid, group, '/send 09121234567,09351112233 Hello', '#A1');
    await talk.presses(omid, card, '✅');
    await talk.turns(card, /2 (accepted|delivered)/);
    await talk.asks(owner, group, '/limits approval 200', 'Set by Olga');
    const audit = await talk.asks(owner, group, '/audit', 'Who did what · newest');
    const lines = plain(audit).split('\n').slice(1);
    expect(lines.map((line) => line.replace(/^\d+ \w+ \d{4} \d\d:\d\d · /, ''))).toEqual([
      'Olga: changed the limits: approval above 200 parts (before: approval above 500 parts)',
      'Omid: confirmed the send #A1 · 2 recipients',
      'Olga: made Omid operator',
      'Olga: set the sender line 3000123456',
      'Olga: linked a gateway account and became owner',
    ]);
    expect(rows(audit)).toEqual([['⬇ All as a file']]);
    const three = await talk.asks(owner, group, '/audit 3', 'newest 3 of 5');
    expect(plain(three).split('\n')).toHaveLength(4);
    await talk.asks(owner, group, '/audit ۲', 'newest 2 of 5');
    await talk.asks(omid, group, '/audit', 'needs the role admin');
  });

  test('asks again for a number that will not do', async () => {
    const { owner, group } = await linked();
    for (const typed of ['0', '201', 'all', '-3']) {
      const asked = await talk.asks(owner, group, `/audit ${typed}`, `«${typed}» is neither`);
      expect(plain(asked)).toContain('from 1 to 200');
      owner.send(group, '1', { replyTo: asked });
      await talk.hears(group, 'newest 1 of 2', asked.message_id);
    }
  });

  test('comes in pages that later entries do not move, and as a file with all of it', async () => {
    const { owner, omid, group } = await linked();
    await world.database.sql`
      insert into audit (chat_id, person_id, action, details)
      select c.id, ${owner.id}, 'moon_landed', jsonb_build_object('n', n) from chat c, generate_series(1, 60) n
      where c.telegram_id = ${group}`;
    const first = await talk.asks(owner, group, '/audit 50', 'newest 50 of 62');
    expect(plain(first).match(/Olga: moon_landed/g)).toHaveLength(20);
    expect(rows(first)).toEqual([['1 / 3', '▶'], ['⬇ All as a file']]);
    await world.database.sql`
      insert into audit (chat_id, action, details)
      select c.id, 'swept', '{}' from chat c, generate_series(1, 5) where c.telegram_id = ${group}`;
    await talk.presses(owner, first, '▶');
    const second = await talk.turns(first, (m) => rows(m)[0]?.[1] === '2 / 3');
    expect(plain(second)).not.toContain('swept');
    expect(plain(second)).toContain('newest 50 of 62');
    await talk.presses(owner, second, '▶');
    const third = await talk.turns(first, (m) => rows(m)[0]?.[1] === '3 / 3');
    expect(plain(third).match(/moon_landed/g)).toHaveLength(10);

    expect(await talk.presses(omid, third, '⬇')).toContain('Your role in this chat does not allow this');
    await talk.presses(owner, third, '⬇');
    const file = await talk.hears(group, '67 entries, newest first', third.message_id);
    const text = talk.fileOf(file).toString('utf8');
    expect(file.document?.file_name).toBe('audit.csv');
    expect(text.split('\r\n').filter((line) => line !== '')).toHaveLength(68);
    const cells = text.split('\r\n').map((line) => line.split(',').slice(2, 6).join('|'));
    expect(cells[1]).toBe('Peyk||swept|swept');
    expect(cells[67]).toBe(`Olga|${owner.id}|linked a gateway account and became owner|account_linked`);
    expect(text.includes('key-of-')).toBe(false);
  });

  test.each([
    ['en', '1 Jan 2020', 'Who did what · 1 Jan 2020 · 25 entries', '7d', '· 2 entries'],
    ['fa', '۱۱ دی ۱۳۹۸', 'چه کسی چه کرد · ۱۱ دی ۱۳۹۸ · ۲۵ مورد', '۷ روز', '· ۲ مورد'],
  ] as const)('shows what was done in a time (%s)', async (lang, day, ofDay, week, ofWeek) => {
    const { owner, group } = await linked(lang);
    await world.database.sql`
      insert into audit (chat_id, person_id, action, at, details)
      select c.id, ${owner.id}, 'moon_landed', '2020-01-01 12:00Z', '{}' from chat c, generate_series(1, 25)
      where c.telegram_id = ${group}`;
    const first = await talk.asks(owner, group, `/audit ${day}`, ofDay);
    expect(plain(first).match(/Olga: moon_landed/g)).toHaveLength(20);
    await talk.presses(owner, first, lang === 'fa' ? '◀' : '▶');
    const second = await talk.turns(first, (m) => plain(m).match(/moon_landed/g)?.length === 5);
    expect(plain(second)).toContain(ofDay);
    expect(plain(await talk.asks(owner, group, `/audit ${week}`, ofWeek))).not.toContain('moon_landed');
  });

  test.each([
    ['en', 'Omid', 'Who did what · Omid · 2 entries', 'yesterday', 'Omid yesterday'],
    ['fa', 'omid', 'چه کسی چه کرد · omid · ۲ مورد', 'دیروز', 'دیروز omid'],
  ])('shows what one person did, by name or user name (%s)', async (lang, name, head, day, dated) => {
    const { owner, omid, group } = await linked(lang);
    await talk.asks(omid, group, '/whoami', String(omid.id));
    await talk.gives('operator', omid, group);
    await world.database.sql`
      insert into audit (chat_id, person_id, action, at, details)
      select c.id, ${omid.id}, 'moon_landed', at, '{}' from chat c,
        unnest(array[now() - interval '3 days', now() - interval '1 day']) at
      where c.telegram_id = ${group}`;
    const all = await talk.asks(owner, group, `/audit ${name}`, head);
    expect(plain(all).match(/moon_landed/gu)).toHaveLength(2);
    expect(plain(all)).not.toContain('Olga');
    const one = await talk.asks(owner, group, `/audit ${dated}`, `${name} · `);
    expect(plain(one).match(/moon_landed/gu)).toHaveLength(1);
    const at = await talk.asks(owner, group, `/audit ${omid.at} ${day}`, `${omid.at} · `);
    expect(plain(at).match(/moon_landed/gu)).toHaveLength(1);
    const nobody = await talk.asks(owner, group, '/audit Moses', '«Moses»');
    owner.send(group, name, { replyTo: nobody });
    await talk.hears(group, head, nobody.message_id);
  });

  test('in Persian has Jalali days, Persian words and Persian columns', async () => {
    const { owner, omid, group } = await linked('fa');
    const said = omid.send(group, 'سلام');
    await talk.asks(owner, group, '/role تأییدکننده', 'از این به بعد', { replyTo: said });
    const audit = await talk.asks(owner, group, '/audit', 'چه کسی چه کرد · ۳ مورد آخر از ۳');
    expect(plain(audit)).toMatch(
      /[۰-۹]+ \S+ ۱[۰-۹]{3} [۰-۹:]{5} · Olga: به Omid نقش تأییدکننده داد\n.*خط فرستنده را 3000123456 تعیین کرد\n.*حساب پنل پیامک را وصل کرد و مالک شد/u,
    );
    await talk.presses(owner, audit, '⬇');
    const file = await talk.hears(group, '۳ مورد، جدیدترین در بالا', audit.message_id);
    expect(talk.fileOf(file).toString('utf8')).toContain('چه کرد');
  });

  test('of a chat in which nothing was done says so, and shows nothing of other chats', async () => {
    await linked();
    const sara = someone('Sara');
    await talk.asks(sara, sara, '/whoami', 'No role');
    await talk.gives('admin', sara, sara.id);
    const audit = await talk.asks(sara, sara, '/audit', 'Nothing has been recorded');
    expect(rows(audit)).toEqual([]);
  });
});
