import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, html, type Html } from '../../telegram/html.ts';

const card = (code: string): Html => b(isolateLtr(`#${code}`));

/** What stands, what ended, and who sees to it. */
export const alarmTexts = defineTexts({
  en: {
    again: html`🔔 Still so:`,
    creditLow: (account: string, credit: string, limit: string): Html =>
      html`🔴 ${b('Credit low')} · ${isolateAuto(account)} · ${credit} (limit ${limit})`,
    creditLowSeen: (account: string, credit: string, limit: string): Html =>
      html`🟠 ${b('Credit low')} · ${isolateAuto(account)} · ${credit} (limit ${limit})`,
    creditShort: (account: string, credit: string): Html =>
      html`🔴 ${b('Credit will not do for what is scheduled')} · ${isolateAuto(account)} · ${credit}`,
    creditShortSeen: (account: string, credit: string): Html =>
      html`🟠 ${b('Credit will not do for what is scheduled')} · ${isolateAuto(account)} · ${credit}`,
    creditBack: (account: string, credit: string | null): Html =>
      html`🟢 ${b('Credit is up again')} · ${isolateAuto(account)}${credit === null ? '' : html` · ${credit}`}`,
    creditFits: (account: string, credit: string | null): Html =>
      html`🟢 ${b('What is scheduled fits into the credit')} · ${isolateAuto(account)}${credit === null ? '' : html` · ${credit}`}`,
    pace: (perDay: string, left: string, until: string): Html =>
      html`Pace ${perDay} a day → about ${left}, until ${until}`,
    paceLeft: (days: string): Html => html`That is about ${days} at the pace of late.`,
    unfit: (code: string, when: string, price: string): Html =>
      html`⚠ ${card(code)} (${when}, ≈ ${price}) will not fit.`,
    status: (account: string, status: string): Html =>
      html`🔴 ${b('The gateway refuses the account')} · ${isolateAuto(account)} · ${status}`,
    statusSeen: (account: string, status: string): Html =>
      html`🟠 ${b('The gateway refuses the account')} · ${isolateAuto(account)} · ${status}`,
    statusBack: (account: string): Html =>
      html`🟢 ${b('The gateway takes the account again')} · ${isolateAuto(account)}`,
    statuses: {
      user_not_found: 'the user is not found',
      user_on_trial: 'the user is on trial',
      user_locked: 'the user is locked',
      user_expired: 'the user has expired',
      user_not_confirmed: 'the user is not confirmed',
      user_without_access: 'the user has no access',
      other: 'for a reason that I do not know',
    },
    expires: (account: string, left: string, when: string): Html =>
      html`🔴 ${b('The account ends soon')} · ${isolateAuto(account)} · in ${left}, on ${when}`,
    expiresSeen: (account: string, left: string, when: string): Html =>
      html`🟠 ${b('The account ends soon')} · ${isolateAuto(account)} · in ${left}, on ${when}`,
    expired: (account: string, when: string): Html =>
      html`🔴 ${b('The account has ended')} · ${isolateAuto(account)} · on ${when}`,
    renewed: (account: string, when: string | null): Html =>
      html`🟢 ${b('The account goes on')} · ${isolateAuto(account)}${when === null ? '' : html` · until ${when}`}`,
    gateway: (account: string, since: string): Html =>
      html`🔴 ${b('The gateway does not answer')} · ${isolateAuto(account)} · since ${since}. Nothing is known of messages that come in meanwhile; they are read when it is back.`,
    gatewaySeen: (account: string, since: string): Html =>
      html`🟠 ${b('The gateway does not answer')} · ${isolateAuto(account)} · since ${since}`,
    gatewayBack: (account: string, lasted: string): Html =>
      html`🟢 ${b('The gateway answers again')} · ${isolateAuto(account)} · after ${lasted}`,
    inbox: (account: string, since: string): Html =>
      html`🔴 ${b('The inbox is not read as it should be')} · ${isolateAuto(account)} · since ${since}`,
    inboxSeen: (account: string, since: string): Html =>
      html`🟠 ${b('The inbox is not read as it should be')} · ${isolateAuto(account)} · since ${since}`,
    inboxBack: (account: string, lasted: string): Html =>
      html`🟢 ${b('The inbox is read again')} · ${isolateAuto(account)} · after ${lasted}`,
    unreadable: (account: string, since: string): Html =>
      html`🔴 ${b('The gateway’s answers cannot be read')} · ${isolateAuto(account)} · since ${since}. Nothing is known of messages that come in meanwhile; they are read when that is over.`,
    unreadableSeen: (account: string, since: string): Html =>
      html`🟠 ${b('The gateway’s answers cannot be read')} · ${isolateAuto(account)} · since ${since}`,
    counts: (account: string): Html =>
      html`🔴 ${b('The gateway counts more received messages than it lists')} · ${isolateAuto(account)}. Everything was read anew; what it does not list, I cannot show.`,
    countsSeen: (account: string): Html =>
      html`🟠 ${b('The gateway counts more received messages than it lists')} · ${isolateAuto(account)}`,
    countsBack: (account: string): Html =>
      html`🟢 ${b('The stored messages match the gateway’s count')} · ${isolateAuto(account)}`,
    countsDay: (day: string, stored: string, counted: string): Html =>
      html`· ${isolateLtr(day)}: ${stored} of ${counted}`,
    changed: (account: string, count: string): Html =>
      html`⚠ The gateway lists ${count} with another content than before · ${isolateAuto(account)}. Both are kept: /inbox`,
    marking: (account: string): Html =>
      html`⚠ Messages are not marked read at the gateway any more · ${isolateAuto(account)}: it does not list those that have been read, and one could be lost.`,
    messages: { one: 'message', other: 'messages' },
    acked: (name: string, at: string, again: string | null): Html =>
      html`🙋 ${isolateAuto(name)} is on it since ${at}${again === null ? '' : html` · brought up again at ${again} if unchanged`}`,
    muted: (until: string, name: string): Html =>
      html`🔇 Muted until ${until}${name === '' ? '' : html` by ${isolateAuto(name)}`}`,
    stood: (since: string, until: string): Html => html`From ${since} to ${until}`,
    topUp: '🙋 I’ll top up',
    onIt: '🙋 I’m on it',
    mute: { '4h': '🔇 4 h', tomorrow: '🔇 until tomorrow 9:00', saturday: '🔇 until Saturday' },
    unmute: '🔔 Unmute',
    pause: (code: string): string => `⏸ Pause ${isolateLtr(`#${code}`)}`,
    ackedBefore: (name: string, at: string): Html => html`${isolateAuto(name)} is on it since ${at} already.`,
    over: html`This is over already.`,
  },
  fa: {
    again: html`🔔 هنوز برقرار است:`,
    creditLow: (account, credit, limit) =>
      html`🔴 ${b('اعتبار رو به پایان')} · ${isolateAuto(account)} · ${credit} (حد: ${limit})`,
    creditLowSeen: (account, credit, limit) =>
      html`🟠 ${b('اعتبار رو به پایان')} · ${isolateAuto(account)} · ${credit} (حد: ${limit})`,
    creditShort: (account, credit) =>
      html`🔴 ${b('اعتبار برای ارسال‌های زمان‌بندی‌شده بس نیست')} · ${isolateAuto(account)} · ${credit}`,
    creditShortSeen: (account, credit) =>
      html`🟠 ${b('اعتبار برای ارسال‌های زمان‌بندی‌شده بس نیست')} · ${isolateAuto(account)} · ${credit}`,
    creditBack: (account, credit) =>
      html`🟢 ${b('اعتبار دوباره بالا رفت')} · ${isolateAuto(account)}${credit === null ? '' : html` · ${credit}`}`,
    creditFits: (account, credit) =>
      html`🟢 ${b('ارسال‌های زمان‌بندی‌شده در اعتبار جا می‌شود')} · ${isolateAuto(account)}${credit === null ? '' : html` · ${credit}`}`,
    pace: (perDay, left, until) => html`مصرف روزانه ${perDay} ← حدود ${left}، تا ${until}`,
    paceLeft: (days) => html`با مصرف این روزها برای حدود ${days} بس است.`,
    unfit: (code, when, price) => html`⚠ ارسال ${card(code)} (${when}، حدود ${price}) جا نمی‌شود.`,
    status: (account, status) =>
      html`🔴 ${b('درگاه این حساب را نمی‌پذیرد')} · ${isolateAuto(account)} · ${status}`,
    statusSeen: (account, status) =>
      html`🟠 ${b('درگاه این حساب را نمی‌پذیرد')} · ${isolateAuto(account)} · ${status}`,
    statusBack: (account) => html`🟢 ${b('درگاه دوباره این حساب را می‌پذیرد')} · ${isolateAuto(account)}`,
    statuses: {
      user_not_found: 'کاربر یافت نشد',
      user_on_trial: 'کاربر آزمایشی است',
      user_locked: 'کاربر قفل شده است',
      user_expired: 'اعتبار زمانی کاربر تمام شده است',
      user_not_confirmed: 'کاربر تأیید نشده است',
      user_without_access: 'کاربر دسترسی ندارد',
      other: 'به دلیلی که نمی‌شناسم',
    },
    expires: (account, left, when) =>
      html`🔴 ${b('مدت حساب رو به پایان است')} · ${isolateAuto(account)} · ${left} دیگر، در ${when}`,
    expiresSeen: (account, left, when) =>
      html`🟠 ${b('مدت حساب رو به پایان است')} · ${isolateAuto(account)} · ${left} دیگر، در ${when}`,
    expired: (account, when) => html`🔴 ${b('مدت حساب تمام شده است')} · ${isolateAuto(account)} · در ${when}`,
    renewed: (account, when) =>
      html`🟢 ${b('حساب ادامه دارد')} · ${isolateAuto(account)}${when === null ? '' : html` · تا ${when}`}`,
    gateway: (account, since) =>
      html`🔴 ${b('درگاه پاسخ نمی‌دهد')} · ${isolateAuto(account)} · از ${since}. از پیام‌هایی که در این میان برسد خبری نیست؛ وقتی برگردد خوانده می‌شود.`,
    gatewaySeen: (account, since) =>
      html`🟠 ${b('درگاه پاسخ نمی‌دهد')} · ${isolateAuto(account)} · از ${since}`,
    gatewayBack: (account, lasted) =>
      html`🟢 ${b('درگاه دوباره پاسخ می‌دهد')} · ${isolateAuto(account)} · پس از ${lasted}`,
    inbox: (account, since) =>
      html`🔴 ${b('صندوق دریافت آن‌گونه که باید خوانده نمی‌شود')} · ${isolateAuto(account)} · از ${since}`,
    inboxSeen: (account, since) =>
      html`🟠 ${b('صندوق دریافت آن‌گونه که باید خوانده نمی‌شود')} · ${isolateAuto(account)} · از ${since}`,
    inboxBack: (account, lasted) =>
      html`🟢 ${b('صندوق دریافت دوباره خوانده می‌شود')} · ${isolateAuto(account)} · پس از ${lasted}`,
    unreadable: (account, since) =>
      html`🔴 ${b('پاسخ‌های درگاه خواندنی نیست')} · ${isolateAuto(account)} · از ${since}. از پیام‌هایی که در این میان برسد خبری نیست؛ وقتی درست شود خوانده می‌شود.`,
    unreadableSeen: (account, since) =>
      html`🟠 ${b('پاسخ‌های درگاه خواندنی نیست')} · ${isolateAuto(account)} · از ${since}`,
    counts: (account) =>
      html`🔴 ${b('درگاه بیش از آنچه فهرست می‌کند پیام دریافتی می‌شمارد')} · ${isolateAuto(account)}. همه از نو خوانده شد؛ آنچه را فهرست نمی‌کند نمی‌توانم نشان بدهم.`,
    countsSeen: (account) =>
      html`🟠 ${b('درگاه بیش از آنچه فهرست می‌کند پیام دریافتی می‌شمارد')} · ${isolateAuto(account)}`,
    countsBack: (account) => html`🟢 ${b('پیام‌های ذخیره‌شده با شمار درگاه یکی شد')} · ${isolateAuto(account)}`,
    countsDay: (day, stored, counted) => html`· ${isolateLtr(day)}: ${stored} از ${counted}`,
    changed: (account, count) =>
      html`⚠ درگاه ${count} را با متنی جز متن پیشین فهرست می‌کند · ${isolateAuto(account)}. هر دو نگه داشته شد: /inbox`,
    marking: (account) =>
      html`⚠ پیام‌ها دیگر در درگاه خوانده‌شده نشانه نمی‌خورد · ${isolateAuto(account)}: درگاه خوانده‌ها را فهرست نمی‌کند و ممکن بود پیامی گم شود.`,
    messages: { one: 'پیام', other: 'پیام' },
    acked: (name, at, again) =>
      html`🙋 ${isolateAuto(name)} از ${at} پیگیر است${again === null ? '' : html` · اگر همین بماند ساعت ${again} دوباره گفته می‌شود`}`,
    muted: (until, name) =>
      html`🔇 بی‌صدا تا ${until}${name === '' ? '' : html`، به دست ${isolateAuto(name)}`}`,
    stood: (since, until) => html`از ${since} تا ${until}`,
    topUp: '🙋 شارژ می‌کنم',
    onIt: '🙋 پیگیرش هستم',
    mute: { '4h': '🔇 ۴ ساعت', tomorrow: '🔇 تا ۹ صبح فردا', saturday: '🔇 تا شنبه' },
    unmute: '🔔 صدادار کن',
    pause: (code) => `⏸ توقف ${isolateLtr(`#${code}`)}`,
    ackedBefore: (name, at) => html`${isolateAuto(name)} از ${at} پیگیر آن است.`,
    over: html`این دیگر برقرار نیست.`,
  },
});
