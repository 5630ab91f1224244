import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

/** As much of a message of Telegram's as is looked at here. */
const message = z.object({
  message_id: z.number(),
  from: z.object({ is_bot: z.boolean() }).optional(),
  text: z.string().default(''),
  caption: z.string().default(''),
  photo: z.array(z.object({ file_id: z.string() })).default([]),
  reply_markup: z
    .object({
      inline_keyboard: z.array(z.array(z.object({ text: z.string(), callback_data: z.string().optional() }))),
    })
    .optional(),
});

const answers = {
  user: z.object({ user: z.object({ id: z.number() }) }),
  state: z.object({ bots: z.array(z.object({ username: z.string() })).min(1) }),
  message: z.object({ message }),
  messages: z.object({ messages: z.array(message) }),
};

type Said = z.output<typeof message>;

const PATIENCE_MS = 60_000;
const CALL_MS = 10_000;
const PNG = '89504e470d0a1a0a';

/**
 * Uses a Peyk in try mode as a newcomer does, through the HTTP interface of its page: links the account of the
 * sandbox, sends a message, asks for the report. Resolves with the picture of it; rejects with what was there instead.
 */
export async function firstPicture(page: string): Promise<{ bytes: number; width: number; height: number }> {
  const control = new URL('/_control/', page);
  const call = async (path: string, body?: object): Promise<Response> => {
    const answer = await fetch(new URL(path, control), {
      signal: AbortSignal.timeout(CALL_MS),
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const json = async (path: string, body?: object): Promise<unknown> => await (await call(path, body)).json();

  const { user } = answers.user.parse(await json('user', { first_name: 'First', language_code: 'en' }));
  const { bots } = answers.state.parse(await json('state'));
  const me = { user_id: user.id, chat_id: user.id };
  const say = async (text: string): Promise<number> =>
    answers.message.parse(await json('message', { ...me, text })).message.message_id;
  const messages = async (): Promise<readonly Said[]> =>
    answers.messages.parse(await json(`messages?chat=${user.id}&user=${user.id}`)).messages;
  const hear = async (part: string, after: number): Promise<Said> => {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const there = await messages();
      const found = there.find(
        (each) =>
          each.message_id > after &&
          each.from?.is_bot === true &&
          `${each.text} ${each.caption}`.includes(part),
      );
      if (found !== undefined) return found;
      if (performance.now() > until) {
        const texts = there.map(({ text, caption }) => text + caption);
        throw new Error(`nothing said «${part}»; there was ${JSON.stringify(texts)}`);
      }
      await pause(100);
    }
  };
  const press = async (message: Said, label: string): Promise<void> => {
    const buttons = message.reply_markup?.inline_keyboard.flat() ?? [];
    const data = buttons.find(({ text }) => text.startsWith(label))?.callback_data;
    if (data === undefined) throw new Error(`no button «${label}» below «${message.text}»`);
    await call('tap', { ...me, message_id: message.message_id, data });
  };

  await call('start', { user_id: user.id, bot: bots[0]?.username });
  const asked = await say('/connect');
  await hear('Send the API key', asked);
  await say('sandbox-key-demo');
  await press(await hear('Key …', asked), '✅ Link');
  await hear('Which sender line', asked);
  await say('3000123456');
  await hear('Try: /send', asked);
  const ordered = await say('/send 09121234567 Hello from a fresh copy');
  await press(await hear('#A1', ordered), '✅');
  await hear('1 delivered', ordered);
  const report = await hear('#A1', await say('/report A1'));
  const photo = report.photo.at(-1);
  if (photo === undefined)
    throw new Error(`the report came without a picture: «${report.caption}${report.text}»`);
  const file = await call(`file?file_id=${encodeURIComponent(photo.file_id)}`);
  const png = Buffer.from(await file.arrayBuffer());
  if (png.toString('hex', 0, 8) !== PNG) throw new Error('the picture of the report is no PNG');
  return { bytes: png.length, width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}
