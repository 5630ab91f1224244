import { expect, test } from 'vitest';
import { longSendsIn } from '../support/long-send.ts';
import { quiet } from '../support/quiet.ts';
import { shownOn, until } from '../support/story.ts';
import { given, plain, rows } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';
import { startWorld } from '../support/world.ts';

/* The card of a long send: a bar that moves now and then, and an end that is always shown, whatever Telegram says. */

const { world, made } = useWorld({}, { deliverySeconds: 600 });
const on = made(longSendsIn);

async function person(first_name: string) {
  const somebody = world.driver.user({ first_name, language_code: 'en' });
  const account = on.talk.account({ credit: 1_000_000_000 });
  await on.talk.connects(somebody, { apiKey: account.apiKey });
  await on.talk.asks(somebody, somebody, '/limits approval off', 'Set by');
  return { somebody, account };
}

/** When the message was edited while its send ran, in ms. */
function progressEdits(chat: number, messageId: number): number[] {
  return world.driver
    .calls()
    .filter(({ method, params, ok }) => {
      const isMine = Number(params['chat_id']) === chat && Number(params['message_id']) === messageId;
      return ok && method === 'editMessageText' && isMine && String(params['text']).includes('🚚');
    })
    .map(({ at }) => at);
}

test('is edited once in five seconds at most while it runs, with a bar that only grows', async () => {
  const { somebody, account } = await person('Paced');
  const card = await on.longDraft(somebody, somebody, 'paced', 12_000);
  const { heal } = on.slow(account, { ms: 1500 });
  await on.talk.presses(somebody, card, '✅');
  await on.talk.turns(card, (m) => /🚚 ▓/u.test(plain(m)));
  heal();
  await on.talk.turns(card, '📤 12,000 accepted');
  await quiet(world);
  // Two that left five seconds apart may come closer together, but not one more in their time.
  const edits = progressEdits(somebody.id, card.message_id);
  expect(edits.length).toBeLessThanOrEqual((given(edits.at(-1)) - given(edits[0])) / 5000 + 2);
  const shares = shownOn(world, card)
    .map((text) => /🚚 [▓░]{10} [\d,]+ \/ 12,000 · (\d+)%/u.exec(text)?.[1])
    .filter((share) => share !== undefined)
    .map(Number);
  expect(shares.length).toBeGreaterThan(0);
  expect(shares.toSorted((left, right) => left - right)).toEqual(shares);
  expect(shownOn(world, card).at(-1)).toContain('12,000 accepted');
  expect(on.gotIn(account)).toEqual({ messages: 12_000, people: 12_000 });
});

test('shows the end though Telegram let nobody edit it, and holds up no other send meanwhile', async () => {
  const { somebody, account } = await person('Flooded');
  const other = await person('Other');
  const card = await on.longDraft(somebody, somebody, 'flooded', 12_000);
  // Every edit of this chat from now on, until the rule is taken away.
  world.playground.control.fault({
    method: 'editMessageText',
    match: { chat_id: somebody.id },
    retry_after: 3,
    times: 8,
  });
  const refused = () =>
    world.driver
      .calls()
      .filter(
        ({ method, ok, params }) =>
          !ok && method === 'editMessageText' && Number(params['chat_id']) === somebody.id,
      );
  const { heal } = on.slow(account, { ms: 2000 });
  await on.talk.presses(somebody, card, '✅');
  await until(() => {
    expect(refused().length).toBeGreaterThanOrEqual(4);
  });
  // However often the card was asked for by then, it waits in the queue, which has room for everybody else.
  const [row] = await world.database.sql<{ waiting: number }[]>`
    select count(*)::int as waiting from graphile_worker.jobs where task_identifier = 'card' and locked_at is not null`;
  expect(row?.waiting).toBeLessThanOrEqual(3);
  const draft = await on.talk.asks(other.somebody, other.somebody, '/send 09121234567 Hello', 'Draft #A1');
  await on.talk.presses(other.somebody, draft, '✅');
  await on.talk.turns(draft, '📤 1 accepted');
  heal();
  await on.talk.turns(card, '📤 12,000 accepted');
  await quiet(world);
  expect(shownOn(world, card).at(-1)).toContain('12,000 accepted');
});

test('can be stopped as soon as its time has come, though the calls of another one leave it no room yet', async () => {
  await using held = await startWorld({ UNDO_SECONDS: '1' }, { deliverySeconds: 600 });
  const there = longSendsIn(held);
  const sara = held.driver.user({ first_name: 'Sara', language_code: 'en' });
  const account = there.talk.account({ credit: 1_000_000_000 });
  await there.talk.connects(sara, { apiKey: account.apiKey });
  await there.talk.asks(sara, sara, '/limits approval off', 'Set by');
  const [first, second] = [
    await there.longDraft(sara, sara, 'first', 3000),
    await there.longDraft(sara, sara, 'second', 3000),
  ];
  const { struck, heal } = there.slow(account);
  await there.talk.presses(sara, first, '✅');
  await struck();
  await there.talk.presses(sara, second, '✅');
  const waiting = await there.offers(second, '⏹ Stop');
  expect(plain(waiting)).toContain('⏳ 3,000 waiting to be sent');
  expect(rows(waiting)).toEqual([['⏸ Pause', '⏹ Stop']]);
  heal();
  await there.talk.turns(second, '3,000 accepted');
});
