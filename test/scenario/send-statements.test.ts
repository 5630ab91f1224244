import { expect, test } from 'vitest';
import { recordExecuted } from '../support/executed.ts';
import { talkIn } from '../support/talk.ts';
import { startWorld } from '../support/world.ts';

/*
 * What a send costs the database: each statement that is said on its way counts, `begin` and `commit` too, and of the queue one
 * to get each job and one to end it. What the clock asks for, whoever sends, counts nowhere.
 */

const BY_THE_CLOCK =
  /_private_jobs (?:as jobs where jobs\.is_available|where (?:is_available|starts_with)|j join)|graphile_worker\.jobs|^with forgotten as|^update update set tries|^select 1$/u;
const ENDS_A_JOB = /^delete from "graphile_worker"\._private_jobs/u;
const SENDS = 3;
const MOST = { typed: 28, sent: 70 };

test(`one send to one number costs at most ${MOST.typed} statements until its card is there, and ${MOST.sent} from the press to its last report`, async () => {
  using executed = recordExecuted();
  await using world = await startWorld({}, { deliverySeconds: 0 });
  const talk = talkIn(world);
  const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
  await talk.connects(sara, { apiKey: talk.account().apiKey });
  const counted = (): string[] =>
    executed
      .take()
      .map((text) => text.replaceAll(/\s+/gu, ' ').trim())
      .filter((text) => !BY_THE_CLOCK.test(text))
      .flatMap((text) => (ENDS_A_JOB.test(text) ? ['(the job is got)', text] : [text]));
  const all: { readonly typed: string[]; readonly sent: string[] }[] = [];
  for (let n = 0; n < SENDS; n += 1) {
    await talk.gauged(sara.id);
    await talk.drawn();
    executed.take();
    const card = await talk.asks(sara, sara, `/send 0912111223${n}, Hello ${n}`, `#A${n + 1}`);
    await talk.gauged(sara.id);
    await talk.drawn();
    const typed = counted();
    expect(await talk.presses(sara, card, '✅ Send')).toBe('');
    await talk.turns(card, '1 delivered');
    await talk.gauged(sara.id);
    await talk.drawn();
    all.push({ typed, sent: counted() });
  }
  // Whatever the clock has added to one of them, the others are without it.
  const cheapest = (what: keyof typeof MOST): string[] =>
    all.map((each) => each[what]).toSorted((one, other) => one.length - other.length)[0] ?? [];
  for (const what of ['typed', 'sent'] as const)
    expect
      .soft(cheapest(what).length, `${what}:\n${cheapest(what).join('\n')}`)
      .toBeLessThanOrEqual(MOST[what]);
});
