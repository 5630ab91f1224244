import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import type { DeliveryPlan } from '../../src/sandbox/world/delivery-plan.ts';
import { sendForeign } from '../../src/sandbox/world/send.ts';
import type { Row } from '../../src/storage/row.ts';
import { createTables } from '../../src/tables/tables.ts';
import { historyIn, mobile } from '../support/history.ts';
import { given, plain, rows, type TestAccount } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';
import { DEMO_LINE } from '../support/world.ts';

/* Mobile operators: how a send went with each, and what a part to each costs. */

const { world, talk, made } = useWorld({}, { deliverySeconds: 0.5 });
const on = made(historyIn);

const of = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(1_111_111 + n)}`);
const MCI = of('0912', 18);
const IRANCELL = of('0935', 10);
const SMALL = of('0998', 2);
const ALL = [...MCI, ...IRANCELL, ...SMALL];
const PLAN: DeliveryPlan = {
  delivered: 100,
  not_delivered: 0,
  not_sent: 0,
  returned: 0,
  on_the_way: 0,
  seed: 1,
  operators: {
    irancell: { delivered: 0, not_delivered: 0, not_sent: 100, returned: 0, on_the_way: 0 },
    other: { delivered: 0, not_delivered: 0, not_sent: 0, returned: 0, on_the_way: 100 },
  },
};
const ENGLISH = [
  '📶 MCI: 18 · 100% delivered',
  '📶 Irancell: 10 · 0% delivered · 100% not delivered',
  '📶 other networks: 2 · 0% delivered',
  'A ported number counts with its first network.',
].join('\n');
const PERSIAN = [
  '📶 همراه اول: ۱۸ · ۱۰۰٪ تحویل شد',
  '📶 ایرانسل: ۱۰ · ۰٪ تحویل شد · ۱۰۰٪ تحویل نشد',
  '📶 اپراتورهای دیگر: ۲ · ۰٪ تحویل شد',
  'شمارهٔ ترابردشده با اپراتور موبایل اولش حساب شده است.',
].join('\n');

/** What a time cost is known as soon as a price was learned from it. */
function withoutCost(text: string): string {
  return text.replaceAll(/(📶.*?) · ≈ .*/gu, '$1');
}

function planned(account: TestAccount, plan = PLAN): void {
  given(world.sandbox.world.account(account.username)).delivery = plan;
}

async function campaign(person: Person, to: readonly string[], until: RegExp): Promise<void> {
  const card = await talk.asks(person, person, `/send ${to.join(' ')} Good morning`, /#A\d/);
  await talk.presses(person, card, '✅');
  await talk.turns(card, until);
}

async function operatorsInFile(person: Person, report: Message, kind: string): Promise<[string, string][]> {
  await talk.presses(person, report, `⬇ ${kind}`);
  const file = await talk.hears(
    person,
    (m) => m.document?.file_name?.endsWith(kind.toLowerCase()) === true,
    report.message_id,
  );
  const name = given(file.document?.file_name);
  const [header = [], ...body] = await createTables().read({ name, content: talk.fileOf(file) });
  const [number, operator] = [
    ['number', 'شماره'],
    ['first network', 'اپراتور موبایل اول'],
  ].map((words) => header.findIndex((each) => words.includes(each)));
  return body.map((row) => [row[number ?? -1] ?? '', row[operator ?? -1] ?? '']);
}

describe.concurrent('/report by operator', () => {
  test('says of a card, of a tag and of a time how it went with each, in its files too', async () => {
    const { sara, account } = await on.linked();
    planned(account);
    await campaign(sara, ALL, /18 delivered[^]*10 not delivered/);
    await talk.asks(sara, sara, '/tag A1 promo', '🏷 promo');
    const wanted = new Set([
      ...MCI.map((each) => `${each} MCI`),
      ...IRANCELL.map((each) => `${each} Irancell`),
      ...SMALL.map((each) => `${each} other networks`),
    ]);
    for (const [asked, kind] of [
      ['/report A1', 'CSV'],
      ['/report tag:promo', 'XLSX'],
      ['/report today', 'CSV'],
    ] as const) {
      const report = await talk.asks(sara, sara, asked, '📶 MCI');
      expect(withoutCost(plain(report))).toContain(ENGLISH);
      const inFile = await operatorsInFile(sara, report, kind);
      expect(new Set(inFile.map((row) => row.join(' ')))).toEqual(wanted);
    }
  });

  test('does so in Persian', async () => {
    const { sara, account } = await on.linked('fa');
    planned(account);
    await campaign(sara, ALL, /۱۸ تحویل شد[^]*۱۰ تحویل نشد/);
    for (const asked of ['/report A1', '/report امروز'])
      expect(withoutCost(plain(await talk.asks(sara, sara, asked, '📶')))).toContain(PERSIAN);
    const report = await talk.asks(sara, sara, '/report A1', '📶');
    const inFile = await operatorsInFile(sara, report, 'XLSX');
    expect(new Set(inFile.map(([, operator]) => operator))).toEqual(
      new Set(['همراه اول', 'ایرانسل', 'اپراتورهای دیگر']),
    );
  });

  test('says nothing of them where all are of one, or too few', async () => {
    const { sara } = await on.linked();
    await campaign(
      sara,
      Array.from({ length: 25 }, (_, n) => mobile(n)),
      /25 delivered/,
    );
    await campaign(sara, [...of('0912', 15), ...of('0935', 4)], /19 delivered/);
    for (const code of ['A1', 'A2']) {
      const report = await talk.asks(sara, sara, `/report ${code}`, '✅ delivered');
      expect(plain(report)).not.toMatch(/📶|ported/);
    }
    // Together they are many, and of two.
    expect(plain(await talk.asks(sara, sara, '/report today', '📶'))).toMatch(
      /📶 MCI: 40 [^]*📶 Irancell: 4 /,
    );
  });
});

describe.concurrent('the alert about failures', () => {
  const STORIES = [
    {
      locale: 'en',
      here: '⚙ This chat',
      kind: 'Delivery failures',
      ended: /18 delivered[^]*10 not delivered/,
      says: /^📉 #A1: \d+ of 30 not delivered \(.+%\)\.\n📶 Irancell: .+% not delivered, against 0% elsewhere\.$/,
    },
    {
      locale: 'fa',
      here: '⚙ همین گفتگو',
      kind: 'تحویل‌نشدن پیام‌ها',
      ended: /۱۸ تحویل شد[^]*۱۰ تحویل نشد/,
      says: /^📉 #A1: [۰-۹]+ از ۳۰ تحویل نشد \(.+٪\)\.\n📶 ایرانسل: .+٪ تحویل نشد، در برابر ۰٪ بقیه\.$/,
    },
  ] as const;

  const watching = async (person: Person, { here, kind }: (typeof STORIES)[number]): Promise<void> => {
    const settings = await talk.asks(person, person, '/alerts', '📉');
    await talk.presses(person, settings, here);
    await talk.turns(settings, (m) => rows(m).flat().includes(`▫️ ${kind}`));
    await talk.presses(person, settings, `▫️ ${kind}`);
    await talk.turns(settings, (m) => rows(m).flat().includes(`✅ ${kind}`));
  };

  test.each(STORIES)('names the operator whose failures stand out, in $locale', async (story) => {
    const { sara, account } = await on.linked(story.locale);
    planned(account);
    await watching(sara, story);
    await campaign(sara, ALL, story.ended);
    // It may be told before all reports are in.
    expect(plain(await talk.hears(sara, '📉 #A1'))).toMatch(story.says);
  });

  test('names none where all fail alike', async () => {
    const { sara, account } = await on.linked();
    const { operators: _, ...alike } = PLAN;
    planned(account, { ...alike, delivered: 0, returned: 100 });
    await watching(sara, STORIES[0]);
    await campaign(sara, ALL, /30 not delivered/);
    expect(plain(await talk.hears(sara, '📉 #A1'))).toMatch(/^📉 #A1: \d+ of 30 not delivered \(.+%\)\.$/);
  });
});

describe.concurrent('the price of a part to one operator', () => {
  const HOUR_MS = 3_600_000;
  const TARIFF = { '0912': 1420, '0935': 2100, '0920': 1700 } as const;
  const price = {
    gsm7: 2840,
    ucs2: TARIFF['0912'],
    operators: { irancell: { ucs2: TARIFF['0935'] }, rightel: { ucs2: TARIFF['0920'] } },
  };
  type Mix = Partial<Record<keyof typeof TARIFF, number>>;
  const numbersOf = (mix: Mix): string[] =>
    Object.entries(mix).flatMap(([prefix, count]) => of(prefix, count));
  const costOf = (mix: Mix): number =>
    Object.entries(mix).reduce(
      (sum, [prefix, count]) => sum + (new Map(Object.entries(TARIFF)).get(prefix) ?? 0) * count,
      0,
    );

  /** Somebody whose account has sent to such mixes of operators before it was linked. */
  async function payer(mixes: readonly Mix[], language: 'en' | 'fa' = 'en') {
    const sara = world.driver.user({ first_name: 'Sara', language_code: language });
    const account = talk.account({ credit: 10_000_000 });
    const atGateway = given(world.sandbox.world.account(account.username));
    atGateway.price = price;
    for (const [index, mix] of mixes.entries())
      sendForeign(world.sandbox.world, atGateway, {
        from: DEMO_LINE,
        recipients: numbersOf(mix),
        message: 'سلام',
        flash: false,
        at: Date.now() - (9 - index) * (HOUR_MS / 10),
      });
    await talk.connects(sara, { apiKey: account.apiKey });
    return { sara, account };
  }

  const TO: Mix = { '0912': 4, '0935': 30, '0920': 6 };
  const PAID = [
    { '0912': 60, '0935': 20 },
    { '0912': 30, '0920': 5 },
    { '0935': 7, '0920': 1, '0912': 9 },
    { '0912': 80 },
  ];

  test.each(['en', 'fa'] as const)(
    'is learned within two in a hundred, and what is reserved is what is paid, in %s',
    async (language) => {
      const { sara, account } = await payer(PAID, language);
      const draft = await talk.asks(sara, sara, `/send ${numbersOf(TO).join(' ')} درود`, '#A1');
      const card = await talk.turns(draft, language === 'en' ? 'credit after' : 'اعتبار بعد از ارسال');
      const numbersIn = (message: Message): string =>
        plain(message)
          .replaceAll(/[۰-۹]/gu, (digit) => String('۰۱۲۳۴۵۶۷۸۹'.indexOf(digit)))
          .replaceAll(/[,٬]/gu, '');
      expect(Math.abs(Number(/≈ (\d+)/.exec(numbersIn(card))?.[1]) / costOf(TO) - 1)).toBeLessThan(0.02);
      await talk.presses(sara, card, '✅');
      await talk.turns(card, language === 'en' ? '40 delivered' : '۴۰ تحویل شد');
      const [job] = await world.database.sql<Row<'job', 'price_rial'>[]>`
      select price_rial from job where confirmed_by = ${sara.id}`;
      expect(talk.sends(account.username).map(({ cost }) => cost)).toEqual([costOf(TO)]);
      expect(Math.abs((job?.price_rial ?? 0) / costOf(TO) - 1)).toBeLessThan(0.02);
      // Its report says what it cost with each, most messages first.
      const costsIn = async (asked: string): Promise<number[]> => {
        const report = numbersIn(await talk.asks(sara, sara, asked, '📶'));
        return [...report.matchAll(/📶.* · ≈ (\d+)/gu)].map(([, rial]) => Number(rial));
      };
      expect(await costsIn('/report A1')).toEqual([30 * 2100, 6 * 1700, 4 * 1420]);
      // So does that of a tag, of all its sends: the second has two parts.
      const more = await talk.asks(sara, sara, `/send ${of('0935', 5).join(' ')} ${'د'.repeat(100)}`, '#A2');
      await talk.presses(sara, more, '✅');
      await talk.turns(more, language === 'en' ? '5 delivered' : '۵ تحویل شد');
      for (const code of ['A1', 'A2']) await talk.asks(sara, sara, `/tag ${code} promo`, '🏷');
      expect(await costsIn('/report tag:promo')).toEqual([40 * 2100, 6 * 1700, 4 * 1420]);
      expect(numbersIn(await talk.asks(sara, sara, '/credit', '📶'))).toMatch(
        language === 'en'
          ? /📶 A Unicode part by network: MCI ≈ 1420 rial.*Irancell ≈ 2100 rial.*RighTel ≈ 1700 rial/u
          : /📶 هر پارت یونیکد به تفکیک اپراتور: همراه اول ≈ 1420 ریال.*ایرانسل ≈ 2100 ریال.*رایتل ≈ 1700 ریال/u,
      );
    },
  );

  test('counts against the cap of the day', async () => {
    const { sara, account } = await payer(PAID);
    // Thirty parts at the price of all would fit; to Irancell they cost more.
    await talk.asks(sara, sara, '/limits cap 60,000 rial', '60,000 rial a day');
    const draft = await talk.asks(sara, sara, `/send ${of('0935', 30).join(' ')} درود`, '#A1');
    const card = await talk.turns(draft, '≈ 63,000 rial');
    expect(plain(card)).toContain('60,000');
    await talk.presses(sara, card, '✅');
    const fits = await talk.asks(sara, sara, `/send ${of('0912', 30).join(' ')} درود`, '#A2');
    const known = await talk.turns(fits, '≈ 42,600 rial');
    await talk.presses(sara, known, '✅');
    await talk.turns(known, '30 delivered');
    expect(talk.sends(account.username).map(({ cost }) => cost)).toEqual([42_600]);
  });

  test('is in the report of a time, and adds up to what was paid', async () => {
    const { sara } = await payer(PAID);
    await talk.turns(await talk.asks(sara, sara, `/send ${mobile(0)} درود`, '#A1'), 'credit after');
    const text = plain(await talk.asks(sara, sara, '/report 24h', '📶'));
    const costs = Object.fromEntries(
      [...text.matchAll(/📶 (\w+): .* · ≈ ([\d,]+) rial/gu)].map(([, name, rial = '']) => [
        name,
        Number(rial.replaceAll(',', '')),
      ]),
    );
    expect(costs).toEqual({ MCI: 179 * 1420, Irancell: 27 * 2100, RighTel: 6 * 1700 });
    const paid = PAID.reduce((sum, mix) => sum + costOf(mix), 0);
    expect(text).toContain(`· ${paid.toLocaleString('en')} rial ·`);
  });

  test('is one for all where nothing tells them apart', async () => {
    const { sara } = await payer([{ '0912': 30, '0935': 30 }]);
    const draft = await talk.asks(sara, sara, `/send ${of('0935', 10).join(' ')} درود`, '#A1');
    expect(plain(await talk.turns(draft, 'credit after'))).toContain('≈ 17,600 rial (1,760 a part, learned');
    expect(plain(await talk.asks(sara, sara, '/credit', 'Price of a part'))).not.toContain('📶');
  });
});
