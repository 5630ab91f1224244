import * as fc from 'fast-check';
import { BotError, Context, Api, GrammyError, HttpError } from 'grammy';
import { describe, expect, it } from 'vitest';
import { LostAnswer, refusalFailure, SurelyUnsent, telegramFailure } from './errors.ts';

function refused(code: number, description: string, parameters = {}, method = 'sendMessage'): GrammyError {
  return new GrammyError('Call failed!', { ok: false, error_code: code, description, parameters }, method, {
    text: 'canary payload',
  });
}

const BOT = {
  id: 1,
  is_bot: true,
  first_name: 'b',
  username: 'b',
  can_join_groups: true,
  can_read_all_group_messages: false,
  supports_inline_queries: false,
  can_connect_to_business: false,
  has_main_web_app: false,
  has_topics_enabled: false,
  allows_users_to_create_topics: false,
  can_manage_bots: false,
  supports_guest_queries: false,
  supports_join_request_queries: false,
} as const;

function describeRefusal(text: string): string {
  return refusalFailure({ error_code: 400, description: text }).description ?? '';
}

describe('telegramFailure', () => {
  it.each([
    [403, 'Forbidden: bot was blocked by the user', 'blocked'],
    [403, 'Forbidden: user is deactivated', 'blocked'],
    [403, "Forbidden: bot can't initiate conversation with a user", 'blocked'],
    [400, 'Bad Request: chat not found', 'chat_gone'],
    [403, 'Forbidden: the group chat was deleted', 'chat_gone'],
    [403, 'Forbidden: bot was kicked from the supergroup chat', 'kicked'],
    [403, 'Forbidden: bot is not a member of the channel chat', 'kicked'],
    [400, 'Bad Request: not enough rights to send text messages to the chat', 'no_rights'],
    [400, 'Bad Request: need administrator rights in the channel chat', 'no_rights'],
    [400, 'Bad Request: message thread not found', 'thread_gone'],
    [400, 'Bad Request: TOPIC_CLOSED', 'thread_gone'],
    [
      400,
      'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
      'not_modified',
    ],
    [400, 'Bad Request: message to edit not found', 'message_gone'],
    [400, 'Bad Request: message to delete not found', 'message_gone'],
    [400, 'Bad Request: message to be replied not found', 'message_gone'],
    [
      400,
      'Bad Request: query is too old and response timeout expired or query ID is invalid',
      'query_too_old',
    ],
    [400, 'Bad Request: message text is empty', 'refused'],
    [400, 'Bad Request: BUTTON_DATA_INVALID', 'refused'],
    [401, 'Unauthorized', 'unauthorized'],
    [404, 'Not Found', 'refused'],
    [409, 'Conflict: terminated by other getUpdates request', 'conflict'],
    [500, 'Internal Server Error', 'lost_answer'],
    [502, 'Bad Gateway', 'lost_answer'],
  ])('reads %i %j as %s', (code, description, kind) => {
    expect(telegramFailure(refused(code, description))).toEqual({ kind, description });
  });

  it('carries what a flood limit and a migration say', () => {
    expect(
      telegramFailure(refused(429, 'Too Many Requests: retry after 9', { retry_after: 9 })),
    ).toMatchObject({ kind: 'too_many', retryAfter: 9 });
    expect(
      telegramFailure(
        refused(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
          migrate_to_chat_id: -1009,
        }),
      ),
    ).toMatchObject({ kind: 'migrated', migrateTo: -1009 });
  });

  it('takes a method that always exists and is not found for a wrong token', () => {
    expect(telegramFailure(refused(404, 'Not Found', {}, 'getMe')).kind).toBe('unauthorized');
  });

  it('looks through the wrappers of the framework', () => {
    const context = new Context({ update_id: 1 }, new Api('1:a'), BOT);
    const inner = new HttpError('failed', new SurelyUnsent('ECONNREFUSED'));
    expect(telegramFailure(new BotError(inner, context))).toEqual({
      kind: 'surely_unsent',
      description: 'ECONNREFUSED',
    });
    expect(telegramFailure(new HttpError('failed', new LostAnswer('TIMEOUT')))).toEqual({
      kind: 'lost_answer',
      description: 'TIMEOUT',
    });
  });

  it.each([
    ['ECONNREFUSED', 'surely_unsent'],
    ['EAI_AGAIN', 'surely_unsent'],
    ['ECONNRESET', 'lost_answer'],
    ['UND_ERR_HEADERS_TIMEOUT', 'lost_answer'],
  ])('judges a bare network error by its code %s', (code, kind) => {
    const error = Object.assign(new Error('to https://api.test/bot1:canary'), { code });
    expect(telegramFailure(new HttpError('failed', error))).toEqual({ kind, description: code });
  });

  it('knows nothing of errors from elsewhere', () => {
    expect(telegramFailure(new TypeError('canary'))).toEqual({ kind: 'unknown' });
    expect(telegramFailure('canary')).toEqual({ kind: 'unknown' });
  });
});

describe('descriptions', () => {
  it('show nothing that Telegram quotes from a message, no address and no token', () => {
    expect(
      describeRefusal('Bad Request: can\'t parse entities: Unsupported start tag "canary" at byte offset 7'),
    ).toBe('Bad Request: can\'t parse entities: Unsupported start tag "…" at byte offset 7');
    expect(
      describeRefusal(
        "Bad Request: inline keyboard button URL 'https://canary.test' is invalid: Wrong HTTP URL",
      ),
    ).toBe("Bad Request: inline keyboard button URL '…' is invalid: Wrong HTTP URL");
    expect(describeRefusal('at https://x.test/bot12345678:AAcanary0123456789012345 now')).toBe('at … now');
    expect(describeRefusal('token 12345678:AAcanary0123456789012345\n\u202e2')).toBe('token … 2');
  });

  it('never hold a quoted text, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const quoted = `${text}canary${text}`.replaceAll('"', '');
        const { description } = refusalFailure({ error_code: 400, description: `Bad: tag "${quoted}" at 1` });
        expect(description).not.toContain('canary');
      }),
    );
  });
});
