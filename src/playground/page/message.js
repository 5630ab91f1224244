// @ts-check
// One message as it stands in the conversation.
import { fileUrl } from './api.js';
import { inlineKeyboard } from './buttons.js';
import { h, isolated } from '../../pages/common/dom.js';
import { richText } from './entities.js';
import { clock, directionOf, figure, fileSize, fullTime, hue, initials } from '../../pages/common/format.js';
import { t } from '../../pages/common/i18n.js';
import { icon } from '../../pages/common/icons.js';
import { openMessageMenu, react, shownEmoji } from './message-menu.js';
import {
  canWrite,
  emit,
  isEditable,
  isMine,
  messagesOf,
  nameById,
  openChat,
  personName,
  senderOf,
  store,
  summary,
} from './store.js';
import { pollView } from './poll.js';
import { richMessage } from './rich.js';
import { serviceText } from './service.js';
import { textActions } from './text-actions.js';

const FILES = ['document', 'video', 'animation', 'audio', 'voice', 'video_note', 'sticker'];

/**
 * @param {any} message
 * @returns {HTMLLIElement}
 */
export function messageView(message) {
  const note = serviceText(message);
  const common = {
    'data-testid': `msg-${message.message_id}`,
    'data-id': message.message_id,
    tabindex: '-1',
  };
  if (note !== undefined) return h('li', { class: 'service', ...common }, h('span', null, note));
  const mine = isMine(message);
  const sender = senderOf(message);
  const name = personName(sender);
  const anonymous =
    message.sender_chat && message.sender_chat.id === message.chat.id && message.chat.type !== 'channel';
  return h(
    'li',
    {
      class: `message ${mine ? 'out' : 'in'}`,
      'data-sender': `${sender?.id}`,
      'data-album': message.media_group_id,
      ...common,
    },
    h('span', { class: `face ${hue(sender?.id ?? 0)}`, 'aria-hidden': 'true' }, initials(name)),
    h(
      'div',
      { class: 'stack' },
      h(
        'div',
        { class: 'bubble' },
        h(
          'div',
          { class: `sender ${hue(sender?.id ?? 0)}` },
          isolated(name),
          message.from?.is_bot && !message.sender_chat && h('span', { class: 'badge' }, t('bot')),
          anonymous && h('span', { class: 'badge' }, t('anonymous')),
        ),
        message.receiver_user && h('div', { class: 'muted' }, t('only_you')),
        forwarded(message),
        message.via_bot &&
          h('div', { class: 'forwarded' }, t('via', { name: `@${message.via_bot.username}` })),
        quote(message),
        media(message),
        body(message),
        reactions(message),
        h(
          'div',
          { class: 'meta' },
          message.edit_date && h('span', null, t('edited')),
          h(
            'time',
            { datetime: new Date(message.date * 1000).toISOString(), title: fullTime(message.date) },
            clock(message.date),
          ),
        ),
      ),
      inlineKeyboard(message),
    ),
    actions(message),
  );
}

/** @param {any} message */
function body(message) {
  if (message.rich_message) return richMessage(message);
  const text = message.text ?? message.caption;
  if (typeof text !== 'string' || text === '') return null;
  const entities = message.text === undefined ? message.caption_entities : message.entities;
  return h('div', { class: 'text', dir: 'auto' }, richText(text, entities, textActions));
}

/** @param {any} message */
function quote(message) {
  const original = message.reply_to_message;
  // In a forum every message formally replies to the one that made its topic.
  if (!original || original.forum_topic_created) return null;
  const known = messagesOf(message.chat.id).get(original.message_id) ?? original;
  const gone = known.deleted;
  const text = summary(known, t);
  return h(
    'button',
    {
      type: 'button',
      class: `quote ${hue(senderOf(original)?.id ?? 0)}`,
      on: { click: () => emit('reveal', original.message_id) },
    },
    isolated(gone ? t('deleted_reply') : personName(senderOf(original)), 'who'),
    !gone && h('span', { dir: directionOf(text) }, text),
  );
}

/** @param {any} message */
function forwarded(message) {
  const origin = message.forward_origin;
  if (!origin) return null;
  const name =
    origin.sender_user_name ?? personName(origin.sender_user ?? origin.sender_chat ?? origin.chat ?? {});
  return h('div', { class: 'forwarded' }, t('forwarded', { name }));
}

/** @param {any} message */
function media(message) {
  if (Array.isArray(message.photo) && message.photo.length > 0) return photo(message);
  const kind = FILES.find((one) => message[one]?.file_id);
  if (kind) return file(message[kind], kind);
  if (message.poll) return pollView(message);
  if (message.contact) {
    const { first_name, last_name, phone_number } = message.contact;
    return h(
      'div',
      { class: 'card' },
      icon('person'),
      h(
        'div',
        null,
        isolated(personName({ first_name, last_name })),
        h('bdi', { dir: 'ltr', class: 'muted' }, phone_number),
      ),
    );
  }
  if (message.location) {
    const { latitude, longitude } = message.location;
    return h(
      'div',
      { class: 'card' },
      h('div', null, t('location'), h('bdi', { dir: 'ltr', class: 'muted' }, `${latitude}, ${longitude}`)),
    );
  }
  if (message.text === undefined && message.caption === undefined && !message.rich_message) {
    return h('div', { class: 'muted' }, t('unsupported_message'));
  }
  return null;
}

/** @param {any} message */
function reactions(message) {
  if (!Array.isArray(message.reactions) || message.reactions.length === 0) return null;
  /** @type {Map<string, number[]>} */
  const people = new Map();
  for (const { emoji, user_id } of message.reactions)
    people.set(emoji, [...(people.get(emoji) ?? []), user_id]);
  return h(
    'div',
    { class: 'reactions' },
    [...people].map(([emoji, ids]) => {
      const names = ids.map(nameById).join(', ');
      return h(
        'button',
        {
          type: 'button',
          'data-testid': 'reaction',
          'aria-pressed': String(ids.includes(store.userId ?? 0)),
          'aria-label': `${emoji} ${names}`,
          title: names,
          on: { click: () => react(message, emoji) },
        },
        shownEmoji(emoji),
        ids.length > 1 && h('span', null, figure(ids.length)),
      );
    }),
  );
}

/** @param {any} message */
function photo(message) {
  const largest = message.photo.reduce((/** @type {any} */ a, /** @type {any} */ b) =>
    (b.width ?? 0) >= (a.width ?? 0) ? b : a,
  );
  const url = fileUrl(largest.file_id);
  const image = h('img', {
    src: url,
    alt: message.caption ? summary(message, t) : t('picture'),
    width: largest.width > 0 ? largest.width : undefined,
    height: largest.height > 0 ? largest.height : undefined,
    loading: 'lazy',
  });
  image.addEventListener('error', () => image.classList.add('broken'));
  return h(
    'a',
    {
      class: `photo${message.has_media_spoiler ? ' veiled' : ''}`,
      href: url,
      target: '_blank',
      rel: 'noopener',
      'aria-label': t('open_picture'),
    },
    image,
  );
}

/**
 * @param {any} item
 * @param {string} kind
 */
function file(item, kind) {
  const name = String(item.file_name ?? kind);
  return h(
    'a',
    { class: 'file', href: fileUrl(item.file_id), download: name, 'aria-label': `${t('download')}: ${name}` },
    h('span', { class: 'file-icon' }, icon('file')),
    h(
      'span',
      { class: 'file-text' },
      isolated(name, 'file-name'),
      h('span', { class: 'muted' }, fileSize(item.file_size)),
    ),
    icon('download'),
  );
}

/** @param {any} message */
function actions(message) {
  const chat = openChat();
  if (!chat) return null;
  const writes = canWrite(chat);
  const editable = writes && isEditable(message);
  const more = action('more', t('message_menu'), () => openMessageMenu(message, more));
  more.setAttribute('aria-haspopup', 'menu');
  return h(
    'div',
    { class: 'actions' },
    writes && action('reply', t('reply'), () => emit('reply', message)),
    editable && action('edit', t('edit'), () => emit('edit', message)),
    more,
  );
}

/**
 * @param {string} shape
 * @param {string} label
 * @param {() => void} onClick
 */
function action(shape, label, onClick) {
  return h(
    'button',
    {
      type: 'button',
      class: 'plain icon-button',
      'data-testid': shape,
      'aria-label': label,
      title: label,
      on: { click: onClick },
    },
    icon(shape),
  );
}
