import { describe, expect, it, test } from 'vitest';
import { cyclesOf } from './support/cycles.ts';
import { checkDirections } from './support/directions.ts';
import { readReach } from './support/imports.ts';
import { projectFiles } from './support/project-files.ts';

/** Fewer than this and the check has lost its sight: the first slice alone has more. */
const FEWEST_IMPORTS = 800;

describe('the directions of imports', () => {
  it('hold for every file under src', () => {
    const files = projectFiles('src/**/*.ts');
    const { checked, checkedIn, violations } = checkDirections(files);
    process.stdout.write(`checked ${checked} imports in ${files.length} files\n`);
    expect(violations).toEqual([]);
    expect(checked).toBeGreaterThan(FEWEST_IMPORTS);
    expect([...checkedIn.keys()]).toEqual(
      expect.arrayContaining(['domain', 'ports', 'gateway', 'storage', 'telegram', 'a feature', 'sandbox']),
    );
  });

  it.each([
    ['src/domain/phone.ts', './money.ts'],
    ['src/domain/message.ts', 'sms-segments-calculator'],
    ['src/ports/stores.ts', '../domain/roles.ts'],
    ['src/gateway/v3/adapter.ts', '../transport/transport.ts'],
    ['src/storage/schema.ts', 'drizzle-orm/pg-core'],
    ['src/telegram/dispatch/bot.ts', 'grammy/types'],
    ['src/features/sending/index.ts', './service.ts'],
    ['src/features/sending/card.ts', '../../telegram/html.ts'],
    ['src/features/sending/run/sender.ts', '../../../ports/gateway.ts'],
    ['src/features/sending/reconcile/index.ts', '../texts.ts'],
    ['src/features/reports/report-cards.ts', '../sending/actions.ts'],
    ['src/features/index.ts', './sending/index.ts'],
    ['src/app/app.ts', '../features/index.ts'],
    ['src/app/app.ts', '../gateway/compose.ts'],
    ['src/app/try-mode.ts', '../sandbox/server.ts'],
    ['src/sandbox/admin.ts', '../pages/guard.ts'],
    ['src/main.ts', 'grammy'],
    ['src/process/log.ts', './secret-registry.ts'],
    ['src/gateway/compose.test.ts', '../sandbox/server.ts'],
    ['src/features/sending/service.test.ts', '../../../test/support/database.ts'],
  ])('let %s import %s', (path, name) => {
    expect(check(path, `import { x } from '${name}';`)).toEqual([]);
  });

  it.each([
    ['src/domain/phone.ts', '../ports/gateway.ts'],
    ['src/domain/phone.ts', 'zod'],
    ['src/domain/phone.ts', 'node:fs'],
    ['src/ports/stores.ts', '../storage/schema.ts'],
    ['src/i18n/format.ts', '../telegram/html.ts'],
    ['src/gateway/compose.ts', '../storage/database.ts'],
    ['src/gateway/compose.ts', '../jobs/engine.ts'],
    ['src/gateway/compose.ts', '../config.ts'],
    ['src/gateway/v4/wire.ts', '../../sandbox/versions/v4.ts'],
    ['src/gateway/v4/wire.ts', 'grammy'],
    ['src/sandbox/versions/v4.ts', '../../gateway/v4/wire.ts'],
    ['src/sandbox/server.ts', '../domain/phone.ts'],
    ['src/sandbox/limits.test.ts', '../gateway/codes.ts'],
    ['src/playground/world.ts', '../telegram/http.ts'],
    ['src/playground/world.test.ts', '../app.ts'],
    ['src/sandbox/admin.ts', '../playground/server.ts'],
    ['src/pages/guard.ts', '../sandbox/server.ts'],
    ['src/storage/database/database.ts', '../../jobs/pool.ts'],
    ['src/storage/database/database.ts', 'undici'],
    ['src/jobs/engine.ts', '../storage/database.ts'],
    ['src/jobs/engine.ts', '../gateway/compose.ts'],
    ['src/telegram/dispatch/bot.ts', '../../gateway/compose.ts'],
    ['src/telegram/dispatch/bot.ts', '../../features/index.ts'],
    ['src/features/shared/new-draft.ts', '../sending/card.ts'],
    ['src/features/shared/new-draft.ts', '../sending/actions.ts'],
    ['src/telegram/dispatch/bot.ts', 'drizzle-orm'],
    ['src/features/sending/index.ts', '../account/index.ts'],
    ['src/features/sending/service.ts', '../account/service.ts'],
    ['src/features/sending/index.ts', '../../storage/job-store.ts'],
    ['src/features/sending/index.ts', 'grammy'],
    ['src/features/sending/service.ts', './texts.ts'],
    ['src/features/sending/service.ts', './card.ts'],
    ['src/features/sending/track/tracker.ts', '../../../telegram/html.ts'],
    ['src/features/sending/track/tracker.ts', '../../../i18n/format.ts'],
    ['src/features/sending/run/sender.ts', './job-card.ts'],
    ['src/features/sending/run/sender.ts', 'grammy'],
    ['src/features/sending/run/sender.ts', 'undici'],
    ['src/features/sending/run/sender.ts', 'postgres'],
    ['src/features/sending/run/sender.ts', 'drizzle-orm/pg-core'],
    ['src/features/index.ts', '../storage/database.ts'],
    ['src/process/config.ts', '../app/app.ts'],
    ['src/process/log.ts', '../telegram/errors.ts'],
    ['src/app/app.ts', '../../test/support/memory-log.ts'],
    ['src/app/app.ts', '../gateway/testing/accounts.ts'],
    ['src/storage/database/database.ts', './database.test.ts'],
    ['src/storage/database/migrate.ts', '../../../drizzle/meta/_journal.json'],
    ['src/storage/database/copy-rows.ts', '../schema.ts'],
  ])('stop %s from importing %s', (path, name) => {
    expect(check(path, `import { x } from '${name}';`)).toHaveLength(1);
  });

  it.each([
    `import '../storage/schema.ts';`,
    `import type { Row } from '../storage/schema.ts';`,
    `export * from '../storage/schema.ts';`,
    `export type { Row } from '../storage/schema.ts';`,
    `const rows = await import('../storage/schema.ts');`,
    `let row: import('../storage/schema.ts').Row;`,
    `type Rows = typeof import('../storage/schema.ts');`,
    `import rows = require('../storage/schema.ts');`,
  ])('see an import in: %s', (text) => {
    expect(check('src/domain/phone.ts', text)).toEqual([
      'src/domain/phone.ts → src/storage/schema.ts: domain imports nothing else of ours',
    ]);
  });

  it.each([
    'src/telegram/dispatch/bot.ts',
    'src/features/sending/index.ts',
    'src/features/sending/service.ts',
    'src/features/shared/new-draft.ts',
    'src/features/index.ts',
  ])('let %s see the types of the stores, and nothing of storage that runs', (path) => {
    const root = '../'.repeat(path.split('/').length - 2);
    const rulesOf = (text: string) => check(path, text).map((each) => each.replace(/.*: /u, ''));
    const stores = `'${root}storage/stores.ts'`;
    const only = ['stores are imported as types alone'];
    expect(rulesOf(`import type { Stores } from ${stores};`)).toEqual([]);
    expect(rulesOf(`export type { Stores } from ${stores};`)).toEqual([]);
    expect(rulesOf(`import { createStores } from ${stores};`)).toEqual(only);
    expect(rulesOf(`import { type Stores } from ${stores};`)).toEqual(only);
    expect(rulesOf(`import ${stores};`)).toEqual(only);
    expect(rulesOf(`export * from ${stores};`)).toEqual(only);
    expect(rulesOf(`await import(${stores});`)).toEqual(only);
    expect(
      rulesOf(`import type { Stores } from ${stores}; import { createStores } from ${stores};`),
    ).toContain(only[0]);
    expect(rulesOf(`import type { Row } from '${root}storage/schema.ts';`)).toHaveLength(1);
  });

  it.each(['src/domain/phone.ts', 'src/ports/stores.ts', 'src/gateway/compose.ts', 'src/jobs/engine.ts'])(
    'hide the stores from %s, as types too',
    (path) => {
      expect(check(path, `import type { Stores } from '../storage/stores.ts';`)).toHaveLength(1);
    },
  );

  it('do not take strings and comments for imports', () => {
    const text = `// import '../app.ts';\nconst said = "import '../app.ts'";\n/* import('../app.ts') */`;
    expect(readReach('src/domain/phone.ts', text).imports).toEqual([]);
  });

  it('do not let an import be computed', () => {
    expect(check('src/app/app.ts', 'await import(name);')).toEqual([
      'src/app/app.ts → import(…): the name of an import is a plain string',
    ]);
  });

  it('must be told of a new folder', () => {
    expect(() => check('src/utils/text.ts', `import { x } from './y.ts';`)).toThrow('src/utils');
  });
});

test('the tables of the queue, which are the library’s, are named in one file', () => {
  const named = projectFiles('src/**/*.ts')
    .filter(({ path, text }) => !/(\.test|\/testing)\.ts$/u.test(path) && /graphile_worker/u.test(text))
    .map(({ path }) => path);
  expect(named).toEqual(['src/jobs/queue-tables.ts']);
});

describe('the states of attempts, drafts and jobs', () => {
  const updates = /\bupdate (?:attempt|draft|job)\b[^`]*?\bset\b[^`]*/gu;
  /** A state that is written out, or given by something else than a move. */
  const written = /(?<![\w.])state = (?!(?:case [^,]*? then )?\$\{)/u;
  const offending = (text: string) =>
    (text.match(updates) ?? []).filter((each) => written.test(each.split(/\bwhere\b/u)[0] ?? ''));

  it('are changed by the moves of their machines alone', () => {
    const found = projectFiles('src/**/*.ts')
      .filter(({ path }) => !/(\.test|\/testing)\.ts$/u.test(path))
      .flatMap(({ path, text }) => offending(text).map((each) => `${path}: ${each}`));
    expect(found).toEqual([]);
  });

  it('are seen where a statement names them', () => {
    expect(offending("tx`update job j set state = 'done' where j.id = 1`")).toHaveLength(1);
    expect(offending("tx`update draft set version = 1, state = 'open' where id = 1`")).toHaveLength(1);
    expect(offending("tx`update draft set state = case text when '' then 'open' end`")).toHaveLength(1);
    expect(offending('tx`update attempt set state = ${to} where id = 1`')).toEqual([]);
  });
});

describe('files that import each other', () => {
  it('are none, not even by their types', () => {
    expect(cyclesOf(projectFiles('src/**/*.ts').filter(({ path }) => !path.endsWith('.test.ts')))).toEqual(
      [],
    );
  });

  it('are found, in a circle of any length', () => {
    const file = (name: string, other: string) => ({
      path: `src/${name}.ts`,
      text: `import type { X } from './${other}.ts';`,
    });
    expect(cyclesOf([file('a', 'b'), file('b', 'c'), file('c', 'a'), file('d', 'a')])).toEqual([
      ['src/a.ts', 'src/b.ts', 'src/c.ts'],
    ]);
  });
});

describe('the environment', () => {
  it.each([
    `const level = process.env['LOG_LEVEL'];`,
    `const level = process['env'].LOG_LEVEL;`,
    `const level = globalThis.process.env.LOG_LEVEL;`,
    `const { env } = process;`,
    `const { ...all } = process;`,
    `import { env } from 'node:process';`,
  ])('is read only where a process begins, not by: %s', (text) => {
    expect(check('src/storage/database/database.ts', text)).toEqual([
      'src/storage/database/database.ts → process.env: settings are read where a process begins and handed down',
    ]);
  });

  it.each(['src/main.ts', 'src/sandbox/main.ts', 'src/playground/main.ts'])('is read in %s', (path) => {
    expect(check(path, 'start(process.env);')).toEqual([]);
  });
});

function check(path: string, text: string): readonly string[] {
  return checkDirections([{ path, text }]).violations;
}
