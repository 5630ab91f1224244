import { parseArgs } from 'node:util';
import { BROKEN, whileBroken } from './broken.ts';
import { search, type Found } from './search.ts';
import { LIMITS, LONG, WORLDS } from './worlds.ts';

const HELP = `The rules of sends, exhausted: docs/proof/README.md

npm run proof               the worlds that CI looks at
npm run proof -- --long     the larger ones besides: minutes, and some gigabytes
npm run proof -- --broken   each broken rule, with the shortest way to what is wrong
npm run proof -- --limits   what is out of reach, by the shortest way
`;

const { values } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    broken: { type: 'boolean', default: false },
    limits: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const print = (line: string) => process.stdout.write(`${line}\n`);
const tell = (name: string, { wrong }: Found) =>
  print(
    wrong === null
      ? `${name}: nothing is wrong`
      : `${name}:\n  ${wrong.history.join('\n  ')}\n  = ${wrong.promise}`,
  );

if (values.help) print(HELP);
else if (values.broken) {
  for (const broken of BROKEN) {
    const found = whileBroken(broken, (without) => search(WORLDS[broken.world], { without }));
    tell(broken.name, found);
    if (found.wrong === null) process.exitCode = 1;
  }
} else if (values.limits) {
  for (const [name, world] of Object.entries(LIMITS)) tell(name, search(world, { about: '1. at most once' }));
} else {
  const began = performance.now();
  let all = 0;
  for (const [name, world] of Object.entries({ ...WORLDS, ...(values.long ? LONG : {}) })) {
    const found = search(world);
    print(`${name}: ${found.states} states by ${found.steps} steps, the farthest after ${found.depth}`);
    if (found.wrong !== null) {
      tell(name, found);
      process.exitCode = 1;
    }
    all += found.states;
  }
  print(`${all} states in ${Math.round((performance.now() - began) / 1000)} s`);
}
