import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/driver.ts';
import { READING, receivingIn } from '../support/receiving.ts';
import { schedulesIn } from '../support/scheduling.ts';
import { isFromBot, plain, rows, type Place } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/*
 * What the daily flows cost a person: how often they type and press, how much the bot says meanwhile, and how many messages
 * stand below the card when it is their turn again. A flow that becomes longer is told here.
 */

const NO_PACE = { privateChat: null, group: null, overall: null } as const;

let world: World;
let on: ReturnType<typeof schedulesIn>;
let receiving: ReturnType<typeof receivingIn>;

beforeAll(async () => {
  world = await startWorld(READING, { deliverySeconds: 600, outgoingLimits: NO_PACE });
  on = schedulesIn(world);
  receiving = receivingIn(world, on.talk);
});

afterAll(async () => {
  expect(on.talk.errors()).toEqual([]);
  await world.stop();
});

interface Cost {
  readonly typed: number;
  readonly pressed: number;
  /** New messages by the bot. */
  readonly said: number;
  /** Messages below the card at its worst, of the times when its buttons were to be pressed. */
  readonly below: number;
}

type Fits = Parameters<typeof on.talk.hears>[1];

/** Plays a flow in one place, and counts. */
function playIn(place: Place) {
  const all = (): Message[] => world.driver.messages(place);
  const began = all().length;
  let [typed, pressed, below] = [0, 0, 0];
  const newest = (): number => all().at(-1)?.message_id ?? 0;
  return {
    press,
    /** Types, and waits for what it is answered with, on a new message. */
    types: async (person: Person, text: string, fits: Fits, options = {}): Promise<Message> => {
      typed += 1;
      return await on.talk.asks(person, place, text, fits, options);
    },
    uploads: async (person: Person, name: string, bytes: Uint8Array, fits: Fits): Promise<Message> => {
      typed += 1;
      return await on.talk.hears(place, fits, person.upload(place, name, bytes, '/bulk').message_id);
    },
    /** Presses the newest button that begins so, and waits for a new message. */
    presses: async (person: Person, label: string, fits: Fits): Promise<Message> => {
      const after = newest();
      await press(person, label);
      return await on.talk.hears(place, fits, after);
    },
    /** The same, and waits for the message that has the button to change. */
    turns: async (person: Person, label: string, fits: Fits): Promise<Message> =>
      await on.talk.turns(await press(person, label), fits),
    cost: (): Cost => ({
      typed,
      pressed,
      said: all()
        .slice(began)
        .filter((each) => isFromBot(each)).length,
      below,
    }),
  };

  async function press(person: Person, label: string): Promise<Message> {
    pressed += 1;
    const has = (each: Message) =>
      isFromBot(each) &&
      rows(each)
        .flat()
        .some((button) => button.startsWith(label));
    const found = all().findLast(has);
    if (found === undefined)
      throw new Error(`no button begins with ${label}: ${plain(all().at(-1) as Message)}`);
    below = Math.max(below, all().filter((each) => each.message_id > found.message_id).length);
    expect(await on.talk.presses(person, found, label)).toBe('');
    return found;
  }
}

const alone = async (): Promise<Person> => {
  const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
  const { username, password } = on.talk.account();
  await on.talk.connects(sara, { username, password });
  return sara;
};

const csv = Buffer.from('mobile,name\n09121110001,Sara\n09121110002,\n09121110003,Lena');
const WHAT = 'What shall the message say?';

describe.concurrent('a flow costs no more than this', () => {
  test('a message to one number, whose text is written anew', async () => {
    const sara = await alone();
    const play = playIn(sara);
    await play.types(sara, '/send 09121234567 Helo', 'Draft #A1');
    await play.presses(sara, '✏️ Text', WHAT);
    await play.types(sara, 'Hello', /Draft #A1[\s\S]*Hello/u);
    await play.turns(sara, '✅', '1 accepted');
    expect(play.cost()).toEqual({ typed: 2, pressed: 2, said: 3, below: 0 } satisfies Cost);
  });

  test('a file with a name that is missing, filled in with a word', async () => {
    const sara = await alone();
    const play = playIn(sara);
    await play.uploads(sara, 'people.csv', csv, (m) => rows(m)[0]?.[0] === '▶ Use');
    await play.presses(sara, '▶ Use', WHAT);
    await play.types(sara, 'Dear {name}', (m) => rows(m)[0]?.[0]?.startsWith('✅') === true);
    await play.presses(sara, 'Fill in a word', 'What shall stand where');
    await play.types(sara, 'friend', (m) => rows(m)[0]?.[0]?.startsWith('✅ Send 3') === true);
    await play.turns(sara, '✅', '3 accepted');
    expect(play.cost()).toEqual({ typed: 3, pressed: 3, said: 5, below: 0 } satisfies Cost);
  });

  test('a send that a second person approves', async () => {
    const { omid, ann, group } = await on.team();
    await on.limit(group, { approval: 1 });
    const play = playIn(group);
    const card = await play.types(omid, '/send 09121234567 09351112233 Hello', 'Draft #A1');
    await play.presses(omid, '➡', '#A1 by Omid waits for approval');
    await play.press(ann, '✅ Approve');
    await on.talk.turns(card, '2 accepted');
    expect(play.cost()).toEqual({ typed: 1, pressed: 2, said: 2, below: 0 } satisfies Cost);
  });

  test('a time for a send, and another one', async () => {
    const { omid, group } = await on.team();
    const play = playIn(group);
    await play.types(omid, '/send 09121234567 09351112233 Later', 'Draft #A1');
    await play.presses(omid, '🕐 When', 'Choose, or type a time');
    await play.presses(omid, '🕐 Tomorrow 09:00', 'Draft #A1');
    await play.turns(omid, '✅', 'Scheduled for');
    await play.presses(omid, '🕐 Time', 'When shall it leave?');
    const when = world.driver.messages(group).at(-1);
    await play.types(omid, 'tomorrow 11:00', 'Draft #A2', { replyTo: when });
    await play.turns(omid, '✅', 'Scheduled for');
    expect(play.cost()).toEqual({ typed: 2, pressed: 5, said: 6, below: 0 } satisfies Cost);
  });

  test('a send that waits for its time is looked at and cancelled', async () => {
    const { omid, group } = await on.team();
    await on.schedules(omid, group, 'tomorrow 9:00', 'Later');
    const play = playIn(group);
    await play.types(omid, '/A1', 'Scheduled for');
    await play.turns(omid, '🗑 Cancel', 'taken off the schedule');
    expect(play.cost()).toEqual({ typed: 1, pressed: 1, said: 1, below: 0 } satisfies Cost);
  });

  test('an answer to who has written', async () => {
    const ours = await receiving.team();
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, 'Where is my order?');
    const card = await receiving.cardOf(ours.place, 'Where is my order?');
    const play = playIn(ours.place);
    await play.types(ours.agent, 'It left today.', (m) => rows(m)[0]?.[0]?.startsWith('✅') === true, {
      replyTo: card,
    });
    await play.turns(ours.agent, '✅', '1 accepted');
    expect(play.cost()).toEqual({ typed: 1, pressed: 1, said: 1, below: 0 } satisfies Cost);
  });
});
