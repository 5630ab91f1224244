import { expect, it } from 'vitest';
import { quietRequest } from '../../../../test/support/features.ts';
import { newBulk, type Bulk } from '../../../domain/bulk.ts';
import type { DraftView } from '../../../ports/stores.ts';
import { plainText } from '../../../telegram/html.ts';
import { createBulkForms } from './forms.ts';

/** What somebody is told, and asked, who answers with a text; and what their draft becomes. */
async function answers(text: string, facets: readonly string[]) {
  const bulk: Bulk = {
    ...newBulk({ name: 'a.csv', reference: 'x' }),
    step: 'text',
    columns: ['mobile', 'name'],
    phone: 0,
  };
  const draft = { id: 'd', version: 3 } as unknown as DraftView;
  const told: string[] = [];
  const made: unknown[] = [];
  const [form] = createBulkForms({
    templates: { find: () => Promise.resolve(null) },
    people: { overview: () => Promise.resolve({ all: 0, tags: [] }) },
    find: () => Promise.resolve({ draft, bulk }),
    head: () => Promise.resolve([]),
    change: (_ctx, at, make) => {
      made.push([at, make({ draft, bulk })]);
      return Promise.resolve();
    },
  });
  const ctx = quietRequest('en', {
    capabilities: { versions: [], has: (facet) => facets.includes(facet), missing: () => ['api_key'] },
    say: (content) => {
      told.push(plainText(content));
      return Promise.resolve(1);
    },
    ask: (name, given) => {
      told.push(`${name} ${JSON.stringify(given)}`);
      return Promise.resolve();
    },
  });
  await form?.run(ctx, { draft: 'd', version: '3', fields: '', text });
  return { told, made };
}

it('an account without Send many is told what would add it, and asked for a text without fields', async () => {
  const { told, made } = await answers('Hello {name}', ['sending']);
  expect(told).toEqual([
    'The account linked here cannot send a different text to each row. What would add it: an API key. The owner adds it with /connect\nA text without fields can go to everybody.',
    'bulk-text {"draft":"d","version":"3","fields":""}',
  ]);
  expect(made).toEqual([]);
  expect((await answers('Hello', ['sending'])).made).toEqual([
    [
      { id: 'd', version: 3 },
      { bulk: expect.objectContaining({ step: 'counting' }), text: 'Hello' },
    ],
  ]);
});

it('a text is as long as what is in every message of it', async () => {
  const facets = ['sending', 'multi'];
  expect((await answers(`{name}${'x'.repeat(900)}`, facets)).made).toHaveLength(1);
  const { told, made } = await answers(`{name}${'x'.repeat(901)}`, facets);
  expect(told[0]).toContain('901 characters');
  expect(told[1]).toContain('bulk-text');
  expect(made).toEqual([]);
});
