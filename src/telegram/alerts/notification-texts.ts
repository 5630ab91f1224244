import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto } from '../../i18n/format.ts';
import { html, type Html } from '../html.ts';

/** Why a place for alerts is out of reach; what is not among them is told as the last one. */
type Reason = 'blocked' | 'kicked' | 'chat_gone' | 'no_rights' | 'thread_gone';

const WHY: Readonly<Record<'en' | 'fa', Readonly<Record<Reason, string>>>> = {
  en: {
    blocked: 'I am blocked there',
    kicked: 'I am no longer a member there',
    chat_gone: 'it no longer exists',
    no_rights: 'I may not write there',
    thread_gone: 'the topic is closed or deleted',
  },
  fa: {
    blocked: 'آنجا مسدود شده‌ام',
    kicked: 'دیگر آنجا عضو نیستم',
    chat_gone: 'دیگر وجود ندارد',
    no_rights: 'اجازهٔ نوشتن در آنجا را ندارم',
    thread_gone: 'موضوعش بسته یا پاک شده است',
  },
};

/** What the kit says about places for alerts. */
export const notificationTexts = defineTexts({
  en: {
    destinationOff: (place: string, reason: string): Html =>
      html`⚠ Alerts do not reach ${isolateAuto(place)} any more: ${whyOf('en', reason)}. What comes for it waits until I can write there again. Other places are as before: /alerts`,
  },
  fa: {
    destinationOff: (place, reason) =>
      html`⚠ هشدارها دیگر به ${isolateAuto(place)} نمی‌رسد: ${whyOf('fa', reason)}. هشدارهای آنجا نگه داشته می‌شود تا دوباره بتوانم بنویسم. جاهای دیگر مثل قبل است: /alerts`,
  },
});

function whyOf(locale: 'en' | 'fa', reason: string): string {
  return WHY[locale][isReason(reason) ? reason : 'no_rights'];
}

function isReason(reason: string): reason is Reason {
  return Object.hasOwn(WHY.en, reason);
}
