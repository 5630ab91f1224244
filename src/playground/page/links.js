// @ts-check
// Links of the messenger itself are followed inside the page; all others open in a tab of their own.
import { post } from './api.js';
import { h } from '../../pages/common/dom.js';
import { t } from '../../pages/common/i18n.js';
import { go } from './nav.js';
import { attempt, sheet, toast } from '../../pages/common/notices.js';
import { chatTitle, emit, isAdmin, store } from './store.js';

/** Supergroups and channels have ids from here down; links leave this part out. */
const CHANNEL_IDS = 1_000_000_000_000;

/** @param {string} address */
export function openLink(address) {
  const url = /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`;
  const target = ownLink(url);
  if (!target) {
    window.open(url, '_blank', 'noopener,noreferrer');
    return;
  }
  const isNamed = (/** @type {{ username?: string }} */ one) =>
    one.username?.toLowerCase() === target.name.toLowerCase();
  const bot = store.bots.find(isNamed);
  if (!bot) {
    const chat = store.chats.find((one) => one.id === target.chatId || isNamed(one));
    if (chat) {
      store.awaited = target.messageId;
      go({ chat: chat.id });
    } else toast(target.chatId === undefined ? `@${target.name}` : url);
    return;
  }
  if (target.group !== undefined) chooseGroup(bot, target.group);
  else if (target.payload === undefined && privateChat(bot)) go({ chat: privateChat(bot)?.id });
  else attempt(() => startBot(bot.username, target.payload));
}

/**
 * Presses the bot's Start for the person on screen and opens the private chat.
 * @param {string} username
 * @param {string} [payload]
 */
export async function startBot(username, payload) {
  const user = store.userId;
  const answer = await post('start', { user_id: user, bot: username, ...(payload ? { payload } : {}) });
  if (store.userId !== user) return;
  emit('refresh');
  go({ chat: answer.chat_id ?? user });
}

/** @param {{ id: number, username: string }} bot */
function privateChat(bot) {
  return store.chats.find(
    (chat) =>
      chat.type === 'private' &&
      (store.bots.length === 1 ||
        chat.bot_id === bot.id ||
        !!chat.members?.some((member) => member.user_id === bot.id)),
  );
}

/**
 * @param {string} url
 * @returns {{ name: string, chatId?: number, messageId?: number, payload?: string, group?: string } | undefined}
 */
function ownLink(url) {
  let parsed;
  try {
    parsed = new URL(url);
  } catch {
    return undefined;
  }
  const fields = parsed.searchParams;
  let name;
  let chatId;
  let messageId;
  if (parsed.protocol === 'tg:' && `${parsed.host}${parsed.pathname}`.replaceAll('/', '') === 'resolve') {
    name = fields.get('domain');
  } else if (/^https?:$/.test(parsed.protocol) && /^(www\.)?(t|telegram)\.me$/i.test(parsed.hostname)) {
    // `/name`, `/name/message`, `/c/chat/message`; a topic may stand before the message.
    const [first, ...rest] = parsed.pathname.split('/').filter(Boolean);
    name = first;
    if (first === 'c') chatId = -(CHANNEL_IDS + Number(rest.shift()));
    messageId = Number(rest.at(-1)) || undefined;
  }
  if (!name) return undefined;
  const payload = fields.get('start') ?? undefined;
  const group = fields.get('startgroup') ?? undefined;
  return {
    name,
    ...(chatId !== undefined ? { chatId } : {}),
    ...(messageId !== undefined ? { messageId } : {}),
    ...(payload !== undefined ? { payload } : {}),
    ...(group !== undefined ? { group } : {}),
  };
}

/**
 * @param {{ id: number, username: string }} bot
 * @param {string} payload
 */
function chooseGroup(bot, payload) {
  const groups = store.chats.filter((chat) => chat.type.endsWith('group') && isAdmin(chat));
  const dialog = sheet(
    t('choose_group'),
    h(
      'div',
      { class: 'choices' },
      groups.length === 0 && h('p', { class: 'muted' }, t('no_group')),
      groups.map((chat) =>
        h(
          'button',
          { type: 'button', dir: 'auto', on: { click: () => attempt(() => add(chat.id)) } },
          chatTitle(chat),
        ),
      ),
    ),
  );
  const add = async (/** @type {number} */ chatId) => {
    dialog.close();
    await post('start', {
      user_id: store.userId,
      bot: bot.username,
      chat_id: chatId,
      ...(payload ? { payload } : {}),
    });
    emit('refresh');
    go({ chat: chatId });
  };
}
