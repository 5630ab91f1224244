import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  actionButtons,
  anyCount,
  anyCounts,
  cardView,
  JOB,
  NO_COUNTS,
  wordsOf,
} from '../../../../test/support/send-card.ts';
import type { JobState, StopReason } from '../../../domain/job.ts';
import type { CardView, DraftView, JobView } from '../../../ports/stores.ts';
import type { ActionButton } from '../../../telegram/buttons.ts';
import { MESSAGE_BUDGET, visibleLength } from '../../../telegram/html.ts';
import { renderCard } from '../card.ts';
import { tallyOf } from './job-card.ts';

const NOW = new Date('2026-11-24T10:03:00Z');

function view(job: Partial<JobView>, draft: Partial<DraftView> = {}): CardView {
  return cardView({
    draft: { code: 'B7', state: 'confirmed', ...draft },
    job: { holdUntil: NOW, ...job },
    timeZone: 'UTC',
  });
}

const readOf = (card: CardView): string => wordsOf(renderCard(card, NOW));
const buttonsOf = (card: CardView): ActionButton[] => actionButtons(renderCard(card, NOW));
const labels = (card: CardView): string[] => buttonsOf(card).map(({ label }) => label);

describe('a job that can still be undone', () => {
  test('says for how long', () => {
    const held = view({ state: 'holding', holdUntil: new Date(NOW.getTime() + 8200) });
    expect(readOf(held)).toContain('2 recipients · leaving in 9 s');
    expect(buttonsOf(held)).toMatchObject([
      { action: 'job.undo', permission: 'send.stop', payload: { jobId: JOB.id } },
    ]);
    expect(labels(view({ state: 'holding', holdUntil: NOW }))).toEqual([]);
  });
});

describe('a running job', () => {
  test('can be paused and stopped only while something has not left', () => {
    const counts = { ...NO_COUNTS, planned: 200, accepted: 1 };
    expect(labels(view({ counts }))).toEqual(['⏸ Pause', '⏹ Stop']);
    expect(labels(view({ counts: { ...NO_COUNTS, onWire: 200 } }))).toEqual([]);
    for (const { permission, action } of buttonsOf(view({ counts })))
      expect([action, permission]).toEqual([action, 'send.stop']);
    for (const state of ['done', 'undone'] as const) expect(labels(view({ state, counts }))).toEqual([]);
  });

  test('shows how far it has come, and how long the rest takes once that can be told', () => {
    const counts = { ...NO_COUNTS, planned: 4342, onWire: 200, accepted: 7000, unknown: 100 };
    const startedAt = new Date(NOW.getTime() - 360_000);
    const running = { counts, startedAt, leftSinceStart: 7100 };
    expect(readOf(view(running))).toContain('🚚 ▓▓▓▓▓▓░░░░ 7,100 / 11,642 · 60% · ~3 min 50 s\n');
    expect(readOf(view(running))).toContain('❔ 100 unknown');
    expect(readOf(view(running, { lang: 'fa' }))).toContain(
      '🚚 ▓▓▓▓▓▓░░░░ ۷٬۱۰۰ از ۱۱٬۶۴۲ · ۶۰٪ · حدود ۳ دقیقه و ۵۰ ثانیه\n',
    );
    const young = { ...running, startedAt: new Date(NOW.getTime() - 9999) };
    expect(readOf(view(young))).toContain('7,100 / 11,642 · 60%\n');
    const little = {
      ...running,
      counts: { ...NO_COUNTS, planned: 9600, accepted: 400 },
      leftSinceStart: 400,
    };
    expect(readOf(view(little))).toContain('🚚 ░░░░░░░░░░ 400 / 10,000 · 4%\n');
    // What left before a pause says nothing of the pace after it.
    expect(readOf(view({ ...running, leftSinceStart: 0 }))).toContain('7,100 / 11,642 · 60%\n');
  });

  test('of one call has no bar', () => {
    const text = readOf(view({ counts: { ...NO_COUNTS, onWire: 2 } }));
    expect(text).toContain('🚚 Sending…');
    expect(text).not.toMatch(/[▓░]/);
  });

  test('has ten cells, as many full as its share says, and all of them only at the end', () => {
    fc.assert(
      fc.property(anyCounts, anyCount, anyCount, anyCount, (counts, said, resent, leftSinceStart) => {
        const startedAt = new Date(NOW.getTime() - 60_000);
        const text = readOf(view({ counts, said, resent, leftSinceStart, startedAt }));
        const line = /🚚 ([▓░]+) ([\d,]+) \/ ([\d,]+) · (\d+)%(?: · ~(.+))?/u.exec(text);
        if (line === null) return;
        const [, bar = '', done = '', all = '', share = ''] = line;
        const [left, total] = [done, all].map((each) => Number(each.replaceAll(',', '')));
        const ahead = counts.planned + counts.onWire;
        const sum = Object.values(counts).reduce((one, other) => one + other, 0) + said + resent;
        expect([left, total]).toEqual([sum - ahead, sum]);
        expect(bar).toHaveLength(10);
        expect(bar).toMatch(/^▓*░*$/u);
        expect(bar.lastIndexOf('▓') + 1).toBe(Math.floor(Number(share) / 10));
        expect(Number(share)).toBeLessThan(ahead > 0 ? 100 : 101);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a paused job', () => {
  const counts = { ...NO_COUNTS, planned: 4442, onWire: 200, accepted: 7000 };

  test('says who holds it up and the exact numbers, and can go on or be stopped', () => {
    const paused = view({ state: 'paused', stopReason: 'person', stoppedByName: 'Ann', counts });
    expect(readOf(paused)).toContain(
      '⏸ Paused by Ann · 7,000 sent, 4,442 not sent, 200 waiting for the gateway’s answer',
    );
    expect(readOf(paused)).toContain('⏳ 4,442 waiting to be sent');
    expect(labels(paused)).toEqual(['▶ Resume', '⏹ Stop']);
    expect(buttonsOf(paused)).toMatchObject([
      { action: 'job.resume', permission: 'send.confirm' },
      { action: 'job.stop', permission: 'send.stop' },
    ]);
    for (const { ttlSeconds } of buttonsOf(paused)) expect(ttlSeconds).toBeGreaterThan(604_800);
  });

  test('by the switch says so, and goes on by that alone', () => {
    const halted = { state: 'paused', stopReason: 'halted', stoppedByName: 'Olga', counts } as const;
    expect(readOf(view(halted))).toMatch(/⏸ Paused: Olga switched all sends .* \/limits go/);
    expect(labels(view(halted))).toEqual(['⏹ Stop']);
    expect(readOf(view(halted, { lang: 'fa' }))).toMatch(/⏸ Olga همهٔ ارسال‌های .* \/limits ادامه/);
  });
});

test('a paused job that would send again to people who have it says so, whoever has paused it', () => {
  const kept = { state: 'paused', stopReason: 'answered', counts: { ...NO_COUNTS, planned: 3 } } as const;
  for (const stoppedByName of [null, 'Ann']) {
    const card = view({ ...kept, stoppedByName });
    expect(readOf(card)).toContain('⏸ Paused: the gateway’s answer came late, and some of these people had');
    expect(readOf(card)).toContain('3 not sent. ▶ Resume sends it to them again.');
    expect(labels(card)).toEqual(['▶ Resume', '⏹ Stop']);
  }
});

test('a draft of failures that some have got since does not say that they certainly got nothing', () => {
  const resendOf = { code: 'B7', unknown: 0, blocked: 0, answered: true };
  expect(readOf({ ...view({}, { state: 'open', resendOf }), job: null })).toContain(
    '#B7 who were thought to have got nothing. Some of them had been sent to',
  );
  const doubted = { code: 'B7', unknown: 0, blocked: 0, doubted: true };
  expect(readOf({ ...view({}, { state: 'open', resendOf: doubted }), job: null })).toContain(
    '#B7 who got nothing by it. Whether an earlier try had reached them is not known: some could get it twice.',
  );
});

test('a rest that may go to people who have it says so, unless that is why it is paused', () => {
  const counts = { ...NO_COUNTS, planned: 3 };
  const had = 'Some of those who are left had been sent to the first time, and would get it twice.';
  const stopped = { state: 'stopped', stopReason: 'person', stoppedByName: 'Ann', endedAt: NOW } as const;
  expect(readOf(view({ ...stopped, counts, earlier: { answered: true } }))).toContain(had);
  expect(readOf(view({ ...stopped, counts, earlier: { doubted: true } }))).toContain(
    'Whether an earlier try had reached those who are left is not known: some could get it twice.',
  );
  expect(buttonsOf(view({ ...stopped, counts, earlier: { answered: true } }))[0]?.payload).toMatchObject({
    left: 3,
    told: { answered: true },
  });
  expect(readOf(view({ ...stopped, counts, earlier: {} }))).not.toContain('who are left');
  expect(readOf(view({ ...stopped, counts: NO_COUNTS, earlier: { answered: true } }))).not.toContain(had);
  const paused = { state: 'paused', counts, earlier: { answered: true } } as const;
  expect(readOf(view({ ...paused, stopReason: 'person' }))).toContain(had);
  expect(readOf(view({ ...paused, stopReason: 'answered' }))).not.toContain(had);
});

describe('a stopped job', () => {
  const counts = { ...NO_COUNTS, planned: 4442, accepted: 7200 };
  const stopped = { state: 'stopped', stopReason: 'person', stoppedByName: 'Ann', endedAt: NOW } as const;

  test('says by whom, when, and exactly to how many it was sent, was not, and may have been', () => {
    expect(readOf(view({ ...stopped, counts }))).toContain(
      '⏹ Stopped by Ann at 10:03 · 7,200 sent, 4,442 not sent',
    );
    expect(readOf(view({ ...stopped, counts }, { lang: 'fa' }))).toContain(
      '⏹ Ann ساعت ۱۰:۰۳ متوقفش کرد · ۷٬۲۰۰ ارسال شد، ۴٬۴۴۲ ارسال نشد',
    );
    const out = view({ ...stopped, counts: { ...counts, onWire: 200 } });
    expect(readOf(out)).toContain('4,442 not sent, 200 waiting for the gateway’s answer');
  });

  test('offers its rest, to be sent and as a file, while there is one', () => {
    const buttons = buttonsOf(view({ ...stopped, counts }));
    expect(buttons.map(({ label }) => label)).toEqual(['▶ Send the rest', '⬇ rest.csv']);
    expect(buttons).toMatchObject([
      { action: 'job.resume', permission: 'send.confirm' },
      { action: 'job.rest', permission: 'send.stop', reusable: true },
    ]);
    expect(labels(view({ ...stopped, counts: { ...NO_COUNTS, accepted: 5 } }))).toEqual([]);
  });

  const REASONS = [
    'credit',
    'account',
    'person',
    'halted',
    'earlier_unknown',
    'not_connected',
    'unreachable',
  ] as const satisfies readonly StopReason[];

  test.each(REASONS)('for %s says so, what has not left, and the numbers', (stopReason) => {
    for (const lang of ['en', 'fa'] as const) {
      const card = view(
        { state: 'stopped', stopReason, endedAt: NOW, counts: { ...NO_COUNTS, planned: 3 } },
        { lang },
      );
      expect(readOf(card)).toMatch(lang === 'en' ? /⏹ Stopped/ : /⏹ .*متوقف/);
      expect(readOf(card)).toMatch(lang === 'en' ? /3 not sent: stopped/ : /۳ ارسال نشد: قبل/);
      expect(readOf(card)).toContain(lang === 'en' ? '3 not sent' : '۳ ارسال نشد');
    }
  });
});

test('the numbers of whatever holds a job up add up to all of its recipients, and agree with its lines', () => {
  fc.assert(
    fc.property(
      anyCounts,
      anyCount,
      anyCount,
      fc.constantFrom<JobState>('paused', 'stopped'),
      fc.constantFrom(null, 'Ann'),
      (counts, said, resent, state, stoppedByName) => {
        const job = { counts, said, resent, state, stoppedByName, stopReason: 'person' as const };
        const { sent, not, unknown, out } = tallyOf({ ...JOB, ...job });
        const all = Object.values(counts).reduce((one, other) => one + other, 0) + said + resent;
        expect(sent + not + unknown + out).toBe(all);
        const text = readOf(view(job));
        const line = text
          .split('\n')
          .filter((each) => /^(?:⏸|⏹ Stopped by|At )/u.test(each))
          .join('\n');
        const said4 = ['sent', 'not sent', 'unknown', 'waiting for the gateway’s answer'].map(
          (word) => new RegExp(`([\\d,]+) ${word}`, 'u').exec(line)?.[1],
        );
        // What is none is not said.
        expect(said4.map((each) => each?.replaceAll(',', ''))).toEqual(
          [sent, not, unknown, out].map((n) => (n > 0 ? String(n) : undefined)),
        );
      },
    ),
    { numRuns: 1000 },
  );
});

describe('an ended job', () => {
  test('says what it cost and how long it took once every call has its answer', () => {
    const stopped = { state: 'stopped', stopReason: 'person', tookMs: 5000 } as const;
    expect(readOf(view({ ...stopped, counts: { ...NO_COUNTS, onWire: 2, planned: 2 } }))).not.toContain('🏁');
    expect(readOf(view({ ...stopped, counts: { ...NO_COUNTS, accepted: 2, planned: 2 } }))).toMatch(
      /🏁 .*in 5 s/u,
    );
  });

  test('whose failures are proved offers to send to them again, and names the cards that have', () => {
    const counts = { ...NO_COUNTS, delivered: 100, failed: 8, rejected: 4, unknown: 3 };
    const done = { state: 'done', endedAt: NOW, counts } as const;
    const card = view({ ...done, resend: { failures: 12, by: [] } });
    expect(labels(card)).toEqual(['🔁 Resend to 12']);
    expect(buttonsOf(card)).toMatchObject([{ action: 'job.resend', permission: 'send.confirm' }]);
    const again = view({ ...done, resend: { failures: 2, by: ['B9', 'B10'] } });
    expect(labels(again)).toEqual(['🔁 Resend to 2']);
    expect(readOf(again)).toContain('🔁 Sent again with #B9, #B10');
    expect(labels(view({ ...done, resend: { failures: 0, by: ['B9'] } }))).toEqual([]);
  });

  test('tells of those who were found blocked right before the call', () => {
    const counts = { ...NO_COUNTS, accepted: 5, blocked: 2 };
    expect(readOf(view({ state: 'done', counts }))).toContain('⛔ 2 on the blacklist');
  });

  test('without a last report says so only when nothing more is asked, and not how long that was waited for', () => {
    const counts = { ...NO_COUNTS, accepted: 2 };
    const ended = 'No further delivery report has come, and none is asked for any more.';
    // Its account may have been unlinked long before: nobody has waited so long.
    const late = new Date(NOW.getTime() - 72 * 3_600_000);
    const read = readOf(view({ state: 'done', counts, settled: true, endedAt: late }));
    expect(read).toContain(ended);
    expect(read).not.toContain('72');
    expect(readOf(view({ state: 'done', counts }))).not.toContain(ended);
    const delivered = { ...NO_COUNTS, delivered: 2 };
    expect(readOf(view({ state: 'done', counts: delivered, settled: true }))).not.toContain(ended);
  });
});

test('a draft to those who got nothing says whom it leaves out', () => {
  const draft = (unknown: number, blocked: number, lang: 'en' | 'fa' = 'en') =>
    readOf({
      ...view({}, { state: 'open', lang, resendOf: { code: 'B7', unknown, blocked } }),
      job: null,
    });
  expect(draft(12, 42)).toContain(
    '🔁 To those of #B7 who certainly got nothing. Left out: 12 unknown (could arrive twice), 42 blocked',
  );
  expect(draft(0, 42)).toContain('Left out: 42 blocked');
  expect(draft(0, 0)).not.toContain('Left out');
  expect(draft(12, 42, 'fa')).toContain('۱۲ نامعلوم (شاید دوبار برسد)، ۴۲ در لیست سیاه');
});

test('a card of many words fits into one message, interrupted or not', () => {
  const name = '😀'.repeat(64);
  fc.assert(
    fc.property(
      anyCounts,
      fc.constantFrom<JobState>('running', 'paused', 'done', 'stopped'),
      fc.constantFrom<StopReason>('person', 'halted', 'earlier_unknown'),
      fc.constantFrom('en' as const, 'fa' as const),
      (counts, state, stopReason, lang) => {
        const resend = { failures: 100_000, by: Array.from({ length: 9 }, (_, n) => `B${n}`) };
        const names = { confirmedByName: name, approvedByName: name, stoppedByName: name };
        const card = view({ counts, state, stopReason, resend, ...names }, { lang, text: 'x'.repeat(900) });
        expect(visibleLength(renderCard(card, NOW).content)).toBeLessThanOrEqual(MESSAGE_BUDGET);
        for (const label of labels(card)) expect(label.length).toBeLessThanOrEqual(64);
      },
    ),
  );
});
