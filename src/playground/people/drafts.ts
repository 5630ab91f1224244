import { pushStopped } from '../deliver.ts';
import type { Emulator } from '../emulator.ts';
import { ControlError } from '../errors.ts';
import { chatOf } from './people.ts';
import type { ChatState, DraftState, MessageContent } from '../types.ts';

const DRAFT_MS = 30_000;

/** What a person sees of a message that is being written for them. */
export interface ShownDraft extends MessageContent {
  draft_id: number;
  can_stop: boolean;
}

/** Shows a person what the bot has written so far; what they have stopped stays as it is. */
export function showDraft(em: Emulator, chat: ChatState, draft: DraftState): void {
  if (chat.stoppedDraft === draft.id) return;
  chat.draft = draft;
  tellDraft(em, chat);
}

/** The message that a bot is writing to a person; undefined when there is none, or none any more. */
export function draftFor(em: Emulator, wanted: { user: number; chat: number }): ShownDraft | undefined {
  return shownDraft(em, chatOf(em, wanted.user, wanted.chat));
}

/** A person stops what a bot writes, where it lets them; it hears of that. */
export function stopDraft(em: Emulator, wanted: { user_id: number; chat_id: number }): void {
  const chat = chatOf(em, wanted.user_id, wanted.chat_id);
  const { draft } = chat;
  const bot = em.world.bots.get(chat.botId ?? 0);
  if (draft === undefined || bot === undefined || shownDraft(em, chat)?.can_stop !== true) {
    throw new ControlError('nothing that can be stopped is being written');
  }
  chat.stoppedDraft = draft.id;
  chat.draft = draft.keepOnStop ? { ...draft, canStop: false } : undefined;
  tellDraft(em, chat);
  pushStopped(em, bot, chat, draft.id);
}

function shownDraft(em: Emulator, { draft }: ChatState): ShownDraft | undefined {
  if (draft === undefined || em.now() - draft.at >= DRAFT_MS) return undefined;
  return { draft_id: draft.id, can_stop: draft.canStop, ...draft.content };
}

function tellDraft(em: Emulator, chat: ChatState): void {
  em.bus.emit({ type: 'draft', chatKey: chat.key, data: { draft: shownDraft(em, chat) ?? null } });
}
