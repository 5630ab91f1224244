import type { Message } from '@grammyjs/types';
import { askApprovalOff, hears, linkGroup, linkPerson, linkPrivate, type Place } from './people.ts';
import type { Stand } from './stand.ts';

/** Chats beside those that `linkPlaces` makes, by their place in the list. */
export const PLACES = { shared: 5, limited: 6, slow: 7, hasty: 8 } as const;
/** The user of the one whose gateway takes its time. */
export const SLOW_ACCOUNT = 'chaos8';
const LIMITS = { approval: 3, cap: 9, personCap: 6 } as const;
/** On the blacklist of the line of the first account, of ten digits each. */
export const BLOCKED: readonly string[] = Array.from({ length: 40 }, (_, index) =>
  String(9_199_000_000 + index),
);

/**
 * Four more chats: a private one that has the first account by another credential, a group that has another's by the
 * same key and limits itself, one whose gateway is slow, so that there is something to stop, and one of somebody hasty.
 */
export async function linkMorePlaces(stand: Stand, places: readonly Place[]): Promise<Place[]> {
  const bot = await stand.telegram.botName();
  const [first, , , group] = places;
  if (first === undefined || group === undefined) throw new Error('there is no account to share');
  const { username, password, line, otherLines = [] } = first.account;
  await stand.gateway.block(first.account, BLOCKED);
  const [shared, limited, slow, hasty] = await Promise.all([
    linkPerson(stand, bot, 6, { username, password, line, otherLines }),
    linkGroup(stand, bot, 7, group.account),
    linkPrivate(stand, bot, 8, 'call'),
    linkPrivate(stand, bot, 9, 'call'),
  ]);
  const {
    chat,
    people: [owner, second = owner],
  } = limited;
  const asks = async (person: number, text: string, replyTo?: number): Promise<Message> => {
    const said = await stand.telegram.say(person, chat, text, replyTo);
    await hears(stand, chat, owner, said.message_id, () => true);
    return said;
  };
  const known = await asks(second, '/whoami');
  await asks(owner, '/role approver', known.message_id);
  await asks(owner, `/limits cap ${LIMITS.cap} parts`);
  await asks(owner, `/limits personcap ${LIMITS.personCap} parts`);
  await asks(owner, `/limits approval ${LIMITS.approval}`);
  await askApprovalOff(stand, slow);
  return [shared, { ...limited, limits: LIMITS }, slow, hasty];
}
