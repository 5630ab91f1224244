/** One request to a servant's own interface on loopback: JSON both ways, or a form. Throws with its words when it refuses. */
export async function askJson(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    signal: AbortSignal.timeout(10_000),
    ...bodyOf(body),
  });
  const text = await answer.text();
  if (!answer.ok)
    throw new Error(`${method} ${new URL(url).pathname}: ${answer.status} ${text.slice(0, 300)}`);
  const parsed: unknown = JSON.parse(text);
  return parsed;
}

function bodyOf(body: unknown): RequestInit {
  if (body === undefined) return {};
  if (body instanceof FormData) return { body };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}
