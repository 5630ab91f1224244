import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { z } from 'zod';

/** One instruction: its name, and the rest of its line with continued lines joined. */
export interface Step {
  readonly name: string;
  readonly rest: string;
}

export interface Stage {
  /** The name after AS, or the number of the stage. */
  readonly name: string;
  readonly base: string;
  readonly steps: readonly Step[];
}

/** Reads a Dockerfile: its stages in order, with the values of ARG before the first FROM put in. */
export function readStages(path: string): Stage[] {
  const args = new Map<string, string>();
  const stages: (Stage & { steps: Step[] })[] = [];
  for (const step of stepsIn(readFileSync(path, 'utf8'))) {
    const stage = stages.at(-1);
    if (step.name === 'FROM') {
      const [base = '', as, name] = step.rest.split(/\s+/);
      const named = as?.toUpperCase() === 'AS' && name !== undefined ? name : String(stages.length);
      const known = base.replaceAll(/\$\{(\w+)\}/g, (_, arg: string) => args.get(arg) ?? '');
      stages.push({ name: named, base: known, steps: [] });
    } else if (stage !== undefined) {
      stage.steps.push(step);
    } else if (step.name === 'ARG') {
      const [name = '', value = ''] = step.rest.split('=');
      args.set(name, value);
    } else throw new Error(`${step.name} before the first FROM`);
  }
  return stages;
}

/** The names of the stages that say what runs, and so are built to be used. */
export function targetsOf(stages: readonly Stage[]): string[] {
  return stages
    .filter(({ steps }) => steps.some(({ name }) => name === 'CMD' || name === 'ENTRYPOINT'))
    .map(({ name }) => name);
}

/** The steps of a stage, after those of the stages that it is from. */
export function allStepsOf(target: string, stages: readonly Stage[]): readonly Step[] {
  const stage = stages.find(({ name }) => name === target);
  return stage === undefined ? [] : [...allStepsOf(stage.base, stages), ...stage.steps];
}

/** What an image is started with. */
export interface Settings {
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly ports: readonly string[];
  readonly command: readonly string[];
  /** The command that asks whether it is well. */
  readonly healthCheck: readonly string[];
}

/** What these steps leave set. Throws for one that is not understood. */
export function settingsAfter(steps: readonly Step[]): Settings {
  const all = (name: string): string[] => steps.filter((step) => step.name === name).map(({ rest }) => rest);
  const words = (text: string | undefined): string[] =>
    text === undefined ? [] : z.array(z.string()).min(1).parse(JSON.parse(text));
  const unknown = steps.find(({ name }) => !KNOWN.has(name));
  if (unknown !== undefined) throw new Error(`not understood: ${unknown.name}`);
  return {
    workdir: all('WORKDIR').at(-1) ?? '/',
    env: Object.fromEntries(
      all('ENV').flatMap((rest) =>
        rest.split(/\s+/).map((pair) => {
          const [, key, value] = /^(\w+)=([^"'$]*)$/.exec(pair) ?? [];
          if (key === undefined) throw new Error(`not understood: ENV ${pair}`);
          return [key, value];
        }),
      ),
    ),
    volumes: all('VOLUME'),
    ports: all('EXPOSE').flatMap((rest) => rest.split(/\s+/)),
    command: [...words(all('ENTRYPOINT').at(-1)), ...words(all('CMD').at(-1))],
    healthCheck: words(
      all('HEALTHCHECK')
        .at(-1)
        ?.replace(/^.*?CMD /, ''),
    ),
  };
}

const KNOWN: ReadonlySet<string> = new Set(
  'RUN COPY WORKDIR ENV VOLUME EXPOSE USER ENTRYPOINT CMD HEALTHCHECK'.split(' '),
);

/** What a Dockerfile must not be like, in words; empty when all is well. */
export function faultsOf(stages: readonly Stage[]): string[] {
  const names = new Set(stages.map(({ name }) => name));
  const all = stages.flatMap(({ steps }) => steps);
  const found: string[] = [];
  const expect = (isWell: boolean, fault: string): void => {
    if (!isWell) found.push(fault);
  };
  for (const { base } of stages) {
    expect(names.has(base) || /:\d+\.\d+\.\d+[\w.-]*$/.test(base), `the base ${base} is not pinned`);
  }
  expect(stages.length > 1, 'what builds is not apart from what runs');
  for (const { name, rest } of all) {
    const shown = `${name} ${rest}`;
    expect(name !== 'ADD', `COPY says what ADD guesses: ${shown}`);
    expect(name !== 'MAINTAINER', `MAINTAINER is out of use: ${shown}`);
    expect(name !== 'COPY' || !/(^|\s)\.\/?\s/.test(rest), `the whole context is copied: ${shown}`);
    expect(name !== 'WORKDIR' || rest.startsWith('/'), `a folder that depends on the base: ${shown}`);
    expect(
      !['CMD', 'ENTRYPOINT'].includes(name) || rest.startsWith('['),
      `a shell would stand between signals and the program: ${shown}`,
    );
    expect(
      name !== 'RUN' || !/\bsudo\b|\bnpm i(nstall)?\b|\|\s*(ba)?sh\b/.test(rest),
      `not repeatable: ${shown}`,
    );
    const isSecret = /TOKEN|SECRET|PASSW|(^|_)KEYS?($|[\s=_])|CREDENTIAL/i.test(rest);
    expect(!['ENV', 'ARG'].includes(name) || !isSecret, `a secret would be in the image: ${shown}`);
  }
  for (const target of targetsOf(stages)) {
    const steps = allStepsOf(target, stages);
    const count = steps.filter(({ name }) => name === 'HEALTHCHECK').length;
    expect(count === 1, `${target} needs one HEALTHCHECK`);
    const user = steps.findLast(({ name }) => name === 'USER')?.rest ?? 'root';
    expect(!/^(root|0)(:|$)/.test(user), `${target} runs as ${user}`);
  }
  expect(targetsOf(stages).at(-1) === stages.at(-1)?.name, 'the last stage needs a CMD');
  return found;
}

/** Whether a file, by its path from the project's folder, is sent to the build: what .dockerignore says. */
export function readContext(path: string): (file: string) => boolean {
  const rules = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isKept: line.startsWith('!'), pattern: line.replace(/^!/, '') }));
  return (file) => {
    // A rule holds for all that is below what it names, and the last one that fits decides.
    const parts = file.split('/');
    const ways = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
    const last = rules.findLast(({ pattern }) =>
      ways.some((way) => pattern === '*' || posix.matchesGlob(way, pattern)),
    );
    return last?.isKept ?? true;
  };
}

function stepsIn(text: string): Step[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  const joined = lines.join('\n').replaceAll(/\\\n\s*/g, '');
  return joined.split('\n').map((line) => {
    const [, name = '', rest = ''] = /^\s*(\w+)\s+(.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`no instruction: ${line}`);
    return { name: name.toUpperCase(), rest: rest.trim() };
  });
}
