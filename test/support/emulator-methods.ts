import { BOT_API } from '../../src/playground/bot-api/methods/listed.ts';
import { listed } from '../../src/playground/bot-api/methods/table.ts';

/** docs/emulator-methods.md, as the emulator's own table of methods has it. */
export function emulatorMethods(): string {
  const count = (status: string): number => listed.filter((method) => method.status === status).length;
  const rows = listed.map(({ name, status, answer, why }) => [
    `\`${name}\``,
    status,
    answer === undefined ? '' : `${answer}${why === undefined ? '' : `: ${why}`}`,
  ]);
  return [
    '# Methods of the Bot API in the emulator',
    '',
    `Written by \`npm run docs:emulator\` from the emulator's own table, which serves the same as JSON at \`/_control/methods\`. Bot API ${BOT_API}`,
    `has ${listed.length} methods: ${count('supported')} are supported, ${count('refused')} are refused as Telegram refuses them to a bot that was not given the thing, and ${count('absent')} are absent.`,
    'What is left out of those that are supported stands in the [README](../src/playground/README.md).',
    '',
    ...table([['method', 'here', 'answered with'], ...rows]),
    '',
  ].join('\n');
}

function table(rows: readonly string[][]): string[] {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...rest] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)];
}
