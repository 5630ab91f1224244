import { C, K, nameOfCall, nameOfProcess, type Fields, type Moment } from './state.ts';
import type { CallSteps } from './call-steps.ts';
import type { PeopleSteps } from './people-steps.ts';

/** What becomes of a call without its process: others take over, lists are read, people are asked. */
export function rowSteps(
  fields: Fields,
  { s, v, step }: Moment,
  others: Pick<PeopleSteps, 'isFree' | 'open'> & Pick<CallSteps, 'fence' | 'record'>,
) {
  const {
    world,
    second,
    asks,
    attempt,
    to,
    CALL,
    EPOCH,
    OWNER,
    WORD,
    FENCED,
    GOT,
    GHOST,
    GHOST_EPOCH,
    CUT,
    KNOWS,
    HAND,
    HAND_EPOCH,
    DEAD,
    renew,
    equalsOf,
    mayLeave,
  } = fields;
  return { rowSteps };

  function rowSteps(c: number): void {
    const [state, what, owner] = [v(CALL(c)), nameOfCall(c), v(OWNER(c))];
    if (v(GHOST(c)) === 1)
      step(`the fence is asked late for ${what}, by nobody`, (n) => {
        n[GHOST(c)] = 0;
        const [opens] = others.fence(v(GHOST_EPOCH(c)), c);
        if (opens === 0) return;
        n[CALL(c)] = opens;
        if (world.copy === 'live') n[FENCED(c)] = v(EPOCH(c));
      });
    if (v(GHOST(c)) === 2)
      step(`that ${what} is not_sent is written down late`, (n) => {
        n[GHOST(c)] = 0;
        others.record(n, v(GHOST_EPOCH(c)), c, 0);
      });
    const lost = to(attempt, 'lose_owner', state);
    const p = owner - 1;
    const isHeld = p >= 0 && owner !== DEAD && v(HAND(p, c)) !== 0 && v(HAND_EPOCH(p, c)) === v(EPOCH(c));
    const isGone = owner === DEAD || (owner !== 0 && (v(CUT(p)) === 1 || !asks('lock')));
    if (lost !== 0 && owner !== 0 && (isGone || (!isHeld && (state === C.on_wire || looksOften(p)))))
      step(isGone ? `somebody takes over ${what}` : `${nameOfProcess(p)} finds that it has ${what}`, (n) => {
        n[CALL(c)] = lost;
        if (state === C.reserved) n[OWNER(c)] = 0;
        if (state === C.reserved && asks('sweep epoch')) renew(n, c);
        return isHeld && v(CUT(p)) === 0
          ? '4. unknown is what nobody knows: its process lives and has it'
          : null;
      });
    if (world.lists !== true) return;
    const move = (name: string, label: string, wrong: string | null = null, word?: number) => {
      if (to(attempt, name, state) !== 0)
        step(label, (n) => {
          n[CALL(c)] = to(attempt, name, state);
          if (word !== undefined) n[WORD(c)] = word;
          return wrong;
        });
    };
    const shows = v(GOT(c)) > 0 || (!asks('claims') && equalsOf(c).some((e) => v(GOT(e)) > 0));
    // Lists are whole only after the time in which the call can have been carried out.
    const settled = !mayLeave(s, c);
    if (shows) move('find', `the lists show ${what}`);
    else if (settled) {
      move('ask', `whole lists do not show ${what}`);
      move('find_blocked', `whole lists do not show ${what}, who is blocked`);
    }
    if (v(GOT(c)) > 0 && !asks('whole lists'))
      move('find_blocked', `lists that were cut short do not show ${what}, who is blocked`);
    move('ask', `for a day no list is whole, and a person is asked about ${what}`);
    move('look_again', `a person has ${what} looked for again`);
    move('decide_sent', `a person says that ${what} was sent`, null, 1);
    move('decide_not_sent', `a person says that ${what} was not sent`, null, 1);
    if (state === C.asked && c === 0 && others.isFree() && second === 'of the first')
      step(`a person begins to send ${what} again`, (n) => others.open(n, K.resend));
  }

  /** It takes up its own reservation after five minutes; by then it has looked whether the database is whole. */
  function looksOften(p: number): boolean {
    return world.copy !== 'live' || v(KNOWS(p)) === 1;
  }
}
