import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import { createDraftStore } from '../../src/storage/sending/draft-store.ts';
import { sendForeign } from '../../src/sandbox/world/send.ts';
import { ordersIn } from '../support/orders.ts';
import { schedulesIn } from '../support/scheduling.ts';
import { harm, HELD, until } from '../support/story.ts';
import { given, has, plain, rows, styleOf, type TestAccount } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/*
 * What a send will cost, learned from what the account itself has paid: on the card before it leaves, behind the day's
 * cap, below /credit, and the warning without which nobody sends more than the credit pays for.
 */

const { world, made } = useWorld({}, { deliverySeconds: 0.5 });
const on = made(ordersIn);

const HOUR_MS = 3_600_000;
const TWO = '09121234567 09351112233';
const many = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `0912${String(index).padStart(7, '0')}`);

const ofGateway = ({ username }: TestAccount) => given(world.sandbox.world.account(username));

/** What the account has paid for before it was linked: 25 parts of each encoding, at different times. */
const seed = (account: TestAccount, texts: readonly string[] = ['Hello', 'سلام']): void => {
  for (const [index, message] of texts.entries())
    sendForeign(world.sandbox.world, ofGateway(account), {
      from: '3000123456',
      recipients: many(25),
      message,
      flash: false,
      at: Date.now() - (3 - index) * HOUR_MS,
    });
};

/** Somebody whose account has paid before, with this credit left. */
async function payer(options: { credit?: number; language?: 'en' | 'fa' } = {}) {
  const { credit = 1_000_000, language = 'en' } = options;
  const { sara, account } = await on.linked({ language, by: 'key' });
  seed(account);
  ofGateway(account).credit = credit;
  return { sara, account };
}

const last = (message: Message, count = 1): string[] => plain(message).split('\n').slice(-count);
const labels = (message: Message): string[] => rows(message).flat();

describe.concurrent('the price on a card', () => {
  test('is not known of a new account, and is known after its first sends', async () => {
    const { sara, account } = await on.linked({ by: 'key', credit: 100_000 });
    const card = await on.order(sara, `/send ${TWO} Hello`);
    expect(last(card)).toEqual(['2 parts in all · the price is not known yet']);
    expect(labels(card)).toContain('✅ Send 2 · 2 parts');
    await on.ships(sara, card, /2 (accepted|delivered)/);
    await until(async () => {
      const [row] = await world.database.sql<{ parts: number }[]>`
        select g.gsm_parts as parts from account_gauge g join binding b on b.id = g.binding_id
        join chat c on c.id = b.chat_id where c.telegram_id = ${sara.id}`;
      expect(row?.parts).toBe(2);
    });
    const next = await on.order(sara, `/send 09121234567 Hello`);
    const known = await on.talk.turns(next, 'credit after');
    expect(last(known, 2)).toEqual([
      '1 part in all · ≈ 2,840 rial (2,840 a part, learned from your account)',
      '💰 credit after ≈ 91,480 rial · about 112 days at your pace',
    ]);
    expect(labels(known)).toContain('✅ Send 1 · ≈ 2,840 rial');
    expect(on.calls(account, 'countoutbox').length).toBeLessThan(10);
  });

  test.each([
    {
      language: 'en' as const,
      known: 'credit after',
      latin: [
        '2 parts in all · ≈ 5,680 rial (2,840 a part, learned from your account)',
        '💰 credit after ≈ 994,320 rial · about 65 days at your pace',
      ],
      persian: '2 parts in all · ≈ 2,840 rial (1,420 a part, learned from your account)',
      button: '✅ Send 2 · ≈ 2,840 rial',
    },
    {
      language: 'fa' as const,
      known: 'اعتبار بعد از ارسال',
      latin: [
        'روی هم ۲ پارت · ≈ ۵٬۶۸۰ ریال (هر پارت ۲٬۸۴۰، بر اساس حساب شما)',
        '💰 اعتبار بعد از ارسال ≈ ۹۹۴٬۳۲۰ ریال · با این روند حدود ۶۵ روز کفاف می‌دهد',
      ],
      persian: 'روی هم ۲ پارت · ≈ ۲٬۸۴۰ ریال (هر پارت ۱٬۴۲۰، بر اساس حساب شما)',
      button: '✅ ارسال به ۲ · ≈ ۲٬۸۴۰ ریال',
    },
  ])('is that of its own encoding, with credit and days after it ($language)', async (says) => {
    const { sara, account } = await payer({ language: says.language });
    const latin = await on.talk.turns(await on.order(sara, `/send ${TWO} Hello`), says.known);
    expect(last(latin, 2)).toEqual(says.latin);
    // What is known by now is on the next card at once.
    const persian = await on.order(sara, `/send ${TWO} سلام`);
    expect(last(persian, 2)[0]).toBe(says.persian);
    expect(labels(persian)).toContain(says.button);
    expect(styleOf(persian)).toBe('success');
    expect(on.calls(account, 'credit').length).toBeLessThanOrEqual(2);
    expect(on.calls(account, 'countoutbox').length).toBeLessThanOrEqual(4);
    const done = await on.ships(sara, persian, '🏁');
    expect(plain(done)).toMatch(/🏁 .* · ≈ (2,840 rial|۲٬۸۴۰ ریال) · /u);
    const [job] = await world.database.sql<{ price: number }[]>`
      select j.price_rial as price from job j join chat c on c.id = j.chat_id where c.telegram_id = ${sara.id}`;
    expect(job?.price).toBe(2840);
  });

  test('does not take away what somebody is looking at when it becomes known', async () => {
    const { sara, account } = await payer();
    const { heal } = harm(world, account, { ...HELD, operation: 'countoutbox' });
    const file = sara.upload(sara, 'people.csv', Buffer.from('mobile,name\n09121234567,Ann'), '/bulk');
    const card = await on.talk.hears(sara, has('▶'), file.message_id);
    await on.talk.presses(sara, card, '▶');
    await on.talk.asks(sara, sara, 'Hello {name}', 'Hello Ann');
    expect(last(await on.talk.turns(card, has('👀')))[0]).toContain('the price is not known yet');
    await on.talk.presses(sara, card, '👀');
    await on.talk.turns(card, has('⬅'));
    heal();
    expect(labels(await on.talk.turns(card, 'credit after'))).toContain('⬅ Back');
  });

  test('counts the rows of /multi each by its own encoding', async () => {
    const { sara } = await payer();
    const card = await on.order(sara, '/multi 3000123456;09121234567;Hello\n09351112233 سلام');
    const known = await on.talk.turns(card, 'credit after');
    expect(last(known, 2)[0]).toBe(
      '2 parts in all · ≈ 4,260 rial (2,840 a Latin part and 1,420 a Unicode part, learned from your account)',
    );
  });

  test.each(['en', 'fa'] as const)(
    'of an encoding that the account has not paid for is not known, whatever the other costs (%s)',
    async (language) => {
      const { sara, account } = await on.linked({ by: 'key', language });
      seed(account, ['سلام']);
      // Two Latin parts would fit by the price of Unicode, and would not by their own: nobody knows either.
      ofGateway(account).credit = 1500;
      const persian = await on.order(sara, `/send ${TWO} سلام`);
      await on.talk.turns(persian, isWarning);
      const latin = await on.order(sara, `/send ${TWO} Hello`);
      expect(plain(latin)).toMatch(/the price is not known yet|هنوز معلوم نیست/);
      expect(plain(latin)).not.toMatch(/⚠|rial|ریال/);
      expect(styleOf(latin)).toBe('success');
      await on.talk.asks(sara, sara, '/credit', /not known yet in Latin|لاتین هنوز معلوم نیست/);
    },
  );

  test('is not there for an account that cannot count, and for a while where the gateway fails', async () => {
    const { sara } = await on.linked({ by: 'token' });
    const card = await on.order(sara, `/send ${TWO} Hello`);
    await on.ships(sara, card, /2 (accepted|delivered)/);
    expect(last(await on.order(sara, `/send ${TWO} Hello again`))).toEqual([
      '2 parts in all · the price is not known yet',
    ]);

    const troubled = await payer();
    const { faults } = world.sandbox;
    const harm = [
      faults.add({
        account: troubled.account.username,
        operation: 'countoutbox',
        kind: 'error',
        status: 400,
      }),
      faults.add({ account: troubled.account.username, operation: 'credit', kind: 'html' }),
    ];
    const dark = await on.order(troubled.sara, `/send ${TWO} Hello`);
    await on.ships(troubled.sara, dark, /2 (accepted|delivered)/);
    expect(last(await on.order(troubled.sara, `/send ${TWO} Hello again`))).toEqual([
      '2 parts in all · the price is not known yet',
    ]);
    for (const fault of harm) faults.remove(fault);
    const bright = await on.order(troubled.sara, `/send ${TWO} Hello`);
    await on.talk.turns(bright, '(2,840 a part, learned from your account)');
  });
});

const SAID = {
  en: {
    warns:
      /^⚠ The credit \(1,000 rial\) is short by about 4,680 rial; what it does not cover will be refused\.$/m,
    known: 'credit after',
    nothing: /Nothing was sent yet.*press ✅ on the card once more/s,
    poor: 'not enough credit',
  },
  fa: {
    warns: /^⚠ اعتبار \(۱٬۰۰۰ ریال\) حدود ۴٬۶۸۰ ریال کم است؛ بقیه را پنل پیامک نمی‌پذیرد\.$/m,
    known: 'اعتبار بعد از ارسال',
    nothing: /هنوز چیزی ارسال نشد.*یک بار دیگر ✅ را روی کارت بزنید/s,
    poor: 'اعتبار کافی نیست',
  },
};
const isWarning = (message: Message): boolean =>
  plain(message).includes('⚠') && styleOf(message) === 'danger';

describe.concurrent('credit that does not suffice', () => {
  test.each(['en', 'fa'] as const)(
    'is on the card, whose button is red and still sends (%s)',
    async (language) => {
      const { sara, account } = await payer({ credit: 1000, language });
      const card = await on.talk.turns(await on.order(sara, `/send ${TWO} Hello`), isWarning);
      expect(plain(card)).toMatch(SAID[language].warns);
      expect(plain(card)).not.toContain(SAID[language].known);
      await on.ships(sara, card, SAID[language].poor);
      expect(on.sent(account)).toEqual([]);
    },
  );

  test.each(['en', 'fa'] as const)(
    'that a card did not tell of is told by its button, and only the next press sends (%s)',
    async (language) => {
      const { sara, account } = await payer({ language });
      const card = await on.talk.turns(await on.order(sara, `/send ${TWO} Hello`), SAID[language].known);
      ofGateway(account).credit = 1000;
      await on.talk.asks(sara, sara, '/credit', /1,000 rial|۱٬۰۰۰ ریال/);
      expect(await on.talk.presses(sara, card, '✅')).toBe('');
      const told = await on.talk.hears(sara, SAID[language].nothing, card.message_id);
      expect(plain(told)).toMatch(SAID[language].warns);
      const warned = await on.talk.turns(card, isWarning);
      expect(plain(warned)).toMatch(SAID[language].warns);
      expect(on.sent(account)).toEqual([]);
      // Topped up in the meantime: the same press sends after all.
      ofGateway(account).credit = 1_000_000;
      await on.ships(sara, warned, /2 (accepted|delivered)|۲ (تحویل شد|پذیرفته شد)/);
      expect(on.sent(account)).toHaveLength(1);
    },
  );

  test('is told of by «Send now» below one that was not sent, and only the next press sends', async () => {
    const { sara, account } = await payer();
    const at = schedulesIn(world, on.talk);
    await on.talk.turns(await on.order(sara, `/send ${TWO} Hello`), SAID.en.known);
    const card = await at.schedules(sara, sara.id, 'tomorrow 9:00');
    await at.comes(sara.id, 'A2', 1900);
    const missed = await on.talk.turns(card, 'What should happen?');
    ofGateway(account).credit = 1000;
    const about = await on.talk.asks(sara, sara, '/credit', /1,000 rial/);
    await on.talk.presses(sara, missed, '✅ Send now');
    const told = await on.talk.hears(sara, 'may not cover all of it, so nothing was sent', about.message_id);
    expect(labels(told)).toEqual(['✅ Send now']);
    expect(styleOf(told)).toBe('danger');
    expect(on.sent(account)).toEqual([]);
    ofGateway(account).credit = 1_000_000;
    await on.talk.presses(sara, told, '✅ Send now');
    await on.talk.turns(card, /2 (accepted|delivered)/);
    expect(on.sent(account)).toHaveLength(1);
  });

  test('is looked at again when the last look is long ago', async () => {
    const { sara, account } = await payer();
    const card = await on.talk.turns(await on.order(sara, `/send ${TWO} Hello`), 'credit after');
    ofGateway(account).credit = 1000;
    const age = async () =>
      await world.database.sql`
        update account_gauge set credit_at = now() - interval '11 minutes' where binding_id in (
          select b.id from binding b join chat c on c.id = b.chat_id where c.telegram_id = ${sara.id})`;
    await age();
    expect(await on.talk.presses(sara, card, '✅')).toBe('');
    await on.talk.hears(sara, SAID.en.nothing, card.message_id);
    const warned = await on.talk.turns(card, isWarning);
    // A gateway that does not say how much is left keeps nobody from sending, not even from a card of before.
    const { heal } = harm(world, account, { ...HELD, operation: 'credit' });
    await age();
    await on.talk.presses(sara, warned, '⚡');
    const flash = await on.talk.turns(card, '⚡ flash');
    expect(plain(flash)).not.toContain('⚠');
    await on.ships(sara, flash, SAID.en.poor);
    heal();
    expect(on.sent(account)).toEqual([]);
  });

  test('is spoken for by the sends under way: of two that fit alone, the second warns', async () => {
    const { sara, account } = await payer({ credit: 10_000 });
    const first = await on.order(sara, `/send ${TWO} Hello`);
    await on.talk.turns(first, 'credit after');
    const second = await on.order(sara, `/send ${TWO} Hello again`);
    await on.talk.turns(second, 'credit after');
    expect(on.calls(account, 'credit').length).toBeLessThanOrEqual(2);
    const { heal } = harm(world, account, HELD);
    expect(await on.talk.presses(sara, first, '✅')).toBe('');
    expect(await on.talk.presses(sara, second, '✅')).toBe('');
    const told = await on.talk.hears(sara, SAID.en.nothing, second.message_id);
    expect(plain(told)).toContain(
      '⚠ The credit (10,000 rial, about 5,680 rial of it for sends under way) is short by about 1,360 rial',
    );
    heal();
    await on.talk.turns(first, /2 (accepted|delivered)/);
    await on.settled(sara);
    expect(on.sent(account)).toHaveLength(1);
  });

  test('is spoken for by what leaves in another chat by the same account, too', async () => {
    const { sara, account } = await payer({ credit: 10_000 });
    const omid = world.driver.user({ first_name: 'Omid', language_code: 'en' });
    await on.talk.connects(omid, { apiKey: account.apiKey });
    const first = await on.order(sara, `/send ${TWO} Hello`);
    await on.talk.turns(first, 'credit after');
    const second = await on.order(omid, `/send ${TWO} Hello again`);
    await on.talk.turns(second, 'credit after');
    // Else the card is brought up to what the first takes, and its own button says so.
    await on.talk.gauged(omid.id);
    await on.talk.drawn();
    const { heal } = harm(world, account, HELD);
    expect(await on.talk.presses(sara, first, '✅')).toBe('');
    await on.talk.turns(first, (m) => !plain(m).includes('Draft'));
    expect(await on.talk.presses(omid, second, '✅')).toBe('');
    const told = await on.talk.hears(omid, SAID.en.nothing, second.message_id);
    expect(plain(told)).toContain('about 5,680 rial of it for sends under way) is short by about 1,360 rial');
    heal();
    await on.talk.turns(first, /2 (accepted|delivered)/);
    await on.settled(sara);
    expect(on.sent(account)).toHaveLength(1);
  });

  test('is told to the second person too, whose first press then approves nothing', async () => {
    const person = (first_name: string) => world.driver.user({ first_name, language_code: 'en' });
    const [owner, ann] = [person('Olga'), person('Ann')];
    const group = world.driver.group({ creator: owner, members: [ann], bot: 'administrator' });
    const account = on.talk.account();
    seed(account);
    await on.talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
    await on.talk.gives('approver', ann, group);
    await on.talk.asks(owner, group, '/limits approval 1', 'Set by');
    const draft = await on.talk.asks(owner, group, `/send ${TWO} Hello`, 'Draft #A1');
    const known = await on.talk.turns(draft, 'credit after');
    await on.talk.presses(owner, known, '➡');
    const question = await on.talk.turns(draft, 'waits for approval');
    expect(labels(question)).toContain('✅ Approve 2 · ≈ 5,680 rial');
    ofGateway(account).credit = 1000;
    await on.talk.asks(ann, group, '/credit', '1,000 rial');
    expect(await on.talk.presses(ann, question, '✅')).toBe('');
    await on.talk.hears(group, SAID.en.nothing, question.message_id);
    const warned = await on.talk.turns(draft, isWarning);
    expect(on.calls(account, 'send')).toEqual([]);
    ofGateway(account).credit = 1_000_000;
    await on.ships(ann, warned, /2 (accepted|delivered)/);
    expect(on.sent(account)).toHaveLength(1);
  });

  test('holds up no test message without saying so', async () => {
    const { sara, account } = await payer();
    await world.database.sql`update person set mobile = '989121234567' where telegram_id = ${sara.id}`;
    const card = await on.talk.turns(await on.order(sara, `/send ${TWO} Hello`), 'credit after');
    ofGateway(account).credit = 1000;
    await on.talk.asks(sara, sara, '/credit', '1,000 rial');
    await on.talk.presses(sara, card, '🧪');
    const told = await on.talk.hears(sara, SAID.en.nothing, card.message_id);
    expect(plain(told)).toContain('short by about 1,840 rial');
    const test = await on.talk.hears(sara, (m) => isWarning(m) && plain(m).includes('#A2'), card.message_id);
    expect(on.sent(account)).toEqual([]);
    ofGateway(account).credit = 10_000;
    await on.ships(sara, test, /1 (accepted|delivered)/);
  });
});

describe.concurrent('the day’s cap in rial', () => {
  test('counts what sends really cost', async () => {
    const { sara, account } = await payer();
    await on.talk.asks(sara, sara, '/limits cap 10000', 'Set by');
    const latin = await on.talk.turns(await on.order(sara, `/send ${TWO} Hello`), 'credit after');
    await on.ships(sara, latin, /2 (accepted|delivered)/);
    const tooMuch = await on.order(sara, `/send ${TWO} Hello`);
    await on.talk.presses(sara, tooMuch, '✅');
    const told = await on.talk.hears(sara, 'over the day’s cap', tooMuch.message_id);
    expect(plain(told)).toMatch(/Other sends of .*: 5,680 rial\. This send: 5,680 rial\./u);
    // The same two parts in the encoding that costs half as much.
    await on.ships(sara, await on.order(sara, `/send ${TWO} سلام`), /2 (accepted|delivered)/);
    expect(on.sent(account)).toHaveLength(2);
  });
});

describe.concurrent('/credit', () => {
  test('tells the price of each encoding once it is learned, and that it is not known before', async () => {
    const { sara } = await payer();
    const before = await on.talk.asks(sara, sara, '/credit', 'as of');
    expect(plain(before)).toContain('🏷 The price of a part is not known yet.');
    await on.talk.turns(await on.order(sara, `/send ${TWO} Hello`), 'credit after');
    const after = await on.talk.asks(sara, sara, '/credit', 'as of');
    expect(plain(after)).toContain('🏷 Price of a part: ≈ 2,840 rial in Latin and ≈ 1,420 rial in Unicode');
    const poor = await on.linked({ by: 'token' });
    const none = await on.talk.asks(poor.sara, poor.sara, '/credit', 'as of');
    expect(plain(none)).toContain('The price of a part is not known yet');
  });

  test.each([
    [
      'en',
      '🗓 2 sends scheduled: ≈ 8,520 rial',
      '⚠ The credit does not cover all of that: it is short by about 520 rial.',
    ],
    ['fa', '🗓 ۲ ارسال زمان‌بندی‌شده: ≈ ۸٬۵۲۰ ریال', '⚠ اعتبار برای همهٔ این‌ها کافی نیست: حدود ۵۲۰ ریال کم است.'],
  ] as const)(
    'tells what scheduled sends need, and when it will not fit (%s)',
    async (language, needs, short) => {
      const { sara, account } = await payer({ language });
      await on.talk.turns(await on.order(sara, `/send ${TWO} Hello`), SAID[language].known);
      const drafts = createDraftStore(world.database);
      const [place] = await world.database.sql<{ chat: string; binding: string }[]>`
      select c.id as chat, b.id as binding from chat c join binding b on b.chat_id = c.id where c.telegram_id = ${sara.id}`;
      for (const [index, text] of ['Hello', 'سلام'].entries()) {
        const { id } = await drafts.create({
          chatId: place?.chat ?? '',
          bindingId: place?.binding ?? '',
          botId: 1,
          updateId: sara.id * 10 + index,
          authorId: sara.id,
          outgoing: { kind: 'text' },
          text,
          recipients: ['989121234567', '989351112233'],
          repeated: [],
          invalid: [],
          line: '3000123456',
          lang: language,
          sendAt: new Date(Date.now() + 20 * HOUR_MS),
          threadId: undefined,
        });
        const press = { draftId: id, version: 1, personId: sara.id, updateId: sara.id * 10 + index };
        expect(await drafts.confirm({ ...press, undoSeconds: 0, timeZone: 'UTC' })).toMatchObject({
          result: 'confirmed',
        });
      }
      const enough = await on.talk.asks(sara, sara, '/credit', '🗓');
      expect(plain(enough)).toContain(needs);
      expect(plain(enough)).not.toContain('⚠');
      ofGateway(account).credit = 8000;
      const tight = await on.talk.asks(sara, sara, '/credit', '⚠');
      expect(plain(tight)).toContain(short);
    },
  );
});
