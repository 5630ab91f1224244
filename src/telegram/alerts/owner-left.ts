import type { Api } from 'grammy';
import { z } from 'zod';
import type { Locale } from '../../i18n/define.ts';
import { defineTask, type Log, type Task } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import { sayOnce } from '../dispatch/say-once.ts';
import { goneTexts } from './gone-texts.ts';

/** Tells a group that its last owner has left, and how it gets another. */
export function createOwnerLeftTask({
  api,
  team,
  log,
  fallback,
}: {
  readonly api: Api;
  readonly team: Pick<Stores['team'], 'missingOwner'>;
  readonly log: Log;
  /** What the bot speaks in chats that have chosen nothing. */
  readonly fallback: Locale;
}): Task {
  return defineTask({
    name: 'owner-left',
    schema: z.object({ chatId: z.uuid() }),
    async run({ chatId }) {
      const missing = await team.missingOwner(chatId);
      // Back by now, or somebody else owns the account.
      if (missing === null) return;
      const { chat, name, hasFallbackOwners } = missing;
      await sayOnce(
        { api, log },
        chat.telegramId,
        goneTexts(chat.lang ?? fallback).ownerLeft(name, hasFallbackOwners),
      );
    },
  });
}
