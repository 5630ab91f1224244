import type { Update } from '@grammyjs/types';
import { Api, GrammyError } from 'grammy';
import { describe, expect, test } from 'vitest';
import { createMemoryLog } from '../../test/support/memory-log.ts';
import type { Clock } from '../ports/runtime.ts';
import { LostAnswer } from './errors.ts';
import type { Intake } from './intake.ts';
import { startPolling } from './polling.ts';

const UPDATE: Omit<Update, 'update_id'> = {};

type Answer = readonly number[] | Error;

/** Telegram that gives these answers in order, and then keeps the question open until it is ended. */
function telegram(answers: readonly Answer[], failing: { accept?: number } = {}) {
  const asked: { offset: number; timeout: number; allowed: readonly string[] }[] = [];
  const accepted: number[][] = [];
  const pauses: number[] = [];
  const dry = Promise.withResolvers<void>();
  const left = [...answers];
  let failures = failing.accept ?? 0;
  const api = new Api('1:x');
  api.config.use(async (_prev, _method, payload, signal) => {
    const {
      offset,
      timeout,
      allowed_updates: allowed,
    } = payload as unknown as {
      offset: number;
      timeout: number;
      allowed_updates: string[];
    };
    asked.push({ offset, timeout, allowed });
    const next = left.shift();
    if (next === undefined) {
      dry.resolve();
      await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    }
    if (next instanceof Error) throw next;
    return { ok: true, result: next?.map((id) => ({ ...UPDATE, update_id: id })) ?? [] } as never;
  });
  const intake: Intake = {
    accept: (batch) => {
      if (failures > 0) {
        failures -= 1;
        return Promise.reject(new Error('the database is away'));
      }
      accepted.push(batch.map((update) => update.update_id));
      return Promise.resolve();
    },
    resume: () => Promise.resolve(),
    idle: () => Promise.resolve(),
  };
  const clock: Clock = {
    now: () => new Date(1_800_000_000_000 + accepted.length),
    monotonic: () => 0,
    sleep: (ms) => {
      pauses.push(ms);
      return Promise.resolve();
    },
  };
  const log = createMemoryLog();
  const polling = startPolling({ api, intake, clock, log });
  return { polling, asked, accepted, pauses, log, dry: dry.promise };
}

function refusal(code: number, description: string): GrammyError {
  return new GrammyError(description, { ok: false, error_code: code, description }, 'getUpdates', {});
}

describe('long polling', () => {
  test('acknowledges what was accepted with the next question', async () => {
    const { polling, asked, accepted, dry } = telegram([[7, 8], [], [9]]);
    expect(polling.lastAnswer()).toBe(null);
    await dry;
    await polling.stop();
    expect(asked.map(({ offset }) => offset)).toEqual([0, 9, 9, 10]);
    expect(accepted).toEqual([[7, 8], [], [9]]);
    expect(asked[0]).toMatchObject({ timeout: 50, allowed: ['message', 'callback_query', 'my_chat_member'] });
    expect(polling.lastAnswer()?.getTime()).toBe(1_800_000_000_003);
  });

  test('asks again for what could not be written down', async () => {
    const { polling, asked, accepted, pauses, dry, log } = telegram([[7], [8], [8], [8]], { accept: 3 });
    await dry;
    await polling.stop();
    expect(asked.map(({ offset }) => offset)).toEqual([0, 0, 0, 0, 9]);
    expect(accepted).toEqual([[8]]);
    expect(pauses).toEqual([500, 1000, 2000]);
    expect(log.lines.every((line) => line.level === 'warn')).toBe(true);
  });

  test('keeps asking through any failure, ever slower, and quickly again after the first answer', async () => {
    const failures = [
      refusal(409, 'Conflict: terminated by other getUpdates request'),
      refusal(401, 'Unauthorized'),
      refusal(502, 'Bad Gateway'),
      new LostAnswer('ECONNRESET'),
      ...Array.from({ length: 4 }, () => new LostAnswer('ETIMEDOUT')),
    ];
    const { polling, pauses, log, dry } = telegram([...failures, [], new LostAnswer('ECONNRESET')]);
    await dry;
    await polling.stop();
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 500]);
    expect(log.lines.slice(0, 4).map((line) => line.fields['kind'])).toEqual([
      'conflict',
      'unauthorized',
      'lost_answer',
      'lost_answer',
    ]);
  });

  test('ends the open question when it is stopped, and says nothing', async () => {
    const { polling, asked, log, dry } = telegram([]);
    await dry;
    await polling.stop();
    await polling.stop();
    expect(asked).toHaveLength(1);
    expect(log.lines).toEqual([]);
  });
});
