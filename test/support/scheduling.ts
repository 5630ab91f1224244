import type { Message } from '@grammyjs/types';
import { expect } from 'vitest';
import type { Locale } from '../../src/i18n/define.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { until } from './story.ts';
import { given, talkIn, type TestAccount } from './talk.ts';
import type { World } from './world.ts';

/** A team with an account, and the passing of time for what it has scheduled. */
export function schedulesIn(world: World, talk = talkIn(world)) {
  const { sql } = world.database;

  /** A group with somebody of each role that matters here. */
  const team = async (
    locale: Locale = 'en',
    seed: Partial<TestAccount> = {},
    type: 'group' | 'supergroup' = 'supergroup',
  ) => {
    const someone = (first_name: string): Person => world.driver.user({ first_name, language_code: locale });
    const [owner, omid, oscar, ann] = [someone('Olga'), someone('Omid'), someone('Oscar'), someone('Ann')];
    const group = world.driver.group({
      creator: owner,
      members: [omid, oscar, ann],
      type,
      bot: 'administrator',
    });
    const account = talk.account(seed);
    await talk.connects(owner, { username: account.username, password: account.password }, { chat: group });
    await talk.gives('operator', omid, group);
    await talk.gives('operator', oscar, group);
    await talk.gives('approver', ann, group);
    return { owner, omid, oscar, ann, group, account };
  };

  /** The card of a scheduled send: prepared and confirmed. */
  const schedules = async (person: Person, group: number, when: string, text = 'Later'): Promise<Message> => {
    const card = await talk.asks(
      person,
      group,
      `/schedule ${when} 09121234567 09351112233 ${text}`,
      /Draft|پیش‌نویس/,
    );
    expect(await talk.presses(person, card, '✅')).toBe('');
    return await talk.turns(card, /Scheduled for|زمان‌بندی‌شده/);
  };

  /** As if the time of a send had come so many seconds ago. */
  const comes = async (group: number, code: string, secondsAgo = 1): Promise<void> => {
    const moved = await sql<{ id: string }[]>`
      update job j set hold_until = now() - ${secondsAgo} * interval '1 second',
        leaves_at = now() - ${secondsAgo} * interval '1 second'
      from draft d, chat c
      where d.id = j.draft_id and c.id = j.chat_id and c.telegram_id = ${group} and d.code = ${code}
        and j.state in ('scheduled', 'holding') returning j.id`;
    expect(moved).toHaveLength(1);
    await sql`
      update graphile_worker._private_jobs set run_at = now() where key = ${`send:${given(moved[0]).id}`} and locked_at is null`;
  };

  /** As if the time in which a draft can be confirmed had passed. */
  const lapses = async (group: number, code: string): Promise<void> => {
    const [draft] = await sql<{ id: string }[]>`
      update draft d set expires_at = now() - interval '1 second' from chat c
      where c.id = d.chat_id and c.telegram_id = ${group} and d.code = ${code} returning d.id`;
    await sql`
      update graphile_worker._private_jobs set run_at = now() where key = ${`expiry:${given(draft).id}`} and locked_at is null`;
  };

  /** Every job of a group, in the order of their cards. */
  const jobs = async (group: number) =>
    await sql<
      { code: string; state: string; reason: string | null; at_ms: number; approved_by: number | null }[]
    >`
      select d.code, j.state, j.stop_reason as reason, (extract(epoch from j.hold_until) * 1000)::float8 as at_ms, j.approved_by
      from job j join draft d on d.id = j.draft_id join chat c on c.id = j.chat_id
      where c.telegram_id = ${group} order by substring(d.code from 2)::int`;

  const limit = async (
    group: number,
    to: { approval?: number; cap?: number; window?: readonly [number, number] },
  ): Promise<void> => {
    const [from, until] = to.window ?? [null, null];
    await sql`
      insert into chat_limits (chat_id, approval_parts, cap_parts, window_from, window_to, updated_by)
      select id, ${to.approval ?? null}, ${to.cap ?? null}, ${from}, ${until}, 1 from chat where telegram_id = ${group}
      on conflict (chat_id) do update set approval_parts = excluded.approval_parts, cap_parts = excluded.cap_parts,
        window_from = excluded.window_from, window_to = excluded.window_to`;
  };

  /** Resolves when all that was said is handled, and nothing of the group is due or under way. */
  const calm = async (group: number): Promise<void> => {
    await until(async () => {
      await world.driver.whenPolled();
      const [left] = await sql<{ updates: number; due: number; calls: number }[]>`
        with jobs as (select j.id from job j join chat c on c.id = j.chat_id where c.telegram_id = ${group})
        select (select count(*)::int from update where done_at is null) as updates,
          (select count(*)::int from graphile_worker.jobs
            where run_at <= now() and key in (select 'send:' || id from jobs union select 'missed:' || id from jobs)) as due,
          (select count(*)::int from attempt where state in ('reserved', 'on_wire') and job_id in (select id from jobs)) as calls`;
      expect(left).toEqual({ updates: 0, due: 0, calls: 0 });
    });
  };

  return { talk, team, schedules, comes, lapses, jobs, limit, calm };
}
