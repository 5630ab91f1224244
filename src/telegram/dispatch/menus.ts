import type { BotCommand } from '@grammyjs/types';
import type { Api } from 'grammy';
import { can, leastRole, type Role } from '../../domain/roles.ts';
import type { Locale } from '../../i18n/define.ts';
import { isolateAuto } from '../../i18n/format.ts';
import type { CredentialName } from '../../ports/gateway.ts';
import type { Capabilities } from '../../ports/gateways.ts';
import { isTyped, type Command, type TypedCommand } from '../feature.ts';
import type { RequestContext } from '../request-context.ts';

/** From where somebody looks at the commands: all that decides which of them work. */
export interface Outlook {
  readonly isPrivate: boolean;
  readonly role: Role | null;
  /** Null: no account is linked to the chat. */
  readonly capabilities: Capabilities | null;
}

/** What stands between a person and a command. */
export type Obstacle =
  | { readonly kind: 'place' }
  | { readonly kind: 'account' }
  | { readonly kind: 'role'; readonly least: Role }
  /** Any one of these would do; none: this deployment's gateway does not offer it at all. */
  | { readonly kind: 'credential'; readonly missing: readonly CredentialName[] };

export function outlookOf({ chat, role, binding, capabilities }: RequestContext): Outlook {
  return {
    isPrivate: chat.type === 'private',
    role,
    capabilities: binding === null ? null : capabilities,
  };
}

/** Everything that keeps a command from working there; empty: it works. */
export function obstacles(command: Command, { isPrivate, role, capabilities }: Outlook): Obstacle[] {
  const { facet } = command;
  const permission = (capabilities === null ? null : command.onceLinked) ?? command.permission;
  const found: Obstacle[] = [];
  if (command.place === 'private' && !isPrivate) found.push({ kind: 'place' });
  if (facet !== undefined && capabilities === null) found.push({ kind: 'account' });
  if (permission !== null && !can(role, permission))
    found.push({ kind: 'role', least: leastRole(permission) });
  if (facet !== undefined && capabilities?.has(facet) === false)
    found.push({ kind: 'credential', missing: capabilities.missing(facet) });
  return found;
}

/** The commands that work there, in the order of their declaration. */
export function visibleCommands<C extends Command>(
  commands: Iterable<C>,
  outlook: Outlook,
): (C & TypedCommand)[] {
  return [...commands].filter(isTyped).filter((command) => obstacles(command, outlook).length === 0);
}

/**
 * `/send <numbers> <text>`; what may be left out stands in square brackets. For a line of its own, which reads
 * from left to right: each argument is isolated, or those in Persian would change places.
 */
export function usage(command: Command, locale: Locale): string {
  const args = Object.values(command.args)
    .filter((argument) => argument.take !== null && argument.usage(locale) !== '')
    .map((argument) => {
      const name = locale === 'fa' ? isolateAuto(argument.usage(locale)) : argument.usage(locale);
      return argument.optional === true ? ` [${name}]` : ` <${name}>`;
    });
  return `/${command.name}${args.join('')}`;
}

/** The entries of a Telegram menu: of what works there, what people use every day. */
export function menuFor(commands: Iterable<Command>, outlook: Outlook, locale: Locale): BotCommand[] {
  const shown = visibleCommands(commands, outlook).filter(
    ({ everyday }) => everyday === true || (everyday === 'until_linked' && outlook.capabilities === null),
  );
  return shown.map((command) => ({
    command: command.name,
    description: command.about(locale),
  }));
}

/** A menu for every client, and one for clients in Persian; null: none, so that the next wider scope shows. */
export interface MenuLists {
  readonly any: readonly BotCommand[] | null;
  readonly fa: readonly BotCommand[] | null;
}

/**
 * In one language when it is known which, else in both: in Persian for clients that speak it, and for all
 * others in the language that the bot then falls back to.
 */
export function menuLists(
  commands: Iterable<Command>,
  outlook: Outlook,
  { known, fallback }: { readonly known: Locale | null; readonly fallback: Locale },
): MenuLists {
  const any = menuFor(commands, outlook, known ?? fallback);
  const isOne = known !== null || fallback === 'fa';
  return { any, fa: isOne ? null : menuFor(commands, outlook, 'fa') };
}

/** The menus that Telegram shows where nothing narrower was published: what is open to anyone. */
export async function publishDefaultMenus(
  api: Api,
  commands: readonly Command[],
  fallback: Locale,
): Promise<void> {
  for (const type of ['all_private_chats', 'all_group_chats'] as const) {
    const outlook: Outlook = { isPrivate: type === 'all_private_chats', role: null, capabilities: null };
    const { any, fa } = menuLists(commands, outlook, { known: null, fallback });
    await api.setMyCommands(any ?? [], { scope: { type } });
    if (fa === null) await api.deleteMyCommands({ scope: { type }, language_code: 'fa' });
    else await api.setMyCommands(fa, { scope: { type }, language_code: 'fa' });
  }
}
