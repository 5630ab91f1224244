import type { Message, Update } from '@grammyjs/types';
import { Bot } from 'grammy';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createMemoryLog } from '../../../test/support/memory-log.ts';
import { NO_METRICS } from '../../../test/support/no-metrics.ts';
import { findKeyLike } from '../../domain/keylike.ts';
import { Secret } from '../../domain/secret.ts';
import { createFormat } from '../../i18n/format.ts';
import type { FormStore } from '../../ports/stores.ts';
import { createSealer } from '../../storage/keys/crypto.ts';
import { defineAction } from '../action.ts';
import type { KitContext } from '../dispatch/context.ts';
import { route } from '../dispatch/router.ts';
import { defineCommand, takeRest, type Argument, type Command } from '../feature.ts';
import { html, plainText } from '../html.ts';
import type { SayOptions, RequestContext } from '../request-context.ts';
import { fileReference, readFileReference } from './file-reference.ts';
import { createReader } from '../dispatch/read-command.ts';
import { formMiddleware } from './form.ts';

afterEach(() => {
  vi.useRealTimers();
});

const sealer = createSealer([{ kid: 'test', key: new Secret(Buffer.alloc(32, 7).toString('base64')) }]);
const ME = { id: 7, is_bot: true, first_name: 'Peyk', username: 'PeykBot' } as const;
const BOT_INFO = {
  ...ME,
  can_join_groups: true,
  can_read_all_group_messages: false,
  supports_inline_queries: false,
  can_connect_to_business: false,
  has_main_web_app: false,
} as unknown as Bot<KitContext>['botInfo'];

interface Said {
  readonly id: number;
  readonly text: string;
  readonly options: SayOptions;
}

/** A button of some other card. */
const ELSEWHERE = defineAction({ name: 'card.cancel', permission: null, payload: z.looseObject({}) }).does(
  () => Promise.resolve(),
);

function argument(name: string, more: Partial<Argument> = {}): Argument {
  return {
    schema: z.string().regex(/^[a-z]+$/),
    usage: () => name,
    ask: (_request, known) => html`${name}? (${Object.keys(known).join()})`,
    problem: (_locale, typed) => html`no ${name}: «${typed}»`,
    ...more,
  };
}

/**
 * One person in one chat, before the kit's forms and router. Each update may be taken by another
 * process: only the store is kept between them.
 */
function chat(commands: readonly Command[], type: 'private' | 'group' = 'private') {
  const rows = new Map<string, { updateId: number; state: Uint8Array }>();
  const store: FormStore = {
    write: (key, updateId, state) => {
      rows.set(key, { updateId, state });
      return Promise.resolve();
    },
    remove: (key) => {
      rows.delete(key);
      return Promise.resolve();
    },
  };
  const said: Said[] = [];
  const forgotten: number[] = [];
  const disarmed: number[] = [];
  const byName = new Map(commands.map((command) => [command.name, command]));
  let last = 0;

  const requestFor = (ctx: KitContext): RequestContext => ({
    updateId: ctx.update.update_id,
    bot: { id: ME.id, username: ME.username },
    chat: { id: 'c', telegramId: 1, type, title: '', lang: null, timeZone: null, showsNumbers: null },
    isAway: false,
    isPrivate: type === 'private',
    threadId: undefined,
    person: { id: 5, name: 'Sara', lang: null, mobile: null },
    role: 'owner',
    locale: 'en',
    format: createFormat('en', 'UTC'),
    binding: null,
    capabilities: { versions: [], has: () => true, missing: () => [] },
    log: createMemoryLog(),
    inForm: false,
    messageId: ctx.message?.message_id ?? null,
    writtenAt: null,
    pressedMessageId: ctx.callbackQuery?.message?.message_id ?? null,
    isEdit: false,
    pressedPicture: false,
    contact: null,
    file:
      ctx.message?.document === undefined
        ? null
        : { id: ctx.message.document.file_id, name: ctx.message.document.file_name ?? '', size: 9 },
    subject: null,
    repliedTo: null,
    can: () => true,
    say: (content, options = {}) => {
      const id = 1000 + said.length;
      said.push({ id, text: plainText(content), options });
      return Promise.resolve(id);
    },
    sendFile: () => Promise.resolve(0),
    sendPicture: () => Promise.resolve(0),
    download: () => Promise.resolve(new Uint8Array()),
    rewrite: async (content) => void (await ctx.request.say(content)),
    disarm: (messageId) => {
      disarmed.push(messageId);
      return Promise.resolve();
    },
    forget: () => {
      forgotten.push(ctx.message?.message_id ?? 0);
      return Promise.resolve(true);
    },
    ask: async (form, given = {}) => {
      await ctx.form.enter({ command: form, typed: given });
    },
    endQuestion: async (known) => await ctx.form.end(known),
    isTelegramAdmin: () => Promise.resolve(false),
    seenNow: () => Promise.resolve(null),
    postingRight: () => Promise.resolve({ ok: false, reason: 'not_there' }),
    atHome: () => Promise.reject(new Error('no other chat here')),
    startLink: (payload) => payload,
  });

  const handle = async (
    more: Partial<Message> | null,
    press?: Record<string, unknown>,
    action = 'form.answer',
    pressedOn = said.at(-1)?.id,
  ) => {
    last += 1;
    const bot = new Bot<KitContext>('1:x', { botInfo: BOT_INFO });
    bot.api.config.use(() => {
      throw new Error('a form speaks through its turn alone');
    });
    bot.use(async (ctx, next) => {
      ctx.formKey = '1:0:5';
      ctx.formRow = rows.get(ctx.formKey) ?? null;
      ctx.request = requestFor(ctx);
      if (press !== undefined) ctx.press = { action, payload: press };
      await next();
    });
    const read = createReader([]);
    bot.use(
      formMiddleware({
        commands: byName,
        read,
        forms: store,
        sealer,
        keys: {
          exposed: async ({ message, request }) =>
            findKeyLike(message?.text ?? '') !== null && (await request.forget()),
        },
      }),
      route(
        {
          commands: byName,
          read,
          actions: new Map([[ELSEWHERE.name, ELSEWHERE]]),
          starts: new Map(),
          replied: [],
          meant: [],
          edited: [],
          reacted: new Map(),
        },
        NO_METRICS,
      ),
    );
    const from = { id: 5, is_bot: false, first_name: 'Sara' };
    const place = type === 'private' ? { id: 1, type, first_name: 'Sara' } : { id: 1, type, title: 'Shop' };
    const message = { message_id: last, date: 1, from, chat: place, ...more };
    const update =
      press === undefined
        ? { update_id: last, [message.edit_date === undefined ? 'message' : 'edited_message']: message }
        : {
            update_id: last,
            callback_query: {
              id: 'q',
              from,
              chat_instance: 'x',
              data: 'x',
              message: { ...message, message_id: pressedOn },
            },
          };
    await bot.handleUpdate(update as unknown as Update);
  };

  return {
    said,
    forgotten,
    disarmed,
    type: (text: string, replyTo?: number) =>
      handle({
        text,
        ...(replyTo === undefined ? {} : { reply_to_message: { message_id: replyTo } as never }),
      }),
    /** @param messageId messages count from 1, with the presses between them */
    edit: (messageId: number, text: string) => handle({ message_id: messageId, edit_date: 2, text }),
    photo: () => handle({ photo: [] }),
    document: (caption?: string) =>
      handle({
        document: { file_id: 'AgAD', file_unique_id: 'u', file_name: 'list.csv', file_size: 9 },
        ...(caption === undefined ? {} : { caption }),
      }),
    press: (payload: Record<string, unknown>, action?: string, pressedOn?: number) =>
      handle(null, payload, action, pressedOn),
    texts: () => said.map(({ text }) => text),
    question: () => said.at(-1)?.id ?? 0,
    stored: () => [...rows.values()].map(({ state }) => Buffer.from(state).toString('latin1')).join(),
    open: () => rows.size > 0,
  };
}

function greet(args: Readonly<Record<string, Argument>>, ran: unknown[], name = 'greet'): Command {
  return defineCommand({
    name,
    permission: null,
    about: () => name,
    args,
    run: (_request, values) => {
      ran.push(values);
      return Promise.resolve();
    },
  });
}

describe('a command', () => {
  const args = { first: argument('first'), second: argument('second', { take: takeRest }) };

  test('given in one line runs without a question', async () => {
    const ran: unknown[] = [];
    const sara = chat([greet(args, ran)]);
    await sara.type('/greet one two');
    expect(ran).toEqual([{ first: 'one', second: 'two' }]);
    expect(sara.said).toEqual([]);
    expect(sara.open()).toBe(false);
  });

  test('given in steps asks for what is missing, in order, and ends the same', async () => {
    const ran: unknown[] = [];
    const sara = chat([greet(args, ran)]);
    await sara.type('/greet');
    await sara.type('  one ');
    await sara.type('two');
    expect(ran).toEqual([{ first: 'one', second: 'two' }]);
    expect(sara.texts()).toEqual(['first? ()', 'second? (first)']);
    expect(sara.open()).toBe(false);
    await sara.type('three');
    expect(ran).toHaveLength(1);
  });

  test('begun in the line is asked only for the rest', async () => {
    const ran: unknown[] = [];
    const sara = chat([greet(args, ran)]);
    await sara.type('/greet one');
    await sara.type('two');
    expect(ran).toEqual([{ first: 'one', second: 'two' }]);
    expect(sara.texts()).toEqual(['second? (first)']);
  });

  test('with a bad answer says why and asks again, as often as it takes', async () => {
    const ran: unknown[] = [];
    const sara = chat([greet(args, ran)]);
    await sara.type('/greet 1');
    await sara.type('2');
    await sara.photo();
    await sara.type('one');
    await sara.type('two');
    expect(sara.texts()).toEqual([
      'no first: «1»\nfirst? (first)',
      'no first: «2»\nfirst? (first)',
      'There is no text in that message.\nfirst? (first)',
      'second? (first)',
    ]);
    expect(ran).toEqual([{ first: 'one', second: 'two' }]);
  });

  test('follows what an answer is edited to, until it runs', async () => {
    const ran: unknown[] = [];
    const three = { ...args, third: argument('third') };
    const sara = chat([greet(three, ran)]);
    await sara.type('/greet');
    await sara.type('1');
    await sara.edit(2, 'one');
    // Telegram says so of a message in which nothing has changed, too.
    await sara.edit(2, 'one');
    await sara.edit(2, '/greet');
    await sara.edit(2, 'other');
    await sara.edit(2, '3');
    await sara.edit(2, 'another');
    await sara.type('two');
    await sara.type('three');
    await sara.edit(2, 'late');
    const ignored = expect.stringMatching(/^Nothing was changed: /u);
    expect(sara.texts()).toEqual([
      'first? ()',
      'no first: «1»\nfirst? ()',
      'second? (first)',
      ignored,
      'second? (first)',
      'no first: «3»\nfirst? (first)',
      'second? (first)',
      'third? (first,second)',
      ignored,
    ]);
    // Of seven questions none is left with buttons.
    expect(sara.disarmed).toEqual([1000, 1001, 1002, 1004, 1005, 1006, 1007]);
    expect(ran).toEqual([{ first: 'another', second: 'two', third: 'three' }]);
  });

  test('follows what the command is edited to, which runs once nothing is missing', async () => {
    const ran: unknown[] = [];
    const sara = chat([greet(args, ran), greet(args, ran, 'other')]);
    await sara.type('/greet one');
    await sara.edit(1, '/other one two');
    await sara.edit(1, '/greet');
    await sara.type('first');
    await sara.edit(1, '/greet one two');
    await sara.edit(1, '/greet one three');
    expect(ran).toEqual([{ first: 'one', second: 'two' }]);
    expect(sara.open()).toBe(false);
  });

  test('keeps its answers when its command is edited, and what no line can give', async () => {
    const ran: unknown[] = [];
    const three = { ...args, kept: argument('kept', { take: null }), third: argument('third') };
    const sara = chat([greet(three, ran)]);
    await sara.type('/greet one');
    await sara.type('two');
    await sara.type('kept');
    await sara.edit(1, '/greet other');
    await sara.type('three');
    expect(ran).toEqual([{ first: 'other', second: 'two', kept: 'kept', third: 'three' }]);
  });

  test('does not ask for what may be left out, unless it is wanted here', async () => {
    const ran: unknown[] = [];
    const optional = greet({ first: args.first, note: argument('note', { optional: true }) }, ran);
    const wanted = greet(
      {
        first: args.first,
        note: argument('note', { optional: true, askWhen: (request) => request.binding === null }),
        other: argument('other', { askWhen: (request) => request.binding !== null }),
      },
      ran,
      'wanted',
    );
    const sara = chat([optional, wanted]);
    await sara.type('/greet one');
    expect(ran).toEqual([{ first: 'one', note: undefined }]);
    await sara.type('/wanted one');
    expect(sara.texts()).toEqual(['note? (first)']);
    await sara.type('hello');
    expect(ran.at(-1)).toEqual({ first: 'one', note: 'hello', other: undefined });
  });
});

describe('leaving a form', () => {
  const args = { first: argument('first') };

  test('another command leaves it and runs', async () => {
    const [ran, others]: [unknown[], unknown[]] = [[], []];
    const sara = chat([greet(args, ran), greet({}, others, 'other')]);
    await sara.type('/greet');
    await sara.type('/other');
    expect(others).toHaveLength(1);
    await sara.type('one');
    expect(ran).toEqual([]);
  });

  test('the command that has led to it begins it anew, and interrupts nothing', async () => {
    const ran: unknown[] = [];
    const asks = defineCommand({
      name: 'link',
      permission: null,
      about: () => 'link',
      args: {},
      run: async (request) => await request.ask('greet'),
    });
    const sara = chat([greet(args, ran), asks]);
    for (const typed of ['/link', '/link', '5', '/link', 'one']) await sara.type(typed);
    expect(sara.texts()).toEqual(['first? ()', 'first? ()', 'no first: «5»\nfirst? ()', 'first? ()']);
    expect(ran).toEqual([{ first: 'one' }]);
  });

  test('the same command begins anew', async () => {
    const ran: unknown[] = [];
    const sara = chat([greet({ ...args, second: argument('second') }, ran)]);
    await sara.type('/greet');
    await sara.type('one');
    await sara.type('/greet');
    await sara.type('eins');
    await sara.type('zwei');
    expect(ran).toEqual([{ first: 'eins', second: 'zwei' }]);
  });

  test('Cancel leaves it and says that nothing changed', async () => {
    const ran: unknown[] = [];
    const sara = chat([greet(args, ran)]);
    await sara.type('/greet');
    expect(sara.said[0]?.options.buttons?.flat()).toMatchObject([
      { action: 'form.answer', payload: { leave: true }, personId: 5, ttlSeconds: 600 },
    ]);
    await sara.press({ leave: true });
    expect(sara.texts().at(-1)).toContain('Nothing was changed');
    await sara.type('one');
    expect(ran).toEqual([]);
  });

  test('ten minutes of silence leave it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const ran: unknown[] = [];
    const sara = chat([greet(args, ran)]);
    await sara.type('/greet');
    vi.setSystemTime(Date.now() + 601_000);
    await sara.type('one');
    expect(ran).toEqual([]);
    expect(sara.said.at(-1)?.text).toMatch(/^⌛ [^]*first\? \(\)$/u);
    await sara.type('/greet');
    vi.setSystemTime(Date.now() + 590_000);
    await sara.type('two');
    expect(ran).toEqual([{ first: 'two' }]);
  });
});

describe('buttons below a question', () => {
  const choices = () =>
    Promise.resolve([
      { label: 'Uno', value: 'uno' },
      { label: 'Another way', form: 'other' },
    ]);

  test('answer it', async () => {
    const ran: unknown[] = [];
    const sara = chat([greet({ first: argument('first', { choices }) }, ran)]);
    await sara.type('/greet');
    expect(sara.said[0]?.options.buttons?.flat()).toMatchObject([
      { label: 'Uno', payload: { value: 'uno' }, personId: 5 },
      { label: 'Another way', payload: { form: 'other' }, personId: 5 },
      { payload: { leave: true } },
    ]);
    await sara.press({ value: 'uno' });
    expect(ran).toEqual([{ first: 'uno' }]);
  });

  test('lead to another form with what is known', async () => {
    const [ran, others]: [unknown[], unknown[]] = [[], []];
    const sara = chat([
      greet({ zero: argument('zero'), first: argument('first', { choices }) }, ran),
      greet({ zero: argument('zero'), third: argument('third') }, others, 'other'),
    ]);
    await sara.type('/greet naught');
    await sara.press({ form: 'other' });
    await sara.type('three');
    expect(ran).toEqual([]);
    expect(others).toEqual([{ zero: 'naught', third: 'three' }]);
  });

  test('change what is known, and the question stays where it is and open', async () => {
    const ran: unknown[] = [];
    const sara = chat([
      greet(
        {
          zero: argument('zero', { optional: true, take: null }),
          first: argument('first', {
            choices: (_request, { zero = '' }) =>
              Promise.resolve([
                { label: 'a', known: { zero: `${zero}a` } },
                { label: 'b', known: { zero: `${zero}b` } },
                { label: 'that', value: 'that' },
              ]),
          }),
        },
        ran,
      ),
    ]);
    await sara.type('/greet');
    expect(sara.said.at(-1)?.options.buttons?.map((row) => row.length)).toEqual([2, 1, 1]);
    const question = sara.question();
    await sara.press({ known: { zero: 'a' } }, 'form.answer', question);
    await sara.press({ known: { zero: 'ab' } }, 'form.answer', question);
    expect(sara.texts().at(-1)).toBe('first? (zero)');
    expect(sara.disarmed).toEqual([]);
    await sara.type('one');
    expect(ran).toEqual([{ zero: 'ab', first: 'one' }]);
    expect(sara.disarmed).toEqual([question]);
  });

  test('of another card pass the form by, and it stays open', async () => {
    const ran: unknown[] = [];
    const sara = chat([greet({ first: argument('first') }, ran)]);
    await sara.type('/greet');
    await sara.press({ leave: true, value: 'evil' }, ELSEWHERE.name);
    expect(ran).toEqual([]);
    await sara.type('one');
    expect(ran).toEqual([{ first: 'one' }]);
  });

  test('of an earlier question answer nothing, and say so', async () => {
    const ran: unknown[] = [];
    const sara = chat([greet({ first: argument('first', { choices }) }, ran)]);
    await sara.type('/greet');
    const earlier = sara.question();
    await sara.type('/greet');
    for (const payload of [{ leave: true }, { value: 'uno' }]) {
      await sara.press(payload, 'form.answer', earlier);
      expect(sara.texts().at(-1)).toContain('No question is waiting for this answer');
    }
    expect(ran).toEqual([]);
    await sara.type('one');
    expect(ran).toEqual([{ first: 'one' }]);
  });
});

describe('a secret', () => {
  const CANARY = 'canary-key-5521';
  const key = argument('key', { take: null, secret: true, schema: z.string().min(10) });

  test('is not read from the line, is deleted from the chat, and is not repeated when it is refused', async () => {
    const ran: unknown[] = [];
    const sara = chat([greet({ key }, ran)]);
    await sara.type(`/greet ${CANARY}`);
    expect(ran).toEqual([]);
    await sara.type('short');
    expect(sara.texts()).toEqual(['key? ()', 'no key: «»\nkey? ()']);
    await sara.type(CANARY);
    expect(ran).toEqual([{ key: CANARY }]);
    expect(sara.forgotten).toEqual([2, 3]);
    // Each question loses its buttons once it has been answered.
    expect(sara.disarmed).toEqual([1000, 1001]);
  });

  test('that is pasted where something else is asked for is deleted, and not repeated', async () => {
    const ran: unknown[] = [];
    const sara = chat([greet({ count: argument('count', { schema: z.string().regex(/^[0-9]+$/u) }) }, ran)]);
    await sara.type('/greet');
    await sara.type('9f31bd77c2a04e5510');
    await sara.type('five');
    expect(sara.forgotten).toEqual([2]);
    expect(sara.texts()).toEqual(['count? ()', 'no count: «»\ncount? ()', 'no count: «five»\ncount? ()']);
    await sara.type('5');
    expect(ran).toEqual([{ count: '5' }]);
  });

  test('is not kept when another command comes before the end, and is asked for once more', async () => {
    const ran: unknown[] = [];
    const sara = chat([
      greet({ name: argument('name'), key, note: argument('note') }, ran),
      greet({}, [], 'other'),
    ]);
    for (const typed of ['/greet', 'sara', CANARY, '/other']) await sara.type(typed);
    await sara.press({ resume: 'greet' });
    expect(sara.texts().at(-1)).toBe('key? (name)');
    await sara.type('canary-key-6632');
    await sara.type('done');
    expect(ran).toEqual([{ name: 'sara', key: 'canary-key-6632', note: 'done' }]);
  });

  test('is sealed in what the form remembers', async () => {
    const ran: unknown[] = [];
    const sara = chat([greet({ key, note: argument('note') }, ran)]);
    await sara.type('/greet');
    await sara.type(CANARY);
    expect(sara.open()).toBe(true);
    for (const text of [CANARY, 'greet', Buffer.from(CANARY).toString('base64')])
      expect(sara.stored()).not.toContain(text);
    await sara.type('done');
    expect(ran).toEqual([{ key: CANARY, note: 'done' }]);
    expect(sara.open()).toBe(false);
  });
});

describe('in a group', () => {
  test('only a reply to the question answers it; what is said beside it is asked about once', async () => {
    const ran: unknown[] = [];
    const sara = chat([greet({ first: argument('first') }, ran)], 'group');
    await sara.type('/greet');
    expect(sara.said[0]?.options.forceReply).toBe(1);
    expect(sara.texts()[0]).toContain('Reply to this message');
    const question = sara.question();
    await sara.type('hello');
    await sara.type('hello', 999);
    await sara.type('hello again');
    expect([ran, sara.said.length]).toEqual([[], 2]);
    expect(sara.texts()[1]).toContain('Is this the answer');
    await sara.type('one', question);
    expect(ran).toEqual([{ first: 'one' }]);
  });

  test('a refused answer is asked for again, and the reply to the new question counts', async () => {
    const ran: unknown[] = [];
    const sara = chat([greet({ first: argument('first') }, ran)], 'group');
    await sara.type('/greet');
    const first = sara.question();
    await sara.type('1', first);
    await sara.type('one', first);
    expect(ran).toEqual([]);
    await sara.type('one', sara.question());
    expect(ran).toEqual([{ first: 'one' }]);
  });
});

describe('a document', () => {
  const list = argument('list', {
    schema: z.string().refine((typed) => readFileReference(typed) !== null || typed === 'typed'),
    file: true,
  });
  const reference = fileReference({ id: 'AgAD', name: 'list.csv', size: 9 });

  test('answers the argument that takes one, with the command as its caption or later in the form', async () => {
    const ran: unknown[] = [];
    const sara = chat([greet({ book: argument('book'), list }, ran)]);
    await sara.document('/greet staff');
    expect(ran).toEqual([{ book: 'staff', list: reference }]);
    await sara.type('/greet staff');
    await sara.document();
    expect(ran).toHaveLength(2);
    expect(ran[1]).toEqual({ book: 'staff', list: reference });
  });

  test('gives way to what was typed, and where none is wanted it is offered its ways beside the question', async () => {
    const ran: unknown[] = [];
    const sara = chat([greet({ book: argument('book'), list }, ran)]);
    await sara.document('/greet staff typed');
    expect(ran).toEqual([{ book: 'staff', list: 'typed' }]);
    await sara.type('/greet');
    await sara.document();
    expect(sara.texts().at(-1)).toContain('Use this file');
    await sara.type('staff');
    await sara.document();
    expect(ran.at(-1)).toMatchObject({ book: 'staff' });
  });

  test('that will not do is named in the refusal, not referred to', async () => {
    const sara = chat([greet({ list: { ...list, schema: z.string().refine(() => false) } }, [])]);
    await sara.document('/greet');
    expect(sara.texts().at(-1)).toContain('no list: «list.csv»');
  });
});
