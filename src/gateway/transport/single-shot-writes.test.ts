import { expect, test } from 'vitest';

import { Secret } from '../../domain/secret.ts';
import type { FacetName, SendHooks, SmsGateway } from '../../ports/gateway.ts';
import { gatewayOf, SEND, VERSIONS } from '../testing/accounts.ts';
import { startRawServer } from '../testing/raw-server.ts';
import { underFault, WIRE_FAULTS } from '../testing/wire-faults.ts';

const { line, recipients, text } = SEND;
const [recipient = ''] = recipients;
const user = {
  userName: 'u',
  password: new Secret('p'),
  parent: 'demo',
  mobile: recipient,
  nationalCode: '0012345679',
  packageId: '1',
  reseller: false,
};
const at = { year: '1404', month: '1', day: '1', hour: '1', minute: '1' };
const pattern = { line, recipients: [recipient], patternId: '1', variables: {}, flash: false };

type Run = (gateway: SmsGateway, hooks?: SendHooks) => Promise<unknown>;

/** Whatever changes something at the gateway, beside the plain send. */
const WRITES: readonly { title: string; facet: FacetName; sends: boolean; run: Run }[] = [
  {
    title: 'multi',
    facet: 'multi',
    sends: true,
    run: (g, hooks) => g.use('multi').sendMany([{ line, recipient, text, flash: false }], hooks),
  },
  {
    title: 'pattern',
    facet: 'pattern',
    sends: true,
    run: (g, hooks) => g.use('pattern').sendPattern(pattern, hooks),
  },
  {
    title: 'future',
    facet: 'futureSend',
    sends: true,
    run: (g, hooks) => g.use('futureSend').sendLater({ ...SEND, at }, hooks),
  },
  {
    title: 'phonebook send',
    facet: 'phonebookSend',
    sends: true,
    run: (g, hooks) => g.use('phonebookSend').sendToBook({ ...SEND, bookId: '1' }, hooks),
  },
  {
    title: 'register',
    facet: 'registration',
    sends: false,
    run: (g) => g.use('registration').register(user),
  },
  { title: 'receive', facet: 'inbox', sends: false, run: (g) => g.use('inbox').receive() },
  {
    title: 'blacklist add',
    facet: 'blacklist',
    sends: false,
    run: (g) => g.use('blacklist').add(line, recipients),
  },
  {
    title: 'blacklist remove',
    facet: 'blacklist',
    sends: false,
    run: (g) => g.use('blacklist').remove(line, recipient),
  },
  {
    title: 'phonebook create',
    facet: 'phonebookWrite',
    sends: false,
    run: (g) => g.use('phonebookWrite').create({ name: 'n', numbers: recipients, flag: 'f' }),
  },
  {
    title: 'phonebook delete',
    facet: 'phonebookWrite',
    sends: false,
    run: (g) => g.use('phonebookWrite').remove('1'),
  },
  {
    title: 'phonebook add',
    facet: 'phonebookWrite',
    sends: false,
    run: (g) => g.use('phonebookWrite').addNumbers('1', recipients),
  },
  {
    title: 'phonebook remove',
    facet: 'phonebookWrite',
    sends: false,
    run: (g) => g.use('phonebookWrite').removeNumbers('1', recipients),
  },
];

const cases = VERSIONS.flatMap((version) =>
  WRITES.filter(({ facet }) => gatewayOf(version, 'http://127.0.0.1:1').has(facet)).map((write) => ({
    version,
    ...write,
  })),
);

/** What the caller learns: a send's answer, or the error of any other change. */
async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  return await work.catch((error: unknown) => error);
}

test.each(cases)(
  '$title of version $version is one request, whatever comes back',
  async ({ version, run, sends }) => {
    for (const fault of WIRE_FAULTS) {
      await underFault(fault, async (server) => {
        const gateway = gatewayOf(version, server.url);
        const outcome = await outcomeOf(run(gateway));
        await gateway.close();
        expect(outcome, fault.title).toMatchObject(
          sends
            ? { outcome: 'unknown' }
            : {
                code: expect.stringMatching(/^gateway_(?:no_answer|unreadable)$/),
                params: { mayHaveActed: true },
              },
        );
        expect([server.connections(), server.requests().length], fault.title).toEqual([
          1,
          fault.requests ?? 1,
        ]);
      });
    }
  },
);

test.each(cases)(
  '$title of version $version is proven unmade where nobody listens',
  async ({ version, run, sends }) => {
    const server = await startRawServer({});
    await server.close();
    const gateway = gatewayOf(version, server.url);

    const outcome = await outcomeOf(run(gateway));
    await gateway.close();

    expect(outcome).toMatchObject(
      sends
        ? { outcome: 'not_sent', reason: 'refused' }
        : { code: 'gateway_no_answer', params: { reason: 'refused', mayHaveActed: false } },
    );
  },
);

test.each(cases.filter(({ sends }) => sends))(
  '$title of version $version asks the fence before it writes',
  async ({ version, run }) => {
    const server = await startRawServer({});
    const gateway = gatewayOf(version, server.url);

    const outcome = await run(gateway, { beforeWrite: () => Promise.resolve(false) });
    await gateway.close();
    await server.close();

    expect(outcome).toEqual({ outcome: 'not_sent', reason: 'fence' });
    expect([server.connections(), server.bytes()]).toEqual([1, 0]);
  },
);
