import { afterAll, describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { row, workbook } from '../../src/tables/testing/files.ts';
import { flowsIn, printed, together, told } from '../support/flow-cost.ts';
import { ordersIn } from '../support/orders.ts';
import { READING, receivingIn } from '../support/receiving.ts';
import { schedulesIn } from '../support/scheduling.ts';
import { rows } from '../support/talk.ts';
import { startWorld } from '../support/world.ts';
import { useWorld } from '../support/use-world.ts';

/*
 * What the daily flows cost a person: how often they type and press, how much the bot says meanwhile, and how many messages
 * stand below the card when it is their turn again. docs/flows.md has the figures, and what they were before.
 */

const NO_PACE = { privateChat: null, group: null, overall: null } as const;

const { world, made } = useWorld({}, { deliverySeconds: 600 });
const on = made(schedulesIn);
const playIn = (place: Parameters<ReturnType<typeof flowsIn>>[0]) => flowsIn(world, on.talk)(place);

afterAll(async () => {
  expect(on.talk.refused()).toEqual([]);
});

const alone = async (): Promise<Person> => {
  const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
  const { username, password } = on.talk.account();
  await on.talk.connects(sara, { username, password });
  return sara;
};

const csv = Buffer.from('mobile,name\n09121110001,Sara\n09121110002,\n09121110003,Lena');
const WHAT = 'What should the message say?';

describe.concurrent('a flow costs no more than this', () => {
  test('a message to one number, whose text is written anew', async ({ task }) => {
    const sara = await alone();
    const play = playIn(sara);
    await play.types(sara, '/send 09121234567 Helo', 'Draft #A1');
    await play.presses(sara, '✏️ Text', WHAT);
    await play.types(sara, 'Hello', /Draft #A1[\s\S]*Hello/u);
    await play.turns(sara, '✅', '1 accepted');
    expect(printed(task.name, play.cost())).toBe(told(task.name));
  });

  test('a file with a name that is missing, filled in with a word', async ({ task }) => {
    const sara = await alone();
    const play = playIn(sara);
    await play.uploads(sara, 'people.csv', csv, (m) => rows(m)[0]?.[0] === '▶ Continue');
    await play.presses(sara, '▶ Continue', WHAT);
    await play.types(sara, 'Dear {name}', (m) => rows(m)[0]?.[0]?.startsWith('✅') === true);
    await play.presses(sara, 'Fill in a word', 'What should be used where');
    await play.types(sara, 'friend', (m) => rows(m)[0]?.[0]?.startsWith('✅ Send 3') === true);
    await play.turns(sara, '✅', '3 accepted');
    expect(printed(task.name, play.cost())).toBe(told(task.name));
  });

  test('an Excel with a title, its names below it, a field put in', async ({ task }) => {
    const sara = await alone();
    const play = playIn(sara);
    const titled = await workbook({
      rows: ['Customers of March', 'customer name|mobile', 'Sara|09121110001', 'Lena|09121110002']
        .map((cells) =>
          row(...cells.split('|').map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`)),
        )
        .join(''),
    });
    await play.uploads(sara, 'march.xlsx', titled, (m) => rows(m)[0]?.[0] === '▶ Continue');
    await play.presses(sara, '▶ Continue', WHAT);
    await play.turns(sara, '{customer name}', 'So far:');
    await play.types(sara, ', your order is ready', (m) => rows(m)[0]?.[0]?.startsWith('✅ Send 2') === true);
    await play.turns(sara, '✅', '2 accepted');
    expect(printed(task.name, play.cost())).toBe(told(task.name));
  });

  test('greetings on birthdays, from a line to their switch', async ({ task }) => {
    const sara = await alone();
    await world.database.sql`
      insert into contact (chat_id, number, name, fields, tags, set_by)
      select id, '989121110001', 'Lena', '{"birthday": "1370/5/12"}', '{club}', 1 from chat where telegram_id = ${sara.id}`;
    const play = playIn(sara);
    await play.types(sara, '/dates #club birthday 10:00 Dear {name}, happy birthday!', 'Once it is on');
    await play.turns(sara, '✅', 'It is on.');
    expect(printed(task.name, play.cost())).toBe(told(task.name));
  });

  test('a send that a second person approves', async ({ task }) => {
    const { omid, ann, group } = await on.team();
    await on.limit(group, { approval: 1 });
    const play = playIn(group);
    const card = await play.types(omid, '/send 09121234567 09351112233 Hello', 'Draft #A1');
    await play.presses(omid, '➡', '#A1 by Omid waits for approval');
    await play.press(ann, '✅ Approve');
    await on.talk.turns(card, '2 accepted');
    await on.talk.hears(group, 'Ann approved #A1', card.message_id);
    expect(printed(task.name, play.cost())).toBe(told(task.name));
  });

  test('a time for a send, and another one', async ({ task }) => {
    const { omid, group } = await on.team();
    const play = playIn(group);
    await play.types(omid, '/send 09121234567 09351112233 Later', 'Draft #A1');
    await play.presses(omid, '🕐 When', 'Choose, or type a time');
    await play.presses(omid, '🕐 Tomorrow 09:00', 'Draft #A1');
    await play.turns(omid, '✅', 'Scheduled for');
    await play.presses(omid, '🕐 Time', 'When should it be sent?');
    const when = world.driver.messages(group).at(-1);
    await play.types(omid, 'tomorrow 11:00', 'Draft #A2', { replyTo: when });
    await play.turns(omid, '✅', 'Scheduled for');
    expect(printed(task.name, play.cost())).toBe(told(task.name));
  });

  test('a send that waits for its time is looked at and cancelled', async ({ task }) => {
    const { omid, group } = await on.team();
    await on.schedules(omid, group, 'tomorrow 9:00', 'Later');
    const play = playIn(group);
    await play.types(omid, '/A1', 'Scheduled for');
    await play.turns(omid, '🗑 Cancel', 'cancelled');
    expect(printed(task.name, play.cost())).toBe(told(task.name));
  });

  test('an answer to who has written', async ({ task }) => {
    await using held = await startWorld(
      { ...READING, UNDO_SECONDS: '1' },
      { deliverySeconds: 600, outgoingLimits: NO_PACE },
    );
    const there = ordersIn(held);
    const inbox = receivingIn(held, there.talk);
    const ours = await inbox.team();
    const { typed } = inbox.mobile();
    inbox.arrives(ours, typed, 'Where is my order?');
    const card = await inbox.cardOf(ours.place, 'Where is my order?');
    const play = flowsIn(held, there.talk)(ours.place);
    const said = await play.types(ours.agent, 'It left today.', 'It left today.', { replyTo: card });
    await there.talk.turns(said, '1 accepted');
    expect(there.talk.refused()).toEqual([]);
    expect(printed(task.name, play.cost())).toBe(told(task.name));
  });

  test('a send that is taken back within its hold', async ({ task }) => {
    await using held = await startWorld({ UNDO_SECONDS: '600' }, { outgoingLimits: NO_PACE });
    const there = ordersIn(held);
    const { sara } = await there.linked();
    const play = flowsIn(held, there.talk)(sara);
    await play.types(sara, '/send 09121234567 Hello', 'Draft #A1');
    await play.turns(sara, '✅', 'leaving in');
    await play.presses(sara, '↩️ Undo', 'Draft #A2');
    expect(there.talk.refused()).toEqual([]);
    expect(printed(task.name, play.cost())).toBe(told(task.name));
  });

  test('an account is linked to a group', async ({ task }) => {
    const olga = world.driver.user({ first_name: 'Olga', language_code: 'en' });
    const group = world.driver.group({ creator: olga, members: [] });
    const { apiKey } = on.talk.account();
    const [there, here] = [playIn(group), playIn(olga)];
    await there.types(olga, '/connect', 'works once');
    there.follows(olga, '🔗 Link an account');
    await on.talk.hears(olga, 'Send the API key');
    await here.types(olga, apiKey, 'Account:');
    await here.presses(olga, '✅ Link', 'Which sender line');
    await here.types(olga, '3000123456', 'Try: /send');
    await on.talk.hears(group, 'Linked by');
    expect(printed(task.name, together(there.cost(), here.cost()))).toBe(told(task.name));
  });

  test('a first send by way of the help', async ({ task }) => {
    const sara = await alone();
    const play = playIn(sara);
    await play.types(sara, '/help', 'What you can do here');
    await play.turns(sara, '✉️', 'Nothing is sent before you press');
    await play.presses(sara, '▶', 'To which numbers?');
    await play.types(sara, '09121234567', 'Draft #A1');
    await play.turns(sara, '✅', '1 accepted');
    expect(printed(task.name, play.cost())).toBe(told(task.name));
  });
});
