// @ts-check
// Who is on screen: the switcher, new people, and starting the world over.
import { post } from './api.js';
import { fill, h, isolated } from '../../pages/common/dom.js';
import { hue, initials } from '../../pages/common/format.js';
import { t } from '../../pages/common/i18n.js';
import { icon, iconButton } from '../../pages/common/icons.js';
import { go } from './nav.js';
import { attempt, form, sheet } from '../../pages/common/notices.js';
import * as model from './store.js';
import { changeTheme } from '../../pages/common/theme.js';

const { store } = model;

/** Who one is, and the choice of others. @param {HTMLElement} root */
export function drawPeople(root) {
  const person = model.me();
  const name = person ? model.personName(person) : '';
  const opened = root.querySelector('details')?.open ?? false;
  const focused = root.contains(document.activeElement);
  const add = h(
    'button',
    { type: 'button', class: 'wide', 'data-testid': 'new-person' },
    icon('plus'),
    t('new_person'),
  );
  add.addEventListener('click', () => {
    details.open = false;
    newPerson();
  });
  const details = h(
    'details',
    { class: 'switcher' },
    h(
      'summary',
      { 'data-testid': 'person-switcher', 'aria-label': `${t('you_are')} ${name}. ${t('people')}` },
      h('span', { class: `face ${hue(person?.id ?? 0)}`, 'aria-hidden': 'true' }, initials(name)),
      h('span', { class: 'grow' }, h('span', { class: 'muted' }, t('you_are')), isolated(name, 'name')),
    ),
    h(
      'ul',
      { class: 'options' },
      store.users.map((user) => {
        const here = user.id === store.userId;
        const option = h(
          'button',
          {
            type: 'button',
            class: here ? 'option here' : 'option',
            'data-testid': `person-${user.id}`,
            'aria-current': here ? 'true' : undefined,
          },
          h(
            'span',
            { class: `face small ${hue(user.id)}`, 'aria-hidden': 'true' },
            initials(model.personName(user)),
          ),
          h(
            'span',
            { class: 'grow' },
            isolated(model.personName(user), 'name'),
            h('bdi', { class: 'muted', dir: 'ltr' }, user.username ? `@${user.username}` : String(user.id)),
          ),
          user.language_code && h('span', { class: 'badge' }, user.language_code),
          here && icon('check'),
        );
        option.addEventListener('click', () => {
          details.open = false;
          switchTo(user.id);
        });
        return h('li', null, option);
      }),
      h('li', null, add),
    ),
  );
  details.open = opened;
  details.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Escape' && details.open) {
      details.open = false;
      details.querySelector('summary')?.focus();
    }
  });
  const reset = h(
    'button',
    { type: 'button', class: 'plain icon-button', 'aria-label': t('reset'), title: t('reset') },
    icon('reset'),
  );
  reset.addEventListener('click', askReset);
  const theme = iconButton('theme', t('theme'), changeTheme);
  theme.dataset.testid = 'theme';
  fill(root, details, theme, reset);
  if (focused) details.querySelector('summary')?.focus();
}

/** Shows the page as another person, in the same chat if it is theirs too. @param {number} userId */
function switchTo(userId) {
  const chat = model.openChat();
  const shared = chat && chat.type !== 'private' ? chat.id : undefined;
  go({
    user: userId,
    chat: chat?.type === 'private' ? userId : shared,
    topic: shared ? store.threadId : undefined,
  });
}

function newPerson() {
  const dialog = sheet(
    t('new_person'),
    form(
      [
        { name: 'first_name', label: t('first_name'), required: true },
        { name: 'last_name', label: t('last_name') },
        { name: 'username', label: t('username'), dir: 'ltr', pattern: '[A-Za-z0-9_]{3,32}' },
        {
          name: 'language_code',
          label: t('language'),
          value: document.documentElement.lang,
          options: [
            ['en', 'English'],
            ['fa', 'فارسی'],
          ],
        },
      ],
      {
        submit: t('create'),
        onSubmit: async (values) => {
          const body = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
          const answer = await post('user', body);
          dialog.close();
          const id = answer.id ?? answer.user?.id ?? answer.user_id;
          if (id) go({ user: id });
          model.emit('refresh');
        },
      },
    ),
  );
}

function askReset() {
  const sure = h('button', { type: 'button', class: 'danger' }, t('reset'));
  const dialog = sheet(t('reset'), h('p', null, t('reset_sure')), h('div', { class: 'actions' }, sure));
  sure.addEventListener('click', () =>
    attempt(async () => {
      await post('reset', {});
      dialog.close();
    }),
  );
}
