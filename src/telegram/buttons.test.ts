import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { leastRole, PERMISSIONS, rankOf } from '../domain/roles.ts';
import type { ButtonSpec, ButtonStore } from '../ports/stores.ts';
import { isolateAuto } from '../i18n/format.ts';
import { defineAction } from './action.ts';
import { fits } from './button-rows.ts';
import { keyboard, tokenOf, type ActionButton, type Buttons } from './buttons.ts';

/** A store that gives tokens in order: t0, t1 … */
function storeOf() {
  const minted: { chatId: string; specs: readonly ButtonSpec[] }[] = [];
  const store: ButtonStore = {
    mint: (chatId, specs) => {
      minted.push({ chatId, specs });
      return Promise.resolve(specs.map((_, index) => token(index)));
    },
    claim: () => Promise.resolve({ ok: false, reason: 'unknown' }),
  };
  return { store, minted };
}

function token(index: number): string {
  return `t${index}`.padEnd(22, '_');
}

function action(label: string, { payload = {}, ...look }: Partial<ActionButton> = {}): ActionButton {
  const named = { name: `do.${label}`, permission: null, payload: z.looseObject({}) };
  return defineAction(named).button(label, payload, look);
}

describe('a keyboard', () => {
  test('gives each action its own token and nothing else', async () => {
    const { store, minted } = storeOf();
    const made = await keyboard(store, 'chat-1', 'en', [
      [action('a', { payload: { secret: 'x'.repeat(500) } }), { label: 'site', url: 'https://example.org/' }],
      [{ label: 'copy', copy: '#A1' }, action('b', { style: 'danger' })],
    ]);
    expect(made).toEqual({
      inline_keyboard: [
        [
          { text: 'a', callback_data: `p1:${token(0)}` },
          { text: 'site', url: 'https://example.org/' },
        ],
        [
          { text: 'copy', copy_text: { text: '#A1' } },
          { text: 'b', callback_data: `p1:${token(1)}`, style: 'danger' },
        ],
      ],
    });
    expect(minted.map(({ chatId, specs }) => [chatId, specs.map((spec) => spec.action)])).toEqual([
      ['chat-1', ['do.a', 'do.b']],
    ]);
  });

  test('shows each label on one line of a phone, whatever names stand in it', async () => {
    const { store } = storeOf();
    const label = `📒 ${isolateAuto('Customers of the northern branch in 1404')} · 12 numbers`;
    const made = await keyboard(store, 'c', 'en', [[action(label), { label, url: 'https://example.org/' }]]);
    const shown = made?.inline_keyboard.flat().map(({ text }) => text) ?? [];
    expect(shown).toHaveLength(2);
    for (const text of shown) {
      expect(fits([{ label: text }])).toBe(true);
      expect(text).toMatch(/^📒 .*….*1404.* · 12 numbers$/u);
    }
  });

  test('is mirrored for Persian, each label still with its own token', async () => {
    const rows: Buttons = [
      [action('a'), action('b'), action('c')],
      [action('d'), action('e')],
    ];
    const byLabel = async (locale: 'en' | 'fa') => {
      const made = await keyboard(storeOf().store, 'x', locale, rows);
      return made?.inline_keyboard.map((row) =>
        row.map((button) => [button.text, 'callback_data' in button ? button.callback_data : '']),
      );
    };
    const [english, persian] = [await byLabel('en'), await byLabel('fa')];
    expect(persian).toEqual(english?.map((row) => row.toReversed()));
    expect(english?.flat()).toEqual(['a', 'b', 'c', 'd', 'e'].map((label, n) => [label, `p1:${token(n)}`]));
  });

  test('drops what is not there, and is none when nothing is', async () => {
    const { store, minted } = storeOf();
    expect(await keyboard(store, 'x', 'en', [[false, null, undefined], []])).toBe(undefined);
    expect(minted).toEqual([]);
    const made = await keyboard(store, 'x', 'en', [[false, action('a')], [null]]);
    expect(made?.inline_keyboard).toHaveLength(1);
  });

  test('asks for the least role of the permission, and of nobody where there is none', async () => {
    const { store, minted } = storeOf();
    await keyboard(store, 'x', 'en', [PERMISSIONS.map((permission) => action(permission, { permission }))]);
    await keyboard(store, 'x', 'en', [[action('open')]]);
    expect(minted[0]?.specs.map((spec) => spec.minRank)).toEqual(
      PERMISSIONS.map((permission) => rankOf(leastRole(permission))),
    );
    expect(minted[0]?.specs.every((spec) => spec.minRank >= 0)).toBe(true);
    expect(minted[1]?.specs.map((spec) => spec.minRank)).toEqual([-1]);
  });

  test('hands person, draft, payload and time to the store; a day unless told otherwise', async () => {
    const { store, minted } = storeOf();
    const draft = { id: 'd', version: 4 };
    await keyboard(store, 'x', 'en', [
      [action('a', { personId: 5, draft, ttlSeconds: 60, payload: { n: 1 } }), action('b')],
    ]);
    expect(minted[0]?.specs).toMatchObject([
      { personId: 5, draft, ttlSeconds: 60, payload: { n: 1 } },
      { personId: undefined, draft: undefined, ttlSeconds: 86_400, payload: {} },
    ]);
  });
});

describe('callback data', () => {
  test('of ours fits into 64 bytes and gives its token back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const made = Buffer.from(bytes).toString('base64url');
        const data = `p1:${made}`;
        expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
        expect(tokenOf(data)).toBe(made);
      }),
    );
  });

  test('of any other shape holds no token', () => {
    const good = `p1:${'A'.repeat(22)}`;
    for (const data of [
      undefined,
      '',
      'p1:',
      good.slice(0, -1),
      `${good}A`,
      ` ${good}`,
      `${good}\n`,
      `p2${good.slice(2)}`,
      `P1${good.slice(2)}`,
    ]) {
      expect(tokenOf(data)).toBe(null);
    }
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string().map((text) => `p1:${text}`),
        ),
        (data) => {
          const found = tokenOf(data);
          expect(found === null || `p1:${found}` === data).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
