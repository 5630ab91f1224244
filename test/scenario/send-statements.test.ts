import { expect, test } from 'vitest';
import { recordExecuted } from '../support/executed.ts';
import { talkIn } from '../support/talk.ts';
import { startWorld } from '../support/world.ts';

/*
 * What a send costs the database: each statement that is said on its way counts, `begin` and `commit` too, and of the queue one
 * to get each job and one to end it. What the clock asks for, whoever sends, counts nowhere.
 */

const BY_THE_CLOCK =
  /_private_jobs (?:as jobs where jobs\.is_available|where (?:is_available|starts_with)|j join)|graphile_worker\.jobs|^with forgotten as|^update update set tries|^select 1$|^select id, epoch, state from attempt where owner|^select owner from attempt|^select o\.id, o\.tag|^update date_send/u;
/** So does this, in a transaction of its own. */
const BY_THE_CLOCK_TOO = [
  'with held as ( select d.attempt_id from delivery',
  'update deployment set reports_shown_at',
  'begin',
  'commit',
];
const ENDS_A_JOB = /^delete from "graphile_worker"\._private_jobs/u;
/** The cheapest counts: what a busy machine has added to one, another sweep or a second look at the credit, others are without. */
const SENDS = 10;
const MOST = 100;

test(`a send to one number takes at most ${MOST} statements, from /send to its last report on the card`, async () => {
  using executed = recordExecuted();
  // With a hold, nothing happens to a card while it is being drawn.
  await using world = await startWorld({ UNDO_SECONDS: '1' }, { deliverySeconds: 0 });
  const talk = talkIn(world);
  const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
  await talk.connects(sara, { apiKey: talk.account().apiKey });
  const rest = async (): Promise<void> => {
    await talk.gauged(sara.id);
    await talk.drawn();
  };
  let cheapest: readonly string[] = Array.from({ length: MOST + 1 }, () => 'nothing was sent');
  for (let n = 0; n < SENDS && cheapest.length > MOST; n += 1) {
    await rest();
    executed.take();
    const card = await talk.asks(sara, sara, `/send 0912111223${n}, Hello ${n}`, `#A${n + 1}`);
    await rest();
    expect(await talk.presses(sara, card, '✅ Send')).toBe('');
    await talk.turns(card, '1 delivered');
    await rest();
    const said = executed
      .take()
      .map((text) => text.replaceAll(/\s+/gu, ' ').trim())
      .filter((text) => !BY_THE_CLOCK.test(text))
      .flatMap((text) => (ENDS_A_JOB.test(text) ? ['(a job is got)', text] : [text]));
    while (said.some((text) => text.startsWith(BY_THE_CLOCK_TOO[0] ?? ''))) {
      for (const one of BY_THE_CLOCK_TOO) {
        const at = said.findIndex((text) => text.startsWith(one));
        if (at >= 0) said.splice(at, 1);
      }
    }
    if (n === 0 || said.length < cheapest.length) cheapest = said;
  }
  expect(cheapest.length, cheapest.join('\n')).toBeLessThanOrEqual(MOST);
});
