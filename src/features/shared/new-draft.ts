import type { BindingStore, NewDraft } from '../../ports/stores.ts';
import type { Argument } from '../../telegram/feature.ts';
import { kitTexts } from '../../telegram/texts.ts';
import type { Turn } from '../../telegram/turn.ts';
import { lineArgument } from './shared-arguments.ts';

/** How long a draft waits for its confirmation. */
const DRAFT_SECONDS = 900;

type Lines = Pick<BindingStore, 'lines' | 'setLine'>;

/** Asks for the line that a draft leaves from, where the chat has none yet; it is then kept for the chat. */
export function draftLineArgument(bindings: Lines) {
  return {
    ...lineArgument,
    take: null,
    ask: ({ locale }) => kitTexts(locale).askDraftLine,
    optional: true,
    askWhen: (turn: Turn) => turn.binding?.line === null,
    choices: async (turn: Turn) => {
      const lines = turn.binding === null ? [] : await bindings.lines(turn.binding.id);
      return lines.map((line) => ({ label: line, value: line }));
    },
  } satisfies Argument;
}

/** The line to use: the one just chosen, or the chat's. Null when there is none. */
export async function draftLine(
  turn: Turn,
  chosen: string | undefined,
  bindings: Lines,
): Promise<string | null> {
  const { binding } = turn;
  if (binding === null) return null;
  if (chosen !== undefined && binding.line === null) {
    await bindings.setLine({
      bindingId: binding.id,
      line: chosen,
      personId: turn.person.id,
      updateId: turn.updateId,
    });
  }
  return chosen ?? binding.line;
}

/** What a turn says of a draft by itself; the rest is the command's. */
export function draftOf(
  turn: Turn,
  draft: Pick<NewDraft, 'outgoing' | 'text' | 'recipients' | 'line'> & Partial<NewDraft>,
): NewDraft {
  return {
    chatId: turn.chat.id,
    bindingId: turn.binding?.id ?? '',
    botId: turn.bot.id,
    updateId: turn.updateId,
    authorId: turn.person.id,
    lang: turn.locale,
    threadId: turn.threadId,
    ttlSeconds: DRAFT_SECONDS,
    repeated: [],
    invalid: [],
    ...draft,
  };
}
