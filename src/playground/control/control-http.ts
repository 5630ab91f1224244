import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { SECURITY_HEADERS } from '../../pages/page-files.ts';
import type { Control } from './control.ts';
import type { Emulator } from '../emulator.ts';
import { ApiError, ControlError } from '../errors.ts';
import type { PlaygroundEvent } from '../events.ts';
import { BOT_API } from '../bot-api/methods/listed.ts';
import { listed } from '../bot-api/methods/table.ts';
import { readMultipart } from '../bot-api/multipart.ts';
import { shownChatId } from '../people/people.ts';
import { veiled } from './trace.ts';
import { readBody } from '../bot-api/transport.ts';
import { canSee } from '../people/views.ts';

const id = z.number().int();
const idText = z.coerce.number().int();
const status = z.enum(['creator', 'administrator', 'member', 'restricted', 'left', 'kicked']);
const spoken = {
  user_id: id,
  chat_id: id,
  thread_id: id.optional(),
  reply_to_message_id: id.optional(),
  as_anonymous: z.boolean().optional(),
  via_channel: z.boolean().optional(),
};

const touch = { user_id: id, chat_id: id, message_id: id };

const bodies = {
  message: z.object({ ...spoken, text: z.string() }),
  upload: z.object({
    user_id: idText,
    chat_id: idText,
    thread_id: idText.optional(),
    reply_to_message_id: idText.optional(),
    caption: z.string().optional(),
    as_document: z.stringbool().optional(),
  }),
  edit: z.object({ ...touch, text: z.string() }),
  react: z.object({ ...touch, emoji: z.string().min(1).optional() }),
  contact: z.object({
    ...spoken,
    phone_number: z.string().optional(),
    first_name: z.string().optional(),
    last_name: z.string().optional(),
    contact_user_id: id.optional(),
    vcard: z.string().optional(),
  }),
  location: z.object({
    ...spoken,
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
  }),
  forward: z.object({ ...spoken, from_chat_id: id, message_id: id }),
  vote: z.object({ ...touch, option_ids: z.array(id) }),
  press: z.object({ ...touch, label: z.string().min(1), thread_id: id.optional() }),
  tap: z.object({
    ...touch,
    data: z.string(),
    forge: z.boolean().optional(),
  }),
  start: z.object({
    user_id: id,
    bot: z.string(),
    payload: z.string().optional(),
    chat_id: id.optional(),
  }),
  user: z.object({
    id: id.optional(),
    first_name: z.string().min(1),
    last_name: z.string().optional(),
    username: z.string().optional(),
    language_code: z.string().optional(),
  }),
  deactivate: z.object({ user_id: id }),
  chat: z.object({
    type: z.enum(['group', 'supergroup', 'forum', 'channel']),
    title: z.string().min(1),
    creator_id: id,
    members: z.array(id).optional(),
    bot: status.optional(),
    username: z.string().optional(),
  }),
  member: z.object({
    chat_id: id,
    user_id: id,
    status,
    custom: z.union([z.string(), z.record(z.string(), z.union([z.string(), z.boolean()]))]).optional(),
    actor_id: id.optional(),
  }),
  block: z.object({ user_id: id, bot: z.string().optional(), blocked: z.boolean() }),
  privacy: z.object({ bot: z.string().optional(), enabled: z.boolean() }),
  'inline-mode': z.object({
    bot: z.string().optional(),
    enabled: z.boolean(),
    feedback: z.boolean().optional(),
  }),
  inline: z.object({
    user_id: id,
    chat_id: id,
    bot: z.string().optional(),
    query: z.string(),
    offset: z.string().optional(),
  }),
  choose: z.object({
    user_id: id,
    inline_query_id: z.string(),
    result_id: z.string(),
    thread_id: id.optional(),
    reply_to_message_id: id.optional(),
    as_anonymous: z.boolean().optional(),
  }),
  'stop-draft': z.object({ user_id: id, chat_id: id }),
  migrate: z.object({ chat_id: id, member_updates: z.boolean().optional() }),
  topic: z.object({ chat_id: id, name: z.string().min(1) }),
  delete: z.object({ user_id: id.optional(), chat_id: id, message_id: id }),
  'resend-update': z.object({ update_id: id }),
  faults: z.object({
    method: z.string().min(1),
    match: z.record(z.string(), z.unknown()).optional(),
    code: id.min(400).max(599).optional(),
    description: z.string().optional(),
    retry_after: id.min(1).optional(),
    times: id.min(0).optional(),
    delay_ms: id.min(0).optional(),
    drop: z.enum(['before', 'after']).optional(),
    html502: z.boolean().optional(),
  }),
};

const queries = {
  state: z.object({ user: idText.optional() }),
  messages: z.object({
    chat: idText,
    user: idText.optional(),
    thread: idText.optional(),
    after: idText.optional(),
    wait: z.coerce.number().min(0).max(60).optional(),
  }),
  'inline-answer': z.object({ id: z.string(), wait: z.coerce.number().min(0).max(60).optional() }),
  updates: z.object({ bot: z.string().optional() }),
  calls: z.object({ method: z.string().optional(), after: idText.optional() }),
  trace: z.object({ chat: idText, message: idText, user: idText.optional() }),
  draft: z.object({ chat: idText, user: idText }),
  commands: z.object({ bot: z.string().optional(), chat: idText, user: idText }),
  file: z.object({ file_id: z.string() }),
};

type Route = (input: unknown) => unknown;

/**
 * The control API over HTTP. `handle` answers everything below `/_control/`, of which `routes` are the names, to whoever was let in;
 * `close` ends the event streams.
 */
export function createControlServer(
  em: Emulator,
  control: Control,
): {
  readonly routes: readonly string[];
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  close: () => void;
} {
  const streams = new Set<ServerResponse>();
  const posts = postRoutes(control);
  const gets = getRoutes(em, control);

  const answer = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const name = url.pathname.slice('/_control/'.length);
    const query = Object.fromEntries(url.searchParams);
    if (request.method === 'GET' && name === 'events') return stream(request, response, query['user']);
    if (request.method === 'GET' && name === 'messages') {
      const { wait, ...wanted } = queries.messages.parse(query);
      const look = (): unknown[] => control.messages(wanted);
      const messages = await waited(em, look, (found) => found.length > 0, wait, request);
      return reply(response, 200, { messages });
    }
    if (request.method === 'GET' && name === 'inline-answer') {
      const { wait, id: queryId } = queries['inline-answer'].parse(query);
      const look = (): unknown => control.inlineAnswer(queryId);
      const found = await waited(em, look, (known) => known !== undefined, wait, request);
      return reply(response, 200, { answer: found });
    }
    if (request.method === 'GET' && name === 'file') return sendFile(control, response, query);
    if (request.method === 'GET' && gets[name] !== undefined) {
      return reply(response, 200, gets[name](query));
    }
    if (request.method === 'DELETE' && name === 'faults') {
      control.clearFaults();
      return reply(response, 200, {});
    }
    if (request.method !== 'POST') return reply(response, 404, { error: 'no such control' });
    if (!hasRightType(request, name === 'upload')) {
      return reply(response, 415, { error: 'wrong content type' });
    }
    const body = await readBody(request);
    if (name === 'upload') {
      const form = await readMultipart(request.headers['content-type'] ?? '', body);
      const fields = bodies.upload.parse(Object.fromEntries(form.values));
      return reply(response, 200, { messages: control.upload(fields, form.files) });
    }
    const route = posts[name];
    if (route === undefined) return reply(response, 404, { error: 'no such control' });
    return reply(response, 200, route(body.length === 0 ? {} : JSON.parse(body.toString('utf8'))) ?? {});
  };

  const stream = (request: IncomingMessage, response: ServerResponse, user: string | undefined): void => {
    const userId = user === undefined ? undefined : Number(user);
    response.writeHead(200, { ...SECURITY_HEADERS, 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(': ready\n\n');
    streams.add(response);
    const stop = em.bus.listen((event) => {
      const shown = eventFor(em, event, userId);
      if (shown !== undefined) response.write(`data: ${JSON.stringify(shown)}\n\n`);
    });
    const beat = setInterval(() => response.write(': beat\n\n'), 20_000);
    request.on('close', () => {
      stop();
      clearInterval(beat);
      streams.delete(response);
    });
  };

  return {
    routes: [
      'events',
      'file',
      'inline-answer',
      'messages',
      'upload',
      ...Object.keys(gets),
      ...Object.keys(posts),
    ],
    async handle(request, response) {
      try {
        await answer(request, response, new URL(request.url ?? '/', 'http://127.0.0.1'));
      } catch (error) {
        const mistake = mistakeOf(error);
        if (mistake === undefined) throw error;
        reply(response, 400, { error: mistake });
      }
      return undefined;
    },
    close() {
      for (const response of streams) response.end();
    },
  };
}

function postRoutes(control: Control): Readonly<Record<string, Route | undefined>> {
  return {
    message: (input) => ({ message: control.message(bodies.message.parse(input)) }),
    edit: (input) => ({ message: control.edit(bodies.edit.parse(input)) }),
    react: (input) => ({ message: control.react(bodies.react.parse(input)) }),
    contact: (input) => ({ message: control.contact(bodies.contact.parse(input)) }),
    location: (input) => ({ message: control.location(bodies.location.parse(input)) }),
    forward: (input) => ({ message: control.forward(bodies.forward.parse(input)) }),
    vote: (input) => ({ message: control.vote(bodies.vote.parse(input)) }),
    press: (input) => control.press(bodies.press.parse(input)),
    tap: (input) => control.tap(bodies.tap.parse(input)),
    start: (input) => control.start(bodies.start.parse(input)),
    user: (input) => ({ user: control.user(bodies.user.parse(input)) }),
    deactivate: (input) => control.deactivate(bodies.deactivate.parse(input).user_id),
    chat: (input) => ({ chat_id: control.chat(bodies.chat.parse(input)).id }),
    member: (input) => {
      const { userId, status: now } = control.member(bodies.member.parse(input));
      return { user_id: userId, status: now };
    },
    block: (input) => control.block(bodies.block.parse(input)),
    privacy: (input) => control.privacy(bodies.privacy.parse(input)),
    'inline-mode': (input) => control.setInline(bodies['inline-mode'].parse(input)),
    inline: (input) => control.askInline(bodies.inline.parse(input)),
    choose: (input) => ({ message: control.choose(bodies.choose.parse(input)) }),
    'stop-draft': (input) => control.stopDraft(bodies['stop-draft'].parse(input)),
    migrate: (input) => ({ chat_id: control.migrate(bodies.migrate.parse(input)).id }),
    topic: (input) => {
      const { id: threadId, name } = control.topic(bodies.topic.parse(input));
      return { message_thread_id: threadId, name };
    },
    delete: (input) => control.remove(bodies.delete.parse(input)),
    'resend-update': (input) => control.resendUpdate(bodies['resend-update'].parse(input).update_id),
    faults: (input) => control.fault(bodies.faults.parse(input)),
    reset: () => control.reset(),
  };
}

function getRoutes(em: Emulator, control: Control): Readonly<Record<string, Route | undefined>> {
  return {
    methods: () => ({ bot_api: BOT_API, methods: listed }),
    state: (query) => control.state(queries.state.parse(query).user),
    updates: (query) => ({
      updates: control.updates(queries.updates.parse(query).bot).map(({ json }): unknown => JSON.parse(json)),
    }),
    calls: (query) => veiled(em, { calls: control.calls(queries.calls.parse(query)) }),
    trace: (query) => veiled(em, control.trace(queries.trace.parse(query))),
    draft: (query) => ({ draft: control.draft(queries.draft.parse(query)) }),
    commands: (query) => ({ commands: control.commands(queries.commands.parse(query)) }),
  };
}

/** What `look` finds; with `wait`, in seconds, what it finds once there is `enough` or the time is over. */
async function waited<T>(
  em: Emulator,
  look: () => T,
  enough: (found: T) => boolean,
  wait = 0,
  request: IncomingMessage,
): Promise<T> {
  const now = look();
  if (wait === 0 || enough(now)) return now;
  return new Promise((resolve) => {
    const finish = (): void => {
      unlisten();
      clearTimeout(timer);
      resolve(look());
    };
    const unlisten = em.bus.listen(({ type }) => {
      if ((type === 'message' || type === 'inline_answer') && enough(look())) finish();
    });
    const timer = setTimeout(finish, wait * 1000);
    request.on('close', finish);
  });
}

function sendFile(control: Control, response: ServerResponse, query: unknown): void {
  const file = control.file(queries.file.parse(query).file_id);
  if (file === undefined) return reply(response, 404, { error: 'no such file' });
  const name = encodeURIComponent(file.name);
  // Only pictures are shown in place: anything else that came from a stranger is a download.
  const isPicture = /^image\/(?:png|jpeg|gif|webp)$/.test(file.mime);
  response.writeHead(200, {
    ...SECURITY_HEADERS,
    'content-type': isPicture ? file.mime : 'application/octet-stream',
    'content-disposition': `${isPicture ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
    'content-length': file.bytes.length,
  });
  response.end(file.bytes);
  return undefined;
}

/** The event as this person sees it, or undefined when it is none of theirs. */
function eventFor(em: Emulator, event: PlaygroundEvent, userId: number | undefined): object | undefined {
  if (event.userId !== undefined && userId !== undefined && event.userId !== userId) return undefined;
  const chat = event.chatKey === undefined ? undefined : em.world.chats.get(event.chatKey);
  // A changed chat concerns those too who just left it.
  const isPublic = event.type === 'chat' && chat?.type !== 'private';
  if (chat !== undefined && userId !== undefined && !isPublic && !canSee(chat, userId)) return undefined;
  const chatId = chat === undefined ? {} : { chat_id: shownChatId(em, chat) };
  return { type: event.type, ...chatId, ...(event.type === 'call' ? veiled(em, event.data) : event.data) };
}

/** JSON for every POST; the upload takes a form, which the guard ties to the same origin. */
function hasRightType(request: IncomingMessage, isUpload: boolean): boolean {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return type === (isUpload ? 'multipart/form-data' : 'application/json');
}

function mistakeOf(error: unknown): string | undefined {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  if (error instanceof SyntaxError) return 'the body is not JSON';
  return error instanceof ControlError || error instanceof ApiError ? error.message : undefined;
}

function reply(response: ServerResponse, code: number, value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(code, { ...SECURITY_HEADERS, 'content-type': 'application/json' });
  response.end(body);
}
