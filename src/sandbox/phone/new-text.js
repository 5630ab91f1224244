// @ts-check
// A text from any phone, to any line.
import { t } from '../../pages/common/i18n.js';
import { form, sheet } from '../../pages/common/notices.js';
import { go, store } from './store.js';
import { writeFrom } from './writing.js';

export function openNewText() {
  const places = store.accounts.flatMap(({ username, lines }) =>
    lines.map((/** @type {string} */ line) => ({ account: username, line })),
  );
  const numbers = store.messages.flatMap(({ kind, from, recipients }) =>
    kind === 'received' ? [from] : recipients,
  );
  const dialog = sheet(
    t('new_text'),
    form(
      [
        {
          name: 'from',
          label: t('phone_number'),
          required: true,
          type: 'tel',
          dir: 'ltr',
          list: [...new Set(numbers)],
        },
        {
          name: 'place',
          label: t('line'),
          options: places.map(({ account, line }, index) => [String(index), `${line} · ${account}`]),
        },
        { name: 'message', label: t('message'), required: true },
      ],
      {
        submit: t('send'),
        onSubmit: async ({ from = '', place = '', message = '' }) => {
          const { account = '', line = '' } = places[Number(place)] ?? {};
          await writeFrom({ account, line, from, message });
          dialog.close();
          go({ phone: from, account, line });
        },
      },
    ),
  );
}
