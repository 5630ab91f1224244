import type { DraftStore } from '../../ports/stores.ts';
import type { Stores } from '../../storage/stores.ts';
import type { NotificationCard } from '../../telegram/alerts/notification-card.ts';
import { readNote, renderInbound } from './inbound-card.ts';
import type { TalkTopics } from './topic-cards.ts';

/** The card of a received message, wherever it is told. */
export function createInboundNotification(deps: {
  readonly inbound: Pick<Stores['inbound'], 'of' | 'lastSent'>;
  readonly drafts: Pick<DraftStore, 'card'>;
  readonly topics: TalkTopics;
}): NotificationCard {
  return {
    async render(notification, destination, { format }) {
      if (notification.inboundId === null) return null;
      const message = await deps.inbound.of(notification.inboundId);
      if (message === null) return null;
      const lastSent = await deps.inbound.lastSent(notification.inboundId);
      const answer = notification.draftId === null ? null : await deps.drafts.card(notification.draftId);
      const card = { message, lastSent, answer, note: readNote(notification.facts) };
      const threadId =
        notification.messageId === null
          ? await deps.topics.threadFor(destination, message, format)
          : (notification.threadId ?? undefined);
      return { ...renderInbound(card, format), threadId };
    },

    async topicGone(notification, destination, threadId) {
      const message = notification.inboundId === null ? null : await deps.inbound.of(notification.inboundId);
      if (message !== null) deps.topics.gone(destination.id, message.talkId, threadId);
    },
  };
}
