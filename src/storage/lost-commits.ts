import type { Doubted, LossStore } from './losses.ts';

/**
 * Has everything that may have left in the lost time looked for, as after a backup was brought back. Does nothing where
 * that is done; may be ended and begun again, and done by several at once.
 */
export async function finishLoss(store: LossStore): Promise<void> {
  const from = await store.unfinished();
  if (from === null) return;
  await doubtChats(store, from);
  await store.finished();
}

/** Makes unknown what could have left, and void what somebody could still set off, chat by chat. */
export async function doubtChats(store: LossStore, from: Date): Promise<Doubted> {
  const all = { calls: 0, asked: 0, drafts: 0 };
  for (const chatId of await store.chats()) {
    const { calls, asked, drafts } = await store.doubt(chatId, from);
    all.calls += calls;
    all.asked += asked;
    all.drafts += drafts;
  }
  return all;
}
