import type { Api } from 'grammy';
import { z } from 'zod';
import type { Locale } from '../i18n/define.ts';
import { defineTask, type Log, type Task } from '../ports/runtime.ts';
import type { TeamStore } from '../ports/team.ts';
import { telegramFailure } from './errors.ts';
import { goneTexts } from './gone-texts.ts';

/** Said once; whoever cannot be reached now may look it up in the audit. */
const NOT_AGAIN: ReadonlySet<string> = new Set([
  'blocked',
  'kicked',
  'chat_gone',
  'no_rights',
  'thread_gone',
  'lost_answer',
]);

/** Tells a group that its last owner has left, and how it gets another. */
export function createOwnerLeftTask({
  api,
  team,
  log,
  fallback,
}: {
  readonly api: Api;
  readonly team: Pick<TeamStore, 'missingOwner'>;
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
      const { chat, name, hasHeirs } = missing;
      const said = goneTexts(chat.lang ?? fallback).ownerLeft(name, hasHeirs);
      try {
        await api.sendMessage(chat.telegramId, said.markup, { parse_mode: 'HTML' });
      } catch (error) {
        const { kind } = telegramFailure(error);
        if (!NOT_AGAIN.has(kind)) throw error;
        log.info({ kind, chat: chatId }, 'a group could not be told that its owner has left');
      }
    },
  });
}
