// @ts-check
// Asks for somebody's name and number, to be shared as a contact.
import { t } from '../../pages/common/i18n.js';
import { form, sheet } from '../../pages/common/notices.js';

/** @param {(contact: Record<string, string>) => void} share */
export function askContact(share) {
  const dialog = sheet(
    t('share_other_contact'),
    form(
      [
        { name: 'first_name', label: t('first_name'), required: true },
        { name: 'phone_number', label: t('phone_number'), required: true, dir: 'ltr' },
      ],
      {
        submit: t('send'),
        onSubmit: async (values) => {
          dialog.close();
          share(values);
        },
      },
    ),
  );
}
