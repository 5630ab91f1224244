import type { Outgoing, OutgoingKind } from '../../../domain/kinds/index.ts';
import type { SendAnswer, SendFacet, SendHooks, SmsGateway } from '../../../ports/gateway.ts';
import type { AttemptView } from '../../../ports/jobs.ts';

/** Makes the one call of an attempt. */
export type MakeCall = (attempt: AttemptView, hooks: SendHooks) => Promise<SendAnswer>;

/** The facet of the gateway by which a kind leaves, and its call. */
interface Way {
  readonly facet: SendFacet;
  readonly callBy: (gateway: SmsGateway) => MakeCall;
}

type Ways = { readonly [K in OutgoingKind]: (outgoing: Extract<Outgoing, { kind: K }>) => Way };

const ONE: Way = {
  facet: 'sending',
  callBy(gateway) {
    const sending = gateway.use('sending');
    return async ({ line, recipients, text, flash }, hooks) =>
      await sending.send({ line, recipients, text, flash }, hooks);
  },
};

const MANY: Way = {
  facet: 'multi',
  callBy(gateway) {
    const multi = gateway.use('multi');
    return async ({ messages }, hooks) => await multi.sendMany(messages ?? [], hooks);
  },
};

const WAYS: Ways = {
  text: () => ONE,
  // The rows of a file without fields in their text all get the same.
  bulk: ({ summary }) => (summary?.personal === true ? MANY : ONE),
  multi: () => MANY,
  pattern: ({ patternId, variables }) => ({
    facet: 'pattern',
    callBy(gateway) {
      const pattern = gateway.use('pattern');
      return async ({ line, recipients, flash }, hooks) =>
        await pattern.sendPattern({ line, recipients, patternId, variables, flash }, hooks);
    },
  }),
  future: ({ local: at }) => ({
    facet: 'futureSend',
    callBy(gateway) {
      const future = gateway.use('futureSend');
      return async ({ line, recipients, text }, hooks) =>
        await future.sendLater({ line, recipients, text, at }, hooks);
    },
  }),
  book: ({ way, bookId }) => (way === 'expanded' ? ONE : toBook(bookId)),
};

/**
 * The call that carries this kind of draft, through whichever version of the gateway serves it. Throws
 * `gateway_unsupported` where the account can make none.
 */
export function callOf(attempt: Pick<AttemptView, 'outgoing'>, gateway: SmsGateway): MakeCall {
  return wayOf(attempt).callBy(gateway);
}

/** By which facet this kind of draft leaves. */
export function facetOf(attempt: Pick<AttemptView, 'outgoing'>): SendFacet {
  return wayOf(attempt).facet;
}

function wayOf({ outgoing }: Pick<AttemptView, 'outgoing'>): Way {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name has the way of what has that name
  return (WAYS[outgoing.kind] as (outgoing: Outgoing) => Way)(outgoing);
}

function toBook(bookId: string): Way {
  return {
    facet: 'phonebookSend',
    callBy(gateway) {
      const books = gateway.use('phonebookSend');
      // The gateway takes the numbers from the book itself; those of the attempt say who that was when it was confirmed.
      return async ({ line, text, flash }, hooks) =>
        await books.sendToBook({ line, bookId, recipients: [], text, flash }, hooks);
    },
  };
}
