import type { Update } from '@grammyjs/types';

const PRESS_PATIENCE_MS = 1500;

/**
 * Messages of a chat follow each other, and so do its presses. A message waits for the presses before it; a press
 * waits for the messages before it, but not for long: Stop must work while a command waits for the gateway.
 */
export function lanesOf(update: Update): { lane: string; beside: string } {
  const press = update.callback_query;
  const said = update.message ?? update.edited_message ?? update.channel_post ?? update.edited_channel_post;
  const chat = press?.message?.chat ?? said?.chat ?? update.my_chat_member?.chat;
  // Telegram sends none without a person; whatever else is brought must not keep other updates from being handled.
  const from: { readonly id: number } | undefined = press?.from;
  const id = chat?.id ?? from?.id ?? 0;
  return press === undefined
    ? { lane: `chat ${id}`, beside: `press ${id}` }
    : { lane: `press ${id}`, beside: `chat ${id}` };
}

/** Waits for what came earlier in the lane beside: a message to its end, a press not for long. */
export async function patient(earlier: Promise<void> | undefined, update: Update): Promise<void> {
  if (earlier === undefined) return;
  if (update.callback_query === undefined) return await earlier;
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    earlier,
    new Promise<void>((enough) => {
      timer = setTimeout(enough, PRESS_PATIENCE_MS);
    }),
  ]);
  clearTimeout(timer);
}
