import { z } from 'zod';

import { Secret } from '../domain/secret.ts';
import { isTimeZone } from '../domain/time-zone.ts';

/*
 * Kinds of settings. Every one reads a trimmed, non-empty string, and every message is a fixed sentence:
 * the value may be a secret that was put under the wrong name.
 */

export interface MasterKey {
  kid: string;
  /** Base64 of 32 bytes. */
  key: Secret;
}

export function pattern(shape: RegExp, message: string) {
  return z.string().regex(shape, message);
}

export function oneOf<const T extends readonly [string, ...string[]]>(words: T) {
  return z.enum(words, `must be one of ${words.join(', ')}`);
}

/** Words between commas, each at most once, in the order given. */
export function listOf<const T extends readonly [string, ...string[]]>(words: T, message: string) {
  return z
    .string()
    .transform((text) => text.split(',').map((word) => word.trim()))
    .pipe(z.array(z.enum(words, message)).refine((list) => new Set(list).size === list.length, message));
}

export function flag() {
  return z
    .string()
    .toLowerCase()
    .pipe(z.enum(['1', 'true', 'yes', 'on', '0', 'false', 'no', 'off'], 'must be 1 or 0'))
    .transform((word) => ['1', 'true', 'yes', 'on'].includes(word));
}

export function wholeNumber(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform((text) => Number.parseInt(text, 10))
    .refine((number) => number >= least && number <= most, message);
}

/** A length of time: up to a day, fractions allowed, because tests set small ones. */
export function seconds(least: number) {
  const message = `must be a number of seconds from ${least} to 86400`;
  return z
    .string()
    .regex(/^\d{1,5}(?:\.\d{1,3})?$/, message)
    .transform((text) => Number.parseFloat(text))
    .refine((number) => number >= least && number <= 86_400, message);
}

/** How long something is kept; 0 for ever. Less than 30 would take what people and sweeps still work on. */
export function daysKept() {
  const message = 'must be a whole number of days from 30 to 36500, or 0 for ever';
  return z
    .string()
    .regex(/^\d{1,5}$/, message)
    .transform((text) => Number.parseInt(text, 10))
    .refine((days) => days === 0 || (days >= 30 && days <= 36_500), message);
}

/** What something is multiplied by; 0 does away with it. */
export function factor() {
  return z
    .string()
    .regex(/^\d{1,4}(?:\.\d{1,3})?$/, 'must be a number from 0 to 9999')
    .transform((text) => Number.parseFloat(text));
}

/** A part of all, 0 to 1. */
export function share() {
  return z
    .string()
    .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, 'must be a number from 0 to 1')
    .transform((text) => Number.parseFloat(text));
}

/** `name=value` with commas between, percent-encoded, as OpenTelemetry has them. */
export function headers() {
  return z.string().refine(
    (text) =>
      text.split(',').every((pair) => {
        const [name, value] = /^\s*([\w-]+)\s*=(.*)$/.exec(pair)?.slice(1) ?? [];
        return name !== undefined && value !== undefined && !/%(?![0-9A-Fa-f]{2})/.test(value);
      }),
    'must be name=value with commas between, percent-encoded',
  );
}

/** An address with one of the given schemes, kept as it was written but for a slash at the end. */
export function address(...schemes: [string, ...string[]]) {
  const message = `must be an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  return z
    .string()
    .refine((text) => {
      const url = URL.parse(text);
      return url !== null && schemes.includes(url.protocol.slice(0, -1)) && text.includes('://');
    }, message)
    .transform((text) => text.replace(/\/+$/, ''));
}

export function timeZone() {
  return z.string().refine(isTimeZone, 'must be a time zone such as Asia/Tehran');
}

/** Numeric ids of people, between commas. */
export function telegramIds() {
  const message = 'must be numeric Telegram ids with commas between';
  return z
    .string()
    .regex(/^\d{1,15}(?:\s*,\s*\d{1,15})*$/, message)
    .transform((text) => [...new Set(text.split(',').map((id) => Number.parseInt(id, 10)))])
    .refine((ids) => ids.every((id) => id > 0), message);
}

/** `kid:base64(32 bytes)` with commas between, newest first. */
export function masterKeys() {
  const message = 'must be kid:base64 of 32 bytes, with commas between and no kid twice';
  return z
    .string()
    .transform((text) => text.split(',').map((entry) => MASTER_KEY.exec(entry.trim())))
    .refine((entries) => {
      const kids = new Set(entries.map((entry) => entry?.[1]));
      return kids.size === entries.length && entries.every((entry) => isKey(entry?.[2]));
    }, message)
    .transform((entries) =>
      entries.map((entry): MasterKey => ({ kid: entry?.[1] ?? '', key: new Secret(entry?.[2] ?? '') })),
    );
}

const MASTER_KEY = /^([\w.-]{1,32}):([A-Za-z0-9+/]{43}=)$/;

function isKey(base64: string | undefined): boolean {
  // Buffer ignores what it cannot read, so the text must come back as it was.
  return base64 !== undefined && Buffer.from(base64, 'base64').toString('base64') === base64;
}
