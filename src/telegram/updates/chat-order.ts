import type { Update } from '@grammyjs/types';

const PRESS_PATIENCE_MS = 1500;

/**
 * Messages of a chat follow each other, and so do its presses. A message waits for the presses before it; a press
 * waits for the messages before it, but not for long: Stop must work while a command waits for the gateway. `person` is
 * whose it is: nobody waits for an answer to somebody else that waits for the pace.
 */
export function chatOrderOf(update: Update): { lane: string; beside: string; person: number } {
  const press = update.callback_query;
  const said = update.message ?? update.edited_message ?? update.channel_post ?? update.edited_channel_post;
  const reaction = update.message_reaction;
  const chat = press?.message?.chat ?? (said ?? reaction ?? update.my_chat_member)?.chat;
  // Telegram sends none without a person; whatever else is brought must not keep other updates from being handled.
  const from: { readonly id: number } | undefined = (press ?? said)?.from ?? reaction?.user;
  const id = chat?.id ?? from?.id ?? 0;
  const person = from?.id ?? 0;
  return press === undefined
    ? { lane: `chat ${id}`, beside: `press ${id}`, person }
    : { lane: `press ${id}`, beside: `chat ${id}`, person };
}

/** Waits for what came earlier in the lane beside: a message to its end, a press not for long. */
export async function waitForEarlier(earlier: Promise<unknown>, update: Update): Promise<void> {
  if (update.callback_query === undefined) return void (await earlier);
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    earlier,
    new Promise<void>((enough) => {
      timer = setTimeout(enough, PRESS_PATIENCE_MS);
    }),
  ]);
  clearTimeout(timer);
}
