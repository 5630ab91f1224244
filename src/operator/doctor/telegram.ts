import { Api } from 'grammy';
import { apiRootOf, tokenRefused, whyNoAnswer } from '../../app/who-am-i.ts';
import type { Secret } from '../../domain/secret.ts';
import type { Config } from '../../process/config.ts';
import { EXIT } from '../../process/exit-codes.ts';
import { telegramFailure } from '../../telegram/outgoing/errors.ts';
import { createTelegramFetch } from '../../telegram/outgoing/http.ts';
import { deliveryProblem } from '../../telegram/updates/webhook-address.ts';
import { aheadOf } from './clocks.ts';
import {
  bad,
  look,
  PATIENCE_MS,
  refusal,
  well,
  type ClockSeen,
  type Examined,
  type Finding,
} from './finding.ts';

/** What Telegram says of the bot and of its webhook. Asks, and sets nothing. */
export async function examineTelegram(config: Config, token: Secret): Promise<Examined> {
  const clocks: ClockSeen[] = [];
  const http = createTelegramFetch({
    timeouts: { call: PATIENCE_MS },
    dated: (date) => {
      if (clocks.length === 0) clocks.push(...aheadOf('Telegram', date));
    },
    ...(config.proxy === null ? {} : { proxy: new URL(config.proxy.url.reveal()) }),
  });
  const api = new Api(token.reveal(), {
    apiRoot: apiRootOf(config),
    fetch: http.fetch,
  });
  const { host } = new URL(apiRootOf(config));
  try {
    const me = await api.getMe();
    const info = await api.getWebhookInfo();
    return {
      clocks,
      findings: [
        well('Telegram', `${host} answers, and the token is that of @${me.username}`),
        updates(config, info),
        groups(me),
      ],
    };
  } catch (error) {
    const failure = telegramFailure(error);
    if (failure.kind === 'unauthorized') return { clocks, findings: refusal('Telegram', tokenRefused()) };
    const { host: at, reason, hint } = whyNoAnswer(failure, { config, host });
    const seen = `no answer from ${at}: ${reason}. The start waits until there is one; ${hint}`;
    return { clocks, findings: [bad('Telegram', seen, EXIT.unreachable)] };
  } finally {
    await http.close();
  }
}

function updates(
  { telegram: { webhook } }: Config,
  info: Parameters<typeof deliveryProblem>[0] & { readonly url?: string },
): Finding {
  const waiting = `; ${info.pending_update_count} wait`;
  const { url = '' } = info;
  const at = URL.parse(url)?.host ?? 'an address';
  const others =
    'Two deployments with one token take the updates from each other: if another one works so, end it';
  if (webhook === null) {
    if (url === '') return well('updates', `asked for by long polling${waiting}`);
    return look('updates', `a webhook leads to ${at}, and the start takes it away. ${others}`);
  }
  if (url === '') return well('updates', `the start has them brought to WEBHOOK_URL${waiting}`);
  if (url !== webhook.url)
    return look('updates', `they are brought to ${at}, and the start changes that to WEBHOOK_URL. ${others}`);
  const problem = deliveryProblem(info, new Date());
  return problem === null
    ? well('updates', `brought to WEBHOOK_URL${waiting}`)
    : look(
        'updates',
        `${problem}${waiting}. Look at the proxy before Peyk, and whether a Peyk runs behind it`,
      );
}

function groups(me: {
  readonly can_join_groups: boolean;
  readonly can_read_all_group_messages: boolean;
}): Finding {
  if (!me.can_join_groups)
    return look('groups', 'the bot cannot be added to any: @BotFather, /setjoingroups, lets it');
  return me.can_read_all_group_messages
    ? well('groups', 'privacy mode is off: it sees all that is written in its groups')
    : well(
        'groups',
        'privacy mode is on: it sees commands and replies, and where it is an administrator everything',
      );
}
