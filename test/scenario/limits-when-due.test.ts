import { describe, expect, test } from 'vitest';
import { minuteOfDay } from '../../src/domain/limits.ts';
import { schedulesIn } from '../support/scheduling.ts';
import { plain, rows } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/*
 * A send is judged for the moment in which it is due to leave, and once more when that has come. The hold is so long here
 * that this moment is on another day, and at another hour, than the press.
 */

const HOURS = 21;
/** In which it is noon, so that what leaves after the hold does so tomorrow morning. */
const ZONE = zoneAtNoon(new Date());

const { world, made } = useWorld({ UNDO_SECONDS: String(HOURS * 3600) }, { deliverySeconds: 600 });
const on = made(schedulesIn);

const TWO = '09121234567 09351112233';
const sent = ({ username }: { readonly username: string }) =>
  on.talk.sends(username).map(({ text, recipients }) => ({ text, recipients: recipients.length }));

/** Hours of a day around the moment that is so many hours from now. */
const hoursAround = (ahead: number): readonly [from: number, to: number] => {
  const hour = Math.floor(minuteOfDay(new Date(), ZONE) / 60) + ahead + 24;
  return [((hour - 1) % 24) * 60, ((hour + 2) % 24) * 60];
};

const team = async () => {
  const people = await on.team();
  await world.database.sql`update chat set time_zone = ${ZONE} where telegram_id = ${people.group}`;
  return people;
};

describe.concurrent('for the moment after the hold', () => {
  test('the day’s cap is that of the day on which it leaves, for all that is held over midnight', async () => {
    const { omid, oscar, group, account } = await team();
    await on.limit(group, { cap: 3 });
    const first = await on.talk.asks(omid, group, `/send ${TWO} First`, 'Draft');
    await on.talk.presses(omid, first, '✅');
    await on.talk.turns(first, 'leaving in');
    for (const person of [omid, oscar]) {
      const next = await on.talk.asks(person, group, `/send ${TWO} Next`, 'Draft');
      await on.talk.presses(person, next, '✅');
      const refused = await on.talk.hears(group, 'would go over the day’s cap', next.message_id);
      expect(plain(refused)).toContain('2 parts');
    }
    expect((await on.jobs(group)).map(({ state }) => state)).toEqual(['holding']);
    expect(sent(account)).toEqual([]);
  });

  test('the sending hours are those in which it leaves', async () => {
    const { omid, group } = await team();
    const card = await on.talk.asks(omid, group, `/send ${TWO} Soon`, 'Draft');
    await on.limit(group, { window: hoursAround(0) });
    await on.talk.presses(omid, card, '✅');
    await on.talk.hears(group, 'This chat sends only from', card.message_id);
    expect(await on.jobs(group)).toEqual([]);
    const closed = await on.talk.turns(card, 'This chat sends only from');
    expect(rows(closed)[0]?.[0]).toMatch(/^🕘 Schedule/u);

    await on.limit(group, { window: hoursAround(HOURS) });
    const fresh = await on.talk.asks(omid, group, '/A1', 'Draft');
    expect(rows(fresh)[0]?.[0]).toMatch(/^✅/u);
    await on.talk.presses(omid, fresh, '✅');
    await on.talk.turns(fresh, 'leaving in');
  });
});

describe.concurrent('when the hold is over, all of it is judged again', () => {
  test.each([
    ['the day’s cap', { cap: 1 }, 'It would go over the day’s cap.'],
    ['the sending hours', { window: hoursAround(5) }, 'That time is outside the chat’s sending hours.'],
    ['the approval', { approval: 1 }, 'needs a second person’s approval'],
  ] as const)('%s: what does not pass stays, says why, and can be sent later', async (_, limit, why) => {
    const { omid, group, account } = await team();
    const card = await on.talk.asks(omid, group, `/send ${TWO} Held`, 'Draft');
    await on.talk.presses(omid, card, '✅');
    await on.talk.turns(card, 'leaving in');
    await on.limit(group, limit);
    await on.comes(group, 'A1');
    const missed = await on.talk.turns(card, 'What should happen?');
    expect(plain(missed)).toContain(why);
    expect(rows(missed)).toEqual([['✅ Send now'], ['🕐 New time', '🗑 Cancel']]);
    const told = await on.talk.hears(group, 'What should happen with #A1?', card.message_id);
    expect(plain(told)).toContain(why);
    await on.calm(group);
    expect(sent(account)).toEqual([]);

    await on.limit(group, {});
    await on.talk.presses(omid, missed, '✅ Send now');
    await on.talk.turns(card, 'leaving in');
    await on.comes(group, 'A1');
    await on.talk.turns(card, '2 accepted');
    await on.calm(group);
    expect(sent(account)).toEqual([{ text: 'Held', recipients: 2 }]);
  });

  test('what a second person has agreed to leaves, though the limit was lowered since', async () => {
    const { omid, ann, group, account } = await team();
    await on.limit(group, { approval: 1 });
    const card = await on.talk.asks(omid, group, `/send ${TWO} Agreed`, 'Draft');
    await on.talk.presses(omid, card, '➡');
    await on.talk.presses(ann, await on.talk.turns(card, 'waits for approval'), '✅');
    await on.talk.turns(card, 'leaving in');
    await on.limit(group, { approval: 0 });
    await on.comes(group, 'A1');
    await on.talk.turns(card, '2 accepted');
    expect(sent(account)).toEqual([{ text: 'Agreed', recipients: 2 }]);
  });
});

function zoneAtNoon(now: Date): string {
  const ahead = 12 - now.getUTCHours();
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}
