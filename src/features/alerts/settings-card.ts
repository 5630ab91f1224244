import { ALERT_KINDS, FAILURES_PERCENT, UNANSWERED_MINUTES } from '../../domain/alerts.ts';
import type { AlertSetting, DestinationView } from '../../ports/alerts.ts';
import { inRows } from '../../telegram/buttons.ts';
import { clip, html, lines, type Html } from '../../telegram/html.ts';
import type { RenderedCard } from '../../telegram/outgoing/notifier.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { alertActions } from './actions.ts';
import { kindTexts } from './kind-cards.ts';
import { texts } from './texts.ts';

export interface SettingsCard {
  readonly destinations: readonly DestinationView[];
  readonly settings: readonly AlertSetting[];
  readonly now: Date;
}

/** Where alerts go, the thresholds, and what is muted. */
export function settingsCard(
  ctx: RequestContext,
  { destinations, settings, now }: SettingsCard,
): RenderedCard {
  const t = texts(ctx.locale);
  const kinds = kindTexts(ctx.locale);
  const { format } = ctx;
  const of = (kind: AlertSetting['kind']) => settings.find((setting) => setting.kind === kind);
  const credit = of('credit')?.threshold ?? null;
  const failures = of('failures')?.threshold ?? FAILURES_PERCENT;
  const isWaitTold = destinations.some(({ kinds: on }) => on.includes('unanswered'));
  const minutes = of('unanswered')?.threshold ?? UNANSWERED_MINUTES;
  const muted = settings.flatMap(({ kind, mutedUntil, mutedBy }) =>
    mutedUntil !== null && mutedUntil > now ? [{ kind, mutedUntil, mutedBy }] : [],
  );
  return {
    content: lines(
      t.head(ctx.isAway ? ctx.chat.title : ''),
      ...destinations.map((destination) => destinationLine(ctx, destination)),
      credit === null ? t.creditShare : t.creditAt(format.rial(credit)),
      t.failuresAt(format.percent(failures / 100)),
      isWaitTold && t.unansweredAt(format.duration(minutes * 60_000)),
      ...muted.map(({ kind, mutedUntil, mutedBy }) =>
        t.muted(kinds[kind].name, format.dateTime(mutedUntil), mutedBy ?? ''),
      ),
      t.zone(format.timeZone),
      t.addHint,
    ),
    buttons: [
      ...destinations.slice(0, 20).map((destination) => [
        alertActions.destination.button(t.settings(nameOf(ctx, destination)), {
          sinkId: destination.id,
        }),
      ]),
      [alertActions.offer.button(t.add, {})],
      muted.map(({ kind }) => alertActions.unmute.button(t.unmute(kinds[kind].name), { kind })),
    ],
  };
}

/** One place: each kind as a switch, quiet hours, language, and its end. */
export function destinationCard(ctx: RequestContext, destination: DestinationView): RenderedCard {
  const t = texts(ctx.locale);
  const kinds = kindTexts(ctx.locale);
  const { id: destinationId } = destination;
  const switches = ALERT_KINDS.map((kind) => {
    const isOn = destination.kinds.includes(kind);
    return alertActions.kind.button((isOn ? t.on : t.off)(kinds[kind].name), {
      sinkId: destinationId,
      kind,
      on: !isOn,
    });
  });
  const isQuiet = destination.quietFrom !== null;
  // Only a group can be a forum; whether this one is shows when the first topic is made.
  const mayHaveTopics =
    destination.telegramId < 0 && destination.threadId === null && destination.kinds.includes('inbound');
  return {
    content: lines(
      t.head(ctx.isAway ? ctx.chat.title : ''),
      destinationLine(ctx, destination),
      t.zone(ctx.format.timeZone),
    ),
    buttons: [
      ...inRows(switches, 2),
      [
        alertActions.quiet.button(isQuiet ? t.quietOff : t.quietOn, { sinkId: destinationId, on: !isQuiet }),
        mayHaveTopics &&
          alertActions.topics.button((destination.topics ? t.on : t.off)(t.topics), {
            sinkId: destinationId,
            on: !destination.topics,
          }),
      ],
      (['fa', 'en'] as const).map((lang) => {
        const label = destination.lang === lang ? t.on(t.language[lang]) : t.language[lang];
        return alertActions.lang.button(label, { sinkId: destinationId, lang });
      }),
      [
        alertActions.list.button(t.back, {}),
        alertActions.remove.button(t.remove, { sinkId: destinationId }, { style: 'danger' }),
      ],
    ],
  };
}

/** As the people of the chat call it. */
export function nameOf(ctx: RequestContext, destination: DestinationView): string {
  const t = texts(ctx.locale);
  const place = destination.isChatItself ? (ctx.isAway ? ctx.chat.title : t.thisChat) : destination.title;
  if (destination.threadId === null) return place;
  // One that was added before its name was known has the chat's.
  return t.topic(clip(place, 30), destination.title === ctx.chat.title ? '' : clip(destination.title, 24));
}

function destinationLine(ctx: RequestContext, destination: DestinationView): Html {
  const t = texts(ctx.locale);
  const kinds = kindTexts(ctx.locale);
  const on = ALERT_KINDS.filter((kind) => destination.kinds.includes(kind)).map((kind) => kinds[kind].name);
  const { quietFrom, quietTo, digestAt, digestDay, offAt } = destination;
  const { clock } = ctx.format;
  return html`${t.place(clip(nameOf(ctx, destination), 60), on.length === 0 ? t.nothingOn : ctx.format.list(on))}${
    quietFrom === null || quietTo === null ? '' : t.quiet(clock(quietFrom), clock(quietTo))
  }${destination.kinds.includes('digest') && digestAt !== null ? t.digest(clock(digestAt)) : ''}${
    destination.kinds.includes('digest') && digestDay !== null ? t.week(t.days[digestDay] ?? '') : ''
  }${offAt === null ? '' : t.dead(ctx.format.dateTime(offAt))}`;
}
