import type { Outgoing, OutgoingKind } from '../../../domain/kinds/index.ts';
import type { SendAnswer, SendHooks, SmsGateway } from '../../../ports/gateway.ts';
import type { AttemptView } from '../../../ports/jobs.ts';

/** Makes the one call of an attempt. */
export type MakeCall = (attempt: AttemptView, hooks: SendHooks) => Promise<SendAnswer>;

type CallsOf<O> = (outgoing: O, gateway: SmsGateway) => MakeCall;

type Calls = { readonly [K in OutgoingKind]: CallsOf<Extract<Outgoing, { kind: K }>> };

const CALLS: Calls = {
  text: (_outgoing, gateway) => sendOne(gateway),
  // The rows of a file without fields in their text all get the same.
  bulk: ({ summary }, gateway) => (summary?.personal === true ? sendMany(gateway) : sendOne(gateway)),
  multi: (_outgoing, gateway) => sendMany(gateway),
  pattern: ({ patternId, variables }, gateway) => {
    const pattern = gateway.use('pattern');
    return async ({ line, recipients, flash }, hooks) =>
      await pattern.sendPattern({ line, recipients, patternId, variables, flash }, hooks);
  },
  future: ({ local: at }, gateway) => {
    const future = gateway.use('futureSend');
    return async ({ line, recipients, text }, hooks) =>
      await future.sendLater({ line, recipients, text, at }, hooks);
  },
  book: ({ way, bookId }, gateway) => {
    if (way === 'expanded') return sendOne(gateway);
    const books = gateway.use('phonebookSend');
    // The gateway takes the numbers from the book itself; those of the attempt say who that was when it was confirmed.
    return async ({ line, text, flash }, hooks) =>
      await books.sendToBook({ line, bookId, recipients: [], text, flash }, hooks);
  },
};

/**
 * The call that carries this kind of draft, through whichever version of the gateway serves it. Throws
 * `gateway_unsupported` where the account can make none.
 */
export function callOf({ outgoing }: Pick<AttemptView, 'outgoing'>, gateway: SmsGateway): MakeCall {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name has the calls of what has that name
  return (CALLS[outgoing.kind] as CallsOf<Outgoing>)(outgoing, gateway);
}

function sendOne(gateway: SmsGateway): MakeCall {
  const sending = gateway.use('sending');
  return async ({ line, recipients, text, flash }, hooks) =>
    await sending.send({ line, recipients, text, flash }, hooks);
}

function sendMany(gateway: SmsGateway): MakeCall {
  const multi = gateway.use('multi');
  return async ({ messages }, hooks) => await multi.sendMany(messages ?? [], hooks);
}
