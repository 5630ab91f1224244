import type { Update } from '@grammyjs/types';
import { Api, GrammyError } from 'grammy';
import { describe, expect, test } from 'vitest';
import { createMemoryLog } from '../../../test/support/memory-log.ts';
import type { Clock } from '../../ports/runtime.ts';
import { LostAnswer } from '../outgoing/errors.ts';
import type { Intake } from './intake.ts';
import { createPolling, UPDATE_KINDS } from './polling.ts';

const UPDATE: Omit<Update, 'update_id'> = {};

type Answer = readonly number[] | Error;

/** Telegram that gives these answers in order, and then keeps the question open until it is ended. */
function telegram(
  answers: readonly Answer[],
  failing: { accept?: number; room?: { after: number; until: Promise<void> } } = {},
) {
  const asked: { offset: number; timeout: number; allowed: readonly string[] }[] = [];
  const accepted: number[][] = [];
  const pauses: number[] = [];
  let webhooksTaken = 0;
  const dry = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let isRoom = false;
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
    letOn: () => undefined,
    isFull: () => Promise.resolve(false),
    room: () => {
      const { room } = failing;
      if (room === undefined || accepted.length !== room.after || isRoom) return null;
      held.resolve();
      return room.until.then(() => {
        isRoom = true;
      });
    },
  };
  let now = 0;
  const clock: Clock = {
    now: () => expect.unreachable('the time of day says nothing about how long something took'),
    monotonic: () => now,
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
    held: held.promise,
    webhooksTaken: () => webhooksTaken,
    passes: (ms: number) => (now += ms),
  };
}

function refusal(code: number, description: string): GrammyError {
  return new GrammyError(description, { ok: false, error_code: code, description }, 'getUpdates', {});
}

describe('long polling', () => {
  test('acknowledges what was accepted with the next question', async () => {
    const { polling, stop, asked, accepted, dry } = telegram([[7, 8], [], [9]]);
    expect(polling.problem()).toBe('no answer from Telegram yet');
    await dry;
    await stop();
    expect(asked.map(({ offset }) => offset)).toEqual([0, 9, 9, 10]);
    expect(accepted).toEqual([[7, 8], [], [9]]);
    expect(asked[1]).toMatchObject({ timeout: 50, allowed: UPDATE_KINDS });
    expect(polling.problem()).toBe(null);
  });

  test('is silent when nothing was answered for two minutes, by a clock that nobody sets', async () => {
    const { polling, stop, passes, dry } = telegram([[7]]);
    await dry;
    passes(120_000);
    expect(polling.problem()).toBe(null);
    passes(1);
    expect(polling.problem()).toBe('no answer from Telegram for two minutes');
    await stop();
  });

  test('says at once that the token is refused, and no more after the next answer', async () => {
    const refused = telegram([[7], refusal(401, 'Unauthorized')]);
    await refused.dry;
    expect(refused.polling.problem()).toBe('Telegram refuses the bot token');
    await refused.stop();
    const back = telegram([refusal(401, 'Unauthorized'), []]);
    await back.dry;
    expect(back.polling.problem()).toBe(null);
    await back.stop();
  });

  test('says that another program asks for the same updates, also while both are answered by turns', async () => {
    const conflict = refusal(409, 'Conflict: terminated by other getUpdates request');
    const once = telegram([conflict, []]);
    await once.dry;
    expect(once.polling.problem()).toBe(null);
    await once.stop();
    const turns = telegram([conflict, [], conflict, [], conflict, []]);
    await turns.dry;
    expect(turns.polling.problem()).toBe('another program asks for the updates of this bot');
    expect(turns.asked.map(({ timeout }) => timeout)).toEqual([0, 0, 50, 0, 50, 0, 50]);
    expect(turns.pauses).toEqual([500, 1000, 2000]);
    await turns.stop();
  });

  test('asks for no more while there is no room in hand, which is no silence of Telegram', async () => {
    const room = Promise.withResolvers<void>();
    const { polling, stop, asked, accepted, held, dry, passes } = telegram([[7, 8], [9]], {
      room: { after: 1, until: room.promise },
    });
    await held;
    passes(120_001);
    expect([asked.length, accepted, polling.problem()]).toEqual([
      1,
      [[7, 8]],
      'too many updates in hand: for two minutes no more have been asked for',
    ]);
    room.resolve();
    await dry;
    expect([accepted, polling.problem()]).toEqual([[[7, 8], [9]], null]);
    await stop();
  });

  test('does not call Telegram silent when what it brought could not be written down', async () => {
    const { polling, stop, dry } = telegram([[7], [7]], { accept: 2 });
    await dry;
    expect(polling.problem()).toBe(null);
    await stop();
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
    expect(polling.problem()).toBe(null);
    const stopAgain = run();
    expect(polling.problem()).toBe('no answer from Telegram yet');
    await stopAgain();
    expect(asked.map(({ timeout }) => timeout)).toEqual([0, 50, 50, 0]);
    expect(asked.at(-1)?.offset).toBe(0);
  });
});
