import { ALERT_KINDS, FAILURES_PERCENT } from '../../domain/alerts.ts';
import type { AlertSetting, SinkView } from '../../ports/alerts.ts';
import type { Buttons } from '../../telegram/buttons.ts';
import { clip, html, lines, type Html } from '../../telegram/html.ts';
import type { Turn } from '../../telegram/turn.ts';
import { alertActions } from './actions.ts';
import { kindTexts } from './kind-cards.ts';
import { texts } from './texts.ts';

export interface SettingsCard {
  readonly sinks: readonly SinkView[];
  readonly settings: readonly AlertSetting[];
  readonly now: Date;
}

const LABEL_UNITS = 30;

/** Where alerts go, the thresholds, and what is muted. */
export function settingsCard(
  turn: Turn,
  { sinks, settings, now }: SettingsCard,
): { content: Html; buttons: Buttons } {
  const t = texts(turn.locale);
  const kinds = kindTexts(turn.locale);
  const { format } = turn;
  const of = (kind: AlertSetting['kind']) => settings.find((setting) => setting.kind === kind);
  const credit = of('credit')?.threshold ?? null;
  const failures = of('failures')?.threshold ?? FAILURES_PERCENT;
  const muted = settings.flatMap(({ kind, mutedUntil, mutedBy }) =>
    mutedUntil !== null && mutedUntil > now ? [{ kind, mutedUntil, mutedBy }] : [],
  );
  return {
    content: lines(
      t.head,
      ...sinks.map((sink) => sinkLine(turn, sink)),
      credit === null ? t.creditShare : t.creditAt(format.rial(credit)),
      t.failuresAt(format.percent(failures / 100)),
      ...muted.map(({ kind, mutedUntil, mutedBy }) =>
        t.muted(kinds[kind].name, format.dateTime(mutedUntil), mutedBy ?? ''),
      ),
      t.zone(format.timeZone),
      t.addHint,
    ),
    buttons: [
      ...sinks
        .slice(0, 20)
        .map((sink) => [
          alertActions.sink.button(t.settings(clip(nameOf(turn, sink), LABEL_UNITS)), { sinkId: sink.id }),
        ]),
      muted.map(({ kind }) => alertActions.unmute.button(t.unmute(kinds[kind].name), { kind })),
    ],
  };
}

/** One place: each kind as a switch, quiet hours, language, and its end. */
export function sinkCard(turn: Turn, sink: SinkView): { content: Html; buttons: Buttons } {
  const t = texts(turn.locale);
  const kinds = kindTexts(turn.locale);
  const { id: sinkId } = sink;
  const switches = ALERT_KINDS.map((kind) => {
    const isOn = sink.kinds.includes(kind);
    return alertActions.kind.button((isOn ? t.on : t.off)(kinds[kind].name), { sinkId, kind, on: !isOn });
  });
  const isQuiet = sink.quietFrom !== null;
  // Only a group can be a forum; whether this one is shows when the first topic is made.
  const mayHaveTopics = sink.telegramId < 0 && sink.threadId === null && sink.kinds.includes('inbound');
  return {
    content: lines(t.head, sinkLine(turn, sink), t.zone(turn.format.timeZone)),
    buttons: [
      ...Array.from({ length: Math.ceil(switches.length / 2) }, (_, row) =>
        switches.slice(2 * row, 2 * row + 2),
      ),
      [
        alertActions.quiet.button(isQuiet ? t.quietOff : t.quietOn, { sinkId, on: !isQuiet }),
        mayHaveTopics &&
          alertActions.topics.button((sink.topics ? t.on : t.off)(t.topics), { sinkId, on: !sink.topics }),
      ],
      (['fa', 'en'] as const).map((lang) => {
        const label = sink.lang === lang ? t.on(t.language[lang]) : t.language[lang];
        return alertActions.lang.button(label, { sinkId, lang });
      }),
      [
        alertActions.list.button(t.back, {}),
        alertActions.remove.button(t.remove, { sinkId }, { style: 'danger' }),
      ],
    ],
  };
}

/** As the people of the chat call it. */
export function nameOf(turn: Turn, sink: SinkView): string {
  const t = texts(turn.locale);
  const place = sink.isChatItself ? t.thisChat : sink.title;
  return sink.threadId === null ? place : t.topic(place);
}

export function clockText(turn: Turn, minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return turn.format.digits(`${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`);
}

function sinkLine(turn: Turn, sink: SinkView): Html {
  const t = texts(turn.locale);
  const kinds = kindTexts(turn.locale);
  const on = ALERT_KINDS.filter((kind) => sink.kinds.includes(kind)).map((kind) => kinds[kind].name);
  const { quietFrom, quietTo, digestAt, digestDay, offAt } = sink;
  return html`${t.place(clip(nameOf(turn, sink), 60), on.length === 0 ? t.nothingOn : turn.format.list(on))}${
    quietFrom === null || quietTo === null
      ? ''
      : t.quiet(clockText(turn, quietFrom), clockText(turn, quietTo))
  }${sink.kinds.includes('digest') && digestAt !== null ? t.digest(clockText(turn, digestAt)) : ''}${
    sink.kinds.includes('digest') && digestDay !== null ? t.week(t.days[digestDay] ?? '') : ''
  }${offAt === null ? '' : t.dead(turn.format.dateTime(offAt))}`;
}
