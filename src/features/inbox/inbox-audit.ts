import { lastDays, type DaySpan, type InboxFacts } from '../../domain/inbound.ts';
import type { Counts } from '../../ports/gateway.ts';
import type { Stores } from '../../storage/stores.ts';

export interface AuditOptions {
  readonly counts: Pick<Counts, 'received'>;
  readonly inbound: Pick<Stores['inbound'], 'counted'>;
  readonly accountId: string;
  readonly timeZone: string;
  readonly now: Date;
  /** Reads everything again. */
  readonly rescan: () => Promise<void>;
  readonly mayGoOn: () => Promise<boolean>;
}

type Day = Extract<InboxFacts, { reason: 'counts' }>['days'][number];

const DAYS = 7;

/**
 * Holds the last seven days against the gateway's own counts. The days of which messages are missing even after
 * everything was read again; more than the gateway counts is no fault, for messages can be deleted there. Null when
 * the account went to somebody else.
 */
export async function auditInbox(options: AuditOptions): Promise<readonly Day[] | null> {
  const { accountId, inbound, counts, timeZone, now, rescan, mayGoOn } = options;
  const storedOn = async ({ from, to }: DaySpan) =>
    await inbound.counted(accountId, { from: new Date(from * 1000), to: new Date(to * 1000) });

  const compare = async (span: DaySpan): Promise<Day | null> => {
    const { day, from, to } = span;
    const read = await counts.received({ from, to, read: true });
    const unread = await counts.received({ from, to, read: false });
    // Counted first: what comes in between is stored and not counted, never the other way round.
    const stored = await storedOn(span);
    return stored < read + unread ? { day, stored, counted: read + unread } : null;
  };

  const short: { readonly span: DaySpan; readonly found: Day }[] = [];
  for (const span of lastDays(now, timeZone, DAYS)) {
    if (!(await mayGoOn())) return null;
    const found = await compare(span);
    if (found !== null) short.push({ span, found });
  }
  if (short.length === 0) return [];
  await rescan();
  const missing: Day[] = [];
  for (const { span, found } of short) {
    const stored = await storedOn(span);
    if (stored < found.counted) missing.push({ ...found, stored });
  }
  return missing;
}
