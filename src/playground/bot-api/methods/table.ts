import { botMethods } from './bot.ts';
import { callbackMethods } from './callbacks.ts';
import { chatMethods } from './chats.ts';
import { draftMethods } from './drafts.ts';
import { editingMethods } from './editing.ts';
import { ephemeralMethods } from './ephemeral.ts';
import { fileMethods } from './files.ts';
import { forwardingMethods } from './forwarding.ts';
import { listMethods, refusedMethods, type Listed } from './listed.ts';
import { memberMethods } from './members.ts';
import { inlineMethods } from './inline.ts';
import type { Method } from './method.ts';
import { pollMethods } from './polls.ts';
import { sendingMethods } from './sending.ts';
import { topicMethods } from './topics.ts';
import { updateMethods } from './updates.ts';

const groups = [
  updateMethods,
  botMethods,
  sendingMethods,
  forwardingMethods,
  pollMethods,
  draftMethods,
  editingMethods,
  ephemeralMethods,
  callbackMethods,
  inlineMethods,
  fileMethods,
  chatMethods,
  memberMethods,
  topicMethods,
];

/** Every method of the Bot API, as it stands in `methods.md` and is served. */
export const listed: readonly Listed[] = listMethods(groups.flatMap((group) => Object.keys(group)));

/** Every method the emulator answers, by its name in lower case. What is not here is answered with 404. */
export const methods: ReadonlyMap<string, Method> = new Map(
  [...groups, refusedMethods].flatMap((group) =>
    Object.entries(group).map(([name, method]) => [name.toLowerCase(), method]),
  ),
);
