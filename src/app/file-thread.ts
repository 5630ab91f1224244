import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError, type AppErrorCode, type ErrorParams } from '../domain/errors.ts';
import type { FileThread, FileWorks } from '../ports/bulk.ts';

export type Question = { readonly id: number } & (
  | { readonly begin: keyof FileWorks; readonly given: FileWorks[keyof FileWorks]['given'] }
  | { readonly input: FileWorks[keyof FileWorks]['input'] }
  | { readonly end: true }
);

export type Answer = { readonly id: number } & (
  | { readonly output: unknown }
  | {
      readonly problem: {
        readonly code: AppErrorCode;
        readonly message: string;
        readonly params: ErrorParams;
      };
    }
  | { readonly error: unknown }
);

/** Beside the sources it is a source itself, beside the bundle a bundle. */
const ENTRY = new URL(`./file-worker${extname(import.meta.url)}`, import.meta.url);
/** Its memory is given back when no file came for so long. */
const IDLE_MS = 30_000;
/** A file that needs more than that ends the thread, and not the process. */
const HEAP_MB = 256;
const YOUNG_MB = 16;

/**
 * Works on files on one thread, which is started when it is needed. When it ends by itself, all that was under way
 * there is rejected with the reason, and what comes next finds another.
 */
export function createFileThread({ heapMb = HEAP_MB } = {}): FileThread & { close(): Promise<void> } {
  let thread: ReturnType<typeof start> | null = null;
  let idle: NodeJS.Timeout | undefined;
  let [last, open] = [0, 0];

  const close = async (): Promise<void> => {
    clearTimeout(idle);
    const ending = thread;
    thread = null;
    await ending?.worker.terminate();
  };

  const start = () => {
    // It has no business with what the process was told.
    const worker = new Worker(ENTRY, {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const asked = new Map<number, PromiseWithResolvers<unknown>[]>();
    const ended = (error: unknown): void => {
      if (thread?.worker === worker) thread = null;
      for (const { reject } of [...asked.values()].flat()) reject(error);
      asked.clear();
    };
    worker.on('message', (answer: Answer) => {
      const first = asked.get(answer.id)?.shift();
      if ('output' in answer) first?.resolve(answer.output);
      else first?.reject('problem' in answer ? known(answer.problem) : answer.error);
    });
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error('the thread for files has ended')));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    const say = (question: Question): void => worker.postMessage(question);
    return { worker, asked, say };
  };

  return {
    begin<K extends keyof FileWorks>(work: K, given: FileWorks[K]['given']) {
      clearTimeout(idle);
      open += 1;
      const { worker, asked, say } = (thread ??= start());
      worker.ref();
      const id = (last += 1);
      const waiting: PromiseWithResolvers<unknown>[] = [];
      asked.set(id, waiting);
      say({ id, begin: work, given });
      return {
        next(input: FileWorks[K]['input']) {
          const answer = Promise.withResolvers<unknown>();
          // Whoever asks ahead may leave before it is there.
          answer.promise.catch(() => undefined);
          if (asked.get(id) === waiting) waiting.push(answer);
          else answer.reject(new Error('the thread for files has ended'));
          say({ id, input });
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other side answers as `FileWorks` says
          return answer.promise as Promise<FileWorks[K]['output']>;
        },
        [Symbol.asyncDispose]() {
          asked.delete(id);
          say({ id, end: true });
          open -= 1;
          if (open > 0) return Promise.resolve();
          // An idle one keeps nobody from ending.
          thread?.worker.unref();
          idle = setTimeout(() => void close(), IDLE_MS).unref();
          return Promise.resolve();
        },
      };
    },
    close,
  };
}

function known({ code, message, params }: { code: AppErrorCode; message: string; params: ErrorParams }) {
  return new AppError(code, message, { params });
}
