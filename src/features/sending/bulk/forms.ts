import { z } from 'zod';
import { fieldName, recounted, type Bulk, type SourceRow } from '../../../domain/bulk.ts';
import { continued, readTemplate, withNearest, type Template } from '../../../domain/merge.ts';
import { MESSAGE_CHARACTERS } from '../../../domain/interface-limits.ts';
import { checkMessage, isBlank } from '../../../domain/message.ts';
import type { DraftView } from '../../../ports/stores.ts';
import type { Stores } from '../../../storage/stores.ts';
import { credentialNames } from '../../../telegram/error-texts.ts';
import { defineCommand, type Argument, type Choice, type Command } from '../../../telegram/feature.ts';
import { clip, lines, type Html } from '../../../telegram/html.ts';
import { kitTexts } from '../../../telegram/texts.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { peopleTagArgument } from '../../shared/people-tag.ts';
import { carried, textArgument } from '../../shared/shared-arguments.ts';
import { textOrTemplate } from '../../shared/template-call.ts';
import { shownCell } from './bulk-card.ts';
import { chooseHeader, chooseMissing, choosePhone, findColumn, findHeader } from './steps.ts';
import { texts } from './texts.ts';

const TEXT_FORM = 'bulk-text';
const COLUMN_FORM = 'bulk-column';
const FILL_FORM = 'bulk-fill';
const HEADER_FORM = 'bulk-header';
const KEEP_FORM = 'bulk-keep';

const FIELDS_NAMED = 20;
const COLUMNS_OFFERED = 20;
const FIELDS_OFFERED = 6;
const ROWS_OFFERED = 6;
/** Titles and empty rows above the names are a few. */
const ROWS_LOOKED_AT = 100;
const UNKNOWN_TOLD = 5;
const FILL_UNITS = 100;

/** A text, which may have fields. How long it is, each row tells: the name of a field may be longer than what stands for it. */
export const rowsTextArgument = {
  ...textArgument,
  schema: z.string().refine((typed) => {
    const check = checkMessage(typed);
    return check.ok || check.reason === 'too_long';
  }),
} satisfies Argument;

/** A draft of the chat that is made from a file. */
export interface FileDraft {
  readonly draft: DraftView;
  readonly bulk: Bulk;
}

export interface BulkFormsDeps {
  readonly templates: Pick<Stores['templates'], 'find'>;
  readonly people: Pick<Stores['people'], 'overview'>;
  readonly find: (ctx: RequestContext, draftId: string) => Promise<FileDraft | null>;
  /** The first rows of the file. */
  readonly head: (draftId: string, count: number) => Promise<readonly SourceRow[]>;
  /** Changes the author's draft at a version and shows its card, or says that it has changed. */
  readonly change: (
    ctx: RequestContext,
    draft: { readonly id: string; readonly version: number },
    make: (file: FileDraft) => { readonly bulk: Bulk; readonly text?: string } | null,
  ) => Promise<void>;
}

/**
 * Asks for the text of a draft, naming the fields that can stand in it.
 * @param unfit a text that names fields which are not there, to be put right by a press
 */
export async function askText(
  ctx: RequestContext,
  { draft, bulk }: FileDraft,
  version: number,
  unfit?: string,
): Promise<void> {
  const names = bulk.columns.map((_, index) => fieldName(bulk, index)).slice(0, FIELDS_NAMED);
  const fields = ctx.capabilities.has('multi') ? names.join('\n') : '';
  await ctx.ask(TEXT_FORM, {
    draft: draft.id,
    version: String(version),
    fields,
    ...(unfit === undefined ? {} : { unfit }),
  });
}

/** Whether a text will not do for this file; then it is said why, and another is asked for. */
export async function isRefused(
  ctx: RequestContext,
  file: FileDraft,
  version: number,
  text: string,
): Promise<boolean> {
  const problem = textProblem(ctx, file.bulk, text);
  if (problem === null) return false;
  await ctx.say(problem);
  const isNear = withNearest(text, file.bulk.columns) !== null;
  await askText(ctx, file, version, isNear ? text : undefined);
  return true;
}

export async function askColumn(ctx: RequestContext, draftId: string, version: number): Promise<void> {
  await ctx.ask(COLUMN_FORM, { draft: draftId, version: String(version) });
}

export async function askHeader(ctx: RequestContext, draftId: string, version: number): Promise<void> {
  await ctx.ask(HEADER_FORM, { draft: draftId, version: String(version) });
}

/** Asks under which tag the people of a file are to be kept. */
export async function askKeep(ctx: RequestContext, draftId: string, version: number): Promise<void> {
  await ctx.ask(KEEP_FORM, { draft: draftId, version: String(version) });
}

export async function askFill(ctx: RequestContext, draftId: string, version: number): Promise<void> {
  await ctx.ask(FILL_FORM, { draft: draftId, version: String(version) });
}

/** What the buttons of such a draft ask for. */
export function createBulkForms({ templates, people, find, head, change }: BulkFormsDeps): Command[] {
  return [
    defineCommand({
      name: TEXT_FORM,
      permission: 'send.bulk',
      about: null,
      args: {
        draft: carried,
        version: carried,
        fields: carried,
        unfit: { ...carried, optional: true },
        soFar: { ...carried, optional: true },
        text: {
          ...rowsTextArgument,
          take: null,
          ask: ({ locale }, { fields = '', soFar }) =>
            soFar === undefined ? texts(locale).askText(fields) : texts(locale).soFar(soFar),
          choices: async (ctx: RequestContext, known: Readonly<Record<string, string>>) => {
            const file = await find(ctx, known['draft'] ?? '');
            if (file === null || known['fields'] === '') return [];
            return fieldChoices(ctx, { ...file.bulk, text: file.draft.text }, known);
          },
        },
      },
      run: async (ctx, { draft: draftId, version, soFar = '', text: typed }) => {
        const file = await find(ctx, draftId);
        if (file === null) return;
        // What has been put together is given as the whole answer by its button; else it is gone on with.
        const whole = typed === soFar ? typed : continued(soFar, typed);
        const text = await textOrTemplate(ctx, whole, templates);
        if (text === null) {
          await ctx.say(textArgument.problem(ctx.locale, whole));
          await askText(ctx, file, Number(version));
          return;
        }
        if (await isRefused(ctx, file, Number(version), text)) return;
        await change(ctx, { id: draftId, version: Number(version) }, ({ bulk }) =>
          bulk.phone === null ? null : { bulk: recounted(bulk, 'counting'), text },
        );
      },
    }),
    defineCommand({
      name: COLUMN_FORM,
      permission: 'send.bulk',
      about: null,
      args: {
        draft: carried,
        version: carried,
        column: {
          schema: z.string().refine((typed) => !isBlank(typed)),
          take: null,
          usage: (locale) => texts(locale).usageFile,
          ask: ({ locale }) => texts(locale).askColumn,
          problem: (locale, typed) => texts(locale).noColumn(clip(typed, 60)),
          choices: async (ctx: RequestContext, known: Readonly<Record<string, string>>) => {
            const file = await find(ctx, known['draft'] ?? '');
            return (file?.bulk.columns ?? []).slice(0, COLUMNS_OFFERED).map((name, index) => ({
              label: `${ctx.format.number(index + 1)} · ${name}`,
              value: String(index + 1),
            }));
          },
        },
      },
      run: async (ctx, { draft: draftId, version, column }) => {
        const file = await find(ctx, draftId);
        if (file === null) return;
        const phone = findColumn(file.bulk, column);
        if (phone === null) {
          await ctx.say(texts(ctx.locale).noColumn(clip(column, 60)));
          await askColumn(ctx, draftId, Number(version));
          return;
        }
        await change(ctx, { id: draftId, version: Number(version) }, ({ bulk }) => ({
          bulk: choosePhone(bulk, phone),
        }));
      },
    }),
    defineCommand({
      name: HEADER_FORM,
      permission: 'send.bulk',
      about: null,
      args: {
        draft: carried,
        version: carried,
        row: {
          schema: z.string().refine((typed) => !isBlank(typed)),
          take: null,
          usage: (locale) => texts(locale).usageFile,
          ask: ({ locale }) => texts(locale).askHeader,
          problem: (locale) => texts(locale).askHeader,
          choices: async (ctx: RequestContext, known: Readonly<Record<string, string>>) => {
            const rows = await head(known['draft'] ?? '', ROWS_OFFERED);
            return [
              ...rows.map(([number, cells]) => {
                const words = cells
                  .filter((cell) => !isBlank(cell))
                  .map((cell) => shownCell(cell, ctx.format));
                const label = texts(ctx.locale).headerRow(ctx.format.number(number), words.join(' · '));
                return { label, value: String(number) };
              }),
              { label: texts(ctx.locale).noNames, value: '0' },
            ];
          },
        },
      },
      run: async (ctx, { draft: draftId, version, row }) => {
        const file = await find(ctx, draftId);
        if (
          file !== null &&
          !(await takeHeader(ctx, { head, change }, { ...file, version: Number(version) }, row))
        )
          await askHeader(ctx, draftId, Number(version));
      },
    }),
    defineCommand({
      name: KEEP_FORM,
      permission: 'books.write',
      about: null,
      args: { draft: carried, version: carried, tag: peopleTagArgument(people) },
      run: async (ctx, { draft: draftId, version, tag }) => {
        await change(ctx, { id: draftId, version: Number(version) }, ({ bulk }) =>
          bulk.step !== 'columns' || bulk.phone === null
            ? null
            : { bulk: { ...bulk, keep: { tag, outcome: null } } },
        );
      },
    }),
    defineCommand({
      name: FILL_FORM,
      permission: 'send.bulk',
      about: null,
      args: {
        draft: carried,
        version: carried,
        value: {
          schema: z.string().refine((typed) => checkMessage(typed).ok && typed.length <= FILL_UNITS),
          take: null,
          usage: (locale) => kitTexts(locale).usageText,
          ask: ({ locale }) => texts(locale).askFill,
          problem: (locale) => texts(locale).badFill,
        },
      },
      run: async (ctx, { draft: draftId, version, value }) => {
        await change(ctx, { id: draftId, version: Number(version) }, ({ bulk }) => ({
          bulk: chooseMissing(bulk, { way: 'default', value }),
        }));
      },
    }),
  ];
}

/** Takes the row that somebody means as the one of the names; false, and it is said, where there is none. */
export async function takeHeader(
  ctx: RequestContext,
  { head, change }: Pick<BulkFormsDeps, 'head' | 'change'>,
  { draft: { id }, version }: FileDraft & { readonly version: number },
  typed: string,
): Promise<boolean> {
  const rows = await head(id, ROWS_LOOKED_AT);
  const header = findHeader(rows, typed);
  if (header === null) {
    await ctx.say(texts(ctx.locale).noRow(clip(typed, 60), ctx.format.number(ROWS_LOOKED_AT)));
    return false;
  }
  await change(ctx, { id, version }, ({ bulk }) =>
    bulk.step === 'columns' ? { bulk: chooseHeader(bulk, rows, header) } : null,
  );
  return true;
}

/** A text put right, or else the fields that a press puts behind what there is of a text. */
export function fieldChoices(
  { locale }: RequestContext,
  columns: Pick<Bulk, 'columns' | 'phone'> & { readonly text: string },
  { unfit, soFar }: Readonly<Record<string, string>>,
): Choice[] {
  const t = texts(locale);
  const { columns: names, phone } = columns;
  const right = unfit === undefined ? null : withNearest(unfit, names);
  if (unfit !== undefined && right !== null) {
    const meant = readTemplate(unfit, names).unknown.flatMap(({ nearest }) => nearest ?? []);
    return [{ label: `✔ ${meant.map(inBraces).join(' ')}`, value: right }];
  }
  const text = soFar ?? columns.text;
  const offered = names
    .map((_, index) => index)
    .filter((index) => index !== phone)
    .slice(0, FIELDS_OFFERED);
  return [
    ...offered.map((index) => {
      const field = inBraces(fieldName(columns, index));
      return { label: field, known: { soFar: continued(text, field) } };
    }),
    ...(soFar === undefined ? [] : [{ label: t.useSoFar, value: soFar }]),
  ];
}

/** Why a text will not do for rows of these columns, and what would. */
export function textProblem(ctx: RequestContext, bulk: Pick<Bulk, 'columns'>, text: string): Html | null {
  const t = texts(ctx.locale);
  const template = readTemplate(text, bulk.columns);
  if (template.unknown.length > 0) {
    const told = template.unknown
      .slice(0, UNKNOWN_TOLD)
      .map(({ name, nearest }) => t.unknownField(clip(name, 60), nearest));
    return lines(...told, t.braces);
  }
  if (template.fields.length > 0 && !ctx.capabilities.has('multi'))
    return t.noMulti(credentialNames(ctx.locale, ctx.capabilities.missing('multi')));
  const length = ownLength(template);
  if (length > MESSAGE_CHARACTERS)
    return kitTexts(ctx.locale).badText('too_long', length, MESSAGE_CHARACTERS);
  return null;
}

function inBraces(name: string): string {
  return `{${name}}`;
}

/** Of what is in every message. */
function ownLength({ pieces }: Template): number {
  return pieces.reduce<number>((sum, piece) => (typeof piece === 'string' ? sum + piece.length : sum), 0);
}
