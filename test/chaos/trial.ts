import { checkCards } from './card-check.ts';
import { checkSends, type Finding } from './checks.ts';
import { readFacts } from './facts.ts';
import { linkPlaces } from './people.ts';
import { untilQuiet } from './quiet.ts';
import { prepareSend, type Scene, within } from './scenes.ts';
import { startStand, type Stand } from './stand.ts';

/** What came of one send. */
export interface Trial {
  readonly accepted: number;
  readonly unknown: number;
  readonly findings: readonly Finding[];
}

export interface Trials {
  readonly stand: Stand;
  /**
   * One send, watched from the press or the command on: `arm` is called right before that. Waits until `until` says yes, if it is
   * given, then until nothing is open any more, and checks.
   */
  run(
    scene: Scene,
    size: number,
    arm: () => void | Promise<void>,
    blow?: { readonly until: () => boolean; readonly patienceMs: number },
  ): Promise<Trial>;
  close(keep: boolean): Promise<void>;
}

/** A stand on which sends are made one after the other, in turn in several chats. */
export async function startTrials(options: {
  readonly source: string;
  readonly processes: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}): Promise<Trials> {
  const { signal } = options;
  const stand = await startStand(options);
  options.say(`logs and ledgers are in ${stand.folder}`);
  const collecting = setInterval(() => void stand.telegram.collect().catch(() => undefined), 1000);
  let round = 0;
  try {
    // Whose phonebooks are sent to number by number.
    const places = (await linkPlaces(stand)).filter(({ account }) => account.apiKey !== undefined);
    const prober = await stand.telegram.user('Prober');
    await stand.telegram.start(prober, await stand.telegram.botName());
    return {
      stand,
      async run(scene, size, arm, blow) {
        round += 1;
        const place = places[round % places.length] ?? raise();
        const text = `chaos r${round} s0 trial`;
        if (scene.fromCommand === true) await arm();
        const { sending, press } = await prepareSend(stand, place, text, size);
        await scene.begin(stand);
        if (scene.fromCommand !== true) await arm();
        for (let presses = 0; presses < (scene.presses ?? 1); presses += 1) await press();
        if (blow !== undefined) await within(blow.patienceMs, blow.until);
        const stuck = await settled();
        let [draft] = await readFacts(stand, [round]);
        const findings: Finding[] = [];
        if (draft?.job === null) {
          // Whatever became of the first press, the next one works.
          await press();
          await settled();
          [draft] = await readFacts(stand, [round]);
          if (draft?.job === null)
            findings.push({ kind: 'dead', count: 1, what: 'a second press does nothing' });
        }
        await scene.end(stand);
        if (stuck !== null) findings.push({ kind: 'stuck', count: 1, what: JSON.stringify(stuck) });
        const { findings: found, tally } = checkSends(
          [sending],
          draft === undefined ? [] : [draft],
          stand.gateway.acceptances().filter((each) => each.text === text),
        );
        await stand.telegram.collect();
        const cards = await checkCards(stand, [place], [round], stand.telegram.takeCalls());
        findings.push(...found, ...cards.findings);
        return { accepted: tally.accepted, unknown: tally.unknown, findings };
      },
      async close(keep) {
        clearInterval(collecting);
        await stand.close(keep);
      },
    };

    async function settled() {
      return await untilQuiet(stand, prober, signal);
    }
  } catch (error) {
    clearInterval(collecting);
    await stand.close(true);
    throw error;
  }
}

function raise(): never {
  throw new Error('nobody has an account');
}
