import type { SendAnswer, SendHooks, SmsGateway } from '../../ports/gateway.ts';
import type { AttemptView } from '../../ports/jobs.ts';

/** Makes the one call of an attempt. */
export type MakeCall = (attempt: AttemptView, hooks: SendHooks) => Promise<SendAnswer>;

/**
 * The call that carries this kind of draft, through whichever version of the gateway serves it. Throws
 * `gateway_unsupported` where the account can make none.
 */
export function callOf({ outgoing }: Pick<AttemptView, 'outgoing'>, gateway: SmsGateway): MakeCall {
  switch (outgoing.kind) {
    case 'bulk':
    case 'multi': {
      // The rows of a file without fields in their text all get the same.
      if (outgoing.kind === 'bulk' && outgoing.summary?.personal !== true) break;
      const multi = gateway.use('multi');
      return async ({ messages }, hooks) => await multi.sendMany(messages ?? [], hooks);
    }
    case 'pattern': {
      const pattern = gateway.use('pattern');
      const { patternId, variables } = outgoing;
      return async ({ line, recipients, flash }, hooks) =>
        await pattern.sendPattern({ line, recipients, patternId, variables, flash }, hooks);
    }
    case 'future': {
      const future = gateway.use('futureSend');
      return async ({ line, recipients, text }, hooks) =>
        await future.sendLater({ line, recipients, text, at: outgoing.local }, hooks);
    }
    case 'book': {
      if (outgoing.way === 'expanded') break;
      const books = gateway.use('phonebookSend');
      // The gateway takes the numbers from the book itself; those of the attempt say who that was when it was confirmed.
      return async ({ line, text, flash }, hooks) =>
        await books.sendToBook({ line, bookId: outgoing.bookId, recipients: [], text, flash }, hooks);
    }
    case 'text':
  }
  const sending = gateway.use('sending');
  return async ({ line, recipients, text, flash }, hooks) =>
    await sending.send({ line, recipients, text, flash }, hooks);
}
