import { C, D, GONE, J, K, P, nameOfSend, type Fields, type Moment, type State } from './state.ts';
import type { CopySteps } from './copy-steps.ts';

const WORDS: Readonly<Record<string, string>> = {
  ask: 'the author asks for a second yes to',
  reject: 'another person rejects',
  cancel: 'the author cancels',
  edit: 'the author edits',
};

/** What people, the clock and the switch do to sends. */
export type PeopleSteps = ReturnType<typeof peopleSteps>;

export function peopleSteps(fields: Fields, { s, v, step }: Moment, copies: Pick<CopySteps, 'doubtAll'>) {
  const {
    world,
    takes,
    second,
    asks,
    attempt,
    job,
    draft,
    to,
    KIND,
    HELD,
    DRAFT,
    VERSION,
    JOB,
    LATER,
    CALL,
    EPOCH,
    OWNER,
    WORD,
    FENCED,
    DUE,
    GOT,
    GHOST,
    FRESH,
    LOST,
    HAND,
    HAND_EPOCH,
    everyProcess,
    rowsOfSend,
    other,
    renew,
    mayLeave,
    mayDecide,
    heldUp,
  } = fields;
  return { draftSteps, jobSteps, switchSteps, isFree, open };

  function draftSteps(k: number): void {
    const of = nameOfSend(k);
    const state = v(DRAFT(k));
    const approval = world.draft?.approval === true && k === 0;
    for (const stale of v(VERSION(k)) > 0 && !asks('version') ? [false, true] : [false]) {
      const card = stale ? ' on a card of an earlier version' : '';
      if (!mayDecide(s)) continue;
      if (to(draft, 'confirm', state) !== 0 && state !== D.asked && (!approval || !asks('second person')))
        step(`the author confirms ${of}${card}`, (n) => makeJob(n, k, { stale, alone: approval }));
      if (approval && state === D.asked) {
        step(`another person approves ${of}${card}`, (n) => makeJob(n, k, { stale, alone: false }));
        if (!asks('another person'))
          step(`the author approves ${of}${card}`, (n) => makeJob(n, k, { stale, alone: true }));
      }
    }
    const moves = approval ? ['ask', 'reject', 'cancel', 'edit'] : ['cancel', 'edit'];
    for (const move of moves) {
      const next = to(draft, move, state);
      if (next === 0 || (move === 'edit' && v(VERSION(k)) === 1)) continue;
      step(`${WORDS[move] ?? move} ${of}`, (n) => {
        n[DRAFT(k)] = next;
        if (move === 'edit') n[VERSION(k)] = 1;
      });
    }
  }

  function makeJob(n: State, k: number, by: { stale: boolean; alone: boolean }): string | null | false {
    const kind = k === 0 ? 0 : v(KIND);
    if (kind === K.resend) {
      if (asks('still asked') && v(CALL(0)) !== C.asked) return false;
      n[CALL(0)] = to(attempt, 'send_again', v(CALL(0))) || v(CALL(0));
      n[WORD(0)] = 1;
    }
    if (kind === K.change) {
      const off = to(job, 'cancel', v(JOB(0)));
      if (off === 0 || !nothingAsked(0)) return false;
      n[JOB(0)] = off;
    }
    n[DRAFT(k)] = to(draft, 'confirm', v(DRAFT(k)));
    n[JOB(k)] = v(LATER(k)) === 1 ? J.scheduled : J.holding;
    n[DUE(k)] = 0;
    for (const c of rowsOfSend[k] ?? [])
      [n[CALL(c)], n[EPOCH(c)], n[OWNER(c)], n[WORD(c)]] = [C.planned, 0, 0, 0];
    if (v(JOB(k)) !== 0) return '5. one press makes one job: this one has a job already';
    if (by.stale) return '5. what was shown is what was confirmed: this version was not on the card';
    if (by.alone) return '5. a second person has said yes: this was the author';
    if (kind === K.resend && v(CALL(0)) !== C.asked)
      return '1. it goes again only while nobody knows: this call was not in question';
    return null;
  }

  function jobSteps(k: number): void {
    const of = nameOfSend(k);
    const state = v(JOB(k));
    const mine = rowsOfSend[k] ?? [];
    const has = (...states: number[]) => mine.some((c) => states.includes(v(CALL(c))));
    const can = (move: string) => to(job, move, state);
    if (v(DUE(k)) === 0) step(`the time of ${of} comes`, (n) => void (n[DUE(k)] = 1));
    if (can('start') !== 0 && (v(DUE(k)) === 1 || !asks('due'))) {
      if (v(HELD) === 0 || !asks('switch at the start'))
        step(`${of} starts`, (n) => {
          n[JOB(k)] = can('start');
          if (state === J.scheduled) endChange(n);
        });
      else if (state === J.holding) step(`the switch pauses ${of}`, (n) => void (n[JOB(k)] = can('halt')));
    }
    if (world.draft !== undefined && can('miss') !== 0 && v(DUE(k)) === 1 && nothingAsked(k))
      step(`${of} is missed`, (n) => void (n[JOB(k)] = can('miss')));
    if (can('undo') !== 0 && mayDecide(s))
      step(`a person undoes ${of}`, (n) => {
        n[JOB(k)] = can('undo');
        doubtResent(n, k);
        if (k === 0 && isFree() && second === 'of the first') open(n, K.undone);
      });
    if (world.draft !== undefined && mayDecide(s)) {
      if (can('cancel') !== 0 && nothingAsked(k))
        step(`a person takes ${of} off the schedule`, (n) => {
          n[JOB(k)] = can('cancel');
          doubtResent(n, k);
        });
      if (state === J.scheduled && k === 0 && isFree() && second !== undefined)
        step(`a person begins to change ${of}`, (n) => open(n, K.change));
      if (state === J.missed && nothingAsked(k))
        step(`a person opens ${of} again`, (n) => {
          doubtResent(n, k);
          [n[JOB(k)], n[LATER(k)], n[DRAFT(k)]] = [0, 0, to(draft, 'reopen', v(DRAFT(k)))];
          endChange(n);
          return deleteRows(n, k);
        });
    }
    if (world.interrupts === true) {
      if (can('pause') !== 0 && has(C.planned, C.reserved))
        takeBack(`a person pauses ${of}`, k, can('pause'));
      if (can('stop') !== 0) takeBack(`${of} is stopped`, k, can('stop'));
      if (can('halt') !== 0 && v(HELD) === 1) takeBack(`the switch pauses ${of}`, k, can('halt'));
    }
    if (can('resume') !== 0 && v(HELD) === 0) {
      // A refusal for the state of the account alone, whose job has stopped, is part of what is left.
      const again = mine.filter(
        (c) => heldUp(v, c) && to(attempt, 'resume', v(CALL(c))) !== 0 && v(FRESH(c)) < takes,
      );
      const move = v(DUE(k)) === 1 ? 'resume' : v(LATER(k)) === 1 ? 'resume_wait' : 'resume_hold';
      if (state === J.paused || again.length > 0 || has(C.planned, C.reserved))
        step(`${of} goes on`, (n) => {
          n[JOB(k)] = can(move);
          for (const c of again) {
            n[CALL(c)] = to(attempt, 'resume', v(CALL(c)));
            n[OWNER(c)] = 0;
            renew(n, c);
          }
        });
    }
    const ends = can('finish') || can('run_out');
    const isOpen = asks('nothing left') ? has(C.planned, C.reserved, C.on_wire) : has(C.planned, C.reserved);
    if (ends !== 0 && !isOpen) step(`${of} is done`, (n) => void (n[JOB(k)] = ends));
  }

  function switchSteps(): void {
    if (v(HELD) === 0 && world.interrupts === true)
      step('the switch stops all sends', (n) => void (n[HELD] = 1));
    if (v(HELD) === 1 && v(LOST) !== 1) step('the switch lets sends go', (n) => void (n[HELD] = 0));
    if (v(LOST) === 1)
      step('what may have left since the copy is put in doubt', (n) => copies.doubtAll(n, (f) => v(f)));
  }

  /** What came of a resend that was taken back is in doubt again. */
  function doubtResent(n: State, k: number): void {
    if (k === 1 && v(KIND) === K.resend && to(attempt, 'ask_again', v(CALL(0))) !== 0)
      [n[CALL(0)], n[WORD(0)]] = [to(attempt, 'ask_again', v(CALL(0))), 0];
  }

  function nothingAsked(k: number): boolean {
    return !asks('nothing asked') || (rowsOfSend[k] ?? []).every((c) => v(CALL(c)) === C.planned);
  }

  /** Nothing is left of another second send, which a copy that came back may not know of. */
  function isFree(): boolean {
    const isUntouched =
      v(GOT(other)) === 0 && !mayLeave(s, other) && everyProcess.every((p) => v(HAND(p, other)) === 0);
    return v(KIND) === 0 && second !== undefined && isUntouched && v(GHOST(other)) === 0;
  }

  function open(n: State, kind: number): void {
    [n[KIND], n[DRAFT(1)], n[LATER(1)]] = [kind, D.open, kind === K.change ? 1 : 0];
  }

  function endChange(n: State): void {
    if (v(KIND) === K.change && to(draft, 'cancel', v(DRAFT(1))) !== 0)
      n[DRAFT(1)] = to(draft, 'cancel', v(DRAFT(1)));
  }

  function deleteRows(n: State, k: number): string | null {
    let wrong: string | null = null;
    for (const c of rowsOfSend[k] ?? []) {
      if (mayLeave(s, c) || v(GOT(c)) > 0)
        wrong = '2. nothing vanishes: a call that may have left is deleted';
      [n[CALL(c)], n[EPOCH(c)], n[OWNER(c)], n[WORD(c)], n[GHOST(c)]] = [0, 0, 0, 0, 0];
      if (world.copy === 'live') n[FENCED(c)] = 0;
      for (const p of everyProcess) if (v(HAND(p, c)) !== 0) n[HAND_EPOCH(p, c)] = GONE;
    }
    return wrong;
  }

  /** Calls that have not left are taken back; one that is at the fence in this very moment may be left to it. */
  function takeBack(label: string, k: number, state: number): void {
    const mine = (rowsOfSend[k] ?? []).filter((c) => to(attempt, 'take_back', v(CALL(c))) !== 0);
    const isAtFence = (c: number) => everyProcess.some((p) => v(HAND(p, c)) === P.at_fence);
    for (const but of mine.some(isAtFence) ? [', but for what is at the fence', ''] : [''])
      step(`${label}${but}`, (n) => {
        n[JOB(k)] = state;
        for (const c of mine) {
          if (but !== '' && isAtFence(c)) continue;
          [n[CALL(c)], n[OWNER(c)]] = [to(attempt, 'take_back', v(CALL(c))), 0];
          renew(n, c);
        }
      });
  }
}
