import { describe, expect, test } from 'vitest';
import { createFormat, stripBidi } from '../../i18n/format.ts';
import type { AlarmView, Notification } from '../../ports/alerts.ts';
import { plainText } from '../../telegram/html.ts';
import { renderAlarm, type AlarmCard } from './alarm-card.ts';
import { kindTexts, noteText } from './kind-cards.ts';

const EN = createFormat('en', 'Asia/Tehran');
const FA = createFormat('fa', 'Asia/Tehran');
const NOW = new Date('2026-11-24T08:00:00Z');

const B9 = '6f1a6c8e-6f0e-4d53-9a44-2f2f1c2f7a01';

const alarm = (more: Partial<AlarmView>): AlarmView => ({
  id: 'a',
  chatId: 'c',
  accountId: 'b',
  kind: 'credit',
  subject: '',
  level: 1,
  facts: {},
  since: new Date('2026-11-24T07:00:00Z'),
  endedAt: null,
  ackedBy: null,
  ackedAt: null,
  remindAt: null,
  ...more,
});

function rendered(more: Partial<AlarmView>, format: typeof EN, card: Partial<AlarmCard> = {}) {
  const of = alarm(more);
  const words = kindTexts(format.locale)[of.kind];
  const rest = {
    account: 'Nik Trading',
    setting: undefined,
    now: NOW,
    waiting: new Set<string>(),
    again: false,
  };
  return renderAlarm({ alarm: of, words, ...rest, ...card }, format);
}

function shown(
  more: Partial<AlarmView>,
  format = EN,
  setting?: AlarmCard['setting'],
  waiting: ReadonlySet<string> = new Set([B9]),
) {
  const { content, buttons } = rendered(more, format, { setting, waiting });
  const labels = buttons.flatMap((row) => row.flatMap((button) => (button ? [stripBidi(button.label)] : [])));
  return { lines: stripBidi(plainText(content)).split('\n'), labels };
}

const CREDIT = {
  credit: 4_900_000,
  limit: 5_000_000,
  perDay: 2_050_000,
  at: NOW.getTime(),
  unfit: [{ jobId: B9, code: 'B9', at: Date.parse('2026-11-24T14:30:00Z'), rial: 6_100_000 }],
};

describe('the card of a low credit', () => {
  test('says how low, how long it lasts, and what will not fit', () => {
    expect(shown({ facts: CREDIT })).toEqual({
      lines: [
        '🔴 Credit low · Nik Trading · 4,900,000 rial (limit 5,000,000 rial)',
        'Pace 2,050,000 rial a day → about 2 d 9 h, until Thu 26 Nov 2026, 20:51',
        '⚠ The credit does not cover #B9 (Tue 24 Nov 2026, 18:00, ≈ 6,100,000 rial).',
      ],
      labels: ['🙋 I’ll top up', '🔇 4 h', '🔇 until tomorrow 9:00', '🔇 until Saturday', '⏸ Pause #B9'],
    });
    expect(shown({ facts: CREDIT }, FA).lines[0]).toBe(
      '🔴 اعتبار رو به پایان · Nik Trading · ۴٬۹۰۰٬۰۰۰ ریال (حد: ۵٬۰۰۰٬۰۰۰ ریال)',
    );
  });

  test('says what other chats take before it of a credit that would do', () => {
    const facts = { ...CREDIT, credit: 7_000_000, limit: 8_000_000, elsewhere: 2_000_000 };
    expect(shown({ facts }).lines.slice(2)).toEqual([
      '⚠ The credit does not cover #B9 (Tue 24 Nov 2026, 18:00, ≈ 6,100,000 rial).',
      '🗓 Scheduled before that in other chats on this account: ≈ 2,000,000 rial',
    ]);
    expect(shown({ facts }, EN, undefined, new Set()).lines).toHaveLength(2);
  });

  test('says nothing of a send that has left or was taken back since', () => {
    const { lines, labels } = shown({ facts: CREDIT }, EN, undefined, new Set());
    expect(lines).toHaveLength(2);
    expect(labels).not.toContain('⏸ Pause #B9');
  });

  test('says who is on it, and offers that to nobody else', () => {
    const { lines, labels } = shown({
      facts: CREDIT,
      ackedBy: { id: 1, name: 'Ada' },
      ackedAt: NOW,
      remindAt: new Date('2026-11-24T12:00:00Z'),
    });
    expect(lines[0]).toMatch(/^🟠/);
    expect(lines.at(-1)).toBe('🙋 Ada took it at 11:30 · brought up again at 15:30 if unchanged');
    expect(labels).not.toContain('🙋 I’ll top up');
  });

  test('of a muted kind says until when, and takes that back', () => {
    const setting = {
      kind: 'credit' as const,
      threshold: null,
      mutedUntil: new Date('2026-11-24T12:00:00Z'),
      mutedBy: 'Ada',
    };
    const { lines, labels } = shown({ facts: CREDIT }, EN, setting);
    expect(lines.at(-1)).toBe('🔇 Muted until Tue 24 Nov 2026, 15:30 by Ada');
    expect(labels).toEqual(['🙋 I’ll top up', '🔔 Unmute', '⏸ Pause #B9']);
  });

  test('that is over has nothing left to press', () => {
    expect(
      shown({ endedAt: NOW, facts: { ...CREDIT, ended: { credit: 54_900_000, perDay: 2_050_000 } } }),
    ).toEqual({
      lines: [
        '🟢 Credit is up again · Nik Trading · 54,900,000 rial',
        'At the recent pace, that lasts about 26 d 18 h.',
        'From Tue 24 Nov 2026, 10:30 to Tue 24 Nov 2026, 11:30',
      ],
      labels: [],
    });
  });

  test.each([{}, { credit: 'x' }, { credit: 1, unfit: 'x', ended: 3 }])(
    'of odd facts is said all the same: %j',
    (facts) => {
      expect(shown({ facts }).lines[0]).toContain('Nik Trading');
      expect(shown({ facts, endedAt: NOW }).lines[0]).toContain('🟢');
    },
  );
});

describe('the cards of gateway and inbox', () => {
  test('tell no answer and an unreadable one apart, since when, and for how long it was', () => {
    const since = '2026-11-24T06:45:00.000Z';
    const gateway = { kind: 'gateway', facts: { reason: 'no_answer', since } } as const;
    expect(shown(gateway).lines[0]).toMatch(
      /^🔴 The gateway does not answer · Nik Trading · since Tue 24 Nov 2026, 10:15/,
    );
    expect(shown({ ...gateway, facts: { reason: 'unreadable', since } }).lines[0]).toContain(
      'cannot be read',
    );
    expect(shown({ ...gateway, endedAt: NOW }).lines[0]).toBe(
      '🟢 The gateway answers again · Nik Trading · after 1 h 15 min',
    );
    expect(
      shown({ kind: 'inbox', subject: 'stalled', facts: { reason: 'stalled', since } }).lines[0],
    ).toContain('The inbox is not being read properly');
  });

  test('name the days of which messages are missing', () => {
    const facts = { reason: 'counts', days: [{ day: '2026-11-23', stored: 10, counted: 12 }] };
    const { lines } = shown({ kind: 'inbox', subject: 'counts', facts });
    expect(lines[1]).toBe('· 23 Nov 2026: 10 of 12');
  });

  test('what is told once of an inbox is said, and nothing of what is not known', () => {
    const note = (facts: Notification['facts']) => {
      const content = noteText({ facts } as unknown as Notification, 'Nik Trading', EN);
      return content === null ? null : stripBidi(plainText(content));
    };
    expect(note({ reason: 'changed', count: 2 })).toContain('lists 2 messages with a different text');
    expect(note({ reason: 'marking' })).toContain('I no longer mark messages read at the gateway');
    expect(note({ reason: 'else' })).toBe(null);
  });
});

describe('the first line of an alarm', () => {
  const since = '2026-11-24T06:45:00.000Z';
  const expiresAt = Date.parse('2026-11-26T08:00:00Z');
  const ALARMS: readonly Partial<AlarmView>[] = [
    { kind: 'credit', facts: { ...CREDIT, ended: { credit: 54_900_000 } } },
    { kind: 'credit', subject: 'fit', facts: { ...CREDIT, ended: { credit: 54_900_000 } } },
    { kind: 'account', subject: 'status', facts: { status: 'user_locked' } },
    { kind: 'account', subject: 'status', facts: { status: 'odd' } },
    { kind: 'account', subject: 'expiry', facts: { expiresAt, ended: { expiresAt: expiresAt * 1.02 } } },
    { kind: 'account', subject: 'expiry', facts: { expiresAt: NOW.getTime() } },
    { kind: 'gateway', facts: { reason: 'no_answer', since } },
    { kind: 'gateway', facts: { reason: 'unreadable', since } },
    { kind: 'inbox', subject: 'stalled', facts: { reason: 'stalled', since } },
    { kind: 'inbox', subject: 'counts', facts: { reason: 'counts', days: [] } },
  ];
  const STAGES: readonly Partial<AlarmView>[] = [
    {},
    { ackedBy: { id: 1, name: 'Ada' }, ackedAt: NOW },
    { endedAt: NOW },
  ];
  const EACH = ALARMS.flatMap((each) => STAGES.map((stage) => ({ ...each, ...stage })));

  test('says what it is when it stands, when somebody has taken it on, and when it is over', () => {
    expect(EACH.map((each) => shown(each).lines[0])).toEqual([
      '🔴 Credit low · Nik Trading · 4,900,000 rial (limit 5,000,000 rial)',
      '🟠 Credit low · Nik Trading · 4,900,000 rial (limit 5,000,000 rial)',
      '🟢 Credit is up again · Nik Trading · 54,900,000 rial',
      '🔴 Not enough credit for what is scheduled · Nik Trading · 4,900,000 rial',
      '🟠 Not enough credit for what is scheduled · Nik Trading · 4,900,000 rial',
      '🟢 The credit covers what is scheduled · Nik Trading · 54,900,000 rial',
      '🔴 The gateway refuses the account · Nik Trading · the user is locked',
      '🟠 The gateway refuses the account · Nik Trading · the user is locked',
      '🟢 The gateway accepts the account again · Nik Trading',
      '🔴 The gateway refuses the account · Nik Trading · for an unknown reason',
      '🟠 The gateway refuses the account · Nik Trading · for an unknown reason',
      '🟢 The gateway accepts the account again · Nik Trading',
      '🔴 The account expires soon · Nik Trading · in 2 d, on Thu 26 Nov 2026, 11:30',
      '🟠 The account expires soon · Nik Trading · in 2 d, on Thu 26 Nov 2026, 11:30',
      '🟢 The account was renewed · Nik Trading · until 16 Jan 2028',
      '🔴 The account has expired · Nik Trading · on Tue 24 Nov 2026, 11:30',
      '🔴 The account has expired · Nik Trading · on Tue 24 Nov 2026, 11:30',
      '🟢 The account was renewed · Nik Trading',
      '🔴 The gateway does not answer · Nik Trading · since Tue 24 Nov 2026, 10:15. Messages that come in meanwhile are not seen yet; they are read when it is back.',
      '🟠 The gateway does not answer · Nik Trading · since Tue 24 Nov 2026, 10:15',
      '🟢 The gateway answers again · Nik Trading · after 1 h 15 min',
      '🔴 The gateway’s answers cannot be read · Nik Trading · since Tue 24 Nov 2026, 10:15. Messages that come in meanwhile are not seen yet; they are read when that is over.',
      '🟠 The gateway’s answers cannot be read · Nik Trading · since Tue 24 Nov 2026, 10:15',
      '🟢 The gateway answers again · Nik Trading · after 1 h 15 min',
      '🔴 The inbox is not being read properly · Nik Trading · since Tue 24 Nov 2026, 10:15',
      '🟠 The inbox is not being read properly · Nik Trading · since Tue 24 Nov 2026, 10:15',
      '🟢 The inbox is read again · Nik Trading · after 1 h 15 min',
      '🔴 The gateway counts more received messages than it lists · Nik Trading. I have read everything again. I cannot show what the gateway does not list.',
      '🟠 The gateway counts more received messages than it lists · Nik Trading',
      '🟢 The stored messages match the gateway’s count · Nik Trading',
    ]);
  });

  test.each([EN, FA])('has the name of the account for itself, whatever that is', (format) => {
    for (const each of EACH) {
      const [first] = rendered(each, format, { account: '<i>\u202ex' }).content.markup.split('\n');
      expect(first).toMatch(/^(?:🔴|🟠|🟢) <b>[^<]+<\/b> · \u2068&lt;i&gt;[^<]*x[^<]*\u2069/u);
    }
  });
});
