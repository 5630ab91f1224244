import { MOST_DATE_SENDS } from '../../../domain/date-send.ts';
import { travelsInAddress } from '../../../domain/kinds/multi.ts';
import type { DateSend, DateSendView } from '../../../ports/date-sends.ts';
import type { Clock } from '../../../ports/runtime.ts';
import type { Stores } from '../../../storage/stores.ts';
import { defineCommand, isComplete, readLine, takeRest, type Feature } from '../../../telegram/feature.ts';
import { joinHtml, lines, type Html } from '../../../telegram/html.ts';
import { defineList } from '../../../telegram/list.ts';
import type { RenderedCard } from '../../../telegram/outgoing/notifier.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { chatDoerOf } from '../../shared/doer.ts';
import { dateActions } from './actions.ts';
import { carried } from '../../shared/shared-arguments.ts';
import { orderRow, proposalCard } from './date-card.ts';
import { createDateForm, NEW_FORM, typedRule, type DateFormDeps } from './forms.ts';
import { surveyDates, type DateSurvey } from './survey.ts';
import { texts } from './texts.ts';

export interface DatesDeps
  extends Omit<DateFormDeps, 'propose'>, Pick<Stores, 'dateSends' | 'gauges' | 'limits'> {
  readonly clock: Pick<Clock, 'now'>;
}

const PER_PAGE = 5;

/** Standing orders to send by people's dates: a birthday, three days before the end of a contract. */
export function createDatesFeature(deps: DatesDeps): Feature {
  const { dateSends, people, gauges, limits, clock } = deps;

  const survey = async (ctx: RequestContext, order: DateSend): Promise<DateSurvey> => {
    const { binding, capabilities, chat, format } = ctx;
    const inAddress = binding !== null && travelsInAddress(capabilities.versions);
    const place = { chatId: chat.id, now: clock.now(), timeZone: format.timeZone, inAddress };
    return await surveyDates(people, order, place);
  };

  const proposal = async (
    ctx: RequestContext,
    order: DateSendView,
    changes: string | null,
  ): Promise<RenderedCard> =>
    proposalCard(ctx, order, {
      changes,
      survey: await survey(ctx, order),
      gauge: ctx.binding === null ? null : await gauges.of(ctx.binding.id),
      limits: await limits.of(ctx.chat.id),
    });

  const full = ({ locale, format }: RequestContext): Html =>
    texts(locale).full(format.number(MOST_DATE_SENDS));

  const form = createDateForm({
    ...deps,
    propose: async (ctx, order, changes) => {
      const made = await dateSends.propose({
        ...chatDoerOf(ctx),
        ...order,
        isChange: changes !== null,
        botId: ctx.bot.id,
        threadId: ctx.threadId,
      });
      if (made === null) return void (await ctx.say(full(ctx)));
      const { content, buttons } = await proposal(ctx, made, changes);
      await ctx.say(content, { buttons });
    },
  });

  const list = defineList({
    pages: dateActions.page,
    source: async (ctx, { page }) => {
      const found = await dateSends.list(ctx.chat.id, { skip: (page - 1) * PER_PAGE, limit: PER_PAGE });
      const orders: { readonly order: DateSendView; readonly survey: DateSurvey }[] = [];
      for (const order of found.orders) orders.push({ order, survey: await survey(ctx, order) });
      return { orders, all: found.all, page, pages: Math.ceil(found.all / PER_PAGE) };
    },
    card: (ctx, { orders, all, page }) => {
      const t = texts(ctx.locale);
      const add = [dateActions.add.button(t.add, {})];
      if (orders.length === 0) return { content: t.none, buttons: [add] };
      const place = (at: number): number => (page - 1) * PER_PAGE + at + 1;
      const rows = orders.map(({ order, survey: found }, at) =>
        orderRow(ctx, order, { place: place(at), survey: found }),
      );
      return {
        content: lines(t.head(ctx.format.count(all, t.orders)), joinHtml(rows, '\n\n')),
        rowButtons: orders.map(({ order: { id, state } }, at) => {
          const number = ctx.format.number(place(at));
          return [
            state === 'on'
              ? dateActions.pause.button(t.pause(number), { id, page })
              : dateActions.resume.button(t.resume(number), { id, page }),
            dateActions.retext.button(t.retext(number), { id }),
            dateActions.end.button(t.end(number), { id, page }),
          ];
        }),
        buttons: [add],
      };
    },
  });

  /** Asks for what is missing or will not do; begins with the people that there are. */
  const begin = async (ctx: RequestContext, typed: Readonly<Record<string, string>>): Promise<void> => {
    const { tags } = await people.overview(ctx.chat.id);
    if (tags.length === 0) return void (await ctx.say(texts(ctx.locale).noPeople));
    await (isComplete(ctx, form, typed) ? form.run(ctx, typed) : ctx.ask(NEW_FORM, typed));
  };

  const moved =
    (name: 'pause' | 'resume' | 'end', said: 'paused' | 'resumed' | 'ended') =>
    async (
      ctx: RequestContext,
      { id, page }: { readonly id: string; readonly page: number },
    ): Promise<void> => {
      const t = texts(ctx.locale);
      const order = await dateSends.move(name, { ...chatDoerOf(ctx), id });
      await list.show(ctx, { page }, order === null ? t.gone : t[said](order.field, order.tag));
    };

  return {
    name: 'dates',
    topic: 'sending',
    commands: [
      defineCommand({
        name: 'dates',
        alsoCalled: ['مناسبت', 'مناسبتی', 'تولد', 'تاریخ', 'birthday', 'birthdays'],
        permission: 'send.schedule',
        facet: 'multi',
        about: (locale) => texts(locale).about,
        example: (locale) => texts(locale).example,
        args: {
          order: {
            ...carried,
            take: takeRest,
            usage: (locale) => texts(locale).usageOrder,
            optional: true,
          },
        },
        run: async (ctx, { order }) => {
          if (order === undefined) return await list.say(ctx, { page: 1 });
          await begin(ctx, readLine(form, order));
        },
      }),
      form,
    ],
    actions: [
      ...list.actions,
      dateActions.add.does(async (ctx) => await begin(ctx, {})),
      dateActions.retext.does(async (ctx, { id }) => {
        const t = texts(ctx.locale);
        const order = await dateSends.one(ctx.chat.id, id);
        if (order === null) return void (await ctx.say(t.gone));
        const known = { ...typedRule(order), line: order.line, changes: id };
        await ctx.ask(NEW_FORM, known, t.textNow(order.text));
      }),
      dateActions.on.does(async (ctx, { id, changes }) => {
        const t = texts(ctx.locale);
        const order =
          changes === undefined
            ? await dateSends.move('switch_on', { ...chatDoerOf(ctx), id })
            : await dateSends.change({ ...chatDoerOf(ctx), id: changes, by: id });
        if (order === null) return await ctx.rewrite(t.gone);
        if (order.state === 'proposed') {
          const { content, buttons } = await proposal(ctx, order, null);
          return await ctx.rewrite(lines(content, '', full(ctx)), { buttons });
        }
        const row = orderRow(ctx, order, { place: null, survey: await survey(ctx, order) });
        await ctx.rewrite(lines(changes === undefined ? t.isOn : t.isChanged, row));
      }),
      dateActions.drop.does(async (ctx, { id, changes }) => {
        const t = texts(ctx.locale);
        const order = await dateSends.move('end', { ...chatDoerOf(ctx), id });
        const said = changes === undefined ? t.isCancelled : t.staysAsItWas;
        await ctx.rewrite(order === null ? t.gone : said);
      }),
      dateActions.pause.does(moved('pause', 'paused')),
      dateActions.resume.does(moved('resume', 'resumed')),
      dateActions.end.does(moved('end', 'ended')),
    ],
  };
}
