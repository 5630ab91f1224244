import { GrammyError } from 'grammy';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createMemoryLog } from '../../test/support/memory-log.ts';
import { defineAction } from './action.ts';
import { html, plainText, type Html } from './html.ts';
import { sayPictured } from './picture-answer.ts';
import type { RequestContext } from './request-context.ts';

const PICTURE = new Uint8Array([1]);
const SHORT = html`short`;
const LONG = html`${'x'.repeat(1001)}`;
const BRIEF = html`brief`;
const button = defineAction({ name: 'a', permission: 'report.view', payload: z.object({}) }).button('b', {});
const BUTTONS = [[button]];

/** What is done with an answer, in words. */
async function done(
  words: Html,
  {
    pressed = null as 'words' | 'picture' | null,
    draw = () => Promise.resolve(PICTURE),
    refusal = null as string | null,
  } = {},
): Promise<string[]> {
  const told: string[] = [];
  const tell = (how: string, content: Html | undefined, buttons: unknown): void =>
    void told.push(
      `${how} ${plainText(content ?? html``).slice(0, 6)}${buttons === undefined ? '' : ' +buttons'}`,
    );
  const request = {
    pressedMessageId: pressed === null ? null : 1,
    pressedPicture: pressed === 'picture',
    log: createMemoryLog(),
    say: (content: Html, options: { buttons?: unknown }) =>
      Promise.resolve(tell('say', content, options.buttons)),
    sendPicture: (_: Uint8Array, options: { caption?: Html; buttons?: unknown }) => {
      if (refusal !== null) {
        const answer = { ok: false as const, error_code: 400, description: refusal };
        return Promise.reject(new GrammyError('no', answer, 'sendPhoto', {}));
      }
      return Promise.resolve(tell('picture', options.caption, options.buttons));
    },
    rewrite: (content: Html, options: { buttons?: unknown; picture?: Uint8Array }) =>
      Promise.resolve(tell(options.picture === undefined ? 'rewrite' : 'redraw', content, options.buttons)),
  } as unknown as RequestContext;
  await sayPictured(request, { draw, words, brief: BRIEF, buttons: BUTTONS });
  return told;
}

describe('an answer with a picture', () => {
  it('is one message where its words fit below, else two, the buttons with the words', async () => {
    expect(await done(SHORT)).toEqual(['picture short +buttons']);
    expect(await done(LONG)).toEqual(['picture brief', 'say xxxxxx +buttons']);
  });

  it('renews what was pressed: the picture with its caption, or the words alone', async () => {
    expect(await done(SHORT, { pressed: 'picture' })).toEqual(['redraw short +buttons']);
    expect(await done(SHORT, { pressed: 'words' })).toEqual(['rewrite short +buttons']);
    expect(await done(LONG, { pressed: 'words' })).toEqual(['rewrite xxxxxx +buttons']);
    expect(await done(LONG, { pressed: 'picture' })).toEqual(['picture brief', 'say xxxxxx +buttons']);
  });

  it('is its words where it cannot be drawn, or is not taken', async () => {
    const draw = () => Promise.reject(new Error('no such library'));
    expect(await done(SHORT, { draw })).toEqual(['rewrite short +buttons']);
    expect(await done(LONG, { draw })).toEqual(['say xxxxxx +buttons']);
    expect(await done(SHORT, { draw, pressed: 'picture' })).toEqual(['rewrite short +buttons']);
    const refusal = 'Bad Request: not enough rights to send photos to the chat';
    expect(await done(SHORT, { refusal })).toEqual(['say short +buttons']);
    expect(await done(LONG, { refusal })).toEqual(['say xxxxxx +buttons']);
    await expect(done(SHORT, { refusal: 'Forbidden: bot was blocked by the user' })).rejects.toThrow('no');
  });
});
