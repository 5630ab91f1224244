import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallRecord } from '../../src/playground/control/calls.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { typedText } from '../../src/playground/text/formatting.ts';
import { answersIn } from '../support/answers.ts';
import { declaredFeatures } from '../support/features.ts';
import { talkIn } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';
import { naughty } from './strings.ts';

/*
 * The same to the running bot: each command with what should not be typed behind it, and again as the answer to its
 * question; every button that comes of it is pressed. Each update has its answer, and nothing breaks.
 */

const RUNS = 5;
const CHATS = 4;
/** A secret that Peyk has once seen is blotted out of its log: common words would make it unreadable. */
const APART: ReadonlySet<string> = new Set(['connect']);

const commands = declaredFeatures()
  .flatMap((feature) => feature.commands)
  .filter((command) => command.about !== null && !APART.has(command.name))
  .map(({ name }) => name);

let world: World;
let talk: ReturnType<typeof talkIn>;
let answers: ReturnType<typeof answersIn>;

beforeAll(async () => {
  world = await startWorld(
    {},
    { deliverySeconds: 0.2, outgoingLimits: { privateChat: null, group: null, overall: null } },
  );
  talk = talkIn(world);
  answers = answersIn(world, talk);
});

afterAll(async () => {
  await world.stop();
});

test('every update has its answer, whatever is typed, and nothing breaks', async () => {
  const counts = await Promise.all(
    Array.from(
      { length: CHATS },
      async (_, index) => await torment(commands.filter((_name, at) => at % CHATS === index)),
    ),
  );
  const updates = counts.reduce((sum, count) => sum + count, 0);
  const presses = world.driver.calls('answerCallbackQuery').length;
  process.stdout.write(`${commands.length} commands, ${updates} updates, ${presses} presses answered\n`);
  expect(talk.errors()).toEqual([]);
  // Where two edits of a card may have passed each other, it is edited once more, perhaps to what it shows already.
  const isRefused = ({ ok, method, fault, description = '' }: CallRecord): boolean =>
    !ok && fault === undefined && method !== 'getUpdates' && !description.includes('message is not modified');
  const refused = world.driver.calls().filter(isRefused);
  expect(refused.map(({ method, description }) => `${method}: ${description ?? ''}`)).toEqual([]);
});

async function torment(own: readonly string[]): Promise<number> {
  const person = world.driver.user({ first_name: 'Sara', language_code: 'en' });
  const { username, password } = talk.account({
    representative: true,
    packages: [12],
    patterns: [{ id: 1, text: 'code {code}' }],
    phonebooks: [{ title: 'VIP', flag: 'vip', numbers: ['9121110001', '9351110002'] }],
  });
  await talk.connects(person, { username, password });
  let updates = 0;
  for (const [index, name] of own.entries()) {
    for (const typed of fc.sample(naughty, { numRuns: RUNS, seed: 20_261 + index })) {
      const input = typed.slice(0, 4000);
      updates += await saysAndPresses(person, [`/${name} ${input}`]);
      if (typedText(input).text !== '') updates += await saysAndPresses(person, [`/${name}`, input]);
    }
  }
  return updates;
}

/** Gives how many updates that made: what was said, and each button below the answers. */
async function saysAndPresses(person: Person, lines: readonly string[]): Promise<number> {
  const said = await answers.toLines(person, person, lines);
  expect(said.length, JSON.stringify(lines)).toBeGreaterThan(0);
  let updates = lines.length + 1;
  for (const answer of said) {
    for (const button of answer.reply_markup?.inline_keyboard.flat().slice(0, 3) ?? []) {
      if (!('callback_data' in button)) continue;
      await world.driver.waitForAnswer(person.forge(answer, button.callback_data));
      updates += 1;
    }
  }
  return updates;
}
