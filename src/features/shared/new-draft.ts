import type { ParsedRecipients } from '../../domain/phone.ts';
import type { NewDraft } from '../../ports/stores.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Argument } from '../../telegram/feature.ts';
import { kitTexts } from '../../telegram/texts.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { doerOf } from './doer.ts';
import { lineArgument } from './shared-arguments.ts';

type Lines = Pick<Stores['bindings'], 'lines' | 'setLine'>;

/** Asks for the line that a draft leaves from, where the chat has none yet; it is then kept for the chat. */
export function draftLineArgument(bindings: Lines) {
  return {
    ...askedLineArgument(bindings),
    optional: true,
    askWhen: (ctx: RequestContext) => ctx.binding?.line === null,
  } satisfies Argument;
}

/** Asks for the line that a draft leaves from, and offers those that its account is known to have. */
export function askedLineArgument(bindings: Pick<Lines, 'lines'>) {
  return {
    ...lineArgument,
    take: null,
    ask: ({ locale }) => kitTexts(locale).askDraftLine,
    choices: async (ctx: RequestContext) => {
      const lines = ctx.binding === null ? [] : await bindings.lines(ctx.binding.id);
      return lines.map((line) => ({ label: line, value: line }));
    },
  } satisfies Argument;
}

/** The line to use: the one just chosen, or the chat's. Null when there is none. */
export async function draftLine(
  ctx: RequestContext,
  chosen: string | undefined,
  bindings: Lines,
): Promise<string | null> {
  const { binding } = ctx;
  if (binding === null) return null;
  if (chosen !== undefined && binding.line === null) {
    await bindings.setLine({
      bindingId: binding.id,
      line: chosen,
      ...doerOf(ctx),
    });
  }
  return chosen ?? binding.line;
}

export interface BeginDraftDeps {
  readonly bindings: Lines;
  readonly drafts: Pick<Stores['drafts'], 'create'>;
  readonly cards: { refresh(draftId: string): Promise<void> };
}

/**
 * Makes what begins a draft from a command: on the line that was just chosen or is the chat's, and shown on its card. Where
 * there is no line, nothing is made.
 */
export function createBeginDraft(deps: BeginDraftDeps) {
  return async (
    ctx: RequestContext,
    chosen: string | undefined,
    draft: Omit<Parameters<typeof draftOf>[1], 'line'>,
  ): Promise<void> => {
    const line = await draftLine(ctx, chosen, deps.bindings);
    if (line === null) return;
    const { id } = await deps.drafts.create(draftOf(ctx, { ...draft, line }));
    await deps.cards.refresh(id);
  };
}

/** To whom a draft goes by the numbers that somebody has typed. */
export function typedRecipients({
  recipients,
  repeated,
  invalid,
}: ParsedRecipients): Pick<NewDraft, 'recipients' | 'repeated' | 'invalid'> {
  return {
    recipients,
    repeated: repeated.map(({ raw, recipient }) => ({ raw, reason: recipient })),
    invalid,
  };
}

/** What an answer says of a draft by itself; the rest is the command's. */
export function draftOf(
  ctx: RequestContext,
  draft: Pick<NewDraft, 'outgoing' | 'text' | 'recipients' | 'line'> & Partial<NewDraft>,
): NewDraft {
  return {
    chatId: ctx.chat.id,
    bindingId: ctx.binding?.id ?? '',
    botId: ctx.bot.id,
    updateId: ctx.updateId,
    authorId: ctx.person.id,
    lang: ctx.locale,
    threadId: ctx.threadId,
    saidBy: ctx.messageId ?? undefined,
    isEdit: ctx.isEdit,
    repeated: [],
    invalid: [],
    ...draft,
  };
}
