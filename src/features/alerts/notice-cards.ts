import type { AlarmStore, AlertReads, Notice, NoticeStore } from '../../ports/alerts.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { DraftStore } from '../../ports/stores.ts';
import type { Html } from '../../telegram/html.ts';
import type { NoticeCard, NoticeCards, NoticeLook } from '../../telegram/notice-card.ts';
import { alertActions } from './actions.ts';
import { namedJobs, renderAlarm } from './alarm-card.ts';
import { digestSpan, digestText, failureText, foldText, inboundText, jobText } from './event-cards.ts';
import { eventTexts } from './event-texts.ts';
import { noteText } from './note-card.ts';

export interface NoticeCardDeps {
  readonly alarms: Pick<AlarmStore, 'get' | 'settings'>;
  readonly reads: AlertReads;
  readonly notices: Pick<NoticeStore, 'inbound'>;
  readonly drafts: Pick<DraftStore, 'card'>;
  readonly clock: Clock;
}

/**
 * What every kind of alert looks like.
 * @param inbound of received messages; absent: plainly, without anything to press.
 */
export function createNoticeCards(deps: NoticeCardDeps, inbound?: NoticeCard): NoticeCards {
  const { alarms, reads, notices, drafts, clock } = deps;

  const alarm: NoticeCard = {
    async render(notice, sink, { format }) {
      const found = notice.alarmId === null ? null : await alarms.get(notice.alarmId);
      if (found === null) {
        const content = noteText(notice, await reads.accountOf(sink.chatId), format);
        return content === null ? null : { content };
      }
      const account = found.accountId === null ? '' : await reads.accountName(found.accountId);
      const setting = (await alarms.settings(found.chatId)).find(({ kind }) => kind === found.kind);
      const again = notice.facts['again'] === true;
      const waiting = await reads.stillWaiting(namedJobs(found));
      return renderAlarm({ alarm: found, account, setting, now: clock.now(), waiting, again }, format);
    },
  };

  const sendText = async (notice: Notice, { format }: NoticeLook) => {
    const view = notice.draftId === null ? null : await drafts.card(notice.draftId);
    if (view === null) return null;
    const content = (notice.kind === 'job' ? jobText : failureText)(notice, view, format);
    return content === null ? null : { content, view };
  };

  const job: NoticeCard = {
    async render(notice, sink, look) {
      const told = await sendText(notice, look);
      if (told === null) return null;
      const { place } = told.view;
      // Beside its card the message answers it; elsewhere there is nothing to answer.
      if (!sink.isChatItself) return { content: told.content };
      return {
        content: told.content,
        ...(place.messageId === null ? {} : { replyTo: place.messageId }),
        ...(sink.threadId === null && place.threadId !== null ? { threadId: place.threadId } : {}),
      };
    },
  };

  const plainInbound: NoticeCard = {
    async render(notice, _, { format }) {
      const [message] = notice.inboundId === null ? [] : await notices.inbound([notice.inboundId]);
      if (message !== undefined) return { content: inboundText(message, format) };
      // What was there before the account was linked is told by its number alone.
      const { count } = notice.facts;
      if (typeof count !== 'number') return null;
      const t = eventTexts(format.locale);
      return { content: t.backlog(format.count(count, t.messages)), silent: true };
    },
  };

  const digest: NoticeCard = {
    async render(notice, sink, { format }) {
      const span = digestSpan(notice);
      if (span === null) return null;
      return { content: digestText(span, await reads.digest(sink.chatId, span), format), silent: true };
    },
  };

  return {
    of: {
      inbound: {
        ...inbound,
        render: async (notice, sink, look) =>
          await (notice.inboundId === null ? plainInbound : (inbound ?? plainInbound)).render(
            notice,
            sink,
            look,
          ),
      },
      credit: alarm,
      account: alarm,
      gateway: alarm,
      inbox: alarm,
      job,
      failures: job,
      digest,
    },
    digest: {
      async render(all, sink, look) {
        const t = eventTexts(look.locale);
        const ids = all.flatMap(({ inboundId }) => (inboundId === null ? [] : [inboundId]));
        const messages = await notices.inbound(ids);
        const others: Html[] = [];
        for (const notice of all) {
          if (notice.kind === 'inbound') continue;
          const told =
            notice.alarmId === null ? await sendText(notice, look) : await alarm.render(notice, sink, look);
          if (told !== null) others.push(told.content);
        }
        const content = foldText(messages, others, look.format);
        const file = alertActions.file.button(t.file, { sinkId: sink.id }, { ttlSeconds: FILE_SECONDS });
        return {
          content: content.markup === '' ? t.nothing : content,
          ...(messages.length === 0 ? {} : { buttons: [[file]] }),
        };
      },
    },
  };
}

const FILE_SECONDS = 60 * 86_400;
