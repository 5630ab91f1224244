import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from './driver.ts';
import { startTelegram, type Telegram } from './library.ts';
import { callApi, messageOf, type Reply } from './test-api.ts';

let telegram: Telegram;
let sara: Person;
beforeAll(async () => {
  telegram = await startTelegram();
  sara = telegram.driver.user({ first_name: 'Sara' });
  sara.start();
});
afterAll(() => telegram.close());

const call = (method: string, params: object): Promise<Reply> =>
  callApi(telegram, method, { chat_id: sara.id, ...params });
const rich = (...blocks: object[]): object => ({ rich_message: { blocks } });
const paragraph = { type: 'paragraph', text: ['All ', { type: 'bold', text: 'good' }] };

describe('a rich message', () => {
  it('is sent, pressed, edited and forwarded with its blocks', async () => {
    const buttons = {
      type: 'buttons',
      buttons: [{ text: { type: 'bold', text: 'Go' }, callback_data: 'go' }],
    };
    const items = [{ blocks: [paragraph], value: 4, type: 'I' }, { blocks: [paragraph] }];
    const sent = await call('sendRichMessage', rich(paragraph, { type: 'list', items }, buttons));
    expect(sent.result).toMatchObject({
      rich_message: { blocks: [paragraph, { items: [{ label: 'IV.' }, { label: '•' }] }, buttons] },
    });
    const id = messageOf(sent.result).message_id;
    const shown = await telegram.driver.waitForMessage(sara, ({ message_id: one }) => one === id);
    expect(sara.press(shown, 'Go')).toMatchObject({ callback_query_id: expect.any(String) as string });
    expect(telegram.control.updates().at(-1)?.json).toContain('"data":"go"');

    const forward = { from_chat_id: sara.id, message_id: id };
    expect((await call('forwardMessage', forward)).result).toMatchObject({
      rich_message: { blocks: [paragraph, {}, buttons] },
    });
    const edited = await call('editMessageText', { message_id: id, ...rich({ type: 'divider' }) });
    expect(edited.result).toMatchObject({ rich_message: { blocks: [{ type: 'divider' }] } });
    expect((await call('editMessageText', { message_id: id, text: 'plain' })).result).toMatchObject({
      text: 'plain',
    });
    expect(sara.press.bind(sara, shown, 'Go')).toThrow('no button begins with Go');
  });

  it('is refused when it is none', async () => {
    for (const [params, refusal] of [
      [{}, 'rich message must be non-empty'],
      [rich(), 'rich message must be non-empty'],
      [rich({ type: 'thinking', text: 'x' }), 'block is not allowed'],
      [rich({ type: 'toString' }), 'block is not allowed'],
      [rich({ type: 'heading', text: 'x', size: 7 }), "can't parse RichMessage"],
      [rich({ type: 'paragraph', text: { type: 'huge' } }), "can't parse RichMessage"],
      [rich({ type: 'paragraph', text: 'x'.repeat(32_769) }), 'rich message is too long'],
      [rich({ type: 'photo', photo: { type: 'photo', media: '' } }), 'media not found'],
      [rich({ type: 'buttons', buttons: [{ text: 'x', callback_data: '' }] }), 'BUTTON_DATA_INVALID'],
      [{ rich_message: { html: '<p>x</p>' } }, 'the emulator reads rich messages as blocks only'],
    ] as const) {
      const reply = await call('sendRichMessage', params);
      expect(reply.status, refusal).toBe(400);
      expect(reply.description).toContain(refusal);
    }
  });
});
