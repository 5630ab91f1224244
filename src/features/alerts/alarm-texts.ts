import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, html, type Html } from '../../telegram/html.ts';

const card = (code: string): Html => b(isolateLtr(`#${code}`));

/** What stands, what ended, and who sees to it. */
export const alarmTexts = defineTexts({
  en: {
    again: html`🔔 Still going on:`,
    pace: (perDay: string, left: string, until: string): Html =>
      html`Pace ${perDay} a day → about ${left}, until ${until}`,
    paceLeft: (days: string): Html => html`At the recent pace, that lasts about ${days}.`,
    unfit: (code: string, when: string, price: string): Html =>
      html`⚠ The credit does not cover ${card(code)} (${when}, ≈ ${price}).`,
    elsewhere: (amount: string): Html =>
      html`🗓 Scheduled before that in other chats on this account: ≈ ${amount}`,
    statuses: {
      user_not_found: 'the user was not found',
      user_on_trial: 'the user is on trial',
      user_locked: 'the user is locked',
      user_expired: 'the user has expired',
      user_not_confirmed: 'the user is not confirmed',
      user_without_access: 'the user has no access',
      other: 'for an unknown reason',
    },
    heads: {
      short: 'Not enough credit for what is scheduled',
      fits: 'The credit covers what is scheduled',
      expires: 'The account expires soon',
      expired: 'The account has expired',
      renewed: 'The account was renewed',
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
    workingTime: (lasted: string): string => `for ${lasted} of working hours`,
    waitTime: (lasted: string): string => `for ${lasted}`,
    waitEnds: {
      answered: 'Answered',
      done: 'Done',
      blocked: 'Blocked',
      snoozed: 'Snoozed',
      gone: 'No longer waiting',
    },
    whenBack: 'Messages that come in meanwhile are not seen yet; they are read when it is back.',
    whenOver: 'Messages that come in meanwhile are not seen yet; they are read when that is over.',
    readAnew: 'I have read everything again. I cannot show what the gateway does not list.',
    countsDay: (day: string, stored: string, counted: string): Html =>
      html`· ${day}: ${stored} of ${counted}`,
    changed: (account: string, count: string): Html =>
      html`⚠ The gateway lists ${count} with a different text than before · ${isolateAuto(account)}. Both are kept: /inbox`,
    marking: (account: string): Html =>
      html`⚠ I no longer mark messages read at the gateway · ${isolateAuto(account)}: it does not list messages that are marked read, and one could have been lost.`,
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
    elsewhere: (amount) => html`🗓 زمان‌بندی‌شده برای قبل از آن در گفتگوهای دیگر با همین حساب: ≈ ${amount}`,
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
      counts: 'پنل پیامک بیشتر از آنچه نشان می‌دهد پیام دریافتی می‌شمارد',
      countsBack: 'تعداد پیام‌های ذخیره‌شده با شمارش پنل پیامک یکی شد',
    },
    limit: (credit, limit) => `${credit} (حد: ${limit})`,
    within: (left, when) => `${left} دیگر، ${when}`,
    on: (when) => when,
    until: (when) => `تا ${when}`,
    since: (when) => `از ${when}`,
    after: (lasted) => `بعد از ${lasted}`,
    workingTime: (lasted) => `${lasted} از ساعت کاری گذشته`,
    waitTime: (lasted) => `${lasted} گذشته`,
    waitEnds: {
      answered: 'پاسخ داده شد',
      done: 'انجام شد',
      blocked: 'مسدود شد',
      snoozed: 'به بعد موکول شد',
      gone: 'دیگر منتظر نیست',
    },
    whenBack: 'پیام‌هایی که در این مدت برسد هنوز دیده نمی‌شود؛ وقتی برگردد خوانده می‌شود.',
    whenOver: 'پیام‌هایی که در این مدت برسد هنوز دیده نمی‌شود؛ وقتی درست شود خوانده می‌شود.',
    readAnew: 'همه را دوباره خواندم. پیامی را که پنل پیامک نشان نمی‌دهد نمی‌توانم نشان بدهم.',
    countsDay: (day, stored, counted) => html`· ${day}: ${stored} از ${counted}`,
    changed: (account, count) =>
      html`⚠ پنل پیامک حالا ${count} را با متن دیگری نشان می‌دهد · ${isolateAuto(account)}. هر دو متن ذخیره شده است: /inbox`,
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
