import type { Buttons } from './buttons.ts';
import { visibleLength, type Html } from './html.ts';
import { telegramFailure } from './outgoing/errors.ts';
import type { RequestContext } from './request-context.ts';

/** UTF-16 units below a picture: under Telegram's 1024 however they are counted. */
const CAPTION_BUDGET = 1000;

export interface PicturedAnswer {
  /** Draws a PNG. */
  readonly draw: () => Promise<Uint8Array>;
  /** Everything that the picture shows, and more. */
  readonly words: Html;
  /** What stands below the picture when the words are too many for that; at most 1000 units. */
  readonly brief: Html;
  readonly buttons?: Buttons | undefined;
}

/**
 * Says something with a picture above it: in one message where the words fit below a picture, else in two, the
 * buttons with the words. A pressed message is brought up to it. Words do without a picture that cannot be
 * drawn or is not allowed here.
 */
export async function sayPictured(request: RequestContext, answer: PicturedAnswer): Promise<void> {
  const { words, brief, buttons } = answer;
  const fits = visibleLength(words) <= CAPTION_BUDGET;
  // Words in a message of their own stay there, and their picture where it is.
  if (request.pressedMessageId !== null && !request.pressedPicture)
    return await request.rewrite(words, { buttons });
  const picture = await drawn(request, answer.draw);
  if (picture !== null && fits && request.pressedPicture)
    return await request.rewrite(words, { buttons, picture });
  if (picture === null && fits) return await request.rewrite(words, { buttons });
  if (
    picture !== null &&
    (await isTaken(request, picture, fits ? { caption: words, buttons } : { caption: brief }))
  ) {
    if (fits) return;
  }
  await request.say(words, { buttons });
}

/** Sends a picture beside words that were said before it; where that cannot be, the words do without it. */
export async function sayPicture(
  request: RequestContext,
  draw: () => Promise<Uint8Array>,
  caption: Html,
): Promise<void> {
  const picture = await drawn(request, draw);
  if (picture !== null) await isTaken(request, picture, { caption });
}

async function isTaken(
  request: RequestContext,
  picture: Uint8Array,
  options: { readonly caption: Html; readonly buttons?: Buttons | undefined },
): Promise<boolean> {
  try {
    await request.sendPicture(picture, options);
    return true;
  } catch (error) {
    const { kind } = telegramFailure(error);
    if (kind !== 'no_rights' && kind !== 'refused') throw error;
    // A group may allow its members messages and no pictures.
    request.log.info({ kind }, 'Telegram took no picture here; its words go without it');
    return false;
  }
}

async function drawn(request: RequestContext, draw: () => Promise<Uint8Array>): Promise<Uint8Array | null> {
  try {
    return await draw();
  } catch (error) {
    request.log.warn({ err: error }, 'a picture could not be drawn; its words go without it');
    return null;
  }
}
