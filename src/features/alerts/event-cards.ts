import { z } from 'zod';
import { SEND_EVENTS } from '../../domain/alerts.ts';
import { OPERATORS } from '../../domain/operator.ts';
import { isolateAuto, type Format } from '../../i18n/format.ts';
import type { DeskFacts, DigestFacts, InboundBrief, Notification } from '../../ports/alerts.ts';
import type { CardView } from '../../ports/stores.ts';
import { clip, clipLine, code, lines, type Html } from '../../telegram/html.ts';
import { inert } from '../../telegram/inert.ts';
import { countOf, standingsOf } from '../shared/count-words.ts';
import { operatorTexts } from '../shared/operator-texts.ts';
import { eventTexts } from './event-texts.ts';

const jobFacts = z.object({
  event: z.enum(SEND_EVENTS),
  reason: z.string().nullable().catch(null),
});
const share = { failed: z.number(), all: z.number() };
const failureFacts = z.object({
  ...share,
  /** An older program has not counted by operator. */
  operator: z
    .object({ operator: z.enum(OPERATORS), ...share, elsewhere: z.object(share) })
    .nullable()
    .catch(null),
});
const digestFacts = z.object({ span: z.enum(['day', 'week']), from: z.number(), to: z.number() });

/** What has become of a send, as it is now. */
export function jobText(notification: Notification, view: CardView, format: Format): Html | null {
  const t = eventTexts(format.locale);
  const facts = jobFacts.safeParse(notification.facts).data;
  const { job, draft } = view;
  if (facts === undefined || job === null) return null;
  switch (facts.event) {
    case 'asks':
      // Whoever was quicker has decided.
      return job.asked === 0 ? null : t.asks(draft.code, format.count(job.asked, t.messages));
    case 'missed':
      return job.state === 'missed' ? t.missed(draft.code) : null;
    case 'stopped': {
      const why = new Map<string, string>(Object.entries(t.reasons)).get(facts.reason ?? '');
      return t.stopped(draft.code, why ?? t.reasons.other, numbersOf(job, format));
    }
    case 'ended':
      return t.ended(draft.code, numbersOf(job, format));
  }
}

export function failureText(notification: Notification, view: CardView, format: Format): Html | null {
  const facts = failureFacts.safeParse(notification.facts).data;
  if (facts === undefined) return null;
  const { failed, all, operator: worst } = facts;
  const t = eventTexts(format.locale);
  const shareOf = (of: { readonly failed: number; readonly all: number }): string =>
    format.percent(of.failed / of.all);
  return lines(
    t.failures(view.draft.code, format.number(failed), format.number(all), shareOf(facts)),
    worst !== null &&
      t.failuresMost(
        operatorTexts(format.locale).names[worst.operator],
        shareOf(worst),
        shareOf(worst.elsewhere),
      ),
  );
}

/** When a digest's day or week began and ended. */
export function digestSpan(
  notification: Notification,
): { span: 'day' | 'week'; from: Date; to: Date } | null {
  const facts = digestFacts.safeParse(notification.facts).data;
  if (facts === undefined) return null;
  return { span: facts.span, from: new Date(facts.from), to: new Date(facts.to) };
}

/** A day or a week in numbers; `desk`: how what was received was answered, where that is told. */
export function digestText(
  span: NonNullable<ReturnType<typeof digestSpan>>,
  facts: DigestFacts,
  format: Format,
  desk: DeskFacts | null = null,
): Html {
  const t = eventTexts(format.locale);
  const { number } = format;
  const sent = [
    ['given', facts.sent],
    ['delivered', facts.delivered],
    ['failed', facts.failed],
    ['blocked', facts.blocked],
    ['unknown', facts.unknown],
    ['on_wire', facts.onWire],
  ] as const;
  const said = sent.filter(([, count]) => count > 0).map(([what, count]) => countOf(what, count, format));
  return lines(
    t.digestHead(t[span.span], format.dateTime(span.from), format.dateTime(span.to)),
    said.length > 0 && t.digestSent(said.join(' · ')),
    said.length === 0 && (facts.received > 0 ? t.digestNoneSent : t.digestNothing),
    facts.received > 0 && t.digestReceived(number(facts.received)),
    ...deskLines(desk, format),
    facts.creditRial !== null && t.digestCredit(format.rial(facts.creditRial)),
    facts.scheduled > 0 && t.digestScheduled(number(facts.scheduled)),
    facts.questions > 0 && t.digestQuestions(number(facts.questions)),
  );
}

function deskLines(desk: DeskFacts | null, format: Format): (Html | false)[] {
  if (desk === null) return [];
  const t = eventTexts(format.locale);
  const { answered, medianSeconds, p90Seconds, by } = desk;
  const lasted = (seconds: number): string => format.duration(Math.max(1, Math.round(seconds)) * 1000);
  const people = by
    .slice(0, MAX_PEOPLE)
    .map(({ name, count }) => `${isolateAuto(clip(name, BRIEF_UNITS))} ${format.number(count)}`);
  const others = by.slice(MAX_PEOPLE).reduce((sum, { count }) => sum + count, 0);
  return [
    t.digestAnswered(format.number(answered)),
    medianSeconds !== null && p90Seconds !== null && t.digestWaits(lasted(medianSeconds), lasted(p90Seconds)),
    people.length > 0 && t.digestBy(people.join(' · '), others === 0 ? null : format.number(others)),
  ];
}

const MAX_PEOPLE = 6;
const BRIEF_UNITS = 60;
const MAX_BRIEF = 5;

/** Many in one: how many came to which line, and the first of them in short. */
export function foldText(messages: readonly InboundBrief[], others: readonly Html[], format: Format): Html {
  const t = eventTexts(format.locale);
  const byLine = Map.groupBy(messages, ({ line }) => line);
  const rest = messages.length - MAX_BRIEF;
  return lines(
    messages.length > 0 && t.foldHead(format.count(messages.length, t.messages)),
    ...(byLine.size < 2
      ? []
      : [...byLine].slice(0, 10).map(([line, all]) => t.foldLine(clip(line, 20), format.number(all.length)))),
    ...messages
      .slice(0, MAX_BRIEF)
      .map((message) =>
        t.foldOne(code(format.phone(message.sender)), inert(clipLine(message.text, BRIEF_UNITS))),
      ),
    rest > 0 && t.foldRest(format.number(rest)),
    ...others.slice(0, 20),
  );
}

function numbersOf(job: NonNullable<CardView['job']>, format: Format): string {
  const said = standingsOf(job).map(([what, count]) => countOf(what, count, format));
  return said.length === 0 ? eventTexts(format.locale).nobody : said.join(' · ');
}
