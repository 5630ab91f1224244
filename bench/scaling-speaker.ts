import type { Messages } from './scaling-messages.ts';
import { createLine } from './scaling-wheel.ts';

/** Of src/storage/alerts/notification-next.ts: more received messages than this in a minute are told as one. */
const PER_MINUTE = 10;
/** Of the same: more than so many that have waited for so long are told as one. */
const FEW = 3;
const WAITED_SECONDS = 300;
const MINUTE = 60;
const OTHER = -1;

/** What one bot says: at most so much in a second, in the order in which it was asked for. */
export interface Speaker {
  /** Something of an account is to be told. */
  notification(account: number): void;
  /** Answers, cards and their edits, which are not told together. */
  other(count: number): void;
  /** Says what a second allows, and returns how many messages that were. */
  speak(now: number): number;
}

export interface SpeakerOptions {
  readonly perSecond: number;
  readonly messages: Messages;
  /** Whether an account stands in line already, by its number; shared by all bots. */
  readonly isAsked: Uint8Array;
  /** Of each account: when its minute began, and how many were told in it. */
  readonly minutes: { readonly began: Float32Array; readonly told: Uint8Array };
  readonly told: (at: number, now: number) => void;
  /** Asks again for an account at that second. */
  readonly later: (account: number, second: number) => void;
}

export function createSpeaker(options: SpeakerOptions): Speaker {
  const { perSecond, messages, isAsked, minutes, later } = options;
  const line = createLine();

  /** Returns whether something was said. */
  function tell(account: number, now: number): boolean {
    const untold = messages.untold(account);
    if (untold === 0) return false;
    const each = (at: number): void => options.told(at, now);
    if (messages.olderThan(account, now - WAITED_SECONDS, FEW + 1) > FEW) {
      messages.tell(account, untold, each);
      return true;
    }
    const began = minutes.began[account] ?? 0;
    const isNew = now - began >= MINUTE;
    const lately = isNew ? 0 : (minutes.told[account] ?? 0);
    if (lately > PER_MINUTE) {
      later(account, began + MINUTE);
      return false;
    }
    if (isNew) minutes.began[account] = now;
    minutes.told[account] = lately + 1;
    // What comes on top of those of a minute is told as one.
    messages.tell(account, lately === PER_MINUTE ? untold : 1, each);
    if (messages.untold(account) > 0) notification(account);
    return true;
  }

  function notification(account: number): void {
    if (isAsked[account] === 1) return;
    isAsked[account] = 1;
    line.push(account);
  }

  return {
    notification,
    other(count) {
      for (let left = count; left > 0; left -= 1) line.push(OTHER);
    },
    speak(now) {
      let said = 0;
      while (said < perSecond && line.length > 0) {
        const account = line.shift();
        if (account === OTHER) said += 1;
        else {
          isAsked[account] = 0;
          if (tell(account, now)) said += 1;
        }
      }
      return said;
    },
  };
}
