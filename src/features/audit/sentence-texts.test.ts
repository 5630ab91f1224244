import { describe, expect, it } from 'vitest';
import { projectFiles } from '../../../test/support/project-files.ts';
import { createFormat, stripBidi } from '../../i18n/format.ts';
import type { AuditRecord } from '../../ports/stores.ts';
import { plainText, visibleLength } from '../../telegram/html.ts';
import { alertName } from '../alerts/kind-cards.ts';
import { entryLine, whatText } from './entry-card.ts';
import { sentences } from './sentence-texts.ts';

const EN = { locale: 'en', format: createFormat('en', 'Asia/Tehran'), alertName } as const;
const FA = { locale: 'fa', format: createFormat('fa', 'Asia/Tehran'), alertName } as const;

function entry(action: string, details: AuditRecord['details'] = {}, name = 'Olga'): AuditRecord {
  return { id: 1, at: new Date('2026-11-24T10:32:00Z'), person: { id: 5, name }, action, details };
}

const said = (language: typeof EN | typeof FA, action: string, details: AuditRecord['details'] = {}) =>
  stripBidi(plainText(whatText(language, entry(action, details))));

/** What stands in the brackets that open at an index. */
function within(text: string, open: number): string {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(open, at);
  }
  return text.slice(open);
}

const literals = (text: string): string[] =>
  [...text.matchAll(/'([a-z][a-z_]+)'/g)].map((match) => match[1] ?? '');

/** The actions that a source file writes into the audit, as far as its text tells. */
function actionsOf(path: string, text: string): string[] {
  return [...text.matchAll(/\b(?:writeAudit|audits?\.add)\(/g)].flatMap((call) => {
    const body = within(text, call.index + call[0].length - 1);
    const written = /\baction:\s*([^\n]+)/.exec(body)?.[1];
    // What only hands an entry on, or declares the function, names no action.
    if (written === undefined) return [];
    const table = /^([A-Z_]+)[[.]/.exec(written)?.[1];
    const from =
      table === undefined
        ? written.replace(/,? details:.*/, '')
        : (new RegExp(`const ${table}\\b[^=]*=\\s*{([^}]*)}`).exec(text)?.[1] ?? '');
    const found = literals(from);
    return found.length === 0 ? [`${path}: ${written}`] : found;
  });
}

const written = [
  ...new Set(
    projectFiles('src/**/*.ts')
      .filter(({ path }) => !/\.test\.ts$|\/testing/.test(path))
      .flatMap(({ path, text }) => actionsOf(path, text)),
  ),
].toSorted();

describe('the sentences of the audit', () => {
  it('are found where actions are written, also in tables', () => {
    expect(written).toEqual(expect.arrayContaining(['account_linked', 'role_granted', 'send_stopped']));
    expect(written.length).toBeGreaterThan(12);
    const source = `
      const ACTIONS = { one: 'thing_made', two: 'thing_gone' } as const;
      await writeAudit(tx, { chatId, action: ACTIONS[kind], details: {} });
      await deps.audit.add({ action: gone ? 'it_went' : 'it_stayed', details: { reason: 'no_action' } });
      await audit.add({ action: made, details: {} });`;
    expect(actionsOf('x.ts', source)).toEqual([
      'thing_made',
      'thing_gone',
      'it_went',
      'it_stayed',
      'x.ts: made, details: {} }',
    ]);
  });

  it('are there for every action that any part of the project writes', () => {
    expect(written.filter((action) => !Object.hasOwn(sentences('en'), action))).toEqual([]);
  });

  it('read well with nothing told, in both languages', () => {
    for (const action of Object.keys(sentences('en'))) {
      for (const language of [EN, FA])
        expect(said(language, action), action).not.toMatch(/undefined|null|NaN|^$/);
    }
  });

  it('of an action that nobody has put into words are its name', () => {
    expect(whatText(EN, entry('moon_landed', { a: 1 })).markup).toBe('<code>moon_landed</code>');
    expect(whatText(EN, entry('toString')).markup).toBe('<code>toString</code>');
    expect(whatText(FA, entry('<b>x</b>')).markup).toBe('<code>&lt;b&gt;x&lt;/b&gt;</code>');
  });

  it.each([
    ['role_granted', { name: 'Omid', old: 'viewer', new: 'operator' }, 'made Omid operator, before: viewer'],
    ['role_removed', { name: 'Omid', old: 'viewer', new: null }, 'took the role viewer from Omid'],
    ['join_link_used', { name: 'Ada', old: null, new: 'operator' }, 'joined as operator by Ada’s link'],
    ['send_stopped', { reason: 'credit' }, 'a send was stopped: not enough credit'],
    ['send_stopped', { reason: 'constructor' }, 'a send was stopped'],
    ['send_stopped', { reason: 'credit', code: 'A7' }, 'a send was stopped: not enough credit · #A7'],
    ['book_created', { title: 'VIP', done: 2, unknown: 0 }, 'created the phonebook «VIP» · 2 numbers'],
    ['book_created', { title: 'VIP', done: 1, unknown: 0 }, 'created the phonebook «VIP» · 1 number'],
    ['send_confirmed', { code: 'A41', recipients: 1 }, 'confirmed the send #A41 · 1 recipient'],
    ['number_forgotten', { rows: 1 }, 'the bot’s administrator removed a phone number everywhere · 1 place'],
    [
      'limits_changed',
      { old: { approvalParts: 1 }, new: { cap: { unit: 'parts', parts: 1 } } },
      'changed the limits: daily cap 1 part (before: approval above 1 part)',
    ],
    [
      'book_created',
      { title: 'VIP', done: 0, unknown: 2 },
      'created the phonebook «VIP» · no clear answer: it may have happened',
    ],
    [
      'limits_changed',
      {
        old: { approvalParts: 500, cap: null, window: null },
        new: {
          approvalParts: null,
          cap: { unit: 'rial', rial: 10_000_000, parts: 7042 },
          window: { from: 1260, to: 545 },
        },
      },
      'changed the limits: approval off (before: approval above 500 parts); daily cap 10,000,000 rial (before: no daily cap); window 21:00–09:05 (before: no sending window)',
    ],
    ['limits_changed', { old: 'x' }, 'changed the limits: '],
    ['alerts_place_added', { title: 'Ops' }, 'turned alerts on for «Ops»'],
    ['alerts_place_changed', { title: '' }, 'changed the alerts for this chat'],
    ['alerts_place_removed', { title: 'Ops' }, 'turned alerts off for «Ops»'],
    [
      'alert_threshold_set',
      { kind: 'credit', threshold: 5_000_000 },
      'set the threshold of credit alerts · 5,000,000',
    ],
    ['alert_muted', { kind: 'inbox' }, 'muted inbox watch alerts'],
    ['alert_unmuted', { kind: 'inbox' }, 'unmuted inbox watch alerts'],
    ['alert_acked', { kind: 'credit' }, 'took on an alert: credit'],
  ])('of %s say what its details say: %j', (action, details, sentence) => {
    expect(said(EN, action, details)).toBe(sentence);
  });

  it('stand in Persian with Persian digits, the Jalali day and the roles’ Persian names', () => {
    const line = stripBidi(
      plainText(entryLine(FA, entry('role_granted', { name: 'Omid', old: null, new: 'approver' }))),
    );
    expect(line).toBe('۳ آذر ۱۴۰۵ ۱۴:۰۲ · Olga: به Omid نقش تأییدکننده داد');
    expect(said(FA, 'send_confirmed', { code: 'A41', recipients: 1204 })).toBe(
      'ارسال #A41 را تأیید کرد · ۱٬۲۰۴ گیرنده',
    );
  });

  it('keep twenty entries of the longest names within one message, and foreign text without effect', () => {
    const long = 'Wolfeschlegelsteinhausenbergerdorff <b>&</b> \u202eevil';
    for (const action of Object.keys(sentences('en'))) {
      const details = {
        name: long,
        title: long,
        userName: long,
        line: '30001234561234',
        code: 'A1000000',
        number: '989121234567',
        old: 'approver',
        new: 'approver',
        outcome: 'unknown',
        reason: 'earlier_unknown',
      };
      for (const language of [EN, FA]) {
        const line = entryLine(language, entry(action, details, long));
        expect(visibleLength(line), action).toBeLessThan(190);
        expect(line.markup).not.toMatch(/<b>|\u202e/u);
      }
    }
  });
});
