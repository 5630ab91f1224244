import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ordersIn } from '../support/orders.ts';
import { given, plain, rows, type TestAccount } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/* Who is on the blacklist of the line is left out of a send, and told before it leaves. */

const LINE = '3000123456';
const OTHER = '50001234';
const [ANN, BEN, EVE] = ['09121234567', '09351112233', '09121112233'] as const;

let world: World;
let on: ReturnType<typeof ordersIn>;

beforeAll(async () => {
  world = await startWorld({}, { deliverySeconds: 0.5 });
  on = ordersIn(world);
});

afterAll(async () => {
  expect(on.talk.errors()).toEqual([]);
  await world.stop();
});

const block = ({ username }: TestAccount, numbers: readonly string[], line = LINE): void =>
  void given(world.sandbox.world.account(username)).blacklist.add(
    line,
    numbers.map((number) => number.slice(1)),
    { setter: 'panel', at: 1 },
  );

const SAYS = {
  en: {
    left: '3 numbers → 1 to send, 2 on the blacklist',
    who: '⛔ On this line’s blacklist, left out: 09121234567 and 09351112233',
    send: '✅ Send 1',
    done: /1 (accepted|delivered)/,
    blocked: '2 on the blacklist',
  },
  fa: {
    left: '۳ شماره ← ۱ فرستاده می‌شود، ۲ در لیست سیاه',
    who: '⛔ در لیست سیاه این خط، به این‌ها فرستاده نمی‌شود: 09121234567 و 09351112233',
    send: '✅ ارسال به ۱',
    done: /۱ (تحویل شد|پذیرفته شد)/,
    blocked: '۲ در لیست سیاه',
  },
};

describe.concurrent('a preview', () => {
  test.each(['en', 'fa'] as const)(
    'names who is on the blacklist of the line, and its button counts who is left (%s)',
    async (language) => {
      const says = SAYS[language];
      const { sara, account } = await on.linked({ by: 'key', language });
      block(account, [ANN, BEN]);
      const card = await on.order(sara, `/send ${ANN} ${BEN} ${EVE} Hello`);
      const known = await on.talk.turns(card, says.left);
      expect(plain(known)).toContain(says.who);
      expect(rows(known).flat().join('|')).toContain(says.send);
      const done = await on.ships(sara, known, says.done);
      expect(plain(await on.talk.turns(done, says.blocked))).toContain(says.blocked);
      expect(on.sent(account).map(({ recipients }) => recipients)).toEqual([[EVE.slice(1)]]);
    },
  );

  test('leaves out what was told, also of somebody who is taken off the list before the press', async () => {
    const { sara, account } = await on.linked({ by: 'key' });
    block(account, [ANN]);
    const card = await on.talk.turns(await on.order(sara, `/send ${ANN} ${EVE} Hello`), '1 on the blacklist');
    given(world.sandbox.world.account(account.username)).blacklist.remove(LINE, ANN.slice(1));
    await on.ships(sara, card, /1 (accepted|delivered)/);
    expect(on.sent(account).map(({ recipients }) => recipients)).toEqual([[EVE.slice(1)]]);
  });

  test('has nothing to press when nobody is left, and asks anew about another line', async () => {
    const { sara, account } = await on.linked({ by: 'key' });
    block(account, [ANN, EVE]);
    const card = await on.talk.turns(
      await on.order(sara, `/send ${ANN} ${EVE} Hello`),
      'Nobody is left to send to',
    );
    expect(
      rows(card)
        .flat()
        .filter((label) => label.startsWith('✅')),
    ).toEqual([]);
    block(account, [EVE], OTHER);
    await on.talk.presses(sara, card, '📞');
    await on.talk.asks(sara, sara, OTHER, /./u);
    const other = await on.talk.turns(card, '1 on the blacklist');
    expect(plain(other)).toContain('2 numbers → 1 to send');
    expect(plain(other)).not.toContain('Nobody');
  });

  test('of rows counts each by its own line', async () => {
    const { sara, account } = await on.linked({ by: 'key' });
    block(account, [ANN]);
    const card = await on.order(sara, `/multi ${LINE};${ANN};One\n${OTHER};${ANN};Two\n${LINE};${EVE};Three`);
    const known = await on.talk.turns(card, '1 on the blacklist');
    expect(plain(known)).toContain('3 messages → 2 to send');
    await on.ships(sara, known, /2 (accepted|delivered)/);
  });

  test('of a phonebook counts its numbers', async () => {
    const { sara, account } = await on.linked({
      phonebooks: [{ title: 'Customers', flag: 'c1', numbers: [ANN, EVE].map((number) => number.slice(1)) }],
    });
    block(account, [ANN]);
    const card = await on.order(sara, '/booksend Customers Hello');
    const known = await on.talk.turns(card, '1 on the blacklist');
    await on.ships(sara, known, /1 (accepted|delivered)/);
    expect(on.sent(account).map(({ recipients }) => recipients)).toEqual([[EVE.slice(1)]]);
  });

  test('says nothing of a list that the gateway does not tell', async () => {
    const { sara, account } = await on.linked({ by: 'key' });
    block(account, [ANN]);
    on.harm(account, 'blacklist-exists', { kind: 'error', status: 400 });
    const card = await on.order(sara, `/send ${ANN} ${EVE} Hello`);
    expect(plain(card)).toContain('2 numbers → 2 to send');
    const done = await on.ships(sara, card, /2 (accepted|delivered)|1 (accepted|delivered)/);
    expect(plain(done)).not.toContain('blacklist');
  });
});
