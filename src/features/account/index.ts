import type { Charts } from '../../ports/charts.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import { sayPicture } from '../../telegram/picture-answer.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import { lines } from '../../telegram/html.ts';
import { burnCaption, burnPicture, leftText } from './burn-card.ts';
import { createBurns } from './burn.ts';
import { operatorPriceLines, pricesLine, scheduledLines } from './credit-card.ts';
import { readCredit } from './credit.ts';
import { texts } from './texts.ts';

export interface AccountDeps extends Pick<Stores, 'gauges'> {
  readonly gateways: Gateways;
  readonly charts: Charts;
  readonly clock: Clock;
}

/** What the linked account is and what it has left. */
export function createAccountFeature({ gateways, gauges, charts, clock }: AccountDeps): Feature {
  const burns = createBurns(clock);

  return {
    name: 'account',
    topic: 'account',
    commands: [
      defineCommand({
        name: 'account',
        alsoCalled: ['حساب'],
        permission: 'account.view',
        facet: 'account',
        about: (locale) => texts(locale).aboutAccount,
        args: {},
        run: async (ctx) => {
          if (ctx.binding === null) return;
          const gateway = await gateways.of(ctx.binding.id);
          const details = await gateway.use('account').details();
          const credit =
            details.credit ?? (gateway.has('credit') ? await gateway.use('credit').credit() : undefined);
          const expires = details.expiresAt === undefined ? undefined : new Date(details.expiresAt * 1000);
          await ctx.say(
            texts(ctx.locale).account({
              name: details.fullName ?? ctx.binding.accountName,
              company: details.company,
              type: details.type,
              tariff: details.tariff,
              credit: credit === undefined ? undefined : ctx.format.rial(credit),
              expires: expires === undefined ? undefined : ctx.format.date(expires),
              expired: expires !== undefined && expires < clock.now(),
              keyTail: ctx.binding.keyTail,
              line: ctx.binding.line,
            }),
          );
        },
      }),
      defineCommand({
        name: 'credit',
        alsoCalled: [
          'balance',
          'money',
          'price',
          'cost',
          'costs',
          'اعتبار',
          'موجودی',
          'پول',
          'پولم',
          'قیمت',
          'هزینه',
          'تعرفه',
          'topup',
          'charge',
          'مانده',
          'شارژ',
        ],
        everyday: true,
        permission: 'credit.view',
        facet: 'credit',
        about: (locale) => texts(locale).aboutCredit,
        args: {},
        run: async (ctx) => {
          if (ctx.binding === null) return;
          const { format, binding } = ctx;
          const gateway = await gateways.of(binding.id);
          const { credit, pace } = await readCredit({ gauges, clock }, binding.id, gateway);
          const [gauge, scheduled] = await Promise.all([gauges.of(binding.id), gauges.scheduled(binding.id)]);
          const committed = gauge?.committed ?? 0;
          const t = texts(ctx.locale);
          await ctx.say(
            lines(
              t.credit(format.rial(credit), binding.accountName, format.time(clock.now())),
              pace !== null &&
                t.pace(format.rial(pace.rialPerDay), pace.daysLeft === null ? null : leftText(ctx, pace)),
              pricesLine(gauge?.prices ?? null, format),
              ...operatorPriceLines(gauge?.prices ?? null, format),
              ...scheduledLines(scheduled, { credit, committed }, format),
            ),
          );
          // The words wait for no picture: what they say is what people ask for.
          if (pace === null || !gateway.has('counts')) return;
          const of = { bindingId: binding.id, timeZone: format.timeZone };
          const days = await burns.of(gateway.use('counts'), of);
          if (days === null) return;
          const shown = { credit, spokenFor: committed + scheduled.rial, pace, days };
          await sayPicture(
            ctx,
            () => charts.draw(burnPicture(ctx, shown, clock.now())),
            burnCaption(ctx, days),
          );
        },
      }),
    ],
  };
}
