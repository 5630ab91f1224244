import type { Stores } from '../../storage/stores.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { answerQuestion, type Question } from '../shared/question.ts';
import { texts } from './texts.ts';

/** Does what was pressed below a question about a change: `change`, or what leads away from it. */
export async function decide(
  links: Pick<Stores['links'], 'claim'>,
  ctx: RequestContext,
  pressed: Question & { readonly choice: string },
  about: { readonly what: 'block' | 'unblock'; readonly numbers: string },
  change: () => Promise<void>,
): Promise<void> {
  const t = texts(ctx.locale);
  if (!(await answerQuestion(links, ctx, pressed))) {
    await ctx.say(t.decided);
  } else if (pressed.choice === 'cancel') {
    await ctx.rewrite(t.cancelled);
  } else if (pressed.choice === 'other_line') {
    if (ctx.pressedMessageId !== null) await ctx.disarm(ctx.pressedMessageId);
    await ctx.ask('blacklist-line', about);
  } else {
    await change();
  }
}
