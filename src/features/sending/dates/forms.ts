import { foldColumnName, nearestColumn } from '../../../domain/column-name.ts';
import { continued, withNearest } from '../../../domain/merge.ts';
import { fieldOf, NUMBER_COLUMN, personColumns } from '../../../domain/people.ts';
import { readPersonDate } from '../../../domain/person-date.ts';
import { parseTag } from '../../../domain/tag.ts';
import type { DateSend } from '../../../ports/date-sends.ts';
import type { Stores } from '../../../storage/stores.ts';
import { defineCommand, takeRest, type Command } from '../../../telegram/feature.ts';
import { clip } from '../../../telegram/html.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { draftLine, draftLineArgument } from '../../shared/new-draft.ts';
import { peopleTagTexts } from '../../shared/people-tag.ts';
import { carried } from '../../shared/shared-arguments.ts';
import { textOrTemplate } from '../../shared/template-call.ts';
import { fieldChoices, rowsTextArgument, textProblem } from '../bulk/forms.ts';
import { texts as bulkTexts } from '../bulk/texts.ts';
import { daysArgument, fieldArgument, repeatArgument, tagArgument, timeArgument } from './arguments.ts';
import { texts } from './texts.ts';

export const NEW_FORM = 'dates-new';

const OFFERED = 8;
const NAME_UNITS = 60;

export interface DateFormDeps extends Pick<Stores, 'people' | 'bindings' | 'templates'> {
  /** @param changes the order whose text it is to change; null: a new one */
  readonly propose: (ctx: RequestContext, order: DateSend, changes: string | null) => Promise<void>;
}

/** Asks for an order, one thing after the other; the whole of it in one line is read by the same. */
export function createDateForm({ people, bindings, templates, propose }: DateFormDeps): Command {
  /** The fields in which some of the first people have a date; where none have, all fields there are. */
  const dateFields = async (chatId: string, tag: string): Promise<readonly string[]> => {
    const names = await people.fieldNames(chatId, tag);
    for await (const block of people.each(chatId, tag)) {
      const dated = names.filter((name) =>
        block.some((person) => readPersonDate(fieldOf(person, name)) !== null),
      );
      return dated.length > 0 ? dated : names;
    }
    return names;
  };

  const columnsOf = async (ctx: RequestContext, tag: string): Promise<readonly string[]> =>
    personColumns(await people.fieldNames(ctx.chat.id, tag), ctx.locale);

  return defineCommand({
    name: NEW_FORM,
    permission: 'send.schedule',
    facet: 'multi',
    about: null,
    args: {
      tag: tagArgument(people),
      field: {
        ...fieldArgument,
        choices: async ({ chat }, known) =>
          (await dateFields(chat.id, parseTag(known['tag'] ?? '') ?? ''))
            .slice(0, OFFERED)
            .map((name) => ({ label: `📅 ${name}`, value: name })),
      },
      days: daysArgument,
      time: timeArgument,
      repeat: repeatArgument,
      changes: { ...carried, optional: true },
      unfit: { ...carried, optional: true },
      soFar: { ...carried, optional: true },
      text: {
        ...rowsTextArgument,
        take: takeRest,
        ask: ({ locale }, { soFar }) =>
          soFar === undefined ? texts(locale).askText : bulkTexts(locale).soFar(soFar),
        choices: async (ctx: RequestContext, known: Readonly<Record<string, string>>) =>
          fieldChoices(
            ctx,
            {
              columns: await columnsOf(ctx, parseTag(known['tag'] ?? '') ?? ''),
              phone: NUMBER_COLUMN,
              text: '',
            },
            known,
          ),
      },
      line: draftLineArgument(bindings),
    },
    run: async (
      ctx,
      { tag, field: typedField, days, time, repeat, changes, soFar = '', text: typed, line: chosen },
    ) => {
      const t = texts(ctx.locale);
      const rule = { yearly: repeat, daysBefore: days, minute: time };
      const known = {
        ...typedRule({ tag, field: typedField, ...rule }),
        ...(chosen === undefined ? {} : { line: chosen }),
        ...(changes === undefined ? {} : { changes }),
      };
      const { tags } = await people.overview(ctx.chat.id);
      if (!tags.some((each) => each.tag === tag)) {
        const { tag: _, ...rest } = known;
        return await ctx.ask(NEW_FORM, { ...rest, text: typed }, peopleTagTexts(ctx.locale).nobody(tag));
      }
      const fields = await people.fieldNames(ctx.chat.id, tag);
      const folded = foldColumnName(typedField);
      const field = fields.find((each) => foldColumnName(each) === folded);
      if (field === undefined) {
        const { field: _, ...rest } = known;
        const none = t.noField(clip(typedField, NAME_UNITS), nearestColumn(folded, fields));
        return await ctx.ask(NEW_FORM, { ...rest, text: typed }, none);
      }
      // What has been put together is given as the whole answer by its button; else it is gone on with.
      const whole = typed === soFar ? typed : continued(soFar, typed);
      const text = await textOrTemplate(ctx, whole, templates);
      const columns = personColumns(fields, ctx.locale);
      if (text === null) return await ctx.ask(NEW_FORM, known, whole);
      const problem = textProblem(ctx, { columns }, text);
      if (problem !== null) {
        const isNear = withNearest(text, columns) !== null;
        return await ctx.ask(NEW_FORM, { ...known, ...(isNear ? { unfit: text } : {}) }, problem);
      }
      const line = await draftLine(ctx, chosen, bindings);
      if (line === null) return;
      await propose(ctx, { tag, field, ...rule, text, line, lang: ctx.locale }, changes ?? null);
    },
  });
}

/** What is asked for before the text, as it is typed. */
export function typedRule({
  tag,
  field,
  yearly,
  daysBefore: days,
  minute,
}: Pick<DateSend, 'tag' | 'field' | 'yearly' | 'daysBefore' | 'minute'>) {
  return {
    tag,
    field,
    days: `${Math.abs(days)} days ${days < 0 ? 'after' : 'before'}`,
    time: `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`,
    repeat: yearly ? 'yearly' : 'once',
  };
}
