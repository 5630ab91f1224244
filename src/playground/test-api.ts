import { z } from 'zod';
import type { Playground } from './server.ts';

const envelope = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  error_code: z.number().optional(),
  description: z.string().optional(),
  parameters: z
    .object({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() })
    .optional(),
});

export interface Reply {
  status: number;
  ok: boolean;
  result?: unknown;
  error_code?: number | undefined;
  description?: string | undefined;
  parameters?: { retry_after?: number | undefined; migrate_to_chat_id?: number | undefined } | undefined;
}

/** One Bot API call with a JSON body, for the tests of the emulator: status and envelope as they came. */
export async function callApi(
  playground: Pick<Playground, 'apiRoot' | 'token'>,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<Reply> {
  const response = await fetch(`${playground.apiRoot}/bot${playground.token}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(params),
  });
  return { status: response.status, ...envelope.parse(await response.json()) };
}

const update = z.looseObject({ update_id: z.number() });
export type AnyUpdate = z.infer<typeof update>;

/** One update from its JSON text, as a webhook gets it. */
export function readUpdate(json: string): AnyUpdate {
  return update.parse(JSON.parse(json));
}

/** getUpdates, as a list. */
export async function getUpdates(
  playground: Pick<Playground, 'apiRoot' | 'token'>,
  params: Readonly<Record<string, unknown>> = {},
): Promise<AnyUpdate[]> {
  const reply = await callApi(playground, 'getUpdates', params);
  return z.array(update).parse(reply.result);
}

const messageShape = z.looseObject({
  message_id: z.number().optional(),
  message_thread_id: z.number().optional(),
  media_group_id: z.string().optional(),
  text: z.string().optional(),
});

/** The fields of a message that tests go on with; an empty one when the value is no message. */
export function messageOf(value: unknown): z.infer<typeof messageShape> {
  return messageShape.safeParse(value).data ?? {};
}
