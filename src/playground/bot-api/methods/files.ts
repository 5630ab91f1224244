import { badRequest } from '../../errors.ts';
import { MAX_DOWNLOAD_BYTES } from '../../files.ts';
import type { Call, Method } from './method.ts';

export const fileMethods: Readonly<Record<string, Method>> = {
  // Nobody here has pictures or music of their own.
  getUserProfilePhotos: (call) => ({ ...profileOf(call), photos: [] }),
  getUserProfileAudios: (call) => ({ ...profileOf(call), audios: [] }),
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

function profileOf({ em, params }: Call): { total_count: number } {
  const userId = params.int('user_id', 0, 0);
  if (userId === 0) throw badRequest('invalid user_id specified');
  if (!em.world.users.has(userId)) throw badRequest('user not found');
  return { total_count: 0 };
}
