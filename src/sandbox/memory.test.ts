import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { z } from 'zod';

const figures = z.object({ before: z.int(), after: z.int(), hits: z.int(), sends: z.int(), failed: z.int() });

const WARM_UP = 4_000;

/**
 * A process of its own, so that the heap measured is the sandbox's: 20,000 requests with small bounds, after a
 * warm-up that fills them. Half of them send or ask for the credit, the others go round what can be kept: books are
 * created, filled and deleted, numbers blocked and freed, messages received and read, lists asked for.
 */
const PROGRAM = `
  import { startSandbox } from ${JSON.stringify(new URL('./server.ts', import.meta.url).href)};
  import { Pool } from 'undici';
  const sandbox = await startSandbox({ keep: { ledger: 500, messages: 500, recipients: 500 } });
  const demo = sandbox.world.account('demo');
  demo.credit = Number.MAX_SAFE_INTEGER;
  const base = new Pool(sandbox.baseUrl, { connections: 8 });
  const ws = new Pool(sandbox.wsUrl, { connections: 4 });
  const LINE = '3000123456';
  let turn = 0;
  const number = () => '09' + String(120000000 + (turn += 1));
  const v3 = (path, body, method = 'POST') => [base, { path: '/api/v3/rest/' + path, method,
    headers: { token: 'sandbox-key-demo' }, body: JSON.stringify(body) }];
  const v4 = (path) => [base, { path: '/api/v4/sandbox-key-demo/' + path, method: 'GET' }];
  const v1 = (path, body) => [ws, { path: '/api/v1/rest/' + path, method: 'POST',
    headers: { token: 'sandbox-token-demo' }, body: JSON.stringify(body) }];
  const text = 'x'.repeat(500);
  const send = () => [v3('sms/send', { from: LINE, recipients: ['09121111111'], message: text })];
  const credit = () => [v4('user/credit.json')];
  const sends = () => [
    v3('sms/multiple-send', { fromArray: [LINE, LINE], recipients: [number(), number()],
      messageArray: [text, text], typeArray: [0, 1] }),
    v3('sms/pattern-send', { from: LINE, recipients: [number()], message: { code: text }, pattern_id: 1 }),
    v1('sms/future-send', { from: LINE, recipients: [number()], message: text, sendDate: '1450/01/01 10:00' }),
    v1('sms/multiple-send', { fromArray: [LINE], recipients: [number()], messageArray: [text], typeArray: [0] }),
  ];
  const books = () => {
    const name = 'book' + number();
    const made = demo.phonebooks.create({ title: name, flag: name, numbers: ['09121111111'] });
    return [
      v3('phonebook/new', { name: name + 'x', numbers: [number()], flag: name + 'x' }),
      v3('phonebook/number/add', { book_id: made.id, numbers: [number(), number()] }),
      v1('sms/phonebook-send', { from: LINE, bookId: made.id, message: text }),
      v3('phonebook/delete', { book_id: made.id }, 'DELETE'),
      () => v3('phonebook/delete', { book_id: demo.phonebooks.all().find(({ title }) => title === name + 'x').id },
        'DELETE'),
    ];
  };
  const blocks = () => {
    const to = number();
    return [v4('line/blocked/add.json?number=' + LINE + '&to=' + to), v4('line/blocked/list.json?number=' + LINE),
      v4('line/blocked/remove.json?number=' + LINE + '&to=' + to)];
  };
  const inbox = () => {
    for (let count = 0; count < 100; count += 1)
      sandbox.world.receive(demo, { from: '9121110001', line: LINE, text: text + number() });
    return [v4('sms/receive.json'), v4('sms/inboxpaged.json?pagesize=20'), v4('sms/inbox.json?count=5')];
  };
  const lists = () => [v4('sms/latestoutbox.json'), v4('sms/statusbynumber.json?number=09121111111&startdate=0'),
    v4('sms/countoutbox.json?startdate=0&enddate=9999999999'), v4('user/register.json?uname=demo')];
  let failed = 0;
  const run = async (count) => {
    let left = count;
    const worker = async (make) => {
      while (left > 0) for (const one of make()) {
        if (left-- <= 0) return;
        const [pool, { body, ...request }] = typeof one === 'function' ? one() : one;
        const answer = await pool.request({ ...request, ...(body === undefined ? {} : { body }) });
        const seen = await answer.body.text();
        if (!/"status":200/.test(seen) && !seen.includes('passwd')) failed += 1;
        if (/"result":.*"status":[1-9]/.test(seen)) failed += 1;
      }
    };
    await Promise.all([send, send, credit, credit, sends, books, blocks, inbox, lists].map(worker));
    globalThis.gc();
    return process.memoryUsage().heapUsed;
  };
  const before = await run(${WARM_UP});
  const after = await run(20_000);
  const { hits, sends: sent } = sandbox.ledger.totals();
  console.log(JSON.stringify({ before, after, hits, sends: sent, failed }));
  await base.close();
  await ws.close();
  await sandbox.close();
`;

test('20,000 requests of all kinds leave the heap where it was', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', '--input-type=module', '--eval', PROGRAM],
    { encoding: 'utf8', cwd: new URL('.', import.meta.url) },
  );
  expect(stderr).toBe('');
  const { before, after, hits, sends, failed } = figures.parse(JSON.parse(stdout));
  expect(hits).toBe(WARM_UP + 20_000);
  expect(failed).toBe(0);
  expect(sends).toBeGreaterThan(8_000);
  expect(after - before).toBeLessThan(2_000_000);
});
