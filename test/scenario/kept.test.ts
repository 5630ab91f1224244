import { expect, test } from 'vitest';
import { createPurge } from '../../src/storage/purge/purge.ts';
import { plain, rows, talkIn } from '../support/talk.ts';
import { quiet } from '../support/quiet.ts';
import { startWorld } from '../support/world.ts';

/* What people see of a send whose recipients are no longer kept. */

test('its report and the report of its tag still count it, and say that nobody’s number is there any more', async () => {
  await using world = await startWorld({}, { deliverySeconds: 0 });
  const talk = talkIn(world);
  const { sql } = world.database;
  const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
  await talk.connects(sara, { apiKey: talk.account().apiKey });
  const send = async (text: string, code: string) => {
    const card = await talk.asks(sara, sara, `/send 09121234567 09127654321 ${text}`, code);
    await talk.presses(sara, card, '✅');
    await talk.turns(card, '2 delivered');
    await talk.asks(sara, sara, `/tag ${code} autumn`, 'autumn');
  };
  await send('Old news', '#A1');
  await send('News', '#A2');
  await quiet(world);
  const before = await talk.asks(sara, sara, '/report A1', 'Old news');
  expect(rows(before).flat().join(' ')).toContain('XLSX');
  await sql`update job set ended_at = now() - interval '401 days' where draft_id = (select id from draft where code = 'A1')`;
  const gone = await createPurge(world.database, { sends: 400, inbox: 0, audit: 0, other: 0 }).run();
  expect(gone).toEqual({ sends: 1, 'calls of sends': 1 });

  const after = await talk.asks(sara, sara, '/report A1', 'no longer kept');
  expect(plain(after)).toMatch(/2 recipients/u);
  expect(plain(after)).toContain('delivered: 2');
  expect(plain(after)).not.toContain('Old news');
  expect(rows(after).flat().join(' ')).not.toContain('XLSX');
  await talk.presses(sara, before, '⬇ XLSX');
  await talk.hears(sara, 'Its recipients and texts are no longer kept', after.message_id);

  const tagged = await talk.asks(sara, sara, '/report tag:autumn', 'delivered: 4');
  await talk.presses(sara, tagged, '⬇ XLSX');
  await talk.hears(
    sara,
    'The recipients of 1 send are no longer kept and not in this file',
    tagged.message_id,
  );
  expect(talk.errors()).toEqual([]);
});
