import { badRequest } from '../../errors.ts';
import type { Params } from '../params.ts';

const MAX_IDS = 100;

/** `message_ids`: 1 to 100 whole numbers above 0. Throws Telegram's refusals. */
export function messageIds(params: Params): number[] {
  const list = params.json('message_ids', 'message_ids');
  if (list === undefined) throw badRequest('message identifiers are not specified');
  if (!Array.isArray(list)) throw badRequest('expected an Array of message identifiers');
  if (list.length > MAX_IDS) throw badRequest('too many message identifiers specified');
  if (list.length === 0) throw badRequest('message identifiers are not specified');
  return list.map((item: unknown) => {
    if (typeof item !== 'number' && typeof item !== 'string') {
      throw badRequest('message identifier must be a Number');
    }
    const id = Number(item);
    if (!Number.isInteger(id)) throw badRequest("can't parse message identifier as a Number");
    if (id <= 0) throw badRequest('invalid message identifier specified');
    return id;
  });
}
