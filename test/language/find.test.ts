import { displayRecipient } from '../../src/domain/phone.ts';
import { findTexts } from '../../src/features/inbox/find-card.ts';
import { isolateAuto, isolateLtr } from '../../src/i18n/format.ts';
import { code } from '../../src/telegram/html.ts';
import { checkTexts } from './check-texts.ts';

checkTexts(
  'src/features/inbox/find-card.ts',
  findTexts,
)(({ locale, foreign, format }) => {
  const sender = code(isolateLtr(displayRecipient('989121234567')));
  const when = format.dateTime(new Date('2026-11-24T08:30:00Z'));
  const count = format.count(
    1204,
    locale === 'fa' ? { one: 'پیام', other: 'پیام' } : { one: 'message', other: 'messages' },
  );
  return {
    head: [[isolateAuto(foreign(100)), count]],
    none: [[isolateAuto(foreign(100))]],
    noneThen: [[format.date(new Date('2026-11-24T08:30:00Z'))]],
    offerContact: [['0912 123 4567']],
    entry: [
      ['1204', sender, foreign(60), '3000123456', when],
      ['1204', sender, null, '3000123456', when],
    ],
  };
});
