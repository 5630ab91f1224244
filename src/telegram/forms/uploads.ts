import type { Api } from 'grammy';
import { GrammyError } from 'grammy';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Uploads } from '../../ports/bulk.ts';
import type { Log } from '../../ports/runtime.ts';
import { isClientSignal } from '../updates/polling.ts';
import { fileProblem } from './save-file.ts';

/** Of the folders that files are taken into, in the machine's folder for what is temporary. */
const PREFIX = 'peyk-upload-';
/** No file takes so long to read. */
const FORGOTTEN_MS = 3_600_000;

/** Files that people send, on this machine's disk for as long as they are read. */
export function createUploads(deps: {
  readonly api: Pick<Api, 'getFile'>;
  /** Writes the file at a path that Telegram gave into one that is not there yet; see TelegramFetch.save. */
  readonly save: (
    path: string,
    into: { readonly file: string; readonly maxBytes: number; readonly signal: AbortSignal },
  ) => Promise<void>;
  readonly folder: string;
  readonly now: () => Date;
  readonly log: Log;
}): Uploads {
  const { api, save, folder, now, log } = deps;
  return {
    async take(reference, maxBytes, signal) {
      const source = await locate(api, reference, signal);
      const own = await mkdtemp(join(folder, PREFIX));
      const remove = async (): Promise<void> => {
        await rm(own, { recursive: true, force: true });
      };
      const path = join(own, 'file');
      try {
        await save(source, { file: path, maxBytes, signal });
      } catch (error) {
        await remove();
        throw error;
      }
      return { path, [Symbol.asyncDispose]: remove };
    },

    async sweep() {
      const oldest = now().getTime() - FORGOTTEN_MS;
      const names = (await readdir(folder)).filter((name) => name.startsWith(PREFIX));
      for (const name of names) {
        const own = join(folder, name);
        try {
          const { mtimeMs, uid } = await stat(own);
          if (mtimeMs > oldest || uid !== process.getuid?.()) continue;
          await rm(own, { recursive: true, force: true });
          log.info({}, 'a file that a killed process has left was removed');
        } catch (error) {
          // Another process sweeps as well.
          log.debug({ err: error }, 'what was left on the disk could not be removed');
        }
      }
    },
  };
}

/** Where Telegram keeps a file now. */
async function locate(api: Pick<Api, 'getFile'>, reference: string, signal: AbortSignal): Promise<string> {
  let path: string | undefined;
  try {
    ({ file_path: path } = await api.getFile(reference, isClientSignal(signal) ? signal : undefined));
  } catch (error) {
    if (!(error instanceof GrammyError) || error.error_code !== 400) throw error;
    throw /too big/iu.test(error.description)
      ? fileProblem('too_large', 'Telegram does not hand out a file of this size')
      : fileProblem('gone', 'Telegram does not know the file');
  }
  if (path === undefined) throw fileProblem('gone', 'Telegram has the file no longer');
  return path;
}
