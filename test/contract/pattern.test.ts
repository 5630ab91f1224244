import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ACCOUNTS, startBench } from './accounts.ts';
import type { Bench } from './accounts.ts';

const REQUEST = {
  line: '3000123456',
  recipients: ['989121110001'],
  patternId: '1',
  variables: { code: '0012' },
  flash: false,
};

let bench: Bench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

/** Version 4 has no pattern send. */
describe.each(ACCOUNTS.filter(({ version }) => version !== 4))('a send by pattern with $title', (account) => {
  test('is accepted once, with the value where the pattern has its name', async () => {
    const gateway = bench.open(account);
    await bench.acceptedSends();

    const answer = await gateway
      .use('pattern')
      .sendPattern(REQUEST, { beforeWrite: () => Promise.resolve(true) });

    expect(answer.outcome).toBe('accepted');
    const sends = await bench.acceptedSends();
    expect(sends).toMatchObject([{ text: expect.stringContaining('0012') }]);
  });

  test('is rejected for a pattern that is not active', async () => {
    const answer = await bench
      .open(account)
      .use('pattern')
      .sendPattern({ ...REQUEST, patternId: '424242' });
    expect(answer).toMatchObject({ outcome: 'rejected', code: 29, name: 'pattern_not_active' });
  });

  test('is rejected when a value is missing, since names are case-sensitive', async () => {
    const answer = await bench
      .open(account)
      .use('pattern')
      .sendPattern({ ...REQUEST, variables: { Code: '1' } });
    expect(answer).toMatchObject({ outcome: 'rejected', code: 28, name: 'inconsistent_data' });
  });

  test('is one effect when the answer is lost, and none behind a shut fence', async () => {
    const gateway = bench.open(account);
    await bench.acceptedSends();
    await bench.admin('/faults', { kind: 'drop', when: 'after', times: 1 });

    const lost = await gateway.use('pattern').sendPattern(REQUEST);
    const shut = await gateway
      .use('pattern')
      .sendPattern(REQUEST, { beforeWrite: () => Promise.resolve(false) });

    expect([lost.outcome, shut.outcome]).toEqual(['unknown', 'not_sent']);
    expect(await bench.acceptedSends()).toHaveLength(1);
  });
});

test('as many recipients as the version takes are accepted in one call', async () => {
  for (const account of ACCOUNTS.filter(({ version }) => version !== 4)) {
    const pattern = bench.open(account).use('pattern');
    const recipients = Array.from(
      { length: pattern.recipientsLimit },
      (_, at) => `9891211${String(at).padStart(5, '0')}`,
    );
    expect((await pattern.sendPattern({ ...REQUEST, recipients })).outcome).toBe('accepted');
  }
});
