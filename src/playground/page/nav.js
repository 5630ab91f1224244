// @ts-check
// Who and what is on screen lives in the address (#user=…&chat=…&topic=…), so a reload or the browser's own
// back button keeps the place.
import { GENERAL, store } from './store.js';

/** @returns {{ user?: number, chat?: number, topic?: number }} */
export function place() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const number = (/** @type {string} */ name) => {
    const value = Number(fields.get(name) ?? Number.NaN);
    return Number.isSafeInteger(value) && value !== 0 ? value : undefined;
  };
  return { user: number('user'), chat: number('chat'), topic: number('topic') };
}

const PLACE_KEY = 'place';

/** A tab that was led elsewhere and back again without a place is where it was. */
export function comeBack() {
  if (location.hash === '') history.replaceState(null, '', sessionStorage.getItem(PLACE_KEY) ?? '');
  window.addEventListener('pagehide', () => sessionStorage.setItem(PLACE_KEY, location.hash));
}

/**
 * @param {{ user?: number | undefined, chat?: number | undefined, topic?: number | undefined }} next
 * @param {{ replace?: boolean }} [options] replace: leave no entry in the browser's history
 */
export function go(next, { replace = false } = {}) {
  const fields = new URLSearchParams();
  const user = next.user ?? store.userId;
  if (user) fields.set('user', String(user));
  if (next.chat) fields.set('chat', String(next.chat));
  if (next.chat && next.topic && next.topic !== GENERAL) fields.set('topic', String(next.topic));
  const hash = `#${fields}`;
  if (hash === location.hash) {
    window.dispatchEvent(new Event('hashchange'));
  } else if (replace) {
    history.replaceState(null, '', hash);
    window.dispatchEvent(new Event('hashchange'));
  } else location.hash = hash;
}
