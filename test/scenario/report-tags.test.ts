import { describe, expect, test } from 'vitest';
import { createTables } from '../../src/tables/tables.ts';
import { historyIn, mobile } from '../support/history.ts';
import { plain, rows } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* Cards filed under tags, and reports of a tag. */

const { world, talk, made } = useWorld({}, { deliverySeconds: 0.5 });
const on = made(historyIn);

describe.concurrent('/tag', () => {
  test('files a draft and its job, shows it on the card, and takes it away', async () => {
    const { sara } = await on.linked();
    const card = await talk.asks(sara, sara, `/send ${mobile(0)} Hello`, '#A1');
    const told = await talk.asks(sara, sara, '/tag a1 Promo', '#A1: 🏷 promo');
    expect(plain(told)).toContain('/report tag:promo');
    await talk.turns(card, '🏷 promo');
    await talk.presses(sara, card, '✅');
    await talk.turns(card, /1 delivered[^]*🏷 promo/);
    await talk.asks(sara, sara, '/tag #A1 sale', '#A1: 🏷 sale, before: promo');
    await talk.turns(card, '🏷 sale');
    await talk.asks(sara, sara, '/tag A1 -', '#A1 no longer has the tag 🏷 sale');
    const bare = await talk.turns(card, (m) => !plain(m).includes('🏷'));
    expect(plain(bare)).toContain('1 delivered');
    await talk.asks(sara, sara, '/tag A1 -', '#A1 has no tag');
    const audit = await talk.asks(sara, sara, '/audit', 'tagged #A1');
    expect(plain(audit)).toContain('took the tag 🏷 sale off #A1');
  });

  test('asks for what is missing, again for what will not do, in Persian too', async () => {
    const { sara } = await on.linked('fa');
    await talk.asks(sara, sara, `/send ${mobile(0)} سلام`, '#A1');
    await talk.asks(sara, sara, '/tag', 'کدام کارت؟');
    await talk.asks(sara, sara, 'چیزی', 'متوجه نشدم «چیزی» کدام کارت است');
    await talk.asks(sara, sara, 'A۱', 'چه برچسبی؟');
    await talk.asks(sara, sara, 'دو واژه', 'برچسب یک کلمه است');
    const told = await talk.asks(sara, sara, 'يلدا', '#A1: 🏷 یلدا');
    expect(plain(told)).toContain('/report tag:یلدا');
    await talk.asks(sara, sara, '/tag A7 یلدا', 'کارت A7 در این گفتگو نیست');
  });

  test('is for operators, and for cards of this chat', async () => {
    const owner = world.driver.user({ first_name: 'Olga', language_code: 'en' });
    const viewer = world.driver.user({ first_name: 'Vida', language_code: 'en' });
    const group = world.driver.group({ creator: owner, members: [viewer] });
    await talk.connects(owner, { apiKey: talk.account().apiKey }, { chat: group });
    await talk.gives('viewer', viewer, group);
    const card = await talk.asks(owner, group, `/send ${mobile(0)} Hello`, '#A1');
    await talk.asks(viewer, group, '/tag A1 promo', 'needs the role operator');
    const other = await on.linked();
    await talk.asks(other.sara, other.sara, '/tag A1 theirs', 'There is no card A1 in this chat');
    expect(plain(card)).not.toContain('🏷');
  });
});

describe.concurrent('/report of a tag', () => {
  test('adds up its sends alone, with picture, file and the list of who got nothing', async () => {
    const { sara } = await on.linked();
    const texts = ['One', 'Two', 'Three'];
    for (const [index, text] of texts.entries()) {
      const to = [mobile(index * 2), mobile(index * 2 + 1), ...(index === 0 ? ['09121110000'] : [])];
      const card = await talk.asks(sara, sara, `/send ${to.join(' ')} ${text}`, `#A${index + 1}`);
      await talk.presses(sara, card, '✅');
      await talk.turns(card, /2 delivered/);
    }
    await talk.asks(sara, sara, '/tag A1 promo', '🏷 promo');
    await talk.asks(sara, sara, '/tag A3 promo', '🏷 promo');
    const report = await talk.asks(sara, sara, '/report tag:promo', '2 sends: #A1, #A3');
    expect(report.photo).toBeDefined();
    const text = plain(report);
    expect(text).toContain('5 recipients · 5 parts\n');
    expect(text).toContain('✅ delivered: 4 · 80%');
    expect(text).toContain('Not delivered: 1 did not reach the handset');
    expect(text).toContain('The actual cost of these alone is not known');
    expect(rows(report)).toEqual([['❌ See 1'], ['⬇ CSV', '⬇ XLSX']]);
    await talk.presses(sara, report, '❌ See 1');
    const list = await talk.hears(sara, '1 recipient not delivered', report.message_id);
    expect(plain(list)).toContain('09121110000 · did not reach the handset');
    for (const kind of ['csv', 'xlsx']) {
      await talk.presses(sara, report, `⬇ ${kind.toUpperCase()}`);
      const file = await talk.hears(
        sara,
        (m) => m.document?.file_name?.endsWith(`.${kind}`) === true,
        report.message_id,
      );
      const content = talk.fileOf(file);
      const [header, ...body] = await createTables().read({ name: `a.${kind}`, content });
      expect(header?.slice(0, 2)).toEqual(['card', 'number']);
      expect(body.map(([card]) => card)).toEqual(['A1', 'A1', 'A1', 'A3', 'A3']);
      // Excel knows UTF-8 by its mark, and keeps the zero of a number that is a text.
      if (kind === 'csv') expect(content.subarray(0, 3).toString('hex')).toBe('efbbbf');
      expect(body[0]?.[1]).toBe(mobile(0));
    }
    const refreshed = await talk.asks(sara, sara, '/report A1', '#A1 · as of');
    expect(plain(refreshed)).toContain('🏷 promo');
  });

  test('of one line says nothing of what its sends cost, of which only some went by it', async () => {
    const { sara, account } = await on.linked();
    for (let n = 0; n < 30; n += 1) on.sent(account, mobile(n), { days: 1 });
    const rowsTyped = `3000123456;${mobile(40)};Hello\n50001234;${mobile(41)};Hello\n3000123456;${mobile(42)};Hello`;
    const card = await talk.asks(sara, sara, `/multi ${rowsTyped}`, /≈ 8,520/);
    await talk.presses(sara, card, '✅');
    await talk.turns(card, /3 delivered/);
    await talk.asks(sara, sara, '/tag A1 promo', '🏷 promo');
    const whole = await talk.asks(sara, sara, '/report tag:promo', '3 recipients · 3 parts');
    expect(plain(whole)).toContain('🧮 Estimated for this chat’s 1 send ≈ 8,520 rial');
    const one = await talk.asks(sara, sara, '/report tag:promo line:50001234', '📞 line 50001234 only');
    expect(plain(one)).toContain('1 recipient\n');
    expect(plain(one)).not.toContain('8,520');
  });

  test('of nothing, of another line, and of another time says that there is nothing', async () => {
    const { sara } = await on.linked('fa');
    await talk.asks(sara, sara, '/report برچسب:هیچ', 'این گفتگو چیزی با این برچسب');
    const card = await talk.asks(sara, sara, `/send ${mobile(0)} سلام`, '#A1');
    await talk.presses(sara, card, '✅');
    await talk.turns(card, /۱ تحویل شد/);
    await talk.asks(sara, sara, '/tag A1 یلدا', '🏷 یلدا');
    await talk.asks(sara, sara, '/report برچسب:یلدا', '۱ ارسال: #A1');
    await talk.asks(sara, sara, '/report برچسب:یلدا خط:3000123456 امروز', '۱ ارسال: #A1');
    await talk.asks(sara, sara, '/report برچسب:یلدا 50001234', 'این گفتگو چیزی با این برچسب');
    const none = await talk.asks(sara, sara, '/report برچسب:یلدا دیروز', 'این گفتگو چیزی با این برچسب');
    expect([rows(none), none.photo]).toEqual([[], undefined]);
  });
});
