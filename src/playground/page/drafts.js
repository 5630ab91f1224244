// @ts-check
// What each person has begun to write in each chat and topic, over a reload too.
import { GENERAL, store } from './store.js';

const DRAFT = 'playground-draft:';

/** The place that a draft is written in: that on screen, or where another chat opens. @param {number} [chatId] */
export function draftPlace(chatId) {
  return `${store.userId}:${chatId ?? store.chatId}:${chatId ? GENERAL : store.threadId}`;
}

/** @param {string} place */
export function keptDraft(place) {
  return sessionStorage.getItem(DRAFT + place) ?? '';
}

/**
 * @param {string} place
 * @param {string} text
 */
export function keepDraft(place, text) {
  if (text === '') sessionStorage.removeItem(DRAFT + place);
  else sessionStorage.setItem(DRAFT + place, text);
}

/** What the person on screen has begun to write in any topic of a chat, or nothing. @param {number} chatId */
export function draftIn(chatId) {
  const start = `${DRAFT}${store.userId}:${chatId}:`;
  const key = Object.keys(sessionStorage).find((one) => one.startsWith(start));
  return key === undefined ? '' : (sessionStorage.getItem(key) ?? '');
}
