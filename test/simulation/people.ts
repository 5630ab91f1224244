import type { NewDraft } from '../../src/ports/stores.ts';
import type { Crew } from './crew.ts';
import type { Draws } from './draws.ts';
import type { Db, Place } from './memory/db.ts';
import { contextOf, TIME_ZONE, type Process } from './product.ts';
import { EPOCH_MS, type Scheduler } from './scheduler.ts';
import type { Act } from './script.ts';
import type { SeenMessage, SimulatedTelegram } from './telegram.ts';

type Press = Extract<Act, { does: 'press' }>;

/** Who finds nothing to press looks again, so often. */
const LOOKS = 5;
const LOOK_MS = 2500;

/** Buttons behind which there is more than the send path. */
const NOT_SIMULATED: ReadonlySet<string> = new Set([
  'job.resend',
  'job.rest',
  'doubt.file',
  'draft.test',
  'draft.text',
  'draft.line',
  'draft.when',
  'draft.again',
  'schedule.now',
]);

/** What people do: they prepare sends, press what stands in the chat, and throw the switch of a chat. */
export function createPeople({
  scheduler,
  draws,
  db,
  telegram,
  crew,
  places,
  tell,
}: {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly db: Db;
  readonly telegram: SimulatedTelegram;
  readonly crew: Crew;
  readonly places: readonly [Place, ...Place[]];
  readonly tell: (what: string) => void;
}) {
  let updates = 0;
  /** What was done, and may have to be done again: the database may forget that it was. */
  const heard: { readonly at: number; doneAt: number; readonly again: () => void }[] = [];

  return {
    prepare,
    press,
    flip,
    /** The database has forgotten what was done since; what had come before is there to be done. */
    forget(since: number): void {
      for (const { at, doneAt, again } of heard) if (at <= since && doneAt > since) again();
    },
  };

  function prepare({ chat, text, recipients, later }: Extract<Act, { does: 'prepare' }>): void {
    const place = places[chat] ?? places[0];
    updates += 1;
    const draft: NewDraft = {
      chatId: place.chat.id,
      bindingId: place.bindingId,
      botId: 1,
      updateId: updates,
      authorId: place.ownerId,
      outgoing: { kind: 'text' },
      text: ['Hello', 'Bye'][text] ?? '',
      recipients,
      repeated: [],
      invalid: [],
      line: '3000123456',
      lang: 'en',
      threadId: undefined,
      sendAt: later === null ? undefined : new Date(EPOCH_MS + scheduler.now() + later),
    };
    ask('a send is prepared', async (by) => {
      const { id } = await by.stores.drafts.create(draft);
      await by.cards.refresh(id);
    });
  }

  /** A button of the newest message, or of any other; the one that goes on with the send more often than others. */
  function press(act: Press, index: number, looks = 1): void {
    const name = `press ${index}`;
    const messages = [...telegram.messages.values()].filter(({ buttons }) => buttons.length > 0).toReversed();
    const [newest, ...older] = messages;
    const message =
      newest === undefined || act.sure || draws.happens(name, 0.6)
        ? newest
        : draws.pick(name, [newest, ...older]);
    const place = places.find((each) => each.chat.telegramId === message?.chat) ?? places[0];
    const personId = act.second ? place.secondId : place.ownerId;
    const [first, ...others] = message === undefined ? [] : open(message, personId);
    if (message === undefined || first === undefined) {
      if (looks < LOOKS) scheduler.after(null, LOOK_MS, '', () => press(act, index, looks + 1));
      return;
    }
    const button = act.sure || draws.happens(name, 0.5) ? first : draws.pick(name, [first, ...others]);
    [button.pressedBy, button.pressedAt] = [personId, scheduler.now()];
    updates += 1;
    tell(`  ${button.label} of message ${message.id}`);
    const { chat, bindingId } = place;
    const context = { updateId: updates, personId, chat, bindingId, messageId: message.id };
    const does = async (by: Process): Promise<void> =>
      await by.actions.get(button.action)?.run(contextOf(by, telegram, context), button.payload ?? {});
    ask(button.action, does);
    if (act.twice) ask(button.action, does);
  }

  /** The buttons by which somebody would get through. */
  function open({ buttons }: SeenMessage, personId: number): SeenMessage['buttons'] {
    return buttons.filter(
      ({ action, draft, personId: only = personId, pressedBy, reusable = false }) =>
        only === personId &&
        (pressedBy === null || reusable) &&
        (draft === undefined || db.drafts.get(draft.id)?.version === draft.version) &&
        !NOT_SIMULATED.has(action) &&
        crew.living().some(({ actions }) => actions.has(action)),
    );
  }

  function flip(how: 'halt' | 'go'): void {
    updates += 1;
    const [{ chat, ownerId }] = places;
    const by = { chatId: chat.id, personId: ownerId, updateId: updates };
    ask(how, async ({ stores: { limits } }) => {
      if (how === 'halt') await limits.halt(by);
      else await limits.go({ ...by, timeZone: TIME_ZONE });
    });
  }

  /** Somebody does something, which one of the processes hears; where it fails, or dies over it, the update comes again. */
  function ask(name: string, does: (by: Process) => Promise<void>): void {
    const by = crew.anyone('heard by');
    if (by === undefined) return scheduler.after(null, 300, name, () => ask(name, does));
    let isOver = false;
    const again = (): void => {
      if (isOver) return;
      isOver = true;
      scheduler.after(null, 3000, `${name}, again`, () => ask(name, does));
    };
    // One that stands still for a minute and more hears of it only then.
    for (const ms of [60_000, 240_000])
      scheduler.after(null, ms, '', () => {
        if (scheduler.isDead(by.id)) again();
      });
    const update = { at: scheduler.now(), doneAt: 0, again: () => ask(name, does) };
    scheduler.after(by.id, 0, `${by.id} hears: ${name}`, () => {
      does(by).then(() => {
        isOver = true;
        update.doneAt = scheduler.now();
        heard.push(update);
      }, again);
    });
  }
}
