import { FAILURES_PERCENT, FIRST_KINDS, type AlertKind } from '../../domain/alerts.ts';
import type { DestinationChange, DestinationView } from '../../ports/alerts.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Stores } from '../../storage/stores.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import { clip, lines, type Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { doerOf } from '../shared/doer.ts';
import { alertActions } from './actions.ts';
import { createAlarmActions } from './alarm-actions.ts';
import { wantedArgument, type Wanted } from './arguments.ts';
import { createPlaceActions, DEFAULT_DIGEST_AT } from './place-actions.ts';
import { nameOf, settingsCard, destinationCard } from './settings-card.ts';
import { texts } from './texts.ts';

export interface AlertsFeatureDeps extends Pick<
  Stores,
  'destinations' | 'alarms' | 'links' | 'notifications'
> {
  readonly tables: Pick<Tables, 'write'>;
  readonly clock: Clock;
}

const MANAGE = 'alerts.manage';
const PLACE = 'alert_place';
const LINK_SECONDS = 600;
/** Each is asked about at Telegram. */
const MOST_OFFERED = 10;

/** What the team is told without asking: where, which, from when on; and who sees to it. */
export function createAlertsFeature({
  destinations,
  alarms,
  links,
  notifications,
  tables,
  clock,
}: AlertsFeatureDeps): Feature {
  const cardOf = async (ctx: RequestContext) =>
    settingsCard(ctx, {
      destinations: await destinations.of(ctx.chat.id),
      settings: await alarms.settings(ctx.chat.id),
      now: clock.now(),
    });

  const sayCard = async (ctx: RequestContext, said: Html): Promise<void> => {
    const { content, buttons } = await cardOf(ctx);
    await ctx.say(lines(said, content), { buttons });
  };

  const changeHere = async (ctx: RequestContext, change: DestinationChange, said: Html): Promise<void> => {
    const t = texts(ctx.locale);
    const here = placeHere(ctx, await destinations.of(ctx.chat.id));
    const done = here === null ? null : await destinations.change(ctx.chat.id, here.id, change, doerOf(ctx));
    if (done === null) await ctx.say(t.notHere);
    else await sayCard(ctx, t.changed(said));
  };

  const addPlace = async (
    ctx: RequestContext,
    place: {
      telegramId: number | null;
      threadId: number | null;
      title: string;
      type?: 'group' | 'supergroup' | 'channel';
    },
  ): Promise<void> => {
    const t = texts(ctx.locale);
    const before = await destinations.of(ctx.chat.id);
    const id = await destinations.add({
      ...place,
      chatId: ctx.chat.id,
      kinds: FIRST_KINDS,
      lang: ctx.locale,
      ...doerOf(ctx),
    });
    const isNew = !before.some((destination) => destination.id === id);
    const destination = await destinations.get(id);
    const name = destination === null ? place.title : nameOf(ctx, destination);
    const { content, buttons } = destination === null ? await cardOf(ctx) : destinationCard(ctx, destination);
    await ctx.rewrite(lines(isNew ? t.added(name) : t.addedBefore(name), content), { buttons });
  };

  const addElsewhere = async (
    ctx: RequestContext,
    place: string | number,
    typed = String(place),
  ): Promise<void> => {
    const t = texts(ctx.locale);
    const right = await ctx.postingRight(place);
    if (right.ok) {
      if (right.telegramId === ctx.chat.telegramId)
        return await addPlace(ctx, { telegramId: null, threadId: null, title: '' });
      return await addPlace(ctx, { ...right, threadId: null });
    }
    const why = { not_there: t.notThere, bot: t.botMayNot, person: t.personMayNot }[right.reason];
    await ctx.rewrite(why(typed), {
      buttons: [[alertActions.list.button(t.back, {}), alertActions.offer.button(t.add, {})]],
    });
  };

  /** Titles are for those who are shown them: nothing of a place is said before Telegram has named this person its administrator. */
  const offer = async (ctx: RequestContext): Promise<void> => {
    const t = texts(ctx.locale);
    if (!ctx.isPrivate) {
      const token = await links.mint({
        purpose: PLACE,
        chatId: ctx.chat.id,
        personId: ctx.person.id,
        ttlSeconds: LINK_SECONDS,
      });
      const url = ctx.startLink(`p_${token}`);
      await ctx.say(t.inPrivate, { buttons: [[{ label: t.goPrivate, url }]] });
      return;
    }
    const near = await destinations.near(ctx.chat.id, MOST_OFFERED);
    const rights = await Promise.all(near.map(async (place) => await ctx.postingRight(place)));
    const places = rights.filter((right) => right.ok);
    await ctx.rewrite(
      lines(t.head(ctx.isAway ? ctx.chat.title : ''), places.length > 0 ? t.choose : t.noneNear, t.how),
      {
        buttons: [
          ...places.map(({ telegramId, title }) => [
            alertActions.add.button(t.offer(title), { telegramId, title: clip(title, 60) }),
          ]),
          [alertActions.list.button(t.back, {}), alertActions.offer.button(t.again, {})],
        ],
      },
    );
  };

  const set = async (ctx: RequestContext, wanted: Wanted): Promise<void> => {
    const t = texts(ctx.locale);
    const { format } = ctx;
    const by = doerOf(ctx);
    switch (wanted.what) {
      case 'credit':
        await alarms.setThreshold(ctx.chat.id, 'credit', wanted.rial, by);
        return await sayCard(
          ctx,
          t.changed(wanted.rial === null ? t.creditDefault : t.creditSet(format.rial(wanted.rial))),
        );
      case 'failures':
        await alarms.setThreshold(ctx.chat.id, 'failures', wanted.percent, by);
        return await sayCard(
          ctx,
          t.changed(t.failuresSet(format.percent((wanted.percent ?? FAILURES_PERCENT) / 100))),
        );
      case 'unanswered': {
        const here = placeHere(ctx, await destinations.of(ctx.chat.id));
        if (here === null) return void (await ctx.say(t.notHere));
        const { minutes } = wanted;
        if (minutes !== null) await alarms.setThreshold(ctx.chat.id, 'unanswered', minutes, by);
        return await changeHere(
          ctx,
          { kinds: kindsWith(here, 'unanswered', minutes !== null) },
          minutes === null ? t.unansweredNone : t.unansweredSet(format.duration(minutes * 60_000)),
        );
      }
      case 'quiet':
        return await changeHere(
          ctx,
          { quiet: wanted.hours },
          wanted.hours === null
            ? t.quietNone
            : t.quietSet(format.clock(wanted.hours.from), format.clock(wanted.hours.to)),
        );
      case 'digest':
      case 'week': {
        const here = placeHere(ctx, await destinations.of(ctx.chat.id));
        if (here === null) return void (await ctx.say(t.notHere));
        return await changeHere(ctx, digestChange(here, wanted), digestSaid(ctx, wanted));
      }
      case 'here':
        return await addPlace(ctx, {
          telegramId: null,
          threadId: ctx.threadId ?? null,
          title: ctx.threadTitle ?? '',
        });
      case 'place':
        return await addElsewhere(ctx, wanted.place);
    }
  };

  return {
    name: 'alerts',
    topic: 'team',
    commands: [
      defineCommand({
        name: 'alerts',
        alsoCalled: ['notifications', 'mute', 'unmute', 'هشدار', 'اعلانها', 'بیصدا'],
        permission: MANAGE,
        about: (locale) => texts(locale).about,
        example: (locale) => texts(locale).example,
        args: { wanted: wantedArgument },
        run: async (ctx, { wanted }) => {
          if (wanted !== undefined) return await set(ctx, wanted);
          const { content, buttons } = await cardOf(ctx);
          await ctx.say(content, { buttons });
        },
      }),
    ],
    starts: {
      p: async (ctx, token) => {
        const link = await links.claim(token, ctx.person.id, ctx.updateId);
        if (link === null || link.purpose !== PLACE) return void (await ctx.say(texts(ctx.locale).linkGone));
        const there = await ctx.atHome(link.chat);
        if (there.can(MANAGE)) await offer(there);
        else await ctx.say(texts(ctx.locale).notAdmin);
      },
    },
    actions: [
      ...createPlaceActions({ destinations, cardOf }),
      alertActions.offer.does(offer),
      alertActions.add.does(async (ctx, { telegramId, title }) => await addElsewhere(ctx, telegramId, title)),
      ...createAlarmActions({
        destinations,
        alarms,
        notifications,
        tables,
        clock,
        showCard: async (ctx) => {
          const { content, buttons } = await cardOf(ctx);
          await ctx.rewrite(content, { buttons });
        },
      }),
    ],
  };
}

/** The place in which somebody speaks, as a destination: the topic where that is one, else the chat itself. */
function placeHere(ctx: RequestContext, all: readonly DestinationView[]): DestinationView | null {
  const here = all.filter((destination) => destination.telegramId === ctx.chat.telegramId);
  const topic = here.find(({ threadId }) => threadId !== null && threadId === ctx.threadId);
  return topic ?? here.find(({ threadId }) => threadId === null) ?? null;
}

function digestChange(
  here: DestinationView,
  wanted: Extract<Wanted, { what: 'digest' | 'week' }>,
): DestinationChange {
  if (wanted.what === 'week') {
    if (wanted.day === null) return { digestDay: null };
    return {
      kinds: kindsWith(here, 'digest', true),
      digestDay: wanted.day,
      digestAt: here.digestAt ?? DEFAULT_DIGEST_AT,
    };
  }
  return { kinds: kindsWith(here, 'digest', wanted.at !== null), digestAt: wanted.at };
}

function kindsWith({ kinds }: DestinationView, kind: AlertKind, isOn: boolean): readonly AlertKind[] {
  const others = kinds.filter((each) => each !== kind);
  return isOn ? [...others, kind] : others;
}

function digestSaid(ctx: RequestContext, wanted: Extract<Wanted, { what: 'digest' | 'week' }>): Html {
  const t = texts(ctx.locale);
  if (wanted.what === 'week') return wanted.day === null ? t.weekNone : t.weekSet(t.days[wanted.day] ?? '');
  return wanted.at === null ? t.digestNone : t.digestSet(ctx.format.clock(wanted.at));
}
