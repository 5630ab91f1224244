import type { Role } from '../../domain/roles.ts';
import type { Locale } from '../../i18n/define.ts';
import { createFormat, stripBidi } from '../../i18n/format.ts';
import {
  obstacles,
  usage,
  visibleCommands,
  type Obstacle,
  type Outlook,
} from '../../telegram/dispatch/menus.ts';
import { nearCommand } from '../../telegram/dispatch/near-command.ts';
import { tryButton } from '../../telegram/again.ts';
import { inRows, type Buttons } from '../../telegram/buttons.ts';
import { credentialNames } from '../../telegram/error-texts.ts';
import { isTyped, TOPICS, type Feature, type Topic, type TypedCommand } from '../../telegram/feature.ts';
import { b, clip, code, EMPTY, html, lines, type Html } from '../../telegram/html.ts';
import type { RenderedCard } from '../../telegram/outgoing/notifier.ts';
import { roleName } from '../../telegram/texts.ts';
import { helpActions, PAGES, type Page } from './actions.ts';
import { helpTexts } from './help-texts.ts';

const SIGNS: Readonly<Record<Topic, string>> = {
  sending: '✉️',
  reports: '📊',
  inbox: '📥',
  phonebooks: '📒',
  blacklist: '⛔',
  account: '💳',
  team: '👥',
  general: '🧭',
};

/** What works here for this person, under the headings of the features; then what a credential would add. */
export function helpOverview(features: readonly Feature[], outlook: Outlook, locale: Locale): Html {
  const t = helpTexts(locale);
  const groups = groupsOf(features)
    .map(({ topic, commands }) => ({ topic, shown: visibleCommands(commands, outlook) }))
    .filter(({ shown }) => shown.length > 0);
  const [first] = groups;
  return lines(
    t.head,
    ...groups.flatMap(({ topic, shown }) => [
      EMPTY,
      heading(topic, locale),
      ...shown.map((command) => t.entry(command.name, command.about(locale))),
    ]),
    EMPTY,
    ...whatIsMissing(features, outlook, locale),
    first !== undefined && t.inDetail(first.shown[0]?.name ?? '', t.topics[first.topic].toLowerCase()),
  );
}

/** What stands on each page: the command that it is about, what its button tries, and where more commands come from. */
const ABOUT: Readonly<
  Record<
    Page,
    { readonly command: string; readonly line: (locale: Locale) => string; readonly more: readonly Topic[] }
  >
> = {
  send: { command: 'send', line: (locale) => `/send ${helpTexts(locale).trial}`, more: ['sending'] },
  file: { command: 'bulk', line: () => '/bulk', more: ['phonebooks'] },
  inbox: { command: 'inbox', line: () => '/inbox', more: ['inbox', 'blacklist'] },
  reports: { command: 'report', line: () => '/report 7d', more: ['reports'] },
  credit: { command: 'credit', line: () => '/credit', more: ['account'] },
  team: { command: 'whoami', line: () => '/whoami', more: ['team'] },
};

/** The buttons to the pages, by what people want. */
export function pageButtons(locale: Locale): Buttons {
  const t = helpTexts(locale);
  return inRows(
    PAGES.map((page) => helpActions.page.button(t.pages[page].title, { page })),
    2,
  );
}

/** The first page of help. */
export function helpFirst(locale: Locale): RenderedCard {
  const t = helpTexts(locale);
  return {
    content: lines(t.head, t.press),
    buttons: [...pageButtons(locale), [helpActions.page.button(t.all, { page: 'all' })]],
  };
}

/** One page: how it is done, what stands in the way, and a button that does it once. */
export function helpPage(
  features: readonly Feature[],
  page: Page,
  outlook: Outlook,
  locale: Locale,
): RenderedCard {
  const t = helpTexts(locale);
  const about = ABOUT[page];
  const { title, how, tried } = t.pages[page];
  const commands = groupsOf(features)
    .filter(({ topic }) => about.more.includes(topic))
    .flatMap((group) => visibleCommands(group.commands, outlook))
    .filter(({ name }) => name !== about.command);
  const command = features.flatMap((each) => each.commands).find(({ name }) => name === about.command);
  const all = command === undefined ? [] : obstacles(command, outlook);
  // Nobody has a role before there is an account: linking one gives both.
  const noAccount = all.filter(({ kind }) => kind === 'account');
  const found = noAccount.length > 0 ? noAccount : all;
  return {
    content: lines(
      b(title),
      how,
      commands.length > 0 && t.more(commands.map(({ name }) => name)),
      ...whyNot(found, outlook, locale),
    ),
    buttons: [
      [
        found.length === 0 && tryButton(tried, about.line(locale)),
        noAccount.length > 0 && tryButton(t.link, '/connect'),
      ],
      [command?.walk !== undefined && tryButton(t.walk, `/help ${about.command}`)],
      [helpActions.page.button(t.back, { page: 'first' })],
    ],
  };
}

export interface HelpAnswer {
  readonly content: Html;
  /** The way to make it work is to go to the private chat. */
  readonly inPrivate: boolean;
}

/** Help on what was asked for: a command, a group, or that there is no such thing. */
export function helpOn(
  features: readonly Feature[],
  wanted: string,
  outlook: Outlook,
  locale: Locale,
): HelpAnswer {
  const t = helpTexts(locale);
  const word = stripBidi(wanted).replace(/^\//u, '').replace(/@.*$/su, '').trim().toLowerCase();
  const commands = features.flatMap((feature) => feature.commands);
  const command = commands.filter(isTyped).find((each) => each.name === word);
  if (command !== undefined) return helpOnCommand(command, outlook, locale);
  const topic = TOPICS.find((each) =>
    [each, helpTexts('en').topics[each], helpTexts('fa').topics[each]].some(
      (name) => name.toLowerCase() === word,
    ),
  );
  const group = groupsOf(features).find((each) => each.topic === topic);
  if (group !== undefined) return { content: helpOnGroup(group, outlook, locale), inPrivate: false };
  const near = nearCommand(new Map(commands.map((each) => [each.name, each])), word);
  if (near !== undefined) return helpOnCommand(near, outlook, locale);
  const names = groupsOf(features).map((each) => t.topics[each.topic]);
  return {
    content: t.nothing(clip(stripBidi(wanted), 60), createFormat(locale, 'UTC').list(names)),
    inPrivate: false,
  };
}

function helpOnCommand(command: TypedCommand, outlook: Outlook, locale: Locale): HelpAnswer {
  const t = helpTexts(locale);
  const found = obstacles(command, outlook);
  const example = command.example?.(locale);
  return {
    content: lines(
      code(usage(command, locale)),
      command.about(locale),
      example !== undefined && t.example(example),
      command.walk !== undefined && lines(EMPTY, command.walk(locale)),
      ...whyNot(found, outlook, locale),
    ),
    inPrivate: found.some(({ kind }) => kind === 'place'),
  };
}

function helpOnGroup({ topic, commands }: Group, outlook: Outlook, locale: Locale): Html {
  const shown = visibleCommands(commands, outlook);
  const others = commands.filter((command) => !shown.includes(command)).map((command) => command.name);
  return lines(
    heading(topic, locale),
    ...shown.map((command) => lines(usage(command, locale), command.about(locale))),
    others.length > 0 && helpTexts(locale).otherwise(others),
  );
}

function whyNot(found: readonly Obstacle[], { role }: Outlook, locale: Locale): Html[] {
  if (found.length === 0) return [];
  return [EMPTY, helpTexts(locale).notNow, ...found.map((obstacle) => reason(obstacle, role, locale))];
}

function reason(obstacle: Obstacle, role: Role | null, locale: Locale): Html {
  const t = helpTexts(locale);
  switch (obstacle.kind) {
    case 'place':
      return t.onlyPrivate;
    case 'account':
      return t.noAccount;
    case 'role':
      return t.needsRole(roleName(locale, obstacle.least), role === null ? null : roleName(locale, role));
    case 'credential':
      return obstacle.missing.length === 0
        ? t.notOffered
        : t.needsCredential(credentialNames(locale, obstacle.missing));
  }
}

/** Commands that nothing but a credential keeps from this person, by the credentials that would do. */
function whatIsMissing(features: readonly Feature[], outlook: Outlook, locale: Locale): Html[] {
  const t = helpTexts(locale);
  if (outlook.capabilities === null) return [t.moreAfterConnecting];
  const more = new Map<string, string[]>();
  for (const command of groupsOf(features).flatMap((group) => group.commands)) {
    // It is the last thing to stand in the way: where it comes first, there is nothing else.
    const [first] = obstacles(command, outlook);
    if (first?.kind !== 'credential' || first.missing.length === 0) continue;
    const credentials = credentialNames(locale, first.missing);
    more.set(credentials, [...(more.get(credentials) ?? []), command.name]);
  }
  if (more.size === 0) return [];
  return [...[...more].map(([credentials, names]) => t.moreWith(credentials, names)), t.addCredential];
}

interface Group {
  readonly topic: Topic;
  readonly commands: readonly TypedCommand[];
}

function groupsOf(features: readonly Feature[]): Group[] {
  return TOPICS.map((topic) => ({
    topic,
    commands: features
      .filter((feature) => (feature.topic ?? 'general') === topic)
      .flatMap((feature) => feature.commands)
      .filter(isTyped),
  })).filter(({ commands }) => commands.length > 0);
}

function heading(topic: Topic, locale: Locale): Html {
  return html`${SIGNS[topic]} ${b(helpTexts(locale).topics[topic])}`;
}
