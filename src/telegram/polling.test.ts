import type { Update } from '@grammyjs/types';
import { Api, GrammyError } from 'grammy';
import { describe, expect, test } from 'vitest';
import { createMemoryLog } from '../../test/support/memory-log.ts';
import type { Clock } from '../ports/runtime.ts';
import { LostAnswer } from './errors.ts';
import type { Intake } from './intake.ts';
import { createPolling } from './polling.ts';

const UPDATE: Omit<Update, 'update_id'> = {};

type Answer = readonly number[] | Error;

/** Telegram that gives these answers in order, and then keeps the question open until it is ended. */
function telegram(answers: readonly Answer[], failing: { accept?: number } = {}) {
  const asked: { offset: number; timeout: number; allowed: readonly string[] }[] = [];
  const accepted: number[][] = [];
  const pauses: number[] = [];
  let webhooksTaken = 0;
  const dry = Promise.withResolvers<void>();
  const left = [...answers];
  let failures = failing.accept ?? 0;
  const api = new Api('1:x');
  api.config.use(async (_prev, method, payload, signal) => {
    if (method === 'deleteWebhook') {
      webhooksTaken += 1;
      return {
        ok: true,
        result: true,
      } as never;
    }
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
  const polling = createPolling({ api, intake, clock, log });
  const run = () => {
    const stopping = new AbortController();
    const ended = polling.run(stopping.signal);
    return async () => {
      stopping.abort();
      await ended;
    };
  };
  return {
    polling,
    run,
    stop: run(),
    asked,
    accepted,
    pauses,
    log,
    dry: dry.promise,
    webhooksTaken: () => webhooksTaken,
  };
}

function refusal(code: number, description: string): GrammyError {
  return new GrammyError(description, { ok: false, error_code: code, description }, 'getUpdates', {});
}

describe('long polling', () => {
  test('acknowledges what was accepted with the next question', async () => {
    const { polling, stop, asked, accepted, dry } = telegram([[7, 8], [], [9]]);
    expect(polling.lastAnswer()).toBe(null);
    await dry;
    await stop();
    expect(asked.map(({ offset }) => offset)).toEqual([0, 9, 9, 10]);
    expect(accepted).toEqual([[7, 8], [], [9]]);
    expect(asked[1]).toMatchObject({ timeout: 50, allowed: ['message', 'callback_query', 'my_chat_member'] });
    expect(polling.lastAnswer()?.getTime()).toBe(1_800_000_000_003);
  });

  test('asks again for what could not be written down', async () => {
    const { stop, asked, accepted, pauses, dry, log } = telegram([[7], [8], [8], [8]], { accept: 3 });
    await dry;
    await stop();
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
    const { stop, pauses, log, dry, webhooksTaken } = telegram([
      ...failures,
      [],
      new LostAnswer('ECONNRESET'),
    ]);
    await dry;
    await stop();
    // A conflict may be with a webhook of earlier, which goes.
    expect(webhooksTaken()).toBe(1);
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 500]);
    expect(log.lines.slice(0, 4).map((line) => line.fields['kind'])).toEqual([
      'conflict',
      'unauthorized',
      'lost_answer',
      'lost_answer',
    ]);
  });

  test('ends the open question when it is stopped, and says nothing', async () => {
    const { stop, asked, log, dry } = telegram([]);
    await dry;
    await stop();
    expect(asked).toHaveLength(1);
    expect(log.lines).toEqual([]);
  });

  test('wants the first answer of a run at once, so that whoever takes over soon knows where it stands', async () => {
    const { polling, run, stop, asked, dry } = telegram([[7], []]);
    await dry;
    await stop();
    expect(polling.lastAnswer()).not.toBe(null);
    const stopAgain = run();
    expect(polling.lastAnswer()).toBe(null);
    await stopAgain();
    expect(asked.map(({ timeout }) => timeout)).toEqual([0, 50, 50, 0]);
    expect(asked.at(-1)?.offset).toBe(0);
  });
});
