import { expect, test } from 'vitest';
import type { Locale } from '../../src/i18n/define.ts';
import type { CallRecord } from '../../src/playground/control/calls.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { MarkupError, parseHtml } from '../../src/playground/text/entities-html.ts';
import type { Command } from '../../src/telegram/feature.ts';
import { answersIn } from '../support/answers.ts';
import { declaredFeatures } from '../support/features.ts';
import { useWorld } from '../support/use-world.ts';
import { clumsy, isPersian, hasWords, unsafe, type Kind, type Shown } from './checks.ts';

/*
 * The whole product, said out loud: every command with its example and alone, and every button below the answers,
 * in both languages. What was said is then read as Telegram got it.
 */

const { world, talk, made } = useWorld({}, { deliverySeconds: 0.2 });
const answers = made(answersIn);

/** These leave the chat without what the others need, or in another language. */
const APART: ReadonlySet<string> = new Set(['lang', 'disconnect']);
const CHATS = 6;

const commands = declaredFeatures()
  .flatMap((feature) => feature.commands)
  .filter((command) => command.about !== null && !APART.has(command.name));

test.each(['en', 'fa'] as const)('everything that is said in %s can be sent and read', async (locale) => {
  const said = await Promise.all(
    Array.from({ length: CHATS }, async (_, index) => {
      const own = commands.filter((_command, at) => at % CHATS === index);
      return await converse(locale, own);
    }),
  );
  const spoken = said.flat();
  const problems = spoken.flatMap(({ kind, shown }) =>
    [...unsafe(kind, shown), ...clumsy(locale, shown), ...foreignTo(locale, kind, shown)].map(
      (problem) => `${kind}: ${problem}: ${JSON.stringify(shown.text.slice(0, 400))}`,
    ),
  );
  const kinds = Object.entries(Object.groupBy(spoken, ({ kind }) => kind));
  process.stdout.write(
    `${locale}: ${kinds.map(([kind, all]) => `${all.length} of kind ${kind}`).join(', ')}\n`,
  );
  expect(new Set(problems)).toEqual(new Set());
  expect(spoken.length).toBeGreaterThan(150);
});

/** A person with an account that can do everything, who tries all this; gives what they were told. */
async function converse(locale: Locale, own: readonly Command[]): Promise<Spoken[]> {
  const person = world.driver.user({ first_name: locale === 'fa' ? 'سارا' : 'Sara', language_code: locale });
  const { username, password } = talk.account({
    representative: true,
    packages: [12],
    patterns: [{ id: 1, text: 'code {code}' }],
    inbox: [{ from: '9121110001', line: '3000123456', message: 'سلام', ageSeconds: 60 }],
    phonebooks: [{ title: 'VIP', flag: 'vip', numbers: ['9121110001', '9351110002'] }],
  });
  await talk.connects(person, { username, password });
  for (const { name, example } of own) {
    // The buttons of the greeting change the language.
    const presses = name !== 'start';
    await say(person, `/${name}`, presses);
    if (example !== undefined) await say(person, example(locale), presses);
  }
  await answers.since(person, person, 0);
  return world.driver.calls().flatMap((call) => spokenIn(call, person.id));
}

async function say(person: Person, line: string, presses: boolean): Promise<void> {
  const said = await answers.toLines(person, person, [line]);
  expect(said, `${line} has an answer`).not.toEqual([]);
  for (const answer of presses ? said : []) {
    for (const button of answer.reply_markup?.inline_keyboard.flat() ?? []) {
      if (!('callback_data' in button)) continue;
      await world.driver.waitForAnswer(person.forge(answer, button.callback_data));
    }
  }
}

interface Spoken {
  readonly kind: Kind;
  readonly shown: Shown;
}

/** What one call of the Bot API shows in this chat. */
function spokenIn({ method, params }: CallRecord, chatId: number): Spoken[] {
  if (Number(params['chat_id']) !== chatId) return [];
  const found: Spoken[] = [];
  const add = (kind: Kind, value: unknown): void => {
    if (typeof value === 'string' && value !== '') found.push({ kind, shown: read(value) });
  };
  if (/^(sendMessage|editMessageText)$/.test(method)) add('message', params['text']);
  add('caption', params['caption']);
  for (const label of labelsOf(params['reply_markup']))
    found.push({ kind: 'label', shown: { text: label, entities: [] } });
  return found;
}

function read(markup: string): Shown {
  try {
    return parseHtml(markup);
  } catch (error) {
    if (error instanceof MarkupError) throw new Error(`${error.message} in ${markup}`, { cause: error });
    throw error;
  }
}

function labelsOf(markup: unknown): string[] {
  const given: unknown = typeof markup === 'string' ? JSON.parse(markup) : markup;
  const keyboard = (given as { inline_keyboard?: { text: string }[][] } | undefined)?.inline_keyboard ?? [];
  return keyboard.flat().map(({ text }) => text);
}

/** A message in the other language. What stands on a label may be somebody's own name for a thing. */
function foreignTo(locale: Locale, kind: Kind, shown: Shown): string[] {
  if (kind === 'label' || !hasWords(shown)) return [];
  return isPersian(shown) === (locale === 'fa') ? [] : ['the other language'];
}
