import type { Json } from '../json.ts';
import type { ApiVersion, Described } from '../versions/api-version.ts';
import { ALWAYS_REFUSED } from '../versions/operation.ts';
import { whyRefused } from '../world/why.ts';
import { runExample } from './examples.ts';
import { jsonSchema, parametersOf } from './schemas.ts';
import type { Schema } from './schemas.ts';

const FAILED = { $ref: '#/components/schemas/Failed' };

/** The OpenAPI 3.1 document of a version, made of its table of operations; its examples were run. */
export function openApi(version: ApiVersion): Json {
  const { table, prefix } = version;
  const places = table.credentialPlaces.flat();
  const paths: Record<string, Record<string, Json>> = {};
  for (const row of table.rows) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: describe(version, row) };
  }
  const base = `/${prefix.join('/')}`;
  const keyInPath = {
    url: `${base}/{api_key}`,
    description: 'With the key in the path, instead of credentials elsewhere.',
    variables: { api_key: { default: 'sandbox-key-demo' } },
  };
  return {
    openapi: '3.1.1',
    info: {
      title: `SMS gateway, version ${version.version}`,
      version: `${version.version}.0.0`,
      description: `As Peyk's sandbox serves it: ${table.authentication}. Answers have the HTTP status 200; what they say stands in the body.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: base }, ...(version.version === 4 ? [keyInPath] : [])],
    security: table.credentialPlaces.map((way) => Object.fromEntries(way.map(({ name }) => [name, []]))),
    paths,
    components: {
      securitySchemes: Object.fromEntries(places.map((place) => [place.name, { type: 'apiKey', ...place }])),
      schemas: {
        Failed: {
          ...jsonSchema(table.failed, 'output'),
          examples: ALWAYS_REFUSED.map((reason) => table.refusal(reason)),
        },
      },
    },
  };
}

function describe(version: ApiVersion, row: Described): Json {
  const { call, answer } = runExample(version, row);
  const forms = parametersOf(row.input);
  const isInPath = (name: string): boolean => row.path.includes(`{${name}}`);
  const isInAddress = (name: string): boolean => row.method === 'GET' || isInPath(name);
  const inAddress = forms
    .flat()
    .filter(({ name }) => isInAddress(name))
    .map(({ name, required, schema }) => ({
      name,
      in: isInPath(name) ? 'path' : 'query',
      required,
      schema,
      ...(call.parameters[name] === undefined ? {} : { example: inQuery(call.parameters[name]) }),
    }));
  const bodies = forms
    .map((form) => form.filter(({ name }) => !isInAddress(name)))
    .filter((form) => form.length > 0)
    .map((form): Schema => ({
      type: 'object',
      properties: Object.fromEntries(form.map(({ name, schema }) => [name, schema])),
      required: form.filter(({ required }) => required).map(({ name }) => name),
    }));
  const body = Object.fromEntries(Object.entries(call.parameters).filter(([name]) => !isInAddress(name)));
  const [only, ...others] = bodies;
  const content = { schema: others.length === 0 ? only : { anyOf: bodies }, example: body };
  const refusals = (row.refuses ?? []).map((reason) => [
    reason,
    { summary: whyRefused({ refused: reason }), value: row.refusal(reason) },
  ]);
  return {
    operationId: row.name,
    summary: row.summary,
    ...(inAddress.length === 0 ? {} : { parameters: inAddress }),
    ...(only === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': content } } }),
    responses: {
      '200': {
        description: 'Success, or why not.',
        content: {
          'application/json': {
            schema: { anyOf: [jsonSchema(row.answer, 'output'), FAILED] },
            examples: { success: { value: answer }, ...Object.fromEntries(refusals) },
          },
        },
      },
    },
  };
}

/** Several values of a query stand in one text. */
function inQuery(value: Json): Json {
  return Array.isArray(value) ? value.join(',') : value;
}
