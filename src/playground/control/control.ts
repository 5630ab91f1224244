import type { BotCommand, Message, User } from '@grammyjs/types';
import type { CallFilter, CallRecord } from './calls.ts';
import { post } from '../deliver.ts';
import { chatChanged, queueOf, type Emulator } from '../emulator.ts';
import { ControlError } from '../errors.ts';
import type { FaultRule } from './faults.ts';
import type { StoredFile, UploadedFile } from '../files.ts';
import { typedText } from '../text/formatting.ts';
import * as drafts from '../people/drafts.ts';
import * as inline from '../people/inline.ts';
import { setBlocked } from '../people/membership.ts';
import { commandsFor } from '../people/menus.ts';
import * as people from '../people/people.ts';
import * as sharing from '../people/sharing.ts';
import * as places from '../people/places.ts';
import { traceOf } from './trace.ts';
import type { ChatState, MemberState, QueuedUpdate, TopicState } from '../types.ts';
import * as views from '../people/views.ts';
import { createWorld, openPrivateChat } from '../world.ts';

type Tail<F> = F extends (em: Emulator, ...rest: infer R) => infer T ? (...rest: R) => T : never;

/** What tests and the page do in the world. Mistakes throw ControlError. */
export interface Control {
  state: (userId?: number) => views.ShownState;
  messages: Tail<typeof views.messagesFor>;
  message: (spoken: people.Spoken & { text: string }) => Message;
  upload: Tail<typeof people.upload>;
  edit: Tail<typeof people.reword>;
  tap: Tail<typeof people.tap>;
  react: Tail<typeof sharing.reactTo>;
  contact: Tail<typeof sharing.shareContact>;
  location: Tail<typeof sharing.shareLocation>;
  forward: Tail<typeof sharing.forward>;
  vote: Tail<typeof sharing.vote>;
  press: Tail<typeof sharing.press>;
  start: Tail<typeof people.start>;
  remove: Tail<typeof people.erase>;
  user: (person: places.NewUser) => User;
  /** A deleted account: the bot's messages to it are refused from now on. */
  deactivate: (userId: number) => void;
  chat: (wanted: places.NewChat) => ChatState;
  member: (change: places.MemberChange) => MemberState;
  block: (wanted: { user_id: number; bot?: string | undefined; blocked: boolean }) => void;
  migrate: (wanted: { chat_id: number; member_updates?: boolean | undefined }) => ChatState;
  topic: (wanted: { chat_id: number; name: string }) => TopicState;
  /** Privacy mode of a bot, which is on at first. */
  privacy: (wanted: { bot?: string | undefined; enabled: boolean }) => void;
  /** Inline mode of a bot, which is off at first. */
  setInline: Tail<typeof inline.setInline>;
  askInline: Tail<typeof inline.askInline>;
  inlineAnswer: Tail<typeof inline.inlineAnswer>;
  choose: Tail<typeof inline.choose>;
  draft: Tail<typeof drafts.draftFor>;
  stopDraft: Tail<typeof drafts.stopDraft>;
  resendUpdate: (updateId: number) => void;
  updates: (bot?: string) => QueuedUpdate[];
  calls: (filter?: CallFilter) => CallRecord[];
  trace: Tail<typeof traceOf>;
  fault: (rule: FaultRule) => void;
  clearFaults: () => void;
  commands: (wanted: { bot?: string | undefined; chat: number; user: number }) => BotCommand[];
  file: (fileId: string) => StoredFile | undefined;
  /** Queues `count` texts from people who all have (or get) an open private chat, as fast as possible. */
  flood: (count: number, options?: { userIds?: readonly number[]; text?: string; chatId?: number }) => void;
  /** Empties the world. Bots stay, with their commands, settings and webhook; update ids go on. */
  reset: () => void;
}

/** Control functions over one emulator; `seed` fills the world after a reset. */
export function createControl(em: Emulator, seed: (control: Control) => void): Control {
  const control: Control = {
    state: (userId) => views.stateFor(em, userId),
    messages: (wanted) => views.messagesFor(em, wanted),
    message: (spoken) => people.speak(em, spoken),
    upload: (spoken, files: readonly UploadedFile[]) => people.upload(em, spoken, files),
    edit: (edit) => people.reword(em, edit),
    tap: (touch) => people.tap(em, touch),
    react: (touch) => sharing.reactTo(em, touch),
    contact: (spoken) => sharing.shareContact(em, spoken),
    location: (spoken) => sharing.shareLocation(em, spoken),
    forward: (spoken) => sharing.forward(em, spoken),
    vote: (touch) => sharing.vote(em, touch),
    press: (touch) => sharing.press(em, touch),
    start: (link) => people.start(em, link),
    remove: (wanted) => people.erase(em, wanted),
    user: (person) => places.makeUser(em, person),
    deactivate(userId) {
      em.world.deactivated.add(userId);
    },
    chat: (wanted) => places.makeChat(em, wanted),
    member: (change) => places.changeMember(em, change),
    block({ user_id: userId, bot, blocked }) {
      setBlocked(em, openPrivateChat(em.world, userId, views.botOf(em, bot).id), blocked);
    },
    migrate: (wanted) => places.upgrade(em, wanted),
    topic: (wanted) => places.makeTopic(em, wanted),
    privacy({ bot, enabled }) {
      views.botOf(em, bot).privacy = enabled;
    },
    setInline: (wanted) => inline.setInline(em, wanted),
    askInline: (asked) => inline.askInline(em, asked),
    inlineAnswer: (queryId) => inline.inlineAnswer(em, queryId),
    choose: (chosen) => inline.choose(em, chosen),
    draft: (wanted) => drafts.draftFor(em, wanted),
    stopDraft: (wanted) => drafts.stopDraft(em, wanted),
    resendUpdate(updateId) {
      const isKnown = [...em.queues.values()].some((queue) => queue.replay(updateId));
      if (!isKnown) throw new ControlError(`unknown update ${updateId}`);
    },
    updates: (bot) => queueOf(em, views.botOf(em, bot).id).history(),
    calls: (filter) => em.calls.list(filter),
    trace: (wanted) => traceOf(em, wanted),
    fault: (rule) => em.faults.add(rule),
    clearFaults: () => em.faults.clear(),
    commands: ({ bot, chat, user }) => commandsFor(em, { bot: views.botOf(em, bot).id, chat, user }),
    file: (fileId) => em.files.get(fileId),
    flood: (count, options) => flood(em, count, options ?? {}),
    reset() {
      const { bots } = em.world;
      em.world = createWorld(em.world.firstId);
      em.world.bots = bots;
      for (const bot of bots.values()) {
        em.world.users.set(bot.id, bot.user);
        queueOf(em, bot.id).clear();
      }
      em.files.clear();
      em.calls.clear();
      em.faults.clear();
      em.limiter?.clear();
      seed(control);
      em.bus.emit({ type: 'reset', data: {} });
    },
  };
  return control;
}

function flood(
  em: Emulator,
  count: number,
  options: { userIds?: readonly number[]; text?: string; chatId?: number },
): void {
  const bot = people.firstBot(em);
  const ids = options.userIds ?? [places.makeUser(em, { first_name: 'Flood', language_code: 'en' }).id];
  const senders = ids.map((id) => {
    const user = em.world.users.get(id);
    if (user === undefined) throw new ControlError(`unknown user ${id}`);
    const chat =
      options.chatId === undefined
        ? openPrivateChat(em.world, id, bot.id)
        : places.groupOf(em, options.chatId);
    return { user, chat };
  });
  const { text, entities } = typedText(options.text ?? '/help');
  const content = { text, ...(entities.length > 0 && { entities }) };
  for (let i = 0; i < count; i++) {
    const sender = senders[i % senders.length];
    if (sender !== undefined) post(em, sender.chat, { from: sender.user, content });
  }
  for (const { chat } of senders) chatChanged(em, chat);
}
