import type { Message } from '@grammyjs/types';
import { expect } from 'vitest';
import type { Locale } from '../../src/i18n/define.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import type { FaultRule } from '../../src/sandbox/faults.ts';
import { hasButton, until } from './story.ts';
import { isFromBot, plain, talkIn, type Place, type TestAccount } from './talk.ts';
import type { World } from './world.ts';

type Credential = 'key' | 'token' | 'pair';

/** Preparing sends of every kind by a command, and what came of them at the gateway. */
export function ordersIn(world: World) {
  const talk = talkIn(world);

  /** Somebody with an account of their own in the private chat. The pair of user name and password can do everything. */
  const linked = async ({
    by = 'pair',
    language = 'en',
    ...seed
  }: Partial<TestAccount> & { readonly by?: Credential; readonly language?: Locale } = {}): Promise<{
    sara: Person;
    account: TestAccount;
  }> => {
    const sara = world.driver.user({ first_name: 'Sara', language_code: language });
    const account = talk.account(seed);
    const { apiKey, token, username, password } = account;
    await talk.connects(
      sara,
      by === 'key' ? { apiKey } : by === 'token' ? { token } : { username, password },
    );
    return { sara, account };
  };

  /** The card that a command, or the last answer of its form, brings. */
  const order = async (person: Person, line: string, place: Place = person): Promise<Message> =>
    await talk.asks(person, place, line, isDraft);

  /** Presses Send and waits until the card says this. */
  const ships = async (person: Person, card: Message, says: string | RegExp): Promise<Message> => {
    expect(await talk.presses(person, card, '✅')).toBe('');
    return await talk.turns(card, says);
  };

  /** Everything that was asked of the gateway by this operation. */
  const calls = ({ username }: TestAccount, operation: string) =>
    talk.hits(username).filter((hit) => hit.operation === operation);

  /** What left, without what every run has anew. */
  const sent = ({ username }: TestAccount) =>
    talk.sends(username).map(({ version, operation, line, text, flash, recipients }) => ({
      version,
      operation,
      line,
      text,
      flash,
      recipients,
    }));

  const harm = ({ username }: TestAccount, operation: string, rule: FaultRule): void =>
    void world.sandbox.faults.add({ ...rule, operation, account: username });

  /** Resolves when no call of a place is due or under way: what has not left by then does not leave by itself. */
  const settled = async (place: Place): Promise<void> => {
    const chat = typeof place === 'number' ? place : place.id;
    await until(async () => {
      await world.driver.whenPolled();
      const [left] = await world.database.sql<{ calls: number; jobs: number }[]>`
        with jobs as (select j.id from job j join chat c on c.id = j.chat_id where c.telegram_id = ${chat})
        select
          (select count(*)::int from attempt a where a.job_id in (select id from jobs)
            and a.state in ('reserved', 'on_wire')) as calls,
          (select count(*)::int from graphile_worker.jobs g where g.key in (select 'send:' || id from jobs)) as jobs`;
      expect(left).toEqual({ calls: 0, jobs: 0 });
    });
  };

  return { talk, linked, order, ships, calls, sent, harm, settled };
}

/** To compare what leaves in several calls: they are made beside each other, and any may come first. */
export function inAnyOrder<T>(items: readonly T[]): T[] {
  return items.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

/** A card that can still be confirmed. */
export function isDraft(message: Message): boolean {
  return isFromBot(message) && /#A\d/u.test(plain(message)) && hasButton(message, '✅');
}
