/** One request to a servant's own interface on loopback: JSON both ways, or a form. Throws with its words when it refuses. */
export async function askJson(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  body?: unknown,
): Promise<unknown> {
  const parsed: unknown = JSON.parse(await askText(method, url, body));
  return parsed;
}

/** The same, with the answer as it came: its numbers may be longer than a number can be. */
export async function askText(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await fetch(url, {
    method,
    signal: AbortSignal.timeout(60_000),
    ...bodyOf(body, headers),
  });
  const text = await answer.text();
  if (!answer.ok)
    throw new Error(`${method} ${new URL(url).pathname}: ${answer.status} ${text.slice(0, 300)}`);
  return text;
}

function bodyOf(body: unknown, headers: Readonly<Record<string, string>>): RequestInit {
  if (body === undefined) return { headers };
  if (body instanceof FormData) return { body, headers };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
}
