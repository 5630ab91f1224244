import { Bot, InlineKeyboard, InlineQueryResultBuilder } from 'grammy';
import type { Message } from 'grammy/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../control/driver.ts';
import { startTelegram, type Telegram } from '../library.ts';
import { callApi, getUpdates, type Reply } from '../test-api.ts';

const BAD = 'Bad Request: ';
const TOO_OLD = `${BAD}query is too old and response timeout expired or query ID is invalid`;

let now = 1_795_000_000_000;
let telegram: Telegram;
let sara: Person;
let reza: Person;
let group: number;
beforeAll(async () => {
  telegram = await startTelegram({ now: () => now });
  telegram.control.setInline({ enabled: true, feedback: true });
  sara = telegram.driver.user({ first_name: 'Sara' });
  reza = telegram.driver.user({ first_name: 'Reza' });
  sara.start();
  group = telegram.driver.group({ creator: sara, members: [reza] });
});
afterAll(() => telegram.close());

const article = (id: string, more: object = {}): object => ({
  type: 'article',
  id,
  title: `Result ${id}`,
  input_message_content: { message_text: `Text ${id}` },
  ...more,
});
const answer = (queryId: string, results: unknown, more: object = {}): Promise<Reply> =>
  callApi(telegram, 'answerInlineQuery', { inline_query_id: queryId, results, ...more });
/** Forgets what came until now. */
const forget = (): Promise<Reply> => callApi(telegram, 'deleteWebhook', { drop_pending_updates: true });
const control = async (path: string, body?: object): Promise<unknown> => {
  const headers = { 'content-type': 'application/json' };
  const post = body && { method: 'POST', headers, body: JSON.stringify(body) };
  return (await fetch(`${telegram.apiRoot}/_control/${path}`, post)).json();
};

describe('inline mode', () => {
  it('offers what a bot answers, posts what is chosen, and lets the bot edit it and hear its buttons', async () => {
    await forget();
    const bot = new Bot(telegram.token, { client: { apiRoot: telegram.apiRoot } });
    const keyboard = new InlineKeyboard().text('More', 'more');
    bot.on('inline_query', (ctx) =>
      ctx.answerInlineQuery(
        [
          InlineQueryResultBuilder.article('tea', 'Tea', { reply_markup: keyboard, description: 'hot' }).text(
            '<b>Tea</b>, please',
            { parse_mode: 'HTML' },
          ),
          InlineQueryResultBuilder.contact('who', '98912', 'Nima').text('Ask Nima'),
        ],
        { cache_time: 0 },
      ),
    );
    const chosen = Promise.withResolvers<unknown>();
    bot.on('chosen_inline_result', async (ctx) => {
      await ctx.editMessageText('Tea is coming', { reply_markup: keyboard });
      chosen.resolve(ctx.chosenInlineResult);
    });
    bot.on('callback_query', async (ctx) => {
      await ctx.editMessageText(`More of it, ${ctx.from.first_name}`);
      await ctx.answerCallbackQuery('done');
    });
    const running = bot.start();
    const query = sara.askInline(group, 'drinks');
    expect(await telegram.driver.waitForResults(query)).toEqual({
      inline_query_id: query,
      results: [
        { id: 'tea', type: 'article', title: 'Tea', description: 'hot' },
        { id: 'who', type: 'contact', title: 'Nima', description: '98912' },
      ],
    });
    expect(() => reza.choose(query, 'tea')).toThrow('no such result');
    const posted = sara.choose(query, 'tea');
    expect(posted).toMatchObject({
      text: 'Tea, please',
      entities: [{ type: 'bold' }],
      from: { id: sara.id },
      via_bot: { id: bot.botInfo.id },
      chat: { id: group },
    });
    const inlineId = expect.stringMatching(/^[\w-]+$/) as string;
    expect(await chosen.promise).toEqual({
      from: sara.user,
      inline_message_id: inlineId,
      query: 'drinks',
      result_id: 'tea',
    });
    const is = (text: string) => (message: Message) => message.text === text;
    const edited = await telegram.driver.waitForMessage(group, is('Tea is coming'));
    expect(edited.message_id).toBe(posted.message_id);
    const press = reza.tap(edited, 'More');
    expect(await telegram.driver.waitForAnswer(press)).toMatchObject({ text: 'done' });
    await telegram.driver.waitForMessage(group, is('More of it, Reza'));
    await bot.stop();
    await running;

    // Privacy mode hides what people say, but not what they say via the bot.
    const heard = telegram.control.updates().find(({ json }) => json.includes('Tea, please'));
    expect(heard).toMatchObject({ kind: 'message' });
    const pressed = telegram.control.updates().find(({ kind }) => kind === 'callback_query');
    const told: unknown = JSON.parse(pressed?.json ?? '');
    expect(told).toMatchObject({ callback_query: { inline_message_id: inlineId, data: 'more' } });
    expect(told).not.toHaveProperty('callback_query.message');
    // What has no buttons is known by no id; and no person edits what a bot wrote for them.
    const plain = sara.choose(query, 'who');
    const last = telegram.control.updates().at(-1)?.json ?? '';
    expect(last).toContain('"result_id":"who"');
    expect(last).not.toContain('inline_message_id');
    expect(() => sara.edit(plain, 'other')).toThrow('only the author');
    const { calls, updates } = telegram.control.trace({ chat: group, message: posted.message_id });
    expect(calls.map(({ method }) => method)).toEqual([
      'editMessageText',
      'editMessageText',
      'answerCallbackQuery',
    ]);
    expect(updates.map(({ kind }) => kind)).toContain('chosen_inline_result');
  });

  it('is played over HTTP too, with a page more by its offset', async () => {
    await forget();
    const asked = { user_id: sara.id, chat_id: sara.id, query: 'over http' };
    const { inline_query_id: first } = (await control('inline', asked)) as { inline_query_id: string };
    const [update] = await getUpdates(telegram);
    expect(update).toMatchObject({
      inline_query: { id: first, from: { id: sara.id }, query: 'over http', offset: '', chat_type: 'sender' },
    });
    const waiting = control(`inline-answer?id=${first}&wait=60`);
    const button = { text: 'Sign in', start_parameter: 'sign-in' };
    expect(await answer(first, [article('1')], { next_offset: '1', button })).toMatchObject({ result: true });
    expect(await waiting).toMatchObject({ answer: { results: [{ id: '1' }], next_offset: '1', button } });
    const { inline_query_id: next } = (await control('inline', { ...asked, offset: '1' })) as {
      inline_query_id: string;
    };
    await answer(next, [article('2')], { cache_time: 0 });
    const { message } = (await control('choose', {
      user_id: sara.id,
      inline_query_id: next,
      result_id: '2',
    })) as { message: Message };
    expect(message).toMatchObject({ text: 'Text 2', chat: { id: sara.id } });
    const heard = await getUpdates(telegram, { offset: (update?.update_id ?? 0) + 1 });
    expect(heard).toMatchObject([
      { inline_query: { offset: '1' } },
      { message: { via_bot: {}, text: 'Text 2' } },
      { chosen_inline_result: { result_id: '2' } },
    ]);
  });

  it('remembers an answer as long as the bot says, for whom it says', async () => {
    const known = (person: Person, query: string) =>
      telegram.control.askInline({ user_id: person.id, chat_id: group, query }).answer?.results[0]?.id;
    await answer(sara.askInline(group, 'all'), [article('all')], { cache_time: 10 });
    await answer(sara.askInline(group, 'mine'), [article('mine')], { is_personal: true });
    expect([known(reza, 'all'), known(sara, 'mine'), known(reza, 'mine')]).toEqual([
      'all',
      'mine',
      undefined,
    ]);
    now += 11_000;
    expect(known(sara, 'all')).toBeUndefined();
  });

  it('posts files that Telegram has, places, contacts and rich messages', async () => {
    const file = sara.upload(sara, 'a.pdf', Buffer.from('x')).document?.file_id;
    const place = { latitude: 35.7, longitude: 51.4 };
    const rich_message = { blocks: [{ type: 'divider' }] };
    const results = [
      {
        type: 'document',
        id: 'file',
        title: 'A',
        document_file_id: file,
        caption: '*hi*',
        parse_mode: 'MarkdownV2',
      },
      { type: 'location', id: 'place', title: 'Here', ...place },
      { type: 'venue', id: 'shop', title: 'Shop', address: 'Valiasr', ...place },
      { type: 'contact', id: 'who', phone_number: '98', first_name: 'Nima' },
      article('rich', { input_message_content: { rich_message } }),
      {
        type: 'photo',
        id: 'words',
        photo_url: 'https://a.com/a.jpg',
        input_message_content: { message_text: 'w' },
      },
    ];
    const query = sara.askInline(sara, 'kinds');
    expect(await answer(query, results)).toMatchObject({ ok: true });
    expect(results.map(({ id }: { id?: string }) => sara.choose(query, id ?? ''))).toMatchObject([
      { document: { file_name: 'a.pdf' }, caption: 'hi', caption_entities: [{ type: 'bold' }] },
      { location: place },
      { venue: { title: 'Shop', location: place } },
      { contact: { first_name: 'Nima' } },
      { rich_message },
      { text: 'w' },
    ]);
  });

  const parse = `${BAD}can't parse inline query result: `;
  const button = `${BAD}can't parse inline query results button: `;
  const cases: [string, unknown, object, string][] = [
    ['no array', {}, {}, `${BAD}expected an Array of inline query results`],
    [
      '51',
      Array.from({ length: 51 }, (_, i) => article(`${i}`)),
      {},
      `${BAD}too many inline query results specified`,
    ],
    ['no object', ['x'], {}, `${parse}Inline query result must be an object`],
    ['no type', [{ id: '1' }], {}, `${parse}Can't find field "type"`],
    [
      'another type',
      [{ type: 'song', id: '1' }],
      {},
      `${parse}type "song" is unsupported for the inline query result`,
    ],
    ['no id', [article('1', { id: undefined })], {}, `${parse}Can't find field "id"`],
    ['no content', [{ type: 'article', id: '1', title: 'x' }], {}, `${parse}Can't find field "message_text"`],
    [
      'empty content',
      [article('1', { input_message_content: {} })],
      {},
      `${parse}Input message content is not specified`,
    ],
    ['no title', [article('1', { title: undefined })], {}, `${parse}Can't find field "title"`],
    ['a list as title', [article('1', { title: [] })], {}, `${parse}Field "title" must be of type String`],
    ['no file', [{ type: 'gif', id: '1' }], {}, `${parse}Can't find field "gif_file_id"`],
    [
      'broken HTML',
      [article('1', { input_message_content: { message_text: '<a', parse_mode: 'HTML' } })],
      {},
      `${parse}Can't parse entities: Unclosed start tag at byte offset 0`,
    ],
    [
      'a long text',
      [article('1', { input_message_content: { message_text: 'x'.repeat(4097) } })],
      {},
      `${BAD}MESSAGE_TOO_LONG`,
    ],
    [
      'a button that does nothing',
      [article('1', { reply_markup: { inline_keyboard: [[{ text: 'x' }]] } })],
      {},
      `${parse}Can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard`,
    ],
    ['the same id twice', [article('1'), article('1')], {}, `${BAD}RESULT_ID_DUPLICATE`],
    ['a long id', [article('x'.repeat(65))], {}, `${BAD}RESULT_ID_INVALID`],
    ['a long offset', [], { next_offset: 'ش'.repeat(33) }, `${BAD}NEXT_OFFSET_INVALID`],
    [
      'a button of no kind',
      [],
      { button: { text: 'x' } },
      `${button}InlineQueryResultsButton must have exactly one optional field`,
    ],
    ['a button without a label', [], { button: {} }, `${button}Can't find field "text"`],
    [
      'an empty start',
      [],
      { button: { text: 'x', start_parameter: '' } },
      `${BAD}can't use empty start_parameter`,
    ],
    [
      'a strange start',
      [],
      { button: { text: 'x', start_parameter: 'a b' } },
      `${BAD}unallowed characters in start_parameter are used`,
    ],
    [
      'a picture from elsewhere',
      [{ type: 'photo', id: '1', photo_url: 'https://a.com/a.jpg' }],
      {},
      `${BAD}WEBDOCUMENT_URL_INVALID`,
    ],
  ];
  it.each(cases)('refuses %s', async (_, results, more, description) => {
    const query = sara.askInline(group, `refused ${description}`);
    expect(await answer(query, results, more)).toMatchObject({ status: 400, description });
    // What was refused was no answer.
    expect((await answer(query, [], { cache_time: 0 })).ok).toBe(true);
  });

  it('refuses answers that come twice, late, of another bot or to nothing, and edits of what is none', async () => {
    const query = sara.askInline(group, 'late');
    expect((await answer(query, [], { cache_time: 0 })).ok).toBe(true);
    expect(await answer(query, [])).toMatchObject({ status: 400, description: TOO_OLD });
    const late = sara.askInline(group, 'later');
    now += 15_000;
    expect(await answer(late, [])).toMatchObject({ description: TOO_OLD });
    expect(await answer('7', [])).toMatchObject({ description: TOO_OLD });
    const edit = (more: object) => callApi(telegram, 'editMessageText', { text: 'x', ...more });
    expect(await edit({ inline_message_id: 'x' })).toMatchObject({ description: `${BAD}MESSAGE_ID_INVALID` });
    expect(await edit({})).toMatchObject({ description: `${BAD}message identifier is not specified` });
  });

  it('is off at first', async () => {
    telegram.control.setInline({ enabled: false });
    expect(sara.askInline.bind(sara, group, 'x')).toThrow('has no inline mode');
    expect(await callApi(telegram, 'getMe')).toMatchObject({ result: { supports_inline_queries: false } });
    expect(await control('inline-mode', { enabled: true, feedback: true })).toEqual({});
    expect(await callApi(telegram, 'getMe')).toMatchObject({ result: { supports_inline_queries: true } });
    expect(telegram.control.state(sara.id).bots).toMatchObject([{ inline: true }]);
  });
});
