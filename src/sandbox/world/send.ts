import type { Account } from './account.ts';
import { findLine, notOneOf, readRecipient, refuseRecipients } from './numbers.ts';
import { operatorOf } from './operators.ts';
import { messageIds } from './outbox.ts';
import type { SentMessage } from './outbox.ts';
import { countParts } from './parts.ts';
import { isRefusal, refuse } from './refusal.ts';
import type { Refusal } from './refusal.ts';
import type { World } from './world.ts';

/** How many recipients one call takes. */
export const MAX_RECIPIENTS = 200;
/** How many code points a text may have. */
export const MAX_CHARACTERS = 900;

/** One text to many recipients, all still as the client wrote them. */
export type SendRequest = {
  readonly from: string;
  readonly recipients: readonly string[];
  readonly message: string;
  readonly flash: boolean;
  /** Epoch ms, for what is to be sent later. */
  readonly sendAt?: number;
  /** Phonebooks may be longer than a call's list of recipients. */
  readonly anyNumberOfRecipients?: boolean;
};

type Origin = NonNullable<SentMessage['origin']>;
type Checked = Pick<SentMessage, 'line' | 'text' | 'flash' | 'recipients' | 'parts' | 'cost'>;

/**
 * Sends or refuses as a whole. An accepted call is charged parts × the price of its encoding for each recipient,
 * stands in the ledger before this returns, and begins its way to delivery at the world's present time or at
 * `sendAt`. Characters are counted as code points. Blocked recipients are charged like the others.
 */
export function sendMessage(
  world: World,
  account: Account,
  origin: Origin,
  request: SendRequest,
): SentMessage | Refusal {
  const checked = check(account, request);
  if (isRefusal(checked)) return checked;
  if (checked.cost > account.credit) return refuseToPay(checked.cost, account);
  if (request.sendAt !== undefined && request.sendAt <= world.now()) {
    const [then, now] = [request.sendAt, world.now()].map((at) => new Date(at).toISOString());
    return refuse('wrong_send_time', {
      why: `it was to be sent at ${then}, and the gateway's clock is at ${now}`,
    });
  }
  return accept(world, account, checked, { origin, sendAt: request.sendAt });
}

/** Sends several texts, each a call of its own with an id of its own, or refuses all of them. */
export function sendMany(
  world: World,
  account: Account,
  origin: Origin,
  requests: readonly SendRequest[],
): SentMessage[] | Refusal {
  if (requests.length === 0) return refuse('no_recipient');
  const all: Checked[] = [];
  for (const request of requests) {
    const checked = check(account, request);
    if (isRefusal(checked)) return checked;
    all.push(checked);
  }
  const cost = all.reduce((sum, checked) => sum + checked.cost, 0);
  if (cost > account.credit) return refuseToPay(cost, account);
  return all.map((checked) => accept(world, account, checked, { origin }));
}

/**
 * What somebody else sends from the same account, in its web panel perhaps: it is charged and listed like any
 * other message, but it is no call of this interface, so the ledger does not know it. `at` is epoch ms.
 */
export function sendForeign(
  world: World,
  account: Account,
  { at = world.now(), ...request }: SendRequest & { readonly at?: number },
): SentMessage | Refusal {
  const checked = check(account, request);
  if (isRefusal(checked)) return checked;
  if (checked.cost > account.credit) return refuseToPay(checked.cost, account);
  return accept(world, account, checked, { sentAt: at });
}

function check(account: Account, request: SendRequest): Checked | Refusal {
  const { message: text, flash } = request;
  if (request.recipients.length === 0) return refuse('no_recipient');
  if (request.recipients.length > MAX_RECIPIENTS && request.anyNumberOfRecipients !== true)
    return refuse('too_many_recipients', {
      why: `${request.recipients.length} recipients, and one call takes ${MAX_RECIPIENTS}`,
    });
  if (text.trim() === '') return refuse('empty_message');
  const characters = Array.from(text).length;
  if (characters > MAX_CHARACTERS) {
    const why = `the text has ${characters} characters, and ${MAX_CHARACTERS} are allowed`;
    return refuse('message_too_long', { why });
  }
  const recipients = request.recipients.map(readRecipient).filter((digits) => digits !== undefined);
  if (recipients.length < request.recipients.length) return refuseRecipients(request.recipients);
  const line = findLine(account.lines, request.from);
  if (line === undefined) return refuse('unknown_line', { why: notOneOf(account.lines, request.from) });
  const { encoding, parts } = countParts(text);
  const { operators, ...price } = account.price;
  const priceOf = (recipient: string) => operators?.[operatorOf(recipient)]?.[encoding] ?? price[encoding];
  const cost = recipients.reduce((sum, recipient) => sum + parts * priceOf(recipient), 0);
  return { line, text, flash, recipients, parts, cost };
}

function refuseToPay(cost: number, { credit }: Account): Refusal {
  return refuse('insufficient_credit', { why: `it costs ${cost} rial, and the credit is ${credit}` });
}

function accept(
  world: World,
  account: Account,
  checked: Checked,
  how: { origin?: Origin; sendAt?: number | undefined; sentAt?: number },
): SentMessage {
  const { line, text, flash, recipients, parts, cost } = checked;
  const { idsMode } = account;
  const acceptedAt = how.sentAt ?? world.now();
  const { textSuffix } = world.switches;
  const blocked = new Set(recipients.filter((one) => account.blacklist.has(line, one)));
  const sent: SentMessage = {
    ...checked,
    firstId: world.takeIds(idsMode === 'call' ? 1 : recipients.length, how.sentAt, account),
    idsMode,
    sentAt: how.sendAt ?? acceptedAt,
    ...(how.sendAt === undefined ? {} : { acceptedAt }),
    ...(account.delivery === undefined ? {} : { delivery: account.delivery }),
    ...(how.origin === undefined
      ? {}
      : { origin: { version: how.origin.version, operation: how.origin.operation } }),
    ...(textSuffix === '' ? {} : { listedText: text + textSuffix }),
    ...(blocked.size === 0 ? {} : { blocked }),
  };
  if (how.origin !== undefined) {
    world.ledger.recordSend({
      at: world.realNow(),
      gatewayTime: Math.floor(acceptedAt / 1000),
      account: account.username,
      version: how.origin.version,
      operation: how.origin.operation,
      line,
      text,
      flash,
      recipients,
      messageIds: messageIds(sent).map(String),
      parts,
      cost,
      ...(how.sendAt === undefined ? {} : { scheduledFor: Math.floor(how.sendAt / 1000) }),
    });
  }
  account.credit -= cost;
  account.outbox.add(sent);
  return sent;
}
