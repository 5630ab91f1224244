import type { Locale } from '../../i18n/define.ts';
import { createFormat } from '../../i18n/format.ts';
import type { PhonebookChange, PhonebookWork } from '../../ports/phonebook-changes.ts';
import type { Log } from '../../ports/runtime.ts';
import type { Buttons } from '../../telegram/buttons.ts';
import { lines, type Html } from '../../telegram/html.ts';
import type { Notifier } from '../../telegram/outgoing/notifier.ts';
import { refusalReason, refusalText } from '../../telegram/refusal-texts.ts';
import { phonebookActions } from './actions.ts';
import { changeTexts } from './change-texts.ts';
import type { Outcome, Why } from './outcome.ts';
import type { ChangeCard } from './changer.ts';

export interface ChangeCards {
  open(change: PhonebookChange, work: PhonebookWork): ChangeCard;
}

/** The message of a confirmed change: what is known while it runs, and what became of it. */
export function createChangeCards(deps: { readonly notifier: Notifier; readonly log: Log }): ChangeCards {
  return {
    open(change, { messageId: first, threadId, locale }) {
      let messageId = first;
      let waiting: Html | null = null;
      let showing: Promise<void> | null = null;
      let ended = false;

      const show = async (content: Html, buttons: Buttons, isProgress: boolean): Promise<void> => {
        const isLast = ended;
        messageId =
          (await deps.notifier.show(
            { chatTelegramId: change.chatTelegramId, threadId, messageId },
            {
              chatId: change.chatId,
              locale,
              content,
              buttons,
              isProgress,
              goAhead: () => isLast || !ended,
            },
          )) ?? messageId;
      };
      const drain = async (): Promise<void> => {
        for (let next = waiting; next !== null && !ended; next = waiting) {
          waiting = null;
          await show(next, [], true);
        }
      };
      const later = (content: Html): void => {
        waiting = content;
        showing ??= drain()
          .catch((error: unknown) => {
            deps.log.info({ err: error, change: change.id }, 'the progress of a change was not shown');
          })
          .finally(() => {
            showing = null;
          });
      };

      return {
        begin: () => later(workingText(change, locale, null)),
        progress: (done) => later(workingText(change, locale, done)),
        async end(outcome) {
          // Without a message yet, the one that is on its way is the one to edit.
          if (messageId === null && showing !== null) await showing;
          ended = true;
          await show(outcomeText(change, outcome, locale), buttonsFor(change, outcome, locale), false);
        },
      };
    },
  };
}

function workingText(change: PhonebookChange, locale: Locale, done: number | null): Html {
  const t = changeTexts(locale);
  const { number } = createFormat(locale, 'UTC');
  const soFar = change.kind === 'remove' ? t.soFarOut : t.soFarIn;
  return lines(
    t.working[change.kind](change.title),
    done !== null && change.kind !== 'delete' && soFar(number(done), number(change.numbers.length)),
  );
}

function outcomeText(change: PhonebookChange, outcome: Outcome, locale: Locale): Html {
  const t = changeTexts(locale);
  const { kind, title, personName: by } = change;
  const { count, number } = createFormat(locale, 'UTC');
  const all = count(change.numbers.length, t.numbers);
  switch (outcome.kind) {
    case 'done': {
      if (kind === 'delete') return t.deleted(title, all, by);
      if (outcome.total === null) return t.doneUnread[kind](title, all, by);
      return t.done[kind](title, count(outcome.total, t.numbers), number(change.numbers.length), by);
    }
    case 'deleted':
      if (outcome.how === 'was_gone') return t.wasGone(title);
      return outcome.how === 'seen' ? t.seenDeleted(title, all) : t.deleted(title, all, by);
    case 'taken':
      return t.taken(title);
    case 'no_book': {
      const what = { no: t.notMade, maybe: t.maybeMade, yes: t.madeUnseen }[outcome.made];
      const done = count(outcome.done, t.numbers);
      return lines(what(title, done), whyText(outcome.why, locale), outcome.made !== 'no' && t.remedyBook);
    }
    case 'numbers_left': {
      const isOut = kind === 'remove';
      const line = (amount: number, text: (count: string) => Html): Html | false =>
        amount > 0 && text(number(amount));
      return lines(
        t.stopped[kind === 'delete' ? 'remove' : kind](title),
        whyText(outcome.why, locale),
        line(outcome.done, isOut ? t.areOut : t.areIn),
        line(outcome.left, isOut ? t.stillIn : t.notIn),
        line(outcome.unknown, isOut ? t.notKnownOut : t.notKnownIn),
        isHopeless(outcome) ? false : isOut ? t.remedyOut : t.remedyIn,
      );
    }
    case 'not_deleted':
      return lines(
        outcome.found !== null
          ? t.maybeStillThere(title, count(outcome.found, t.numbers))
          : outcome.maybe
            ? t.maybeDeleted(title)
            : t.notDeleted(title),
        whyText(outcome.why, locale),
        outcome.maybe && !isHopeless(outcome) && t.remedyDelete,
      );
  }
}

function buttonsFor(change: PhonebookChange, outcome: Outcome, locale: Locale): Buttons {
  const t = changeTexts(locale);
  const over = outcome.kind === 'done' || outcome.kind === 'deleted' || outcome.kind === 'taken';
  if (over || isHopeless(outcome)) return [];
  const isPartial = outcome.kind === 'numbers_left' || (outcome.kind === 'no_book' && outcome.made === 'yes');
  return [
    [
      phonebookActions.resume.button(
        isPartial ? t.goOn : t.tryAgain,
        { changeId: change.id },
        {
          personId: change.personId,
          ...(change.kind === 'delete' ? { permission: 'books.delete' as const } : {}),
        },
      ),
    ],
  ];
}

function isHopeless(outcome: Outcome): boolean {
  return 'why' in outcome && (outcome.why.kind === 'book_gone' || outcome.why.kind === 'grown');
}

function whyText(why: Why, locale: Locale): Html {
  const t = changeTexts(locale);
  if (why.kind !== 'refused') return t.withCorrelation[why.kind];
  // What the card's own button does is no remedy for an account that is refused.
  const isAccount = why.name === 'not_authorized' || why.name.startsWith('user_');
  return t.refused((isAccount ? refusalText : refusalReason)(locale, why.name));
}
