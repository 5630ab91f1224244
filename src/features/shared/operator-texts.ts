import type { Operator } from '../../domain/operator.ts';
import { defineTexts } from '../../i18n/define.ts';

/** What each mobile operator, in English a network, is called. */
export const operatorTexts = defineTexts({
  en: {
    names: {
      mci: 'MCI',
      irancell: 'Irancell',
      rightel: 'RighTel',
      other: 'other networks',
    } satisfies Record<Operator, string>,
  },
  fa: {
    names: { mci: 'همراه اول', irancell: 'ایرانسل', rightel: 'رایتل', other: 'اپراتورهای دیگر' },
  },
});
