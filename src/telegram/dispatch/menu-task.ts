import type { BotCommand, BotCommandScope } from '@grammyjs/types';
import type { Api } from 'grammy';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Locale } from '../../i18n/define.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { MenuAudience } from '../../ports/menus.ts';
import { defineTask, type Task } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Command } from '../feature.ts';
import { telegramFailure } from '../outgoing/errors.ts';
import { menuLists, type MenuLists, type Outlook } from './menus.ts';

export interface MenuTaskDeps extends Pick<Stores, 'menus'> {
  readonly api: Api;
  readonly gateways: Pick<Gateways, 'capabilities'>;
  readonly commands: readonly Command[];
  /** What the bot speaks with those whose language it does not know. */
  readonly fallback: Locale;
}

interface Menu {
  readonly scope: BotCommandScope;
  readonly lists: MenuLists;
}

/**
 * Publishes who sees which commands in one chat: in a private chat to its person, in a group to each who has a
 * role there, from the state as it is when the job runs. Telegram is asked only for what has changed since it
 * was last published by this process; that it cannot be reached there (blocked, removed) ends the job.
 */
export function createMenuTask({ api, menus, gateways, commands, fallback }: MenuTaskDeps): Task {
  const published = new Map<string, string>();

  const publish = async (scope: BotCommandScope, list: MenuLists[keyof MenuLists], language?: 'fa') => {
    const key = `${JSON.stringify(scope)} ${language ?? ''}`;
    const print = fingerprint(list);
    if (published.get(key) === print) return;
    const other = { scope, ...(language === undefined ? {} : { language_code: language }) };
    published.delete(key);
    if (list === null) await api.deleteMyCommands(other);
    else await api.setMyCommands(list, other);
    if (published.size >= MAX_KNOWN) published.clear();
    published.set(key, print);
  };

  return defineTask({
    name: 'menus',
    schema: z.object({ chatId: z.uuid(), personId: z.number().int().optional() }),
    async run({ chatId, personId }, { log }) {
      const audience = await menus.audience(chatId, personId);
      if (audience === null) return;
      for (const { scope, lists } of menusOf(audience)) {
        try {
          await publish(scope, lists.any);
          await publish(scope, lists.fa, 'fa');
        } catch (error) {
          const { kind } = telegramFailure(error);
          if (!GONE.has(kind) && kind !== 'refused') throw error;
          log.debug({ kind, scope: scope.type }, 'a command menu was not taken');
          if (GONE.has(kind)) return;
        }
      }
    },
  });

  function menusOf({ chat, kinds, people }: MenuAudience): Menu[] {
    if (chat.type === 'channel') return [];
    const isPrivate = chat.type === 'private';
    const chat_id = chat.telegramId;
    const capabilities = kinds === null ? null : gateways.capabilities(kinds);
    const lists = (outlook: Pick<Outlook, 'role'>, known: Locale | null) =>
      menuLists(commands, { isPrivate, capabilities, ...outlook }, { known, fallback });

    const own = people.map(({ id, role, lang }): Menu => {
      const scope = isPrivate
        ? ({ type: 'chat', chat_id } as const)
        : ({ type: 'chat_member', chat_id, user_id: id } as const);
      const known = lang ?? chat.lang;
      // Whoever has no role sees what everybody sees.
      const isCommon = role === null && (!isPrivate || known === null);
      return { scope, lists: isCommon ? NONE : lists({ role }, known) };
    });
    if (isPrivate) return own;
    const common = chat.lang === null ? NONE : lists({ role: null }, chat.lang);
    return [{ scope: { type: 'chat', chat_id }, lists: common }, ...own];
  }
}

const NONE: MenuLists = { any: null, fa: null };

/** Some megabytes at most; what is forgotten is published once more. */
const MAX_KNOWN = 20_000;

/** The bot is no longer there, or the chat is not: what comes next concerns the chat anew. */
const GONE: ReadonlySet<string> = new Set(['blocked', 'kicked', 'chat_gone', 'no_rights', 'migrated']);

function fingerprint(list: readonly BotCommand[] | null): string {
  if (list === null) return '';
  return createHash('sha256').update(JSON.stringify(list)).digest('base64').slice(0, 16);
}
