import type { Message } from '@grammyjs/types';
import { expect, test } from 'vitest';
import type { Sending } from './sending.ts';
import { checkPressedAgain } from './calm.ts';
import type { DraftFact } from './facts.ts';
import { checkHeard } from './heard.ts';
import { CARD_LOST, type Note } from './logs.ts';
import type { Stand } from './stand.ts';
import type { Call } from './telegram-oracle.ts';

const CHAT = 5;
const account = { username: 'a', password: 'b', line: '3000' };
const sending: Sending = {
  place: { chat: CHAT, people: [CHAT], account },
  wanted: [{ recipient: '9120000001', text: 'chaos r1 s1 hello', line: '3000', flash: false }],
  said: 7,
  presses: ['data'],
  deeds: [],
};
const SAID = [{ id: 100, chat: CHAT, message: 7, data: null }];
const DRAFT: DraftFact = {
  id: 'd',
  code: 'A7',
  chat: CHAT,
  chatId: 'chat',
  update: 100,
  state: 'open',
  card: null,
  says: '',
  aside: false,
  job: null,
};

function stand(messages: readonly Message[] = []): Stand {
  return { telegram: { messages: () => Promise.resolve(messages) } } as unknown as Stand;
}

function note(says: string, more: Partial<Note> = {}): Note {
  return { pid: 1, update: 100, chat: null, says, ...more };
}

async function heard(
  drafts: readonly DraftFact[],
  notes: readonly Note[],
  messages: readonly Message[] = [],
  calls: readonly Call[] = [],
) {
  const { findings, ...rest } = await checkHeard(stand(messages), [sending], drafts, SAID, {
    calls,
    notes,
  });
  return { kinds: findings.map(({ kind }) => kind), ...rest };
}

const NAME = '«chaos r1 s1 hello» in 5';
const NONE = { kinds: [], cardsLost: [], told: [], untold: [], limited: [] };

test('a command with a card, or with words, was heard; one with neither has vanished', async () => {
  const chat = { id: CHAT, type: 'private', first_name: 'Sara' } as const;
  const from = { id: 1, is_bot: true, first_name: 'Peyk' };
  const card: Message = { message_id: 9, date: 0, chat, from, text: '✉️ Draft #A7 · line' };
  expect(await heard([DRAFT], [], [card])).toEqual(NONE);
  expect(await heard([], [note('a turn failed')])).toEqual({ ...NONE, told: [NAME] });
  expect(await heard([], [])).toEqual({ ...NONE, kinds: ['silent'] });
  expect(await heard([DRAFT], [])).toEqual({ ...NONE, kinds: ['silent'] });
});

test('what Telegram did not take is told apart, and an update that waits to be handled again is no answer', async () => {
  expect(await heard([DRAFT], [note(CARD_LOST, { update: null, chat: 'chat' })])).toEqual({
    ...NONE,
    cardsLost: [NAME],
  });
  expect(await heard([], [note('an error could not be told')])).toEqual({ ...NONE, untold: [NAME] });
  expect(await heard([], [note('an update could not be handled')])).toEqual({ ...NONE, kinds: ['silent'] });
  expect(await heard([], [note('a turn failed', { update: 101 })])).toEqual({ ...NONE, kinds: ['silent'] });
});

test('what was too much at once is left out with a word, once in a while, and never done all the same', async () => {
  const limited = note('more was asked than is let through; some of it was left out', { chat: 'chat' });
  const text = 'Your last message was not acted on. Send it again in 4 seconds.';
  const words = [{ id: 1, at: 1, method: 'sendMessage', params: { chat_id: CHAT, text }, ok: true }];
  expect(await heard([], [limited], [], words)).toEqual({ ...NONE, limited: [NAME] });
  expect(await heard([], [limited])).toEqual({ ...NONE, kinds: ['silent'] });
  // Told for a command before it.
  const other = { ...DRAFT, update: 99 };
  expect(await heard([other], [{ ...limited, update: 101 }])).toEqual({ ...NONE, limited: [NAME] });
  expect(await heard([other], [{ ...limited, update: 101, chat: 'another' }])).toEqual({
    ...NONE,
    kinds: ['silent'],
  });
  const sent = note('telegram answered', { method: 'sendMessage' });
  expect((await heard([DRAFT], [limited, sent], [], words)).kinds).toEqual(['wrong']);
  // The process died over it, and another one let it through.
  expect((await heard([DRAFT], [limited, { ...sent, pid: 2 }], [], words)).kinds).toEqual([]);
  expect((await heard([DRAFT], [limited, note('an update could not be handled')], [], words)).kinds).toEqual(
    [],
  );
});

test('a press in the calm that makes no job is found, with what the card offered', () => {
  const job = { id: 'j', state: 'done', attempts: [] };
  const unheard = [{ name: NAME, draft: DRAFT, pressed: true }];
  expect(checkPressedAgain(unheard, [{ ...DRAFT, job }])).toEqual([]);
  expect(checkPressedAgain(unheard, [DRAFT]).map(({ kind }) => kind)).toEqual(['dead']);
});
