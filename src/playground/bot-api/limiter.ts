import { tooManyRequests } from '../errors.ts';

/**
 * Telegram's published figures: one message a second in a chat, 20 a minute in a group, 30 a second in all.
 * Edits in a group count against a minute window of their own.
 */
export interface Limiter {
  /** Counts a message to this chat, or throws 429 with the seconds to wait. */
  message: (chatKey: string, isGroup: boolean) => void;
  edit: (chatKey: string, isGroup: boolean) => void;
  clear: () => void;
}

/** `now` is in ms; a refused call is not counted. */
export function createLimiter(now: () => number): Limiter {
  const windows = new Map<string, number[]>();
  const room = (key: string, limit: number, spanMs: number): (() => void) => {
    const at = now();
    const recent = (windows.get(key) ?? []).filter((time) => time > at - spanMs);
    windows.set(key, recent);
    const oldest = recent[recent.length - limit];
    if (oldest !== undefined) throw tooManyRequests(Math.max(1, Math.ceil((oldest + spanMs - at) / 1000)));
    return () => recent.push(at);
  };
  return {
    message(chatKey, isGroup) {
      const counted = [room('all', 30, 1000), room(`chat ${chatKey}`, 1, 1000)];
      if (isGroup) counted.push(room(`group ${chatKey}`, 20, 60_000));
      for (const count of counted) count();
    },
    edit(chatKey, isGroup) {
      if (isGroup) room(`edits ${chatKey}`, 20, 60_000)();
    },
    clear() {
      windows.clear();
    },
  };
}
