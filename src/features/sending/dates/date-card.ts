import { z } from 'zod';
import { isWithin, lineRuleOf, type Limits } from '../../../domain/limits.ts';
import { createLook } from '../../../domain/line-rules.ts';
import { measureMessage } from '../../../domain/message.ts';
import { encodedParts, estimate, type Gauge } from '../../../domain/price.ts';
import { createFormat, type Format } from '../../../i18n/format.ts';
import type { DateSend, DateSendView } from '../../../ports/date-sends.ts';
import { defineTask, type Task } from '../../../ports/runtime.ts';
import type { Stores } from '../../../storage/stores.ts';
import { clip, clipLine, lines, type Html } from '../../../telegram/html.ts';
import type { Notifier, RenderedCard } from '../../../telegram/outgoing/notifier.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { lineRuleTexts } from '../../shared/line-rule-texts.ts';
import { peopleTagTexts } from '../../shared/people-tag.ts';
import { skipReason } from '../../shared/skip-reasons.ts';
import { dateActions } from './actions.ts';
import { DAYS_AHEAD, type DateSurvey } from './survey.ts';
import { texts } from './texts.ts';

const NAME_UNITS = 40;
const TYPED_UNITS = 40;
const TEXT_UNITS = 160;

/** What is known beside an order where its card is drawn. */
export interface Around {
  readonly survey: DateSurvey;
  readonly gauge: Gauge | null;
  readonly limits: Pick<Limits, 'window' | 'lines'>;
  /** The order whose text it is to change; null: it is a new one. */
  readonly changes: string | null;
}

/** The card that asks whether to switch an order on, or to change its text: what it would do, to whom, when, and for how much. */
export function proposalCard(
  ctx: RequestContext,
  order: DateSendView,
  { survey, gauge, limits, changes }: Around,
): RenderedCard {
  const { format } = ctx;
  const t = texts(ctx.locale);
  const count = (of: number): string => format.count(of, peopleTagTexts(format.locale).people);
  const { good, empty, bad, badExample, unfit, sample } = survey;
  const content = lines(
    t.title(clip(order.field, NAME_UNITS), order.tag),
    whenText(order, format),
    t.from(order.line),
    '',
    sample !== null && t.sample(format.phone(sample.number), sample.text),
    sample !== null && costText(order, sample, gauge, format),
    ...warnings(ctx, order, sample?.text ?? order.text, limits),
    '',
    good > 0 && t.good(count(good)),
    empty > 0 && t.empty(count(empty)),
    badExample !== null && t.bad(count(bad), clip(badExample.typed, TYPED_UNITS)),
    unfit > 0 && t.unfit(count(unfit)),
    soonText(survey, order, format),
    good > 0 && t.promise,
  );
  const payload = { id: order.id, ...(changes === null ? {} : { changes }) };
  const label = changes === null ? t.switchOn : t.useText;
  return {
    content,
    buttons: [
      [
        (good > 0 || changes !== null) && dateActions.on.button(label, payload, { style: 'success' }),
        dateActions.drop.button(t.cancel, payload),
      ],
    ],
  };
}

/**
 * One order in the list of a chat's.
 * @param around `place`: in the list, from 1; null: it stands alone
 */
export function orderRow(
  { locale, format }: RequestContext,
  order: DateSendView,
  { place, survey }: { readonly place: number | null; readonly survey: DateSurvey },
): Html {
  const t = texts(locale);
  return lines(
    place === null
      ? t.title(clip(order.field, NAME_UNITS), order.tag)
      : t.row(format.number(place), order.state === 'on', clip(order.field, NAME_UNITS), order.tag),
    whenText(order, format),
    order.confirmedByName !== null && t.by(clip(order.confirmedByName, NAME_UNITS)),
    order.state === 'on' && order.confirmedByName === null && t.restored,
    order.state === 'on' && order.confirmedByName !== null && order.isOfOther && t.ofOther,
    order.state === 'on' && soonText(survey, order, format),
    `💬 ${clipLine(order.text, TEXT_UNITS)}`,
  );
}

/** That a send was made by an order, as a line of its card. */
export function byDateNote(byDate: Pick<DateSend, 'tag' | 'field'>, locale: Format['locale']): Html {
  return texts(locale).byDate(clip(byDate.field, NAME_UNITS), byDate.tag);
}

function whenText({ daysBefore, minute, yearly }: DateSend, format: Format): Html {
  const t = texts(format.locale);
  const days = format.count(Math.abs(daysBefore), t.days);
  const away = daysBefore === 0 ? t.onTheDay : daysBefore > 0 ? t.before(days) : t.after(days);
  return t.when(away, format.clock(minute), yearly);
}

function soonText({ people, good, soon, next }: DateSurvey, { tag }: DateSend, format: Format): Html {
  const t = texts(format.locale);
  const count = (of: number): string => format.count(of, peopleTagTexts(format.locale).people);
  const days = format.count(DAYS_AHEAD, t.days);
  if (people === 0) return t.nobody(tag);
  if (good === 0) return t.noDates;
  if (next === null) return t.nobodySoon(days);
  return t.next(format.dateTime(next.at), count(next.people), days, count(soon));
}

function costText(
  { line }: DateSend,
  { number, text }: NonNullable<DateSurvey['sample']>,
  gauge: Gauge | null,
  format: Format,
): Html {
  const t = texts(format.locale);
  const rows = [{ line, recipient: number, text, flash: false }];
  const parts = encodedParts({ outgoing: { kind: 'multi', rows }, text: '', recipients: [number] });
  const { price } = estimate(parts, gauge);
  return t.cost(
    format.count(measureMessage(text).parts, t.parts),
    price === null ? null : format.rial(price),
  );
}

/** What the rule of the line says of the text, and hours of the time, before they keep a send from leaving. */
function warnings(
  { locale, format }: RequestContext,
  { line, minute }: DateSend,
  text: string,
  { window, lines: rules }: Around['limits'],
): Html[] {
  const t = lineRuleTexts(locale);
  const rule = lineRuleOf(rules, line);
  const { words, lacks } = createLook(rule)(text);
  const closed = [window, rule.window].find((hours) => hours !== null && !isWithin(hours, minute));
  return [
    ...(lacks && rule.required !== null ? [t.lacks(rule.required, rule.line)] : []),
    ...(words.length > 0 ? [t.says(words)] : []),
    ...(closed === undefined || closed === null
      ? []
      : [texts(locale).closed(format.clock(closed.from), format.clock(closed.to))]),
  ];
}

/** Tells a chat that of those whose day it was nobody could be written to: there is no send whose card would say so. */
export function createDateTasks({
  dateSends,
  notifier,
}: {
  readonly dateSends: Pick<Stores['dateSends'], 'placeOf'>;
  readonly notifier: Pick<Notifier, 'tell'>;
}): Task[] {
  return [
    defineTask({
      name: 'nobody-fits',
      schema: z.object({ orderId: z.uuid(), count: z.int(), reason: z.string() }),
      run: async ({ orderId, count, reason }) => {
        const place = await dateSends.placeOf(orderId);
        if (place === null) return;
        const { chatTelegramId, threadId, chatId, lang, field, tag } = place;
        const t = texts(lang);
        const people = createFormat(lang, 'UTC').count(count, peopleTagTexts(lang).people);
        await notifier.tell(
          { chatTelegramId, threadId, messageId: null },
          {
            chatId,
            locale: lang,
            content: t.nobodyFits(field, tag, people, skipReason(lang, reason)),
            buttons: [],
          },
        );
      },
    }),
  ];
}
