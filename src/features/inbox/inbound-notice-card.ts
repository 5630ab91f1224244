import type { DraftStore } from '../../ports/stores.ts';
import type { Stores } from '../../storage/stores.ts';
import type { NoticeCard } from '../../telegram/alerts/notice-card.ts';
import { readNote, renderInbound } from './inbound-card.ts';
import type { TalkTopics } from './topic-cards.ts';

/** The card of a received message, wherever it is told. */
export function createInboundNotice(deps: {
  readonly inbound: Pick<Stores['inbound'], 'of' | 'lastSent'>;
  readonly drafts: Pick<DraftStore, 'card'>;
  readonly topics: TalkTopics;
  readonly rules: Pick<Stores['rules'], 'showsNumbers'>;
}): NoticeCard {
  return {
    async render(notice, sink, { format }) {
      if (notice.inboundId === null) return null;
      const message = await deps.inbound.of(notice.inboundId);
      if (message === null) return null;
      // A private chat's id is the person's own, above zero; everywhere else others may look on.
      const isWhole = await deps.rules.showsNumbers(message.chatId);
      const isMasked = isWhole === null ? sink.telegramId < 0 : !isWhole;
      const lastSent = await deps.inbound.lastSent(notice.inboundId);
      const answer = notice.draftId === null ? null : await deps.drafts.card(notice.draftId);
      const card = { message, lastSent, answer, note: readNote(notice.facts), isMasked };
      const threadId =
        notice.messageId === null
          ? await deps.topics.threadFor(sink, message, isMasked)
          : (notice.threadId ?? undefined);
      return { ...renderInbound(card, format), threadId };
    },

    async topicGone(notice, sink, threadId) {
      const message = notice.inboundId === null ? null : await deps.inbound.of(notice.inboundId);
      if (message !== null) deps.topics.gone(sink.id, message.talkId, threadId);
    },
  };
}
