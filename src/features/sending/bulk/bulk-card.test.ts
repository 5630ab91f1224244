import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cardView, NO_COUNTS, wordsOf } from '../../../../test/support/send-card.ts';
import { newBulk, SKIP_REASONS, type Bulk, type BulkSummary } from '../../../domain/bulk.ts';
import { stripBidi } from '../../../i18n/format.ts';
import type { CardView, DraftView, Panel } from '../../../ports/stores.ts';
import { keyboard, type ActionButton } from '../../../telegram/buttons.ts';
import { MESSAGE_BUDGET, visibleLength } from '../../../telegram/html.ts';
import { renderCard } from '../card.ts';

const NOW = new Date('2026-11-24T10:00:00Z');

const BULK: Bulk = {
  ...newBulk({ name: 'orders.xlsx', reference: 'x' }),
  step: 'review',
  rows: 12_001,
  done: 12_001,
  header: 1,
  columns: ['mobile', 'name'],
  head: [
    [1, ['mobile', 'name']],
    [2, ['09121234567', 'Sara']],
  ],
  phone: 0,
  certainty: 'sure',
  numbers: { good: 11_715, repeated: 214, invalid: 71 },
};
const SUMMARY: BulkSummary = {
  recipients: 11_642,
  skipped: [
    { reason: 'repeated', rows: 214 },
    { reason: 'blocked', rows: 73 },
    { reason: 'too_short', rows: 60 },
    { reason: 'no_number', rows: 11 },
  ],
  blockedIsKnown: true,
  missing: 0,
  lengths: [
    { encoding: 'ucs2', parts: 2, messages: 9_310 },
    { encoding: 'ucs2', parts: 1, messages: 2_332 },
  ],
  personal: true,
  perCall: 100,
  digest: 'd',
};
const SAMPLE = {
  index: 0,
  row: 2,
  recipient: '989121234567',
  text: 'سلام مریم عزیز، سفارش شما ارسال شد. کد رهگیری شما این است: 1234567890123456',
};

function view(
  bulk: Partial<Bulk>,
  {
    draft = {},
    ...more
  }: Omit<Parameters<typeof cardView>[0], 'draft'> & { readonly draft?: Partial<DraftView> } = {},
): CardView {
  const outgoing = { ...BULK, ...bulk };
  return cardView({
    draft: { code: 'B7', outgoing, text: 'سلام {name}', recipients: [], ...draft },
    ...more,
  });
}

const lines = (card: CardView): string[] => wordsOf(renderCard(card, NOW)).split('\n');
const turned = (card: CardView, panel: Panel): CardView => ({
  ...card,
  draft: { ...card.draft, ...(panel === null ? {} : { panel }) },
});
const labels = (card: CardView, panel: Panel = null): string[][] =>
  renderCard(turned(card, panel), NOW).buttons.flatMap((row) => {
    const shown = row.flatMap((each) =>
      each === null || each === undefined || each === false ? [] : [stripBidi(each.label)],
    );
    return shown.length === 0 ? [] : [shown];
  });

describe('the card of a file', () => {
  test('shows what would leave, what does not, and what a shorter text would save', () => {
    const card = view({ summary: SUMMARY }, { sample: SAMPLE });
    expect(lines(card)).toEqual([
      '✉️ Draft #B7 · line 3000123456',
      '📄 orders.xlsx · 12,000 rows',
      '12,000 rows → 11,642 to send, ♻️ 214 repeated, 🚫 71 invalid, ⛔ 73 on the blacklist',
      'Message 1 of 11,642 · row 2 of the file · 0912•••4567',
      SAMPLE.text,
      '75 characters · Unicode · 2 parts',
      '💡 Row 2 is 5 characters over: without them it would take 1 part.',
      '9,310 messages take 2 parts and 2,332 take 1 part',
      '20,952 parts in all · the price is not known yet',
    ]);
    expect(labels(card)).toEqual([
      ['✅ Send 11,642 · 20,952 parts'],
      ['🕐 When', '✏️ Edit', '👀 Look'],
      ['✖ Cancel'],
    ]);
  });

  test('has the rest of its buttons behind Edit and Look, and never more than eight in sight', () => {
    const card = view({ summary: { ...SUMMARY, missing: 40 } }, { sample: SAMPLE });
    expect(labels(card)).toEqual([
      ['✅ Send 11,642 · 20,952 parts'],
      ['✔ Leave them out'],
      ['Fill in a word', 'Send nothing'],
      ['🕐 When', '✏️ Edit', '👀 Look'],
      ['✖ Cancel'],
    ]);
    expect(labels(card, 'edit')).toEqual([
      ['✏️ Text', '🗂 Columns'],
      ['📞 Line', '⚡ Flash: off'],
      ['⬅ Back'],
    ]);
    expect(labels(card, 'look')).toEqual([
      ['◀', '1 / 11,642', '▶'],
      ['🎲 Some at random', '🚫 Left out'],
      ['⬇ skipped.csv', '🧪 To me'],
      ['⬅ Back'],
    ]);
    const many = Array.from({ length: 30 }, (_, index) => `column ${index}`);
    for (const each of [card, view({ step: 'columns', phone: null, numbers: null, columns: many })])
      for (const panel of [null, 'edit', 'look'] as const)
        expect(labels(each, panel).flat().length).toBeLessThanOrEqual(8);
  });

  test('cannot be changed where the rows of its file are gone', () => {
    const undoOf = { code: 'B6', by: 'Ann', rowsGone: true };
    const card = view({ summary: SUMMARY }, { draft: { undoOf }, sample: SAMPLE });
    expect(lines(card).at(-1)).toContain('send the file again');
    expect(labels(card)[0]).toEqual(['✅ Send 11,642 · 20,952 parts']);
    expect(labels(card, 'edit')).toEqual([['⚡ Flash: off'], ['⬅ Back']]);
  });

  test('has nothing to say yes to before it was counted, or where nothing is left', () => {
    for (const bulk of [
      { step: 'reading' },
      { step: 'columns' },
      { step: 'columns', phone: null, numbers: null },
      { step: 'text' },
      { step: 'counting' },
      { step: 'failed', problem: { reason: 'of tomorrow', row: null, limit: null } },
      { summary: { ...SUMMARY, recipients: 0, lengths: [] } },
    ] as const satisfies readonly Partial<Bulk>[]) {
      const shown = labels(view(bulk)).flat();
      expect(shown.filter((label) => /^[✅➡🧪]/u.test(label))).toEqual([]);
      expect(shown.at(-1)).toBe('✖ Cancel');
    }
  });

  test('asks a second person who sees the same, and may look closer', () => {
    const card = view(
      { summary: SUMMARY },
      {
        draft: { state: 'asked' },
        sample: SAMPLE,
        approval: {
          need: { kind: 'approval', above: 500, words: [] },
          by: [{ id: 6, name: 'Ann' }],
          rejectedByName: null,
        },
      },
    );
    expect(lines(card)[0]).toBe('🟡 #B7 waits for approval · asked by Sara');
    expect(labels(card)[0]).toEqual(['✅ Approve 11,642 · 20,952 parts', '❌ Reject']);
    const buttons = (['edit', 'look', null] as const).flatMap(
      (panel) => renderCard(turned(card, panel), NOW).buttons.flat() as ActionButton[],
    );
    for (const action of ['bulk.row', 'bulk.look', 'bulk.skipped', 'bulk.skipped-file'])
      expect(buttons.find((each) => each.action === action)).toMatchObject({
        reusable: true,
        permission: 'send.prepare',
      });
    // The author's way back, which takes the question back: no other change is offered meanwhile.
    expect(buttons.filter(({ action }) => /^bulk\.(?:text|columns)|^draft\.line/u.test(action))).toEqual([]);
    for (const action of ['draft.reopen', 'draft.cancel'])
      expect(buttons.find((each) => each.action === action)).toMatchObject({
        personId: 5,
        draft: { version: 3 },
      });
  });

  test('of a send under way tells the file and how much of it was left out', () => {
    const job = { state: 'done' as const, endedAt: NOW, counts: { ...NO_COUNTS, accepted: 11_642 } };
    const shown = lines(view({ summary: SUMMARY }, { draft: { state: 'confirmed' }, job }));
    expect(shown).toContain('📄 orders.xlsx');
    expect(shown).toContain('📤 11,642 accepted by the gateway');
    expect(shown).toContain('🚫 358 rows left out');
  });

  test('fits into one message in every step and both languages, whatever is in the file', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 1200 }),
      fc.constantFrom('<b>&amp;'.repeat(150), '\u202e\u2066'.repeat(200), '👩‍👩‍👧'.repeat(100), '{name}'),
    );
    const cell = text.map((value) => value.slice(0, 40));
    const number = fc.nat(1_000_000);
    const summary: fc.Arbitrary<BulkSummary> = fc.record({
      recipients: number,
      skipped: fc.uniqueArray(fc.record({ reason: fc.constantFrom(...SKIP_REASONS), rows: number }), {
        selector: ({ reason }) => reason,
      }),
      blockedIsKnown: fc.boolean(),
      missing: number,
      lengths: fc.array(
        fc.record({
          encoding: fc.constantFrom('gsm7', 'ucs2'),
          parts: fc.integer({ min: 1, max: 14 }),
          messages: number,
        }),
        { maxLength: 28 },
      ),
      personal: fc.boolean(),
      perCall: fc.option(number),
      digest: fc.string(),
    });
    const bulk: fc.Arbitrary<Bulk> = fc.record({
      kind: fc.constant('bulk'),
      step: fc.constantFrom('reading', 'columns', 'text', 'counting', 'review', 'failed'),
      problem: fc.option(
        fc.record({
          reason: fc.constantFrom('too_many_rows', 'open_quote', 'damaged', 'toString'),
          row: fc.option(number),
          limit: fc.option(number),
        }),
      ),
      file: fc.record({ name: text, reference: text, sheet: fc.option(text) }),
      rows: number,
      done: number,
      header: fc.nat(20),
      columns: fc.array(cell, { maxLength: 256 }),
      head: fc.array(fc.tuple(number, fc.array(cell, { maxLength: 30 })), { maxLength: 4 }),
      phone: fc.option(fc.nat(255)),
      certainty: fc.constantFrom('sure', 'likely', 'unsure', 'chosen'),
      decided: fc.option(fc.record({ phone: fc.option(fc.nat(255)), header: fc.nat(20) })),
      numbers: fc.option(fc.record({ good: number, repeated: number, invalid: number })),
      onMissing: fc.oneof(
        fc.record({ way: fc.constantFrom('skip', 'stop') }),
        fc.record({ way: fc.constant('default'), value: text }),
      ),
      summary: fc.option(summary),
      keep: fc.option(
        fc.record({
          tag: fc.string({ unit: 'grapheme', maxLength: 20 }),
          outcome: fc.option(
            fc.oneof(fc.record({ people: number, fresh: number }), fc.record({ limit: number })),
          ),
        }),
      ),
    });
    const sample = fc.option(
      fc.record({ index: number, row: number, recipient: fc.constant('989121234567'), text }),
    );
    await fc.assert(
      fc.asyncProperty(
        bulk,
        sample,
        text,
        fc.constantFrom('en', 'fa'),
        fc.constantFrom('open', 'asked'),
        async (outgoing, shown, typed, lang, state) => {
          const card = view({}, { sample: shown, draft: { outgoing, text: typed, lang, state } });
          const { content, buttons } = renderCard(card, NOW);
          expect(visibleLength(content)).toBeLessThanOrEqual(MESSAGE_BUDGET);
          expect(content.markup.isWellFormed()).toBe(true);
          const mint = (_chatId: string, specs: readonly unknown[]) =>
            Promise.resolve(specs.map(() => 'x'.repeat(22)));
          const made = await keyboard(
            { mint, claim: () => Promise.reject(new Error('unasked')) },
            'c',
            lang,
            buttons,
          );
          const all = made?.inline_keyboard.flat() ?? [];
          expect(all.length).toBeGreaterThan(0);
          expect(all.length).toBeLessThanOrEqual(100);
          for (const { text: label } of all) expect(label).not.toBe('');
        },
      ),
      { numRuns: 300 },
    );
  });
});
