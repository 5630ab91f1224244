import { posix } from 'node:path';
import { readReach } from './imports.ts';

/** A file of the project: path from its root, with `/`. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export interface Verdict {
  /** How many imports were held against the rules. */
  readonly checked: number;
  /** The same by part of the house. */
  readonly checkedIn: ReadonlyMap<string, number>;
  /** `file → what it imports: rule`, in the order of the files. */
  readonly violations: readonly string[];
}

interface Rule {
  /** Parts of the house that may be imported besides the own one; `null`: all. */
  readonly parts: readonly Part[] | null;
  /** Packages that may be imported; `node:` stands for all of the runtime, `null` for any package. */
  readonly packages: readonly string[] | null;
}

const FOLDERS = [
  'domain',
  'ports',
  'i18n',
  'gateway',
  'storage',
  'jobs',
  'tables',
  'charts',
  'http',
  'telegram',
  'pages',
  'sandbox',
  'playground',
] as const;

type Part =
  | (typeof FOLDERS)[number]
  | 'a feature'
  | 'a feature service'
  | 'what features share'
  | 'the list of features'
  | 'settings and log'
  | 'the tables of the queue'
  | 'the composition root';

/** Which way imports may point. To let a part use a further package, name it here: one place to see them all. */
const RULES: Readonly<Record<Part, Rule>> = {
  domain: { parts: [], packages: ['node:net', 'node:util', 're2js', 'sms-segments-calculator'] },
  ports: { parts: ['domain'], packages: ['node:async_hooks', 'zod'] },
  i18n: { parts: ['domain'], packages: [] },
  gateway: { parts: ['ports', 'domain'], packages: ['node:', 'undici', 'zod', 'lossless-json'] },
  storage: {
    parts: ['ports', 'domain', 'the tables of the queue'],
    packages: ['node:', 'drizzle-orm', 'postgres', 'zod'],
  },
  jobs: {
    parts: ['ports', 'domain', 'the tables of the queue'],
    packages: ['node:', 'graphile-worker', 'pg', 'zod'],
  },
  'the tables of the queue': { parts: [], packages: ['postgres'] },
  tables: {
    parts: ['ports', 'domain'],
    packages: ['node:', 'csv-stringify', 'write-excel-file', 'yauzl', 'saxes', 'zod'],
  },
  charts: { parts: ['ports', 'domain'], packages: ['node:', '@resvg/resvg-js'] },
  http: { parts: ['ports', 'domain'], packages: ['node:', 'prom-client'] },
  telegram: {
    parts: ['ports', 'i18n', 'domain'],
    packages: ['node:', 'grammy', '@grammyjs/types', 'undici', 'busboy', 'zod'],
  },
  'a feature': {
    parts: ['a feature service', 'what features share', 'telegram', 'i18n', 'ports', 'domain'],
    packages: ['node:', 'zod'],
  },
  'what features share': { parts: ['telegram', 'i18n', 'ports', 'domain'], packages: ['zod'] },
  'a feature service': { parts: ['ports', 'domain'], packages: ['node:', 'zod'] },
  'the list of features': { parts: ['a feature', 'telegram', 'ports', 'domain'], packages: [] },
  pages: { parts: [], packages: ['node:'] },
  sandbox: { parts: ['pages'], packages: ['node:', 'undici', 'zod'] },
  playground: {
    parts: ['pages'],
    packages: ['node:', '@grammyjs/types', 'busboy', 'marked', 'undici', 'zod'],
  },
  'settings and log': {
    parts: ['ports', 'domain'],
    packages: ['node:', 'pino', 'pino-pretty', 'zod', '@opentelemetry'],
  },
  'the composition root': { parts: null, packages: null },
};

/** The tables as types: loaded, they and their library take a process longer than all the rest of its start. */
const SCHEMA = 'src/storage/schema.ts';

/** The folder of what several features need. */
const SHARED = 'shared';

/** Files of a feature, in whichever of its rooms, that speak to people; the others are its service. */
const SPEAKING = /^(index|arguments|forms|(.+-)?(texts|cards?|actions))\.ts$/;

/**
 * The one file of storage that features and the kit see, as a type: what stores there are and what each does. Nothing
 * of storage runs for it, so that their tests and the bundle can do without.
 */
const STORES = 'src/storage/stores.ts';
const MAY_SEE_STORES: readonly Part[] = [
  'telegram',
  'a feature',
  'what features share',
  'a feature service',
  'the list of features',
];

/** What is known of the library's tables, by those who run the queue and by statements that look into it. */
const QUEUE_TABLES = 'src/jobs/queue-tables.ts';

const MAY_READ_ENV = /^src\/(((sandbox|playground)\/)?main|operator\/operator-tool)\.ts$/;

/** Holds every import of the files under src/ against the directions. */
export function checkDirections(files: readonly SourceFile[]): Verdict {
  const violations: string[] = [];
  const checkedIn = new Map<string, number>();
  let checked = 0;
  for (const { path, text } of files) {
    const { imports, runs, readsEnv } = readReach(path, text);
    for (const name of imports) {
      checked += 1;
      const key = isTest(path) ? 'tests' : partOf(path);
      checkedIn.set(key, (checkedIn.get(key) ?? 0) + 1);
      const rule = brokenRule(path, name, runs.has(name));
      if (rule !== null) violations.push(`${path} → ${shown(path, name)}: ${rule}`);
    }
    if (readsEnv && !isTest(path) && !MAY_READ_ENV.test(path)) {
      violations.push(`${path} → process.env: settings are read where a process begins and handed down`);
    }
  }
  return { checked, checkedIn, violations };
}

/** The rule that an import breaks, in words; null when it is allowed. */
function brokenRule(from: string, name: string | null, runs: boolean): string | null {
  if (name === null) return isTest(from) ? null : 'the name of an import is a plain string';
  if (!name.startsWith('.')) return isTest(from) ? null : brokenPackageRule(from, name);
  const to = posix.join(posix.dirname(from), name);
  if (isTest(from)) return brokenTestRule(from, to);
  if (to.startsWith('test/') || isTest(to)) return 'only tests import what is there for tests';
  const part = partOf(from);
  if (!to.startsWith('src/')) {
    return part === 'the composition root' ? null : 'nothing outside src is imported';
  }
  return brokenPartRule(from, to, runs);
}

function brokenPartRule(from: string, to: string, runs: boolean): string | null {
  const [part, target] = [partOf(from), partOf(to)];
  const { parts } = RULES[part];
  const [feature, targetFeature] = [featureOf(from), featureOf(to)];
  const isOther = feature !== null && targetFeature !== null && feature !== targetFeature;
  if (isOther && targetFeature !== SHARED && to !== `src/features/${targetFeature}/actions.ts`) {
    return 'a feature imports of another feature only what its buttons do';
  }
  if (to === STORES && MAY_SEE_STORES.includes(part))
    return runs ? 'stores are imported as types alone' : null;
  if (to === SCHEMA && target === part && runs) return 'tables are imported as types alone';
  if (parts === null || target === part || parts.includes(target)) return null;
  return parts.length === 0 ? `${part} imports nothing else of ours` : `${part} imports ${parts.join(', ')}`;
}

function brokenPackageRule(from: string, name: string): string | null {
  const { packages } = RULES[partOf(from)];
  const allowed = packages?.some((each) =>
    each === 'node:' ? name.startsWith(each) : name === each || name.startsWith(`${each}/`),
  );
  if (packages === null || allowed === true) return null;
  return `${partOf(from)} imports ${packages.length === 0 ? 'no package' : `of packages ${packages.join(', ')}`}`;
}

/** A test may build what it needs of any part; those of the two stand-ins stay apart as the stand-ins do. */
function brokenTestRule(from: string, to: string): string | null {
  const part = partOf(from);
  if (part !== 'sandbox' && part !== 'playground') return null;
  if (!to.startsWith('src/') || [part, 'pages'].includes(partOf(to))) return null;
  return `${part} imports nothing else of ours, in tests too`;
}

function partOf(path: string): Part {
  const [, folder = '', ...rest] = path.split('/');
  if (folder === 'features') {
    if (rest.length < 2) return 'the list of features';
    if (rest[0] === SHARED) return 'what features share';
    return SPEAKING.test(rest.at(-1) ?? '') ? 'a feature' : 'a feature service';
  }
  if (path === QUEUE_TABLES) return 'the tables of the queue';
  if (folder === 'process') return 'settings and log';
  if (rest.length === 0 || folder === 'app' || folder === 'operator') return 'the composition root';
  const part = FOLDERS.find((each) => each === folder);
  if (part === undefined) throw new Error(`${path}: no directions are known for src/${folder}: add them`);
  return part;
}

function featureOf(path: string): string | null {
  const [src, features, name, file] = path.split('/');
  return src === 'src' && features === 'features' && file !== undefined ? (name ?? null) : null;
}

function isTest(path: string): boolean {
  return /\.test\.ts$|\/testing(\.ts$|\/)/.test(path);
}

function shown(from: string, name: string | null): string {
  if (name === null) return 'import(…)';
  return name.startsWith('.') ? posix.join(posix.dirname(from), name) : name;
}
