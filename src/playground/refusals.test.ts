import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDriver, type Driver, type Person } from './control/driver.ts';
import { startPlayground, type Playground } from './server.ts';
import { callApi, messageOf } from './test-api.ts';

const BAD = 'Bad Request: ';
const button = (extra: object) => ({ inline_keyboard: [[{ text: 'x', ...extra }]] });
const media = (count: number) => Array.from({ length: count }, () => ({ type: 'document', media: 'AgAD' }));

describe('refusals in the words of Telegram', () => {
  let pg: Playground;
  let driver: Driver;
  let sara: Person;
  let stranger: Person;
  let group: number;
  let forum: number;
  let channel: number;
  let sent: number;

  beforeAll(async () => {
    pg = await startPlayground();
    driver = createDriver(pg);
    sara = driver.user({ first_name: 'Sara' });
    stranger = driver.user({ first_name: 'Stranger' });
    sara.start();
    group = driver.group({ creator: sara });
    forum = driver.group({ creator: sara, type: 'forum' });
    channel = driver.group({ creator: sara, type: 'channel' });
    const reply = await callApi(pg, 'sendMessage', { chat_id: sara.id, text: 'first' });
    sent = messageOf(reply.result).message_id ?? 0;
  });
  afterAll(async () => {
    driver.close();
    await pg.close();
  });

  const cases: [string, string, () => Record<string, unknown>, number, string][] = [
    ['an unlisted method', 'sendInvoice', () => ({}), 404, 'Not Found: method not found'],
    ['no chat', 'sendMessage', () => ({ text: 'x' }), 400, `${BAD}chat_id is empty`],
    ['an unknown chat', 'sendMessage', () => ({ chat_id: 42, text: 'x' }), 400, `${BAD}chat not found`],
    ['an unknown group', 'sendMessage', () => ({ chat_id: -42, text: 'x' }), 400, `${BAD}chat not found`],
    ['an unknown name', 'sendMessage', () => ({ chat_id: '@none', text: 'x' }), 400, `${BAD}chat not found`],
    [
      'a person who never started',
      'sendMessage',
      () => ({ chat_id: stranger.id, text: 'x' }),
      403,
      "Forbidden: bot can't initiate conversation with a user",
    ],
    ['no text', 'sendMessage', () => ({ chat_id: sara.id }), 400, `${BAD}message text is empty`],
    [
      'blank text',
      'sendMessage',
      () => ({ chat_id: sara.id, text: ' \n' }),
      400,
      `${BAD}text must be non-empty`,
    ],
    [
      '4,097 code points',
      'sendMessage',
      () => ({ chat_id: sara.id, text: '😀'.repeat(4097) }),
      400,
      `${BAD}message is too long`,
    ],
    [
      '40,000 bytes',
      'sendMessage',
      () => ({ chat_id: sara.id, text: 'a'.repeat(40_000) }),
      400,
      `${BAD}text is too long`,
    ],
    [
      'an unknown parse mode',
      'sendMessage',
      () => ({ chat_id: sara.id, text: 'x', parse_mode: 'BBCode' }),
      400,
      `${BAD}unsupported parse_mode`,
    ],
    [
      'a broken HTML text',
      'sendMessage',
      () => ({ chat_id: sara.id, text: 'ab<foo>', parse_mode: 'HTML' }),
      400,
      `${BAD}can't parse entities: Unsupported start tag "foo" at byte offset 2`,
    ],
    [
      'a broken MarkdownV2 text',
      'sendMessage',
      () => ({ chat_id: sara.id, text: 'a.b', parse_mode: 'MarkdownV2' }),
      400,
      `${BAD}can't parse entities: Character '.' is reserved and must be escaped with the preceding '\\'`,
    ],
    [
      'callback data of 65 bytes in 33 letters',
      'sendMessage',
      () => ({ chat_id: sara.id, text: 'x', reply_markup: button({ callback_data: `${'س'.repeat(32)}a` }) }),
      400,
      `${BAD}BUTTON_DATA_INVALID`,
    ],
    [
      'empty callback data',
      'sendMessage',
      () => ({ chat_id: sara.id, text: 'x', reply_markup: button({ callback_data: '' }) }),
      400,
      `${BAD}can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard`,
    ],
    [
      'a button without an action',
      'sendMessage',
      () => ({ chat_id: sara.id, text: 'x', reply_markup: button({}) }),
      400,
      `${BAD}can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard`,
    ],
    [
      'a wrong button URL',
      'sendMessage',
      () => ({ chat_id: sara.id, text: 'x', reply_markup: button({ url: 'http://nowhere' }) }),
      400,
      `${BAD}inline keyboard button URL 'http://nowhere' is invalid: Wrong HTTP URL`,
    ],
    [
      'an unknown button style',
      'sendMessage',
      () => ({ chat_id: sara.id, text: 'x', reply_markup: button({ callback_data: 'a', style: 'pink' }) }),
      400,
      `${BAD}can't parse inline keyboard button: invalid button style specified`,
    ],
    [
      'a reply to nothing',
      'sendMessage',
      () => ({ chat_id: sara.id, text: 'x', reply_parameters: { message_id: 999 } }),
      400,
      `${BAD}message to be replied not found`,
    ],
    [
      'an unknown topic',
      'sendMessage',
      () => ({ chat_id: forum, text: 'x', message_thread_id: 999 }),
      400,
      `${BAD}message thread not found`,
    ],
    [
      'the General topic by its number',
      'sendMessage',
      () => ({ chat_id: forum, text: 'x', message_thread_id: 1 }),
      400,
      `${BAD}message thread not found`,
    ],
    [
      'a channel without the right to post',
      'sendMessage',
      () => ({ chat_id: channel, text: 'x' }),
      400,
      `${BAD}need administrator rights in the channel chat`,
    ],
    [
      'the same text again',
      'editMessageText',
      () => ({ chat_id: sara.id, message_id: sent, text: 'first' }),
      400,
      `${BAD}message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message`,
    ],
    [
      'the same missing keyboard again',
      'editMessageReplyMarkup',
      () => ({ chat_id: sara.id, message_id: sent }),
      400,
      `${BAD}message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message`,
    ],
    [
      'an edit of nothing',
      'editMessageText',
      () => ({ chat_id: sara.id, message_id: 999, text: 'x' }),
      400,
      `${BAD}message to edit not found`,
    ],
    [
      "an edit of a person's message",
      'editMessageText',
      () => ({ chat_id: sara.id, message_id: 1, text: 'x' }),
      400,
      `${BAD}message can't be edited`,
    ],
    [
      'a caption for a text',
      'editMessageCaption',
      () => ({ chat_id: sara.id, message_id: sent, caption: 'x' }),
      400,
      `${BAD}there is no caption in the message to edit`,
    ],
    [
      'a reply keyboard in an edit',
      'editMessageReplyMarkup',
      () => ({ chat_id: sara.id, message_id: sent, reply_markup: { force_reply: true } }),
      400,
      `${BAD}inline keyboard expected`,
    ],
    [
      'a deletion of nothing',
      'deleteMessage',
      () => ({ chat_id: sara.id, message_id: 999 }),
      400,
      `${BAD}message to delete not found`,
    ],
    [
      "a deletion of another's message without the right",
      'deleteMessage',
      () => ({ chat_id: group, message_id: sara.send(group, '/x').message_id }),
      400,
      `${BAD}message can't be deleted`,
    ],
    [
      'an unknown callback query',
      'answerCallbackQuery',
      () => ({ callback_query_id: '7' }),
      400,
      `${BAD}query is too old and response timeout expired or query ID is invalid`,
    ],
    [
      'a wrong file id in getFile',
      'getFile',
      () => ({ file_id: 'nothing' }),
      400,
      `${BAD}wrong file_id or the file is temporarily unavailable`,
    ],
    [
      'a wrong file id in a message',
      'sendDocument',
      () => ({ chat_id: sara.id, document: 'nothing' }),
      400,
      `${BAD}wrong file identifier/HTTP URL specified`,
    ],
    [
      'no document',
      'sendDocument',
      () => ({ chat_id: sara.id }),
      400,
      `${BAD}there is no document in the request`,
    ],
    [
      'an album of 11',
      'sendMediaGroup',
      () => ({ chat_id: sara.id, media: media(11) }),
      400,
      `${BAD}too many messages to send as an album`,
    ],
    [
      'an album of none',
      'sendMediaGroup',
      () => ({ chat_id: sara.id, media: [] }),
      400,
      `${BAD}there are no messages to send`,
    ],
    [
      'a wrong chat action',
      'sendChatAction',
      () => ({ chat_id: sara.id, action: 'dancing' }),
      400,
      `${BAD}wrong parameter action in request`,
    ],
    [
      'a command name with a capital',
      'setMyCommands',
      () => ({ commands: [{ command: 'Send', description: 'x' }] }),
      400,
      `${BAD}BOT_COMMAND_INVALID`,
    ],
    [
      'a command without a description',
      'setMyCommands',
      () => ({ commands: [{ command: 'send', description: '' }] }),
      400,
      `${BAD}command description must be non-empty`,
    ],
    [
      'a command of 33 letters',
      'setMyCommands',
      () => ({ commands: [{ command: 'a'.repeat(33), description: 'x' }] }),
      400,
      `${BAD}command length must not exceed 32`,
    ],
    [
      'an unknown scope',
      'setMyCommands',
      () => ({ commands: [{ command: 'a', description: 'x' }], scope: { type: 'moon' } }),
      400,
      `${BAD}can't parse BotCommandScope: Unsupported type specified`,
    ],
    [
      'a topic outside a forum',
      'createForumTopic',
      () => ({ chat_id: group, name: 'x' }),
      400,
      `${BAD}the chat is not a forum`,
    ],
    [
      'a topic without the right',
      'createForumTopic',
      () => ({ chat_id: forum, name: 'x' }),
      400,
      `${BAD}not enough rights to create a topic`,
    ],
    [
      'a pin without the right',
      'pinChatMessage',
      () => ({ chat_id: group, message_id: 1 }),
      400,
      `${BAD}not enough rights to manage pinned messages in the chat`,
    ],
    [
      'administrators of a private chat',
      'getChatAdministrators',
      () => ({ chat_id: sara.id }),
      400,
      `${BAD}there are no administrators in the private chat`,
    ],
    [
      'a secret with a space',
      'setWebhook',
      () => ({ url: 'https://a.com/', secret_token: 'a b' }),
      400,
      `${BAD}secret token contains unallowed characters`,
    ],
    [
      'a webhook without https',
      'setWebhook',
      () => ({ url: 'http://example.com/' }),
      400,
      `${BAD}bad webhook: An HTTPS URL must be provided for webhook`,
    ],
  ];
  it.each(cases)('%s', async (_, method, params, code, description) => {
    const reply = await callApi(pg, method, params());
    expect(reply).toMatchObject({ status: code, ok: false, error_code: code, description });
  });

  it('refuses a wrong token with 401, and a path without a method with 404', async () => {
    const wrong = await callApi({ ...pg, token: 'x' }, 'getMe');
    expect(wrong).toMatchObject({ status: 401, description: 'Unauthorized: invalid token specified' });
    const unknown = await callApi({ ...pg, token: `1:${'a'.repeat(35)}` }, 'getMe');
    expect(unknown).toMatchObject({ status: 401, description: 'Unauthorized' });
    const response = await fetch(`${pg.apiRoot}/bot${pg.token}`);
    expect(await response.json()).toEqual({ ok: false, error_code: 404, description: 'Not Found' });
  });

  it('takes exactly 4,096 code points and 64 bytes of data', async () => {
    const reply_markup = button({ callback_data: 'س'.repeat(32) });
    const reply = await callApi(pg, 'sendMessage', {
      chat_id: sara.id,
      text: '😀'.repeat(4096),
      reply_markup,
    });
    expect(reply.ok).toBe(true);
  });

  it('refuses a caption of 1,025 code points and takes 1,024', async () => {
    const [stored] = [sara.upload(sara, 'a.txt', Buffer.from('x'))];
    const document = stored?.document?.file_id;
    const send = (length: number) =>
      callApi(pg, 'sendDocument', { chat_id: sara.id, document, caption: 'س'.repeat(length) });
    expect((await send(1024)).ok).toBe(true);
    expect(await send(1025)).toMatchObject({ description: `${BAD}message caption is too long` });
  });

  it('refuses to edit a message that came with a reply keyboard', async () => {
    const reply = await callApi(pg, 'sendMessage', {
      chat_id: sara.id,
      text: 'answer me',
      reply_markup: { force_reply: true },
    });
    const { message_id } = messageOf(reply.result);
    const edit = await callApi(pg, 'editMessageText', { chat_id: sara.id, message_id, text: 'other' });
    expect(edit.description).toBe(`${BAD}message can't be edited`);
  });
});

describe('refusals that come with time', () => {
  it('refuses to delete after 48 hours, to answer after 15 seconds, and a second answer', async () => {
    let now = 1_795_000_000_000;
    const pg = await startPlayground({ now: () => now });
    const driver = createDriver(pg);
    const sara = driver.user({ first_name: 'Sara' });
    sara.start();
    const keyboard = button({ callback_data: 'a' });
    await callApi(pg, 'sendMessage', { chat_id: sara.id, text: 'x', reply_markup: keyboard });
    const message = await driver.waitForMessage(sara, ({ text }) => text === 'x');

    const tooOld = `${BAD}query is too old and response timeout expired or query ID is invalid`;
    const late = sara.tap(message, 'x');
    now += 15_000;
    expect(await callApi(pg, 'answerCallbackQuery', { callback_query_id: late })).toMatchObject({
      description: tooOld,
    });
    const prompt = sara.tap(message, 'x');
    const answer = { callback_query_id: prompt, text: 'ok', show_alert: true };
    expect((await callApi(pg, 'answerCallbackQuery', answer)).ok).toBe(true);
    expect((await callApi(pg, 'answerCallbackQuery', answer)).description).toBe(tooOld);
    expect(await driver.waitForAnswer(prompt)).toMatchObject({ text: 'ok', show_alert: true });

    now += 48 * 3600 * 1000;
    const target = { chat_id: sara.id, message_id: message.message_id };
    expect((await callApi(pg, 'deleteMessage', target)).description).toBe(
      `${BAD}message can't be deleted for everyone`,
    );
    expect((await callApi(pg, 'editMessageText', { ...target, text: 'still editable' })).ok).toBe(true);
    driver.close();
    await pg.close();
  });
});
