import { renderCard } from '../../src/features/sending/card.ts';
import { createCallsInHand } from '../../src/storage/restore/calls-in-hand.ts';
import { createCrew } from './crew.ts';
import { createDispatch } from './dispatch.ts';
import { createDraws } from './draws.ts';
import { createGateway } from './gateway.ts';
import { createLoss } from './loss.ts';
import { addPlace, createDb, immediate, type Db, type Place } from './memory/db.ts';
import { createMemoryStores } from './memory/stores.ts';
import { wrongAtLast, wrongNow } from './oracle.ts';
import { createOrders } from './orders.ts';
import { createPeople } from './people.ts';
import { connect, TIME_ZONE, type Surroundings } from './product.ts';
import { createScheduler, EPOCH_MS } from './scheduler.ts';
import type { Act, Script } from './script.ts';
import { createTelegram, printOf, type SimulatedTelegram } from './telegram.ts';

/** What came of a play. */
export interface Played {
  /** What was wrong; null: nothing. */
  readonly wrong: string | null;
  readonly steps: number;
  /** Messages that the gateway took. */
  readonly taken: number;
  /** Calls whose outcome was not known at some time. */
  readonly doubted: number;
  /** The database has lost commits. */
  readonly lost: boolean;
  /** In the order in which it happened, where that was asked for. */
  readonly history: readonly string[];
}

/** After that nothing is lost, nobody does anything, and everything has to come to its end. */
const CALM_MS = 150_000;
const LAST_MS = 80 * 3_600_000;
const MOST_STEPS = 60_000;

/** Plays one script to its end. The same script always gives the same play. */
export async function play(script: Script, { tells = false } = {}): Promise<Played> {
  const { seed, temper, loses, skewMs, undoSeconds } = script;
  const draws = createDraws(seed);
  const scheduler = createScheduler();
  const db = createDb(EPOCH_MS);
  const places = openPlaces(db, script);
  const orders = createOrders(db, temper.failsReads === 0 && temper.hasLists ? temper.blocked : []);
  const history: string[] = [];
  const doubted = new Set<string>();
  let [wrong, isCalm, awayUntil, steps] = [null as string | null, false, 0, 0];

  const tell = (what: string): void => {
    if (tells && what !== '') history.push(`${(scheduler.now() / 1000).toFixed(3).padStart(9)} ${what}`);
  };
  const mind = (what: string | null): void => {
    if (what !== null && wrong === null) tell(`= ${what}`);
    wrong ??= what;
  };

  const [first, ...others] = places.map((place) => userOf(db, place));
  const gateway = createGateway(scheduler, draws, temper, {
    accounts: [first ?? '', ...others],
    accountOf: (bindingId) => db.bindings.get(bindingId)?.gateway_user ?? '',
    leaves: (account, request) => mind(orders.wrongToLeave(account, request)),
  });
  const telegram = createTelegram(scheduler, draws, loses.telegram);
  const loss = createLoss({
    scheduler,
    db,
    crew: () => crew,
    act: script.acts.find((act) => act.does === 'lose'),
    connection: () => connect('operator', surroundings),
    forgets(since) {
      for (const each of [telegram, people, orders]) each.forget(since);
    },
  });
  const surroundings: Surroundings = {
    scheduler,
    draws,
    db,
    gateway,
    telegram,
    tells,
    undoSeconds,
    reaches: (id) => awayUntil <= scheduler.now() && !crew.isCut(id),
    loses: () => (isCalm ? 0 : loses.database),
    skewMs: (id) => skewMs[Number(id.slice(1)) % skewMs.length] ?? 0,
    looksAfter: loss.looksAfter,
    before: loss.before,
    changed() {
      loss.changed();
      mind(orders.look());
      for (const { id, state } of db.calls.values()) if (state === 'unknown') doubted.add(id);
      mind(wrongNow(db, gateway.taken, loss.forgotten()));
    },
    wrong: mind,
  };
  const crew = createCrew(
    { scheduler, draws, db },
    { processes: script.processes, surroundings: () => surroundings, isNeeded: loss.isNeeded },
  );
  const people = createPeople({ scheduler, draws, db, telegram, crew, places, tell });
  const lookAround = createDispatch({ scheduler, draws, db, crew, reaches: surroundings.reaches });

  const perform = (act: Act, index: number): void => {
    tell(`* ${JSON.stringify(act, shortened)}`);
    if (act.does === 'prepare') people.prepare(act);
    else if (act.does === 'press') people.press(act, index);
    else if ('process' in act) crew.strike(act);
    else if (act.does === 'lose') return;
    else if ('ms' in act) awayUntil = Math.max(awayUntil, scheduler.now() + act.ms);
    else people.flip(act.does);
  };
  for (const [index, act] of script.acts.entries())
    scheduler.after(null, act.at, '', () => perform(act, index));
  scheduler.after(null, CALM_MS, 'from here on all is well', () => {
    [isCalm, awayUntil] = [true, 0];
    gateway.calm();
    telegram.calm();
    crew.heal();
  });

  for (; wrong === null && steps < MOST_STEPS; steps += 1) {
    lookAround();
    const next = scheduler.next();
    if (next > LAST_MS) break;
    db.now = EPOCH_MS + Math.max(scheduler.now(), next);
    const name = await scheduler.step();
    if (wrong === null) tell(name);
  }
  if (steps === MOST_STEPS) mind('it does not come to an end');
  if (wrong === null) {
    const heard = gateway.told
      .filter(({ owner, leftAt }) => !scheduler.isDead(owner) && leftAt > loss.lostAt())
      .flatMap(({ rows }) => rows);
    const wrong = wrongAtLast(db, gateway.taken, heard, loss.forgotten());
    mind(wrong ?? (await wrongCard(db, telegram, undoSeconds)));
  }
  crew.close();
  const lost = loss.lostAt() > 0;
  return { wrong, steps, taken: gateway.taken.length, doubted: doubted.size, lost, history };
}

/** One chat or two, each with a live account. */
function openPlaces(db: Db, { secondChat, approvalParts }: Script): [Place, ...Place[]] {
  const first = addPlace(db);
  const shared = secondChat === 'same account' ? { gatewayUser: userOf(db, first) } : {};
  const others = secondChat === 'none' ? [] : [addPlace(db, shared)];
  for (const { chat, ownerId } of [first, ...others])
    db.limits.set(chat.id, {
      chat_id: chat.id,
      approval_parts: approvalParts,
      cap_rial: null,
      cap_parts: null,
      window_from: null,
      window_to: null,
      person_cap_rial: null,
      person_cap_parts: null,
      halted_at: null,
      halted_by: null,
      updated_by: ownerId,
      updated_at: new Date(db.now),
    });
  return [first, ...others];
}

function userOf(db: Db, { bindingId }: Place): string {
  return db.bindings.get(bindingId)?.gateway_user ?? '';
}

/** A card that does not show in the end what there is to show; null: all do. */
async function wrongCard(db: Db, telegram: SimulatedTelegram, undoSeconds: number): Promise<string | null> {
  const { drafts } = createMemoryStores(immediate(db), { hand: createCallsInHand(), timeZone: TIME_ZONE });
  for (const draftId of db.drafts.keys()) {
    const view = await drafts.card(draftId, { undoSeconds, timeZone: TIME_ZONE });
    const messageId = view?.place.messageId ?? null;
    // Of what a copy had as open, the card is left as it is until somebody presses.
    if (view === null || messageId === null || view.draft.restored) continue;
    const { print: shows = 'nothing', armedAt = 0 } = telegram.messages.get(messageId) ?? {};
    // What was set aside ahead of its time says so in the words of then.
    const at = view.job?.state === 'missed' ? EPOCH_MS + armedAt : db.now;
    const should = printOf(renderCard({ ...view, timeZone: view.timeZone ?? TIME_ZONE }, new Date(at)));
    if (shows !== should) return `the card of a draft shows\n${shows}\nwhere it should show\n${should}`;
  }
  return null;
}

function shortened(_name: string, value: unknown): unknown {
  return Array.isArray(value) && value.length > 5 ? `${value.length} numbers` : value;
}
