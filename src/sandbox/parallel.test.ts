import { afterAll, beforeAll, expect, test } from 'vitest';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { readJson } from './json.ts';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';

const REQUESTS = 1_000;
const AT_ONCE = 8;

let sandbox: Sandbox;
const dispatcher = new Agent({ connections: 2 * AT_ONCE });
beforeAll(async () => {
  sandbox = await startSandbox({ keep: { exchanges: 3 * REQUESTS } });
});
afterAll(async () => {
  await dispatcher.close();
  await sandbox.close();
});

const envelope = z.object({ return: z.object({ status: z.int(), message: z.string() }) });

/** A suite as a team would write it: an account of its own, sends that go well and sends that ask to fail. */
async function suite(name: string) {
  const own = sandbox.freshAccount({ credit: 100_000_000 });
  const [from = ''] = own.lines;
  const seen: Record<string, number> = {};
  const call = async (path: string, body: unknown) => {
    const answer = await request(`${sandbox.baseUrl}/api/v3/rest/${path}`, {
      method: 'POST',
      dispatcher,
      headers: { token: own.apiKey },
      body: JSON.stringify(body),
    });
    return { httpStatus: answer.statusCode, text: await answer.body.text() };
  };
  const send = (at: number, recipient: string) =>
    call('sms/send', { from, recipients: [recipient], message: `${name} ${at}` });

  /** What each request wants, and how it must end. */
  async function one(at: number): Promise<string> {
    const local = `0912${String(at).padStart(7, '0')}`;
    const turn = at % 5;
    if (turn === 0) return envelope.parse(readJson((await send(at, '09700000022')).text)).return.message;
    if (turn === 1)
      return send(at, '09700009003').then(
        ({ text }) => text,
        () => 'lost',
      );
    if (turn === 2) return String((await send(at, '09700009012')).httpStatus);
    if (turn === 3) return envelope.parse(readJson((await call('my/credit', {})).text)).return.message;
    return envelope.parse(readJson((await send(at, local)).text)).return.message;
  }

  const queue = Array.from({ length: REQUESTS }, (_, at) => at);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
        const outcome = await one(at);
        seen[outcome] = (seen[outcome] ?? 0) + 1;
      }
    }),
  );
  return { own, seen };
}

test('two suites beside each other, of 1,000 requests each, see their own failures, messages and money only', async () => {
  const names = ['red', 'blue'];
  const done = await Promise.all(names.map(suite));
  for (const [index, { own, seen }] of done.entries()) {
    expect(seen).toEqual({
      'خطا در ارسال پیام: کد 22': 200,
      lost: 200,
      503: 200,
      'تایید شد': 200,
      'پیام با موفقیت در صف ارسال قرار گرفت': 200,
    });
    const account = sandbox.world.account(own.username);
    const sent = account?.outbox.all() ?? [];
    expect(sent).toHaveLength(400);
    expect(sent.every(({ text }) => text.startsWith(`${names[index]} `))).toBe(true);
    expect(account?.credit).toBe(100_000_000 - 400 * 2840);
    const exchanges = sandbox.journal.list({ account: own.username });
    expect(exchanges).toHaveLength(REQUESTS);
    expect(exchanges.filter(({ refused }) => refused !== null)).toHaveLength(400);
    expect(new Set(exchanges.flatMap(({ messageIds }) => messageIds)).size).toBe(400);
  }
  expect(sandbox.faults.list()).toEqual([]);
});
