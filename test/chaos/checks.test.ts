import { describe, expect, test } from 'vitest';
import { checkBusy, checkSends } from './checks.ts';
import type { Sending } from './sending.ts';
import type { AttemptFact, DraftFact } from './facts.ts';
import type { Acceptance } from './gateway-oracle.ts';

const TEXT = 'chaos r1 s1 hello';
const NUMBERS = ['9120000001', '9120000002'];
const LINE = '3000';
const SENT_AT = 1000;

function sending(numbers = NUMBERS): Sending {
  const account = { username: 'a', password: 'b', line: LINE };
  const wanted = numbers.map((recipient) => ({ recipient, text: TEXT, line: LINE, flash: false }));
  return { place: { chat: 1, people: [1], account }, wanted, said: 1, presses: ['p'], deeds: [] };
}

function attempt(state: string, more: Partial<AttemptFact> = {}): AttemptFact {
  const lines = NUMBERS.map((recipient) => ({ recipient, text: TEXT, line: LINE, flash: false }));
  return { id: `attempt ${state}`, state, onWireMs: SENT_AT - 0.4, lines, ...more };
}

function draft(attempts: readonly AttemptFact[], state = 'done'): DraftFact {
  return {
    id: 'draft',
    code: 'A1',
    chat: 1,
    chatId: 'c',
    update: 1,
    state: 'confirmed',
    card: 9,
    says: TEXT,
    aside: false,
    job: { id: 'job', state, attempts },
  };
}

function acceptance(more: Partial<Acceptance> = {}): Acceptance {
  const recipients = NUMBERS.map((number) => `98${number}`);
  const rest = {
    kind: 'send' as const,
    number: 1,
    account: 'a',
    line: LINE,
    flash: false,
    messageIds: ['1'],
  };
  return { ...rest, at: SENT_AT, text: TEXT, recipients, ...more };
}

function found(
  drafts: readonly DraftFact[],
  acceptances: readonly Acceptance[],
  sendings = [sending()],
): string[] {
  return checkSends(sendings, drafts, acceptances).findings.map(({ kind, count }) => `${kind} ${count}`);
}

describe('nothing is found', () => {
  test.each([
    ['what was accepted is in the ledger', draft([attempt('accepted')]), [acceptance()]],
    ['what the lists showed is in the ledger', draft([attempt('sent')]), [acceptance()]],
    ['what is unknown is in the ledger', draft([attempt('unknown')]), [acceptance()]],
    ['what is unknown is not in the ledger', draft([attempt('unknown')]), []],
    ['what was refused is not in the ledger', draft([attempt('rejected', { onWireMs: null })]), []],
    ['what was left when a job stopped is not in the ledger', draft([attempt('planned')], 'stopped'), []],
  ])('when %s', (_title, fact, acceptances) => {
    expect(found([fact], acceptances)).toEqual([]);
  });

  test('when what was scheduled stands aside for the change of it, or the change for what is scheduled', () => {
    const changed = { ...draft([attempt('planned')], 'undone'), aside: true };
    const change = { ...draft([attempt('accepted')]), id: 'change' };
    expect(found([changed, change], [acceptance()])).toEqual([]);
    const left = draft([attempt('accepted')]);
    expect(found([left, { ...change, aside: true, job: null }], [acceptance()])).toEqual([]);
    expect(found([left, { ...change, job: null }], [acceptance()])).toEqual(['doubled 1']);
  });

  test('when the draft of an undone send came back, unless that was confirmed too', () => {
    const undone = draft([attempt('planned')], 'undone');
    const back = { ...draft([]), id: 'back', job: null, aside: true };
    expect(found([undone, back], [])).toEqual([]);
    expect(found([undone, { ...draft([attempt('accepted')]), id: 'back' }], [acceptance()])).toEqual([
      'doubled 1',
    ]);
  });

  test('when the same was asked for twice and accepted twice', () => {
    const twice = [draft([attempt('accepted')]), { ...draft([attempt('accepted')]), id: 'other' }];
    expect(found(twice, [acceptance(), acceptance({ number: 2 })], [sending(), sending()])).toEqual([]);
  });

  test('when who is on the blacklist was left out, or has not been looked up yet', () => {
    const asked = sending();
    const [first, second] = asked.wanted;
    if (first === undefined || second === undefined) throw new Error('nobody is asked for');
    const wanted = [first, { ...second, blocked: true as const }];
    const rest = attempt('accepted', { lines: attempt('').lines.slice(0, 1) });
    const taken = acceptance({ recipients: ['989120000001'] });
    expect(found([draft([rest])], [taken], [{ ...asked, wanted }])).toEqual([]);
    expect(found([draft([attempt('planned')], 'undone')], [], [{ ...asked, wanted }])).toEqual([]);
  });

  test('when a draft was never confirmed', () => {
    expect(found([{ ...draft([]), state: 'open', job: null }], [])).toEqual([]);
  });
});

describe('it is found', () => {
  test.each([
    [
      'accepted twice',
      [attempt('accepted')],
      [acceptance(), acceptance({ number: 2 })],
      ['doubled 1', 'doubled 1'],
    ],
    ['called accepted, and not in the ledger', [attempt('accepted')], [], ['wrong 1', 'wrong 1']],
    ['called refused, and in the ledger', [attempt('rejected')], [acceptance()], ['wrong 1', 'wrong 1']],
    ['called not sent, and in the ledger', [attempt('not_sent')], [acceptance()], ['wrong 1', 'wrong 1']],
    [
      'accepted before the commit',
      [attempt('accepted', { onWireMs: SENT_AT + 1 })],
      [acceptance()],
      ['wrong 1', 'wrong 1'],
    ],
    [
      'accepted without a commit',
      [attempt('accepted', { onWireMs: null })],
      [acceptance()],
      ['wrong 1', 'wrong 1'],
    ],
    [
      'written to by another account',
      [attempt('accepted')],
      [acceptance({ account: 'b' })],
      ['wrong 1', 'wrong 1', 'wrong 1', 'wrong 1'],
    ],
    [
      'written to from another line',
      [attempt('unknown')],
      [acceptance({ line: '3001' })],
      ['wrong 1', 'wrong 1'],
    ],
    [
      'shown at once what was not to be',
      [attempt('unknown')],
      [acceptance({ flash: true })],
      ['wrong 1', 'wrong 1'],
    ],
    ['in no attempt', [], [], ['lost 2']],
    ['in two attempts', [attempt('accepted'), attempt('unknown')], [acceptance()], ['doubled 2']],
  ])('when recipients are %s', (_title, attempts, acceptances, kinds) => {
    expect(found([draft(attempts)], acceptances)).toEqual(kinds);
  });

  test('when a recipient of several is in no attempt', () => {
    const [first] = attempt('accepted').lines;
    const lines = first === undefined ? [] : [first];
    expect(
      found([draft([attempt('accepted', { lines })])], [acceptance({ recipients: ['989120000001'] })]),
    ).toEqual(['lost 1']);
  });

  test('when a job is not what was asked for: its line, or how it is shown', () => {
    for (const other of [{ line: '3001' }, { flash: true }]) {
      const lines = attempt('').lines.map((line) => ({ ...line, ...other }));
      expect(found([draft([attempt('planned', { lines })], 'stopped')], [])).toEqual(['lost 2', 'doubled 2']);
    }
  });

  test('when a job never ends', () => {
    expect(found([draft([attempt('planned')], 'running')], [])).toEqual(['lost 2']);
  });

  test('when nobody confirmed what went out', () => {
    expect(found([{ ...draft([]), job: null }], [acceptance()])).toEqual(['wrong 1', 'wrong 1']);
  });

  test('when one command made two drafts', () => {
    const other = { ...draft([]), id: 'other', job: null };
    expect(found([{ ...draft([]), job: null }, other], [])).toEqual(['doubled 1']);
  });
});

test('recipients are counted by what became of them', () => {
  const { tally } = checkSends(
    [sending()],
    [
      draft([
        attempt('accepted', { lines: attempt('').lines.slice(0, 1) }),
        attempt('unknown', { lines: attempt('').lines.slice(1) }),
      ]),
    ],
    [acceptance()],
  );
  expect(tally).toEqual({ confirmed: 2, accepted: 1, unknown: 1, unknownTaken: 1, notSent: 0 });
});

test('a round in which nothing was confirmed is a finding, whatever else was right', () => {
  const unconfirmed: DraftFact = { ...draft([]), state: 'open', job: null };
  for (const drafts of [[], [unconfirmed]]) {
    const { findings, tally } = checkSends([sending()], drafts, []);
    expect(findings).toEqual([]);
    expect(checkBusy(tally)).toMatchObject([{ kind: 'idle' }]);
  }
  const { tally } = checkSends([sending()], [draft([attempt('accepted')])], [acceptance()]);
  expect(checkBusy(tally)).toEqual([]);
});
