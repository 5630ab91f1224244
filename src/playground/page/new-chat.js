// @ts-check
// The form for a new group, forum or channel.
import { post } from './api.js';
import { h, isolated } from '../../pages/common/dom.js';
import { t } from '../../pages/common/i18n.js';
import { go } from './nav.js';
import { form, sheet } from '../../pages/common/notices.js';
import * as model from './store.js';

const { store } = model;

export function newChat() {
  const others = [...store.users.filter((user) => user.id !== store.userId), ...store.bots];
  const members = h(
    'fieldset',
    null,
    h('legend', null, t('members')),
    others.map((person) =>
      h(
        'label',
        { class: 'check' },
        h('input', {
          type: 'checkbox',
          name: 'members',
          value: person.id,
          checked: store.bots.some((bot) => bot.id === person.id),
        }),
        isolated(model.personName(person)),
      ),
    ),
  );
  const kinds = /** @type {[string, string][]} */ (
    ['group', 'supergroup', 'forum', 'channel'].map((kind) => [kind, t(kind)])
  );
  const dialog = sheet(
    t('new_chat'),
    form(
      [
        { name: 'type', label: t('kind'), value: 'group', options: kinds },
        { name: 'title', label: t('title'), required: true },
      ],
      {
        submit: t('create'),
        extra: members,
        onSubmit: async ({ type, title }, data) => {
          const picked = data.getAll('members').map(Number);
          const isBot = (/** @type {number} */ id) => store.bots.some((bot) => bot.id === id);
          const answer = await post('chat', {
            type,
            title,
            creator_id: store.userId,
            members: picked.filter((member) => !isBot(member)),
          });
          const id = answer.id ?? answer.chat?.id ?? answer.chat_id;
          // Bots come in by a step of their own, since they are told of it.
          for (const bot of picked.filter(isBot)) {
            const status = type === 'channel' ? 'administrator' : 'member';
            await post('member', { chat_id: id, user_id: bot, status, actor_id: store.userId });
          }
          dialog.close();
          model.emit('refresh');
          if (id) go({ chat: id });
        },
      },
    ),
  );
}
