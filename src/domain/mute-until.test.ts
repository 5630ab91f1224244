import { describe, expect, it } from 'vitest';
import { muteUntil } from './mute-until.ts';

describe('the end of a mute', () => {
  const at = (mute: Parameters<typeof muteUntil>[0], now: string, zone = 'Asia/Tehran') =>
    muteUntil(mute, new Date(now), zone).toISOString();

  it('is four hours on, whatever the day', () => {
    expect(at('4h', '2026-11-24T22:30:00Z')).toBe('2026-11-25T02:30:00.000Z');
  });

  it('is nine in the morning of the next day, by the clocks of the zone', () => {
    expect(at('tomorrow', '2026-11-24T12:00:00Z')).toBe('2026-11-25T05:30:00.000Z');
    // Past midnight in Tehran already.
    expect(at('tomorrow', '2026-11-24T21:00:00Z')).toBe('2026-11-26T05:30:00.000Z');
  });

  it('is nine on the next Saturday, a week on when today is one', () => {
    expect(at('saturday', '2026-11-24T12:00:00Z')).toBe('2026-11-28T05:30:00.000Z');
    expect(at('saturday', '2026-11-28T12:00:00Z')).toBe('2026-12-05T05:30:00.000Z');
  });

  it('is there where the clock skips that hour, too', () => {
    expect(at('tomorrow', '2011-12-29T12:00:00Z', 'Pacific/Apia')).toBe('2011-12-30T12:00:00.000Z');
  });
});
