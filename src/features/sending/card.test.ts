import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  actionButtons,
  anyCount,
  anyCounts,
  cardView,
  DRAFT,
  IN_GROUP,
  NO_COUNTS,
  wordsOf,
} from '../../../test/support/send-card.ts';
import type { MissReason, StopReason } from '../../domain/job.ts';
import type { Outgoing } from '../../domain/kinds/index.ts';
import { PHRASE_MAX } from '../../domain/line-rules.ts';
import type { Gauge } from '../../domain/price.ts';
import { createFormat } from '../../i18n/format.ts';
import type { ApprovalView, CardView, DraftView, JobView } from '../../ports/stores.ts';
import { keyboard, type ActionButton } from '../../telegram/buttons.ts';
import { MESSAGE_BUDGET, plainText, visibleLength } from '../../telegram/html.ts';
import { renderCard } from './card.ts';

const NOW = new Date('2026-11-24T10:00:00Z');
const hasText = ({ kind }: Outgoing): boolean => kind !== 'multi' && kind !== 'pattern';
const STOP_REASONS = [
  'credit',
  'account',
  'person',
  'earlier_unknown',
  'not_connected',
  'unreachable',
] as const satisfies readonly StopReason[];
const MISS_REASONS = [
  'late',
  'window',
  'cap',
  'halted',
  'not_connected',
  'role',
  'approval',
  'book',
  'book_empty',
  'answered',
] as const satisfies readonly MissReason[];
const REFUSALS = [
  '',
  'bad_request',
  'not_authorized',
  'recipients_over_limit',
  'insufficient_credit',
  'invalid_line',
  'empty_message',
  'no_recipient',
  'wrong_send_time',
  'user_locked',
  'user_expired',
  'user_without_access',
  'unlisted',
  'a name of tomorrow',
];

const PRIVATE = { ...IN_GROUP, chatTelegramId: 5 };
const APPROVERS = [
  { id: 6, name: 'Ann' },
  { id: 7, name: 'Bob' },
];

const view = (
  draft?: Partial<DraftView>,
  job?: Partial<JobView> | null,
  approval?: Partial<ApprovalView>,
): CardView => cardView({ draft, job, approval });

function textOf(card: CardView): string {
  return plainText(renderCard(card, NOW).content);
}

const readOf = (card: CardView): string => wordsOf(renderCard(card, NOW));
const buttonsOf = (card: CardView): ActionButton[] => actionButtons(renderCard(card, NOW));
const labels = (card: CardView): string[] => buttonsOf(card).map(({ label }) => label);

const hostile = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 900, size: 'max' }),
  fc.string({ unit: fc.constantFrom('<', '&', '"', '\n', '\u202e', 'ی', '😀'), maxLength: 900, size: 'max' }),
  fc.constant('😀'.repeat(900)),
);
const skipped = fc.array(
  fc.record({
    raw: fc.string({ unit: 'grapheme', maxLength: 200, size: 'max' }),
    reason: fc.constantFrom('too_short', 'too_long', 'not_mobile', 'not_a_number', 'something new'),
  }),
  { maxLength: 60, size: 'max' },
);
const repeated = fc.array(fc.constant({ raw: '0912 123 4567', reason: '989121234567' }), {
  maxLength: 60,
  size: 'max',
});
const recipients = fc
  .nat(300)
  .map((n) => Array.from({ length: n + 1 }, (_, index) => `98912${String(index).padStart(7, '0')}`));

const anyOutgoing: fc.Arbitrary<Outgoing> = fc.oneof(
  fc.constant({ kind: 'text' } as const),
  fc.record({
    kind: fc.constant('multi' as const),
    rows: fc.array(
      fc.record({
        line: fc.stringMatching(/^[0-9]{5,14}$/),
        recipient: fc.constant('989121234567'),
        text: hostile,
        flash: fc.boolean(),
      }),
      { minLength: 1, maxLength: 30 },
    ),
  }),
  fc.record({
    kind: fc.constant('pattern' as const),
    patternId: fc.stringMatching(/^[0-9]{1,18}$/),
    variables: fc.dictionary(fc.string({ minLength: 1, maxLength: 40 }), hostile, { maxKeys: 20 }),
    perCall: fc.constantFrom(1, 200),
  }),
  fc.record({
    kind: fc.constant('future' as const),
    at: fc.integer({ min: 1_700_000_000, max: 2_000_000_000 }),
    local: fc.constant({ year: '1405', month: '09', day: '03', hour: '10', minute: '00' }),
  }),
  fc.record({
    kind: fc.constant('book' as const),
    bookId: fc.constant('7'),
    title: hostile,
    way: fc.constantFrom('call' as const, 'expanded' as const),
  }),
);

const anyDraft: fc.Arbitrary<DraftView> = fc.record({
  id: fc.uuid(),
  code: fc.nat(10_000_000).map((n) => `A${n}`),
  chatId: fc.uuid(),
  bindingId: fc.uuid(),
  authorId: fc.nat(),
  authorName: fc.string({ unit: 'grapheme', maxLength: 64 }),
  state: fc.constantFrom('open', 'asked', 'confirmed', 'cancelled'),
  expired: fc.boolean(),
  version: fc.integer({ min: 1, max: 1_000_000 }),
  outgoing: anyOutgoing,
  text: hostile,
  recipients,
  repeated,
  invalid: skipped,
  blocked: fc.option(
    fc.array(fc.record({ line: fc.constant('3000123456'), recipient: fc.constant('989121234567') }), {
      maxLength: 12,
    }),
  ),
  line: fc.stringMatching(/^[0-9]{5,14}$/),
  flash: fc.boolean(),
  resendOf: fc.option(fc.record({ code: fc.constant('A6'), unknown: anyCount, blocked: anyCount })),
  lang: fc.constantFrom('en', 'fa'),
  sendAt: fc.constantFrom(null, NOW),
  recur: fc.constantFrom(
    null,
    { every: 'week', weekday: 2, minute: 600 } as const,
    { every: 'month', calendar: 'jalali', day: 31, minute: 5 } as const,
  ),
});

const anyJob: fc.Arbitrary<JobView> = fc.record({
  id: fc.uuid(),
  state: fc.constantFrom('scheduled', 'missed', 'holding', 'running', 'done', 'undone', 'stopped'),
  isEmptied: fc.boolean(),
  holdUntil: fc.integer({ min: -100, max: 100 }).map((seconds) => new Date(NOW.getTime() + seconds * 1000)),
  confirmedByName: fc.string({ unit: 'grapheme', maxLength: 128 }),
  approvedByName: fc.option(fc.string({ unit: 'grapheme', maxLength: 128 })),
  stoppedByName: fc.option(fc.string({ unit: 'grapheme', maxLength: 128 })),
  startedAt: fc.constantFrom(null, NOW, new Date(NOW.getTime() - 60_000)),
  leftSinceStart: anyCount,
  endedAt: fc.constantFrom(null, NOW),
  tookMs: fc.option(fc.nat(10_000_000)),
  parts: anyCount,
  priceRial: fc.option(anyCount),
  stopReason: fc.constantFrom(null, ...STOP_REASONS),
  isLinked: fc.boolean(),
  missReason: fc.constantFrom(null, ...MISS_REASONS),
  counts: anyCounts,
  asked: anyCount,
  doubt: fc.option(
    fc.record({
      calls: anyCount,
      found: anyCount,
      seen: fc.constant([[0, 3]] as const),
      listsAreWhole: fc.boolean(),
      looks: anyCount,
      lookedAt: fc.constantFrom(null, NOW),
    }),
  ),
  resent: anyCount,
  resend: fc.record({ failures: anyCount, by: fc.array(fc.constant('A9'), { maxLength: 3 }) }),
  said: anyCount,
  refusals: fc.uniqueArray(fc.record({ name: fc.constantFrom(...REFUSALS), recipients: fc.nat(1000) }), {
    selector: ({ name }) => name,
    maxLength: REFUSALS.length,
  }),
  settled: fc.boolean(),
  toSettle: fc.boolean(),
});

const phrase = fc.string({ unit: 'grapheme', minLength: 1, maxLength: PHRASE_MAX });
const anyApproval: fc.Arbitrary<ApprovalView> = fc.record({
  need: fc.option(
    fc.record({
      kind: fc.constant('approval' as const),
      above: fc.option(fc.nat(1_000_000)),
      words: fc.array(phrase, { maxLength: 7 }),
    }),
  ),
  by: fc.array(fc.record({ id: fc.nat(), name: hostile }), { maxLength: 5 }),
  rejectedByName: fc.option(fc.string({ unit: 'grapheme', maxLength: 128 })),
});

const rial = fc.nat(Number.MAX_SAFE_INTEGER);
const paid = fc.record({
  cost: fc.bigInt({ min: 0n, max: 10n ** 15n }),
  parts: fc.bigInt({ min: 0n, max: 10n ** 9n }),
});
const anyGauge: fc.Arbitrary<Gauge> = fc.record({
  prices: fc.record({ gsm7: paid, ucs2: paid, all: paid }),
  credit: fc.option(
    fc.oneof(
      rial,
      rial.map((debt) => -debt),
    ),
  ),
  committed: fc.nat(10 ** 12),
  rialPerDay: fc.option(rial),
});

const anyCard: fc.Arbitrary<CardView> = fc.record({
  draft: anyDraft,
  job: fc.option(anyJob),
  gauge: fc.option(anyGauge),
  approval: anyApproval,
  lacks: fc.option(fc.record({ line: fc.constant('3000123456'), phrase })),
  twin: fc.option(fc.record({ code: fc.constant('A99999'), at: fc.constantFrom(null, NOW) })),
  template: fc.option(fc.constant('a'.repeat(32))),
  sample: fc.constant(null),
  place: fc.constantFrom(IN_GROUP, PRIVATE),
  timeZone: fc.constantFrom(null, 'Asia/Tehran'),
});

describe('every card', () => {
  test('fits into one message, in every state and both languages, whatever is in it', async () => {
    let longest = 0;
    await fc.assert(
      fc.asyncProperty(anyCard, async (card) => {
        const { draft } = card;
        const { content, buttons } = renderCard(card, NOW);
        longest = Math.max(longest, visibleLength(content));
        expect(visibleLength(content)).toBeLessThanOrEqual(MESSAGE_BUDGET);
        expect(visibleLength(content)).toBeGreaterThan(0);
        const made = await keyboard(
          {
            mint: (_chat, specs) => Promise.resolve(specs.map(() => 'A'.repeat(22))),
            claim: () => Promise.resolve({ ok: false, reason: 'unknown' }),
          },
          draft.chatId,
          draft.lang,
          buttons,
        );
        for (const button of made?.inline_keyboard.flat() ?? []) {
          expect('callback_data' in button && Buffer.byteLength(button.callback_data)).toBeLessThanOrEqual(
            64,
          );
          expect(button.text.length).toBeGreaterThan(0);
          expect(button.text.length).toBeLessThanOrEqual(64);
        }
      }),
      // What fails is long: making it short would take minutes.
      { numRuns: 1000, endOnFailure: true },
    );
    expect(longest).toBeGreaterThan(1500);
  });

  test('has no markup from what people wrote', () => {
    const evil = '<b>x</b></blockquote><a href="tg://user?id=1">&amp;</a>';
    const invalid = [{ raw: evil, reason: 'too_short' }];
    const approval = { above: 1, by: [{ id: 6, name: evil }], rejectedByName: evil };
    for (const state of ['open', 'asked', 'confirmed'] as const) {
      const job = state === 'confirmed' ? { confirmedByName: evil, approvedByName: evil } : null;
      const { content } = renderCard(
        view({ state, text: evil, authorName: evil, invalid }, job, approval),
        NOW,
      );
      expect(content.markup).not.toContain('<a ');
      expect(content.markup.match(/<\/blockquote>/g)).toHaveLength(1);
    }
    for (const ended of [{ state: 'cancelled' as const }, { state: 'asked' as const, expired: true }]) {
      const { content } = renderCard(view({ ...ended, authorName: evil }, null, approval), NOW);
      expect(content.markup).not.toMatch(/<a |<\/blockquote>/);
    }
  });

  test('offers what leads to a send to its author alone, and the answers to a question to approvers alone', () => {
    fc.assert(
      fc.property(anyCard, (card) => {
        const { draft, job, approval } = card;
        const found = buttonsOf(card);
        const isLive = job === null && !draft.expired;
        const isOpen = isLive && (draft.state === 'open' || draft.state === 'confirmed');
        const offered = (action: string) => found.some((button) => button.action === action);
        expect(offered('draft.confirm')).toBe(isOpen && approval.need === null);
        expect(offered('draft.ask')).toBe(isOpen && approval.need !== null && approval.by.length > 0);
        for (const action of ['draft.approve', 'draft.reject'])
          expect(offered(action)).toBe(isLive && draft.state === 'asked');
        expect(offered('draft.test')).toBe(isOpen && hasText(draft.outgoing));
        expect(offered('draft.cancel')).toBe(isOpen || (isLive && draft.state === 'asked'));
        for (const { action, permission, personId, draft: bound, reusable } of found) {
          // These only show something.
          if (action === 'draft.skipped' || action === 'doubt.file' || action === 'job.rest') continue;
          if (action === 'report.send') continue;
          const isAnswer = action === 'draft.approve' || action === 'draft.reject';
          expect(reusable).toBe(undefined);
          if (job !== null) continue;
          if (action === 'draft.again') {
            expect([draft.state === 'cancelled' || draft.expired, personId]).toEqual([true, draft.authorId]);
            continue;
          }
          expect([permission, personId]).toEqual(
            isAnswer ? ['send.approve', undefined] : ['send.confirm', draft.authorId],
          );
          expect(bound).toEqual({ id: draft.id, version: draft.version });
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('speaks of accepted, delivered, unknown and not sent exactly when the counts do', () => {
    const words = {
      en: {
        accepted: /accepted by the gateway/,
        delivered: /(?<!not )delivered/,
        failed: /not delivered/,
        unknown: /❔ [\d,]+ unknown/,
        notSent: /\d not sent/,
      },
      fa: {
        accepted: /پذیرفته شد/,
        delivered: /تحویل شد/,
        failed: /تحویل نشد/,
        unknown: /❔ [۰-۹٬]+ نامعلوم/,
        notSent: /[۰-۹] ارسال نشد/,
      },
    };
    fc.assert(
      fc.property(
        anyJob,
        fc.constantFrom('en' as const, 'fa' as const),
        fc.constantFrom<StopReason>('credit', 'account', 'person', 'not_connected', 'unreachable'),
        (made, lang, stopReason) => {
          const stopped = made.state === 'stopped';
          const job = {
            ...made,
            confirmedByName: '5',
            approvedByName: null,
            stopReason: stopped ? stopReason : null,
            refusals: [],
          };
          const text = textOf(view({ lang, state: 'confirmed' }, job));
          const { counts } = job;
          const shown = ['running', 'done', 'stopped'].includes(job.state);
          const said = (word: RegExp) => word.test(text);
          expect(said(words[lang].accepted)).toBe(shown && counts.accepted > 0);
          expect(said(words[lang].delivered)).toBe(shown && counts.delivered > 0);
          expect(said(words[lang].failed)).toBe(shown && counts.failed > 0);
          expect(said(words[lang].unknown)).toBe(shown && counts.unknown > 0);
          expect(said(words[lang].notSent)).toBe(
            (shown && counts.rejected > 0) || (stopped && counts.planned + counts.blocked > 0),
          );
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('shows each count in the figures of its language, and they are all there', () => {
    fc.assert(
      fc.property(anyJob, fc.constantFrom('en' as const, 'fa' as const), (made, lang) => {
        const names = { confirmedByName: '', approvedByName: null };
        const job: JobView = { ...made, ...names, state: 'done', refusals: [], stopReason: null };
        const text = textOf(view({ lang, state: 'confirmed', text: '-', code: 'A' }, job));
        const format = createFormat(lang, 'UTC');
        const { planned: _, ...counts } = job.counts;
        for (const each of Object.values(counts).filter((n) => n > 0)) {
          expect(text.split('\n').some((line) => line.includes(` ${format.number(each)} `))).toBe(true);
        }
      }),
    );
  });
});

test('an unknown outcome alone is never called sent, not sent, delivered or accepted', () => {
  for (const lang of ['en', 'fa'] as const) {
    for (const state of ['running', 'done', 'stopped'] as const) {
      const text = textOf(
        view({ lang, state: 'confirmed' }, { state, counts: { ...NO_COUNTS, unknown: 2 } }),
      );
      expect(text).not.toMatch(/not sent|delivered|accepted|ارسال نشد|پذیرفت|تحویل شد/);
      expect(text).toMatch(lang === 'en' ? /2 unknown/ : /۲ نامعلوم/);
      expect(text).toMatch(lang === 'en' ? /may have been sent/ : /شاید ارسال شده باشد/);
    }
  }
});

test.each([
  [9, '10:00:30', ''],
  [9, '10:05:00', '⏳ The next ones: 13:35'],
  [15, '11:30:00', '⏳ Outside its hours now. It goes on Tue 24 Nov 2026, 15:00'],
  [9, '29:30:00', '⏳ The daily cap has no more room for it. It goes on Wed 25 Nov 2026, 09:00'],
])('a slow send from %i that waits until %s UTC says why and until when', (from, until, line) => {
  const [hour = 0, ...rest] = until.split(':').map(Number);
  const waitsUntil = new Date(Date.UTC(2026, 10, 24, hour, ...rest));
  const window = { from: from * 60, to: 20 * 60 };
  const slow = view(
    { state: 'confirmed', pace: { perHour: 120, window, hours: [window] } },
    { state: 'running', waitsUntil, counts: { ...NO_COUNTS, planned: 10 } },
  );
  const waits = readOf(slow)
    .split('\n')
    .filter((each) => each.startsWith('⏳') && !each.includes('waiting to be sent'));
  expect(waits.join()).toBe(line);
});

test('a slow send that no day has room for says which cap is too small, and not when it goes on', () => {
  const window = { from: 9 * 60, to: 20 * 60 };
  const cap = { kind: 'cap', at: NOW, whose: 'person', unit: 'parts', cap: 9, used: 0, wanted: 10 } as const;
  const text = readOf(
    view(
      { state: 'confirmed', pace: { perHour: 120, window, hours: [window] } },
      {
        state: 'running',
        waitsUntil: new Date('2026-11-25T05:30:00Z'),
        outgrown: cap,
        counts: { ...NO_COUNTS, planned: 20 },
      },
    ),
  );
  expect(text).toContain('one request of it counts 10 parts, and the day’s cap per person is 9 parts.');
  expect(text).toContain('/limits personcap');
  expect(text).not.toMatch(/It goes on|Done about/u);
});

describe('a draft', () => {
  test('shows what will leave: text, line, parts, numbers masked, and what was left out and why', () => {
    const text = textOf(
      view({
        text: 'Hello',
        repeated: [{ raw: '0912 123 4567', reason: '989121234567' }],
        invalid: [{ raw: '0912x', reason: 'too_short' }],
      }),
    );
    expect(text).toContain('#A7');
    expect(text).toContain('3000123456');
    expect(text).toContain('Hello');
    expect(text).toContain('5 characters · Latin · 1 part');
    expect(text).toContain('4 numbers → 2 to send, 1 repeated, 1 invalid');
    expect(text).toContain('0912x');
    expect(text).toContain('too few digits');
    expect(text).toContain('2 parts in all');
    expect(text).not.toContain('9121234567');
  });

  test('lists some of many unusable numbers, and says how many more there are', () => {
    const invalid = Array.from({ length: 20 }, (_, n) => ({ raw: `bad${n}!`, reason: 'too_short' }));
    const text = textOf(view({ invalid }));
    expect(text.match(/bad\d+!/g)).toEqual(invalid.slice(0, 8).map(({ raw }) => raw));
    expect(text).toContain('… and 12 more');
    expect(textOf(view({ invalid: invalid.slice(0, 8) }))).not.toContain('more');
  });

  test('offers to send it only while it is open, to its author alone, at this version', () => {
    for (const button of buttonsOf(view())) {
      expect(button).toMatchObject({ personId: 5, draft: { id: DRAFT.id, version: 3 }, ttlSeconds: 900 });
    }
    expect(labels(view())[0]).toBe('✅ Send 2 · 2 parts');
    expect(labels(view({ expired: true }))).toEqual(['🔄 Reopen']);
    expect(labels(view({ state: 'cancelled' }))).toEqual([]);
    expect(textOf(view({ expired: true }))).toContain('expired');
    expect(textOf(view({ state: 'cancelled', expired: true }))).toContain('cancelled');
  });
});

describe('a draft above the chat’s limit', () => {
  const above = (parts: number) => ({ kind: 'approval', above: parts, words: [] }) as const;
  const needed = { need: above(1), by: APPROVERS };

  test('asks for a second person first, and says so', () => {
    expect(labels(view({}, null, needed))[0]).toBe('➡ Ask for approval');
    expect(labels(view({}, null, needed))).toContain('✖ Cancel');
    expect(readOf(view({}, null, needed))).toContain(
      'Sends of more than 1 part need a second person’s approval.',
    );
    expect(readOf(view({}, null, { ...needed, need: above(0) }))).toContain('All sends of this chat need');
    const pattern = view(
      { outgoing: { kind: 'pattern', patternId: '1', variables: {}, perCall: 200 } },
      null,
      needed,
    );
    expect(readOf(pattern)).toContain('each recipient counts as one');
  });

  test('where nobody else can approve offers no way to ask, and says what an admin can do', () => {
    const alone = view({}, null, { ...needed, by: [] });
    expect(labels(alone)).toEqual(['🕐 When', '✏️ Text', '📞 Line', '⚡ Flash: off', '🧪 To me', '✖ Cancel']);
    expect(readOf(alone)).toContain('nobody else here may give it');
    expect(readOf(alone)).toContain('/role approver');
    expect(readOf(alone)).toContain('/limits approval off');
    const inPrivate = { ...alone, place: PRIVATE };
    expect(labels(inPrivate)).toEqual(labels(alone));
    expect(readOf(inPrivate)).toContain('a private chat has no second person');
    expect(readOf(inPrivate)).not.toContain('/role');
  });

  test('that was asked for says by whom, what would leave, and who may answer', () => {
    const asked = view({ state: 'asked' }, null, needed);
    const text = readOf(asked);
    for (const part of [
      '#A7 waits for approval · asked by Sara',
      'line 3000123456',
      '12345',
      '2 to send',
      '2 parts in all',
      'Who may approve: Ann, Bob',
      '24 hours',
    ])
      expect(text).toContain(part);
    expect(labels(asked)).toEqual(['✅ Approve 2 · 2 parts', '❌ Reject', '✏️ Edit', '✖ Cancel']);
    for (const button of buttonsOf(asked)) expect(button).toMatchObject({ ttlSeconds: 86_400 });
    const fa = view({ state: 'asked', lang: 'fa' }, null, needed);
    expect(readOf(fa)).toContain('در انتظار تأیید');
    expect(labels(fa).slice(0, 2)).toEqual(['✅ تأیید ارسال به ۲ · ۲ پارت', '❌ رد']);
  });

  test('that ended without a yes says how', () => {
    const rejected = view({ state: 'cancelled' }, null, { rejectedByName: 'Ann' });
    expect(readOf(rejected)).toBe('❌ Draft #A7 by Sara · not approved by Ann, none of it was sent');
    expect(buttonsOf(rejected)).toMatchObject([{ label: '🔄 Reopen', personId: 5 }]);
    const expired = view({ state: 'asked', expired: true }, null, needed);
    expect(readOf(expired)).toContain('nobody approved it within 24 hours');
    expect(labels(expired)).toEqual(['🔄 Reopen']);
  });

  test('is taken up again once, and not where another card begins it anew', () => {
    const rejected = (draft: Partial<DraftView>) =>
      view({ state: 'cancelled', ...draft }, null, { rejectedByName: 'Ann' });
    expect(readOf(rejected({ backAs: 'A9' }))).toContain('It is draft #A9 again.');
    for (const draft of [
      { backAs: 'A9' },
      { restored: true },
      { leavesAtOnce: true as const },
      { resendOf: { code: 'A1', unknown: 0, blocked: 0 } },
      { replaces: { code: 'A1', state: null, at: null } },
      { answers: { inboundId: 1, isAuto: true } },
    ])
      expect(labels(rejected(draft))).toEqual([]);
    expect(labels(rejected({ answers: { inboundId: 1, isAuto: false } }))).toEqual(['🔄 Reopen']);
  });

  test('that was missed has no button to send again what was answered meanwhile', () => {
    const missed = (missReason: MissReason, draft: Partial<DraftView>) =>
      labels(view({ state: 'confirmed', ...draft }, { state: 'missed', missReason }));
    const again = { leavesAtOnce: true as const };
    expect(missed('answered', again)).toEqual(['🗑 Cancel']);
    expect(missed('window', again)).toEqual(['✅ Send now', '🗑 Cancel']);
    expect(missed('answered', {})).toEqual(['✅ Send now', '🕐 New time', '🗑 Cancel']);
  });

  test('that was missed says of every failure that had been sent to the first time, and its button that it did', () => {
    const resendOf = { code: 'A1', unknown: 0, blocked: 0, answered: true };
    const had = 'some of these people had been sent to the first time';
    for (const missReason of ['answered', 'restored'] as const) {
      const missed = view({ state: 'confirmed', resendOf }, { state: 'missed', missReason });
      expect(readOf(missed).split(had)).toHaveLength(2);
      expect(buttonsOf(missed)[0]?.payload).toMatchObject({ answered: true });
    }
  });

  test('that was approved names both people', () => {
    const job = view({ state: 'confirmed' }, { approvedByName: 'Ann' });
    expect(readOf(job)).toContain('#A7 by Ali, approved by Ann');
    expect(readOf(view({ state: 'confirmed', lang: 'fa' }, { approvedByName: 'Ann' }))).toContain(
      '#A7 از Ali، با تأیید Ann',
    );
    expect(readOf(view({ state: 'confirmed' }, {}))).not.toContain('approved');
  });
});
