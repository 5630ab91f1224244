import type { Message } from '@grammyjs/types';
import { byLatinKeys } from '../../domain/keyboard.ts';
import { findKeyLike, isInName } from '../../domain/keylike.ts';
import { slips } from '../../domain/slips.ts';
import type { Stores } from '../../storage/stores.ts';

const MOST_SLIPS = 1;

/** More words than people write; each is hashed. */
const MAX_WORDS = 200;

/**
 * Whether a message holds what looks like a key, or one in use: in its words, or in the name of its file. The
 * database is asked only where some word is long enough.
 */
export async function leaks(
  message: Message,
  bindings: Pick<Stores['bindings'], 'knowsAny'>,
): Promise<boolean> {
  const words: string[] = [];
  const collect = (candidate: string): boolean => {
    words.push(candidate);
    return false;
  };
  const text = message.text ?? message.caption ?? '';
  if (findKeyLike(text, collect) !== null) return true;
  // What stands behind /connect is meant as a credential, whatever it looks like, also where that is nearly written so, or on a Persian keyboard.
  const [, slash, name] = /^([/／]?)\s*([\p{L}\p{N}_]{1,32})(?:@\w+)?\s+\S{4,}/u.exec(text) ?? [];
  const isCommand = slash !== '' || message.chat.type === 'private';
  if (name !== undefined && isCommand && slips(byLatinKeys(name), 'connect') <= MOST_SLIPS) return true;
  const { document, video, audio, animation } = message;
  for (const file of [document, video, audio, animation])
    if (file?.file_name !== undefined && isInName(file.file_name, collect)) return true;
  return await bindings.knowsAny(message.chat.id, words.slice(0, MAX_WORDS));
}
