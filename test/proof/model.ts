import { callSteps } from './call-steps.ts';
import { copySteps } from './copy-steps.ts';
import type { Guard } from './guards.ts';
import { peopleSteps } from './people-steps.ts';
import { rowSteps } from './row-steps.ts';
import {
  C,
  D,
  IN_DOUBT,
  J,
  K,
  nameOfCall,
  createFields,
  type Emit,
  type Moment,
  type State,
  type World,
} from './state.ts';

/** The steps of a world by the tables as they are now, and the promises, without the guards that are left out. */
export function createModel(world: World, without: ReadonlySet<Guard> = new Set()) {
  const fields = createFields(world, without);
  const {
    second,
    KIND,
    DRAFT,
    JOB,
    LATER,
    CALL,
    OWNER,
    WORD,
    DUE,
    GOT,
    FLIGHT,
    KNOWS,
    COPY,
    everyProcess,
    everyRow,
    sendOf,
    size,
    equalsOf,
    mayLeave,
    isForgotten,
    rowsOfSend,
    sends,
  } = fields;
  const everySend = Array.from({ length: sends }, (_, k) => k);
  const machines = [
    ...everyRow.map((c) => [CALL(c), 'attempt'] as const),
    ...everySend.flatMap((k) => [[JOB(k), 'job'] as const, [DRAFT(k), 'draft'] as const]),
  ];
  return { size: fields.size, initial, steps, wrongIn, noteWays };

  function initial(): State {
    const s = new Uint8Array(size);
    for (const p of everyProcess) s[KNOWS(p)] = 1;
    const runs = [...(world.draft === undefined ? [0] : []), ...(second === 'of somebody else' ? [1] : [])];
    s[DRAFT(0)] = D.open;
    s[LATER(0)] = world.draft?.later === true ? 1 : 0;
    if (second === 'of somebody else') s[KIND] = K.equal;
    for (const k of runs) {
      [s[DRAFT(k)], s[JOB(k)], s[DUE(k)]] = [D.confirmed, J.running, 1];
      for (const c of rowsOfSend[k] ?? []) s[CALL(c)] = C.planned;
    }
    return s;
  }

  /** Notes which ways of the tables a step has gone, as `machine from to`. */
  function noteWays(s: State, n: State, ways: Set<string>): void {
    for (const [f, machine] of machines) if (s[f] !== n[f]) ways.add(`${machine} ${s[f] ?? 0} ${n[f] ?? 0}`);
  }

  /** Every step from a state. */
  function steps(s: State, emit: Emit): void {
    const v = (field: number) => s[field] ?? 0;
    const moment: Moment = {
      s,
      v,
      step(label, change) {
        const n = s.slice();
        const wrong = change(n);
        if (wrong !== false) emit(label, n, wrong ?? null);
      },
    };
    const copies = copySteps(fields, moment);
    const people = peopleSteps(fields, moment, copies);
    const calls = callSteps(fields, moment, copies);
    const rows = rowSteps(fields, moment, { ...people, ...calls });
    for (let k = 0; k < (v(KIND) === 0 ? 1 : sends); k++) {
      if (world.draft !== undefined || k === 1) people.draftSteps(k);
      if (v(JOB(k)) !== 0) people.jobSteps(k);
    }
    for (const p of everyProcess) calls.processSteps(p);
    for (const c of everyRow) if (v(CALL(c)) !== 0) rows.rowSteps(c);
    if (world.interrupts === true || world.copy !== undefined) people.switchSteps();
    if (world.copy !== undefined) copies.copySteps();
    gatewaySteps(s, emit);
  }

  /** What the gateway does with what nobody waits for. */
  function gatewaySteps(s: State, emit: Emit): void {
    for (const c of everyRow) {
      if ((s[FLIGHT(c)] ?? 0) === 0) continue;
      for (const taken of [true, false]) {
        const n = s.slice();
        n[FLIGHT(c)] = (s[FLIGHT(c)] ?? 0) - 1;
        if (taken) n[GOT(c)] = (s[GOT(c)] ?? 0) + 1;
        emit(
          `the gateway ${taken ? 'takes' : 'never takes'} ${nameOfCall(c)}, of which nobody hears`,
          n,
          null,
        );
      }
    }
  }

  /** What of the promises does not hold in a state; null: all hold. */
  function wrongIn(s: State): string | null {
    const v = (field: number) => s[field] ?? 0;
    const forgotten = isForgotten(s);
    for (const c of everyRow) {
      const [state, got, word, k] = [v(CALL(c)), v(GOT(c)), v(WORD(c)), sendOf(c)];
      const [jobState, left] = [v(JOB(k)), got > 0 || mayLeave(s, c)];
      if (got > 1) return `1. at most once: the gateway has ${nameOfCall(c)} twice`;
      if (jobState !== 0 && state === 0) return `2. nothing vanishes: ${nameOfCall(c)} is nowhere`;
      if (jobState === J.done && (state === C.planned || state === C.reserved || state === C.on_wire))
        return `2. nothing vanishes: ${nameOfCall(c)} is left behind by a job that is done`;
      if ((state === C.reserved || state === C.on_wire) && v(OWNER(c)) === 0)
        return `2. nothing vanishes: ${nameOfCall(c)} is in nobody's hand`;
      if (state === C.closed && (v(JOB(1)) === 0 || v(JOB(1)) === J.undone))
        return `2. nothing vanishes: ${nameOfCall(c)} is closed, and no other send speaks for it`;
      if (forgotten) continue;
      if ((state === C.planned || state === C.reserved) && left)
        return `1. what may have left is not repeated: ${nameOfCall(c)} is planned`;
      if (left && [J.undone, J.missed, J.holding, J.scheduled].includes(jobState))
        return `1. what was not to leave has not: ${nameOfCall(c)} of a send that has not begun, or was taken back`;
      if (left && v(DUE(k)) === 0) return `1. nothing leaves before its time: ${nameOfCall(c)}`;
      if ((state === C.accepted || (state === C.sent && word === 0)) && got === 0)
        return `3. the card tells the truth: ${nameOfCall(c)} is called sent`;
      if ((state === C.rejected || (state === C.not_sent && word === 0)) && left)
        return `3. the card tells the truth: ${nameOfCall(c)} is called not sent`;
      if (v(COPY) !== 2 && IN_DOUBT.has(state) && equalsOf(c).some((e) => IN_DOUBT.has(v(CALL(e)))))
        return '4. evidence is of one call: two equal ones are in doubt';
    }
    return null;
  }
}
