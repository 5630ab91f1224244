import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Secret } from '../../src/domain/secret.ts';
import { createGateway } from '../../src/gateway/compose.ts';
import type { Facets } from '../../src/ports/gateway.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { OPERATION_NAMES, OPERATIONS, type Known, type OperationName } from './operations.ts';

/** An answer as the sandbox gave it. */
interface Recorded {
  readonly version: number;
  readonly operation: OperationName;
  readonly httpStatus: number;
  readonly body: string;
}

const VERSIONS = [3, 1, 4] as const;
const START_MS = 1_700_000_000_000;
const CREDENTIALS = {
  3: { apiKey: new Secret('sandbox-key-demo') },
  1: { token: new Secret('sandbox-token-demo') },
  4: { apiKey: new Secret('sandbox-key-demo') },
} as const;
const LOCKED = {
  3: { apiKey: new Secret('sandbox-key-locked') },
  1: { token: new Secret('sandbox-token-locked') },
  4: { apiKey: new Secret('sandbox-key-locked') },
} as const;

/** Asks the sandbox for everything, by each version, and keeps its answers, those of a locked account too. */
async function record(): Promise<readonly Recorded[]> {
  const sandbox = await startSandbox({ now: () => START_MS });
  const all: Recorded[] = [];
  let now: Pick<Recorded, 'version' | 'operation'> = { version: 3, operation: 'send' };
  const between = async (base: string) => {
    const server = createServer((request, response) => {
      void (async () => {
        const parts: Buffer[] = [];
        for await (const part of request) parts.push(Buffer.from(part as Uint8Array));
        const { method = 'GET', headers } = request;
        const { authorization, token, 'content-type': type } = headers;
        const given = Object.entries({ authorization, token, 'content-type': type });
        const answer = await fetch(`${base}${request.url}`, {
          method,
          headers: given.flatMap(([name, value]): [string, string][] =>
            typeof value === 'string' ? [[name, value]] : [],
          ),
          ...(method === 'GET' ? {} : { body: Buffer.concat(parts) }),
        });
        const body = await answer.text();
        all.push({ ...now, httpStatus: answer.status, body });
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
      })();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
  };
  const rest = await between(sandbox.baseUrl);
  const old = await between(sandbox.wsUrl);
  for (const credentials of [CREDENTIALS, LOCKED]) {
    for (const version of VERSIONS) {
      const gateway = createGateway({
        ...(version === 1 ? { wsUrl: old.url } : { baseUrl: rest.url }),
        credentials: credentials[version],
        versions: [version],
      });
      const facets: Partial<Facets> = new Proxy(
        {},
        {
          get: (_, facet) =>
            gateway.has(facet as keyof Facets) ? gateway.use(facet as keyof Facets) : undefined,
        },
      );
      for (const operation of OPERATION_NAMES) {
        now = { version, operation };
        await Promise.resolve(OPERATIONS[operation](facets, knownFrom(all))).catch(() => undefined);
      }
      await gateway.close();
    }
  }
  rest.server.close();
  old.server.close();
  await sandbox.close();
  return all.filter(
    ({ version, body }, index) =>
      all.findIndex((each) => each.version === version && each.body === body) === index,
  );
}

/** The last ids that an answer had. */
function knownFrom(all: readonly Recorded[]): Known {
  const last = (operations: readonly OperationName[], pattern: RegExp): string =>
    all
      .filter(({ operation }) => operations.includes(operation))
      .map(({ body }) => pattern.exec(body)?.[1])
      .findLast((id) => id !== undefined) ?? '1';
  return {
    id: last(['send', 'latest'], /"(?:messageid|id)":\[?"?(\d+)/u),
    bookId: last(['books', 'bookMake'], /"(?:book_?id|id)":"?(\d+)/u),
  };
}

const recorded = await record();
const path = join(import.meta.dirname, 'corpus/answers.json');
writeFileSync(path, `${JSON.stringify(recorded, null, 2)}\n`);
process.stdout.write(`${recorded.length} answers\n`);
