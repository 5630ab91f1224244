import {
  C,
  D,
  GONE,
  IN_DOUBT,
  J,
  P,
  R,
  nameOfProcess,
  type Fields,
  type Moment,
  type State,
} from './state.ts';

/** Processes end, and an older copy of the database comes back. */
export type CopySteps = ReturnType<typeof copySteps>;

export function copySteps(fields: Fields, { v, step }: Moment) {
  const {
    world,
    sends,
    asks,
    attempt,
    job,
    to,
    HELD,
    DRAFT,
    JOB,
    CALL,
    EPOCH,
    OWNER,
    FENCED,
    stored,
    DUE,
    FLIGHT,
    GHOST,
    GHOST_EPOCH,
    CUT,
    KNOWS,
    BEAT,
    COPY,
    LOST,
    copies,
    HAND,
    HAND_EPOCH,
    PROOF,
    DEAD,
    everyProcess,
    everyRow,
    rowsOfSend,
    renew,
    mayBeHeldUp,
  } = fields;
  return { end, ghost, isLastWitness, beatStep, copySteps, doubtAll };

  /** Its connections end, and another process takes its place. What it has written may arrive, what it has asked may be done. */
  function end(n: State, p: number): void {
    for (const c of everyRow) {
      const phase = v(HAND(p, c));
      if (phase === P.written) n[FLIGHT(c)] = v(FLIGHT(c)) + 1;
      if (world.late === true && phase === P.at_fence) ghost(n, p, c, 1);
      if (world.late === true && phase === R.not_sent) ghost(n, p, c, 2);
      if (v(OWNER(c)) === p + 1) n[OWNER(c)] = DEAD;
      [n[HAND(p, c)], n[HAND_EPOCH(p, c)]] = [0, 0];
      if (world.copy === 'live') n[PROOF(p, c)] = 0;
    }
    [n[CUT(p)], n[BEAT(p)], n[KNOWS(p)]] = [0, 0, 1];
  }

  function ghost(n: State, p: number, c: number, what: 1 | 2): void {
    if (v(HAND_EPOCH(p, c)) !== GONE) [n[GHOST(c)], n[GHOST_EPOCH(c)]] = [what, v(HAND_EPOCH(p, c))];
  }

  /** Whether nobody but this process knows of something that the database has lost, or will have. */
  function isLastWitness(p: number): boolean {
    return world.copy === 'live' && v(COPY) > 0 && v(LOST) === 0 && isWitness(p);
  }

  function isWitness(p: number): boolean {
    return v(BEAT(p)) === 1 || everyRow.some((c) => v(PROOF(p, c)) > 0);
  }

  function beatStep(p: number): void {
    const misses = (c: number) => {
      const proof = v(PROOF(p, c));
      const [state, epoch] = [v(CALL(c)), v(EPOCH(c))];
      if (proof === 0 || state === 0) return proof > 0;
      if (asks('fenced')) return v(FENCED(c)) < proof;
      return epoch < proof || (epoch === proof && (state === C.planned || state === C.reserved));
    };
    const forgotten = everyRow.some(misses) || (v(COPY) === 2 && v(KNOWS(p)) === 0 && v(BEAT(p)) === 1);
    step(
      forgotten
        ? `${nameOfProcess(p)} sees that commits are lost`
        : `${nameOfProcess(p)} finds all that it knew`,
      (n) => {
        for (const c of everyRow) n[PROOF(p, c)] = 0;
        [n[KNOWS(p)], n[BEAT(p)]] = [1, v(COPY) === 1 ? 1 : 0];
        if (forgotten) [n[HELD], n[LOST]] = [1, 1];
      },
    );
  }

  function copySteps(): void {
    if (v(COPY) === 0)
      step('the database is copied', (n) => {
        n[COPY] = 1;
        for (let f = 0; f < stored; f++) n[copies(f)] = v(f);
      });
    if (v(COPY) !== 1) return;
    // Where nobody knows, nothing may be lost but reservations.
    if (world.copy === 'live' && world.draft !== undefined && !everyProcess.some(isWitness)) return;
    step(
      world.copy === 'live'
        ? 'the database goes back to its copy'
        : 'all processes end, and the operator brings the copy back',
      (n) => {
        [n[COPY], n[LOST]] = [2, 0];
        if (world.copy === 'operator') for (const p of everyProcess) end(n, p);
        for (let f = 0; f < stored; f++) n[f] = v(copies(f));
        for (let f = 0; f < stored; f++) n[copies(f)] = 0;
        for (const c of everyRow) n[GHOST(c)] = 0;
        if (world.copy === 'live') for (const p of everyProcess) n[KNOWS(p)] = 0;
        else {
          for (const c of everyRow) if ((n[OWNER(c)] ?? 0) !== 0) n[OWNER(c)] = DEAD;
          n[HELD] = 1;
          if (asks('restore doubts')) doubtAll(n, (f) => n[f] ?? 0);
        }
      },
    );
  }

  function doubtAll(n: State, w: (field: number) => number): void {
    if (n[LOST] === 1) n[LOST] = 2;
    for (let k = 0; k < sends; k++) {
      if (w(DRAFT(k)) === D.open || w(DRAFT(k)) === D.asked) n[DRAFT(k)] = D.cancelled;
      const [state, mine] = [w(JOB(k)), rowsOfSend[k] ?? []];
      const concerned =
        [J.missed, J.holding, J.running, J.paused, J.stopped].includes(state) ||
        (state === J.scheduled && w(DUE(k)) === 1) ||
        mine.some((c) => IN_DOUBT.has(w(CALL(c))));
      if (state !== 0 && concerned) {
        for (const c of mine) {
          const doubt = to(attempt, 'doubt', w(CALL(c)));
          if (doubt === 0 || (w(CALL(c)) === C.rejected && !mayBeHeldUp(w, c))) continue;
          [n[CALL(c)], n[OWNER(c)]] = [doubt, 0];
          renew(n, c);
        }
        if (to(job, 'give_up', state) !== 0) n[JOB(k)] = to(job, 'give_up', state);
      } else if (state === J.scheduled) n[JOB(k)] = to(job, 'miss', state);
    }
  }
}
