/*
 * What a migration may do while programs from before it still work on the database. It reads statements, not a grammar:
 * what it does not know well enough to let through it names.
 */

/** A statement that programs from before it do not survive, or that holds them up. */
export interface UnsafeStatement {
  readonly statement: string;
  readonly why: string;
}

/** A line before a statement that lets it through, with the reason. */
const ALLOWED = /^-- (?:allowed|contract): \S.{10,}$/mu;
const NAME = String.raw`(?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+))?`;
const ON_TABLE = new RegExp(String.raw`\bON (?:ONLY )?(${NAME})`, 'iu');
const CREATED = new RegExp(String.raw`^CREATE TABLE (?:IF NOT EXISTS )?(${NAME})`, 'iu');
const ALTERED = new RegExp(String.raw`^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(${NAME})`, 'iu');

const RULES: readonly { readonly fits: RegExp; readonly why: string; readonly onNew?: true }[] = [
  { fits: /^(?:DROP|TRUNCATE)\b/iu, why: 'takes away what older programs may use' },
  {
    fits: /\bDROP (?:COLUMN|CONSTRAINT|DEFAULT|EXPRESSION|IDENTITY)\b/iu,
    why: 'takes away what older programs may use',
  },
  { fits: /\bRENAME\b/iu, why: 'older programs do not know the new name' },
  { fits: /\bSET NOT NULL\b/iu, why: 'older programs may leave it empty' },
  {
    fits: /\bADD (?:COLUMN )?(?!CONSTRAINT\b)(?=[^,]*\bNOT NULL\b)(?![^,]*\b(?:DEFAULT|GENERATED)\b)/iu,
    why: 'older programs do not fill it: give it a default',
  },
  { fits: /\bGENERATED ALWAYS AS \(/iu, why: 'rewrites the whole table under a lock' },
  {
    fits: /\b(?:SET DATA TYPE|ALTER COLUMN \S+ TYPE|ALTER \S+ TYPE)\b/iu,
    why: 'older programs write the type that it had',
  },
  {
    fits: /\bADD CONSTRAINT \S+ (?:UNIQUE|PRIMARY KEY|EXCLUDE|CHECK)\b/iu,
    why: 'what older programs write may break it',
  },
  { fits: /\bADD (?:UNIQUE|PRIMARY KEY|EXCLUDE|CHECK)\b/iu, why: 'what older programs write may break it' },
  {
    fits: /\bADD CONSTRAINT \S+ FOREIGN KEY\b(?!.*\bNOT VALID\b)/isu,
    why: 'what older programs write may break it, and all rows are looked at under a lock',
  },
  { fits: /^CREATE UNIQUE INDEX\b/iu, why: 'what older programs write may break it' },
  { fits: /^CREATE INDEX\b/iu, why: 'nobody writes to the table while it is built' },
  { fits: /^CREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER\b/iu, why: 'it meets what older programs write' },
  { fits: /^CREATE OR REPLACE\b/iu, why: 'older programs call the one before' },
  {
    fits: /^(?:UPDATE|DELETE|INSERT|MERGE|DO)\b/iu,
    why: 'changes rows that older programs work on, in one transaction',
  },
  {
    fits: /^(?:LOCK|CLUSTER|VACUUM|REINDEX|REFRESH|REASSIGN|GRANT|REVOKE)\b/iu,
    why: 'is nothing for a migration',
  },
];

const HARMLESS =
  /^(?:CREATE (?:TABLE|FUNCTION|SEQUENCE|TYPE|INDEX|UNIQUE INDEX|TRIGGER|CONSTRAINT TRIGGER)|ALTER TABLE|COMMENT ON|SET|SELECT)\b/iu;

/**
 * The statements of a migration that break or hold up programs from before it, without those that say why they may.
 * @param text of the file, as drizzle-kit writes it
 */
export function unsafeStatements(text: string): readonly UnsafeStatement[] {
  const made = new Set<string>();
  const found: UnsafeStatement[] = [];
  for (const part of text.split('--> statement-breakpoint').flatMap(splitStatements)) {
    const statement = part.replaceAll(/^\s*--.*$/gmu, '').trim();
    if (statement === '') continue;
    const created = CREATED.exec(statement)?.[1];
    if (created !== undefined) made.add(bare(created));
    const table = ALTERED.exec(statement)?.[1] ?? tableOf(statement);
    // Nobody uses what this very migration has made.
    if (table !== undefined && made.has(bare(table)) && !/^DROP\b/iu.test(statement)) continue;
    if (ALLOWED.test(part)) continue;
    const broken = RULES.filter(({ fits }) => fits.test(created === undefined ? statement : ''));
    for (const { why } of broken) found.push({ statement: firstLine(statement), why });
    if (broken.length === 0 && !HARMLESS.test(statement))
      found.push({ statement: firstLine(statement), why: 'is not known to be harmless' });
  }
  return found;
}

/** The table that a statement writes to or builds something on. */
function tableOf(statement: string): string | undefined {
  const written = new RegExp(String.raw`^(?:INSERT INTO|UPDATE|DELETE FROM) (${NAME})`, 'iu').exec(
    statement,
  )?.[1];
  return written ?? (/^CREATE (?!FUNCTION)/iu.test(statement) ? ON_TABLE.exec(statement)?.[1] : undefined);
}

/** At semicolons, but not within a comment or the body of a function. */
function splitStatements(text: string): string[] {
  const parts: string[] = [];
  let [current, quoted] = ['', false];
  for (const piece of text.split(/(\$\w*\$|--.*$|;)/mu)) {
    if (/^\$\w*\$$/u.test(piece)) quoted = !quoted;
    if (piece === ';' && !quoted) {
      parts.push(current);
      current = '';
    } else current += piece;
  }
  return [...parts, current];
}

function bare(name: string): string {
  return name
    .replaceAll('"', '')
    .replace(/^public\./u, '')
    .toLowerCase();
}

function firstLine(statement: string): string {
  return (statement.split('\n')[0] ?? '').slice(0, 100);
}
