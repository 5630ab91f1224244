// @ts-check
// The middle of the page: the open chat's heading, its topics and its messages.
import { openChatInfo } from './chat-info.js';
import { betweenPresses, byId, fill, h, isolated } from '../../pages/common/dom.js';
import { dayKey, dayName, figure, hue, initials } from '../../pages/common/format.js';
import { t } from '../../pages/common/i18n.js';
import { icon, iconButton } from '../../pages/common/icons.js';
import { messageView } from './message.js';
import { offerMenus } from './message-menu.js';
import { go } from './nav.js';
import { neighbourLink } from '../../pages/common/neighbour.js';
import { createDraftView } from './draft.js';
import { createSearch } from './search.js';
import * as model from './store.js';
import { createTopics } from './topics.js';
import { createWelcome } from './welcome.js';

const NEAR_PX = 120;

/**
 * @param {{ composer: HTMLElement, onToggleCalls: () => void }} parts
 */
export function createConversation({ composer, onToggleCalls }) {
  const root = byId('conversation');
  const heading = h('header', { class: 'chat-head' });
  const list = h('ol', { class: 'messages', 'aria-live': 'polite', 'aria-relevant': 'additions' });
  offerMenus(list);
  const typing = h('div', { class: 'typing', dir: 'auto', 'aria-live': 'polite' });
  const jump = h('button', { type: 'button', class: 'jump', hidden: true }, icon('down'));
  const empty = h('div', { class: 'empty' });
  const written = createDraftView({ onChange: () => atEnd && keepEnd() });
  const scroller = h('div', { class: 'scroller', tabindex: '0' }, createWelcome(), list, written, empty);
  const stage = h('div', { class: 'stage' }, scroller, jump, typing);
  const pinned = h('button', { type: 'button', class: 'pinned', hidden: true });
  fill(root, heading, createTopics(), pinned, stage, composer);

  let atEnd = true;
  let missed = 0;
  /** A chat without messages is read from its beginning. */
  const keepEnd = () => {
    scroller.scrollTop = list.childElementCount === 0 ? 0 : scroller.scrollHeight;
  };
  const toEnd = () => {
    keepEnd();
    atEnd = true;
    missed = 0;
    showJump();
  };
  const showJump = () => {
    jump.hidden = atEnd;
    const label = missed > 0 ? t('new_messages') : t('to_latest');
    jump.setAttribute('aria-label', label);
    jump.title = label;
    jump.classList.toggle('fresh', missed > 0);
  };
  scroller.addEventListener('scroll', () => {
    atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_PX;
    if (atEnd) missed = 0;
    showJump();
  });
  jump.addEventListener('click', toEnd);
  // Pictures, the composer growing and a phone's keyboard change heights; the end stays in view.
  const sizes = new ResizeObserver(() => {
    if (atEnd) keepEnd();
  });
  sizes.observe(list);
  sizes.observe(scroller);

  const drawHeading = () => {
    const chat = model.openChat();
    const beside = neighbourLink(model.store.beside);
    const calls = iconButton('log', t('show_calls'), onToggleCalls);
    calls.dataset.testid = 'toggle-calls';
    if (!chat) {
      fill(heading, h('div', { class: 'grow' }), beside, calls);
      return;
    }
    const back = iconButton('back', t('back'), () => go({}));
    back.classList.add('only-narrow');
    back.dataset.testid = 'back';
    const search = iconButton('search', t('search'), () => model.emit('search'));
    search.dataset.testid = 'search';
    const title = model.chatTitle(chat);
    fill(
      heading,
      back,
      h(
        'span',
        { class: `face ${hue(model.botOf(chat)?.id ?? chat.id)}`, 'aria-hidden': 'true' },
        initials(title),
      ),
      h(
        'div',
        { class: 'grow' },
        h('h1', null, isolated(title)),
        h('div', { class: 'muted' }, describe(chat)),
      ),
      beside,
      search,
      iconButton('info', t('chat_info'), () => openChatInfo(chat.id)),
      calls,
    );
  };

  let pinnedId = 0;
  pinned.addEventListener('click', () => model.emit('reveal', pinnedId));
  const drawPinned = () => {
    const chat = model.openChat();
    const message = chat && model.messagesOf(chat.id).get(chat.pinned?.at(-1) ?? 0);
    pinned.hidden = !message;
    if (!message) return;
    pinnedId = message.message_id;
    fill(
      pinned,
      h('span', { class: 'who' }, t('pinned')),
      h('span', { class: 'preview muted', dir: 'auto' }, model.summary(message, t)),
    );
  };

  const drawAll = () => {
    fill(list, model.visibleMessages().map(messageView));
    tidy();
    toEnd();
    model.markSeen();
  };

  const drawOne = (/** @type {any} */ message) => {
    const chat = model.openChat();
    if (!chat || message.chat.id !== chat.id) return;
    const old = find(message.message_id);
    if (!model.isVisible(message, chat)) {
      old?.remove();
      tidy();
      return;
    }
    const fresh = messageView(message);
    if (old) {
      const focused = old.contains(document.activeElement) ? focusIndex(old) : -1;
      old.replaceWith(fresh);
      if (focused >= 0) focusable(fresh)[focused]?.focus({ preventScroll: true });
    } else {
      const next = [...list.children].find((item) => Number(item.dataset.id) > message.message_id);
      list.insertBefore(fresh, next ?? null);
      if (!atEnd && !model.isMine(message)) missed += 1;
    }
    tidy();
    if (atEnd || (!old && model.isMine(message))) toEnd();
    showJump();
    model.markSeen();
  };

  const remove = (/** @type {number} */ id) => {
    const chat = model.openChat();
    // Another chat may have been opened since, with a message of the same number.
    if (chat && model.messagesOf(chat.id).has(id)) return;
    find(id)?.remove();
    tidy();
  };

  /** Sets day headings and the runs of one sender, after any change to the list. */
  const tidy = () => {
    drawPinned();
    for (const day of list.querySelectorAll('.day')) day.remove();
    const chat = model.openChat();
    const known = chat ? model.messagesOf(chat.id) : new Map();
    /** @type {any} */ let before;
    for (const item of [...list.children]) {
      const message = known.get(Number(item.dataset.id));
      if (!message) continue;
      const newDay = !before || dayKey(before.message.date) !== dayKey(message.date);
      if (newDay) list.insertBefore(h('li', { class: 'day' }, h('span', null, dayName(message.date))), item);
      const same =
        !newDay &&
        item.dataset.sender !== undefined &&
        before.item.dataset.sender === item.dataset.sender &&
        message.date - before.message.date < 600;
      item.classList.toggle('continued', same);
      before?.item.classList.toggle('last', !same);
      item.classList.add('last');
      before = { item, message };
    }
    list.dataset.kind = chat?.type ?? '';
    drawEmpty(chat, before === undefined);
  };

  const drawEmpty = (/** @type {model.Chat | undefined} */ chat, /** @type {boolean} */ isEmpty) => {
    empty.hidden = !!chat && !isEmpty;
    fill(empty, h('p', null, t(chat ? (chat.unmet ? 'start_hint' : 'no_messages') : 'pick_chat')));
  };

  const find = (/** @type {number} */ id) => list.querySelector(`[data-id="${id}"]`);

  const changeHeading = betweenPresses(heading);
  model.on('open', () => {
    changeHeading(drawHeading);
    drawAll();
    typing.textContent = '';
    scroller.setAttribute('aria-label', t('message'));
  });
  model.on('world', () => {
    changeHeading(drawHeading);
    drawPinned();
  });
  const drawAgain = () => {
    const kept = atEnd ? undefined : scroller.scrollTop;
    drawAll();
    if (kept !== undefined) scroller.scrollTop = kept;
    if (model.store.awaited !== undefined) model.emit('reveal', model.store.awaited);
    model.store.awaited = undefined;
  };
  const change = betweenPresses(list);
  model.on('messages', () => change(drawAgain));
  model.on('message', (message) => change(() => drawOne(message)));
  model.on('gone', (id) => change(() => remove(id)));
  model.on('reveal', (id) => {
    const item = find(id);
    if (!item) return;
    item.scrollIntoView({ block: 'center', behavior: 'smooth' });
    item.classList.add('flash');
    window.setTimeout(() => item.classList.remove('flash'), 1500);
  });
  let typingTimer = 0;
  model.on('typing', (name) => {
    typing.textContent = name ? t('typing', { name }) : '';
    window.clearTimeout(typingTimer);
    typingTimer = window.setTimeout(() => (typing.textContent = ''), 5000);
  });
  // It hears of everything after it was drawn here, so that what it shows is there.
  heading.after(createSearch());
}

/** @param {model.Chat} chat */
function describe(chat) {
  if (chat.type === 'private') {
    const bot = model.botOf(chat);
    return [h('bdi', { dir: 'ltr' }, bot ? `@${bot.username}` : ''), chat.blocked && ` · ${t('blocked')}`];
  }
  const kind = t(chat.is_forum ? 'forum' : chat.type);
  const count = (chat.members ?? []).filter((one) => !['left', 'kicked'].includes(one.status)).length;
  return `${kind} · ${t('person_count', { n: figure(count) })}`;
}

/** @param {HTMLElement} item @returns {HTMLElement[]} */
function focusable(item) {
  return [...item.querySelectorAll('button, a')].filter((one) => one instanceof HTMLElement);
}

/** @param {HTMLElement} item */
function focusIndex(item) {
  return focusable(item).indexOf(/** @type {HTMLElement} */ (document.activeElement));
}
