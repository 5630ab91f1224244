import type { HttpRoute } from '../ports/http.ts';

/** Null when all is well; otherwise why not, in plain words without secrets or versions. */
export type Check = () => Promise<string | null>;

/** `/livez`: the process answers. `/readyz`: it can do its work; 503 with the reasons when it cannot. */
export function healthRoutes(checks: Readonly<Record<string, Check>>): ReadonlyMap<string, HttpRoute> {
  return new Map<string, HttpRoute>([
    ['/livez', async () => ({ status: 200, body: { live: true } })],
    [
      '/readyz',
      async () => {
        const reasons = await reasonsAgainst(checks);
        const ready = reasons.length === 0;
        return { status: ready ? 200 : 503, body: { ready, reasons } };
      },
    ],
  ]);
}

/** Why it is not ready, each with the name of its check; empty when it is. */
export async function reasonsAgainst(checks: Readonly<Record<string, Check>>): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const reason = await check().catch(() => 'the check itself failed');
      return reason === null ? null : `${name}: ${reason}`;
    }),
  );
  return found.filter((reason) => reason !== null);
}
