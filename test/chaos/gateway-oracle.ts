import { z } from 'zod';
import { askJson } from './http-json.ts';
import { readNew } from './read-new.ts';
import type { Rule } from './strikes.ts';

/** One call that the gateway accepted: what really went out. */
const Acceptance = z.object({
  kind: z.literal('send'),
  number: z.number(),
  at: z.number(),
  account: z.string(),
  line: z.string(),
  text: z.string(),
  flash: z.boolean(),
  recipients: z.array(z.string()),
  messageIds: z.array(z.string()),
});
export type Acceptance = z.output<typeof Acceptance>;

const Switches = z.looseObject({ dateOffsetSeconds: z.number() });

const Blocked = z.looseObject({ return: z.looseObject({ status: z.literal(200) }) });

export interface GatewayAccount {
  readonly username: string;
  readonly password: string;
  readonly line: string;
  /** Lines beside the one that is sent from. */
  readonly otherLines?: readonly string[];
  readonly apiKey?: string;
  readonly token?: string;
}

/** A call by the wrong account would be refused, and not seen, if no other could send from its line. */
const EVERYBODYS_LINES = Array.from({ length: 8 }, (_, index) => `30007770${index + 1}`);

/** The sandbox as another process sees it: its interface and that of its admin, and the file of its ledger. */
export function createGatewayOracle(
  { adminUrl, baseUrl }: { readonly adminUrl: string; readonly baseUrl: string },
  ledgerFile: string,
) {
  const accepted: Acceptance[] = [];
  let offset = 0;
  return {
    addAccount: async (
      account: GatewayAccount,
      idsMode: 'call' | 'recipient',
      books: readonly { readonly title: string; readonly numbers: readonly string[] }[],
    ): Promise<void> => {
      const { line, otherLines = [], ...rest } = account;
      await askJson('POST', `${adminUrl}/accounts`, {
        ...rest,
        lines: [...new Set([line, ...otherLines, ...EVERYBODYS_LINES])],
        phonebooks: books.map(({ title, numbers }) => ({ title, flag: title, numbers })),
        credit: 2_000_000_000_000,
        idsMode,
      });
    },
    /** Puts numbers on the blacklist of the account's line, as its own panel does. */
    block: async ({ apiKey, line }: GatewayAccount, numbers: readonly string[]): Promise<void> => {
      const to = numbers.map((each) => `0${each}`).join(',');
      const path = `/api/v4/${apiKey ?? ''}/line/blocked/add.json?number=${line}&to=${to}`;
      Blocked.parse(await askJson('GET', `${baseUrl}${path}`));
    },
    fault: async (rule: Rule): Promise<void> => {
      await askJson('POST', `${adminUrl}/faults`, rule);
    },
    clearFaults: async (): Promise<void> => {
      await askJson('DELETE', `${adminUrl}/faults`);
    },
    setSwitches: async (change: Rule): Promise<void> => {
      await askJson('POST', `${adminUrl}/switches`, change);
    },
    /** Moves every date that the lists show. */
    shiftDates: async (seconds: number): Promise<void> => {
      const { dateOffsetSeconds } = Switches.parse(await askJson('GET', `${adminUrl}/switches`));
      await askJson('POST', `${adminUrl}/switches`, { dateOffsetSeconds: dateOffsetSeconds + seconds });
    },
    /** Every acceptance so far, oldest first, as the disk has it. */
    acceptances: (): readonly Acceptance[] => {
      const { text, next } = readNew(ledgerFile, offset);
      offset = next;
      for (const line of text.split('\n'))
        if (line.startsWith('{"kind":"send"')) accepted.push(Acceptance.parse(JSON.parse(line)));
      return accepted;
    },
  };
}

export type GatewayOracle = ReturnType<typeof createGatewayOracle>;
