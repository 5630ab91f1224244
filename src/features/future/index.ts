import { z } from 'zod';
import { splitNumbersAndText } from '../../domain/phone.ts';
import { readMoment } from '../../i18n/moment.ts';
import { jalaliTimeOf } from '../../i18n/jalali.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { BindingStore, DraftStore } from '../../ports/stores.ts';
import { defineCommand, type Argument, type Feature } from '../../telegram/feature.ts';
import { clip } from '../../telegram/html.ts';
import { draftLine, draftLineArgument, draftOf } from '../../telegram/new-draft.ts';
import { numbersArgument, textArgument } from '../../telegram/shared-arguments.ts';
import { texts } from './texts.ts';

export interface FutureDeps {
  readonly drafts: DraftStore;
  readonly bindings: BindingStore;
  readonly clock: Clock;
  readonly cards: { refresh(draftId: string): Promise<void> };
}

const LEAST_MS = 300_000;
const MOST_MS = 366 * 86_400_000;
const MOST_WORDS_OF_TIME = 8;
/** The gateway lives there and is told times as its wall shows them. */
const GATEWAY_ZONE = 'Asia/Tehran';

/** Which zone is meant shows when it is used; whether it is a time at all shows anywhere. */
const anywhere = () => ({ now: new Date(), timeZone: 'UTC' });

const whenArgument = {
  schema: z.string().refine((typed) => readMoment(typed.trim(), anywhere())?.taken === typed.trim().length),
  take: (input: string) => {
    const found = readMoment(input, anywhere());
    const end = found?.taken ?? beforeNumbers(input);
    return { value: input.slice(0, end).trim(), rest: input.slice(end) };
  },
  usage: (locale) => texts(locale).usageWhen,
  ask: ({ locale }) => texts(locale).ask,
  problem: (locale, typed) => texts(locale).bad(clip(typed, 60)),
} satisfies Argument;

/** Also as they were typed: what was wrong with the time is asked again with the numbers as they are. */
const typedNumbers = {
  ...numbersArgument,
  schema: z.string().transform((typed, ctx) => {
    const parsed = numbersArgument.schema.safeParse(typed);
    if (parsed.success) return { ...parsed.data, typed };
    ctx.addIssue({ code: 'custom', message: 'no recipient' });
    return z.NEVER;
  }),
} satisfies Argument;

/** Sends that the gateway keeps until their time. */
export function createFutureFeature({ drafts, bindings, clock, cards }: FutureDeps): Feature {
  return {
    name: 'future',
    topic: 'sending',
    commands: [
      defineCommand({
        name: 'future',
        permission: 'send.future',
        facet: 'futureSend',
        about: (locale) => texts(locale).about,
        example: (locale) => texts(locale).example,
        args: {
          when: whenArgument,
          numbers: typedNumbers,
          text: textArgument,
          line: draftLineArgument(bindings),
        },
        run: async (turn, { when, numbers, text, line: chosen }) => {
          const t = texts(turn.locale);
          const now = clock.now();
          const at = readMoment(when, { now, timeZone: turn.format.timeZone })?.at;
          const ahead = (at?.getTime() ?? 0) - now.getTime();
          if (at === undefined || ahead < LEAST_MS || ahead > MOST_MS) {
            await turn.say(
              at === undefined ? t.bad(clip(when, 60)) : ahead < LEAST_MS ? t.tooSoon : t.tooFar,
            );
            // All but the time was good: it alone is asked for again.
            await turn.ask('future', {
              numbers: numbers.typed,
              text,
              ...(chosen === undefined ? {} : { line: chosen }),
            });
            return;
          }
          const line = await draftLine(turn, chosen, bindings);
          if (line === null) return;
          const { id } = await drafts.create(
            draftOf(turn, {
              outgoing: { kind: 'future', ...toTheMinute(at) },
              text,
              line,
              recipients: numbers.recipients,
              repeated: numbers.repeated.map(({ raw, recipient }) => ({ raw, reason: recipient })),
              invalid: numbers.invalid,
            }),
          );
          await cards.refresh(id);
        },
      }),
    ],
  };
}

/** Where the first number begins, so that a time in a form that nobody knows keeps its words together; else the first word's end. */
function beforeNumbers(input: string): number {
  const words = [...input.matchAll(/\S+\s*/gu)].slice(0, MOST_WORDS_OF_TIME);
  const numbers = words.find(
    ({ index }, at) => at > 0 && splitNumbersAndText(input.slice(index)).numbers !== '',
  );
  const [first] = words;
  return numbers?.index ?? (first === undefined ? input.length : first.index + first[0].length);
}

/** The gateway knows no seconds: what is shown and what is asked of it are the same minute. */
function toTheMinute(at: Date) {
  const minute = new Date(Math.floor(at.getTime() / 60_000) * 60_000);
  const { year, month, day, hour, minute: minutes } = jalaliTimeOf(minute, GATEWAY_ZONE);
  const two = (value: number): string => String(value).padStart(2, '0');
  return {
    at: minute.getTime() / 1000,
    local: { year: String(year), month: two(month), day: two(day), hour: two(hour), minute: two(minutes) },
  };
}
