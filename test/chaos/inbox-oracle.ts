import { z } from 'zod';
import type { GatewayAccount } from './gateway-oracle.ts';
import { askText } from './http-json.ts';
import { readNew } from './read-new.ts';

/** A received message as the gateway's own list shows it. */
export interface ListedMessage {
  readonly id: string;
  readonly text: string;
  readonly sender: string;
  readonly line: string;
  /** Epoch seconds. */
  readonly date: number;
}

const PAGE_SIZE = 200;
const Page = z.looseObject({
  entries: z.array(
    z.object({
      messageid: z.string(),
      message: z.string(),
      from: z.string(),
      to: z.string(),
      date: z.coerce.number(),
    }),
  ),
  current: z.looseObject({ totalpages: z.coerce.number() }),
});
const Fetched = z.looseObject({ entries: z.array(z.unknown()).nullish() });
const Hit = z.looseObject({
  operation: z.string().nullable(),
  account: z.string().nullable(),
  path: z.string(),
});
/** By this in the path the ledger tells the other program's calls from Peyk's; the gateway does not mind. */
const OTHER = '//';

/** The inbox of the sandbox as its other users see it, past every proxy. */
export function createInboxOracle(of: {
  readonly adminUrl: string;
  readonly baseUrl: string;
  readonly ledgerFile: string;
}) {
  const { adminUrl, baseUrl, ledgerFile } = of;
  const fetches = new Map<string, number>();
  let offset = 0;

  const ask = async (account: GatewayAccount, operation: string, query: Record<string, string>) => {
    const address = `${baseUrl}/api/v4/${account.apiKey}/sms/${operation}.json`;
    return await askText('GET', `${address}?${new URLSearchParams(query).toString()}`);
  };

  return {
    /** Somebody writes to a line. Resolves to the id of the message, which is in the inbox then. */
    arrive: async (
      account: GatewayAccount,
      message: { readonly sender: string; readonly line: string; readonly text: string },
    ): Promise<string> => {
      const { sender: from, line, text } = message;
      const said = { account: account.username, from, line, message: text };
      return /\d+/u.exec(await askText('POST', `${adminUrl}/inbound`, said))?.[0] ?? '';
    },
    /** Fetches unread messages, which are read from then on. Returns how many. */
    fetch: async (account: GatewayAccount, version: 3 | 4, line: string | null): Promise<number> => {
      const number: Record<string, string> = line === null ? {} : { number: line };
      const text =
        version === 4
          ? await ask(account, `${OTHER}receive`, number)
          : await askText('POST', `${baseUrl}/api/v3/rest/sms${OTHER}receive`, number, {
              token: account.apiKey ?? '',
            });
      return Fetched.parse(JSON.parse(text)).entries?.length ?? 0;
    },
    /** Everything that the account has received. */
    list: async (account: GatewayAccount): Promise<ListedMessage[]> => {
      const found: ListedMessage[] = [];
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const text = await ask(account, 'inboxpaged', { page: String(page), pagesize: String(PAGE_SIZE) });
        // Ids are longer than a number can be.
        const { entries, current } = Page.parse(
          JSON.parse(text.replaceAll(/"messageid":(\d+)/gu, '"messageid":"$1"')),
        );
        pages = current.totalpages;
        for (const { messageid: id, message, from, to, date } of entries)
          found.push({ id, text: message, sender: from, line: to, date });
      }
      return found;
    },
    /** How often Peyk has fetched each account's messages, by its user name, so far. */
    fetchesOfPeyk: (): ReadonlyMap<string, number> => {
      const { text, next } = readNew(ledgerFile, offset);
      offset = next;
      for (const line of text.split('\n')) {
        if (!line.startsWith('{"kind":"hit"') || !line.includes('"receive"')) continue;
        const { operation, account, path } = Hit.parse(JSON.parse(line));
        if (operation === 'receive' && account !== null && !path.includes(OTHER))
          fetches.set(account, (fetches.get(account) ?? 0) + 1);
      }
      return fetches;
    },
  };
}

export type InboxOracle = ReturnType<typeof createInboxOracle>;
