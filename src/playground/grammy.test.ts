import { Api, Bot, GrammyError, InlineKeyboard, InputFile, InputMediaBuilder } from 'grammy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDriver, type Driver, type Person } from './control/driver.ts';
import { startPlayground, type Playground } from './server.ts';
import { messageOf } from './test-api.ts';

/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('the real grammY client', () => {
  let pg: Playground;
  let driver: Driver;
  let sara: Person;
  let api: Api;

  beforeAll(async () => {
    pg = await startPlayground();
    driver = createDriver(pg);
    api = new Api(pg.token, { apiRoot: pg.apiRoot });
    sara = driver.user({ first_name: 'Sara' });
    sara.start();
  });
  afterAll(async () => {
    driver.close();
    await pg.close();
  });

  const bytesOf = async (fileId: string): Promise<Buffer> => {
    const { file_path } = await api.getFile(fileId);
    const response = await fetch(`${pg.apiRoot}/file/bot${pg.token}/${file_path ?? ''}`);
    return Buffer.from(await response.arrayBuffer());
  };

  it('runs a bot: long polling, a command, a button, an edit', async () => {
    const bot = new Bot(pg.token, { client: { apiRoot: pg.apiRoot } });
    bot.command('hello', (ctx) => ctx.reply('hi', { reply_markup: new InlineKeyboard().text('Yes', 'y') }));
    bot.callbackQuery('y', async (ctx) => {
      await ctx.answerCallbackQuery({ text: 'noted' });
      await ctx.editMessageText('done');
    });
    const running = bot.start();
    sara.send(sara, '/hello');
    const message = await driver.waitForMessage(sara, ({ text }) => text === 'hi');
    const query = sara.tap(message, 'Yes');
    expect(await driver.waitForAnswer(query)).toMatchObject({ text: 'noted' });
    const edited = await driver.waitForMessage(sara, ({ text }) => text === 'done');
    expect(edited.message_id).toBe(message.message_id);
    expect(edited.reply_markup).toBeUndefined();
    expect(edited.edit_date).toBeTypeOf('number');
    await bot.stop();
    await running;
  });

  it.each(['plain.csv', 'two words.csv', 'گزارش پیامک.csv', "it's; odd.csv"])(
    'sends a document named %s and gets the same bytes back',
    async (name) => {
      const bytes = Buffer.from(Array.from({ length: 3000 }, (_, index) => index % 256));
      const sent = await api.sendDocument(sara.id, new InputFile(bytes, name), {
        caption: '<b>report</b>',
        parse_mode: 'HTML',
      });
      const wanted = name.includes(';') ? name.slice(0, name.indexOf(';')) : name;
      expect(sent.document.file_name).toBe(wanted);
      expect(sent.document.file_id).not.toBe(sent.document.file_unique_id);
      expect(sent.caption_entities).toEqual([{ type: 'bold', offset: 0, length: 6 }]);
      expect(await bytesOf(sent.document.file_id)).toEqual(bytes);
      const again = await api.sendDocument(sara.id, sent.document.file_id);
      expect(again.document).toEqual(sent.document);
    },
  );

  it('sends bytes that look like the end of a part', async () => {
    const bytes = Buffer.from('\r\n\r\n------------x\r\nfilename=evil; \r\n\r\n--');
    const sent = await api.sendDocument(sara.id, new InputFile(bytes, 'a.bin'));
    expect(await bytesOf(sent.document.file_id)).toEqual(bytes);
    const [call] = driver.calls('sendDocument').slice(-1);
    expect(call?.files).toMatchObject([{ name: 'a.bin', size: bytes.length }]);
  });

  it('sends a photo with its sizes, and refuses it as a document', async () => {
    const sent = await api.sendPhoto(sara.id, new InputFile(PNG, 'p.png'));
    expect(sent.photo.at(-1)).toMatchObject({ width: 1, height: 1, file_size: PNG.length });
    await expect(api.sendDocument(sara.id, sent.photo[0]?.file_id ?? '')).rejects.toMatchObject({
      description: "Bad Request: can't use file of type Photo as Document",
    });
    await expect(api.sendPhoto(sara.id, new InputFile(Buffer.from('no image')))).rejects.toMatchObject({
      description: 'Bad Request: IMAGE_PROCESS_FAILED',
    });
  });

  it('sends an album with one group id, one message each, captions where they were put', async () => {
    const files = ['a', 'b', 'c'].map((name) => new InputFile(Buffer.from(name), `${name}.txt`));
    const sent = await api.sendMediaGroup(
      sara.id,
      files.map((file, index) =>
        InputMediaBuilder.document(file, index === 2 ? { caption: 'the last' } : {}),
      ),
    );
    expect(new Set(sent.map((message) => messageOf(message).media_group_id)).size).toBe(1);
    expect(sent.map((message) => message.caption)).toEqual([undefined, undefined, 'the last']);
    const contents = await Promise.all(
      sent.map((message) => bytesOf('document' in message ? (message.document?.file_id ?? '') : '')),
    );
    expect(contents.map(String)).toEqual(['a', 'b', 'c']);
  });

  it('replaces media by an upload inside the media object', async () => {
    const sent = await api.sendDocument(sara.id, new InputFile(Buffer.from('old'), 'a.txt'));
    const edited = await api.editMessageMedia(
      sara.id,
      sent.message_id,
      InputMediaBuilder.document(new InputFile(Buffer.from('new'), 'b.txt'), { caption: 'now' }),
    );
    expect(edited).toMatchObject({ caption: 'now', document: { file_name: 'b.txt' } });
  });

  it('refuses to give out a file of more than 20 MB', async () => {
    const sent = await api.sendDocument(sara.id, new InputFile(Buffer.alloc(20 * 1024 * 1024 + 1), 'big'));
    await expect(api.getFile(sent.document.file_id)).rejects.toMatchObject({
      description: 'Bad Request: file is too big',
    });
  });

  it('tells grammY the code, the description and the parameters of a refusal', async () => {
    pg.control.fault({ method: 'sendMessage', retry_after: 7 });
    const refusal = await api.sendMessage(sara.id, 'x').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(GrammyError);
    expect(refusal).toMatchObject({
      error_code: 429,
      description: 'Too Many Requests: retry after 7',
      parameters: { retry_after: 7 },
    });
  });

  it('reads GET, query strings and forms, and method names in any case', async () => {
    const root = `${pg.apiRoot}/bot${pg.token}`;
    const byQuery = await fetch(`${root}/SENDmessage?chat_id=${sara.id}&text=a%20b`);
    expect(await byQuery.json()).toMatchObject({ result: { text: 'a b' } });
    const form = new URLSearchParams({
      chat_id: String(sara.id),
      text: 'c',
      reply_markup: JSON.stringify({ inline_keyboard: [[{ text: 'x', callback_data: 'y' }]] }),
    });
    const byForm = await fetch(`${root}/sendMessage`, { method: 'POST', body: form });
    expect(await byForm.json()).toMatchObject({
      result: { text: 'c', reply_markup: { inline_keyboard: [[{ callback_data: 'y' }]] } },
    });
  });
});
