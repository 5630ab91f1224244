import { z } from 'zod';
import type { Random } from '../chaos/random.ts';
import { can, ROLES } from '../../src/domain/roles.ts';
import { createFakeBot, noDeeds, type Deeds, type World } from './fake-bot.ts';
import { defineTarget, must } from './target.ts';
import { BOT, breakUpdate, makeUpdate } from './update-maker.ts';

const Input = z.object({
  role: z.enum(ROLES).nullable(),
  bound: z.boolean(),
  /** Whether all of them are as Telegram describes them. */
  isWhole: z.boolean(),
  updates: z.array(z.record(z.string(), z.unknown())),
});
type Input = z.output<typeof Input>;

/** Updates of all kinds, whole and broken, from the webhook to the handler. */
export const updates = defineTarget({
  name: 'updates',
  about: 'Telegram updates, from the webhook to the handler',
  goal: 2_000_000,
  input: Input,
  make,
  open: () => checkUpdates,
});

const world: World = { role: null, bound: false, deeds: noDeeds() };
const bot = createFakeBot(world);

function make(random: Random): Input {
  const isWhole = random.chance(0.6);
  const first = random.int(1, 1000);
  const updates = Array.from({ length: random.chance(0.7) ? 1 : random.int(2, 4) }, (_, index) => {
    let update = makeUpdate(random, first + index, bot.commands);
    if (!isWhole) for (let left = random.int(1, 3); left > 0; left -= 1) update = breakUpdate(random, update);
    return update;
  });
  const role = random.chance(0.3) ? null : random.pick(ROLES);
  return { role, bound: random.chance(0.7), isWhole, updates };
}

const LAST = {
  update_id: 999_999,
  message: {
    message_id: 1,
    date: 1,
    chat: { id: 31, type: 'private', first_name: 'x' },
    from: { id: 31, is_bot: false, first_name: 'x' },
    text: '/help',
  },
};

async function checkUpdates({ role, bound, isWhole, updates }: Input): Promise<string> {
  bot.forget();
  Object.assign(world, { role, bound });
  let said = 'nothing';
  for (const update of updates) {
    const deeds = await handled(update);
    if (isWhole) must(deeds.errors.length === 0, deeds.errors.join('\n'));
    checkRights(deeds, update);
    checkCalls(deeds);
    if (deeds.ran.length > 0) said = 'a handler ran';
    else if (deeds.calls.length > 0 && said === 'nothing') said = 'answered';
  }
  // Whatever came before, the next one is served.
  must(
    (await handled(LAST)).ran.some(({ name }) => name === '/help'),
    'nobody is served any more',
  );
  return isWhole ? said : `broken: ${said}`;
}

async function handled(update: Readonly<Record<string, unknown>>): Promise<Deeds> {
  world.deeds = noDeeds();
  const status = await bot.bring(JSON.stringify(update));
  const { update_id: id } = update;
  const isUpdate = typeof id === 'number' && Number.isSafeInteger(id) && id >= 0;
  must(status === (isUpdate ? 200 : 400), `it was answered with ${status}`);
  return world.deeds;
}

const Source = z.looseObject({
  from: z
    .looseObject({ id: z.unknown().optional(), is_bot: z.unknown().optional() })
    .optional()
    .catch(undefined),
  sender_chat: z.unknown().optional(),
  via_bot: z.unknown().optional(),
});

/** Nothing runs but for a person who is known by more than a name, and who has the right to it. */
function checkRights({ ran, asked }: Deeds, update: Readonly<Record<string, unknown>>): void {
  must(ran.length <= 1, `one update ran ${ran.map(({ name }) => name).join()}`);
  if (asked.length > 0)
    must(
      ['message', 'edited_message', 'callback_query', 'my_chat_member'].some(
        (kind) => update[kind] !== undefined,
      ),
      'an update that is none of ours was taken up',
    );
  for (const { name, permission, place } of ran) {
    must(can(world.role, permission), `${name} ran for ${world.role}`);
    const [who] = asked;
    must(who !== undefined, `${name} ran for nobody`);
    must(place !== 'private' || who.chatType === 'private', `${name} ran in a ${who.chatType}`);
    const source =
      update['callback_query'] ?? update['message'] ?? update['edited_message'] ?? update['my_chat_member'];
    const { from, sender_chat: channel, via_bot: via } = Source.parse(source);
    must(
      from?.is_bot !== true && JSON.stringify(from?.id) === JSON.stringify(who.personId),
      `${name} ran for another one`,
    );
    must(channel === undefined && via === undefined, `${name} ran for a channel or a bot`);
  }
}

const Keyboard = z.looseObject({
  inline_keyboard: z.array(z.array(z.looseObject({ callback_data: z.string().optional() }))),
});
const LONGEST_TEXT = 4096;
const LONGEST_DATA = 64;

/** What is said would be taken by Telegram. */
function checkCalls({ calls }: Deeds): void {
  for (const { method, payload } of calls) {
    const { text, parse_mode: mode, reply_markup: markup } = payload;
    if (typeof text === 'string' && mode === 'HTML') {
      const shown = text.replaceAll(/<[^<>]*>/gu, '').replaceAll(/&\w+;/gu, 'x');
      must(shown.length > 0 && shown.length <= LONGEST_TEXT, `${method} with ${shown.length} characters`);
      must(!/[<>]/u.test(shown) && text.isWellFormed(), `${method} with broken markup`);
    }
    const keyboard = Keyboard.safeParse(markup);
    for (const { callback_data: data = '' } of keyboard.success ? keyboard.data.inline_keyboard.flat() : [])
      must(Buffer.byteLength(data) <= LONGEST_DATA, `a button with ${Buffer.byteLength(data)} bytes`);
  }
  must(calls.length < 10, `${calls.length} calls for one update of ${BOT.username}`);
}
