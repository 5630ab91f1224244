import { z } from 'zod';
import { newBulk, type Bulk } from '../../../domain/bulk.ts';
import { fileOf } from '../../../domain/kinds/index.ts';
import { splitNumbersAndText } from '../../../domain/phone.ts';
import { parseTag } from '../../../domain/tag.ts';
import { readTemplateName } from '../../../domain/template-name.ts';
import type { Tables } from '../../../ports/tables.ts';
import type { Stores } from '../../../storage/stores.ts';
import type { Action } from '../../../telegram/action.ts';
import { defineCommand, type Feature } from '../../../telegram/feature.ts';
import {
  fileReference,
  readFileReference,
  type IncomingFile,
} from '../../../telegram/forms/file-reference.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { createBeginDraft, draftLine, draftLineArgument, draftOf } from '../../shared/new-draft.ts';
import { peopleTagChoices, peopleTagTexts } from '../../shared/people-tag.ts';
import { textOrTemplate } from '../../shared/template-call.ts';
import { bulkActions } from '../actions.ts';
import type { Cards } from '../cards.ts';
import {
  askColumn,
  askFill,
  askHeader,
  askKeep,
  askText,
  createBulkForms,
  isRefused,
  rowsTextArgument,
  takeHeader,
  textProblem,
  type FileDraft,
} from './forms.ts';
import { checkSize } from './reader.ts';
import { createSkippedCards } from './skipped-cards.ts';
import { chooseMissing, choosePhone, namesRow, showColumns, useColumns } from './steps.ts';
import { texts } from './texts.ts';

export interface BulkFeatureDeps extends Pick<Stores, 'drafts' | 'bulks' | 'bindings' | 'people'> {
  readonly tables: Tables;
  readonly templates: Pick<Stores['templates'], 'find'>;
  readonly cards: Pick<Cards, 'refresh' | 'bring' | 'turn'>;
}

/** At the front of what stands behind the command. */
const TAG = /^\s*[#＃]\S+/u;

/** A send to the numbers of a file, on one card from the file to the report. */
export function createBulkFeature(deps: BulkFeatureDeps): Feature {
  const { drafts, bulks, bindings, people, tables, templates, cards } = deps;
  const begin = createBeginDraft(deps);

  const find = async (ctx: RequestContext, draftId: string): Promise<FileDraft | null> => {
    const view = await drafts.card(draftId);
    if (view === null || view.draft.chatId !== ctx.chat.id || view.job !== null) return null;
    const { draft } = view;
    const bulk = fileOf(draft.outgoing);
    return bulk === null ? null : { draft, bulk };
  };

  const change: Parameters<typeof createBulkForms>[0]['change'] = async (ctx, { id, version }, make) => {
    const file = await find(ctx, id);
    const made = file === null || file.draft.authorId !== ctx.person.id ? null : make(file);
    const changed = made !== null && (await bulks.change({ draftId: id, version }, made)) !== null;
    if (!changed) await ctx.say(texts(ctx.locale).changed);
    await cards.bring(id, ctx);
  };

  const head = async (draftId: string, count: number) => await bulks.head(draftId, count);

  /** Somebody says in which row of their file the names are, below its card or after it. */
  const saysHeader = async (ctx: RequestContext, draftId: string | null, words: string): Promise<boolean> => {
    const file = draftId === null ? null : await find(ctx, draftId);
    if (file?.bulk.step !== 'columns' || file.draft.authorId !== ctx.person.id) return false;
    await takeHeader(ctx, { head, change }, { ...file, version: file.draft.version }, words);
    return true;
  };

  /** The people under a tag, in the place of a file; null: there is nobody, and a file is asked for. */
  const peopleOf = async (ctx: RequestContext, typed: string, text: string) => {
    const tag = parseTag(typed) ?? '';
    const { tags } = await people.overview(ctx.chat.id);
    if (tags.some((each) => each.tag === tag)) return { name: `#${tag}`, reference: `#${tag}` };
    const kept =
      text === '' ? await templates.find(ctx.chat.id, { name: readTemplateName(typed) ?? '' }) : null;
    if (kept === null) await ctx.ask('bulk', { text }, peopleTagTexts(ctx.locale).nobody(tag));
    else await ctx.ask('bulk', { text: typed });
    return null;
  };

  /** A button by which the draft becomes another. */
  const step =
    <P extends { readonly draftId: string; readonly version: number }>(
      make: (file: FileDraft, payload: P) => Bulk | null | Promise<Bulk | null>,
    ) =>
    async (ctx: RequestContext, given: P): Promise<void> => {
      const file = await find(ctx, given.draftId);
      const made = file === null ? null : await make(file, given);
      await change(ctx, { id: given.draftId, version: given.version }, () =>
        made === null ? null : { bulk: made },
      );
    };

  /** One that asks for something first. */
  const question = (
    action: typeof bulkActions.text,
    ask: (ctx: RequestContext, file: FileDraft, version: number) => Promise<void>,
  ): Action =>
    action.does(async (ctx, { draftId, version }) => {
      // The press has used the card's token up: the card gets fresh buttons.
      await cards.refresh(draftId);
      const file = await find(ctx, draftId);
      if (file !== null) await ask(ctx, file, version);
    });

  return {
    name: 'bulk',
    topic: 'sending',
    commands: [
      defineCommand({
        name: 'bulk',
        alsoCalled: [
          'file',
          'فایل',
          'انبوه',
          'excel',
          'csv',
          'اکسل',
          'ارسالگروهی',
          'ارسالانبوه',
          'ارسالبااکسل',
          'پیامکگروهی',
          'پیامکانبوه',
        ],
        everyday: true,
        permission: 'send.bulk',
        facet: 'sending',
        about: (locale) => texts(locale).about,
        example: (locale) => texts(locale).example,
        walk: (locale) => texts(locale).walk,
        offer: {
          file: (locale) => texts(locale).offer,
          wordsToFile: (locale, fileName) => texts(locale).offerWords(fileName),
        },
        args: {
          file: {
            schema: z
              .string()
              .refine(
                (typed) => readFileReference(typed) !== null || (TAG.test(typed) && parseTag(typed) !== null),
              ),
            // A file comes with the command or as an answer: what can be typed is the tag of people.
            take: (input) => {
              const [tag = ''] = TAG.exec(input) ?? [];
              return { value: tag, rest: input.slice(tag.length) };
            },
            file: true,
            choices: async (ctx) => await peopleTagChoices(ctx, people),
            usage: (locale) => texts(locale).usageFile,
            ask: ({ locale }) => texts(locale).ask,
            problem: (locale) => texts(locale).noFile,
          },
          text: {
            ...rowsTextArgument,
            optional: true,
            // Numbers alone are no text: somebody means them, and is asked for the file.
            take: (input) => ({ value: splitNumbersAndText(input).text === '' ? '' : input, rest: '' }),
          },
          line: draftLineArgument(bindings),
        },
        run: async (ctx, { file: typed, text: words = '', line: chosen }) => {
          const file = readFileReference(typed) ?? ctx.file;
          // Behind a file a word with # is a part of the text, or all of it: a text that is kept.
          const said =
            readFileReference(typed) === null && file !== null ? `${typed} ${words}`.trim() : words;
          const source =
            file === null ? await peopleOf(ctx, typed, said) : { name: file.name, reference: file.id };
          if (source === null) return;
          if (file !== null) checkSize(file);
          const text = await textOrTemplate(ctx, said, templates);
          if (text === null) {
            const given = { file: file === null ? typed : fileReference(file) };
            return await ctx.ask('bulk', chosen === undefined ? given : { ...given, line: chosen }, said);
          }
          await begin(ctx, chosen, { outgoing: newBulk(source), text, recipients: [] });
        },
      }),
      ...createBulkForms({ templates, people, find, head, change }),
    ],
    replied: async (ctx, target, { text }) =>
      namesRow(text) && (await saysHeader(ctx, await drafts.findByMessage(ctx.chat.id, target.id), text)),
    meant: async (ctx, words) =>
      namesRow(words) &&
      (await saysHeader(ctx, await drafts.newest(ctx.chat.id, ctx.person.id, 'open'), words)),
    actions: [
      bulkActions.use.does(async (ctx, { draftId, version }) => {
        await change(ctx, { id: draftId, version }, ({ draft: { text }, bulk }) => {
          const fits = text !== '' && textProblem(ctx, bulk, text) === null;
          return bulk.step === 'columns' && bulk.numbers !== null ? { bulk: useColumns(bulk, fits) } : null;
        });
        const file = await find(ctx, draftId);
        if (file?.bulk.step !== 'text' || file.draft.version !== version + 1) return;
        const { text } = file.draft;
        if (text === '' || !(await isRefused(ctx, file, version + 1, text)))
          await askText(ctx, file, version + 1);
      }),
      bulkActions.phone.does(
        step(({ bulk }, { column }) => (column < bulk.columns.length ? choosePhone(bulk, column) : null)),
      ),
      bulkActions.columns.does(step(({ bulk }) => (bulk.phone === null ? null : showColumns(bulk)))),
      bulkActions.missing.does(step(({ bulk }, { way }) => chooseMissing(bulk, { way }))),
      question(bulkActions.text, askText),
      question(bulkActions.keep, async (ctx, { draft }, version) => await askKeep(ctx, draft.id, version)),
      question(
        bulkActions.header,
        async (ctx, { draft }, version) => await askHeader(ctx, draft.id, version),
      ),
      question(
        bulkActions.column,
        async (ctx, { draft }, version) => await askColumn(ctx, draft.id, version),
      ),
      question(bulkActions.fill, async (ctx, { draft }, version) => await askFill(ctx, draft.id, version)),
      bulkActions.row.does(async (ctx, { draftId, index }) => {
        if ((await find(ctx, draftId)) === null) return;
        await cards.turn(draftId, 'look', index);
      }),
      ...createSkippedCards({ find, bulks, tables }),
    ],
  };
}

interface KeepFileDeps extends Pick<Stores, 'drafts' | 'bindings'> {
  readonly cards: Pick<Cards, 'refresh'>;
}

/** Has the people of a file kept under a tag, on a card like that of any file; null: they are asked under which. */
export function createKeepFile({ drafts, bindings, cards }: KeepFileDeps) {
  return async (ctx: RequestContext, file: IncomingFile, tag: string | null): Promise<void> => {
    checkSize(file);
    const line = await draftLine(ctx, undefined, bindings);
    // A chat that has no line yet is asked for one, and keeps the people by a button of the card.
    if (line === null) return await ctx.ask('bulk', { file: fileReference(file) });
    const outgoing = {
      ...newBulk({ name: file.name, reference: file.id }),
      keep: tag === null ? null : { tag, outcome: null },
    };
    const { id } = await drafts.create(draftOf(ctx, { outgoing, text: '', line, recipients: [] }));
    await cards.refresh(id);
  };
}
