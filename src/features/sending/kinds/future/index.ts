import { GATEWAY_ZONE, jalaliTimeOf } from '../../../../domain/calendar.ts';
import { defineTexts } from '../../../../i18n/define.ts';
import type { Clock } from '../../../../ports/runtime.ts';
import type { Stores } from '../../../../storage/stores.ts';
import { defineCommand, type Argument, type Feature } from '../../../../telegram/feature.ts';
import { code, html, lines } from '../../../../telegram/html.ts';
import {
  createBeginDraft,
  draftLineArgument,
  typedRecipients,
  type BeginDraftDeps,
} from '../../../shared/new-draft.ts';
import { textArgument, typedNumbersArgument } from '../../../shared/shared-arguments.ts';
import { textOrTemplate } from '../../../shared/template-call.ts';
import { likelyTimes, readAhead, whenArgument, type LikelyDeps } from '../../../shared/when-argument.ts';

export interface FutureDeps extends BeginDraftDeps, LikelyDeps, Pick<Stores, 'templates'> {
  readonly clock: Clock;
}

const NEEDS = { rules: false, least: 300_000 } as const;

const timeArgument = {
  ...whenArgument(NEEDS),
  ask: ({ locale }) => texts(locale).ask,
} satisfies Argument;

/** Sends that the gateway keeps until their time. */
export function createFutureFeature(deps: FutureDeps): Feature {
  const { bindings, templates, clock } = deps;
  const begin = createBeginDraft(deps);
  return {
    name: 'future',
    topic: 'sending',
    commands: [
      defineCommand({
        name: 'future',
        permission: 'send.future',
        facet: 'futureSend',
        instead: 'schedule',
        followsEdits: true,
        about: (locale) => texts(locale).about,
        example: (locale) => texts(locale).example,
        args: {
          when: { ...timeArgument, choices: likelyTimes(deps, NEEDS) },
          numbers: typedNumbersArgument,
          text: textArgument,
          line: draftLineArgument(bindings),
        },
        run: async (ctx, { when, numbers, text: typed, line: chosen }) => {
          const read = readAhead(when, { ...NEEDS, now: clock.now(), format: ctx.format });
          if ('problem' in read) {
            // All but the time was good: it alone is asked for again.
            const rest = chosen === undefined ? {} : { line: chosen };
            return await ctx.ask('future', { numbers: numbers.typed, text: typed, ...rest }, when);
          }
          const text = await textOrTemplate(ctx, typed, templates);
          if (text === null) {
            await ctx.ask('future', { when, numbers: numbers.typed }, typed);
            return;
          }
          const outgoing = { kind: 'future', ...toTheMinute(read.at) } as const;
          await begin(ctx, chosen, { outgoing, text, ...typedRecipients(numbers) });
        },
      }),
    ],
  };
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

export const texts = defineTexts({
  en: {
    about: 'send later, kept by the gateway itself until then',
    example: '/future tomorrow 9:00 09121234567 Hello',
    ask: lines(
      html`When should it be sent?`,
      html`For example ${code('tomorrow 9:00')}, ${code('2026-12-24 18:30')}, ${code('1405/10/03 18:30')} or ${code('in 2h')}.`,
    ),
  },
  fa: {
    about: 'ارسال در زمانی دیگر که خود پنل پیامک تا آن وقت نگه می‌دارد',
    example: '/future فردا ۹:۰۰ 09121234567 سلام',
    ask: lines(
      html`کی ارسال شود؟`,
      html`مثلاً ${code('فردا ۹ صبح')}، ${code('1405/10/03 18:30')}، ${code('2026-12-24 18:30')} یا ${code('۲ ساعت دیگر')}`,
    ),
  },
});
