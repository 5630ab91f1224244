import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emulatorMethods } from '../../test/support/emulator-methods.ts';
import { listed, methods } from './bot-api/methods/table.ts';
import { startPlayground, type Playground } from './server.ts';
import { callApi } from './test-api.ts';

/** The names in the types that clients are made from. */
function namesOfTheBotApi(): string[] {
  const main = createRequire(import.meta.url).resolve('@grammyjs/types');
  const text = readFileSync(join(dirname(main), 'methods.d.ts'), 'utf8');
  return [...text.matchAll(/^ {4}([a-z][A-Za-z]+)\(/gm)].map(([, name]) => name ?? '');
}

let pg: Playground;
beforeAll(async () => {
  pg = await startPlayground();
});
afterAll(() => pg.close());

describe('the table of methods', () => {
  it('has every method of the Bot API once, and none that Telegram has not', () => {
    expect(listed.map(({ name }) => name)).toEqual(namesOfTheBotApi().toSorted());
    expect(listed.length).toBeGreaterThan(180);
  });

  it('says of each what it answers', async () => {
    for (const { name, status, answer } of listed) {
      const reply = await callApi(pg, name, {});
      if (status === 'supported') expect(reply.description, name).not.toBe('Not Found: method not found');
      else expect(reply, name).toMatchObject({ ok: false, description: answer });
      expect(reply.status === 404, name).toBe(status === 'absent');
      expect(reply.status, name).not.toBe(500);
    }
    expect(methods.size).toBe(listed.filter(({ status }) => status !== 'absent').length);
  });

  it('is served, and stands in docs/emulator-methods.md: `npm run docs:emulator`', async () => {
    const served: unknown = await (await fetch(`${pg.apiRoot}/_control/methods`)).json();
    expect(z.object({ bot_api: z.string(), methods: z.array(z.unknown()) }).parse(served)).toEqual({
      bot_api: '10.3',
      methods: listed,
    });
    const file = join(import.meta.dirname, '../../docs/emulator-methods.md');
    expect(readFileSync(file, 'utf8')).toBe(emulatorMethods());
  });
});
