import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { isAppError } from '../../src/domain/errors.ts';
import { Secret } from '../../src/domain/secret.ts';
import { createGateway } from '../../src/gateway/compose.ts';
import type { GatewayVersion, SendAnswer, SmsGateway } from '../../src/ports/gateway.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { SHAPES } from '../../src/sandbox/shapes.ts';
import type { ShapeName } from '../../src/sandbox/shapes.ts';

/* However a gateway words its answers where the interface is silent, the client understands the same of them. */

const NOW = 1_790_000_000;
const A = '989121110001';
const B = '989121110002';
const ONLY_1: readonly ShapeName[] = ['register-object'];
const NOT_1: readonly ShapeName[] = ['number-paging', 'grouped-rows', 'entries-always', 'sibling-statuses'];

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ deliverySeconds: 0, now: () => NOW * 1000 });
});
afterAll(() => sandbox.close());

/** An account of its own with these shapes, used for all that the version can do: what was understood of each answer. */
async function understood(
  version: GatewayVersion,
  shapes: readonly ShapeName[],
): Promise<Record<string, unknown>> {
  const account = sandbox.freshAccount({
    shapes: [...shapes],
    credit: 100_000,
    representative: true,
    packages: [12],
    patterns: [{ id: 1, text: 'کد %code%', active: true }],
    profile: { mellicode: '001*****79', shenasname: '1234' },
  });
  const { username, apiKey, token, lines } = account;
  const [line = ''] = lines;
  const { baseUrl, wsUrl } = sandbox;
  const open = (key: string) => {
    const credentials = version === 1 ? { token: new Secret(key) } : { apiKey: new Secret(key) };
    return createGateway({ baseUrl, wsUrl, versions: [version], credentials });
  };
  const gateway = open(version === 1 ? token : apiKey);
  const stranger = open('nobody');
  const owner = sandbox.world.account(username);
  if (owner === undefined) throw new Error('no such account');
  const found: Record<string, unknown> = {};
  /** What reads of the sandbox itself know by a longer or shorter name. */
  const names = new Map<string, string>([
    [username, 'NAME'],
    [line, 'LINE'],
    [`+98${line}`, 'LINE'],
  ]);
  const plainly = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value) ?? 'null', (name, one: unknown) => {
      // What the gateway said is kept as it came, for people.
      if (name === 'raw')
        return typeof one === 'string' && /^\d+$/.test(one)
          ? Number(one)
          : typeof one === 'number'
            ? one
            : '';
      return typeof one === 'string' ? (names.get(one) ?? one) : one;
    });
  const tell = async (
    step: string,
    work: (of: SmsGateway) => Promise<unknown>,
    of = gateway,
  ): Promise<void> => {
    found[step] = plainly(await work(of).catch((error: unknown) => refusalOf(error)));
  };
  /** Holds an acceptance to the ledger. */
  const send = async (
    step: string,
    work: (of: SmsGateway) => Promise<SendAnswer>,
  ): Promise<readonly string[]> => {
    const before = sandbox.ledger.totals().sends;
    const answer = await work(gateway);
    const records = sandbox.ledger.sends().slice(before - sandbox.ledger.totals().sends || Infinity);
    const ids = records.flatMap(({ messageIds }) => messageIds);
    for (const [at, id] of ids.entries()) names.set(id, `${step} ${at}`);
    const told = answer.outcome === 'accepted' ? answer.messageIds.map(({ id }) => id) : [];
    expect(told, `${version} ${shapes.join()} ${step}: ${JSON.stringify(answer)}`).toEqual(ids);
    found[step] = plainly(
      answer.outcome === 'accepted'
        ? answer.messageIds
        : [answer.outcome, 'name' in answer ? answer.name : answer.reason],
    );
    return ids;
  };
  const text = { line, text: 'سلام', flash: false };

  await tell('a stranger', (of) => of.use('credit').credit(), stranger);
  await tell('credit', (of) => of.use('credit').credit());
  await tell('details', (of) => of.use('account').details());
  await tell('nothing sent', (of) => of.use('reports').latest());
  await tell('no books', (of) => of.use('phonebookRead').list());
  const ids = await send('send', (of) => of.use('sending').send({ ...text, recipients: [A, B] }));
  await send('many', (of) =>
    of.use('multi').sendMany([
      { ...text, recipient: A },
      { ...text, recipient: B, text: 'Hello' },
    ]),
  );
  await send('another line', (of) => of.use('sending').send({ ...text, line: '30009', recipients: [A] }));
  await tell('latest', (of) => of.use('reports').latest());
  await tell('status', (of) => of.use('reports').status([...ids, '1000000000001']));
  if (gateway.has('pattern'))
    await send('pattern', (of) =>
      of
        .use('pattern')
        .sendPattern({ line, recipients: [A], patternId: '1', variables: { code: '7' }, flash: false }),
    );
  if (gateway.has('futureSend'))
    await send('later', (of) =>
      of.use('futureSend').sendLater({
        ...text,
        recipients: [A],
        at: { year: '1420', month: '1', day: '1', hour: '9', minute: '0' },
      }),
    );
  if (gateway.has('phonebookWrite')) {
    const write = gateway.use('phonebookWrite');
    await tell('a book', async (of) => {
      await write.create({ name: 'کتاب', numbers: [A], flag: username });
      const book = await of.use('phonebookRead').byName('کتاب');
      names.set(book?.id ?? '', 'BOOK');
      return book;
    });
    const id = String(owner.phonebooks.all()[0]?.id);
    for (const number of owner.phonebooks.all()[0]?.numbers.values() ?? [])
      names.set(String(number), 'NUMBER');
    await tell('its numbers', (of) =>
      of
        .use('phonebookRead')
        .numbers(id)
        .then((rows) => rows.map(({ number }) => number)),
    );
    await tell('one more', () =>
      write.addNumbers(id, [B]).then(() => owner.phonebooks.all()[0]?.numbers.size),
    );
    if (gateway.has('phonebookSend'))
      await send('to the book', (of) =>
        of.use('phonebookSend').sendToBook({ ...text, bookId: id, recipients: [] }),
      );
    await tell('one less', () =>
      write.removeNumbers(id, [A, B]).then(() => owner.phonebooks.all()[0]?.numbers.size),
    );
    await tell('no numbers', (of) => of.use('phonebookRead').numbers(id));
    await tell('no book', () => write.remove(id).then(() => owner.phonebooks.all().length));
    await tell('no book to delete', () => write.remove(id));
    await tell('no book of that name', (of) => of.use('phonebookRead').byName('کتاب'));
  }
  if (gateway.has('details')) {
    await tell('by ids', (of) => of.use('details').byIds([...ids, '1000000000001']));
    await tell('none by ids', (of) => of.use('details').byIds(['1000000000001']));
    await tell('of a day', (of) => of.use('outbox').inRange({ from: NOW - 3600, to: NOW + 3600 }));
    await tell('of no day', (of) => of.use('outbox').inRange({ from: 5, to: 6 }));
    await tell('newest', (of) => of.use('outbox').newest());
    await tell('to a number', (of) => of.use('outbox').byNumber({ recipient: A, since: NOW - 60 }));
    await tell('counts', (of) => of.use('counts').sent({ from: NOW - 3600, to: NOW + 3600 }));
    await tell('an empty inbox', (of) => of.use('inbox').page());
    await tell('nothing unread', (of) => of.use('inbox').receive());
    const id = sandbox.world.receive(owner, { from: '9121110003', line, text: 'پاسخ' });
    names.set(String(id), 'RECEIVED');
    await tell('received', (of) => of.use('counts').received({ from: NOW - 3600, to: NOW + 3600 }));
    await tell('the inbox', (of) => of.use('inbox').fromOffset());
    await tell('its page', (of) => of.use('inbox').page({ line }));
    await tell('taken', (of) => of.use('inbox').receive());
  }
  if (gateway.has('blacklist')) {
    await tell('nobody blocked', (of) => of.use('blacklist').list({ line }));
    await tell('blocked', (of) => of.use('blacklist').add(line, [A, B]));
    await tell('blocked twice', (of) => of.use('blacklist').add(line, [A]));
    await tell('the list', (of) => of.use('blacklist').list({ line, pageSize: 1 }));
    await tell('looked up', (of) => of.use('blacklist').blocked(line, [A, '989121110009']));
    await tell('unblocked', (of) => of.use('blacklist').remove(line, A));
    await tell('unblocked twice', (of) => of.use('blacklist').remove(line, A));
    await tell('unblocked all', () => Promise.resolve(owner.blacklist.list(line).map(({ to }) => to)));
  }
  const user = {
    userName: `${username}x`,
    password: new Secret('secret1'),
    parent: username,
    mobile: A,
    nationalCode: '0012345679',
    packageId: '12',
    reseller: false,
  };
  await tell('registered', async (of) => {
    await of.use('registration').register(user);
    return sandbox.world.account(user.userName) !== undefined;
  });
  await tell('registered twice', (of) => of.use('registration').register(user));
  owner.credit = 0;
  await send('no credit', (of) => of.use('sending').send({ ...text, recipients: [A] }));
  await tell('no credit told', (of) => of.use('credit').credit());
  await Promise.all([gateway.close(), stranger.close()]);
  return found;
}

function refusalOf(error: unknown): unknown {
  if (!isAppError(error)) throw error;
  return [error.code, error.params['name'] ?? error.params['reason'], error.params['mayHaveActed']];
}

/** Six sets in which any two shapes are on together twice, and each without the other: four of six for each shape. */
function sets(names: readonly ShapeName[]): ShapeName[][] {
  const six = [0, 1, 2, 3, 4, 5];
  const without = six.flatMap((one, at) => six.slice(at + 1).map((other) => [one, other]));
  return six.map((set) => names.filter((_, at) => without[at]?.includes(set) === false));
}

describe.each([3, 4, 1] as const)('version %i', (version) => {
  const names = SHAPES.map(({ name }) => name).filter(
    (name) => !(version === 1 ? NOT_1 : ONLY_1).includes(name),
  );

  test('is understood as the plain sandbox under each shape alone, any two together, and all at once', async () => {
    const plain = await understood(version, []);
    expect(plain).toMatchObject({
      credit: 100_000,
      send: [{ id: 'send 0' }],
      many: [{ id: 'many 0' }, { id: 'many 1' }],
      'no credit': ['rejected', 'insufficient_credit'],
      registered: true,
    });
    for (const shapes of [...names.map((name) => [name]), ...sets(names), names])
      expect(await understood(version, shapes), shapes.join(' + ')).toEqual(plain);
  });
});
