import type { Update } from '@grammyjs/types';
import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Secret } from '../../domain/secret.ts';
import type { HttpAnswer, HttpRoute } from '../../ports/http.ts';
import type { Clock, Log } from '../../ports/runtime.ts';
import type { Intake } from './intake.ts';

export interface WebhookDeps {
  /** What Telegram was told to send along, so that nobody else can. */
  readonly secret: Secret;
  readonly intake: Pick<Intake, 'accept' | 'isFull'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Telegram's updates are some kilobytes. */
const MAX_BYTES = 1_048_576;
/** Telegram gives up on an answer after a minute; what is written meanwhile is not written twice. */
const WRITE_MS = 20_000;
const AGAIN_SECONDS = '2';

const bare = z.looseObject({ update_id: z.int().min(0) });

/**
 * The door through which Telegram brings updates itself. Each is answered with 200 only when it is written down, as in
 * long polling; with 503, and so brought again, when it could not be. Whoever does not know the secret learns nothing.
 */
export function createWebhook({ secret, intake, clock, log }: WebhookDeps): HttpRoute {
  const expected = digest(secret.reveal());

  return async (request) => {
    if (request.method !== 'POST') return { ...refusal(405, 'only POST'), headers: { allow: 'POST' } };
    const given = request.header('x-telegram-bot-api-secret-token') ?? '';
    // Digests are of one length, and comparing them takes the same time whatever they are.
    if (!timingSafeEqual(digest(given), expected)) return refusal(401, 'the secret is missing or wrong');
    if (!/^application\/json(?:\s*;|$)/iu.test(request.header('content-type') ?? ''))
      return refusal(415, 'only application/json');
    const body = await request.read(MAX_BYTES);
    if (body === null) return refusal(413, 'too large');
    const update = readUpdate(body);
    if (update === null) return refusal(400, 'no update');
    return (await isWritten(update)) ? { status: 200, body: '' } : away();
  };

  async function isWritten(update: Update): Promise<boolean> {
    const patience = new AbortController();
    const late = clock.sleep(WRITE_MS, patience.signal).then(
      () => false,
      () => false,
    );
    const written = write(update).catch((error: unknown) => {
      log.warn({ err: error, update: update.update_id }, 'an update could not be written down');
      return false;
    });
    try {
      return await Promise.race([written, late]);
    } finally {
      patience.abort();
    }
  }

  /** What is too much at the moment stays with Telegram, which keeps it for a day. */
  async function write(update: Update): Promise<boolean> {
    if (await intake.isFull()) return false;
    await intake.accept([update]);
    return true;
  }
}

function readUpdate(body: Uint8Array): Update | null {
  try {
    const json: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the bot reads of it what its kind has, as of an update that was polled
    return bare.safeParse(json).success ? (json as Update) : null;
  } catch {
    return null;
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function refusal(status: number, error: string): HttpAnswer {
  return { status, body: { error } };
}

function away(): HttpAnswer {
  return { ...refusal(503, 'not written down; bring it again'), headers: { 'retry-after': AGAIN_SECONDS } };
}
