import type { Json } from '../json.ts';
import { writeJson } from '../json.ts';
import type { ApiVersion, Described } from '../versions/api-version.ts';
import { ALWAYS_REFUSED } from '../versions/operation.ts';
import type { RefusalReason } from '../world/refusal.ts';
import { whyRefused } from '../world/why.ts';
import { runExample } from './examples.ts';
import { parametersOf } from './schemas.ts';
import type { Parameter, Schema } from './schemas.ts';

const LIMITS = [
  ['enum', 'one of'],
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['minLength', 'characters, at least'],
  ['maxLength', 'characters, at most'],
  ['maxItems', 'elements, at most'],
] as const;

/** A version of the interface for people to read, in Markdown, made of its table of operations; its examples were run. */
export function interfacePage(version: ApiVersion): string {
  const { table, prefix } = version;
  const always = refusals(table, ALWAYS_REFUSED);
  const parts = [
    `# Version ${version.version} of the interface`,
    'Generated from the table of operations of `src/sandbox/versions` by `npm run docs:interface`; examples and answers come of the sandbox. ' +
      `The same for programs: [v${version.version}.json](./v${version.version}.json), OpenAPI 3.1.`,
    `Addresses begin with \`/${prefix.join('/')}\`. Who calls: ${table.authentication}. Every answer has the HTTP status 200. Any operation may be refused so:`,
    always,
    ...table.rows.map((row) => section(version, row)),
  ];
  return `${parts.flat().join('\n\n')}\n`;
}

function section(version: ApiVersion, row: Described): string[] {
  const { call, answer } = runExample(version, row);
  const headers = Object.entries(call.headers).map(([name, value]) => ` -H '${name}: ${value}'`);
  const body = call.body === undefined ? '' : ` -d '${call.body}'`;
  const method = call.method === 'GET' || (call.method === 'POST' && body !== '') ? '' : ` -X ${call.method}`;
  const forms = parametersOf(row.input).filter((form) => form.length > 0);
  return [
    `## ${row.name}`,
    `\`${row.method} /${version.prefix.join('/')}${row.path}\``,
    row.summary,
    ...(forms.length === 0 ? ['No parameters.'] : forms.map(parameterTable)),
    ...(row.refuses === undefined ? [] : [refusals(row, row.refuses)]),
    `\`\`\`sh\ncurl${method}${headers.join('')} "$B${call.path}"${body}\n\`\`\``,
    `\`\`\`json\n${writeJson(answer)}\n\`\`\``,
  ];
}

function parameterTable(parameters: readonly Parameter[]): string {
  const lines = parameters.map(({ name, required, schema }) => {
    const must = required ? 'yes' : '';
    return row([
      `\`${name}\``,
      typeOf(schema),
      must,
      limitsOf(schema),
      told(schema['default']),
      told(schema['description']),
    ]);
  });
  return [
    row(['parameter', 'type', 'required', 'limits', 'default', '']),
    row(Array<string>(6).fill('---')),
    ...lines,
  ].join('\n');
}

function refusals(of: Pick<Described, 'refusal'>, reasons: readonly RefusalReason[]): string {
  const lines = reasons.map((reason) =>
    row([whyRefused({ refused: reason }), `\`${writeJson(of.refusal(reason))}\``]),
  );
  return [row(['refused when', 'answer']), row(['---', '---']), ...lines].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function typeOf(schema: Schema): string {
  const { type, format } = schema;
  if (typeof type !== 'string') return 'any';
  if (type === 'array') return `list of ${typeOf(elementOf(schema))}`;
  return format === undefined ? type : `${type} (${told(format)})`;
}

/** What each element of a list is. */
function elementOf({ items }: Schema): Schema {
  return typeof items === 'object' && items !== null && !Array.isArray(items) ? items : {};
}

function limitsOf(schema: Schema): string {
  const found = LIMITS.flatMap(([name, words]) => {
    const limit = schema[name];
    return limit === undefined ? [] : [`${words} ${[limit].flat().map(told).join(', ')}`];
  });
  const each = schema['items'] === undefined ? '' : limitsOf(elementOf(schema));
  const only = schema['const'] === undefined ? [] : [`\`${told(schema['const'])}\``];
  return [...found, ...only, ...(each === '' ? [] : [`each: ${each}`])].join('; ');
}

function told(value: Json | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : writeJson(value);
}
