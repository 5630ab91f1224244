import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAGIC } from './magic.ts';
import type { Sandbox } from './server.ts';
import { startSandbox } from './server.ts';
import { ENDINGS } from './world/delivery.ts';
import {
  LINE,
  PLAIN,
  documentTable,
  exchange,
  http,
  markdownTable,
  rawSend,
  sendOn,
  v3,
  v4,
} from './testing.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const number = (digits: string) => `0970000${digits}`;
const waits = ['late', 'very-late', 'hang'];
const sends = () => sandbox.ledger.totals().sends;

describe.each(MAGIC.filter(({ word }) => !waits.includes(word)))('$word', ({ digits, word, does }) => {
  /** What comes back on a raw connection, and whether something was sent. */
  async function sent(change: { recipient?: string; text?: string }) {
    const before = sends();
    const { recipient = PLAIN, text = 'raw' } = change;
    const body = JSON.stringify({ from: LINE, recipients: [PLAIN, recipient], message: text, type: 0 });
    const head = (rawSend().split('\r\n\r\n')[0] ?? '').replace(
      /content-length: \d+/,
      `content-length: ${Buffer.byteLength(body)}`,
    );
    const { text: answer, ended } = await exchange(sandbox.baseUrl, `${head}\r\n\r\n${body}`);
    return {
      answer: answer.replace(/date: .*\r\n/i, '').replaceAll(/\d{19}/g, 'ID'),
      ended,
      sent: sends() - before,
    };
  }

  test('by recipient or by text it does the same, what the table says, and the journal says why', async () => {
    const byNumber = await sent({ recipient: `+98${number(digits).slice(1)}` });
    const noted = sandbox.journal.list().at(-1);
    const byText = await sent({ text: `hello [Sandbox ${word}] there` });
    expect({ ...byText, answer: '' }).toEqual({ ...byNumber, answer: '' });
    expect(byNumber.sent).toBe(does.startsWith('done') ? 1 : 0);
    if (does.startsWith('refused')) {
      expect(byText.answer).toBe(byNumber.answer);
      const [, wanted = ''] = /(?:code|status) (\d+)/.exec(does) ?? [];
      const [, body = ''] = byNumber.answer.split('\r\n\r\n');
      expect(body.endsWith(`کد ${wanted}"}}`) || body.startsWith(`{"return":{"status":${wanted},`)).toBe(
        true,
      );
      expect(noted?.refused).toBe(`magic recipient ${number(digits)}: ${does}`);
    } else {
      expect(JSON.stringify(noted)).toContain(`magic recipient ${number(digits)}: ${does}`);
    }
  });
});

test('what is answered late or never has been done at once', async () => {
  const own = await startSandbox();
  const calls = waits.map((word) =>
    sendOn(3, own, { message: `[sandbox ${word}]` }).then(
      () => 'answered',
      () => 'cut',
    ),
  );
  await expect.poll(() => own.ledger.totals().sends).toBe(3);
  await own.close();
  expect(await Promise.all(calls)).toEqual(expect.arrayContaining(['cut']));
  expect((await sendOn(1, sandbox, { message: '[sandbox late 1]' })).json).toMatchObject({
    result: { status: 0 },
  });
});

test('a code is refused as each version refuses, and registering and phonebooks have theirs', async () => {
  const [code23] = [number('0023')];
  expect((await sendOn(1, sandbox, { recipients: [code23] })).json).toEqual({
    status: 200,
    result: { status: 23 },
  });
  expect((await sendOn(4, sandbox, { recipients: [PLAIN, code23] })).json).toEqual({
    return: { status: 400, message: 'خطا در ارسال پیام: کد 23' },
  });
  expect((await v4(sandbox, 'user/register.json', { uname: 'x', mobile: number('0013') })).json).toEqual({
    return: { status: 400, message: 'خطا در ثبت کاربر: کد 13' },
  });
  expect(
    (await v3(sandbox, 'phonebook/new', { name: 'a', flag: 'f', numbers: [number('0043')] })).json,
  ).toEqual({
    return: { status: 400, message: 'خطا در دفترچه تلفن: کد 43' },
  });
});

test('who asks what became of a magic send is answered, and so is who has no account', async () => {
  await sendOn(3, sandbox, { recipients: [number('9003')] }).catch(() => undefined);
  const asked = await v3(sandbox, 'sms/statusbynumber', { number: number('9003'), startdate: 0 });
  expect(asked.json).toMatchObject({
    entries: expect.arrayContaining([expect.objectContaining({ to: '+989700009003', message: 'سلام' })]),
  });
  const body = JSON.stringify({ from: LINE, recipients: [number('0022')], message: 'x' });
  const nobody = await http(`${sandbox.baseUrl}/api/v3/rest/sms/send`, {
    method: 'POST',
    headers: { token: 'no' },
    body,
  });
  expect(nobody.json).toMatchObject({ return: { status: 401 } });
});

test('a rule that was set goes before a magic input', async () => {
  sandbox.faults.add({ kind: 'error', status: 409, times: 1 });
  expect((await sendOn(3, sandbox, { recipients: [number('0022')] })).json).toMatchObject({
    return: { status: 409 },
  });
});

test('no two rows have a recipient or a word in common, and none ends as a delivery does', () => {
  expect(new Set(MAGIC.map(({ digits }) => digits)).size).toBe(MAGIC.length);
  expect(new Set(MAGIC.map(({ word }) => word)).size).toBe(MAGIC.length);
  expect(MAGIC.length).toBeGreaterThan(45);
  for (const { digits, does } of MAGIC)
    if (!does.startsWith('refused')) expect(digits).not.toMatch(/00$|90[123]$/);
});

/** The table as the document shows it, endings of deliveries too. */
function table(): string {
  const rows = [
    ['recipient', 'or in a text', 'what becomes of the request'],
    ...MAGIC.map(({ digits, word, does }) => [`\`${number(digits)}\``, `\`[sandbox ${word}]\``, does]),
    ...ENDINGS.map(({ digits, does }) => [`any that ends in \`${digits}\``, '', `accepted; ${does}`]),
  ];
  return markdownTable(rows);
}

test('the table of the document is the one in code; UPDATE_TABLES=1 writes it', () => {
  const { text, made } = documentTable('magic.md', table());
  expect(text).toBe(made);
});
