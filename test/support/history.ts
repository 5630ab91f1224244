import type { FaultRule } from '../../src/sandbox/faults.ts';
import { sendForeign } from '../../src/sandbox/world/send.ts';
import { given, type talkIn, type TestAccount } from './talk.ts';
import { DEMO_LINE, type World } from './world.ts';

/* What an account has behind it at the gateway, and what can go wrong when it is asked for. */

export const DAY_MS = 86_400_000;

/** What was sent from the account so many days ago at this time of day, by hand in its panel; gives the message id. */
export function sentBefore(
  { sandbox }: Pick<World, 'sandbox'>,
  { username }: Pick<TestAccount, 'username'>,
  to: string,
  options: { readonly days?: number; readonly text?: string; readonly line?: string } = {},
): string {
  const { days = 0, text = 'Hello', line = DEMO_LINE } = options;
  const request = { from: line, recipients: [to], message: text, flash: false };
  // Just now is not over yet: a moment ago is.
  const at = Date.now() - days * DAY_MS - 2000;
  const made = sendForeign(sandbox.world, given(sandbox.world.account(username)), { ...request, at });
  if ('refused' in made) throw new Error(`refused: ${made.refused}`);
  return String(made.firstId);
}

/** People with an account, what was sent from it before, and what it is asked. */
export function historyIn(world: World, talk: ReturnType<typeof talkIn>) {
  return {
    async linked(language_code = 'en', seed: Partial<TestAccount> = {}) {
      const sara = world.driver.user({ first_name: 'Sara', language_code });
      const account = talk.account(seed);
      await talk.connects(sara, { apiKey: account.apiKey });
      return { sara, account };
    },
    sent: (account: TestAccount, to: string, options?: Parameters<typeof sentBefore>[3]) =>
      sentBefore(world, account, to, options),
    harm: ({ username }: TestAccount, rule: FaultRule) =>
      world.sandbox.faults.add({ ...rule, account: username }),
    calls: ({ username }: TestAccount, operation: string) =>
      talk.hits(username).filter((hit) => hit.operation === operation),
  };
}

/** The three ways in which a question has no answer, and what a person is told. */
export const GATEWAY_ERRORS = [
  { name: 'refuses', rule: { kind: 'error', status: 401 }, says: 'The gateway refused' },
  { name: 'does not answer', rule: { kind: 'reset' }, says: 'did not answer' },
  { name: 'answers nonsense', rule: { kind: 'body', text: '{"a":1}' }, says: 'cannot read' },
] as const satisfies readonly { name: string; rule: FaultRule; says: string }[];

/** Different numbers; those below 80 all get delivered. */
export function mobile(n: number): string {
  return `0912${String(1_111_111 + n)}`;
}
