import type { Api } from 'grammy';
import type { Locale } from '../../i18n/define.ts';
import type { Notice, ShownNotices, SinkView } from '../../ports/alerts.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Clock, Log } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import { keyboard } from '../buttons.ts';
import { telegramFailure, type TelegramFailure } from '../outgoing/errors.ts';
import type { CardEditor } from '../outgoing/outgoing-editor.ts';
import { lookOf, type NoticeCards, type NoticeContent } from './notice-card.ts';
import { noticeTexts } from './notice-texts.ts';

export interface NoticeDeps extends Pick<Stores, 'sinks' | 'notices' | 'buttons'> {
  readonly api: Api;
  readonly editor: CardEditor;
  readonly cards: NoticeCards;
  readonly bindings: Pick<Stores['bindings'], 'owners'>;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'possibleDuplicate'>;
  readonly log: Log;
  readonly defaults: { readonly lang: Locale; readonly timeZone: string };
}

/** While Telegram lets us wait, what is being said stays ours. */
const HOLD_MS = 20_000;
const AGAIN_MS = [1000, 5000, 20_000, 60_000, 300_000] as const;
const MAX_REFUSED = 5;
/** The place itself takes nothing any more, whatever it is that is said. */
const DEAD: ReadonlySet<string> = new Set(['blocked', 'kicked', 'chat_gone', 'no_rights', 'thread_gone']);

/** Says notices in their places, brings them up to date, and tells the owners where a place is out of reach. */
export function createNoticeSender({
  api,
  editor,
  sinks,
  notices,
  cards,
  buttons,
  bindings,
  clock,
  metrics,
  log,
  defaults,
}: NoticeDeps) {
  return { say, rewrite, tellOff };

  async function say(sink: SinkView, all: readonly Notice[]): Promise<void> {
    const ids = all.map(({ id }) => id);
    const [first] = all;
    if (first === undefined) return;
    const render = async (): Promise<NoticeContent | null> =>
      all.length === 1
        ? await cards.of[first.kind].render(first, sink, lookOf(sink, defaults))
        : await cards.digest.render(all, sink, lookOf(sink, defaults));
    const rendered = await render();
    if (rendered === null) {
      await notices.drop(ids);
      return;
    }
    let content = rendered;
    let messageId: number | null = null;
    for (let lostTopic = false; messageId === null;) {
      try {
        const now = content;
        messageId = await whileHeld(ids, () => send(sink, now));
      } catch (error) {
        const failure = telegramFailure(error);
        const topic = content.threadId;
        if (failure.kind === 'thread_gone' && topic !== undefined && topic !== sink.threadId && !lostTopic) {
          lostTopic = true;
          await cards.of[first.kind].topicGone?.(first, sink, topic);
          content = (await render()) ?? content;
          if (content.threadId === topic) content = { ...content, threadId: undefined };
          continue;
        }
        await notSaid(sink, all, failure, error);
        return;
      }
    }
    // Where this cannot be written down it stays as being said, and is counted when it is said again.
    const threadId = content.threadId ?? sink.threadId;
    await notices.said(ids, { messageId, threadId, folded: all.length > 1 });
    if (sink.offAt !== null) await sinks.on(sink.telegramId);
  }

  async function notSaid(
    sink: SinkView,
    all: readonly Notice[],
    failure: TelegramFailure,
    error: unknown,
  ): Promise<void> {
    const ids = all.map(({ id }) => id);
    const tries = Math.max(...all.map((notice) => notice.tries));
    const afterMs = AGAIN_MS[Math.min(tries, AGAIN_MS.length) - 1] ?? 1000;
    log.warn({ kind: failure.kind, sink: sink.id, tries }, 'a notice was not said');
    if (DEAD.has(failure.kind)) {
      await notices.notSaid(ids, { afterMs: 0, doubtful: false });
      await sinks.off(sink.id, failure.kind);
      return;
    }
    if (failure.kind === 'lost_answer') {
      log.warn({ sink: sink.id, notices: ids.length }, 'a notice may be said twice');
      metrics.possibleDuplicate();
      await notices.notSaid(ids, { afterMs, doubtful: true });
      return;
    }
    // What Telegram refuses for its content would be refused for ever, and would keep all others from being said.
    if (failure.kind === 'refused' && tries >= MAX_REFUSED) {
      log.error(
        { sink: sink.id, notices: ids.length, description: failure.description },
        'a notice is given up',
      );
      await notices.drop(ids);
      return;
    }
    await notices.notSaid(ids, { afterMs, doubtful: false });
    if (failure.kind === 'unknown') throw error;
  }

  async function send(sink: SinkView, { content, buttons: rows, threadId, replyTo, silent }: NoticeContent) {
    const markup = rows === undefined ? undefined : await keyboardIn(sink, rows);
    const thread = threadId ?? sink.threadId ?? undefined;
    const sent = await api.sendMessage(sink.telegramId, content.markup, {
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      ...(thread === undefined ? {} : { message_thread_id: thread }),
      ...(replyTo === undefined
        ? {}
        : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
      ...(silent === true ? { disable_notification: true } : {}),
      ...(markup === undefined ? {} : { reply_markup: markup }),
    });
    return sent.message_id;
  }

  async function keyboardIn(sink: SinkView, rows: NonNullable<NoticeContent['buttons']>) {
    const { locale } = lookOf(sink, defaults);
    return await keyboard(buttons, sink.placeId, locale, rows, sink.chatId);
  }

  async function rewrite(of: ShownNotices): Promise<void> {
    for (const notice of await notices.shown(of)) {
      const sink = await sinks.get(notice.sinkId);
      if (sink === null || notice.messageId === null) continue;
      const content = await cards.of[notice.kind].render(notice, sink, lookOf(sink, defaults));
      if (content === null) continue;
      const markup = content.buttons === undefined ? undefined : await keyboardIn(sink, content.buttons);
      try {
        await editor.edit({
          chatId: sink.telegramId,
          messageId: notice.messageId,
          text: content.content,
          minGapMs: 0,
          ...(markup === undefined ? {} : { replyMarkup: markup }),
        });
      } catch (error) {
        const { kind } = telegramFailure(error);
        if (!DEAD.has(kind) && kind !== 'refused') throw error;
        log.info({ kind, sink: sink.id }, 'a notice could not be brought up to date');
      }
    }
  }

  /** In the chat itself; where that is the one out of reach, to its owners. */
  async function tellOff(sink: SinkView, reason: string): Promise<void> {
    const { locale } = lookOf(sink, defaults);
    const said = noticeTexts(locale).sinkOff(sink.title, reason);
    const tell = async (place: number): Promise<boolean> => {
      try {
        await api.sendMessage(place, said.markup, { parse_mode: 'HTML' });
        return true;
      } catch (error) {
        const { kind } = telegramFailure(error);
        if (!DEAD.has(kind) && kind !== 'lost_answer') throw error;
        return false;
      }
    };
    const homeIsThere = !sink.isChatItself || reason === 'thread_gone';
    if (homeIsThere && (await tell(sink.homeTelegramId))) return;
    let reached = 0;
    for (const owner of await bindings.owners(sink.chatId)) if (await tell(owner)) reached += 1;
    if (reached === 0)
      log.warn({ sink: sink.id }, 'nobody could be told that a place for alerts is out of reach');
  }

  /** Telegram may let us wait for minutes; until the end nobody else shall say it as well. */
  async function whileHeld<T>(ids: readonly number[], work: () => Promise<T>): Promise<T> {
    const done = new AbortController();
    const holding = (async () => {
      for (;;) {
        await clock.sleep(HOLD_MS, done.signal);
        await notices.hold(ids);
      }
    })().catch(() => undefined);
    try {
      return await work();
    } finally {
      done.abort();
      await holding;
    }
  }
}
