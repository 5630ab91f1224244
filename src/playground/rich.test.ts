import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from './control/driver.ts';
import { startTelegram, type Telegram } from './library.ts';
import { callApi, messageOf, type Reply } from './test-api.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let now = 1_795_000_000_000;
let telegram: Telegram;
let sara: Person;
beforeAll(async () => {
  telegram = await startTelegram({ now: () => now });
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

  it('is read from HTML as the Bot API describes it', async () => {
    const file = { field: 'file', name: 'a.png', mime: 'image/png', bytes: PNG };
    const [own] = telegram.control.upload({ user_id: sara.id, chat_id: sara.id }, [file]);
    const photo = own?.photo?.at(-1)?.file_id;
    const html = `
      <h2>Order <i>12</i></h2>
      Total:&nbsp;<b>3 &lt; 4</b>, see <a href="#note">note</a> or <a href="https://a.com/x">page</a>,
      <a href="tg://user?id=${sara.id}">Sara</a> <tg-time unix="1647531900" format="wDT">soon</tg-time> #shop
      <pre><code class="language-python">  x = 1
  y = 2</code></pre>
      <ol start="3" type="a"><li>tea</li><li>coffee<ul><li><input type="checkbox" checked>black</li></ul></li></ol>
      <blockquote expandable>Long<br>story<cite>Nima</cite></blockquote>
      <table bordered><caption>Prices</caption><tr><th>Tea</th><td colspan="2" align="right">5</td></tr></table>
      <details open><summary>More</summary><p>inside</p><hr/></details>
      <figure><img src="tg://photo?id=cup" tg-spoiler/><figcaption>Cup<cite>Sara</cite></figcaption></figure>
      <tg-map lat="35.7" long="51.4" zoom="15"/><tg-math-block>E = mc^2</tg-math-block>
      <tg-button-row align="center"><tg-button type="callback_data" style="link" data="more">More</tg-button></tg-button-row>
      <p><tg-reference name="note">a note</tg-reference></p>`;
    const media = [{ id: 'cup', media: { type: 'photo', media: photo } }];
    const sent = await call('sendRichMessage', { rich_message: { html, media, is_rtl: true } });
    const user = { id: sara.id, first_name: 'Sara' };
    expect(sent.result).toMatchObject({
      rich_message: {
        is_rtl: true,
        blocks: [
          { type: 'heading', size: 2, text: ['Order ', { type: 'italic', text: '12' }] },
          {
            type: 'paragraph',
            text: [
              'Total:\u00A0',
              { type: 'bold', text: '3 < 4' },
              ', see ',
              { type: 'reference_link', reference_name: 'note' },
              ' or ',
              { type: 'url', text: 'page', url: 'https://a.com/x' },
              ', ',
              { type: 'text_mention', text: 'Sara', user },
              ' ',
              { type: 'date_time', unix_time: 1_647_531_900, date_time_format: 'wDT' },
              ' ',
              { type: 'hashtag', text: '#shop', hashtag: '#shop' },
            ],
          },
          { type: 'pre', text: '  x = 1\n  y = 2', language: 'python' },
          {
            type: 'list',
            items: [
              { label: 'c.', blocks: [{ type: 'paragraph', text: 'tea' }] },
              {
                label: 'd.',
                blocks: [
                  { text: 'coffee' },
                  { type: 'list', items: [{ has_checkbox: true, is_checked: true }] },
                ],
              },
            ],
          },
          { type: 'expandable_blockquote', text: 'Long\nstory', credit: 'Nima' },
          {
            type: 'table',
            is_bordered: true,
            caption: 'Prices',
            cells: [
              [
                { text: 'Tea', is_header: true, align: 'center' },
                { text: '5', colspan: 2, align: 'right', valign: 'top' },
              ],
            ],
          },
          {
            type: 'details',
            summary: 'More',
            is_open: true,
            blocks: [{ text: 'inside' }, { type: 'divider' }],
          },
          {
            type: 'photo',
            photo: [{ width: 1 }],
            has_spoiler: true,
            caption: { text: 'Cup', credit: 'Sara' },
          },
          { type: 'map', location: { latitude: 35.7, longitude: 51.4 }, zoom: 15 },
          { type: 'mathematical_expression', expression: 'E = mc^2' },
          {
            type: 'buttons',
            align: 'center',
            buttons: [{ text: 'More', style: 'link', callback_data: 'more' }],
          },
          { type: 'paragraph', text: { type: 'reference', name: 'note', text: 'a note' } },
        ],
      },
    });
    const shown = telegram.driver.messages(sara).at(-1);
    if (shown !== undefined) sara.press(shown, 'More');
    expect(telegram.control.updates().at(-1)?.json).toContain('"data":"more"');
  });

  it('is read from Markdown, of GitHub and of Telegram', async () => {
    const markdown = `# Report for _Q1_
#fast
Some **bold**, ==marked==, ||veiled||, $x^2$ and <u>html with **bold**</u>[^1]
on the same line, a@b.com

1. one
2. two
   - [x] done

> quoted
> > twice

| Metric | Value |
|:-------|------:|
| Speed  | **42** |

\`\`\`math
E = mc^2
\`\`\`

\`\`\`ts
a  < b
\`\`\`

$$y$$

---

[^1]: The note.

<details><summary>More **here**</summary>

- inside

</details>`;
    const blocks = [
      { type: 'heading', size: 1, text: ['Report for ', { type: 'italic', text: 'Q1' }] },
      { type: 'heading', size: 1, text: 'fast' },
      {
        type: 'paragraph',
        text: [
          'Some ',
          { type: 'bold', text: 'bold' },
          ', ',
          { type: 'marked', text: 'marked' },
          ', ',
          { type: 'spoiler', text: 'veiled' },
          ', ',
          { type: 'mathematical_expression', expression: 'x^2' },
          ' and ',
          { type: 'underline', text: ['html with ', { type: 'bold' }] },
          { type: 'reference_link', reference_name: '1' },
          ' on the same line, ',
          { type: 'email_address', email_address: 'a@b.com' },
        ],
      },
      {
        type: 'list',
        items: [
          { label: '1.', blocks: [{ text: 'one' }] },
          { label: '2.', blocks: [{ text: 'two' }, { type: 'list', items: [{ is_checked: true }] }] },
        ],
      },
      {
        type: 'blockquote',
        blocks: [{ text: 'quoted' }, { type: 'blockquote', blocks: [{ text: 'twice' }] }],
      },
      {
        type: 'table',
        cells: [
          [{ text: 'Metric', is_header: true, align: 'left' }, { align: 'right' }],
          [{ text: 'Speed' }, { text: { type: 'bold', text: '42' }, align: 'right' }],
        ],
      },
      { type: 'mathematical_expression', expression: 'E = mc^2' },
      { type: 'pre', text: 'a  < b', language: 'ts' },
      { type: 'mathematical_expression', expression: 'y' },
      { type: 'divider' },
      { type: 'paragraph', text: { type: 'reference', name: '1', text: 'The note.' } },
      { type: 'details', summary: ['More ', { type: 'bold', text: 'here' }], blocks: [{ type: 'list' }] },
    ];
    const sent = await call('sendRichMessage', { rich_message: { markdown } });
    expect(sent.result).toMatchObject({ rich_message: { blocks } });
    const plain = { markdown: 'a@b.com', skip_entity_detection: true };
    expect((await call('sendRichMessage', { rich_message: plain })).result).toMatchObject({
      rich_message: { blocks: [{ text: 'a@b.com' }] },
    });
  });

  it('is refused when it is none', async () => {
    const quotes = (count: number): object =>
      count === 0 ? { type: 'paragraph', text: 'x' } : { type: 'blockquote', blocks: [quotes(count - 1)] };
    const cells = [Array.from({ length: 21 }, () => ({ text: 'x' }))];
    const block = "can't parse InputRichBlock: ";
    for (const [params, refusal] of [
      [{}, 'rich message must be non-empty'],
      [rich(), 'rich message must be non-empty'],
      [{ rich_message: { html: '' } }, 'rich message must be non-empty'],
      [{ rich_message: { html: ' <b></b> ' } }, 'RICH_MESSAGE_EMPTY'],
      [rich({ type: 'thinking', text: 'x' }), 'block is not allowed'],
      [rich({ type: 'toString' }), `${block}type "toString" is unsupported`],
      [rich({ type: 'heading', text: 'x' }), `${block}Can't find field "size"`],
      [rich({ type: 'heading', text: 'x', size: 7 }), 'invalid section heading size specified'],
      [rich({ type: 'paragraph', text: { type: 'huge' } }), `${block}type "huge" is unsupported`],
      [rich({ type: 'paragraph', text: {} }), `${block}Can't find field "type"`],
      [rich({ type: 'paragraph', text: 'x'.repeat(32_769) }), 'RICH_MESSAGE_TEXT_TOO_LONG'],
      [{ rich_message: { markdown: 'x\n\n'.repeat(501) } }, 'RICH_MESSAGE_BLOCKS_TOO_MANY'],
      [{ rich_message: { markdown: `${'> '.repeat(17)}x` } }, 'RICH_MESSAGE_DEPTH_INVALID'],
      [rich(quotes(16)), 'RICH_MESSAGE_DEPTH_INVALID'],
      [rich({ type: 'table', cells }), 'RICH_MESSAGE_TABLE_COLS_TOO_MANY'],
      [
        rich({ type: 'photo', photo: { type: 'photo', media: '' } }),
        "can't parse InputMedia: media not found",
      ],
      [rich({ type: 'buttons', buttons: [{ text: 'x', callback_data: '' }] }), 'BUTTON_DATA_INVALID'],
      [rich({ type: 'buttons', buttons: [{ text: 'x' }] }), 'BUTTON_TYPE_INVALID'],
      [{ rich_message: { markdown: '[x](./file.ts)' } }, 'RICH_MESSAGE_URL_INVALID'],
      [{ rich_message: { html: '<tg-emoji emoji-id="1">word</tg-emoji>' } }, 'RICH_MESSAGE_EMOJI_INVALID'],
      [{ rich_message: { html: '<img src="tg://photo?id=x"/>' } }, 'RICH_MESSAGE_PHOTO_NO_MEDIA_FOUND'],
    ] as const) {
      const reply = await call('sendRichMessage', params);
      expect(reply, refusal).toMatchObject({ status: 400, description: `Bad Request: ${refusal}` });
    }
    expect((await call('sendRichMessage', rich(quotes(15)))).ok).toBe(true);
  });
});

describe('a message that is being written', () => {
  const draft = () => telegram.control.draft({ user: sara.id, chat: sara.id });

  it('is seen until it is sent, for half a minute, or until the person stops it', async () => {
    const write = { draft_id: 5, can_stop: true };
    const think = rich({ type: 'thinking', text: 'Reading' });
    expect(await call('sendRichMessageDraft', { ...write, ...think })).toMatchObject({ result: true });
    expect(draft()).toEqual({
      draft_id: 5,
      can_stop: true,
      rich_message: { blocks: [{ type: 'thinking', text: 'Reading' }] },
    });
    await call('sendRichMessageDraft', { ...write, rich_message: { markdown: '**Half' } });
    expect(draft()).toMatchObject({ rich_message: { blocks: [{ text: '**Half' }] } });
    await call('sendRichMessage', { rich_message: { markdown: '**All**' } });
    expect(draft()).toBeUndefined();

    await call('sendMessageDraft', { draft_id: 6, text: '' });
    expect(draft()).toMatchObject({ text: '', can_stop: false });
    expect(() => sara.stopDraft()).toThrow('nothing that can be stopped');
    now += 30_000;
    expect(draft()).toBeUndefined();

    await call('sendMessageDraft', { draft_id: 7, text: '*a', can_stop: true, keep_on_stop: true });
    sara.stopDraft();
    expect(telegram.control.updates().at(-1)).toMatchObject({ kind: 'stopped_message_generation' });
    expect(telegram.control.updates().at(-1)?.json).toContain('"draft_id":7');
    await call('sendMessageDraft', { draft_id: 7, text: '*a more' });
    expect(draft()).toMatchObject({ text: '*a', can_stop: false });
  });

  it('is refused outside of private chats, without an id, and as an empty one', async () => {
    const group = telegram.driver.group({ creator: sara });
    for (const [params, refusal] of [
      [{ chat_id: group, draft_id: 1 }, 'TEXTDRAFT_PEER_INVALID'],
      [{ draft_id: 0 }, 'RANDOM_ID_EMPTY'],
    ] as const) {
      const description = `Bad Request: ${refusal}`;
      expect(await call('sendMessageDraft', { text: 'x', ...params })).toMatchObject({ description });
      expect(await call('sendRichMessageDraft', { ...rich(paragraph), ...params })).toMatchObject({
        description,
      });
    }
    expect((await call('sendRichMessageDraft', { draft_id: 1 })).description).toContain('must be non-empty');
  });
});
