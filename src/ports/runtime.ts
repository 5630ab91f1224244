import type { z } from 'zod';

/*
 * What the core asks of the process it runs in: time, randomness, a log, work that survives the
 * process, and the knowledge whether another process is still alive.
 */

export interface Clock {
  now(): Date;
  /** Milliseconds that only grow; for durations, never for dates. */
  monotonic(): number;
  /** Waits `ms` milliseconds; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The part of a structured logger that the core uses: fields first, then a fixed sentence. */
export interface Log {
  trace(fields: object, message: string): void;
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: Record<string, unknown>): Log;
}

/**
 * An open transaction of the database client, or the client itself when the statement may stand alone.
 *
 * It names the one method that the queue needs, in the shape that the client's own handles have. So
 * a handle is passed on as it is, without wrapping or casting, and the core imports no database library.
 */
export interface Tx {
  unsafe(query: string, parameters: (string | null)[]): PromiseLike<unknown>;
}

/** A task as those see it who ask for its work: its name and the shape of its payload. */
export interface TaskKind<S extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly schema: S;
}

export interface TaskContext {
  readonly log: Log;
  /** Aborted some seconds after the process was told to stop, or the queue has lost its database: the run is to end. */
  readonly signal: AbortSignal;
  /** Whether the process has to go. Until then what cannot be found out again is written down, however long that takes. */
  readonly mustGo: () => boolean;
  /** 1 for the first run. */
  readonly attempt: number;
  /** No run follows this one if it throws. */
  readonly last: boolean;
  /**
   * Takes one of the few places that the jobs of an account have for asking its gateway, for as long as this run lasts.
   * False when there is none now: the run is to end without having done anything, and comes again a little later.
   */
  readonly takePlace: (account: string) => boolean;
}

export interface Task<S extends z.ZodType = z.ZodType> extends TaskKind<S> {
  /** It looks after something that has ended: in traces it stands apart, with a link there. */
  readonly apart?: true;
  /** Does the work once. What it throws is logged without the payload, and the job is tried again later. */
  run(payload: z.output<S>, context: TaskContext): Promise<void>;
}

/** Ties a task's work to its payload's schema; the identity function, there for its types. */
export function defineTask<S extends z.ZodType>(task: Task<S>): Task<S> {
  return task;
}

export interface EnqueueOptions {
  /** At most one waiting job has this key: see `keyMode`. A job that runs already is left to finish. */
  readonly key?: string;
  /** Absent: at once. A later time is met to about half a second. */
  readonly runAt?: Date;
  /** The same as a distance, in milliseconds by the database's clock; `runAt` wins. */
  readonly afterMs?: number;
  /** Jobs of one queue run one after the other. Use few names: each is a row for ever. */
  readonly queue?: string;
  /** How often it is tried in all, the runs that a kill cut short included. Absent: 25, with growing pauses. */
  readonly maxAttempts?: number;
  /** `replace` (default) or keep the earlier time; `unsafe_dedupe` adds nothing even beside a job that runs. */
  readonly keyMode?: 'replace' | 'preserve_run_at' | 'unsafe_dedupe';
}

/** Work that is done at least once, after the transaction that asked for it has committed, or never. */
export interface Jobs {
  enqueue<S extends z.ZodType>(
    tx: Tx,
    task: TaskKind<S>,
    payload: z.input<S>,
    options?: EnqueueOptions,
  ): Promise<void>;
}

/** Who is alive, by locks that the database drops when their holder's connection ends. */
export interface Liveness {
  /** This process, held from the moment it exists. What it owns in tables carries this id. */
  readonly id: string;
  /** Holds more ids for as long as this process lives. Resolves when they are held. */
  hold(ids: readonly string[]): Promise<void>;
  /** Lets ids go, so that others may clean up after them. */
  release(ids: readonly string[]): Promise<void>;
  /** Those of the ids that nobody holds; takes a few seconds when there are any, to be sure of it. */
  gone(ids: readonly string[]): Promise<string[]>;
  /** Lets everything go and ends the connection. */
  close(): Promise<void>;
}

/** Work that one of several processes does at a time, by a lock that the database drops when its holder ends. */
export interface Leader {
  /** Whether this process does it now. */
  leads(): boolean;
  /** Ends the work, then lets the lock go and ends the connection. */
  close(): Promise<void>;
}
