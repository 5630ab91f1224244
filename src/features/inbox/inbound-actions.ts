import { AppError } from '../../domain/errors.ts';
import { parseRecipients } from '../../domain/phone.ts';
import { standingOf } from '../../domain/talk.ts';
import type { InboundView } from '../../ports/inbound.ts';
import type { AuditStore } from '../../ports/stores.ts';
import type { Blacklisting, BlacklistChange, BlacklistPlace, DutyStore } from '../../ports/two-way.ts';
import type { Action } from '../../telegram/action.ts';
import { defineCommand, type Command } from '../../telegram/feature.ts';
import { lines } from '../../telegram/html.ts';
import { refusalText } from '../../telegram/refusal-texts.ts';
import type { Turn } from '../../telegram/turn.ts';
import { recipientArgument } from '../shared/shared-arguments.ts';
import { inboxActions } from './actions.ts';
import { contactNameArgument } from './arguments.ts';
import { isMaskedFor, shownSender } from './inbound-card.ts';
import { inboundTexts } from './inbound-texts.ts';
import { createReplying, type Replying, type ReplyDeps } from './reply-actions.ts';

export interface InboundActionDeps extends ReplyDeps {
  readonly duties: Pick<DutyStore, 'note'>;
  readonly blacklisting: Blacklisting;
  readonly audit: AuditStore;
}

/** What people do with the card of a received message. */
export function createInboundActions(deps: InboundActionDeps): Replying {
  const { inbound, talks, notices, rules, duties, blacklisting, audit } = deps;
  const replying = createReplying(deps);

  /** The message of a button of this chat's; the chat's account may be another one by now. */
  const messageHere = async (turn: Turn, id: number): Promise<InboundView> => {
    const view = await inbound.of(id);
    if (view === null || view.chatId !== turn.chat.id)
      throw new AppError('stale', 'a received message is not there');
    return view;
  };

  const placeOf = (turn: Turn, view: InboundView): BlacklistPlace => {
    if (turn.binding?.id !== view.bindingId)
      throw new AppError(turn.binding === null ? 'not_connected' : 'stale', 'the account has changed');
    const [number = view.talk.number] = parseRecipients(view.talk.number).recipients;
    return { bindingId: view.bindingId, line: view.line, number };
  };

  const showAgain = async (talkId: string): Promise<void> =>
    await notices.refresh({ inboundIds: await talks.cards(talkId) });

  /** What a call to the blacklist came to: for the audit, the cards, and whoever asked. */
  const conclude = async (
    turn: Turn,
    view: InboundView,
    change: BlacklistChange,
    what: 'on' | 'off',
  ): Promise<void> => {
    const t = inboundTexts(turn.locale);
    const { outcome, failure } = change;
    if (failure !== null)
      turn.log.warn({ err: failure.error, outcome }, 'a change of a blacklist did not end well');
    const { number, line } = placeOf(turn, view);
    try {
      if (outcome !== 'not_done')
        await audit.add({
          chatId: turn.chat.id,
          personId: turn.person.id,
          updateId: turn.updateId,
          ...(what === 'on'
            ? { action: 'blacklist_added', details: { line, ...ADDED[outcome] } }
            : { action: 'blacklist_removed', details: { line, number, outcome: REMOVED[outcome] } }),
        });
    } finally {
      await turn.say(
        lines(
          t.asked(what, outcome, shownSender(view.sender, await isMaskedFor(turn, rules)), line),
          failure !== null && failure.refusal !== '' && t.refused(refusalText(turn.locale, failure.refusal)),
          failure !== null && t.again,
        ),
      );
    }
  };

  const ownActions: readonly Action[] = [
    inboxActions.take.does(async (turn, { id, anyway }) => {
      const view = await messageHere(turn, id);
      const talk = await talks.take(view.talk.id, turn.person.id, anyway);
      await showAgain(view.talk.id);
      const { takenBy } = standingOf(talk ?? view.talk, view.capturedAt);
      const at = talk?.takenAt ?? null;
      if (takenBy === null || takenBy.id === turn.person.id || at === null) return;
      const ago = turn.format.relative(at, deps.clock.now());
      await turn.say(inboundTexts(turn.locale).takenFirst(takenBy.name, ago));
    }),
    inboxActions.done.does(async (turn, { id, done }) => {
      const view = await messageHere(turn, id);
      await talks.done(view.talk.id, turn.person.id, done);
      await showAgain(view.talk.id);
    }),
    inboxActions.block.does(async (turn, { id }) => {
      const t = inboundTexts(turn.locale);
      const view = await messageHere(turn, id);
      const { line } = placeOf(turn, view);
      const sender = shownSender(view.sender, await isMaskedFor(turn, rules));
      const mine = { personId: turn.person.id };
      const { blockYes } = inboxActions;
      await turn.say(t.askBlock(sender, line), {
        buttons: [
          [
            blockYes.button(t.blockYes, { id, choice: 'block' }, { ...mine, style: 'danger' }),
            blockYes.button(t.cancel, { id, choice: 'cancel' }, mine),
          ],
        ],
      });
    }),
    inboxActions.blockYes.does(async (turn, { id, choice }) => {
      const t = inboundTexts(turn.locale);
      const view = await messageHere(turn, id);
      if (choice === 'cancel') return await turn.rewrite(t.left);
      const place = placeOf(turn, view);
      await turn.rewrite(t.blocking);
      // A press that is handled again after a crash looks first: nothing is added twice.
      const change = await blacklisting.add(place, true);
      await duties.note(id, { block: { by: turn.person.name, outcome: change.outcome } });
      await conclude(turn, view, change, 'on');
    }),
    inboxActions.undo.does(async (turn, { id, to }) => {
      const view = await messageHere(turn, id);
      const place = placeOf(turn, view);
      const change = to === 'off' ? await blacklisting.remove(place) : await blacklisting.add(place, true);
      // What surely changed nothing leaves the button where it is.
      if (change.outcome === 'not_done') await showAgain(view.talk.id);
      else await duties.note(id, { undo: { by: turn.person.name, outcome: change.outcome } });
      await conclude(turn, view, change, to);
    }),
  ];

  const name: Command = defineCommand({
    name: 'name',
    permission: 'inbox.reply',
    about: (locale) => inboundTexts(locale).aboutName,
    example: (locale) => inboundTexts(locale).exampleName,
    args: { number: recipientArgument, name: contactNameArgument },
    run: async (turn, { number, name: called }) => {
      const t = inboundTexts(turn.locale);
      await talks.name(turn.chat.id, number, called, turn.person.id);
      const shown = shownSender(number, false);
      await turn.say(called === null ? t.unnamed(shown) : t.named(shown, called));
    },
  });

  return {
    commands: [...replying.commands, name],
    actions: [...ownActions, ...replying.actions],
    replied: replying.replied,
  };
}

const NONE = { added: 0, already: 0, worded: 0, unknown: 0, not_added: 0 } as const;
const ADDED = {
  done: { ...NONE, added: 1 },
  already: { ...NONE, already: 1 },
  unclear: { ...NONE, worded: 1 },
  unknown: { ...NONE, unknown: 1 },
} as const;
const REMOVED = { done: 'removed', already: 'not_there', unclear: 'unknown', unknown: 'unknown' } as const;
