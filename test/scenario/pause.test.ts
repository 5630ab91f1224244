import { describe, expect, test } from 'vitest';
import { isStill, longSendsIn, tallyOf } from '../support/long-send.ts';
import { quiet } from '../support/quiet.ts';
import { PATIENCE, plain, rows } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { useWorld } from '../support/use-world.ts';

/* A long send is held up, goes on, is stopped, and what is left is sent or taken home as a file. */

const { world, made } = useWorld({}, { deliverySeconds: 600 });
const on = made(longSendsIn);

const ALL = 3000;

async function team(language_code: 'en' | 'fa' = 'en', credit = 100_000_000) {
  const person = (first_name: string) => world.driver.user({ first_name, language_code });
  const [owner, ann, omid, vera] = [person('Olga'), person('Ann'), person('Omid'), person('Vera')];
  const group = world.driver.group({ creator: owner, members: [ann, omid, vera], bot: 'administrator' });
  const account = on.talk.account({ credit });
  await on.talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
  await on.talk.asks(owner, group, '/limits approval off', /Set by|توسط/);
  await on.talk.gives('approver', ann, group);
  await on.talk.gives('operator', omid, group);
  await on.talk.gives('viewer', vera, group);
  return { owner, ann, omid, vera, group, account };
}

const auditOf = async (group: number): Promise<string[]> => {
  const found = await world.database.sql<{ action: string }[]>`
    select a.action from audit a join chat c on c.id = a.chat_id where c.telegram_id = ${group} order by a.id`;
  return found.map(({ action }) => action).filter((action) => action.startsWith('send_'));
};

describe.concurrent('a running send', () => {
  test('is paused by whoever may stop it; what is out finishes and is shown; then it goes on to its end', async () => {
    const { owner, omid, vera, group, account } = await team();
    const card = await on.longDraft(owner, group, 'pause in between', ALL);
    const { struck, heal } = on.slow(account, { skip: 2 });
    await on.talk.presses(owner, card, '✅');
    await struck();
    const running = await on.offers(card, '⏸ Pause');
    expect(plain(running)).toMatch(/🚚 [▓░]{10} [\d,]+ \/ 3,000 · \d+%/u);
    expect(await on.talk.presses(vera, running, '⏸')).toContain('Your role in this chat does not allow this');
    expect(await on.talk.presses(omid, running, '⏸')).toBe('');
    const paused = await on.talk.turns(card, '⏸ Paused by Omid');
    expect(tallyOf(paused).reduce((sum, each) => sum + each, 0)).toBe(ALL);
    heal();
    const still = await on.talk.turns(card, isStill);
    const [left, not, unknown] = tallyOf(still);
    expect([left + not, unknown]).toEqual([ALL, 0]);
    expect(not).toBeGreaterThan(0);
    // Whatever was shown as out has arrived, and nothing else has left since.
    await quiet(world);
    expect(on.gotIn(account)).toEqual({ messages: left, people: left });

    expect(rows(still)).toEqual([['▶ Resume', '⏹ Stop']]);
    expect(await on.talk.presses(vera, still, '▶')).toContain('Your role in this chat does not allow this');
    expect(await on.talk.presses(omid, still, '▶')).toBe('');
    const done = await on.talk.turns(card, '📤 3,000 accepted');
    expect(plain(done)).not.toMatch(/Paused|waiting|unknown/u);
    expect(on.gotIn(account)).toEqual({ messages: ALL, people: ALL });
    expect(await auditOf(group)).toEqual(['send_confirmed', 'send_paused', 'send_resumed']);
    const told = await on.talk.asks(owner, group, '/audit', 'paused a send');
    expect(plain(told)).toContain('Omid: resumed a send · #A1');
  });

  test('is stopped from its pause, with exact numbers, a file of the rest, and the rest sent after all', async () => {
    const { owner, ann, group, account } = await team();
    const card = await on.longDraft(owner, group, 'stop in between', ALL);
    const { struck, heal } = on.slow(account, { skip: 2 });
    await on.talk.presses(owner, card, '✅');
    await struck();
    await on.talk.presses(owner, await on.offers(card, '⏸ Pause'), '⏸');
    const paused = await on.talk.turns(card, '⏸ Paused by Olga');
    await on.talk.presses(ann, paused, '⏹');
    const stopped = await on.talk.turns(card, /⏹ Stopped by Ann at \d\d:\d\d · /u);
    expect(tallyOf(stopped).reduce((sum, each) => sum + each, 0)).toBe(ALL);
    heal();
    const still = await on.talk.turns(card, isStill);
    const [left, not, unknown] = tallyOf(still);
    expect([left, unknown]).toEqual([on.gotIn(account).messages, 0]);
    expect(left + not).toBe(ALL);
    expect(rows(still)).toEqual([['▶ Send the rest', '⬇ rest.csv'], ['📊 Report']]);

    await on.talk.presses(ann, still, '⬇');
    const file = await on.talk.hears(group, (m) => m.document?.file_name === 'rest-A1.csv', card.message_id);
    expect(plain(file)).toBe(`${not.toLocaleString('en')} of #A1 had not been sent when this file was made.`);
    const listed = on.talk.fileOf(file).toString('utf8').trim().split(/\r?\n/u).slice(1);
    expect(listed).toHaveLength(not);
    // Not masked: it is for people who may stop sends, to be sent by other ways.
    expect(listed[0]).toMatch(/0?912\d{7}/u);
    const got = new Set(on.talk.sends(account.username).flatMap((send) => send.recipients));
    expect(listed.filter((row) => got.has(/(912\d{7})/u.exec(row)?.[1] ?? ''))).toEqual([]);

    expect(await on.talk.presses(ann, still, '▶')).toBe('');
    await on.talk.turns(card, '📤 3,000 accepted');
    expect(on.gotIn(account)).toEqual({ messages: ALL, people: ALL });
    expect(await auditOf(group)).toEqual(['send_confirmed', 'send_paused', 'send_stopped', 'send_resumed']);
  });

  test('that is stopped leaves what it held of the day’s cap to the drafts of others', async () => {
    const { owner, omid, group, account } = await team();
    await on.talk.asks(owner, group, `/limits cap ${ALL} parts`, '3,000 parts a day');
    const card = await on.longDraft(owner, group, 'stop for others', ALL);
    const { struck, heal } = on.slow(account, { skip: 2 });
    await on.talk.presses(owner, card, '✅');
    await struck();
    const other = await on.talk.asks(omid, group, '/send 09121234567 Hello', 'Draft #A2');
    expect(plain(other)).toContain('over the day’s cap');
    await on.insists(owner, card, '⏹ Stop');
    await on.talk.turns(other, (m) => !plain(m).includes('over the day’s cap'));
    heal();
    await on.talk.turns(card, isStill);
  });

  test('says it all in Persian', async () => {
    const { owner, group, account } = await team('fa');
    const card = await on.talk.asks(owner, group, '/send 09123330004 سلام به همه', /پیش‌نویس #A\d/u);
    await world.database.sql`
      update draft set recipients = (select array_agg('98912' || lpad((1000 + n)::text, 7, '0')) from generate_series(1, ${ALL}) n)
      where text = 'سلام به همه'`;
    const { struck, heal } = on.slow(account, { skip: 2 });
    await on.talk.presses(owner, card, '✅');
    await struck();
    const running = await on.offers(card, '⏸ مکث');
    expect(plain(running)).toMatch(/🚚 [▓░]{10} [۰-۹٬]+ از ۳٬۰۰۰ · [۰-۹]+٪/u);
    await on.talk.presses(owner, running, '⏸');
    const paused = await on.talk.turns(card, '⏸ مکث توسط Olga');
    await on.talk.presses(owner, paused, '⏹');
    const stopped = await on.talk.turns(card, (m) => /⏹ Olga ساعت [۰-۹:]+ متوقفش کرد/u.test(plain(m)));
    expect(plain(stopped)).toMatch(/[۰-۹٬]+ ارسال شد، [۰-۹٬]+ ارسال نشد/u);
    heal();
    const still = await on.talk.turns(card, (m) => !plain(m).includes('در انتظار پاسخ پنل پیامک'));
    expect(rows(still)).toEqual([['⬇ فایل مانده‌ها', '▶ ارسال بقیه'], ['📊 گزارش']]);
    await quiet(world);
  });
});

describe.concurrent('what is left of a stopped send', () => {
  /** Stopped by the gateway's word for too little credit, after one call. */
  async function short() {
    const { owner, ann, omid, group, account } = await team('en', 600_000);
    const card = await on.longDraft(owner, group, 'credit ends in between', 1450);
    await on.talk.presses(owner, card, '✅');
    const stopped = await on.talk.turns(
      card,
      (m) =>
        plain(m).includes('not enough credit') && isStill(m) && rows(m).flat().includes('▶ Send the rest'),
    );
    await quiet(world);
    return { owner, ann, omid, group, account, card, stopped };
  }

  test('goes on when the credit is there again', async () => {
    const { owner, group, account, card, stopped } = await short();
    const [left, not, unknown] = tallyOf(stopped);
    expect([left, left + not, unknown]).toEqual([200, 1450, 0]);
    const gateway = world.sandbox.world.account(account.username);
    if (gateway !== undefined) gateway.credit = 100_000_000;
    // Those of the calls that were refused for it are left like the others, and in no resend beside.
    expect(rows(stopped)).toEqual([['▶ Send the rest', '⬇ rest.csv'], ['📊 Report']]);
    expect(plain(stopped)).toContain('1,250 not sent');
    await on.talk.presses(owner, stopped, '⬇');
    const file = await on.talk.hears(group, (m) => m.document !== undefined, card.message_id);
    expect(on.talk.fileOf(file).toString('utf8').trim().split(/\r?\n/u).slice(1)).toHaveLength(1250);
    await on.talk.presses(owner, stopped, '▶');
    const done = await on.talk.turns(card, (m) => plain(m).includes('1,450 accepted') && rows(m).length > 0);
    await quiet(world);
    expect(on.gotIn(account)).toEqual({ messages: 1450, people: 1450 });
    expect(rows(done)).toEqual([['📊 Report']]);
  });

  test('is for a new send once another account is linked, and says so', async () => {
    const { owner, group, card } = await short();
    await on.talk.connects(owner, { apiKey: on.talk.account({}).apiKey }, { chat: group, line: null });
    const told = await on.talk.turns(card, 'for is not linked here any more. ⬇ rest.csv has the rest');
    expect(plain(told)).not.toContain('Send the rest');
    expect(rows(told)[0]).toEqual(['⬇ rest.csv']);
  });

  test('goes on with the very call that an account refused that was locked', async () => {
    const { owner, group, account } = await team();
    const refusal = {
      kind: 'error',
      status: 400,
      code: 4,
      operation: 'send',
      account: account.username,
    } as const;
    const id = world.sandbox.faults.add(refusal);
    const card = await on.talk.asks(owner, group, '/send 09123330004 while it is locked', /Draft #A\d/u);
    await on.talk.presses(owner, card, '✅');
    const stopped = await on.offers(card, '▶ Send the rest');
    expect(rows(stopped)).toEqual([['▶ Send the rest', '⬇ rest.csv'], ['📊 Report']]);
    expect(on.gotIn(account).messages).toBe(0);
    world.sandbox.faults.remove(id);
    await on.talk.presses(owner, stopped, '▶');
    await on.talk.turns(card, '1 accepted');
    await quiet(world);
    expect(on.gotIn(account)).toEqual({ messages: 1, people: 1 });
  });

  test('is stopped again after a few calls when it is not', async () => {
    const { owner, account, card, stopped } = await short();
    const calls = () => on.talk.hits(account.username).filter(({ operation }) => operation === 'send').length;
    const before = calls();
    await on.talk.presses(owner, stopped, '▶');
    await until(() => expect(calls()).toBeGreaterThan(before));
    await quiet(world);
    await on.offers(card, '▶ Send the rest');
    expect(calls() - before).toBeLessThanOrEqual(4);
    expect(on.gotIn(account).messages).toBe(200);
  });

  test('is refused by the cap, by the switch and by an account that is gone, each in words', async () => {
    const { owner, group, account, stopped, card } = await short();
    await on.talk.asks(owner, group, '/limits cap 1000 parts', 'Set by Olga');
    await on.talk.presses(owner, stopped, '▶');
    const over = await on.talk.hears(group, 'over the day’s cap', card.message_id);
    expect(plain(over)).toContain('It was not resumed.');
    expect(plain(over)).not.toContain('Nothing was sent');
    await on.talk.asks(owner, group, '/limits cap off', 'Set by Olga');
    await on.talk.asks(owner, group, '/limits stop', 'switched all sends of this chat off');
    await on.insists(owner, card, '▶');
    await on.talk.hears(
      group,
      (m) => /was not resumed/u.test(plain(m)) && /\/limits go/u.test(plain(m)),
      over.message_id,
    );
    await on.talk.asks(owner, group, '/limits go', 'switched sends on again');
    await world.database.sql`
      update binding set state = 'gone' where chat_id = (select id from chat where telegram_id = ${group})`;
    await on.insists(owner, card, '▶');
    await on.talk.hears(group, 'not linked here any more', over.message_id);
    await quiet(world);
    expect(on.gotIn(account).messages).toBe(200);
  });

  test('above the limit needs a second person, whose own press is the yes', async () => {
    const { owner, ann, omid, group, account, stopped, card } = await short();
    await on.talk.asks(owner, group, '/limits approval 100', 'Set by Olga');
    const gateway = world.sandbox.world.account(account.username);
    if (gateway !== undefined) gateway.credit = 100_000_000;
    await on.talk.presses(owner, stopped, '▶');
    const asked = await on.talk.hears(group, 'second person’s approval', card.message_id);
    expect(plain(asked)).toContain('Somebody other than Olga whose role is approver or above');
    await on.insists(omid, card, '▶');
    await on.talk.hears(group, 'second person’s approval', asked.message_id);
    expect(on.gotIn(account).messages).toBe(200);
    await on.insists(ann, card, '▶');
    const going = await on.talk.turns(card, 'approved by Ann');
    expect(plain(going)).toContain('#A1 by Olga, approved by Ann');
    await on.talk.turns(card, (m) => !/waiting|Stopped|🚚|no answer yet/u.test(plain(m)));
    expect(on.gotIn(account).messages).toBeGreaterThan(200);
    const told = await on.talk.asks(owner, group, '/audit', 'as the second person who approves');
    expect(plain(told)).toContain('Ann: resumed a send');
  });
});

test('of a double tap and a tap by two people, one counts, and each hears the truth', async () => {
  const { owner, ann, group, account } = await team();
  const card = await on.longDraft(owner, group, 'two at once', ALL);
  const { struck, heal } = on.slow(account, { skip: 2 });
  await on.talk.presses(owner, card, '✅');
  await struck();
  const running = await on.offers(card, '⏸ Pause');
  const answers = await Promise.all(
    [owner.tap(running, '⏸'), ann.tap(running, '⏸'), owner.tap(running, '⏸')].map(
      async (tap) => (await world.driver.waitForAnswer(tap, PATIENCE)).text ?? '',
    ),
  );
  expect(answers.filter((said) => said === '')).toHaveLength(1);
  await on.talk.turns(card, '⏸ Paused by');
  heal();
  const still = await on.talk.turns(card, isStill);
  const press = await Promise.all(
    [owner.tap(still, '▶'), ann.tap(still, '▶')].map(
      async (tap) => (await world.driver.waitForAnswer(tap, PATIENCE)).text ?? '',
    ),
  );
  expect(press.filter((said) => said === '')).toHaveLength(1);
  await on.talk.turns(card, '📤 3,000 accepted');
  expect(on.gotIn(account)).toEqual({ messages: ALL, people: ALL });
  expect(await auditOf(group)).toEqual(['send_confirmed', 'send_paused', 'send_resumed']);
});
