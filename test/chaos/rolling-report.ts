import type { Finding } from './checks.ts';
import type { Crew, PhaseResult } from './rolling-phase.ts';
import type { Restart } from './rolling-turns.ts';
import { countOf, spread, type Figures } from './report.ts';

/** The figures of all installations of a run. */
export function rollingFigures(phases: readonly PhaseResult[], findings: readonly Finding[]): Figures {
  const sum = (of: (phase: PhaseResult) => number): number =>
    phases.reduce((total, each) => total + of(each), 0);
  const restarts = phases.flatMap((phase) => phase.restarts);
  const older = phases.flatMap(({ losses: { byOlder } }) => (byOlder === null ? [] : [byOlder]));
  const count = (is: (restart: Restart) => boolean): number => restarts.filter(is).length;
  const found = (kind: string): number => countOf(findings, kind);
  const calls = (of: (restart: Restart) => number): number =>
    restarts.reduce((total, each) => total + of(each), 0);
  return {
    installations: phases.length,
    'processes told to end (SIGTERM)': restarts.length,
    '… while the job was under way': count(({ inJob }) => inJob),
    '… that ended with 0': count(({ how }) => how === 0),
    'recipients confirmed': sum(({ tally }) => tally.confirmed),
    '… accepted': sum(({ tally }) => tally.accepted),
    '… not sent': sum(({ tally }) => tally.notSent),
    '… unknown, at the end or for a while': found('unknown'),
    lost: found('lost'),
    doubled: found('doubled'),
    'wrongly reported': found('wrong'),
    'cards that disagree': found('card'),
    'calls on the wire at a signal': calls(({ onWire }) => onWire),
    '… that the ending process brought to an end': calls(({ broughtHome }) => broughtHome),
    'sends whose answer was lost, found in the lists': sum(({ losses }) => losses.found),
    ...(older.length === 0
      ? {}
      : { '… by a process of the older code beside newer ones': Math.min(...older) }),
    'messages sent one by one meanwhile': sum(({ singles }) => singles),
    'questions answered meanwhile': sum(({ answeredMs }) => answeredMs.length),
    'commands that vanished': found('silent'),
    'commands answered twice': found('replay'),
    'messages received meanwhile': sum(({ inbox }) => inbox.arrived),
    '… stored': sum(({ inbox }) => inbox.stored),
    '… told again': sum(({ inbox }) => inbox.again),
    'never told': found('untold'),
    'stuck at the end': found('stuck'),
    'stops that failed': found('restart'),
    'secrets seen': found('secret'),
    crashes: found('crash'),
    'ms without a ready process': sum(({ gaps }) => gaps['process']?.totalMs ?? 0),
    ...Object.fromEntries(
      ['bot', 'worker', 'poller'].flatMap((role) => {
        const gaps = phases.flatMap((phase) => phase.gaps[role] ?? []);
        const most = Math.max(...gaps.map(({ longestMs }) => longestMs));
        return gaps.length === 0
          ? []
          : [[`ms without a ready ${role}, where these are processes of their own, most`, most]];
      }),
    ),
    ...spread(
      'ms to stop',
      restarts.map(({ stopMs }) => stopMs),
    ),
    ...spread(
      'ms until the next one is ready',
      restarts.flatMap(({ readyMs }) => (readyMs === null ? [] : [readyMs])),
    ),
    ...spread(
      'ms from a question to its answer',
      phases.flatMap(({ answeredMs }) => answeredMs),
    ),
    'seconds from the press to the last acceptance, most': Math.max(
      ...phases.map(({ jobSeconds }) => jobSeconds),
    ),
  };
}

/** One line for an installation as it ends. */
export function toPhaseLine({ crew, tally, restarts, inbox, seconds, findings }: PhaseResult): string {
  const told = `${tally.accepted} of ${tally.confirmed} accepted, ${tally.unknown} unknown, ${inbox.stored} of ${inbox.arrived} received stored`;
  return `${crew.name}: ${seconds} s, ${restarts.length} restarts; ${told}; ${findings.length === 0 ? 'nothing found' : `${findings.length} FOUND`}`;
}

/** One line for a process that was replaced. `accepted`: of the job, by then. */
export function toRestartLine(restart: Restart, { roles }: Crew, accepted: number): string {
  const { turn, process, how, stopMs, readyMs, onWire, broughtHome } = restart;
  const calls = `${onWire} calls on the wire, ${broughtHome} brought home`;
  const ready = readyMs === null ? 'NOT READY' : `ready after ${readyMs} ms`;
  return `  turn ${turn}, ${process} (${roles[process]}): ended with ${how} after ${stopMs} ms, ${calls}; ${ready}; ${accepted} accepted`;
}
