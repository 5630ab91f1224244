import type { BotCommand } from '@grammyjs/types';
import type { Api } from 'grammy';
import { can, type Role } from '../domain/roles.ts';
import type { Locale } from '../i18n/define.ts';
import type { Command } from './feature.ts';
import type { Turn } from './turn.ts';

/** The commands that work here, for this person: by place, role, and what the linked account can do. */
export function visibleCommands(commands: Iterable<Command>, turn: Turn): Command[] {
  return [...commands].filter(
    (command) =>
      command.internal !== true &&
      (command.place === 'anywhere' || turn.chat.type === 'private') &&
      can(turn.role, command.permission) &&
      (command.facet === undefined || (turn.binding !== null && turn.capabilities.has(command.facet))),
  );
}

/** `/send <numbers> <text>`; what may be left out stands in square brackets. */
export function usage(command: Command, locale: Locale): string {
  const args = Object.values(command.args)
    .filter((argument) => argument.take !== null && argument.usage(locale) !== '')
    .map((argument) =>
      argument.optional === true ? ` [${argument.usage(locale)}]` : ` <${argument.usage(locale)}>`,
    );
  return `/${command.name}${args.join('')}`;
}

/** The menus that Telegram shows before anybody speaks: what is open to anyone, and in private what an owner has. */
export async function publishMenus(api: Api, commands: Iterable<Command>): Promise<void> {
  const all = [...commands].filter((command) => command.internal !== true);
  for (const [locale, languageCode] of [
    ['en', undefined],
    ['fa', 'fa'],
  ] as const) {
    const language = languageCode === undefined ? {} : { language_code: languageCode };
    await api.setMyCommands(entries(all, 'operator', locale, 'anywhere'), {
      scope: { type: 'all_group_chats' },
      ...language,
    });
    await api.setMyCommands(entries(all, 'owner', locale, 'private'), {
      scope: { type: 'all_private_chats' },
      ...language,
    });
  }
}

function entries(
  commands: readonly Command[],
  role: Role,
  locale: Locale,
  place: 'anywhere' | 'private',
): BotCommand[] {
  return commands
    .filter(
      (command) => can(role, command.permission) && (place === 'private' || command.place === 'anywhere'),
    )
    .map((command) => ({ command: command.name, description: command.about(locale) }));
}
