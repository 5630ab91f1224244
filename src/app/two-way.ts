import type { Api } from 'grammy';
import { createBlacklisting } from '../features/blacklist/one-number.ts';
import { createAutoResponseTask } from '../features/inbox/auto-response.ts';
import { createInboundNotification } from '../features/inbox/inbound-card.ts';
import { createTalkTopics } from '../features/inbox/topic-cards.ts';
import type { Gateways } from '../ports/gateways.ts';
import type { Clock, Log } from '../ports/runtime.ts';
import type { Config } from '../process/config.ts';
import { createTopicMaker } from '../telegram/alerts/topic-maker.ts';
import type { openStorage } from './storage.ts';

/** What is done about received messages: their cards, and what rules and 11 and 12 ask for. */
export function createTwoWay({
  config,
  stores,
  gateways,
  api,
  botId,
  clock,
  log,
}: {
  readonly config: Config;
  readonly stores: Awaited<ReturnType<typeof openStorage>>['stores'];
  readonly gateways: Gateways;
  readonly api: Api;
  readonly botId: number;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { defaultLocale: lang, defaultTimeZone: timeZone } = config;
  const { inbound, drafts, autoResponses, audit } = stores;
  const blacklisting = createBlacklisting({ gateways });
  const topics = createTalkTopics({
    topics: stores.topics,
    maker: createTopicMaker(api),
    defaultLocale: lang,
    log,
  });
  return {
    blacklisting,
    card: createInboundNotification({ inbound, drafts, topics }),
    autoResponse: createAutoResponseTask({
      autoResponses,
      blacklisting,
      drafts,
      audit,
      clock,
      botId,
      defaults: { lang, timeZone },
    }),
  };
}
