import { describe, expect, test } from 'vitest';
import { PICTURE } from '../../src/ports/charts.ts';
import { mobile, sentBefore } from '../support/history.ts';
import { plain } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* The picture beside the credit. */

const { world, talk } = useWorld({}, { deliverySeconds: 1 });

/** An account that sent something on each of so many days. */
async function linked(days: number, language_code = 'en') {
  const sara = world.driver.user({ first_name: 'Sara', language_code });
  const account = talk.account({ credit: 1_000_000 });
  await talk.connects(sara, { apiKey: account.apiKey });
  for (let n = 0; n < days * 3; n += 1) sentBefore(world, account, mobile(n), { days: n % days });
  const counts = () => talk.hits(account.username).filter(({ operation }) => operation === 'countoutbox');
  return { sara, account, counts };
}

describe.concurrent('the credit', () => {
  test.each([
    { locale: 'en', words: /at this pace/, caption: /rial in the last 14 days, the most on/ },
    { locale: 'fa', words: /با این روند/, caption: /ریال در ۱۴ روز گذشته، بیشترین در/ },
  ])(
    'comes with a picture of its days in $locale, whose days are asked for once',
    async ({ locale, words, caption }) => {
      const { sara, counts } = await linked(5, locale);
      const told = await talk.asks(sara, sara, '/credit', words);
      expect(told.photo).toBeUndefined();
      const picture = await talk.hears(sara, caption, told.message_id);
      expect(picture.photo?.at(-1)).toMatchObject(PICTURE);
      const before = counts().length;
      const again = await talk.asks(sara, sara, '/credit', words);
      await talk.hears(sara, caption, again.message_id);
      // The week of the words, the day that is not over, and yesterday if it has just ended.
      expect(counts().length - before).toBeLessThanOrEqual(3);
    },
  );

  test('is words alone for who has sent on one day, or never', async () => {
    for (const days of [0, 1]) {
      const { sara } = await linked(days);
      const told = await talk.asks(sara, sara, '/credit', 'rial');
      const all = await talk.settled(sara, sara);
      const later = all.filter((each) => each.message_id > told.message_id);
      expect(later.map(plain)).toEqual([]);
    }
  });

  test('is words alone where its days cannot be had', async () => {
    const { sara, account } = await linked(4);
    world.sandbox.faults.add({ kind: 'reset', operation: 'countoutbox', account: account.username });
    const told = await talk.asks(sara, sara, '/credit', 'rial');
    const all = await talk.settled(sara, sara);
    expect(all.filter((each) => each.photo !== undefined)).toEqual([]);
    expect(plain(told)).not.toContain('pace');
  });
});
