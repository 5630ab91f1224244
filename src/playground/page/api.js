// @ts-check
// The control API, spoken as plain JSON.

/**
 * @param {string} path
 * @param {Record<string, any>} [query]
 */
export async function get(path, query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return read(await fetch(`/_control/${path}?${search}`, { cache: 'no-store' }));
}

/**
 * @param {string} path
 * @param {Record<string, any>} body
 */
export async function post(path, body) {
  return read(
    await fetch(`/_control/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
}

/** @param {FormData} form */
export async function upload(form) {
  return read(await fetch('/_control/upload', { method: 'POST', body: form }));
}

/** @param {string} fileId */
export function fileUrl(fileId) {
  return `/_control/file?file_id=${encodeURIComponent(fileId)}`;
}

/**
 * Follows a person's events. `onOpen` is called for every connection made, the first included, so that
 * the caller can fetch what happened while the line was down.
 * @param {{ userId: number, onEvent: (event: any) => void, onOpen: () => void, onLost: () => void }} options
 * @returns {() => void} ends it
 */
export function follow({ userId, onEvent, onOpen, onLost }) {
  let ended = false;
  /** @type {EventSource | undefined} */
  let source;
  let timer = 0;
  let wait = 500;
  const open = () => {
    source = new EventSource(`/_control/events?user=${userId}`);
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
