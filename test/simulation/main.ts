import { parseArgs } from 'node:util';
import { z } from 'zod';
import { playControls } from './controls.ts';
import { createDraws } from './draws.ts';
import { play, type Played } from './play.ts';
import { drawScript, type Script } from './script.ts';
import { shrink } from './shrink.ts';

// Each process makes its schemas anew: compiled ones would take longer to make than they are used.
z.config({ jitless: true });

const USAGE = `npm run simulate -- [--seconds 60] [--first N] | --seed N | --controls [NAME] [--seconds 600]

Plays the send path under drawn schedules until the time is over or a promise is broken.
--first     the seed of the first schedule; by default any
--seed      this one schedule alone, with its history
--controls  broken copies of the send path, all or those of a name: each has to be caught within the time`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { values, positionals } = parseArgs({
  options: {
    seconds: { type: 'string' },
    seed: { type: 'string' },
    first: { type: 'string' },
    controls: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
if (values.help) say(USAGE);
else if (values.controls)
  process.exitCode = Math.min(
    1,
    (await playControls(Number(values.seconds ?? 600), positionals[0], say)).length,
  );
else process.exitCode = values.seed === undefined ? await playMany() : await playOne(Number(values.seed));

async function playMany(): Promise<number> {
  const until = performance.now() + Number(values.seconds ?? 60) * 1000;
  const first = Number(values.first ?? Math.floor(Math.random() * 0x40_00_00_00));
  const began = performance.now();
  let [plays, steps, taken, doubted, lost] = [0, 0, 0, 0, 0];
  for (; performance.now() < until; plays += 1) {
    const seed = first + plays;
    const script = drawScript(seed, createDraws(seed));
    const played = await play(script);
    steps += played.steps;
    taken += played.taken;
    doubted += played.doubted;
    if (played.lost) lost += 1;
    if (played.wrong !== null) return await tell(script, played);
  }
  const seconds = (performance.now() - began) / 1000;
  const perHour = Math.round((plays / seconds) * 3600);
  say(
    `${plays} schedules from seed ${first} on, ${steps} steps, ${taken} messages, ${doubted} calls in doubt, ${lost} losses of commits: nothing wrong; ${perHour} an hour`,
  );
  return 0;
}

async function playOne(seed: number): Promise<number> {
  const script = drawScript(seed, createDraws(seed));
  const played = await play(script, { tells: true });
  if (played.wrong !== null) return await tell(script, played);
  say(played.history.join('\n'));
  return 0;
}

async function tell(script: Script, { wrong }: Played): Promise<number> {
  say(`seed ${script.seed}: ${wrong}`);
  const least = await shrink(script);
  const { history } = await play(least, { tells: true });
  say(`with ${least.acts.length} of ${script.acts.length} acts:\n${history.join('\n')}`);
  return 1;
}
