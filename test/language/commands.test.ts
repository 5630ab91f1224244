import { describe, expect, test } from 'vitest';
import { foldWord } from '../../src/domain/fold.ts';
import { helpOn, helpOverview } from '../../src/features/start/help-card.ts';
import { isolateAuto } from '../../src/i18n/format.ts';
import { parseHtml } from '../../src/playground/text/entities-html.ts';
import { menuFor, usage, type Outlook } from '../../src/telegram/dispatch/menus.ts';
import { namedIn } from '../../src/telegram/dispatch/named-in.ts';
import { readLine, TOPICS, type Command } from '../../src/telegram/feature.ts';
import { MESSAGE_BUDGET, visibleLength } from '../../src/telegram/html.ts';
import { declaredFeatures, quietRequest } from '../support/features.ts';
import { clumsy, isPersian, unsafe } from './checks.ts';

/* What every command says of itself: in menus, in help, and in the questions of its form. */

const features = declaredFeatures();
const all = features.flatMap((feature) => feature.commands);
const typed = all.filter((command) => command.about !== null);
const byName = new Map(all.map((command) => [command.name, command]));
const LOCALES = ['en', 'fa'] as const;

/** An owner in private, with an account that can do everything. */
const EVERYTHING: Outlook = {
  isPrivate: true,
  role: 'owner',
  capabilities: { versions: [], has: () => true, missing: () => [] },
};

const named = (commands: readonly Command[]) => commands.map((command) => ({ name: command.name, command }));

describe('what people call a command', () => {
  test('is written as it is compared, and is the name of no other', () => {
    const names = typed.flatMap(({ name, alsoCalled = [] }) => [name, ...alsoCalled]);
    expect(names.filter((name) => foldWord(name).replaceAll(/\s/gu, '') !== name)).toEqual([]);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test.each([
    ['any new messages?', 'inbox'],
    ['Who replied?', 'inbox'],
    ['کی پیام داده', 'inbox'],
    ['جواب مشتری‌ها', 'inbox'],
    ['How many did we send today?', 'report'],
    ['آمار ارسال', 'report'],
    ['امروز چند تا پیامک رفت', 'report'],
    ['گزارش دیروز', 'report'],
    ['bulk send', 'bulk'],
    ['ارسال گروهی', 'bulk'],
    ['فایل اکسل دارم', 'bulk'],
    ['send to everyone', 'booksend'],
    ['یه پیام به همه مشتری‌ها بفرست', 'booksend'],
    ['بفرست به علی', 'send'],
    ['اعتبارم چقدره', 'credit'],
    ['شارژ داریم؟', 'credit'],
    ['قیمت هر پیامک چنده', 'credit'],
    ['بلک لیست', 'blocked'],
    ['این شماره رو بلاک کن', 'block'],
    ['متن آماده', 'templates'],
    ['من کی هستم؟', 'whoami'],
    ['what can you do?', 'help'],
    ['همه رو متوقف کن', 'limits'],
    ['پاسخ خودکار', 'rules'],
    ['mute it please', 'alerts'],
    ['اعلان‌ها رو بی‌صدا کن', 'alerts'],
    ['کی چی فرستاده؟', 'audit'],
    ['موجودی انبار تمام شد و فردا هم سفارش جدید نمی‌رسد متأسفانه دوستان', undefined],
    ['Dear customer, your report of today is ready: call us please', undefined],
    ['سلام، جلسه فردا ساعت ۹ است', undefined],
    ['The shop is closed tomorrow', undefined],
  ])('«%s» speaks of %s', (words, name) => {
    expect(namedIn(byName, words)?.name).toBe(name);
  });

  test.each(['do not cancel', 'don’t stop', 'لغو نکن'])('«%s» is no call for it', (words) => {
    expect(namedIn(byName, words)?.isMeant).toBe(false);
  });
});

describe.each(LOCALES)('in %s', (locale) => {
  test('the menu of somebody who may do everything has twelve entries, and any command could be one of them', () => {
    expect(menuFor(all, EVERYTHING, locale)).toHaveLength(12);
    const menu = menuFor(
      all.map((command) => ({ ...command, everyday: true as const })),
      EVERYTHING,
      locale,
    );
    expect(menu).toHaveLength(typed.length);
    const wrong = menu.flatMap(({ command, description }) => [
      ...(/^[a-z0-9_]{1,32}$/.test(command) ? [] : [`${command}: no name of a command`]),
      ...(description.trim() === '' ? [`${command}: says nothing`] : []),
      ...(isPersian({ text: description, entities: [] }) === (locale === 'fa')
        ? []
        : [`${command}: the other language`]),
      ...[
        ...unsafe('about', { text: description, entities: [] }),
        ...clumsy(locale, { text: description, entities: [] }),
      ].map((problem) => `${command}: ${problem}: ${description}`),
      // A menu shows little of a line.
      ...(description.length > 100
        ? [`${command}: ${description.length} characters are too many for a menu`]
        : []),
    ]);
    expect(wrong).toEqual([]);
    expect(new Set(menu.map(({ description }) => description)).size).toBe(menu.length);
  });

  test('help names every command, each under its heading, in one message', () => {
    const help = helpOverview(features, EVERYTHING, locale);
    process.stdout.write(`help in ${locale}: ${typed.length} commands, ${visibleLength(help)} characters\n`);
    expect(visibleLength(help)).toBeLessThanOrEqual(MESSAGE_BUDGET);
    const { text } = parseHtml(help.markup);
    for (const { name } of typed) expect(text).toMatch(new RegExp(`/${name}\\b`));
    for (const feature of features) expect(TOPICS).toContain(feature.topic ?? 'general');
  });

  test.each(TOPICS.map((topic) => ({ topic })))('help on $topic is one message', ({ topic }) => {
    const { content } = helpOn(features, topic, EVERYTHING, locale);
    expect(visibleLength(content)).toBeLessThanOrEqual(MESSAGE_BUDGET);
  });

  test.each(named(typed))('help on /$name shows its usage and an example that works', ({ name, command }) => {
    const { text } = parseHtml(helpOn(features, name, EVERYTHING, locale).content.markup);
    expect(text.split('\n')[0]).toBe(usage(command, locale));
    const example = command.example?.(locale);
    const takes = Object.values(command.args).some(
      (argument) => argument.take !== null && argument.usage(locale) !== '',
    );
    expect(example === undefined, 'whoever may type more is shown how').toBe(!takes);
    if (example === undefined) return;
    expect(text).toContain(example);
    expect(problemsOf(command, example)).toEqual([]);
  });
});

/** What is wrong with a line that is said to work. */
function problemsOf(command: Command, line: string): string[] {
  const [word = '', ...rest] = line.split(' ');
  if (word !== `/${command.name}`) return [`it is of ${word}`];
  const given = readLine(command, rest.join(' '));
  return Object.entries(command.args).flatMap(([name, argument]) => {
    const text = given[name];
    if (text === undefined) {
      const isAsked =
        argument.askWhen === undefined ? argument.optional !== true : argument.askWhen(quietRequest('en'));
      const isTyped = argument.take !== null && argument.file !== true;
      return isAsked && isTyped ? [`${name} is missing`] : [];
    }
    return argument.schema.safeParse(text).success ? [] : [`${name}: ${text}`];
  });
}

describe.each(LOCALES)('the questions of forms in %s', (locale) => {
  test.each(named(all))('of $name can be read, and so can what is said of a wrong answer', ({ command }) => {
    const ctx = quietRequest(locale);
    const known = Object.fromEntries(Object.keys(command.args).map((name) => [name, '3000123456']));
    const wrong = Object.entries(command.args).flatMap(([name, argument]) =>
      [
        argument.ask(ctx, known),
        argument.problem(locale, ''),
        argument.problem(locale, isolateAuto('x9')),
      ].flatMap((content) => {
        const shown = parseHtml(content.markup);
        return [...unsafe('message', shown), ...clumsy(locale, shown)].map(
          (problem) => `${name}: ${problem}: ${shown.text}`,
        );
      }),
    );
    expect(wrong).toEqual([]);
  });
});
