import { Api, Bot, InputFile, InputMediaBuilder, Keyboard } from 'grammy';
import type { Message } from 'grammy/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDriver, type Driver, type Person } from './control/driver.ts';
import { startPlayground, type Playground } from './server.ts';
import { callApi, getUpdates } from './test-api.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const BAD = 'Bad Request: ';

let pg: Playground;
let driver: Driver;
let sara: Person;
let reza: Person;
let group: number;
let api: Api;
beforeAll(async () => {
  pg = await startPlayground();
  driver = createDriver(pg);
  sara = driver.user({ first_name: 'Sara', last_name: 'Ahmadi' });
  reza = driver.user({ first_name: 'Reza' });
  sara.start();
  group = driver.group({ creator: sara, members: [reza], bot: 'administrator' });
  api = new Api(pg.token, { apiRoot: pg.apiRoot });
});
afterAll(async () => {
  driver.close();
  await pg.close();
});

const bytes = (text: string, name: string) => new InputFile(Buffer.from(text), name);

/** Forgets what came until now; from now on only these kinds come. */
async function listenFor(kinds: readonly string[]): Promise<void> {
  await callApi(pg, 'deleteWebhook', { drop_pending_updates: true });
  await getUpdates(pg, { allowed_updates: kinds });
}

describe('what a bot can send', () => {
  it('is files of every kind, with what it says of them', async () => {
    const to = sara.id;
    const video = await api.sendVideo(to, bytes('v', 'a.mp4'), {
      width: 640,
      height: 360,
      duration: 9,
      caption: 'film',
      show_caption_above_media: true,
      has_spoiler: true,
    });
    expect(video).toMatchObject({
      video: { width: 640, height: 360, duration: 9, mime_type: 'video/mp4', file_name: 'a.mp4' },
      caption: 'film',
      show_caption_above_media: true,
      has_media_spoiler: true,
    });
    const audio = await api.sendAudio(to, bytes('a', 'a.mp3'), { title: 'T', performer: 'P', duration: 3 });
    expect(audio.audio).toMatchObject({ title: 'T', performer: 'P', duration: 3, mime_type: 'audio/mpeg' });
    const voice = await api.sendVoice(to, bytes('o', 'a.ogg'), { duration: 2 });
    expect(voice.voice).toEqual({
      duration: 2,
      mime_type: 'audio/ogg',
      file_id: expect.any(String),
      file_unique_id: expect.any(String),
      file_size: 1,
    });
    expect((await api.sendVideoNote(to, bytes('n', 'a.mp4'), { duration: 1 })).video_note).toMatchObject({
      length: 240,
      duration: 1,
    });
    const gif = await api.sendAnimation(to, bytes('g', 'a.gif'));
    expect(gif.document).toEqual(gif.animation);
    expect((await api.sendSticker(to, bytes('s', 'a.webp'), { emoji: '😀' })).sticker).toMatchObject({
      type: 'regular',
      emoji: '😀',
    });
    // A file stays what it is, whatever it is sent as again.
    const again = await api.sendDocument(to, video.video.file_id);
    expect(again).toMatchObject({ video: { duration: 9 } });
    await api.editMessageCaption(to, voice.message_id, { caption: 'now with words' });
    const edited = await api.editMessageMedia(
      to,
      video.message_id,
      InputMediaBuilder.audio(audio.audio.file_id),
    );
    expect(edited).not.toHaveProperty('video');
    expect(edited).not.toHaveProperty('has_media_spoiler');
  });

  it('is contacts, places, dice, and albums of photos and films', async () => {
    const contact = await api.sendContact(sara.id, '+98 21', 'Office', { last_name: 'North' });
    expect(contact.contact).toEqual({ phone_number: '+98 21', first_name: 'Office', last_name: 'North' });
    const venue = await api.sendVenue(sara.id, 35.7, 51.4, 'Shop', 'Valiasr');
    expect(venue).toMatchObject({
      location: { latitude: 35.7, longitude: 51.4 },
      venue: { title: 'Shop', address: 'Valiasr' },
    });
    const live = await api.sendLocation(sara.id, 35.7, 51.4, { live_period: 60 });
    const moved = await api.editMessageLiveLocation(sara.id, live.message_id, 35.8, 51.5);
    expect(moved).toMatchObject({ location: { latitude: 35.8, live_period: 60 } });
    const stopped = await api.stopMessageLiveLocation(sara.id, live.message_id);
    expect(stopped).toMatchObject({ location: { latitude: 35.8, longitude: 51.5 } });
    for (const [emoji, most] of [
      ['🎲', 6],
      ['🏀', 5],
      ['🎰', 64],
    ] as const) {
      const { dice } = await api.sendDice(sara.id, emoji);
      expect(dice.emoji).toBe(emoji);
      expect(dice.value).toBeGreaterThanOrEqual(1);
      expect(dice.value).toBeLessThanOrEqual(most);
    }
    const album = await api.sendMediaGroup(sara.id, [
      InputMediaBuilder.photo(new InputFile(PNG, 'a.png')),
      InputMediaBuilder.video(bytes('v', 'b.mp4'), { duration: 4, caption: 'both' }),
    ]);
    expect(album).toMatchObject([{ photo: [{ width: 1 }] }, { video: { duration: 4 }, caption: 'both' }]);
  });

  it('is forwards and copies, one or many, of what may go further', async () => {
    const one = await api.sendMessage(sara.id, 'one');
    const two = await api.sendVideo(sara.id, bytes('v', 'a.mp4'), { caption: 'two' });
    const kept = await api.sendMessage(sara.id, 'kept', { protect_content: true });
    expect(kept.has_protected_content).toBe(true);
    const ids = [one.message_id, two.message_id, kept.message_id];
    const forwards = await api.forwardMessages(group, sara.id, ids);
    const copies = await api.copyMessages(group, sara.id, ids, { remove_caption: true });
    const shown = (id: number): Message | undefined =>
      driver.messages(group).find(({ message_id }) => message_id === id);
    expect(forwards).toHaveLength(2);
    expect(shown(forwards[0]?.message_id ?? 0)).toMatchObject({
      text: 'one',
      forward_origin: { type: 'user' },
    });
    expect(shown(copies[1]?.message_id ?? 0)).toMatchObject({ video: { mime_type: 'video/mp4' } });
    expect(shown(copies[1]?.message_id ?? 0)).not.toHaveProperty('caption');
    expect(shown(copies[0]?.message_id ?? 0)).not.toHaveProperty('forward_origin');
  });

  it('is polls, in which people vote until they are stopped', async () => {
    await listenFor(['poll', 'poll_answer']);
    const sent = await api.sendPoll(group, 'Tea?', ['yes', 'no'], { is_anonymous: false });
    expect(() => sara.vote(sent, 0, 1)).toThrow('the poll takes one answer');
    sara.vote(sent, 0);
    reza.vote(sent, 1);
    reza.vote(sent, 0);
    const updates = await getUpdates(pg);
    expect(updates.filter((update) => 'poll_answer' in update)).toMatchObject([
      { poll_answer: { poll_id: sent.poll.id, user: { id: sara.id }, option_ids: [0] } },
      { poll_answer: { user: { id: reza.id }, option_ids: [1], option_persistent_ids: ['1'] } },
      { poll_answer: { user: { id: reza.id }, option_ids: [0] } },
    ]);
    expect(updates.at(-1)).toMatchObject({
      poll: { total_voter_count: 2, options: [{ voter_count: 2 }, {}] },
    });
    expect(await api.stopPoll(group, sent.message_id)).toMatchObject({
      is_closed: true,
      total_voter_count: 2,
    });
    expect(() => sara.vote(sent, 1)).toThrow('the poll is closed');
  });
});

describe('refusals of kinds, in the words of Telegram', () => {
  const place = { latitude: 1, longitude: 1 };
  const cases: [string, Record<string, unknown>, string][] = [
    ['sendVideo', {}, 'there is no video in the request'],
    ['sendVideoNote', {}, 'there is no video note in the request'],
    ['sendContact', { first_name: 'x' }, 'parameter "phone_number" is required'],
    ['sendContact', { phone_number: '1' }, 'parameter "first_name" is required'],
    ['sendLocation', { longitude: 1 }, 'latitude is empty'],
    ['sendLocation', { latitude: 1 }, 'longitude is empty'],
    ['sendLocation', { latitude: 91, longitude: 1 }, 'invalid location specified'],
    ['sendLocation', { ...place, live_period: 59 }, 'wrong live location period specified'],
    ['sendMediaGroup', {}, 'parameter "media" is required'],
    ['sendMediaGroup', { media: [{ type: 'photo' }] }, "can't parse InputMedia: media not found"],
    [
      'sendMediaGroup',
      { media: [{ type: 'animation', media: 'x' }] },
      'can\'t parse InputMedia: type "animation" can\'t be used in sendMediaGroup',
    ],
    [
      'sendMediaGroup',
      { media: [{ type: 'sticker', media: 'x' }] },
      'can\'t parse InputMedia: type "sticker" is unsupported',
    ],
    [
      'sendMediaGroup',
      {
        media: [
          { type: 'audio', media: 'x' },
          { type: 'photo', media: 'x' },
        ],
      },
      "audio can't be mixed with other media types",
    ],
    ['sendPoll', { question: 'q' }, "can't parse options JSON object"],
    ['sendPoll', { question: 'q', options: [] }, 'poll must have at least one answer option'],
    ['sendPoll', { question: 'q', options: Array(13).fill('x') }, "poll can't have more than 12 options"],
    ['sendPoll', { question: 'q'.repeat(301), options: ['a'] }, 'poll question length must not exceed 300'],
    ['sendPoll', { question: 'q', options: ['a'.repeat(101)] }, 'poll options length must not exceed 100'],
    ['sendPoll', { question: 'q', options: ['a'], type: 'vote' }, 'unsupported poll type specified'],
    [
      'sendPoll',
      { question: 'q', options: ['a'], type: 'quiz' },
      'correct quiz option list must be non-empty',
    ],
    ['stopPoll', { message_id: 1 }, 'message is not a poll'],
    ['stopPoll', { message_id: 9999 }, 'message with poll to stop not found'],
    ['forwardMessage', { message_id: 1 }, 'parameter "from_chat_id" is required'],
    ['forwardMessages', { from_chat_id: 1 }, 'message identifiers are not specified'],
    ['copyMessages', { from_chat_id: 1, message_ids: [0] }, 'invalid message identifier specified'],
    [
      'setMessageReaction',
      { message_id: 1, reaction: [{ type: 'paid' }] },
      "can't parse ReactionType: invalid reaction type specified",
    ],
    ['setMessageReaction', { message_id: 1, reaction: [{ type: 'emoji', emoji: '🧿' }] }, 'REACTION_INVALID'],
  ];
  it.each(cases)('%s %j', async (method, params, words) => {
    const reply = await callApi(pg, method, { chat_id: sara.id, ...params });
    expect(reply).toMatchObject({ status: 400, description: `${BAD}${words}` });
  });

  it('keep protected messages where they are, and the order of identifiers', async () => {
    const kept = await api.sendMessage(sara.id, 'kept', { protect_content: true });
    await expect(api.forwardMessage(group, sara.id, kept.message_id)).rejects.toMatchObject({
      description: `${BAD}the message can't be forwarded`,
    });
    await expect(api.copyMessages(group, sara.id, [kept.message_id])).rejects.toMatchObject({
      description: `${BAD}messages can't be forwarded`,
    });
    await expect(api.copyMessages(group, sara.id, [2, 1])).rejects.toMatchObject({
      description: `${BAD}message identifiers must be in a strictly increasing order`,
    });
  });
});

describe('what people do', () => {
  it('is to react, to share contacts and places, to forward and to press, and the bot hears of it', async () => {
    await listenFor(['message', 'message_reaction', 'callback_query']);
    const keyboard = new Keyboard().text('Menu').requestContact('My number').requestLocation('Here');
    const asked = await api.sendMessage(sara.id, 'who?', { reply_markup: keyboard });
    sara.react(asked, '👍');
    sara.react(asked, '🎉');
    sara.react(asked);
    sara.press(asked, 'Menu');
    sara.press(asked, 'My number');
    sara.shareLocation(sara, 35.7, 51.4);
    const card = sara.shareContact(sara, { phone_number: '98912', first_name: 'Nima' });
    const inGroup = sara.forward(card, group);
    reza.react(inGroup, '🔥');
    const heard = await getUpdates(pg);
    expect(heard).toMatchObject([
      { message_reaction: { user: { id: sara.id }, old_reaction: [], new_reaction: [{ emoji: '👍' }] } },
      { message_reaction: { old_reaction: [{ emoji: '👍' }], new_reaction: [{ emoji: '🎉' }] } },
      { message_reaction: { message_id: asked.message_id, new_reaction: [] } },
      { message: { text: 'Menu' } },
      { message: { contact: { user_id: sara.id, first_name: 'Sara', last_name: 'Ahmadi' } } },
      { message: { location: { latitude: 35.7, longitude: 51.4 } } },
      { message: { contact: { phone_number: '98912', first_name: 'Nima' } } },
      { message: { chat: { id: group }, forward_origin: { sender_user: { id: sara.id } }, contact: {} } },
      { message_reaction: { chat: { id: group }, user: { id: reza.id } } },
    ]);
    expect(() => sara.react(asked, '🧿')).toThrow('Telegram has no reaction 🧿');
    expect(() => sara.press(asked, 'Nothing')).toThrow('no button begins with Nothing');
  });

  it('stays with people: an ordinary member that is a bot hears of no reaction, nor one that did not ask', async () => {
    const quiet = driver.group({ creator: sara });
    await listenFor([]);
    sara.react(sara.send(sara, 'hello'), '👍');
    expect(await getUpdates(pg)).toMatchObject([{ message: { text: 'hello' } }]);
    await listenFor(['message_reaction']);
    sara.react(sara.send(quiet, '/x'), '👍');
    expect((await getUpdates(pg)).filter((update) => 'message_reaction' in update)).toEqual([]);
  });

  it('is told of an anonymous administrator as the chat, and of a channel by counts', async () => {
    const channel = driver.group({ creator: sara, members: [reza], type: 'channel', bot: 'administrator' });
    pg.control.member({
      chat_id: group,
      user_id: reza.id,
      status: 'administrator',
      custom: { is_anonymous: true },
    });
    await listenFor(['message_reaction', 'message_reaction_count']);
    reza.react(sara.send(group, '/x'), '👍');
    const post = sara.send(channel, 'news');
    sara.react(post, '👍');
    reza.react(post, '👍');
    const heard = await getUpdates(pg);
    expect(heard).toMatchObject([
      { message_reaction: { actor_chat: { id: group } } },
      { message_reaction_count: { reactions: [{ type: { emoji: '👍' }, total_count: 1 }] } },
      { message_reaction_count: { reactions: [{ total_count: 2 }] } },
    ]);
    expect(heard[0]?.['message_reaction']).not.toHaveProperty('user');
  });
});

describe('a bot that is not Peyk', () => {
  it('asks for a contact by a keyboard, thanks by a reaction, and takes the keyboard away', async () => {
    const bot = new Bot(pg.token, { client: { apiRoot: pg.apiRoot } });
    bot.command('number', (ctx) =>
      ctx.reply('Your number?', { reply_markup: new Keyboard().requestContact('Send').oneTime() }),
    );
    bot.on('message:contact', async (ctx) => {
      await ctx.react('🤝');
      await ctx.reply(ctx.message.contact.phone_number, { reply_markup: { remove_keyboard: true } });
    });
    await listenFor(['message']);
    const running = bot.start();
    sara.send(sara, '/number');
    const asked = await driver.waitForMessage(sara, ({ text }) => text === 'Your number?');
    const { message: sent } = sara.press(asked, 'Send');
    const thanks = await driver.waitForMessage(sara, ({ text }) => text === sent?.contact?.phone_number);
    expect(thanks.reply_markup).toEqual({ remove_keyboard: true });
    const shared = driver.messages(sara).find(({ message_id }) => message_id === sent?.message_id);
    expect(shared).toMatchObject({ reactions: [{ emoji: '🤝', user_id: bot.botInfo.id }] });
    await bot.stop();
    await running;
  });
});
