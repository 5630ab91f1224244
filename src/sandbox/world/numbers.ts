import { refuse } from './refusal.ts';
import type { Refusal } from './refusal.ts';

const COUNTRY = '+98';

/**
 * The ten significant digits (9…) of a recipient written 09…, 9…, 98…, +98… or 0098…;
 * undefined for anything else. Digits of other scripts are refused: folding them is the client's work.
 */
export function readRecipient(text: string): string | undefined {
  return /^(?:\+98|0098|98|0)?(9\d{9})$/.exec(text.trim())?.[1];
}

/** A recipient as results show it, with a leading plus and country prefix. */
export function showRecipient(digits: string): string {
  return COUNTRY + digits;
}

/** Finds which of an account's lines is meant; a line may be written with or without the country prefix. */
export function findLine(lines: readonly string[], text: string): string | undefined {
  const written = text.trim().replace(/^\+/, '');
  const candidates = [written, written.replace(/^(?:00)?98/, '')];
  return lines.find((line) => candidates.includes(line));
}

/** A sender line as results show it. */
export function showLine(line: string): string {
  return COUNTRY + line;
}

/** A mobile number as it is dialled within the country. */
export function showLocal(digits: string): string {
  return `0${digits}`;
}

/** Whoever sent a received message: a mobile number with the prefix, a short number as it is. */
export function showSender(from: string): string {
  return /^9\d{9}$/.test(from) ? showRecipient(from) : from;
}

/** The refusal of a list that has a number in it which is none, and which that is. */
export function refuseRecipients(written: readonly string[]): Refusal {
  const at = written.findIndex((one) => readRecipient(one) === undefined);
  const place = written.length === 1 ? '' : ` (number ${at + 1} of ${written.length})`;
  return refuse('invalid_recipient', {
    why: `\`${written[at] ?? ''}\`${place} is no mobile number: 09… or +989… with nine digits after the 9`,
  });
}

/** Why a line is refused: it is none of the account's. */
export function notOneOf(lines: readonly string[], written: string): string {
  return `\`${written}\` is none of the account's lines: ${lines.join(', ') || 'it has none'}`;
}
