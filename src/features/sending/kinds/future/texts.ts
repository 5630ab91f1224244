import { defineTexts } from '../../../../i18n/define.ts';
import { code, html, lines } from '../../../../telegram/html.ts';

export const texts = defineTexts({
  en: {
    about: 'send later, kept by the gateway itself until then',
    example: '/future tomorrow 9:00 09121234567 Hello',
    ask: lines(
      html`When should it be sent?`,
      html`For example ${code('tomorrow 9:00')}, ${code('2026-12-24 18:30')}, ${code('1405/10/03 18:30')} or ${code('in 2h')}.`,
    ),
  },
  fa: {
    about: 'ارسال در زمانی دیگر که خود پنل پیامک تا آن وقت نگه می‌دارد',
    example: '/future فردا ۹:۰۰ 09121234567 سلام',
    ask: lines(
      html`کی ارسال شود؟`,
      html`مثلاً ${code('فردا ۹ صبح')}، ${code('1405/10/03 18:30')}، ${code('2026-12-24 18:30')} یا ${code('۲ ساعت دیگر')}`,
    ),
  },
});
