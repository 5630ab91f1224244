import type { Api } from 'grammy';
import { z } from 'zod';
import type { Locale } from '../../i18n/define.ts';
import { createFormat } from '../../i18n/format.ts';
import { defineTask, type Log, type Task } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import { sayOnce } from '../dispatch/say-once.ts';
import { lines } from '../html.ts';
import { goneTexts } from './gone-texts.ts';

const schema = z.object({ chatId: z.uuid() });

/**
 * Tells the owners of a chat in private that the bot was removed from it, and what waits for that; and a group that its
 * last owner has left, and how it gets another.
 */
export function createGoneTasks({
  api,
  absence,
  team,
  log,
  fallback,
}: {
  readonly api: Api;
  readonly absence: Pick<Stores['absence'], 'heldIn'>;
  readonly team: Pick<Stores['team'], 'missingOwner'>;
  readonly log: Log;
  /** What the bot speaks in chats that have chosen nothing. */
  readonly fallback: Locale;
}): Task[] {
  return [
    defineTask({
      name: 'bot-gone',
      schema,
      async run({ chatId }) {
        const held = await absence.heldIn(chatId);
        // It is back by now, or somebody else has decided.
        if (held === null) return;
        const locale = held.chat.lang ?? fallback;
        const t = goneTexts(locale);
        const { count } = createFormat(locale, 'UTC');
        const some = (n: number): string | null => (n === 0 ? null : count(n, t.sends));
        const said = lines(t.removed(held.chat.title), t.held(some(held.paused), some(held.scheduled)));
        let reached = 0;
        for (const owner of held.owners) {
          if (await sayOnce({ api, log }, owner, said)) reached += 1;
        }
        if (reached === 0)
          log.warn({ chat: chatId }, 'nobody could be told that the bot was removed from a chat');
      },
    }),
    defineTask({
      name: 'owner-left',
      schema,
      async run({ chatId }) {
        const missing = await team.missingOwner(chatId);
        // Back by now, or somebody else owns the account.
        if (missing === null) return;
        const { chat, name, hasFallbackOwners } = missing;
        const said = goneTexts(chat.lang ?? fallback).ownerLeft(name, hasFallbackOwners);
        await sayOnce({ api, log }, chat.telegramId, said);
      },
    }),
  ];
}
