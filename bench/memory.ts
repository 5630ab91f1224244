import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { newBulk, recounted, type BulkStep } from '../src/domain/bulk.ts';
import type { BulkDraft, BulkWork } from '../src/ports/bulk.ts';
import { createBulkStore } from '../src/storage/sending/bulk-store.ts';
import type { Benchmark } from './benchmark.ts';
import { machineTime } from './child.ts';
import { untilDone, untilReported } from './file-draft.ts';
import { differenceOf, inPairs } from './pairs.ts';
import { approveAll, draftOf, linkOwner, tapOn } from './people.ts';
import { Live, Resources } from './resources.ts';
import { Edits, setStage, type Stage } from './stage.ts';
import { median } from './statistics.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
/** A pair takes long. */
const PAIRS = 3;
const PATIENCE_MS = 120_000;

/** What a very large send costs in memory beside a small one, from the upload of its file to its last report. */
export const memory: Benchmark = {
  about: `memory and time of the bot for a file of ${SMALL} and of ${LARGE} recipients, from the upload to the last report`,
  async run(say) {
    const small: Memory[] = [];
    const large: Memory[] = [];
    const peaks = await inPairs(PAIRS, {
      product: async () => await memoryOf(LARGE, large, say),
      peer: async () => await memoryOf(SMALL, small, say),
    });
    const lives = large.map(({ mostMb }, pair) => ({
      product: mostMb,
      peer: small[pair]?.mostMb ?? Number.NaN,
    }));
    const what = 'memory';
    const mb = { digits: 0, unit: 'MB' };
    const usual = (of: readonly Memory[], name: Exclude<keyof Memory, 'phases'>): number =>
      median(of.map((each) => each[name]));
    return [
      {
        what,
        measure: `heap in use, ${LARGE} − ${SMALL}`,
        ...differenceOf(lives),
        ...mb,
        goal: 'memory-live',
      },
      { what, measure: `peak, ${LARGE} − ${SMALL}`, ...differenceOf(peaks), ...mb, goal: 'memory-peak' },
      { what, measure: `peak for ${SMALL}`, figure: usual(small, 'peakMb'), ...mb, isTold: true },
      { what, measure: `peak for ${LARGE}`, figure: usual(large, 'peakMb'), ...mb, isTold: true },
      {
        what,
        measure: `heap in use for ${LARGE}, most`,
        figure: usual(large, 'mostMb'),
        ...mb,
        isTold: true,
      },
      { what, measure: `heap in use for ${LARGE}, in the end`, figure: usual(large, 'leftMb'), ...mb },
      ...PHASES.flatMap((phase) => {
        const measure = `${LARGE}, ${phase}`;
        const usualOf = (name: keyof Phase): number =>
          median(large.map(({ phases }) => phases[phase]?.[name] ?? Number.NaN));
        return [
          { what, measure, figure: usualOf('seconds'), digits: 1, unit: 's', isTold: true },
          { what, measure: `${measure}: peak so far`, figure: usualOf('peakMb'), ...mb, isTold: true },
        ];
      }),
    ];
  },
};

/** The ways of a send from a file, in their order. */
const PHASES = [
  'file to its columns',
  'columns to review',
  'tap to all accepted',
  'accepted to settled',
] as const;

interface Phase {
  readonly seconds: number;
  readonly peakMb: number;
}

interface Memory extends z.output<typeof Live> {
  readonly peakMb: number;
  readonly phases: Readonly<Partial<Record<(typeof PHASES)[number], Phase>>>;
}

/** @returns the peak in MB; all of it goes into the list */
async function memoryOf(
  recipients: number,
  into: Memory[],
  say: (progress: string) => void,
): Promise<number> {
  await using stage = await setStage({ reports: { seconds: 4, of: recipients } });
  const owner = await linkOwner(stage, 6_000_001, 'demo');
  await approveAll(stage, owner);
  await stage.telegram.ask('file', { rows: recipients }, z.unknown());
  await stage.bot.ask('watchLive', {}, z.unknown());
  const phases: Partial<Record<(typeof PHASES)[number], Phase>> = {};
  let began = machineTime();
  const start = began;
  const ended = async (phase: (typeof PHASES)[number]): Promise<void> => {
    const { peakMb } = await stage.bot.ask('resources', {}, Resources);
    phases[phase] = { seconds: (machineTime() - began) / 1000, peakMb };
    began = machineTime();
  };
  const draftId = await draftOf(stage, owner, 1, {
    outgoing: newBulk({ name: 'numbers.csv', reference: 'file' }),
    text: '',
    recipients: [],
  });
  const { bulk, version } = await reached(stage, draftId, 'columns');
  await ended('file to its columns');
  if (bulk.numbers?.good !== recipients) throw new Error('the file was not read');
  const change = { bulk: recounted(bulk, 'counting'), text: 'Hello' };
  await createBulkStore(stage.database).change({ draftId, version }, change);
  const counted = await reached(stage, draftId, 'review');
  await ended('columns to review');
  const tap = await tapOn(stage, owner, 2, { draftId, version: counted.version });
  await stage.telegram.ask('throwIn', tap, z.unknown());
  await untilDone(stage, draftId);
  await ended('tap to all accepted');
  await untilReported(stage, draftId, recipients);
  await ended('accepted to settled');
  const edits = await stage.telegram.ask('edits', {}, Edits);
  for (const { at, text } of edits)
    say(`  after ${((at - start) / 1000).toFixed(1)} s: ${text.replaceAll(/\s+/gu, ' ')}`);
  const { peakMb } = await stage.bot.ask('resources', {}, Resources);
  const live = await stage.bot.ask('live', {}, Live);
  say(`${recipients} recipients: peak ${peakMb.toFixed()} MB, ${live.mostMb.toFixed()} MB in use at most`);
  into.push({ peakMb, phases, ...live });
  return peakMb;
}

/** The draft, once it has come so far. */
async function reached({ database }: Stage, draftId: string, step: BulkStep): Promise<BulkDraft & BulkWork> {
  const bulks = createBulkStore(database);
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(50)) {
    const [draft] = await database.sql<
      { version: number }[]
    >`select version from draft where id = ${draftId}`;
    const work = { draftId, version: draft?.version ?? 0 };
    const found = await bulks.find(work);
    if (found?.bulk.step === 'failed')
      throw new Error(`the file was not read: ${found.bulk.problem?.reason}`);
    if (found?.bulk.step === step) return { ...found, ...work };
  }
  throw new Error(`the draft did not come to ${step}`);
}
