import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { TRIED_WITH, type Builder, type Made } from './builder.ts';
import { allStepsOf, settingsAfter, type Settings, type Stage } from './dockerfile.ts';
import { output, say } from './running.ts';

const NOBODY = 65_534;
/** On Linux, all of 127/8 is this machine: who listens on one of its addresses alone is not found at another. */
const ELSEWHERE = '127.0.0.2';

/**
 * Carries out the steps in folders, where there is no engine: what a step would change of the base image is left out. Root
 * has what was made run as nobody in particular; each volume and `/tmp` is an empty folder, and each port any that is free.
 * @param isSent whether the build is sent a file of the project
 */
export function byHand(
  project: string,
  stages: readonly Stage[],
  isSent: (file: string) => boolean,
): Builder {
  const scratch = mkdtempSync(join(tmpdir(), 'peyk-image-'));
  chmodSync(scratch, 0o755);
  // All that is known of the base. A checkout may lie where only its owner gets to.
  const programs = join(scratch, 'bin');
  mkdirSync(programs);
  copyFileSync(process.execPath, join(programs, 'node'));
  const rootOf = (stage: string): string => join(scratch, 'stages', stage);
  const done = new Set<string>();

  /** Stages stand after those that they need. */
  const carryOut = ({ name, base, steps }: Stage): void => {
    const root = rootOf(name);
    if (done.has(base)) cpSync(rootOf(base), root, { recursive: true, verbatimSymlinks: true });
    for (const [at, step] of steps.entries()) {
      const settings = settingsAfter([...allStepsOf(base, stages), ...steps.slice(0, at + 1)]);
      say(`${name}: ${step.name} ${shorten(step.rest)}`);
      mkdirSync(join(root, settings.workdir), { recursive: true });
      if (step.name === 'COPY') copy(step.rest, root, settings.workdir);
      if (step.name === 'RUN') run(step.rest, root, settings);
    }
    done.add(name);
  };

  const copy = (rest: string, root: string, workdir: string): void => {
    const words = rest.split(/\s+/);
    const flags = words.filter((word) => word.startsWith('--'));
    const paths = words.filter((word) => !word.startsWith('--'));
    const to = paths.pop() ?? '';
    const from = /^--from=(.+)$/.exec(flags[0] ?? '')?.[1];
    if (flags.length > (from === undefined ? 0 : 1)) throw new Error(`not understood: COPY ${rest}`);
    const target = join(root, resolve(workdir, to));
    for (const path of paths) {
      const found = join(from === undefined ? project : rootOf(from), path);
      // Docker copies what is in a folder, and a file into a folder only where that is said by a slash.
      const isWhole = statSync(found).isDirectory() || !to.endsWith('/');
      const into = isWhole ? target : join(target, basename(path));
      mkdirSync(dirname(into), { recursive: true });
      cpSync(found, into, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (each) =>
          from !== undefined || lstatSync(each).isDirectory() || isSent(relative(project, each)),
      });
    }
  };

  const run = (command: string, root: string, { workdir, env }: Settings): void => {
    // It would meet this machine's files instead of those of the base image, which is not here.
    if (/(^|[\s='"])\/\w/.test(command)) {
      say('  left out: it changes the base image');
      return;
    }
    const { PATH = '', HOME = '' } = process.env;
    // The way to the registry, and no more of what is set here: a build by Docker would not see it either.
    const way = Object.entries(process.env).filter(([key]) =>
      /^((https?|no)_proxy|npm_config_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+)$/i.test(key),
    );
    const { status } = spawnSync('sh', ['-e', '-c', command], {
      cwd: join(root, workdir),
      env: {
        ...Object.fromEntries(way),
        PATH: `${programs}:${PATH}`,
        HOME,
        npm_config_prefer_offline: 'true',
        ...env,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (status !== 0) throw new Error(`it ended with ${status}: RUN ${command}`);
  };

  return {
    async make(target): Promise<Made> {
      const names = new Set(stages.map(({ name }) => name));
      const version = /^node:([\d.]+)-/.exec(stages.find(({ base }) => !names.has(base))?.base ?? '')?.[1];
      if (`v${version}` !== process.version)
        throw new Error(`the base is Node ${version}: run this with that, not with ${process.version}`);
      for (const stage of stages) if (!done.has(stage.name)) carryOut(stage);

      const settings = settingsAfter(allStepsOf(target, stages));
      const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
      const empty = (name: string): string => {
        const folder = join(scratch, `${target}-${name.replaceAll('/', '')}`);
        mkdirSync(folder, { mode: 0o700 });
        if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
        return folder;
      };
      const free = new Map<string, string>();
      for (const port of settings.ports) free.set(port, await freePort());
      const here = (text: string): string =>
        settings.volumes.includes(text)
          ? empty(text)
          : text.replaceAll(/\b\d+\b/g, (number) => free.get(number) ?? number);
      const how = {
        cwd: join(rootOf(target), settings.workdir),
        env: {
          PATH: `${programs}:/usr/bin:/bin`,
          TMPDIR: empty('tmp'),
          ...Object.fromEntries(Object.entries(settings.env).map(([key, value]) => [key, here(value)])),
          ...TRIED_WITH,
        },
        ...owner,
      };
      return {
        root: rootOf(target),
        isOfBase: () => false,
        start: { ...how, command: settings.command.map(here) },
        address: ELSEWHERE,
        run: (command) => output(command.map(here), how),
      };
    },
    end: () => rmSync(scratch, { recursive: true, force: true }),
  };
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return String(typeof address === 'object' && address !== null ? address.port : 0);
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
