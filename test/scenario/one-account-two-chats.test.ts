import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { gatewaySaw, harm, until } from '../support/story.ts';
import { plain, type talkIn, type TestAccount } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* One user of the gateway, linked in several chats, by whatever credential: what became of a send is told by nobody else's. */

const { world, talk } = useWorld({}, { deliverySeconds: 600 });

const byKey = ({ apiKey }: TestAccount) => ({ apiKey });
const byPassword = ({ username, password }: TestAccount) => ({ username, password });
const byToken = ({ token }: TestAccount) => ({ token });

/** Somebody with this account in a private chat of their own. */
async function somebody(
  name: string,
  credential: Parameters<ReturnType<typeof talkIn>['connects']>[1],
): Promise<Person> {
  const person = world.driver.user({ first_name: name, language_code: 'en' });
  person.start();
  await talk.connects(person, credential);
  return person;
}

async function sends(person: Person, order: string, shows: string) {
  const card = await talk.asks(person, person, `/send ${order}`, '#A');
  await talk.presses(person, card, '✅');
  return await talk.turns(card, shows);
}

/** The next look into the gateway's lists is due now, and has been taken. */
async function looked(recipient: string): Promise<{ readonly state: string; readonly checks: number }> {
  const read = async () => {
    const [row] = await world.database.sql<{ state: string; checks: number }[]>`
      select state, checks from attempt where recipients @> ${[`98${recipient}`]}::text[] and outcome is distinct from 'accepted'
      order by on_wire_at desc nulls last limit 1`;
    return row ?? { state: 'none', checks: 0 };
  };
  const { checks } = await read();
  await world.database.sql`
    update graphile_worker._private_jobs set run_at = now() where key like 'reconcile:%' and locked_at is null`;
  await until(async () => expect((await read()).checks).toBeGreaterThan(checks));
  return await read();
}

const WAYS = [
  { how: 'the same key', first: byKey, second: byKey },
  { how: 'a key, and user name and password', first: byKey, second: byPassword },
  { how: 'user name and password, and a key', first: byPassword, second: byKey },
  { how: 'a key, and a token', first: byKey, second: byToken },
] as const;

describe.each(WAYS)('one account in two chats, by $how', ({ first, second }) => {
  const number = WAYS.findIndex((way) => way.first === first && way.second === second);

  test.each(['call', 'recipient'] as const)(
    'a call that the gateway never took is not told as sent because the other chat sent the same (one id for each %s)',
    async (idsMode) => {
      const account = talk.account({ idsMode });
      const [lost, other] = [
        await somebody('Lost', first(account)),
        await somebody('Other', second(account)),
      ];
      const [one, two] = [`912100${number}${idsMode.length}11`, `912100${number}${idsMode.length}12`];
      const order = `${one} ${two} The shop opens at nine`;

      await sends(other, order, '2 accepted');
      harm(world, account, { kind: 'drop', when: 'before', times: 1 });
      const card = await sends(lost, order, '2 unknown');
      expect(await looked(one)).toMatchObject({ state: 'unknown' });
      const [now] = world.driver.messages(lost).filter(({ message_id: id }) => id === card.message_id);
      expect(now === undefined ? '' : plain(now)).toContain('2 unknown');
      expect(now === undefined ? '' : plain(now)).not.toMatch(/delivered|accepted/u);
      expect(gatewaySaw(world, account)).toMatchObject({ sends: 1, recipients: 2 });
    },
  );

  test('an equal message to the same number does not leave while one of the other chat is unknown', async () => {
    const account = talk.account();
    const [lost, other] = [await somebody('Lost', first(account)), await somebody('Other', second(account))];
    const order = `912200${number}111 The shop opens at ten`;
    harm(world, account, { kind: 'reset', when: 'after', times: 1 });
    await sends(lost, order, '1 unknown');
    await sends(other, order, 'an earlier, equal message');
    expect(gatewaySaw(world, account)).toMatchObject({ sends: 1, recipients: 1 });
  });
});
