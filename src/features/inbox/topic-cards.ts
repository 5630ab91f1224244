import { stripBidi, type Format } from '../../i18n/format.ts';
import type { DestinationView } from '../../ports/alerts.ts';
import type { InboundView } from '../../ports/inbound.ts';
import type { Log } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import type { TopicMaker } from '../../telegram/alerts/topic-maker.ts';
import { clip } from '../../telegram/html.ts';
import { inboundTexts } from './inbound-texts.ts';

/** The topic of each correspondent, in destinations that want one. */
export interface TalkTopics {
  /** Undefined: the destination's own thread. */
  threadFor(destination: DestinationView, message: InboundView, format: Format): Promise<number | undefined>;
  /** People have deleted it: the next one is made anew. */
  gone(destinationId: string, talkId: string, threadId: number): void;
}

/** Telegram's limit is 128 characters. */
const NAME_UNITS = 60;
const GONE_KEPT = 1000;

export function createTalkTopics(deps: {
  readonly topics: Stores['topics'];
  readonly maker: TopicMaker;
  readonly defaultLocale: 'en' | 'fa';
  readonly log: Log;
}): TalkTopics {
  const { topics, maker, log } = deps;
  const lost = new Map<string, number>();

  return {
    async threadFor(destination, message, format) {
      if (!destination.topics) return undefined;
      const key = `${destination.id} ${message.talkId}`;
      const before = await topics.of(destination.id, message.talkId);
      if (before !== null && lost.get(key) !== before) return before;
      const made = await maker.make(destination.telegramId, nameOf(message, format));
      if (made.result === 'made') {
        lost.delete(key);
        return await topics.keep(destination.id, message.talkId, made.threadId, before);
      }
      if (made.result === 'not_now') return undefined;
      // Asked again for every message, it would be refused every time: whoever gives the right switches it on again.
      log.warn({ destination: destination.id }, 'topics cannot be made here and are switched off');
      if (await topics.giveUp(destination.id))
        await maker.say(
          destination.telegramId,
          destination.threadId,
          inboundTexts(destination.lang ?? deps.defaultLocale).noTopics,
        );
      return undefined;
    },

    gone(destinationId, talkId, threadId) {
      if (lost.size >= GONE_KEPT) lost.clear();
      lost.set(`${destinationId} ${talkId}`, threadId);
    },
  };
}

/** Who it is, as others may see it. */
function nameOf({ sender, name }: InboundView, format: Format): string {
  const shown = stripBidi(format.phone(sender));
  return `📥 ${shown}${name === null ? '' : ` · ${clip(stripBidi(name), NAME_UNITS)}`}`.toWellFormed();
}
