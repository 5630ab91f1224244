import { displayRecipient, maskRecipient } from '../../domain/phone.ts';
import { stripBidi } from '../../i18n/format.ts';
import type { SinkView } from '../../ports/alerts.ts';
import type { InboundView } from '../../ports/inbound.ts';
import type { Log } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import type { TopicMaker } from '../../telegram/alerts/topic-maker.ts';
import { clip } from '../../telegram/html.ts';
import { inboundTexts } from './inbound-texts.ts';

/** The topic of each correspondent, in sinks that want one. */
export interface TalkTopics {
  /** Undefined: the sink's own thread. */
  threadFor(sink: SinkView, message: InboundView, isMasked: boolean): Promise<number | undefined>;
  /** People have deleted it: the next one is made anew. */
  gone(sinkId: string, talkId: string, threadId: number): void;
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
    async threadFor(sink, message, isMasked) {
      if (!sink.topics) return undefined;
      const key = `${sink.id} ${message.talkId}`;
      const before = await topics.of(sink.id, message.talkId);
      if (before !== null && lost.get(key) !== before) return before;
      const made = await maker.make(sink.telegramId, nameOf(message, isMasked));
      if (made.result === 'made') {
        lost.delete(key);
        return await topics.keep(sink.id, message.talkId, made.threadId, before);
      }
      if (made.result === 'not_now') return undefined;
      // Asked again for every message, it would be refused every time: whoever gives the right switches it on again.
      log.warn({ sink: sink.id }, 'topics cannot be made here and are switched off');
      if (await topics.giveUp(sink.id))
        await maker.say(
          sink.telegramId,
          sink.threadId,
          inboundTexts(sink.lang ?? deps.defaultLocale).noTopics,
        );
      return undefined;
    },

    gone(sinkId, talkId, threadId) {
      if (lost.size >= GONE_KEPT) lost.clear();
      lost.set(`${sinkId} ${talkId}`, threadId);
    },
  };
}

/** Who it is, as others may see it. */
function nameOf({ sender, name }: InboundView, isMasked: boolean): string {
  const shown = isMasked ? maskRecipient(sender) : clip(displayRecipient(sender), 40);
  return `📥 ${shown}${name === null ? '' : ` · ${clip(stripBidi(name), NAME_UNITS)}`}`.toWellFormed();
}
