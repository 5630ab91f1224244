import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import type { Stage } from './dockerfile.ts';
import { say } from './running.ts';

export interface Image {
  readonly root: string;
  readonly env: Record<string, string>;
  workdir: string;
  readonly volumes: string[];
  command: readonly string[];
  /** What asks whether it is well. */
  healthCheck: readonly string[];
}

/** What a build is sent. */
interface Context {
  readonly project: string;
  readonly isSent: (file: string) => boolean;
}

const words = z.array(z.string()).min(1);

/**
 * Performs the steps of one stage of a Dockerfile in `root`, which stands for the root of its file system. Throws for a
 * step that it does not know, and where one fails.
 */
export function performStage(
  { name, base, steps }: Stage,
  root: string,
  built: ReadonlyMap<string, Image>,
  context: Context,
): Image {
  const image = begun(base, root, built.get(base));
  for (const step of steps) {
    say(`${name}: ${step.name} ${shorten(step.rest)}`);
    switch (step.name) {
      case 'WORKDIR':
        image.workdir = step.rest;
        mkdirSync(join(root, step.rest), { recursive: true });
        break;
      case 'ENV':
        for (const pair of step.rest.split(/\s+/)) {
          const [, key, value] = /^(\w+)=([^"'$]*)$/.exec(pair) ?? [];
          if (key === undefined || value === undefined) throw new Error(`not understood: ENV ${pair}`);
          image.env[key] = value;
        }
        break;
      case 'COPY':
        copy(step.rest, image, built, context);
        break;
      case 'RUN':
        perform(step.rest, image);
        break;
      case 'VOLUME':
        image.volumes.push(step.rest);
        break;
      case 'CMD':
        image.command = words.parse(JSON.parse(step.rest));
        break;
      case 'HEALTHCHECK':
        image.healthCheck = words.parse(JSON.parse(step.rest.replace(/^.*?CMD /, '')));
        break;
      // The user is nobody here, and the port any that is free.
      case 'USER':
      case 'EXPOSE':
        break;
      default:
        throw new Error(`not understood: ${step.name}`);
    }
  }
  return image;
}

/** What a stage begins with: all of the stage that it is from, or a base that has Node and nothing else. */
function begun(base: string, root: string, from: Image | undefined): Image {
  if (from !== undefined) {
    cpSync(from.root, root, { recursive: true, verbatimSymlinks: true });
    return { ...from, root, env: { ...from.env }, volumes: [...from.volumes] };
  }
  const version = /^node:([\d.]+)-/.exec(base)?.[1];
  if (version === undefined || `v${version}` !== process.version) {
    throw new Error(`the base is ${base}: run this with that Node, not with ${process.version}`);
  }
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'));
  return { root, env: {}, workdir: '/', volumes: [], command: [], healthCheck: [] };
}

function copy(
  rest: string,
  { root, workdir }: Image,
  built: ReadonlyMap<string, Image>,
  { project, isSent }: Context,
): void {
  const words = rest.split(/\s+/);
  const flags = words.filter((word) => word.startsWith('--'));
  const paths = words.filter((word) => !word.startsWith('--'));
  const to = paths.pop() ?? '';
  const from = /^--from=(.+)$/.exec(flags[0] ?? '')?.[1];
  if (flags.length > (from === undefined ? 0 : 1)) throw new Error(`not understood: COPY ${rest}`);
  const source = from === undefined ? project : built.get(from)?.root;
  if (source === undefined) throw new Error(`no stage ${from}`);
  const target = join(root, resolve(workdir, to));
  for (const path of paths) {
    const found = join(source, path);
    const isFolder = statSync(found).isDirectory();
    // Docker copies what is in a folder, and a file into a folder only where that is said by a slash.
    const into = isFolder || !to.endsWith('/') ? target : join(target, basename(path));
    mkdirSync(dirname(into), { recursive: true });
    cpSync(found, into, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (each) =>
        from !== undefined || lstatSync(each).isDirectory() || isSent(relative(project, each)),
    });
  }
}

function perform(command: string, { root, workdir, env }: Image): void {
  // It would meet this machine's files instead of those of the base image, which is not here.
  if (/(^|[\s='"])\/\w/.test(command)) {
    say('  left out: it changes the base image. Folders for data are made for VOLUME');
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
      PATH: `${join(root, 'usr/local/bin')}:${PATH}`,
      HOME,
      npm_config_prefer_offline: 'true',
      ...env,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`it ended with ${status}: RUN ${command}`);
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
