import { createFeatures, type FeatureDeps } from '../../src/features/index.ts';
import type { Locale } from '../../src/i18n/define.ts';
import { createFormat } from '../../src/i18n/format.ts';
import type { Feature } from '../../src/telegram/feature.ts';
import type { RequestContext } from '../../src/telegram/request-context.ts';
import { createMemoryLog } from './memory-log.ts';

/** Every feature as it is declared. Nothing stands behind them: only what is declared can be looked at. */
export function declaredFeatures(): readonly Feature[] {
  return createFeatures(nothing as FeatureDeps);
}

/** A turn for what only reads it: questions, problems and the schemas of arguments. */
export function quietRequest(locale: Locale, more: Partial<RequestContext> = {}): RequestContext {
  const refuse = (): never => {
    throw new Error('a quiet turn does nothing');
  };
  return {
    updateId: 1,
    bot: { id: 1, username: 'PeykBot' },
    chat: {
      id: 'c',
      telegramId: 7,
      type: 'private',
      title: '',
      lang: null,
      timeZone: null,
      showsNumbers: null,
    },
    isAway: false,
    isPrivate: false,
    threadId: undefined,
    person: { id: 7, name: 'Sara', lang: null, mobile: null },
    role: 'owner',
    locale,
    format: createFormat(locale, 'Asia/Tehran'),
    binding: { id: 'b', kinds: ['api_key'], keyTail: 'abcd', accountName: 'Nik', line: '3000123456' },
    capabilities: { versions: [], has: () => true, missing: () => [] },
    log: createMemoryLog(),
    inForm: false,
    isEdit: false,
    messageId: null,
    writtenAt: null,
    pressedMessageId: null,
    pressedPicture: false,
    file: null,
    contact: null,
    subject: null,
    repliedTo: null,
    can: () => true,
    say: refuse,
    sendFile: refuse,
    sendPicture: refuse,
    download: refuse,
    rewrite: refuse,
    disarm: refuse,
    forget: refuse,
    ask: refuse,
    endQuestion: refuse,
    isTelegramAdmin: refuse,
    seenNow: refuse,
    postingRight: refuse,
    atHome: () => Promise.reject(new Error('no other chat here')),
    startLink: (payload) => `https://t.me/PeykBot?start=${payload}`,
    ...more,
  };
}

/** Whatever is taken from it or made with it is nothing again. */
const nothing: unknown = new Proxy(() => undefined, {
  get: (target, key) =>
    key === Symbol.iterator
      ? () => [][Symbol.iterator]()
      : key === 'prototype'
        ? Reflect.get(target, key)
        : nothing,
  apply: () => nothing,
});
