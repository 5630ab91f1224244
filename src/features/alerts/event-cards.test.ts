import { expect, test } from 'vitest';
import { createFormat, stripBidi } from '../../i18n/format.ts';
import type { Notification } from '../../ports/alerts.ts';
import type { CardView, RecipientCounts } from '../../ports/stores.ts';
import { plainText } from '../../telegram/html.ts';
import { digestText, jobText } from './event-cards.ts';

const NONE: RecipientCounts = {
  planned: 0,
  onWire: 0,
  accepted: 0,
  rejected: 0,
  unknown: 0,
  delivered: 0,
  failed: 0,
  barred: 0,
  blocked: 0,
};

const told = (counts: Partial<RecipientCounts>, event: 'ended' | 'stopped' = 'ended'): string => {
  const view = {
    draft: { code: 'A1' },
    job: { state: event === 'ended' ? 'done' : 'stopped', counts: { ...NONE, ...counts } },
  };
  const notification = { facts: { event, reason: 'credit' } };
  const said = jobText(
    notification as unknown as Notification,
    view as unknown as CardView,
    createFormat('en', 'UTC'),
  );
  return said === null ? '' : stripBidi(plainText(said));
};

test('the end of a send tells of every recipient, in the words of its card', () => {
  expect(told({ delivered: 90, barred: 2, blocked: 3, rejected: 1 })).toBe(
    '🏁 #A1 has ended · 90 delivered · 2 blocked · 3 on the blacklist · 1 not sent',
  );
  expect(told({ accepted: 2, onWire: 5, planned: 4, unknown: 6 }, 'stopped')).toBe(
    '⏹ #A1 stopped before its end: not enough credit · 2 accepted by the gateway · 5 waiting for the gateway’s answer · 4 not sent: stopped before sending · 6 unknown',
  );
});

test('nothing was sent only where nobody is counted', () => {
  expect(told({ barred: 1 })).not.toContain('nothing');
  expect(told({})).toContain('nothing was sent');
});

test('a digest has a word for what happened, and no count that is none', () => {
  const none = { sent: 0, delivered: 0, failed: 0, blocked: 0, unknown: 0, onWire: 0, received: 0 };
  const span = { span: 'day', from: new Date(0), to: new Date(86_400_000) } as const;
  const digest = (facts: Partial<typeof none>): string[] => {
    const all = { ...none, creditRial: null, questions: 0, scheduled: 0, ...facts };
    return stripBidi(plainText(digestText(span, all, createFormat('en', 'UTC'))))
      .split('\n')
      .slice(1);
  };
  expect(digest({ sent: 41, delivered: 38, failed: 1, blocked: 2, received: 16 })).toEqual([
    '✉️ 41 sent · 38 delivered · 1 not delivered · 2 blocked',
    '📩 Received 16',
  ]);
  expect(digest({ sent: 3 })).toEqual(['✉️ 3 sent']);
  expect(digest({ unknown: 3 })).toEqual(['✉️ 3 unknown']);
  expect(digest({ onWire: 3 })).toEqual(['✉️ 3 waiting for the gateway’s answer']);
  expect(digest({ received: 2 })).toEqual(['✉️ Nothing was sent', '📩 Received 2']);
  expect(digest({})).toEqual(['✉️ Nothing was sent or received']);
});
