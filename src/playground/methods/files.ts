import { badRequest } from '../errors.ts';
import { MAX_DOWNLOAD_BYTES } from '../files.ts';
import type { Method } from './method.ts';

export const fileMethods: Readonly<Record<string, Method>> = {
  getFile: ({ em, params }) => {
    const fileId = params.str('file_id');
    const file = em.files.get(fileId);
    if (file === undefined) throw badRequest('wrong file_id or the file is temporarily unavailable');
    if (file.bytes.length > MAX_DOWNLOAD_BYTES) throw badRequest('file is too big');
    return {
      file_id: fileId,
      file_unique_id: file.uniqueId,
      file_size: file.bytes.length,
      file_path: file.path,
    };
  },
};
