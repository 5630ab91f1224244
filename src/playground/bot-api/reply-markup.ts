import { badRequest, refusals, type ApiError } from '../errors.ts';
import { checkedUrl } from '../text/entities-link.ts';
import { isRecord, type Params } from './params.ts';
import type { Button, ChatState, ReplyMarkup } from '../types.ts';

const MAX_DATA_BYTES = 64;
const MAX_BUTTONS = 100;
const STYLES = new Set(['danger', 'success', 'primary']);

/**
 * The `reply_markup` parameter as Telegram takes it: undefined when there is none or its keyboard is empty.
 * `inlineOnly` is for edits and channels, where other keyboards are refused.
 */
export function readReplyMarkup(params: Params, inlineOnly: boolean): ReplyMarkup | undefined {
  const value = params.json('reply_markup', 'reply keyboard markup');
  if (value === undefined) return undefined;
  if (!isRecord(value)) throw badRequest('object expected as reply markup');
  const inline = value['inline_keyboard'];
  if (Array.isArray(inline) && inline.length > 0) return inlineKeyboard(inline);
  const other = otherMarkup(value);
  if (other !== undefined && inlineOnly) throw badRequest('inline keyboard expected');
  return other;
}

/** Buttons of a kind that the chat cannot have. */
export function checkMarkupForChat(markup: ReplyMarkup | undefined, chat: ChatState): void {
  if (markup !== undefined && chat.type === 'channel' && !('inline_keyboard' in markup)) {
    throw badRequest('reply markup can be used only in private chats and groups');
  }
}

function inlineKeyboard(rows: readonly unknown[]): ReplyMarkup {
  const keyboard = rows.map((row) => {
    if (!Array.isArray(row)) {
      throw badRequest('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays');
    }
    return row.map(inlineButton);
  });
  const filled = keyboard.filter((row) => row.length > 0);
  if (filled.flat().length > MAX_BUTTONS) throw badRequest('reply markup is too long');
  return { inline_keyboard: filled };
}

function inlineButton(value: unknown): Button {
  if (!isRecord(value)) throw wrongButton('InlineKeyboardButton must be an Object');
  const text = value['text'];
  if (typeof text !== 'string') throw wrongButton('Can\'t find field "text"');
  const style = value['style'];
  if (style !== undefined && (typeof style !== 'string' || !STYLES.has(style)))
    throw wrongButton('invalid button style specified');
  const kind = buttonKind(value);
  if (text.trim() === '') throw badRequest('inline keyboard button text must be non-empty');
  return {
    text,
    ...(style === undefined ? {} : { style }),
    ...(value['icon_custom_emoji_id'] === undefined
      ? {}
      : { icon_custom_emoji_id: value['icon_custom_emoji_id'] }),
    ...kind,
  };
}

function buttonKind(value: Record<string, unknown>): Record<string, unknown> {
  const { url, callback_data: data, copy_text: copy } = value;
  if (typeof url === 'string' && url !== '') return { url: buttonUrl(url) };
  if (typeof data === 'string' && data !== '') {
    if (Buffer.byteLength(data) > MAX_DATA_BYTES) throw badRequest(refusals.dataInvalid);
    return { callback_data: data };
  }
  for (const name of ['switch_inline_query', 'switch_inline_query_current_chat']) {
    if (typeof value[name] === 'string') return { [name]: value[name] };
  }
  if (isRecord(copy)) {
    const copied = copy['text'];
    if (typeof copied !== 'string') throw wrongButton('Can\'t find field "text"');
    if (copied.length < 1 || copied.length > 256) throw badRequest('BUTTON_COPY_TEXT_INVALID');
    return { copy_text: { text: copied } };
  }
  if (isRecord(value['web_app'])) return { web_app: value['web_app'] };
  if (isRecord(value['login_url'])) return { login_url: value['login_url'] };
  if (isRecord(value['disabled'])) return { disabled: value['disabled'] };
  throw wrongButton('Text buttons are unallowed in the inline keyboard');
}

function buttonUrl(url: string): string {
  const checked = checkedUrl(url);
  if (checked !== undefined) return checked;
  throw badRequest(`inline keyboard button URL '${url}' is invalid: ${whyInvalid(url)}`);
}

function whyInvalid(url: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') return 'Unsupported URL protocol';
  return 'Wrong HTTP URL';
}

function otherMarkup(value: Record<string, unknown>): ReplyMarkup | undefined {
  const rows = value['keyboard'];
  if (rows !== undefined) {
    const wrong = badRequest('field "keyboard" must be an Array of Arrays');
    if (!Array.isArray(rows)) throw wrong;
    const buttons = rows.map((row: unknown) => {
      if (!Array.isArray(row)) throw wrong;
      return row.map(keyboardButton);
    });
    if (buttons.flat().length > 0) return { ...value, keyboard: buttons };
  }
  const selective = value['selective'] === true ? { selective: true } : {};
  if (value['remove_keyboard'] === true) return { remove_keyboard: true, ...selective };
  if (value['force_reply'] !== true) return undefined;
  const hint = value['input_field_placeholder'];
  return {
    force_reply: true,
    ...selective,
    ...(typeof hint === 'string' ? { input_field_placeholder: hint } : {}),
  };
}

function keyboardButton(value: unknown): Button {
  const button = typeof value === 'string' ? { text: value } : value;
  if (!isRecord(button) || typeof button['text'] !== 'string') {
    throw badRequest("can't parse keyboard button: KeyboardButton must be a String or an Object");
  }
  if (button['text'].trim() === '') throw badRequest('keyboard button text must be non-empty');
  return { ...button, text: button['text'] };
}

function wrongButton(reason: string): ApiError {
  return badRequest(`can't parse inline keyboard button: ${reason}`);
}
