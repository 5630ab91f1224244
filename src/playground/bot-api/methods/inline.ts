import { ApiError, badRequest, refusals } from '../../errors.ts';
import type { FileKind } from '../../files.ts';
import { answered } from '../../people/inline.ts';
import { isRecord, type Params } from '../params.ts';
import { readReplyMarkup } from '../reply-markup.ts';
import { paramsFromObject } from '../transport.ts';
import type { InlineAnswer, InlineResult } from '../../types.ts';
import { QUERY_TTL_MS } from './callbacks.ts';
import { fileContent, textContent } from './content.ts';
import type { Call, Method } from './method.ts';
import { contactContent, readLive, readLocation, venueContent } from './places.ts';
import { readRich } from './rich.ts';

const MAX_RESULTS = 50;
const MAX_ID_BYTES = 64;
const MAX_CACHE_SECONDS = 86_400;

export const inlineMethods: Readonly<Record<string, Method>> = { answerInlineQuery };

type Message = InlineResult['message'];

interface Kind {
  /** Fields that it must have whatever it is made of. */
  needs?: readonly string[];
  /** Fields that it must have when its file is named by an address. */
  needsByUrl?: readonly string[];
  /** Of a file: its kind in a message, and how its fields begin. */
  file?: { kind: FileKind; field: string };
  /** What it becomes where it says nothing of the message. */
  own?: (call: Call) => Message['content'];
}

const file = (kind: FileKind, field: string, more: Kind = {}): Kind => ({ ...more, file: { kind, field } });

const KINDS: Readonly<Record<string, Kind>> = {
  article: { needs: ['title'] },
  audio: file('audio', 'audio', { needsByUrl: ['title'] }),
  contact: {
    needs: ['phone_number', 'first_name'],
    own: ({ params }) => contactContent(params),
  },
  document: file('document', 'document', { needs: ['title'], needsByUrl: ['mime_type'] }),
  gif: file('animation', 'gif'),
  location: {
    needs: ['latitude', 'longitude', 'title'],
    own: ({ params }) => ({ location: { ...readLocation(params), ...readLive(params) } }),
  },
  mpeg4_gif: file('animation', 'mpeg4'),
  photo: file('photo', 'photo'),
  sticker: file('sticker', 'sticker'),
  venue: {
    needs: ['latitude', 'longitude', 'title', 'address'],
    own: ({ params }) => venueContent(params),
  },
  video: file('video', 'video', { needs: ['title'], needsByUrl: ['mime_type'] }),
  voice: file('voice', 'voice', { needs: ['title'] }),
};

function answerInlineQuery(call: Call): true {
  const { em, bot, params } = call;
  const button = readButton(params);
  const results = readResults(call);
  checkButton(button);
  const query = em.world.inlineQueries.get(params.str('inline_query_id'));
  const isOpen = query?.botId === bot.id && query.answer === undefined && em.now() - query.at < QUERY_TTL_MS;
  if (!isOpen) throw badRequest(refusals.queryTooOld);
  const nextOffset = params.str('next_offset');
  if (Buffer.byteLength(nextOffset) > MAX_ID_BYTES) throw badRequest('NEXT_OFFSET_INVALID');
  const ids = results.map(({ id }) => id);
  if (ids.some((id) => id === '' || Buffer.byteLength(id) > MAX_ID_BYTES))
    throw badRequest('RESULT_ID_INVALID');
  if (new Set(ids).size < ids.length) throw badRequest('RESULT_ID_DUPLICATE');
  answered(em, query, {
    results,
    button,
    nextOffset,
    isPersonal: params.bool('is_personal'),
    freshUntil: em.now() + params.int('cache_time', 300, 0, MAX_CACHE_SECONDS) * 1000,
  });
  return true;
}

function readResults(call: Call): InlineResult[] {
  const list = call.params.json('results', 'JSON encoded inline query results');
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw badRequest('Expected an Array of inline query results');
  if (list.length > MAX_RESULTS) throw badRequest('Too many inline query results specified');
  return list.map((value: unknown) => readResult(call, value));
}

function readResult(call: Call, value: unknown): InlineResult {
  if (!isRecord(value)) throw wrong('Inline query result must be an object');
  const type = needed(value, 'type').toLowerCase();
  const id = needed(value, 'id');
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (kind === undefined) throw wrong(`type "${type}" is unsupported for the inline query result`);
  const within = { ...call, params: paramsFromObject(value) };
  const said = given(within, value, type === 'article');
  const names = [...(kind.needs ?? []), ...(isByUrl(value, kind) ? (kind.needsByUrl ?? []) : [])];
  for (const name of names) needed(value, name);
  const own = kind.file === undefined ? kind.own?.(within) : undefined;
  const markup = nested(() => readReplyMarkup(within.params, true));
  const isShown = kind.file?.kind === 'photo' && typeof value['photo_file_id'] === 'string';
  const words = wordsOf(within.params);
  return {
    id,
    type,
    ...words,
    ...(isShown && { file_id: String(value['photo_file_id']) }),
    message: { content: own ?? {}, ...(said ?? (kind.file && cached(within, kind.file))), markup },
  };
}

/** What the message is to be, where the result says so; an article has to. */
function given(
  call: Call,
  value: Record<string, unknown>,
  isNeeded: boolean,
): Omit<Message, 'markup'> | undefined {
  const content = value['input_message_content'];
  if (content === undefined || content === null) {
    if (isNeeded) throw wrong('Can\'t find field "message_text"');
    return undefined;
  }
  if (!isRecord(content)) throw wrong('Field "input_message_content" must be of type Object');
  const params = paramsFromObject({ ...content, text: content['message_text'] });
  const within = { ...call, params };
  if (params.str('text') !== '') return nested(() => textContent(within));
  if (params.has('rich_message')) {
    const rich = readRich(within)?.rich;
    if (rich !== undefined) return { content: { rich_message: rich } };
  }
  if (params.has('latitude') && params.has('longitude')) {
    const isVenue = params.has('title') && params.has('address');
    if (isVenue) return { content: venueContent(params) };
    return { content: { location: { ...readLocation(params), ...readLive(params) } } };
  }
  if (params.has('phone_number')) {
    needed(content, 'first_name');
    return { content: contactContent(params) };
  }
  if (params.has('payload')) throw badRequest('the emulator has no payments');
  if (isNeeded) throw wrong('Input message content is not specified');
  return undefined;
}

/** A file that Telegram has. Nothing is fetched from other servers here. */
function cached(call: Call, { kind, field }: NonNullable<Kind['file']>): Omit<Message, 'markup'> {
  const { params } = call;
  if (params.str(`${field}_url`) !== '') throw badRequest('WEBDOCUMENT_URL_INVALID');
  const within = paramsFromObject({
    [kind]: params.str(`${field}_file_id`),
    caption: params.str('caption'),
    parse_mode: params.str('parse_mode'),
    caption_entities: params.json('caption_entities', 'entities'),
    show_caption_above_media: params.bool('show_caption_above_media'),
  });
  return { content: nested(() => fileContent({ ...call, params: within }, kind)) };
}

function isByUrl(value: Record<string, unknown>, { file: made }: Kind): boolean {
  if (made === undefined) return false;
  const url = value[`${made.field}_url`];
  if (typeof url === 'string' && url !== '') return true;
  needed(value, `${made.field}_file_id`);
  return false;
}

/** The two lines that a result is offered with. */
function wordsOf(params: Params): { title: string; description: string } {
  const name = [params.str('first_name'), params.str('last_name')].filter(Boolean).join(' ');
  const about = ['description', 'address', 'phone_number', 'performer', 'caption'].map(params.str);
  return { title: params.str('title') || name, description: about.find(Boolean) ?? '' };
}

function readButton(params: Params): InlineAnswer['button'] {
  const value = params.json('button', 'inline query results button');
  if (value === undefined) {
    const text = params.str('switch_pm_text');
    return text === '' ? undefined : { text, start_parameter: params.str('switch_pm_parameter') };
  }
  if (!isRecord(value)) throw wrongButton('InlineQueryResultsButton must be an Object');
  const text = needed(value, 'text', wrongButton);
  if (value['start_parameter'] !== undefined) {
    return { text, start_parameter: needed(value, 'start_parameter', wrongButton) };
  }
  const app = value['web_app'];
  if (!isRecord(app)) throw wrongButton('InlineQueryResultsButton must have exactly one optional field');
  return { text, web_app: { url: needed(app, 'url', wrongButton) } };
}

function checkButton(button: InlineAnswer['button']): void {
  const parameter = button?.start_parameter;
  if (parameter === undefined) return;
  if (parameter === '') throw badRequest("Can't use empty start_parameter");
  if (Buffer.byteLength(parameter) > MAX_ID_BYTES) throw badRequest('Too long start_parameter specified');
  if (!/^[\w-]+$/.test(parameter)) throw badRequest('Unallowed characters in start_parameter are used');
}

/** A field that is a text; a number is taken for one, as Telegram does. */
function needed(
  object: Record<string, unknown>,
  name: string,
  refuse: (why: string) => ApiError = wrong,
): string {
  const value = object[name];
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw refuse(value === undefined ? `Can't find field "${name}"` : `Field "${name}" must be of type String`);
}

/** What the Bot API server itself refuses within a result, it refuses of the result. */
const OF_THE_RESULT =
  /^Bad Request: (can't parse|unsupported parse_mode|message text is empty|text is too long|object expected)/;
/** What Telegram says of a result that is too long. */
const TOO_LONG: Readonly<Record<string, string>> = {
  'Bad Request: message is too long': 'MESSAGE_TOO_LONG',
  'Bad Request: message caption is too long': 'MEDIA_CAPTION_TOO_LONG',
};

function nested<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const code = TOO_LONG[error.message];
    if (code !== undefined) throw badRequest(code);
    if (!OF_THE_RESULT.test(error.message)) throw error;
    const reason = error.message.slice('Bad Request: '.length);
    throw wrong(reason.charAt(0).toUpperCase() + reason.slice(1));
  }
}

function wrong(reason: string): ApiError {
  return badRequest(`can't parse inline query result: ${reason}`);
}

function wrongButton(reason: string): ApiError {
  return badRequest(`can't parse inline query results button: ${reason}`);
}
