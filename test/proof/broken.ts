import { ATTEMPT_MOVES } from '../../src/domain/attempt.ts';
import { DRAFT_MOVES } from '../../src/domain/draft.ts';
import { JOB_MOVES } from '../../src/domain/job.ts';
import type { Guard } from './guards.ts';
import type { WORLDS } from './worlds.ts';

/** A rule of the product that is broken: ways of its tables that are others, or guards that are left out. */
export interface Broken {
  readonly name: string;
  /** Where it does harm. */
  readonly world: keyof typeof WORLDS;
  readonly attempt?: Ways;
  readonly job?: Ways;
  readonly draft?: Ways;
  readonly without?: readonly Guard[];
}

/** By the name of a move, where it leads from some states; undefined: nowhere. */
type Ways = Readonly<Record<string, Readonly<Record<string, string | undefined>>>>;

const CALL = 'one call and every trouble';
const DRAFT = 'a draft and what comes of it';

export const BROKEN: readonly Broken[] = [
  {
    name: 'what was on the wire is planned again by a sweep',
    world: CALL,
    attempt: { lose_owner: { on_wire: 'planned' } },
  },
  { name: 'what is unknown is planned again', world: CALL, attempt: { ask: { unknown: 'planned' } } },
  {
    name: 'a person has it looked for, and it is planned again',
    world: CALL,
    attempt: { look_again: { asked: 'planned' } },
  },
  { name: 'a timeout after the first byte counts as not sent', world: CALL, without: ['bytes left'] },
  {
    name: 'what is not known goes on as planned',
    world: CALL,
    attempt: { hear_unknown: { on_wire: 'planned' } },
  },
  { name: 'bytes leave before the fence is asked', world: CALL, without: ['fence'] },
  { name: 'a fence that was not heard of counts as open', world: CALL, without: ['doubtful commit'] },
  {
    name: 'the fence opens for what is only planned',
    world: CALL,
    attempt: { write_ahead: { planned: 'on_wire' } },
  },
  { name: 'the fence does not ask for the epoch', world: CALL, without: ['fence epoch'] },
  { name: 'the fence does not ask whether the job runs', world: CALL, without: ['fence runs'] },
  { name: 'the fence does not ask for the switch', world: CALL, without: ['fence switch'] },
  { name: 'an outcome is written down for another epoch', world: CALL, without: ['record epoch'] },
  {
    name: 'two processes hold one call',
    world: CALL,
    attempt: { reserve: { reserved: 'reserved' } },
    without: ['reserve epoch'],
  },
  { name: 'a call that is taken keeps its epoch', world: CALL, without: ['reserve epoch'] },
  { name: 'a reservation has no owner', world: CALL, without: ['reserve owner'] },
  { name: 'a sweep takes from the living', world: CALL, without: ['lock'] },
  {
    name: 'an acceptance that comes late is not heard',
    world: CALL,
    attempt: { late_accepted: { asked: undefined } },
  },
  { name: 'a job is done with calls on the wire', world: CALL, without: ['nothing left'] },
  { name: 'lists that were cut short prove an absence', world: CALL, without: ['whole lists'] },
  { name: 'a send is undone when it runs', world: DRAFT, job: { undo: { running: 'undone' } } },
  {
    name: 'a send is taken off the schedule when it runs',
    world: DRAFT,
    job: { cancel: { running: 'undone' } },
    without: ['nothing asked'],
  },
  { name: 'a send of which something has left is missed', world: DRAFT, without: ['nothing asked'] },
  { name: 'a send starts within its hold', world: DRAFT, without: ['due'] },
  { name: 'the author approves', world: DRAFT, without: ['another person'] },
  { name: 'nobody has to approve', world: DRAFT, without: ['second person'] },
  { name: 'a card of an earlier version confirms', world: DRAFT, without: ['version'] },
  {
    name: 'what is confirmed is confirmed again',
    world: DRAFT,
    draft: { confirm: { confirmed: 'confirmed' } },
  },
  {
    name: 'it is sent again though the question is closed',
    world: 'a second send',
    without: ['still asked'],
  },
  {
    name: 'a resend that was undone leaves the question closed',
    world: 'a second send',
    attempt: { ask_again: { closed: undefined } },
  },
  {
    name: 'an equal message in doubt holds nothing up',
    world: 'an equal send',
    without: ['no equal in doubt'],
  },
  { name: 'a row of an equal message is evidence', world: 'an equal send', without: ['claims'] },
  { name: 'a backup is started on as it is', world: 'a backup', without: ['restore doubts'] },
  {
    name: 'a backup forgets what was on the wire',
    world: 'a backup',
    attempt: { doubt: { on_wire: undefined } },
  },
  {
    name: 'a backup takes what is planned for planned',
    world: 'a backup',
    attempt: { doubt: { planned: undefined } },
  },
  {
    name: 'after a restart calls leave before all have looked',
    world: 'lost commits',
    without: ['fence knows all'],
  },
  {
    name: 'a press decides before all have looked',
    world: 'lost commits and presses',
    without: ['decides knowing all'],
  },
  { name: 'an epoch that was lost is given out again', world: 'lost commits', without: ['fresh epoch'] },
  { name: 'a call that was taken again since counts as known', world: 'lost commits', without: ['fenced'] },
  {
    name: 'while commits are missing calls are left out',
    world: 'lost commits',
    without: ['leave out whole'],
  },
];

const TABLES = { attempt: ATTEMPT_MOVES, job: JOB_MOVES, draft: DRAFT_MOVES };

/** Breaks the product's own tables for as long as something runs, so that its functions go by them too. */
export function whileBroken<T>(broken: Broken, run: (without: ReadonlySet<Guard>) => T): T {
  const undo: (() => void)[] = [];
  for (const [machine, moves] of Object.entries(TABLES))
    for (const [move, ways] of Object.entries<Ways[string]>({ ...broken[machine as keyof typeof TABLES] })) {
      const leads = Reflect.get(moves, move) as Record<string, string | undefined>;
      const before = { ...leads };
      undo.push(() => {
        for (const from of Object.keys(leads)) Reflect.deleteProperty(leads, from);
        Object.assign(leads, before);
      });
      Object.assign(leads, ways);
    }
  try {
    return run(new Set(broken.without));
  } finally {
    for (const each of undo) each();
  }
}
