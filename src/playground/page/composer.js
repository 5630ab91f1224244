// @ts-check
// Where a person writes: text, files, replies, edits, the bot's commands and its reply keyboard.
import { post, upload } from './api.js';
import { createCommandMenu } from './commands.js';
import { createInlineResults } from './inline.js';
import { createAttachments, uploadForm } from './attachments.js';
import { askContact } from './contact.js';
import { byId, fill, h } from '../../pages/common/dom.js';
import { draftPlace, keepDraft, keptDraft } from './drafts.js';
import { t } from '../../pages/common/i18n.js';
import { icon } from '../../pages/common/icons.js';
import { openMenu } from './menu.js';
import { startBot } from './links.js';
import { attempt } from '../../pages/common/notices.js';
import { currentKeyboard, spendKeyboard } from './reply-keyboard.js';
import * as model from './store.js';

const { store } = model;

/** @returns {HTMLElement} */
export function createComposer() {
  const context = h('div', { class: 'context', hidden: true });
  const keyboard = h('div', { class: 'reply-keyboard', dir: 'ltr', hidden: true });
  const input = h('textarea', { 'data-testid': 'composer', dir: 'auto', rows: '1', maxlength: '8192' });
  const files = createAttachments({
    area: byId('conversation'),
    input,
    isOpen: () => !root.hidden && !row.hidden,
    onChange: () => showPlaceholder(),
  });
  const attach = tool('attach', () => chooseWhat());
  const commands = tool('slash', () => menu.toggle());
  attach.dataset.testid = 'attach';
  const keys = tool('keyboard', () => showKeyboard(keyboard.hidden));
  const mask = tool('mask', () => setAnonymous(mask.getAttribute('aria-pressed') !== 'true'));
  const send = h('button', { type: 'submit', class: 'send', 'data-testid': 'send' }, icon('send'));
  const row = h('form', { class: 'write' }, attach, input, mask, keys, commands, send);
  const barred = h('div', { class: 'barred', hidden: true });
  const root = h(
    'footer',
    { class: 'composer', hidden: true },
    context,
    files.chips,
    row,
    keyboard,
    barred,
    files.picker,
    files.sign,
  );
  const menu = createCommandMenu({ input, onPick: (text) => put(text, { submit: true }) });
  commands.dataset.testid = 'commands';
  const results = createInlineResults({ input, onPick: (chosen) => choose(chosen) });
  root.prepend(menu.element, results.element);

  /** The draft's place, so that text is kept with the chat it was written for. */
  let draftKey = '';

  const keep = () => {
    if (!store.editing) keepDraft(draftKey, input.value);
  };
  const writeDraft = () => write(keptDraft(draftKey));
  const grow = () => {
    input.style.height = 'auto';
    input.style.height = `${Math.min(input.scrollHeight + 2, 180)}px`;
  };
  const write = (/** @type {string} */ text) => {
    input.value = text;
    keep();
    grow();
    menu.update();
    results.update();
  };
  const put = (/** @type {string} */ text, { submit = false } = {}) => {
    write(text);
    input.focus();
    if (submit) row.requestSubmit();
  };

  const placeIn = (/** @type {model.Chat} */ chat) => ({
    user_id: store.userId,
    chat_id: chat.id,
    ...(chat.is_forum && store.threadId !== model.GENERAL ? { thread_id: store.threadId } : {}),
    ...(anonymous() ? { as_anonymous: true } : {}),
  });
  const answered = () => (store.replyTo ? { reply_to_message_id: store.replyTo.message_id } : {});
  /** What is being written meanwhile stays. */
  const say = (/** @type {string} */ text) => {
    const chat = model.openChat();
    if (chat) attempt(() => post('message', { ...placeIn(chat), text }));
  };
  const choose = (/** @type {{ inline_query_id: string, result_id: string }} */ chosen) => {
    const chat = model.openChat();
    if (!chat) return;
    const where = { ...placeIn(chat), ...answered() };
    write('');
    model.emit('context-done');
    attempt(() => post('choose', { ...where, ...chosen }));
  };
  const share = (/** @type {any} */ chat, /** @type {Record<string, string>} */ contact) => {
    const where = { ...placeIn(chat), ...answered() };
    model.emit('context-done');
    attempt(() => post('contact', { ...where, ...contact }));
  };
  const chooseWhat = () => {
    const chat = model.openChat();
    if (!chat) return;
    openMenu({
      label: t('attach'),
      at: attach,
      items: [
        { icon: 'file', id: 'file', label: t('share_file'), act: files.pick },
        {
          icon: 'person',
          id: 'contact',
          label: t('share_contact'),
          act: () => share(chat, {}),
        },
        {
          icon: 'person',
          id: 'other-contact',
          label: t('share_other_contact'),
          act: () => askContact((contact) => share(chat, contact)),
        },
      ],
    });
  };
  const submit = () => {
    const chat = model.openChat();
    const text = input.value;
    if (!chat || (text.trim() === '' && files.list().length === 0)) return;
    const { userId, editing } = store;
    const where = { ...placeIn(chat), ...answered() };
    const sent = files.list();
    files.set([]);
    write('');
    model.emit('context-done');
    menu.close();
    attempt(async () => {
      try {
        if (editing)
          await post('edit', { user_id: userId, chat_id: chat.id, message_id: editing.message_id, text });
        else if (sent.length > 0) await upload(uploadForm(where, text, sent));
        else await post('message', { ...where, text });
      } catch (error) {
        // What was written is given back, unless something new has been begun.
        if (input.value === '' && store.chatId === chat.id) {
          files.set(sent);
          write(text);
        }
        throw error;
      }
    });
  };

  const drawContext = () => {
    const { editing, replyTo } = store;
    const about = editing ?? replyTo;
    context.hidden = !about;
    if (!about) return;
    const label = editing ? t('editing') : t('replying', { name: model.personName(model.senderOf(replyTo)) });
    const cancel = h(
      'button',
      {
        type: 'button',
        class: 'plain icon-button',
        'aria-label': t('cancel'),
        'data-testid': 'cancel-context',
      },
      icon('close'),
    );
    cancel.addEventListener('click', () => leaveContext());
    fill(
      context,
      icon(editing ? 'edit' : 'reply'),
      h(
        'div',
        { class: 'grow' },
        h('div', { class: 'who', dir: 'auto' }, label),
        h('div', { class: 'muted', dir: 'auto' }, model.summary(about, t)),
      ),
      cancel,
    );
  };
  const leaveContext = () => {
    model.emit('context-done');
    input.focus();
  };

  const anonymous = () => !mask.hidden && mask.getAttribute('aria-pressed') === 'true';
  const setAnonymous = (/** @type {boolean} */ wanted) => mask.setAttribute('aria-pressed', String(wanted));

  /** @type {string | undefined} */
  let hint;
  const showPlaceholder = () => {
    input.placeholder = files.list().length > 0 ? t('caption') : hint || t('write');
  };

  const showKeyboard = (/** @type {boolean} */ shown) => {
    keyboard.hidden = !shown;
    keys.setAttribute('aria-expanded', String(shown));
  };
  /** @type {any} */
  let shownKeyboard;
  const drawKeyboard = () => {
    const message = currentKeyboard();
    const markup = message?.reply_markup;
    const rows = markup?.keyboard;
    keys.hidden = !rows;
    hint = markup?.input_field_placeholder;
    showPlaceholder();
    if (message === shownKeyboard && rows) return;
    shownKeyboard = message;
    if (!rows) {
      showKeyboard(false);
      if (markup?.force_reply && !store.replyTo && !store.editing) model.emit('reply', message);
      return;
    }
    fill(
      keyboard,
      rows.map((/** @type {any[]} */ line) =>
        h(
          'div',
          { class: 'row' },
          line.map((one) => replyButton(one, message)),
        ),
      ),
    );
    showKeyboard(true);
  };
  const replyButton = (/** @type {any} */ button, /** @type {any} */ message) => {
    const text = typeof button === 'string' ? button : String(button.text ?? '');
    const asks = typeof button !== 'string' && (button.request_contact || button.request_location);
    const element = h('button', { type: 'button', 'data-testid': 'reply-btn', dir: 'auto' }, text);
    element.addEventListener('click', () => {
      const chat = model.openChat();
      if (!chat) return;
      // In a group the press answers the keyboard's message, which is how a bot in privacy mode hears of it.
      if (chat.type !== 'private' && !store.replyTo) store.replyTo = message;
      spendKeyboard(message);
      if (asks) {
        const { user_id, chat_id, thread_id } = placeIn(chat);
        const pressed = { user_id, chat_id, thread_id, message_id: message.message_id, label: text };
        attempt(() => post('press', pressed));
        drawKeyboard();
        return;
      }
      const kept = input.value;
      write(text);
      row.requestSubmit();
      write(kept);
      drawKeyboard();
    });
    return element;
  };

  const drawRights = () => {
    const chat = model.openChat();
    root.hidden = !chat;
    if (!chat) return;
    const allowed = model.canWrite(chat) && !chat.unmet;
    row.hidden = !allowed;
    barred.hidden = allowed;
    mask.hidden = chat.type === 'private' || chat.type === 'channel' || !model.isAdmin(chat);
    commands.hidden = chat.type === 'channel';
    if (!allowed) drawBarred(chat);
    const labels = /** @type {const} */ ([
      [attach, 'attach'],
      [commands, 'commands'],
      [keys, 'keyboard'],
      [mask, 'as_anonymous'],
      [send, 'send'],
    ]);
    for (const [element, key] of labels) {
      element.setAttribute('aria-label', t(key));
      element.title = t(key);
    }
    input.setAttribute('aria-label', t('message'));
  };

  let barredAs = '';
  /** What stands in place of the field to write in; the same stays, so that a press that has begun is not lost. */
  const drawBarred = (/** @type {model.Chat} */ chat) => {
    const bot = model.botOf(chat)?.username ?? '';
    const now = JSON.stringify([bot, chat.unmet, chat.blocked, document.documentElement.lang]);
    if (now === barredAs) return;
    barredAs = now;
    if (chat.unmet) {
      const start = h('button', { type: 'button', class: 'primary', 'data-testid': 'start' }, t('start'));
      start.addEventListener('click', () => attempt(() => startBot(bot)));
      fill(barred, start);
      return;
    }
    const unblock = h('button', { type: 'button' }, t('unblock_bot'));
    unblock.addEventListener('click', () =>
      attempt(async () => {
        await post('block', { user_id: store.userId, bot, blocked: false });
        model.emit('refresh');
      }),
    );
    fill(barred, h('span', null, t(chat.blocked ? 'blocked' : 'cannot_write')), chat.blocked && unblock);
  };

  row.addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    submit();
  });
  input.addEventListener('input', () => {
    keep();
    grow();
    menu.update();
    results.update();
  });
  input.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (menu.handleKey(event) || results.handleKey(event)) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      row.requestSubmit();
    } else if (event.key === 'Escape' && !context.hidden) leaveContext();
    else if (event.key === 'ArrowUp' && input.value === '' && !store.editing) {
      const own = model.visibleMessages().findLast(model.isEditable);
      if (own) {
        event.preventDefault();
        model.emit('edit', own);
      }
    }
  });
  model.on('open', () => {
    draftKey = draftPlace();
    files.set([]);
    store.replyTo = undefined;
    store.editing = undefined;
    shownKeyboard = undefined;
    setAnonymous(false);
    drawRights();
    drawContext();
    drawKeyboard();
    menu.close();
    writeDraft();
    // On a phone focus would raise the keyboard over the conversation.
    if (root.hidden || !window.matchMedia('(hover: hover) and (min-width: 760px)').matches) return;
    if (row.hidden) barred.querySelector('button')?.focus();
    else input.focus();
  });
  model.on('world', drawRights);
  model.on('messages', drawKeyboard);
  model.on('message', drawKeyboard);
  model.on('gone', drawKeyboard);
  model.on('insert', (text) => put(text));
  model.on('say', say);
  model.on('reply', (message) => {
    const wasEditing = store.editing;
    store.editing = undefined;
    if (wasEditing) writeDraft();
    store.replyTo = message;
    drawContext();
    input.focus();
  });
  model.on('edit', (message) => {
    store.replyTo = undefined;
    store.editing = message;
    drawContext();
    put(message.text ?? message.caption ?? '');
  });
  model.on('context-done', () => {
    const wasEditing = store.editing;
    store.replyTo = undefined;
    store.editing = undefined;
    if (wasEditing) writeDraft();
    drawContext();
  });
  return root;
}

/**
 * @param {string} shape
 * @param {() => void} onClick
 */
function tool(shape, onClick) {
  return h('button', { type: 'button', class: 'plain icon-button', on: { click: onClick } }, icon(shape));
}
