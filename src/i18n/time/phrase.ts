import type { Calendar } from '../../domain/calendar.ts';
import type { Token } from './tokens.ts';
import type { Part, Which } from './words.ts';

export interface TypedDate {
  /** Null where it was left out. */
  readonly year: number | null;
  readonly month: number;
  /** Null: the whole month. */
  readonly day: number | null;
  readonly calendar: Calendar;
}

/** What the words of a time say, before it is known which instant is meant. */
export interface Phrase {
  date?: TypedDate;
  /** 0 for Sunday. */
  weekday?: number;
  /** Which weekday of that name. */
  which?: Which;
  /** The week or month that is named, counted from this one, and the day on which weeks begin in the language of the words. */
  week?: { readonly away: number; readonly begins: readonly number[] };
  month?: { readonly away: number; readonly calendar: Calendar };
  /** Days from today. */
  days?: number;
  /** A length of time from now, which is below zero in the past; whether it is of whole days. */
  distance?: { readonly minutes: number; readonly isDays: boolean };
  now?: true;
  clock?: { readonly hour: number; readonly minute: number; readonly isSure: boolean };
  part?: Part;
  /** «شب جمعه» is the night before, «جمعه شب» the one of that day. */
  isEve?: boolean;
  zone?: string;
  every?: 'day' | 'week' | 'month';
  /** Of a rule of months. */
  ofMonth?: { readonly day?: number; readonly calendar: Calendar };
}

/** Reads one part of a time at a place into the phrase, and gives the place behind it; null where none stands there. */
export type Reader = (tokens: readonly Token[], at: number, phrase: Phrase) => number | null;

/** Whether a phrase names a day, in whatever way. */
export function namesDay({ date, weekday, days, week, every, distance }: Phrase): boolean {
  return [date, weekday, days, week, every].some((each) => each !== undefined) || distance?.isDays === true;
}

/** Whether a phrase may still be given a date. */
export function mayDate({ date, days, distance, now, which, week, every }: Phrase): boolean {
  return [date, days, distance, now, which, week, every].every((each) => each === undefined);
}

/** Whether a word is in Persian letters. */
export const isPersian = (token: Token | undefined): boolean => /^[\u0600-\u06ff]/u.test(token?.text ?? '');

/** The place behind a sign or word, where one stands there. */
export function past(tokens: readonly Token[], at: number, sign: RegExp): number {
  return sign.test(tokens[at]?.text ?? '') ? at + 1 : at;
}
