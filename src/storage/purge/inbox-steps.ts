import type { Row } from '../row.ts';
import { BATCH, upTo, type Step } from './step.ts';

/**
 * Received messages, with all that was told of them, and conversations of which none is left. A day later than no more
 * are taken in that are so old (`inbound-store.ts`), or what has gone would come again. Where the gateway tells no time
 * that can be read, nobody could know it again: it stays.
 */
export function inboxSteps(days: number): readonly Step[] {
  if (days === 0) return [];
  let passed = 0;
  return [
    {
      name: 'received messages',
      batch: async (tx) => {
        // Ids rise as messages are captured, so it is only ever the beginning that is looked at.
        const page = await tx<(Row<'inbound', 'id'> & { is_dated: boolean })[]>`
          select p.id, p.is_dated from (
            select id, captured_at, sent_at is not null as is_dated from inbound
            where id > ${passed} order by id limit ${BATCH}) as p
          where p.captured_at < now() - ${days + 1} * interval '1 day' order by p.id`;
        passed = page.at(-1)?.id ?? passed;
        const ids = page.filter((each) => each.is_dated).map(({ id }) => id);
        const held = await tx<Row<'inbound', 'id'>[]>`
          select id from inbound where id = any(${ids}::bigint[]) for update skip locked`;
        const past = held.map(({ id }) => id);
        await tx`delete from notice where inbound_id = any(${past}::bigint[])`;
        await tx`delete from auto_answer where inbound_id = any(${past}::bigint[])`;
        await tx`delete from inbound where id = any(${past}::bigint[])`;
        return { removed: past.length, more: page.length === BATCH };
      },
    },
    {
      name: 'conversations',
      batch: async (tx) => {
        const held = await tx<Row<'talk', 'id'>[]>`
          select t.id from talk t where t.last_in_at < now() - ${days + 1} * interval '1 day'
            and not exists (select from inbound i where i.talk_id = t.id)
          limit ${BATCH} for update of t skip locked`;
        const past = held.map(({ id }) => id);
        await tx`delete from talk_topic where talk_id = any(${past}::uuid[])`;
        return upTo(BATCH, await tx`delete from talk where id = any(${past}::uuid[]) returning 1`);
      },
    },
  ];
}
