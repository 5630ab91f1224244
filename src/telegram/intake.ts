import type { Update } from '@grammyjs/types';
import type { Metrics } from '../ports/metrics.ts';
import { because } from '../ports/origin.ts';
import type { Log } from '../ports/runtime.ts';
import type { UpdateStore } from '../ports/stores.ts';
import type { StateSealer } from './form.ts';

export interface IntakeDeps {
  readonly botId: number;
  readonly updates: UpdateStore;
  readonly sealer: StateSealer;
  readonly handle: (update: Update) => Promise<void>;
  /** Whether this process handles updates; what another one has written down is announced to it. */
  readonly leads: () => boolean;
  readonly metrics: Pick<Metrics, 'update'>;
  readonly log: Log;
}

/**
 * The one way by which updates come in, from long polling and webhook alike. `accept` writes them down before
 * Telegram is told that they have arrived. One process handles them, whichever has written them down: each once, those
 * of one chat in their order, different chats beside each other. What a killed process left is taken up by `resume`.
 */
export interface Intake {
  accept(updates: readonly Update[]): Promise<void>;
  /** Takes up what is open and not being handled: at the start, and now and then for what failed. */
  resume(): Promise<void>;
  /** Resolves when nothing is being handled. */
  idle(): Promise<void>;
}

/** An update that has brought the process down this often is left alone, and the log says so. */
const MAX_TRIES = 15;
const PRESS_PATIENCE_MS = 1500;

export function createIntake({ botId, updates, sealer, handle, leads, metrics, log }: IntakeDeps): Intake {
  const lanes = new Map<string, Promise<void>>();
  const under = new Set<number>();
  let finished: number[] = [];
  let flushing: Promise<void> | null = null;
  let door: Promise<unknown> = Promise.resolve();

  return {
    accept: (batch) =>
      throughDoor(async () => {
        const rows = batch.map((update) => ({
          id: update.update_id,
          payload: sealer.sealShort(JSON.stringify(update), aad(update.update_id)),
        }));
        const fresh = new Set(await updates.accept(botId, rows));
        for (const update of batch) if (fresh.has(update.update_id)) metrics.update(kindOf(update));
        if (!leads()) {
          if (fresh.size > 0) await announce();
          return;
        }
        for (const update of batch) {
          if (fresh.delete(update.update_id)) enter(update);
        }
      }),

    resume: () =>
      throughDoor(async () => {
        for (const { id, payload, tries } of await updates.reopen(botId, [...under])) {
          if (tries > MAX_TRIES) {
            log.error({ update: id, tries }, 'an update is given up: it ended the process again and again');
            await updates.done(botId, [id]);
            continue;
          }
          const update = opened(id, payload);
          if (update !== null) enter(update);
        }
      }),

    async idle() {
      while (lanes.size > 0 || flushing !== null) {
        await Promise.all(lanes.values());
        await flushing;
      }
    },
  };

  /** One at a time: else a sweep finds a row that was just written, not yet known to be in hand, and it is handled twice. */
  async function throughDoor(work: () => Promise<void>): Promise<void> {
    const turn = door.then(work);
    door = turn.catch(() => undefined);
    await turn;
  }

  /** The updates are safe by now: whoever leads finds them soon in any case. */
  async function announce(): Promise<void> {
    await updates.announce(botId).catch((error: unknown) => {
      log.warn({ err: error }, 'updates could not be announced');
    });
  }

  function enter(update: Update): void {
    const { lane, beside } = lanesOf(update);
    under.add(update.update_id);
    const before = Promise.all([lanes.get(lane), patient(lanes.get(beside), update)]);
    const turn = before.then(async () => {
      try {
        await because(update.update_id, () => handle(update));
        finish(update.update_id);
      } catch (error) {
        // The handler answers for its own errors; one that comes here could not even be told. `resume` tries it again.
        under.delete(update.update_id);
        log.error({ update: update.update_id, err: error }, 'an update could not be handled');
      }
    });
    lanes.set(lane, turn);
    void turn.then(() => {
      if (lanes.get(lane) === turn) lanes.delete(lane);
    });
  }

  /** Marks what is done in one statement for all that ended while the last one ran. */
  function finish(updateId: number): void {
    finished.push(updateId);
    flushing ??= flush();
  }

  async function flush(): Promise<void> {
    while (finished.length > 0) {
      const ids = finished;
      finished = [];
      try {
        await updates.done(botId, ids);
        for (const id of ids) under.delete(id);
      } catch (error) {
        // They are handled again, and their effects are found to be there.
        for (const id of ids) under.delete(id);
        log.error({ updates: ids.length, err: error }, 'updates could not be marked as done');
      }
    }
    // In the same step as the last look: what ends after it begins another flush.
    flushing = null;
  }

  /** One that cannot be read, for want of its master key, must not keep the others from being resumed. */
  function opened(id: number, payload: Uint8Array): Update | null {
    try {
      const update: Update = JSON.parse(Buffer.from(sealer.openShort(payload, aad(id))).toString('utf8'));
      return update;
    } catch (error) {
      log.error({ update: id, err: error }, 'an open update cannot be read');
      return null;
    }
  }

  function aad(updateId: number) {
    return { purpose: 'update', bot: String(botId), update: String(updateId) };
  }
}

/**
 * Messages of a chat follow each other, and so do its presses. A message waits for the presses before it; a press
 * waits for the messages before it, but not for long: Stop must work while a command waits for the gateway.
 */
function lanesOf(update: Update): { lane: string; beside: string } {
  const press = update.callback_query;
  const chat = press?.message?.chat ?? update.message?.chat ?? update.my_chat_member?.chat;
  // Telegram sends none without a person; whatever else is brought must not keep other updates from being handled.
  const from: { readonly id: number } | undefined = press?.from;
  const id = chat?.id ?? from?.id ?? 0;
  return press === undefined
    ? { lane: `chat ${id}`, beside: `press ${id}` }
    : { lane: `press ${id}`, beside: `chat ${id}` };
}

function kindOf(update: Update): Parameters<Metrics['update']>[0] {
  if (update.message !== undefined) return 'message';
  if (update.callback_query !== undefined) return 'press';
  return update.my_chat_member === undefined ? 'other' : 'member';
}

async function patient(earlier: Promise<void> | undefined, update: Update): Promise<void> {
  if (earlier === undefined) return;
  if (update.callback_query === undefined) return await earlier;
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    earlier,
    new Promise<void>((enough) => {
      timer = setTimeout(enough, PRESS_PATIENCE_MS);
    }),
  ]);
  clearTimeout(timer);
}
