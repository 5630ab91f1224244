import type { Stores } from '../../../storage/stores.ts';
import { defineCommand, type Command } from '../../../telegram/feature.ts';
import { askedLineArgument } from '../../shared/new-draft.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { carried, recipientArgument, textArgument } from '../../shared/shared-arguments.ts';
import { texts } from '../texts.ts';

export const TEXT_FORM = 'send-text';
export const LINE_FORM = 'send-line';
export const MOBILE_FORM = 'send-mobile';

interface FormDeps extends Pick<Stores, 'bindings'> {
  readonly edit: (
    ctx: RequestContext,
    draft: { readonly id: string; readonly version: number },
    change: { readonly text?: string; readonly textBy?: number; readonly line?: string },
  ) => Promise<void>;
  /** The person's own number, for test messages. */
  readonly learnMobile: (ctx: RequestContext, draftId: string, mobile: string) => Promise<void>;
}

/** What the buttons of a draft ask for. */
export function createSendForms({ bindings, edit, learnMobile }: FormDeps): Command[] {
  return [
    defineCommand({
      name: TEXT_FORM,
      permission: 'send.prepare',
      about: null,
      args: { draft: carried, version: carried, text: { ...textArgument, take: null } },
      run: async (ctx, { draft, version, text }) =>
        await edit(ctx, { id: draft, version: Number(version) }, { text }),
    }),
    defineCommand({
      name: LINE_FORM,
      permission: 'send.prepare',
      about: null,
      args: {
        draft: carried,
        version: carried,
        line: askedLineArgument(bindings),
      },
      run: async (ctx, { draft, version, line }) => {
        if (ctx.binding !== null) await bindings.learnLines(ctx.binding.id, [line]);
        await edit(ctx, { id: draft, version: Number(version) }, { line });
      },
    }),
    defineCommand({
      name: MOBILE_FORM,
      permission: 'send.confirm',
      about: null,
      args: {
        draft: carried,
        mobile: {
          ...recipientArgument,
          take: null,
          ask: ({ locale }) => texts(locale).askMobile,
          problem: (locale) => texts(locale).badMobile,
        },
      },
      run: async (ctx, { draft, mobile }) => await learnMobile(ctx, draft, mobile),
    }),
  ];
}
