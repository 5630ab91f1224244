import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, html, type Html } from '../../telegram/html.ts';

const card = (code: string): Html => b(isolateLtr(`#${code}`));

/** What stands, what ended, and who sees to it. */
export const alarmTexts = defineTexts({
  en: {
    again: html`🔔 Still so:`,
    pace: (perDay: string, left: string, until: string): Html =>
      html`Pace ${perDay} a day → about ${left}, until ${until}`,
    paceLeft: (days: string): Html => html`That is about ${days} at the pace of late.`,
    unfit: (code: string, when: string, price: string): Html =>
      html`⚠ ${card(code)} (${when}, ≈ ${price}) will not fit.`,
    statuses: {
      user_not_found: 'the user is not found',
      user_on_trial: 'the user is on trial',
      user_locked: 'the user is locked',
      user_expired: 'the user has expired',
      user_not_confirmed: 'the user is not confirmed',
      user_without_access: 'the user has no access',
      other: 'for a reason that I do not know',
    },
    heads: {
      short: 'Credit will not do for what is scheduled',
      fits: 'What is scheduled fits into the credit',
      expires: 'The account ends soon',
      expired: 'The account has ended',
      renewed: 'The account goes on',
      unreadable: 'The gateway’s answers cannot be read',
      counts: 'The gateway counts more received messages than it lists',
      countsBack: 'The stored messages match the gateway’s count',
    },
    limit: (credit: string, limit: string): string => `${credit} (limit ${limit})`,
    within: (left: string, when: string): string => `in ${left}, on ${when}`,
    on: (when: string): string => `on ${when}`,
    until: (when: string): string => `until ${when}`,
    since: (when: string): string => `since ${when}`,
    after: (lasted: string): string => `after ${lasted}`,
    whenBack: 'Nothing is known of messages that come in meanwhile; they are read when it is back.',
    whenOver: 'Nothing is known of messages that come in meanwhile; they are read when that is over.',
    readAnew: 'I have read everything again. I cannot show what the gateway does not list.',
    countsDay: (day: string, stored: string, counted: string): Html =>
      html`· ${isolateLtr(day)}: ${stored} of ${counted}`,
    changed: (account: string, count: string): Html =>
      html`⚠ The gateway lists ${count} with another content than before · ${isolateAuto(account)}. Both are kept: /inbox`,
    marking: (account: string): Html =>
      html`⚠ Messages are not marked read at the gateway any more · ${isolateAuto(account)}: it does not list those that have been read, and one could be lost.`,
    messages: { one: 'message', other: 'messages' },
    acked: (name: string, at: string, again: string | null): Html =>
      html`🙋 ${isolateAuto(name)} took it at ${at}${again === null ? '' : html` · brought up again at ${again} if unchanged`}`,
    muted: (until: string, name: string): Html =>
      html`🔇 Muted until ${until}${name === '' ? '' : html` by ${isolateAuto(name)}`}`,
    stood: (since: string, until: string): Html => html`From ${since} to ${until}`,
    topUp: '🙋 I’ll top up',
    onIt: '🙋 I’m on it',
    mute: { '4h': '🔇 4 h', tomorrow: '🔇 until tomorrow 9:00', saturday: '🔇 until Saturday' },
    unmute: '🔔 Unmute',
    pause: (code: string): string => `⏸ Pause ${isolateLtr(`#${code}`)}`,
    ackedBefore: (name: string, at: string): Html => html`${isolateAuto(name)} took it at ${at} already.`,
    over: html`This is over already.`,
  },
  fa: {
    again: html`🔔 هنوز ادامه دارد:`,
    pace: (perDay, left, until) => html`مصرف روزانه ${perDay} ← حدود ${left}، تا ${until}`,
    paceLeft: (days) => html`با مصرف این روزها برای حدود ${days} کافی است.`,
    unfit: (code, when, price) => html`⚠ اعتبار برای ${card(code)} (${when}، حدود ${price}) کافی نیست.`,
    statuses: {
      user_not_found: 'کاربر پیدا نشد',
      user_on_trial: 'کاربر آزمایشی است',
      user_locked: 'کاربر قفل شده است',
      user_expired: 'مهلت کاربر تمام شده است',
      user_not_confirmed: 'کاربر تأیید نشده است',
      user_without_access: 'کاربر دسترسی ندارد',
      other: 'به دلیل نامعلوم',
    },
    heads: {
      short: 'اعتبار برای ارسال‌های زمان‌بندی‌شده کافی نیست',
      fits: 'اعتبار برای ارسال‌های زمان‌بندی‌شده کافی است',
      expires: 'حساب به‌زودی منقضی می‌شود',
      expired: 'حساب منقضی شده است',
      renewed: 'حساب تمدید شد',
      unreadable: 'جواب‌های پنل پیامک قابل خواندن نیست',
      counts: 'تعداد پیام‌های دریافتی پنل پیامک از لیستش بیشتر است',
      countsBack: 'پیام‌های ذخیره‌شده با تعداد پنل پیامک یکی شد',
    },
    limit: (credit, limit) => `${credit} (حد: ${limit})`,
    within: (left, when) => `${left} دیگر، در ${when}`,
    on: (when) => `در ${when}`,
    until: (when) => `تا ${when}`,
    since: (when) => `از ${when}`,
    after: (lasted) => `بعد از ${lasted}`,
    whenBack: 'از پیام‌هایی که در این میان برسد خبری نیست؛ وقتی برگردد خوانده می‌شود.',
    whenOver: 'از پیام‌هایی که در این میان برسد خبری نیست؛ وقتی درست شود خوانده می‌شود.',
    readAnew: 'همه را دوباره خواندم. آنچه در لیست پنل پیامک نباشد نمی‌توانم نشان بدهم.',
    countsDay: (day, stored, counted) => html`· ${isolateLtr(day)}: ${stored} از ${counted}`,
    changed: (account, count) =>
      html`⚠ پنل پیامک حالا ${count} را با متن دیگری نشان می‌دهد · ${isolateAuto(account)}. هر دو ذخیره است: /inbox`,
    marking: (account) =>
      html`⚠ دیگر در پنل پیامک علامت خوانده‌شده نمی‌زنم · ${isolateAuto(account)}. پنل پیامک پیام‌های خوانده‌شده را نشان نمی‌دهد و ممکن بود پیامی گم شود.`,
    messages: { one: 'پیام', other: 'پیام' },
    acked: (name, at, again) =>
      html`🙋 ${isolateAuto(name)} ساعت ${at} پیگیری را به عهده گرفت${again === null ? '' : html` · اگر درست نشود ساعت ${again} دوباره می‌گویم`}`,
    muted: (until, name) => html`🔇 بی‌صدا تا ${until}${name === '' ? '' : html`، توسط ${isolateAuto(name)}`}`,
    stood: (since, until) => html`از ${since} تا ${until}`,
    topUp: '🙋 شارژ می‌کنم',
    onIt: '🙋 پیگیری می‌کنم',
    mute: { '4h': '🔇 ۴ ساعت', tomorrow: '🔇 تا ۹ صبح فردا', saturday: '🔇 تا شنبه' },
    unmute: '🔔 لغو بی‌صدا',
    pause: (code) => `⏸ مکث ${isolateLtr(`#${code}`)}`,
    ackedBefore: (name, at) => html`${isolateAuto(name)} ساعت ${at} پیگیری را به عهده گرفته است.`,
    over: html`این دیگر تمام شده است.`,
  },
});
