import { z } from 'zod';
import { defineAction } from '../action.ts';
import { offerButton } from '../again.ts';
import type { ActionButton } from '../buttons.ts';
import { behindCommand } from '../dispatch/command-in.ts';
import { namedIn } from '../dispatch/named-in.ts';
import type { Choice, Command } from '../feature.ts';
import type { RequestContext } from '../request-context.ts';
import { slash } from '../slash.ts';

/** What a press below a question is; one that no form has taken is of a question that is over. */
export const FORM_ANSWER = defineAction({
  name: 'form.answer',
  permission: null,
  payload: z.object({
    value: z.string().optional(),
    form: z.string().optional(),
    leave: z.literal(true).optional(),
    /** Texts of other arguments; with neither value nor form the question is put once more with them. */
    known: z.record(z.string(), z.string()).optional(),
    /** Goes on with the question of this command that another one has interrupted or a no has ended, with a value as its answer. */
    resume: z.string().optional(),
    /** It is what the message says that the button's one answers. */
    said: z.literal(true).optional(),
  }),
  ttlSeconds: 600,
});

function isNoAnswer(choice: Choice): boolean {
  return 'known' in choice && !('value' in choice) && !('form' in choice);
}

/** The buttons below a question to one person: an answer has a row of its own, of what is no answer yet two share one. */
export function answerButtons(
  choices: readonly Choice[],
  cancel: string,
  personId: number,
): ActionButton[][] {
  const rows: Choice[][] = [];
  for (const choice of choices) {
    const last = rows.at(-1);
    const isPair = isNoAnswer(choice) && last?.length === 1 && last.every(isNoAnswer);
    if (isPair) last.push(choice);
    else rows.push([choice]);
  }
  return [
    ...rows.map((row) => row.map(({ label, ...given }) => FORM_ANSWER.button(label, given, { personId }))),
    [FORM_ANSWER.button(cancel, { leave: true }, { personId })],
  ];
}

/** The command that an answer which will not do speaks of, to be given instead: `credit` where numbers were asked for. */
export function insteadButton(
  request: RequestContext,
  commands: ReadonlyMap<string, Command>,
  refused: string,
): ActionButton | undefined {
  const named = namedIn(commands, refused);
  if (named?.isMeant !== true) return undefined;
  const line = `/${named.name} ${named.takesRest ? behindCommand(refused) : ''}`.trimEnd();
  return offerButton(request, line, slash(request.locale, named.name));
}
