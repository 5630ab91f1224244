import { describe, expect, test } from 'vitest';
import { inAnyOrder, isDraft, ordersIn } from '../support/orders.ts';
import { hurry } from '../support/quiet.ts';
import { numbers, until } from '../support/story.ts';
import { plain, rows, type TestAccount } from '../support/talk.ts';
import { startWorld } from '../support/world.ts';
import { useWorld } from '../support/use-world.ts';

/* /future: a send that the gateway keeps until its time, and what is known of it before and after. */

const { world, made } = useWorld();
const on = made(ordersIn);

const MINUTE = 60_000;
const DAY = 86_400_000;
const TEHRAN = 3.5 * 3_600_000;
const ASK_WHEN = 'When should it be sent?';

/** A day from now by Tehran's wall, at noon there, in epoch seconds. */
function noonIn(days: number): number {
  const wall = Math.floor((Date.now() + TEHRAN) / DAY) * DAY;
  return (wall + days * DAY + DAY / 2 - TEHRAN) / 1000;
}

function written(at: number, calendar: 'gregory' | 'persian'): string {
  const parts = new Intl.DateTimeFormat(`en-u-nu-latn-ca-${calendar}`, {
    timeZone: 'Asia/Tehran',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(new Date(at * 1000));
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? '';
  return calendar === 'gregory'
    ? `${part('year')}-${part('month')}-${part('day')}`
    : `${part('year')}/${part('month')}/${part('day')}`;
}

const scheduled = ({ username }: TestAccount) =>
  on.talk.sends(username).map(({ scheduledFor }) => scheduledFor);

/** Moves the time of a send, as if the rest of it had passed. */
async function moveTime(text: string, secondsFromNow: number): Promise<void> {
  await world.database.sql`
    update job set leaves_at = now() + ${secondsFromNow} * interval '1 second'
    where draft_id in (select id from draft where text = ${text} and kind = 'future')`;
  const moved = await world.database.sql`
    update draft set details = jsonb_set(details, '{at}', to_jsonb(floor(extract(epoch from now()))::int + ${secondsFromNow}::int))
    where text = ${text} and kind = 'future' returning 1`;
  expect(moved).toHaveLength(1);
}

// It moves the gateway's clock, which the others share.
describe('a send whose time comes', () => {
  test.each([
    ['version 3', 'pair'],
    ['version 1', 'token'],
  ] as const)('waits by /status and is not the latest one that was sent, on %s', async (_, by) => {
    const { sara, account } = await on.linked({ by });
    const first = await on.order(sara, '/send 09121234567 Sent at once');
    await on.ships(sara, first, '1 accepted');
    world.sandbox.world.advance(MINUTE);
    const card = await on.order(sara, '/future tomorrow 12:00 09121234567 Not sent yet');
    await on.ships(sara, card, '1 accepted by the gateway');

    const id = on.talk.sends(account.username).at(-1)?.messageIds[0] ?? '';
    const status = plain(await on.talk.asks(sara, sara, `/status ${id}`, id));
    const latest = plain(await on.talk.asks(sara, sara, '/latest', /^✉️ \d/u));
    expect(status).toContain('⏳ waiting');
    expect(latest).toContain('Sent at once');

    world.sandbox.world.advance(2 * DAY);
    expect(plain(await on.talk.asks(sara, sara, `/status ${id}`, id))).toContain('✅ delivered');
    expect(plain(await on.talk.asks(sara, sara, '/latest', /^✉️ \d/u))).toContain('Not sent yet');
    world.sandbox.world.advance(-2 * DAY - MINUTE);
  });

  test('is told as one text where the gateway reads no parts, and leaves at the same time', async () => {
    await using plainWorld = await startWorld({ GATEWAY_V1_PLAIN: '1' });
    const there = ordersIn(plainWorld);
    const { sara, account } = await there.linked();
    const card = await there.order(sara, '/future tomorrow 12:00 09121234567 Lunch is ready');
    await there.ships(sara, card, '1 accepted by the gateway');
    expect(there.talk.sends(account.username)).toMatchObject([{ scheduledFor: noonIn(1) }]);
    expect(there.talk.errors()).toEqual([]);
  });

  test('is kept there until its time, is not asked after before, and is then seen delivered', async () => {
    const { sara, account } = await on.linked();
    const card = await on.order(sara, '/future tomorrow 12:00 09121234567, ۰۹۳۵۱۱۱۲۲۳۳ Lunch is ready');
    const shown = plain(card).split('\n');
    const when = shown[1]?.replace('🕐 ', '') ?? '';
    expect(when).toMatch(/^\w{3} \d{1,2} \w{3} 20\d\d, 12:00$/u);
    expect(shown).toEqual([
      '✉️ Draft #A1 · line 3000123456',
      `🕐 ${when}`,
      'Lunch is ready',
      '14 characters · Latin · 1 part',
      '2 numbers → 2 to send',
      '09121234567 09351112233',
      '2 parts in all · the price is not known yet',
      'It waits at the gateway until then. What the gateway has accepted cannot be taken back from here.',
    ]);
    expect(rows(card)).toEqual([['✅ Send 2 · 2 parts'], ['✏️ Text', '📞 Line'], ['🧪 To me', '✖ Cancel']]);

    const accepted = await on.ships(sara, card, '🏁');
    expect(plain(accepted).split('\n')).toEqual([
      '✉️ #A1 by Sara',
      `🕐 ${when}`,
      'Lunch is ready',
      '📤 2 accepted by the gateway',
      '🕐 The gateway keeps what it has accepted until then.',
      expect.stringMatching(/^🏁 2 parts · price not known · in \d+ s$/u),
    ]);
    expect(on.sent(account)).toEqual([
      {
        version: 1,
        operation: 'future-send',
        line: '3000123456',
        text: 'Lunch is ready',
        flash: false,
        recipients: ['9121234567', '9351112233'],
      },
    ]);
    expect(scheduled(account)).toEqual([noonIn(1)]);

    // The look after it waits for the time too.
    await until(async () => {
      const [look] = await world.database.sql<{ seconds: number }[]>`
        select extract(epoch from g.run_at - now())::float8 as seconds
        from graphile_worker.jobs g join job j on g.key = 'track:' || j.id join draft d on d.id = j.draft_id
        where d.text = 'Lunch is ready'`;
      expect(look?.seconds).toBeGreaterThan(noonIn(1) - Date.now() / 1000 - 60);
    });
    expect(on.calls(account, 'status')).toEqual([]);

    world.sandbox.world.advance(2 * DAY);
    await moveTime('Lunch is ready', -1);
    await hurry(world);
    const done = await on.talk.turns(card, '2 delivered');
    expect(plain(done)).not.toMatch(/accepted|keeps/u);
    expect(on.calls(account, 'status').length).toBeGreaterThan(0);
    expect(on.calls(account, 'future-send')).toHaveLength(1);
    world.sandbox.world.advance(-2 * DAY);
  });
});

describe.concurrent('a send that waits at the gateway', () => {
  test.each([
    ['a Gregorian date', () => `${written(noonIn(3), 'gregory')} 12:00`, 3],
    ['a Jalali date', () => `${written(noonIn(3), 'persian')} 12:00`, 3],
    ['Persian digits', () => '۲ روز دیگر', null],
    ['Persian words', () => 'فردا ساعت ۱۲', 1],
    ['an hour of the afternoon', () => 'tomorrow 12 pm', 1],
  ])('is told its time as %s', async (_, time, days) => {
    const { sara, account } = await on.linked({ by: 'token' });
    const before = Math.floor(Date.now() / MINUTE) * 60;
    const card = await on.order(sara, `/future ${time()} 09121234567 Hello`);
    await on.ships(sara, card, '1 accepted');
    const [at = 0] = scheduled(account);
    if (days !== null) expect(at).toBe(noonIn(days));
    else {
      expect(at % 60).toBe(0);
      expect(at - before - 2 * 86_400).toBeGreaterThanOrEqual(0);
      expect(at - before - 2 * 86_400).toBeLessThan(600);
    }
  });

  test('reads as Persian in Persian', async () => {
    const { sara, account } = await on.linked({ language: 'fa' });
    const card = await on.order(sara, '/future فردا ۱۲ ظهر 09121234567 سلام');
    const [first, when, ...rest] = plain(card).split('\n');
    expect(first).toBe('✉️ پیش‌نویس #A1 · خط 3000123456');
    expect(when).toMatch(/^🕐 \p{L}+(?:‌\p{L}+)? [۰-۹]{1,2} \p{L}+ ۱۴[۰-۹]{2}، ۱۲:۰۰$/u);
    expect(rest).toEqual([
      'سلام',
      '۴ کاراکتر · یونیکد · ۱ پارت',
      '۱ شماره ← ۱ ارسال می‌شود',
      '09121234567',
      'روی هم ۱ پارت · قیمت هنوز معلوم نیست',
      'تا آن زمان در پنل پیامک می‌ماند. آنچه پنل پیامک بپذیرد دیگر از اینجا لغو نمی‌شود.',
    ]);
    const shown = await on.ships(sara, card, '۱ پذیرفته شد');
    expect(plain(shown)).toContain('🕐 پنل پیامک آنچه را پذیرفته تا آن زمان نگه می‌دارد.');
    expect(scheduled(account)).toEqual([noonIn(1)]);
  });

  test('goes to more than 200 numbers in several calls for the same time', async () => {
    const { sara, account } = await on.linked({ credit: 100_000_000 });
    const card = await on.order(sara, `/future in 3h ${numbers(250).join(' ')} Hello`);
    await on.ships(sara, card, '250 accepted');
    expect(inAnyOrder(on.sent(account).map(({ recipients }) => recipients.length))).toEqual([200, 50]);
    expect(new Set(scheduled(account)).size).toBe(1);
  });

  test('can be given another text and another line, and be tried out at once', async () => {
    const { sara, account } = await on.linked();
    const card = await on.order(sara, '/future in 3h 09121234567 First wording');
    await on.talk.presses(sara, card, '✏️');
    await on.talk.hears(sara, 'What should the message say?', card.message_id);
    sara.send(sara, 'Second wording');
    const edited = await on.talk.turns(card, 'Second wording');
    expect(plain(edited)).toMatch(/🕐 \w{3} \d/u);
    await on.talk.presses(sara, edited, '📞');
    await on.talk.hears(sara, 'From which sender line?', card.message_id);
    sara.send(sara, '50001234');
    const moved = await on.talk.turns(card, 'line 50001234');

    await on.talk.presses(sara, moved, '🧪');
    const question = await on.talk.hears(sara, 'Your own mobile number', card.message_id);
    sara.send(sara, '09121110001');
    await on.talk.hears(sara, '1 delivered', question.message_id);
    const fresh = await on.talk.turns(card, isDraft);
    await on.ships(sara, fresh, '1 accepted');
    expect(on.sent(account)).toEqual([
      {
        version: 3,
        operation: 'send',
        line: '50001234',
        text: 'Second wording',
        flash: false,
        recipients: ['9121110001'],
      },
      {
        version: 1,
        operation: 'future-send',
        line: '50001234',
        text: 'Second wording',
        flash: false,
        recipients: ['9121234567'],
      },
    ]);
  });
});

describe.concurrent('what is missing or will not do', () => {
  test('is asked for one after the other', async () => {
    const { sara, account } = await on.linked();
    const question = await on.talk.asks(sara, sara, '/future', ASK_WHEN);
    expect(plain(question)).toContain('tomorrow 9:00');
    await on.talk.asks(sara, sara, 'in 2h', 'Which numbers?');
    await on.talk.asks(sara, sara, '09121234567', 'What should the message say?');
    const card = await on.order(sara, 'Hello');
    await on.ships(sara, card, '1 accepted');
    expect(on.sent(account)).toHaveLength(1);
  });

  test('of a time is told, and the time alone is asked for again', async () => {
    const { sara, account } = await on.linked();
    const cases = [
      ['yesterday 9:00', 'I could not read «yesterday 9:00» as a day and a time that lie ahead.'],
      ['5/12/2030 18:30', 'I could not read «5/12/2030 18:30» as a day and a time that lie ahead.'],
      ['2020-01-01 10:00', 'That time is over.'],
      ['1405/01/01 10:00', 'That time is over.'],
      ['in 4 min', 'That time is less than 5 min away. Take a later one.'],
      ['in 367 days', 'That time is more than a year away.'],
      ['2030-02-31 10:00', 'I could not read «2030-02-31 10:00»'],
      ['tomorrow 25:00', 'I could not read «tomorrow 25:00»'],
    ] as const;
    for (const [time, told] of cases) {
      const { message_id: after } = sara.send(sara, `/future ${time} 09121234567, 0912x Hello there`);
      await on.talk.hears(sara, told, after);
      await on.talk.hears(sara, ASK_WHEN, after);
    }
    // The question stands: what was good of the last line is still known.
    await on.talk.asks(sara, sara, 'in 3 minutes', 'less than 5 min away');
    await on.talk.asks(sara, sara, 'soon', 'I could not read «soon»');
    const card = await on.order(sara, 'in 2h');
    expect(plain(card)).toContain('Hello there');
    expect(plain(card)).toContain('2 numbers → 1 to send, 1 invalid');
    await on.ships(sara, card, '1 accepted');
    expect(on.sent(account).map(({ text }) => text)).toEqual(['Hello there']);
  });

  test('of the account is told with what would add it', async () => {
    const { sara, account } = await on.linked({ by: 'key' });
    const told = await on.talk.asks(
      sara,
      sara,
      '/future in 2h 09121234567 Hello',
      'The account linked here cannot do this',
    );
    expect(plain(told)).toMatch(/a user name and password or a version 1 token/u);
    expect(plain(told)).toContain('/connect');
    expect(plain(told)).toContain('What does it without: /schedule');
    const help = await on.talk.asks(sara, sara, '/help all', 'send');
    expect(plain(help)).toContain('With a user name and password or a version 1 token also: /future');
    expect(plain(help)).not.toContain('/future:');
    await on.settled(sara);
    expect(on.talk.sends(account.username)).toEqual([]);
  });

  test('because its time has passed is told at the press, and nothing leaves', async () => {
    const { sara, account } = await on.linked();
    const card = await on.order(sara, '/future in 6 min 09121234567 Too late for this');
    await moveTime('Too late for this', 110);
    expect(await on.talk.presses(sara, card, '✅')).toBe('');
    const told = await on.talk.hears(sara, 'less than two minutes away', card.message_id);
    expect(plain(told)).toContain('nothing was sent');
    await on.settled(sara);
    expect(on.calls(account, 'future-send')).toEqual([]);
    // With its time ahead again it would be as good as before.
    await moveTime('Too late for this', 600);
    const open = await on.talk.turns(card, isDraft);
    await on.ships(sara, open, '1 accepted');
    expect(on.calls(account, 'future-send')).toHaveLength(1);
  });
});

describe.concurrent('what the gateway makes of it', () => {
  test('is told in words where it refuses', async () => {
    const { sara, account } = await on.linked({ credit: 3000 });
    on.harm(account, 'future-send', { kind: 'error', code: 26, times: 1 });
    const wrong = await on.order(sara, '/future in 2h 09121234567 Wrong time');
    const told = await on.ships(sara, wrong, '1 not sent');
    expect(plain(told)).toContain('Reason: the sending time is not valid. Choose another.');
    expect(plain(told)).not.toContain('keeps');

    const poor = await on.order(sara, '/future in 2h 09121234567 09351112233 Too dear');
    await on.ships(sara, poor, 'not enough credit');

    const foreign = await on.order(sara, '/future in 2h 09121234567 Foreign line');
    await on.talk.presses(sara, foreign, '📞');
    await on.talk.hears(sara, 'From which sender line?', foreign.message_id);
    sara.send(sara, '30009998887');
    const moved = await on.talk.turns(foreign, 'line 30009998887');
    const refused = await on.ships(sara, moved, '1 not sent');
    expect(plain(refused)).toContain('sender line does not belong to the account');
    await on.settled(sara);
    expect(on.sent(account)).toEqual([]);
    expect(on.calls(account, 'future-send')).toHaveLength(3);
  });

  test('is not known where its answer was lost, and it is not asked twice', async () => {
    const { sara, account } = await on.linked();
    on.harm(account, 'future-send', { kind: 'drop', when: 'after' });
    const card = await on.order(sara, '/future in 2h 09121234567 Lost answer');
    const shown = await on.ships(sara, card, '1 unknown');
    expect(plain(shown)).toContain(
      'It may still send them at that time; I will not repeat the request by myself.',
    );
    expect(plain(shown)).not.toMatch(/not sent|accepted|delivered|have been sent/u);
    await on.settled(sara);
    // The lists that show what was sent prove nothing of what is still to be sent.
    await hurry(world);
    await on.settled(sara);
    await until(async () => {
      const [attempt] = await world.database.sql<{ state: string }[]>`
        select a.state from attempt a join job j on j.id = a.job_id join draft d on d.id = j.draft_id
        where d.text = 'Lost answer'`;
      expect(attempt?.state).toBe('asked');
    });
    expect(on.calls(account, 'future-send')).toHaveLength(1);
    expect(on.sent(account)).toHaveLength(1);
  });
});
