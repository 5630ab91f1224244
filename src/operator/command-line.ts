import { parseArgs } from 'node:util';
import { slips } from '../domain/slips.ts';
import { EXIT } from '../process/exit-codes.ts';

/** Every command, with what may stand behind it and what that does. */
const COMMANDS = {
  try: [['', 'tries it out: a gateway and a chat of its own, whatever the settings say of real ones']],
  doctor: [
    [
      '',
      'looks at settings, database, keys, Telegram, gateway and clocks, and says what is wrong; changes nothing',
    ],
  ],
  keys: [
    ['status', 'what is sealed under which master key'],
    ['new', 'a new master key: in front of the file in DATA_DIR, or to put into MASTER_KEYS'],
    ['rotate', 'brings all credentials under the newest master key; may be ended and begun again'],
  ],
  halt: [
    ['on', 'holds the sends of all chats: nothing more leaves'],
    ['off', 'lets them go on'],
    ['status', 'how it stands'],
    [
      'restored [--since TIME]',
      'before a backup is started on: holds all sends, and has what may have left since looked for. ' +
        'TIME, when the backup was taken (2026-11-22T09:30:00Z), is needed only where Peyk was started on it already',
    ],
  ],
  audit: [
    ['verify [FILE]', 'computes the chains of the audit anew; FILE has heads that were written down before'],
    ['heads', 'their heads, to be kept where nobody who owns the database can change them'],
  ],
  forget: [['NUMBER', 'takes a mobile number out of all that is stored, in every way it can be written']],
} as const satisfies Readonly<Record<string, readonly (readonly [string, string])[]>>;

export type CommandName = keyof typeof COMMANDS;

export type CommandLine =
  | { readonly kind: 'run' }
  | { readonly kind: 'command'; readonly name: CommandName; readonly args: readonly string[] }
  | { readonly kind: 'version' }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'mistake'; readonly text: string };

const OPTIONS = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const;
/** Of a name that is so far away nobody would say that it was meant. */
const MOST_SLIPS = 3;
const WIDTH = 118;

/** Reads what stands behind the name of the program. Whether a command likes its own arguments is its own to say. */
export function readCommandLine(given: readonly string[]): CommandLine {
  const at = given.findIndex((each) => !each.startsWith('-'));
  const own = at === -1 ? given : given.slice(0, at);
  const { tokens } = parseArgs({ args: [...own], options: OPTIONS, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (token.name === 'help') return { kind: 'help', text: helpText() };
    if (token.name === 'version') return { kind: 'version' };
    return mistake(`there is no option ${token.rawName}`, token.rawName, ['--help', '--version']);
  }
  const [name, ...args] = given.slice(own.length);
  if (name === undefined) return { kind: 'run' };
  if (!isCommand(name))
    return mistake(`there is no command ${JSON.stringify(name)}`, name, Object.keys(COMMANDS));
  if (args.some((each) => each === '--help' || each === '-h')) return { kind: 'help', text: usageOf(name) };
  const [words] = COMMANDS[name][0];
  if (words === '' && args[0] !== undefined)
    return { kind: 'mistake', text: `peyk ${name} takes nothing behind it.` };
  return { kind: 'command', name, args };
}

/** How one command is called, a line for each way. */
export function usageOf(name: CommandName): string {
  return usageLines([name]).join('\n');
}

function helpText(): string {
  const names = Object.keys(COMMANDS).filter(isCommand);
  return [
    'Peyk is a Telegram bot that puts a bulk-SMS account into a team’s chat.',
    '',
    ...shown([
      ['peyk', 'runs it until Ctrl-C or SIGTERM; without TELEGRAM_BOT_TOKEN as peyk try does'],
      ...ways(names),
      ['peyk --help', 'this; peyk COMMAND --help tells of one command'],
      ['peyk --version', 'which one this is'],
    ]),
    '',
    'Settings are read from the environment, and from the file .env in the folder in which it is started; the environment',
    'wins. README.md has all of them under "Settings". Data and the master key are in DATA_DIR (./data).',
    '',
    'Exit codes:',
    ...shown([
      ['0', 'ended as asked'],
      [String(EXIT.wrong), 'something unforeseen, or a command has found something wrong'],
      [String(EXIT.badUse), 'called in a way that it does not know'],
      [
        String(EXIT.unreachable),
        'the database, or for peyk doctor Telegram, is not there now: try again later',
      ],
      [String(EXIT.badSettings), 'it cannot start like this: wrong settings, token, keys or database'],
    ]).map((line) => `  ${line}`),
    '',
    'Documents: README.md beside the program, and docs/ in its source: operations.md for those who run it.',
  ].join('\n');
}

function usageLines(names: readonly CommandName[]): string[] {
  return shown(ways(names));
}

function ways(names: readonly CommandName[]): [string, string][] {
  return names.flatMap((name) =>
    COMMANDS[name].map(([words, does]): [string, string] => [`peyk ${name} ${words}`.trim(), does]),
  );
}

/** Two columns; what is too long for one line goes on below itself. */
function shown(rows: readonly (readonly [string, string])[]): string[] {
  const left = Math.max(...rows.map(([words]) => words.length)) + 2;
  return rows.flatMap(([words, does]) =>
    wrapped(does, WIDTH - left).map((line, index) => `${(index === 0 ? words : '').padEnd(left)}${line}`),
  );
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function mistake(what: string, typed: string, known: readonly string[]): CommandLine {
  const [nearest] = known
    .map((name) => ({ name, far: name.startsWith(typed) ? 1 : slips(name, typed) }))
    .filter(({ name, far }) => far <= Math.min(MOST_SLIPS, name.length - 1))
    .toSorted((one, other) => one.far - other.far);
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest.name}?`;
  return { kind: 'mistake', text: `peyk: ${what}.${meant} peyk --help lists what there is.` };
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}
