// @ts-check
// JSON to and from the server that the page comes from, and its events.

/**
 * @param {string} address
 * @param {Record<string, any>} [query] what is absent or empty is left out
 */
export async function get(address, query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return read(await fetch(`${address}?${search}`, { cache: 'no-store' }));
}

/** Browsers let 64 KiB outlive a page: of the longest letters so many. */
const OUTLIVES = 20_000;

/**
 * What was asked for goes its way when the page is left or loaded anew meanwhile.
 * @param {string} address
 * @param {Record<string, any>} body
 */
export async function post(address, body) {
  const json = JSON.stringify(body);
  return read(
    await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: json,
      keepalive: json.length < OUTLIVES,
    }),
  );
}

/** @param {string} address */
export async function remove(address) {
  return read(await fetch(address, { method: 'DELETE' }));
}

/**
 * @param {string} address
 * @param {FormData} form
 */
export async function upload(address, form) {
  return read(await fetch(address, { method: 'POST', body: form }));
}

/**
 * Follows a stream of events. `onOpen` is called for every connection made, the first included, so that
 * the caller can fetch what happened while the line was down.
 * @param {{ address: string, onEvent: (event: any) => void, onOpen: () => void, onLost: () => void }} options
 * @returns {() => void} ends it
 */
export function follow({ address, onEvent, onOpen, onLost }) {
  let ended = false;
  /** @type {EventSource | undefined} */
  let source;
  let timer = 0;
  let wait = 500;
  const open = () => {
    source = new EventSource(address);
    source.onopen = () => {
      wait = 500;
      onOpen();
    };
    source.onmessage = (event) => {
      if (ended) return;
      let data;
      try {
        data = JSON.parse(event.data);
      } catch {
        return;
      }
      onEvent(data);
    };
    source.onerror = () => {
      // The browser's own retry gives up for good on an HTTP error, so it is not relied on.
      source?.close();
      if (ended) return;
      onLost();
      timer = window.setTimeout(open, wait);
      wait = Math.min(wait * 1.7, 5000);
    };
  };
  open();
  return () => {
    ended = true;
    window.clearTimeout(timer);
    source?.close();
  };
}

/** @param {Response} response */
async function read(response) {
  const text = await response.text();
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  if (!response.ok || body?.ok === false) {
    const why = body?.description ?? body?.error ?? `${response.status} ${response.statusText}`;
    throw new Error(typeof why === 'string' ? why : JSON.stringify(why));
  }
  // Either the bare object or Telegram's envelope around it.
  return body?.ok === true && body.result !== undefined ? body.result : (body ?? {});
}
