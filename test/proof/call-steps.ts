import {
  C,
  GONE,
  IN_DOUBT,
  J,
  OUTCOMES,
  P,
  R,
  nameOfCall,
  nameOfProcess,
  type Fields,
  type Moment,
  type State,
} from './state.ts';
import type { CopySteps } from './copy-steps.ts';

/** What processes do to calls, and what comes of them. */
export type CallSteps = ReturnType<typeof callSteps>;

export function callSteps(
  fields: Fields,
  { s, v, step }: Moment,
  copies: Pick<CopySteps, 'isLastWitness' | 'beatStep' | 'end' | 'ghost'>,
) {
  const {
    world,
    takes,
    asks,
    attempt,
    job,
    late,
    to,
    HELD,
    JOB,
    CALL,
    EPOCH,
    OWNER,
    WORD,
    ACCOUNT,
    FENCED,
    GOT,
    FLIGHT,
    FRESH,
    CUT,
    KNOWS,
    KILLS,
    CUTS,
    COPY,
    HAND,
    HAND_EPOCH,
    PROOF,
    everyProcess,
    everyRow,
    sendOf,
    rowsOfSend,
    renew,
    equalsOf,
    isForgotten,
  } = fields;
  return { processSteps, fence, record };

  function processSteps(p: number): void {
    for (const c of everyRow) handSteps(p, c);
    const who = nameOfProcess(p);
    if (v(CUTS) < (world.cuts ?? 0) && v(CUT(p)) === 0)
      step(`${who} loses its lock and goes on`, (n) => {
        [n[CUT(p)], n[CUTS]] = [1, v(CUTS) + 1];
      });
    if (v(CUT(p)) === 1) step(`${who} has its lock again`, (n) => void (n[CUT(p)] = 0));
    if (v(KILLS) < (world.kills ?? 0) && !copies.isLastWitness(p))
      step(`${who} is killed`, (n) => {
        n[KILLS] = v(KILLS) + 1;
        copies.end(n, p);
      });
    if (world.copy === 'live') copies.beatStep(p);
  }

  function handSteps(p: number, c: number): void {
    const [phase, epoch, who, what] = [v(HAND(p, c)), v(HAND_EPOCH(p, c)), nameOfProcess(p), nameOfCall(c)];
    const take = (n: State, next: number) => {
      n[HAND(p, c)] = next;
      if (next === 0) n[HAND_EPOCH(p, c)] = 0;
      if (next === R.not_sent && world.copy === 'live' && v(PROOF(p, c)) === v(HAND_EPOCH(p, c)))
        n[PROOF(p, c)] = 0;
    };
    const row = v(CALL(c));
    const isMine = row !== 0 && v(EPOCH(c)) === epoch;
    if (phase === 0) {
      const next = to(attempt, 'reserve', row);
      if (next === 0 || v(FRESH(c)) >= takes || (v(JOB(sendOf(c))) !== J.running && asks('reserve runs')))
        return;
      if (asks('no equal in doubt') && equalInDoubt(c)) return;

      const reserve = (n: State) => {
        n[CALL(c)] = next;
        if (asks('reserve epoch')) renew(n, c);
        n[OWNER(c)] = asks('reserve owner') ? p + 1 : 0;
      };
      step(`${who} takes ${what}`, (n) => {
        reserve(n);
        take(n, P.held);
        n[HAND_EPOCH(p, c)] = n[EPOCH(c)] ?? 0;
      });
      if (world.late === true) step(`${who} takes ${what} and does not hear of it`, reserve);
      return;
    }
    switch (phase) {
      case P.held: {
        if (!asks('fence')) step(`${who} writes ${what} to the gateway`, (n) => write(n));
        step(`${who} asks the fence for ${what}`, (n) => take(n, P.at_fence));
        step(`${who} gives ${what} back`, (n) => take(n, R.not_sent));
        if (isMine && to(attempt, 'leave_out', row) !== 0 && (isWhole() || !asks('leave out whole')))
          step(`all of ${what} are blocked`, (n) => {
            n[CALL(c)] = to(attempt, 'leave_out', row);
            take(n, 0);
          });
        const [send, back] = [sendOf(c), to(attempt, 'take_back', row)];
        const missed = to(job, 'miss', v(JOB(send)));
        if (isMine && back !== 0 && world.draft !== undefined && (rowsOfSend[send] ?? []).length === 1)
          step(`${who} finds others in the phonebook of ${what}`, (n) => {
            [n[CALL(c)], n[OWNER(c)], n[JOB(send)]] = [back, 0, missed || v(JOB(send))];
            take(n, 0);
          });
        break;
      }
      case P.at_fence: {
        const [opens, wrong] = fence(epoch, c);
        if (opens !== 0)
          step(`the fence lets ${what} of ${who} go`, (n) => {
            n[CALL(c)] = opens;
            take(n, P.permitted);
            if (world.copy === 'live') [n[PROOF(p, c)], n[FENCED(c)]] = [epoch, v(EPOCH(c))];
            return wrong;
          });
        const unheard = asks('doubtful commit') ? R.not_sent : P.permitted;
        if (opens !== 0)
          step(`the fence lets ${what} of ${who} go, which does not hear of it`, (n) => {
            n[CALL(c)] = opens;
            if (world.copy === 'live') n[FENCED(c)] = v(EPOCH(c));
            take(n, unheard);
          });
        else step(`the fence refuses ${what} of ${who}`, (n) => take(n, R.not_sent));
        if (world.late === true)
          step(`${who} hears nothing of the fence for ${what}`, (n) => {
            take(n, unheard);
            copies.ghost(n, p, c, 1);
          });
        break;
      }
      case P.permitted:
        step(`${who} writes ${what} to the gateway`, (n) => write(n));
        step(`${who} finds the permission for ${what} too old`, (n) => take(n, R.not_sent));
        break;
      case P.written:
        step(`the gateway takes ${what} of ${who}`, (n) => {
          n[GOT(c)] = v(GOT(c)) + 1;
          take(n, P.said_yes);
        });
        step(`the gateway refuses ${what} of ${who}`, (n) => take(n, P.said_no));
        step(`${what} of ${who} is lost on the way`, (n) => take(n, R.unknown));
        step(`${who} waits no longer for the answer to ${what}`, (n) => {
          n[FLIGHT(c)] = v(FLIGHT(c)) + 1;
          take(n, asks('bytes left') ? R.unknown : R.not_sent);
        });
        break;
      case P.said_yes:
        step(`${who} reads that ${what} was taken`, (n) => take(n, R.accepted));
        step(`the answer to ${what} of ${who} is lost`, (n) => take(n, R.unknown));
        break;
      case P.said_no:
        step(`${who} reads that ${what} was refused`, (n) => take(n, R.rejected));
        if (world.refusals === true)
          step(`${who} reads that ${what} was refused for its account`, (n) => take(n, R.for_account));
        step(`the answer to ${what} of ${who} is lost`, (n) => take(n, R.unknown));
        break;
      default: {
        const outcome = phase - P.record;
        const said = `${who} writes down that ${what} is ${OUTCOMES[outcome]}`;
        step(said, (n) => {
          take(n, 0);
          return record(n, epoch, c, outcome);
        });
        if (world.late === true) {
          step(`${said}, and does not hear of it`, (n) => record(n, epoch, c, outcome));
          if (phase === R.not_sent && isMine)
            step(`${said}, and says it once more, which comes late`, (n) => {
              record(n, epoch, c, outcome);
              take(n, 0);
              copies.ghost(n, p, c, 2);
            });
        }
      }
    }

    function write(n: State): string | null {
      take(n, P.written);
      const noted = isMine && row !== C.planned && row !== C.reserved;
      // A copy that came back does not know of it; the process does.
      return noted || v(EPOCH(c)) > epoch || epoch === GONE || v(COPY) === 2
        ? null
        : '1. a commit notes the call before its first byte leaves: this one is not noted';
    }
  }

  /** The state that the fence leads a call to, or 0; and what is wrong with that. */
  function fence(epoch: number, c: number): [number, string | null] {
    const open = to(attempt, 'write_ahead', v(CALL(c)));
    const runs = v(JOB(sendOf(c))) === J.running;
    const mayPass =
      (v(EPOCH(c)) === epoch || !asks('fence epoch')) &&
      (runs || !asks('fence runs')) &&
      (v(HELD) === 0 || !asks('fence switch')) &&
      (knowsAll() || !asks('fence knows all'));
    if (open === 0 || !mayPass) return [0, null];
    return [open, runs && v(HELD) === 0 ? null : '1. what was stopped does not leave: its job does not run'];
  }

  /** Whether nothing has to be feared of the database: nobody calls have to be looked for in it. */
  function isWhole(): boolean {
    return world.copy !== 'live' || (knowsAll() && v(HELD) === 0);
  }

  /** Whether all that live have found what they knew in the database as it is. */
  function knowsAll(): boolean {
    return world.copy !== 'live' || everyProcess.every((p) => v(KNOWS(p)) === 1 || v(CUT(p)) === 1);
  }

  function record(n: State, epoch: number, c: number, outcome: number): string | null {
    const state = v(CALL(c));
    if (state === 0 || (v(EPOCH(c)) !== epoch && asks('record epoch'))) return null;
    const heard = to(attempt, `hear_${OUTCOMES[outcome]}`, state);
    const next = heard || (late[outcome]?.[v(WORD(c))]?.[state] ?? 0);
    if (next !== 0) [n[CALL(c)], n[ACCOUNT(c)]] = [next, outcome === 3 ? 1 : 0];
    if (heard !== 0 && outcome === 0) n[OWNER(c)] = 0;
    if (outcome === 1 && v(EPOCH(c)) === epoch && n[CALL(c)] !== C.accepted && n[CALL(c)] !== C.sent)
      return isForgotten(s)
        ? null
        : '3. the card tells the truth: an acceptance that was heard is not written down';
    return null;
  }

  function equalInDoubt(c: number): boolean {
    return equalsOf(c).some((e) => IN_DOUBT.has(v(CALL(e))));
  }
}
