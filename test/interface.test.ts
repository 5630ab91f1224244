import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { OpenAPIClientAxios } from 'openapi-client-axios';
import type { Document } from 'openapi-client-axios';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exampleCall, exampleNow, prepareExample } from '../src/sandbox/interface/examples.ts';
import { startSandbox } from '../src/sandbox/server.ts';
import type { Sandbox } from '../src/sandbox/server.ts';
import { interfaceFiles, versions } from './support/interface-files.ts';

const ROOT = join(import.meta.dirname, '..');

type Media = { schema: { anyOf: object[] }; examples: Record<string, { value: unknown }> };
type Described = {
  operationId: string;
  parameters?: { name: string; schema: object; required: boolean; example?: unknown }[];
  requestBody?: { content: { 'application/json': { schema: object; example: unknown } } };
  responses: { '200': { content: { 'application/json': Media } } };
};
type OpenApi = {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: { Failed: object & { examples: unknown[] } } };
};

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const textOf = (version: number): string => read(`docs/interface/v${version}.json`);
const documentOf = (version: number): OpenApi => JSON.parse(textOf(version));

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox({ now: exampleNow });
});
afterEach(() => sandbox.close());

const baseOf = (version: number): string => (version === 1 ? sandbox.wsUrl : sandbox.baseUrl);

describe('the interface as it is described', () => {
  it('stands in docs/interface as the table of operations has it: `npm run docs:interface`', () => {
    for (const { path, text } of interfaceFiles()) expect(read(path), path).toBe(text);
  });

  it('is served as well, each version where it is, and others are not', async () => {
    for (const { version } of versions) {
      const at = `${baseOf(version)}/interface/v${version}`;
      expect(await (await fetch(`${at}.md`)).text()).toBe(read(`docs/interface/v${version}.md`));
      expect(await (await fetch(`${at}.json`)).json()).toEqual(documentOf(version));
    }
    const elsewhere = await fetch(`${sandbox.wsUrl}/interface/v4.json`);
    expect(await elsewhere.json()).toMatchObject({ status: 404 });
  });
});

describe.each(versions)('the OpenAPI document of version $version', (version) => {
  const document = documentOf(version.version);
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { int64: true } });
  ajv.addSchema(document, 'document');
  const { Failed } = document.components.schemas;
  const named = (name: string): Described => {
    const found = operations.find(({ operationId }) => operationId === name);
    if (found === undefined) throw new Error(`no operation ${name}`);
    return found;
  };
  const check = (schema: object, value: unknown, what: string): void => {
    const fits = ajv.validate(schema, value);
    expect({ what, value, errors: fits ? null : ajv.errors }).toEqual({ what, value, errors: null });
  };

  it('is one by the schema of OpenAPI 3.1, and has every operation', async () => {
    const validator = new Validator();
    expect(await validator.validate(textOf(version.version))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
      version.operations.toSorted(),
    );
  });

  it.each(version.table.rows)(
    'has an example of $name that the sandbox answers so, within its schemas',
    async (row) => {
      const call = exampleCall(version, row, prepareExample(sandbox.world));
      const { method, headers, body } = call;
      const response = await fetch(baseOf(version.version) + call.path, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      const text = await response.text();
      const { parameters = [], requestBody, responses } = named(row.name);
      const { schema, examples } = responses['200'].content['application/json'];
      expect(JSON.parse(text)).toEqual(examples['success']?.value);
      expect(read(`docs/interface/v${version.version}.md`)).toContain(text);
      check(schema.anyOf[0] ?? {}, JSON.parse(text), 'the answer');
      for (const reason of row.refuses ?? []) check(Failed, examples[reason]?.value, reason);
      for (const { name, schema: wanted, required, example } of parameters)
        if (required || example !== undefined) check(wanted, example, name);
      const sent = requestBody?.content['application/json'];
      if (sent === undefined) return;
      check(sent.schema, sent.example, 'the body');
      expect(JSON.parse(body ?? '{}')).toEqual(sent.example);
    },
  );

  it('says what refuses every operation, as the sandbox refuses it', async () => {
    for (const answer of Failed.examples) check(Failed, answer, 'a refusal');
    const path = `${baseOf(version.version)}/${version.prefix.join('/')}`;
    const unknown = await (await fetch(`${path}/nowhere/at/all`)).json();
    expect(Failed.examples).toContainEqual(unknown);
  });

  it('makes a client that sends, and whose answer has the members that it promises', async () => {
    const definition: Document = JSON.parse(textOf(version.version));
    const base = `${baseOf(version.version)}/${version.prefix.join('/')}`;
    const client = await new OpenAPIClientAxios({ definition, withServer: { url: base } }).init();
    const row = version.table.rows.find(({ name }) => name === 'send') ?? expect.fail();
    const { headers, parameters } = exampleCall(version, row, 0n);
    const query = { ...parameters, recipients: '09121111111,09122222222', apikey: 'sandbox-key-demo' };
    const [params, body] = row.method === 'GET' ? [query, undefined] : [{}, parameters];
    const response = await client['send']?.({}, body, { headers, params });
    const { schema } = named('send').responses['200'].content['application/json'];
    check(schema.anyOf[0] ?? {}, response?.data, 'the answer');
    expect(sandbox.ledger.sends()).toMatchObject([
      { version: version.version, recipients: ['9121111111', '9122222222'], text: 'Hello' },
    ]);
  });
});
