import type { CalendarDay } from '../../../domain/calendar.ts';
import { dayText, daysToDo } from '../../../domain/date-send.ts';
import type { OutgoingRow } from '../../../domain/kinds/kind.ts';
import { travelsInAddress } from '../../../domain/kinds/multi.ts';
import { fieldOf, knownField, type KeptPerson } from '../../../domain/people.ts';
import { keyOf, keysOn, occasionOf, readPersonDate, targetOf } from '../../../domain/person-date.ts';
import { maskRecipient } from '../../../domain/phone.ts';
import { shownAt } from '../../../domain/recurrence.ts';
import type { DueDateSend } from '../../../ports/date-sends.ts';
import type { Gateways } from '../../../ports/gateways.ts';
import type { SkippedNumber } from '../../../ports/stores.ts';
import type { Stores } from '../../../storage/stores.ts';
import { createPersonText } from './date-text.ts';

export interface DateRunnerDeps {
  readonly dateSends: Pick<Stores['dateSends'], 'due' | 'leave' | 'done'>;
  readonly people: Pick<Stores['people'], 'each' | 'fieldNames'>;
  readonly gateways: Pick<Gateways, 'capabilities'>;
}

/** Of one send; more people get several, one after the other. */
const MOST_ROWS = 1000;

/**
 * Makes what looks for standing orders whose time has come, and has each write to those whose date it is. May run beside
 * itself, be cut short and begin again: what was sent is written down with what sends it.
 */
export function createDateRunner({ dateSends, people, gateways }: DateRunnerDeps) {
  const runDay = async (order: DueDateSend, day: CalendarDay, inAddress: boolean): Promise<boolean> => {
    const due = shownAt(day, order.minute, order.timeZone);
    const run = dayText(day);
    // A day that the zone left out altogether.
    if (due === null) {
      await dateSends.done({ id: order.id, day: run, by: order }, null);
      return true;
    }
    const target = targetOf(day, order);
    const keys = new Set(keysOn(target, order));
    const fields = await people.fieldNames(order.chatId, order.tag);
    const field = knownField(order.field, fields);
    const textTo = createPersonText(order, fields, inAddress);
    let rows: OutgoingRow[] = [];
    let leftOut: SkippedNumber[] = [];
    const leave = async (): Promise<boolean> => {
      if (rows.length === 0) return true;
      const made = await dateSends.leave({
        orderId: order.id,
        day: run,
        due,
        occasion: occasionOf(target, order),
        bindingId: order.bindingId,
        by: order,
        rows,
        leftOut,
        inAddress,
      });
      rows = [];
      // Where everybody was written to before, there is no card to tell of the others.
      if (made === 'made') leftOut = [];
      return made !== 'off';
    };
    for await (const block of people.each(order.chatId, order.tag)) {
      for (const person of block) {
        const date = readPersonDate(fieldOf(person, field));
        if (date === null || !keys.has(keyOf(date, order) ?? '')) continue;
        const made = textTo(person);
        if (!made.ok) {
          leftOut.push({ raw: calledSo(person), reason: made.reason });
          continue;
        }
        // The last send waits until the end, so that it can tell of everybody who was left out.
        if (rows.length === MOST_ROWS && !(await leave())) return false;
        rows.push({ line: order.line, recipient: person.number, text: made.text, flash: false });
      }
    }
    if (!(await leave())) return false;
    const [first] = leftOut;
    const nobodyFits = first === undefined ? null : { count: leftOut.length, reason: first.reason };
    await dateSends.done({ id: order.id, day: run, by: order }, nobodyFits);
    return true;
  };

  const runOrder = async (order: DueDateSend, signal: AbortSignal): Promise<void> => {
    const { versions } = gateways.capabilities(order.kinds);
    for (const day of daysToDo(order.doneOn, order.upTo)) {
      if (signal.aborted || !(await runDay(order, day, travelsInAddress(versions)))) return;
    }
  };

  return async (signal: AbortSignal): Promise<void> => {
    const failures: unknown[] = [];
    // One that fails is tried again by the next look, and keeps none of the others.
    for (const order of await dateSends.due())
      await runOrder(order, signal).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
}

/** How somebody is named on a card that others see too. */
function calledSo({ name, number }: KeptPerson): string {
  return name === '' ? maskRecipient(number) : `${name} ${maskRecipient(number)}`;
}
