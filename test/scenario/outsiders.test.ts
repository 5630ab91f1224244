import { expect, test } from 'vitest';
import { isFromBot, plain, talkIn } from '../support/talk.ts';
import { startWorld } from '../support/world.ts';

/* In a group at Telegram's pace: somebody without a role takes nothing of it, and nobody waits for the answers to another. */

/** One message an hour after the first ten: what waits for the pace is never said in a story. */
const SHORT = { count: 10, windowMs: 3_600_000, burst: 10 };

test('whoever has no role is answered once, however much they type, and the owner’s draft comes at once', async () => {
  await using world = await startWorld(
    { RATE_LIMIT: '1' },
    { outgoingLimits: { privateChat: null, group: SHORT, overall: null } },
  );
  const talk = talkIn(world);
  const [owner, stranger] = ['Olga', 'Sam'].map((first_name) =>
    world.driver.user({ first_name, language_code: 'en' }),
  );
  if (owner === undefined || stranger === undefined) throw new Error('two people');
  const group = world.driver.group({ creator: owner, members: [stranger], bot: 'administrator' });
  await talk.connects(owner, { apiKey: talk.account().apiKey }, { chat: group });
  await talk.hears(group, 'Linked by Olga');
  const first = stranger.send(group, '/credit');
  for (let n = 0; n < 14; n += 1)
    for (const line of ['/send 09121234567 Hi', '/whoami', '/roles']) stranger.send(group, line);
  await talk.asks(owner, group, '/send 09121234567 the draft', /Draft #A\d/u);
  const said = world.driver
    .messages(group)
    .filter((each) => isFromBot(each) && each.message_id > first.message_id)
    .map(plain);
  expect(said).toEqual([expect.stringContaining('role'), expect.stringContaining('the draft')]);
  expect(talk.errors()).toEqual([]);
});

test('an owner’s draft does not wait for the answers to a colleague that wait for the pace', async () => {
  await using world = await startWorld(
    { RATE_LIMIT: '0' },
    {
      outgoingLimits: {
        privateChat: null,
        group: { count: 12, windowMs: 60_000, burst: 10 },
        overall: null,
      },
    },
  );
  const talk = talkIn(world);
  const owner = world.driver.user({ first_name: 'Olga', language_code: 'en' });
  const colleague = world.driver.user({ first_name: 'Omid', language_code: 'en' });
  const group = world.driver.group({ creator: owner, members: [colleague], bot: 'administrator' });
  await talk.connects(owner, { apiKey: talk.account().apiKey }, { chat: group });
  await talk.gives('operator', colleague, group);
  const asked = 12;
  for (let n = 0; n < asked; n += 1) colleague.send(group, '/whoami');
  await talk.asks(owner, group, '/send 09121234567 the draft', /Draft #A\d/u);
  const answers = world.driver.messages(group).filter((each) => plain(each).includes('Role: operator'));
  expect(answers.length).toBeLessThan(asked);
  expect(talk.errors()).toEqual([]);
});
