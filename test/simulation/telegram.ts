import type { ActionButton, Buttons } from '../../src/telegram/buttons.ts';
import { LeftOut } from '../../src/telegram/outgoing/errors.ts';
import type { MessageRef, Notifier, RenderedCard } from '../../src/telegram/outgoing/notifier.ts';
import type { Draws } from './draws.ts';
import type { Scheduler } from './scheduler.ts';

/** A button as it stands in the chat; once it was pressed nobody else gets through by it. */
interface SeenButton extends ActionButton {
  pressedBy: number | null;
  /** In ms since the simulation began. */
  pressedAt: number;
}

export interface SeenMessage {
  readonly id: number;
  /** The chat in which it stands. */
  readonly chat: number;
  markup: string;
  /** What was asked for, to be compared. */
  print: string;
  buttons: SeenButton[];
  /** When the database was told of them. */
  armedAt: number;
}

export interface SimulatedTelegram {
  /** What stands in the chat, the oldest first. */
  readonly messages: ReadonlyMap<number, SeenMessage>;
  /** Cards that were sent and whose message nobody was told of: they stand there for ever. */
  readonly orphans: ReadonlySet<number>;
  notifier(owner: string): Notifier;
  say(owner: string, chat: number, card: RenderedCard): Promise<number>;
  disarm(owner: string, messageId: number): Promise<void>;
  /** From now on it takes everything at once. */
  calm(): void;
  /** The database has forgotten all buttons since then, and who has pressed one. */
  forget(since: number): void;
}

/** A chat that shows late, holds back, and at times does not say what it did. */
export function createTelegram(scheduler: Scheduler, draws: Draws, loses: number): SimulatedTelegram {
  const messages = new Map<number, SeenMessage>();
  const orphans = new Set<number>();
  const editing = new Map<string, Promise<void>>();
  let [last, isCalm] = [0, false];
  let [lostFrom, lostAt] = [0, 0];

  const soon = (name: string): number => 20 + draws.of(name) ** 4 * (isCalm ? 200 : 4000);
  const goesWrong = (name: string): boolean => draws.happens(name, loses) && !isCalm;

  function post(chat: number, card: RenderedCard, armedAt: number): number {
    last += 1;
    messages.set(last, { id: last, chat, ...shown(card, armedAt) });
    return last;
  }

  function shown({ content, buttons }: RenderedCard, armedAt: number): Omit<SeenMessage, 'id' | 'chat'> {
    const actions = buttons.flat().filter((each) => each !== null && each !== undefined && each !== false);
    const isVoid = armedAt > lostFrom && armedAt <= lostAt;
    return {
      markup: content.markup,
      print: printOf({ content, buttons }),
      buttons: actions.flatMap((each) =>
        'action' in each && !isVoid ? [{ ...each, pressedBy: null, pressedAt: 0 }] : [],
      ),
      armedAt,
    };
  }

  /** One edit of a message after the other, in each process: Telegram may still carry out those of two in any order. */
  async function edit(
    owner: string,
    messageId: number,
    card: RenderedCard,
    goAhead: () => boolean,
    armedAt: number,
  ): Promise<boolean> {
    const name = `${owner} ${messageId}`;
    const before = editing.get(name);
    const mine = Promise.withResolvers<undefined>();
    editing.set(name, mine.promise);
    try {
      await before;
      if (!goAhead()) return false;
      await scheduler.wait(owner, soon('edit'), 'an edit');
      const message = messages.get(messageId);
      if (message !== undefined) Object.assign(message, shown(card, armedAt));
      await scheduler.wait(owner, soon('edited'), 'an edit is answered');
      return message !== undefined;
    } finally {
      mine.resolve(undefined);
    }
  }

  const say = async (owner: string, chat: number, card: RenderedCard): Promise<number> => {
    const armedAt = scheduler.now();
    await scheduler.wait(owner, soon('say'), 'a message');
    const id = post(chat, card, armedAt);
    await scheduler.wait(owner, soon('said'), 'a message is answered');
    return id;
  };

  const disarm = async (owner: string, messageId: number): Promise<void> => {
    await scheduler.wait(owner, soon('disarm'), 'buttons are taken away');
    const message = messages.get(messageId);
    if (message !== undefined) message.buttons = [];
  };

  return {
    messages,
    orphans,
    calm: () => void (isCalm = true),
    forget(since) {
      [lostFrom, lostAt] = [since, scheduler.now()];
      for (const message of messages.values()) {
        if (message.armedAt > since) message.buttons = [];
        for (const button of message.buttons) if (button.pressedAt > since) button.pressedBy = null;
      }
    },
    say,
    disarm,
    notifier: (owner) => ({
      async show({ messageId, chatTelegramId }: MessageRef, { content, buttons, orLater, goAhead }) {
        const card = { content, buttons };
        await scheduler.wait(owner, soon('tokens'), 'the tokens of buttons');
        const armedAt = scheduler.now();
        if (messageId !== null) {
          if (orLater === true && goesWrong('held back'))
            throw new LeftOut(500 + draws.of('held back ms') * 20_000);
          return (await edit(owner, messageId, card, goAhead, armedAt)) ? messageId : null;
        }
        if (!goAhead()) return null;
        await scheduler.wait(owner, soon('post'), 'a card');
        const id = post(chatTelegramId, card, armedAt);
        const isLost = goesWrong('a card, unheard');
        if (isLost) orphans.add(id);
        await scheduler.wait(owner, soon('posted'), 'a card is answered');
        return isLost ? null : id;
      },
      async retire({ messageId }, content) {
        if (messageId !== null) await edit(owner, messageId, { content, buttons: [] }, () => true, 0);
      },
      async withdraw({ messageId }) {
        await scheduler.wait(owner, soon('withdraw'), 'a message is taken away');
        if (messageId !== null) messages.delete(messageId);
        return true;
      },
      tell: async ({ chatTelegramId }, { content, buttons }) =>
        void (await say(owner, chatTelegramId, { content, buttons })),
    }),
  };
}

/** A card as it can be compared with another. */
export function printOf({
  content,
  buttons,
}: {
  readonly content: RenderedCard['content'];
  readonly buttons: Buttons;
}): string {
  return JSON.stringify([content.markup, buttons]);
}
