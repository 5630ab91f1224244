import { describe, expect, it } from 'vitest';
import { failureReason } from './failure-reason.ts';

const of = (raw: number, text = '') => failureReason({ kind: 'failed', raw, text });

describe('the reason of a failure', () => {
  it.each([
    [2, 'operator'],
    [5, 'handset'],
    [6, 'returned'],
    [11, 'handset'],
    [13, 'other'],
  ] as const)('is by number %d: %s', (raw, reason) => {
    expect(of(raw)).toBe(reason);
  });

  it.each([
    ['نرسیده به مخابرات', 'operator'],
    ['نرسیده به گیرنده', 'handset'],
    ['برگشت داده شده', 'returned'],
    ['not reached the operator', 'operator'],
    ['not delivered to the recipient', 'handset'],
    ['سامانه در دسترس نیست', 'returned'],
  ] as const)('is what the words «%s» say before the number', (text, reason) => {
    expect(of(6, text)).toBe(reason);
  });

  it('is the same for the digits of a number, as they are stored', () => {
    expect(failureReason({ kind: 'failed', raw: '5', text: '' })).toBe(of(5));
  });

  it('is that it was blocked, whatever else is said', () => {
    expect(failureReason({ kind: 'blocked', raw: '14', text: 'نرسیده به گیرنده' })).toBe('blocked');
  });
});
