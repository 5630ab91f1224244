import { botMethods } from './bot.ts';
import { callbackMethods } from './callbacks.ts';
import { chatMethods } from './chats.ts';
import { editingMethods } from './editing.ts';
import { fileMethods } from './files.ts';
import type { Method } from './method.ts';
import { sendingMethods } from './sending.ts';
import { topicMethods } from './topics.ts';
import { updateMethods } from './updates.ts';

const groups = [
  updateMethods,
  botMethods,
  sendingMethods,
  editingMethods,
  callbackMethods,
  fileMethods,
  chatMethods,
  topicMethods,
];

/** Every method the emulator knows, by its name in lower case. What is not here is answered with 404. */
export const methods: ReadonlyMap<string, Method> = new Map(
  groups.flatMap((group) => Object.entries(group).map(([name, method]) => [name.toLowerCase(), method])),
);
