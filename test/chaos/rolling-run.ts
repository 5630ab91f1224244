import type { Finding } from './checks.ts';
import { takeSource } from './old-source.ts';
import { type Crew, type PhaseResult, runPhase } from './rolling-phase.ts';
import { toPhaseLine } from './rolling-report.ts';

export interface RollingOptions {
  readonly recipients: number;
  /** The folder that holds the `src` and `drizzle` to run. */
  readonly source: string;
  /** A commit whose code the first processes run, in the repository of `root`. */
  readonly from?: string | undefined;
  readonly root: string;
  readonly crews: readonly Crew[];
  /** How long everything may take to become quiet at the end; 240 s. */
  readonly patienceMs?: number;
  readonly keep: boolean;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export interface RollingResult {
  readonly phases: readonly PhaseResult[];
  readonly findings: readonly Finding[];
}

const EVERYTHING = 'bot,worker,poller';
/** Three that do everything; and as many of each role as could share the work. */
export const WHOLE: Crew = { name: 'three alike', roles: [EVERYTHING, EVERYTHING, EVERYTHING] };
export const SPLIT: Crew = {
  name: 'a role each',
  roles: ['bot', 'bot', 'worker', 'worker', 'worker', 'poller'],
};
/** With fewer, the restarts of one turn outlast the job by far. */
const TWO_TURNS_FROM = 20_000;
const PATIENCE_MS = 240_000;
const TOLD = 8;

/** Replaces the processes of installations one after the other while a large job runs. */
export async function runRolling(options: RollingOptions): Promise<RollingResult> {
  const { source, recipients, crews, keep, signal, say } = options;
  const old = options.from === undefined ? null : takeSource(options.root, options.from);
  const phases: PhaseResult[] = [];
  const findings: Finding[] = [];
  try {
    for (const crew of crews) {
      const turns = crew === WHOLE && recipients >= TWO_TURNS_FROM ? 2 : 1;
      const phase = await runPhase({
        crew,
        recipients,
        turns,
        from: old?.source ?? source,
        source,
        patienceMs: options.patienceMs ?? PATIENCE_MS,
        keep,
        signal,
        say,
      });
      phases.push(phase);
      findings.push(...phase.findings);
      say(toPhaseLine(phase));
      for (const { kind, what } of phase.findings.slice(0, TOLD)) say(`  ${kind}: ${what}`);
      if (phase.findings.length > TOLD) say(`  … and ${phase.findings.length - TOLD} more`);
    }
    return { phases, findings };
  } finally {
    old?.remove();
  }
}
