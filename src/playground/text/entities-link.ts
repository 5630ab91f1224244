import type { MessageEntity } from '@grammyjs/types';

/** A link of the markup: a person for `tg://user?id=…`, a text link for a good URL, otherwise nothing at all. */
export function linkEntity(
  url: string,
  range: { offset: number; length: number },
): MessageEntity | undefined {
  const userId = /^tg:(?:\/\/)?user\?(?:.*&)?id=(\d+)/i.exec(url)?.[1];
  if (userId !== undefined) {
    const user = { id: Number(userId), is_bot: false, first_name: '' };
    return { type: 'text_mention', ...range, user };
  }
  const checked = checkedUrl(url);
  return checked === undefined ? undefined : { type: 'text_link', ...range, url: checked };
}

type TimeFormat = MessageEntity.DateTimeMessageEntity['date_time_format'];

/** A format of a shown time: `r`, or `w`, `d`/`D` and `t`/`T` in that order. */
export function isTimeFormat(format: string): format is TimeFormat {
  return /^(?:r|w?[dD]?[tT]?)$/.test(format);
}

/** The URL in the form Telegram gives back, or undefined when Telegram would not take it as one. */
export function checkedUrl(url: string): string | undefined {
  if (/^(?:tg|ton|tonsite):/i.test(url)) {
    return /^(?:tg|ton|tonsite):(?:\/\/)?[A-Za-z0-9_.-]+([/?].*)?$/i.test(url) ? url : undefined;
  }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') return undefined;
  if (/\s/.test(url)) return undefined;
  try {
    const parsed = new URL(scheme === undefined ? `http://${url}` : url);
    const isAddress = parsed.hostname.startsWith('[');
    return parsed.hostname.includes('.') || isAddress ? parsed.href : undefined;
  } catch {
    return undefined;
  }
}
