import { describe, expect, test } from 'vitest';
import { newBulk } from '../../../domain/bulk.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Outgoing } from '../../../domain/kinds/index.ts';
import type { OutgoingRow } from '../../../domain/kinds/kind.ts';
import type { AttemptView } from '../../../ports/jobs.ts';
import { blockedMessages, blockedOf, namesRecipients, parcelsOf } from './blocked-numbers.ts';

function numbers(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `98912${String(from + n).padStart(7, '0')}`);
}

function call(recipients: readonly string[], rows: readonly OutgoingRow[] | null = null): AttemptView {
  return {
    id: 'a',
    jobId: 'j',
    bindingId: 'b',
    state: 'reserved',
    epoch: 1,
    line: '3000',
    recipients,
    text: 'Hello',
    flash: false,
    outgoing: { kind: 'text' },
    messages: rows,
    tries: 0,
  };
}

function rows(line: string, recipients: readonly string[]): OutgoingRow[] {
  return recipients.map((recipient) => ({ line, recipient, text: 'x', flash: false }));
}

/** A blacklist that knows these numbers on this line, and was asked so. */
function listOf(line: string, blocked: readonly string[]) {
  const asked: [string, number][] = [];
  return {
    asked,
    blocked: async (of: string, given: readonly string[]): Promise<readonly string[]> => {
      asked.push([of, given.length]);
      return await Promise.resolve(of === line ? given.filter((number) => blocked.includes(number)) : []);
    },
  };
}

describe('a question to the blacklist', () => {
  test('covers as many calls as four hundred numbers of a line are', () => {
    const calls = [
      numbers(0, 200),
      numbers(200, 200),
      numbers(400, 100),
      numbers(500, 300),
      numbers(800, 1),
    ].map((to) => call(to));
    expect(parcelsOf(calls).map((parcel) => parcel.length)).toEqual([2, 2, 1]);
    expect(parcelsOf([])).toEqual([]);
    const lines = [rows('1', numbers(0, 350)), rows('2', numbers(0, 350)), rows('1', numbers(350, 51))];
    const several = lines.map((each) =>
      call(
        each.map(({ recipient }) => recipient),
        each,
      ),
    );
    expect(parcelsOf(several).map((parcel) => parcel.length)).toEqual([2, 1]);
    const mixed = [rows('1', numbers(0, 350)), [...rows('1', numbers(350, 51)), ...rows('2', numbers(0, 1))]];
    expect(parcelsOf(mixed.map((each) => call([], each)))).toHaveLength(2);
  });

  test('finds who is blocked on the line that would write', async () => {
    const [a, b, c] = numbers(0, 3) as [string, string, string];
    const list = listOf('3000', [b, c]);
    const mixed = call([a, b, c], [...rows('3000', [a, b]), ...rows('5000', [c])]);
    const plain = call([c, a]);
    const { blocked: found } = await blockedOf([mixed, plain], list, { sleep: () => new Promise(() => {}) });
    expect([found.get(mixed), found.get(plain)]).toEqual([[b], [c]]);
    expect(list.asked.toSorted(([one], [other]) => one.localeCompare(other))).toEqual([
      ['3000', 3],
      ['5000', 1],
    ]);
  });

  test('names each number once, and so many at a time', async () => {
    const list = listOf('3000', []);
    const [a = ''] = numbers(0, 1);
    await blockedOf([call([a], rows('3000', [a])), call([a])], list, { sleep: () => new Promise(() => {}) });
    await blockedOf([call(numbers(0, 800))], list, { sleep: () => new Promise(() => {}) });
    expect(list.asked).toEqual([
      ['3000', 1],
      ['3000', 400],
      ['3000', 400],
    ]);
  });

  test('is given up when no answer comes in time, and waits no longer than for one', async () => {
    const silent = { blocked: () => new Promise<never>(() => {}) };
    const { untold } = await blockedOf([call(numbers(0, 2))], silent, { sleep: () => Promise.resolve() });
    expect([...untold].map(([line, { code }]) => [line, code])).toEqual([['3000', 'gateway_no_answer']]);
    let waits = true;
    const sleep = (_ms: number, signal?: AbortSignal): Promise<void> =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          waits = false;
          reject(new Error('not needed'));
        });
      });
    await blockedOf([call(numbers(0, 2))], listOf('3000', []), { sleep });
    expect(waits).toBe(false);
  });

  const [a, b, c] = numbers(0, 3) as [string, string, string];
  test.each<[string, Outgoing, [line: string, recipient: string][] | null]>([
    ['one text', { kind: 'text' }, [['3000', b]]],
    ['a phonebook', { kind: 'book', bookId: '7', title: 'VIP', way: 'call' }, [['3000', b]]],
    ['rows', { kind: 'multi', rows: [...rows('5000', [b]), ...rows('3000', [b, c])] }, [['3000', b]]],
    ['a file, which is looked up when it is counted', newBulk({ name: 'a.csv', reference: 'f' }), null],
  ])('of a draft is each message that its line forbids: %s', async (_of, outgoing, found) => {
    const payload = { outgoing, line: '3000', text: 'Hello', flash: false, recipients: [a, b, c] };
    const looked = await blockedMessages(payload, listOf('3000', [b]), {
      sleep: () => new Promise(() => {}),
    });
    expect(looked?.blocked.map(({ line, recipient }) => [line, recipient]) ?? null).toEqual(found);
  });

  test('that one line does not answer says nothing of the others', async () => {
    const refused = (name: string) => new AppError('gateway_refused', name, { params: { name } });
    const list = (failing: Readonly<Record<string, AppError>>) => ({
      blocked: async (line: string, given: readonly string[]): Promise<readonly string[]> => {
        const error = failing[line];
        return error === undefined ? await Promise.resolve(given) : await Promise.reject(error);
      },
    });
    const payload = {
      outgoing: {
        kind: 'multi' as const,
        rows: [...rows('3000', [a]), ...rows('5000', [b]), ...rows('7000', [c])],
      },
      line: '3000',
      text: '',
      flash: false,
      recipients: [a, b, c],
    };
    const never = { sleep: () => new Promise<never>(() => {}) };
    const two = { '5000': refused('invalid_line'), '7000': refused('bad_request') };
    expect(await blockedMessages(payload, list(two), never)).toMatchObject({
      blocked: [{ line: '3000', recipient: a }],
      untold: [
        { line: '5000', isNone: true },
        { line: '7000', isNone: false },
      ],
    });
    const all = { ...two, '3000': refused('bad_request') };
    await expect(blockedMessages(payload, list(all), never)).rejects.toMatchObject({
      code: 'gateway_refused',
    });
  });

  test('of a call to a phonebook cannot be left out of it, which names nobody', () => {
    const book = (way: 'call' | 'expanded'): Outgoing => ({ kind: 'book', bookId: '7', title: 'VIP', way });
    expect(
      [{ kind: 'text' } as const, book('expanded'), book('call')].map((outgoing) =>
        namesRecipients({ outgoing }),
      ),
    ).toEqual([true, true, false]);
  });
});
