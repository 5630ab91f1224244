import { describe, expect, test } from 'vitest';
import { isStill, longSendsIn, tallyOf } from '../support/long-send.ts';
import { quiet } from '../support/quiet.ts';
import { until } from '../support/story.ts';
import { plain, rows } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* The switch that stops every send of a chat, and the caps of each person. */

const { world, made } = useWorld({}, { deliverySeconds: 600 });
const on = made(longSendsIn);

const TWO = '09121234567 09351112233';

async function team(language_code: 'en' | 'fa' = 'en') {
  const person = (first_name: string) => world.driver.user({ first_name, language_code });
  const [owner, ann, omid] = [person('Olga'), person('Ann'), person('Omid')];
  const group = world.driver.group({ creator: owner, members: [ann, omid], bot: 'administrator' });
  const account = on.talk.account({ credit: 100_000_000 });
  await on.talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
  await on.talk.asks(owner, group, '/limits approval off', /Set by|توسط/);
  await on.talk.gives('approver', ann, group);
  await on.talk.gives('operator', omid, group);
  return { owner, ann, omid, group, account };
}

describe.concurrent('the switch', () => {
  test('stops what runs within a moment, whoever started it, and lets exactly that go on', async () => {
    const { owner, ann, omid, group, account } = await team();
    const [first, second] = [
      await on.longDraft(omid, group, 'first of two', 3000),
      await on.longDraft(ann, group, 'second of two', 3000),
    ];
    const { struck, heal } = on.slow(account, { skip: 2 });
    await on.talk.presses(omid, first, '✅');
    await struck();
    await on.talk.presses(omid, await on.offers(first, '⏸ Pause'), '⏸');
    await on.talk.turns(first, '⏸ Paused by Omid');
    await on.talk.presses(ann, second, '✅');
    await on.offers(second, '⏸ Pause');
    await on.talk.asks(ann, group, '/limits stop', 'needs the role admin');
    const told = await on.talk.asks(owner, group, '/limits stop', 'switched all sends of this chat off');
    expect(plain(told)).toContain('1 send paused; what is already on its way to the gateway finishes.');
    expect(plain(told)).toMatch(
      /⏹ All sends are switched off: Olga did it on .*\. Nothing is sent from this chat\./u,
    );
    expect(rows(told).at(-1)).toEqual(['▶ Resume all sends']);

    heal();
    const halted = await on.talk.turns(
      second,
      (m) => plain(m).includes('⏸ Paused: Olga switched all sends') && isStill(m),
    );
    expect(rows(halted)).toEqual([['⏹ Stop']]);
    const left = tallyOf(halted)[0] + tallyOf(await on.talk.turns(first, isStill))[0];
    await quiet(world);
    expect(on.gotIn(account).messages).toBe(left);
    await on.talk.asks(omid, group, '/limits go', 'needs the role admin');

    await on.talk.presses(owner, told, '▶ Resume all sends');
    const gone = await on.talk.turns(told, 'Olga switched sends on again');
    expect(plain(gone)).toContain('1 send resumed.');
    expect(rows(gone).at(-1)).toEqual(['⏹ Stop all sends']);
    await on.talk.turns(second, '📤 3,000 accepted');
    await quiet(world);
    // What a person has paused is that person's.
    expect(plain(await on.talk.turns(first, '⏸ Paused by Omid'))).toContain('waiting to be sent');
    expect(on.gotIn(account).messages).toBe(3000 + tallyOf(await on.talk.turns(first, isStill))[0]);
    const audit = await on.talk.asks(owner, group, '/audit', 'switched the sends of the chat on again');
    expect(plain(audit)).toContain('Olga: switched all sends of the chat off · 1 paused');
  });

  test('lets nothing be confirmed, and says by whom and since when; by a button of the card too', async () => {
    const { owner, omid, group, account } = await team();
    const draft = await on.talk.asks(omid, group, `/send ${TWO} Hello`, 'Draft #A1');
    const card = await on.talk.asks(owner, group, '/limits', 'Limits of this chat');
    expect(await on.talk.presses(omid, card, '⏹ Stop all')).toContain(
      'Your role in this chat does not allow',
    );
    await on.talk.presses(owner, card, '⏹ Stop all');
    const off = await on.talk.turns(card, 'All sends are switched off');
    expect(plain(off)).toContain('None was under way.');
    await on.talk.presses(omid, draft, '✅');
    const refused = await on.talk.hears(group, 'Nothing was sent.', draft.message_id);
    expect(plain(refused)).toMatch(/⏹ Olga switched all sends of this chat off on .*\d\d:\d\d\./u);
    expect(plain(refused)).toContain('/limits go');
    await on.talk.asks(owner, group, '/limits halt', 'off already: Olga');
    await on.talk.asks(owner, group, '/limits go', 'No send was resumed.');
    await on.talk.asks(owner, group, '/limits resume', 'Sends are not switched off');
    await on.insists(omid, draft, '✅');
    await on.talk.turns(draft, '📤 2 accepted');
    expect(on.gotIn(account).messages).toBe(2);
  });

  test('is understood in Persian', async () => {
    const { owner, group } = await team('fa');
    const draft = await on.talk.asks(owner, group, `/send ${TWO} سلام`, /پیش‌نویس #A1/);
    const off = await on.talk.asks(owner, group, '/limits بایست', 'همهٔ ارسال‌های این گفتگو را خاموش کرد');
    expect(plain(off)).toContain('ارسالی در جریان نبود.');
    await on.talk.presses(owner, draft, '✅');
    await on.talk.hears(
      group,
      /چیزی ارسال نشد\.\n⏹ Olga، .* همهٔ ارسال‌های این گفتگو را خاموش کرده است/u,
      draft.message_id,
    );
    await on.talk.asks(owner, group, '/limits ادامه', 'Olga ارسال‌ها را دوباره روشن کرد');
  });

  test('keeps a scheduled send waiting, which leaves when the switch is taken back', async () => {
    const { owner, omid, group, account } = await team();
    const draft = await on.talk.asks(omid, group, `/send ${TWO} later`, 'Draft #A1');
    await world.database.sql`
      update draft set send_at = now() + interval '1 minute' where text = 'later'`;
    await on.talk.presses(omid, draft, '✅');
    await until(async () => {
      const found = await world.database.sql`
        select 1 from job j join draft d on d.id = j.draft_id where d.text = 'later' and j.state = 'scheduled'`;
      expect(found).toHaveLength(1);
    });
    await on.talk.asks(owner, group, '/limits stop', 'None was under way');
    await world.database.sql`
      update job set hold_until = now() - interval '1 second' from draft d where d.id = job.draft_id and d.text = 'later'`;
    await world.database.sql`
      update graphile_worker._private_jobs set run_at = now() where key like 'send:%' and locked_at is null`;
    await quietFor('later');
    expect(on.gotIn(account).messages).toBe(0);
    await on.talk.asks(owner, group, '/limits go', 'switched sends on again');
    await on.talk.turns(draft, '📤 2 accepted');
    expect(on.gotIn(account).messages).toBe(2);
  });

  /** The clock has come to it, and it waits for a later look. */
  async function quietFor(text: string): Promise<void> {
    await until(async () => {
      const [row] = await world.database.sql<{ state: string; in_s: number }[]>`
        select j.state, extract(epoch from q.run_at - now())::float8 as in_s from job j join draft d on d.id = j.draft_id
        join graphile_worker.jobs q on q.key = 'send:' || j.id where d.text = ${text} and q.locked_at is null`;
      expect(row?.state).toBe('scheduled');
      expect(row?.in_s).toBeGreaterThan(60);
    });
  }
});

describe.concurrent('the cap of each person', () => {
  test('is set and shown beside the chat’s, and holds for one person alone', async () => {
    const { owner, ann, omid, group, account } = await team();
    const set = await on.talk.asks(owner, group, '/limits personcap 3 parts', 'Set by Olga');
    expect(plain(set)).toContain('✅ Daily cap per person: 3 parts a day. Before: off.');
    expect(plain(set)).toContain('👤 Daily cap per person: 3 parts a day · Olga today so far 0 parts');
    const first = await on.talk.asks(omid, group, `/send ${TWO} one`, 'Draft #A1');
    await on.talk.presses(omid, first, '✅');
    await on.talk.turns(first, '📤 2 accepted');
    const second = await on.talk.asks(omid, group, `/send ${TWO} two`, 'Draft #A2');
    await on.talk.presses(omid, second, '✅');
    const over = await on.talk.hears(group, 'the day’s cap per person', second.message_id);
    expect(plain(over)).toContain('Nothing was sent.');
    expect(plain(over)).toMatch(/Cap: 3 parts\. Other sends of [^:]+: 2 parts\. This send: 2 parts\./u);
    const third = await on.talk.asks(ann, group, `/send ${TWO} three`, 'Draft #A3');
    await on.talk.presses(ann, third, '✅');
    await on.talk.turns(third, '📤 2 accepted');
    expect(on.gotIn(account).messages).toBe(4);
    const card = await on.talk.asks(owner, group, '/limits', 'Limits of this chat');
    await on.talk.presses(owner, card, 'Daily cap per person off');
    await on.talk.turns(card, '✅ Daily cap per person: off');
    const audit = await on.talk.asks(owner, group, '/audit', 'daily cap per person 3 parts');
    expect(plain(audit)).toContain('no daily cap per person (before: daily cap per person 3 parts)');
  });

  test('holds for a test message and for the author of what a second person approves', async () => {
    const { owner, ann, omid, group, account } = await team();
    await on.talk.asks(owner, group, '/limits personcap 1 parts', 'Set by Olga');
    await on.talk.asks(owner, group, '/limits approval 1', 'Set by Olga');
    await world.database.sql`update person set mobile = '989121234567' where telegram_id = ${omid.id}`;
    const draft = await on.talk.asks(omid, group, `/send ${TWO} both`, 'Draft #A1');
    await on.talk.presses(omid, draft, '🧪');
    await on.talk.hears(group, '📤 1 accepted', draft.message_id);
    await on.insists(omid, draft, '🧪');
    const over = await on.talk.hears(
      group,
      /Other sends of [^:]+: 1 part\. This send: 1 part\./u,
      draft.message_id,
    );
    expect(plain(over)).toContain('the day’s cap per person');
    await on.insists(omid, draft, '➡');
    const asked = await on.talk.turns(draft, 'waits for approval');
    await on.talk.presses(ann, asked, '✅');
    await on.talk.hears(group, /Other sends of [^:]+: 1 part\. This send: 2 parts\./u, over.message_id);
    expect(on.gotIn(account).messages).toBe(1);
  });

  test('is asked for in rial or parts, by words or by question, and refused where it is no cap', async () => {
    const { owner, group } = await team();
    const small = await on.talk.asks(owner, group, '/limits cap-person 1000', 'That is less than one part');
    expect(plain(small)).toContain('/limits personcap off');
    const rial = await on.talk.asks(owner, group, '/limits personcap 1000000', 'Set by Olga');
    expect(plain(rial)).toContain('👤 Daily cap per person: 1,000,000 rial a day · Olga today so far 0 rial');
    const asked = await on.talk.asks(
      owner,
      group,
      '/limits personcap',
      'How much may one person send in a day?',
    );
    owner.send(group, 'very much', { replyTo: asked });
    const again = await on.talk.hears(group, '«very much» is not', asked.message_id);
    owner.send(group, '500 parts', { replyTo: again });
    await on.talk.hears(group, 'Daily cap per person: 500 parts a day', again.message_id);
    const fa = await team('fa');
    await on.talk.asks(fa.owner, fa.group, '/limits سقف‌نفر ۵۰۰ پارت', 'سقف روزانهٔ هر نفر: روزی ۵۰۰ پارت');
  });
});
