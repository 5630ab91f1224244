import type { AlertKind } from '../../domain/alerts.ts';
import type { Locale } from '../../i18n/define.ts';
import { createFormat, type Format } from '../../i18n/format.ts';
import type { Notice, SinkView } from '../../ports/alerts.ts';
import type { Buttons } from '../buttons.ts';
import type { Html } from '../html.ts';

/** How the sink's readers read. */
export interface NoticeLook {
  readonly locale: Locale;
  readonly format: Format;
}

export interface NoticeContent {
  readonly content: Html;
  /** Whoever presses acts with the role that they have in the chat whose sink it is, wherever it is pressed. */
  readonly buttons?: Buttons | undefined;
  /** The topic; absent: the sink's own. */
  readonly threadId?: number | undefined;
  /** The message that it answers, where it is still there. */
  readonly replyTo?: number | undefined;
  /** It comes without a sound. */
  readonly silent?: boolean;
}

/** What a notice of a kind looks like. It is rendered when it is said, and again when it is brought up to date. */
export interface NoticeCard {
  /** Null: there is nothing to say of it any more. */
  render(notice: Notice, sink: SinkView, look: NoticeLook): Promise<NoticeContent | null>;
  /** Telegram has the topic no longer that `render` named; it is rendered once more after this. */
  topicGone?(notice: Notice, sink: SinkView, threadId: number): Promise<void>;
}

/** One message that stands for many. */
export interface DigestCard {
  render(notices: readonly Notice[], sink: SinkView, look: NoticeLook): Promise<NoticeContent>;
}

/** The cards of all kinds; features fill it where the application is put together. */
export interface NoticeCards {
  readonly of: Readonly<Record<AlertKind, NoticeCard>>;
  readonly digest: DigestCard;
}

export function lookOf(
  sink: SinkView,
  defaults: { readonly lang: Locale; readonly timeZone: string },
): NoticeLook {
  const locale = sink.lang ?? defaults.lang;
  return { locale, format: createFormat(locale, sink.timeZone ?? defaults.timeZone) };
}
