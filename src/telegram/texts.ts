import type { Role } from '../domain/roles.ts';
import { defineTexts, type Locale } from '../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../i18n/format.ts';
import { code, html, lines } from './html.ts';

const roleNames: Readonly<Record<Locale, Readonly<Record<Role, string>>>> = {
  en: { viewer: 'viewer', operator: 'operator', approver: 'approver', admin: 'admin', owner: 'owner' },
  fa: { viewer: 'بیننده', operator: 'متصدی', approver: 'تأییدکننده', admin: 'مدیر', owner: 'مالک' },
};

export function roleName(locale: Locale, role: Role): string {
  return roleNames[locale][role];
}

/** What the kit itself says: guards, forms, presses and errors. */
export const kitTexts = defineTexts({
  en: {
    cancel: '✖ Cancel',
    cancelled: html`Left. Nothing was changed.`,
    needsRole: (role: string) =>
      html`This needs the role <b>${role}</b> in this chat. Only the owner has every right here so far. What you may do: /whoami`,
    needsConnection: html`No gateway account is linked to this chat yet. Link one with /connect`,
    needsCredential: (names: string) =>
      html`The account linked here cannot do this. What would add it: ${names}. Add it with /connect`,
    privateOnly: html`This works only in the private chat with me.`,
    openPrivate: '➡ Open the private chat',
    unknownCommand: (command: string) => html`I do not know ${code(command)}. What I can do: /help`,
    whoAreYou: lines(
      html`You write as an anonymous admin, so I cannot see who you are.`,
      html`Press to go on as yourself; the button works for one minute.`,
    ),
    goOnAsMyself: '➡ Go on as myself',
    leakedKey: (name: string) =>
      lines(
        html`⚠ ${isolateAuto(name)}, that looked like a key. I deleted the message where I could, but people here may have seen it: treat it as leaked and make a new one in the gateway's panel.`,
        html`Keys are given only in the private chat: /connect`,
      ),
    leakedKeyKept: (name: string) =>
      lines(
        html`⚠ ${isolateAuto(name)}, that looks like a key, and I am not allowed to delete it here. Delete it yourself, treat it as leaked, and make a new one in the gateway's panel.`,
        html`Keys are given only in the private chat: /connect`,
      ),
    press: {
      unknown: 'This button is not mine, or very old. Start again with the command.',
      other_chat: 'This button belongs to another chat.',
      other_person: 'Only the person who asked can press this.',
      role: 'Your role in this chat does not allow this. See /whoami',
      used: 'This button has been pressed already.',
      changed: 'The card has changed since. Use the newest buttons.',
      expired: 'This button has expired. Start again with the command.',
      no_person: 'Press this in the chat where the message stands.',
      failed: 'That did not work. Try again in a moment.',
    },
    usedBy: (name: string, time: string) => `Already pressed by ${name} at ${time}.`,
    errors: {
      bad_input: html`I could not read that. See the command with /help`,
      not_allowed: html`You may not do this here. See /whoami`,
      not_connected: html`No gateway account is linked to this chat any more. Link one with /connect`,
      already_connected: html`An account is linked here already.`,
      expired: html`That has expired. Start again with the command.`,
      stale: html`That has changed in the meantime. Start again with the command.`,
      busy: html`The gateway is busy. Try again in a minute.`,
      rate_limited: html`Too many at once. Try again in a minute.`,
      gateway_no_answer: html`The gateway did not answer in time. Nothing was changed by this question; try again in a minute.`,
      gateway_unreadable: html`The gateway answered something I cannot read. Nothing was changed by this question; try again later, and tell the gateway's support if it stays so.`,
      gateway_unsupported: html`The account linked here cannot do this. Add another credential with /connect`,
    },
    refused: (why: string) => html`The gateway refused: ${why}`,
    unexpected: (reference: string) =>
      html`Something went wrong on my side, and it is in the log under ${code(reference)}. If you were sending, look at the card: it says what is known. Otherwise try again.`,
    chooseOrType: html`Answer by message, or press a button.`,
    replyToMe: html`(Reply to this message.)`,
  },
  fa: {
    cancel: '✖ انصراف',
    cancelled: html`کنار گذاشته شد. چیزی تغییر نکرد.`,
    needsRole: (role: string) =>
      html`این کار در این گفتگو نقش <b>${role}</b> می‌خواهد. فعلاً همهٔ اختیارها در این‌جا با مالک است. اختیارهای شما: /whoami`,
    needsConnection: html`هنوز حسابی از درگاه پیامک به این گفتگو وصل نیست. با /connect وصل کنید.`,
    needsCredential: (names: string) =>
      html`حسابی که این‌جا وصل است از عهدهٔ این کار برنمی‌آید. آنچه آن را ممکن می‌کند: ${names}. با /connect اضافه کنید.`,
    privateOnly: html`این دستور فقط در گفتگوی خصوصی با من کار می‌کند.`,
    openPrivate: '➡ گفتگوی خصوصی',
    unknownCommand: (command: string) => html`دستور ${code(command)} را نمی‌شناسم. آنچه از من برمی‌آید: /help`,
    whoAreYou: lines(
      html`شما به نام گروه نوشته‌اید و نمی‌بینم چه کسی هستید.`,
      html`برای ادامه به نام خودتان دکمه را بزنید؛ یک دقیقه کار می‌کند.`,
    ),
    goOnAsMyself: '➡ ادامه به نام خودم',
    leakedKey: (name: string) =>
      lines(
        html`⚠ ${isolateAuto(name)}، این شبیه یک کلید بود. پیام را تا جایی که می‌شد پاک کردم، ولی شاید دیگران دیده باشند: آن را لورفته بدانید و در پنل درگاه کلید تازه بسازید.`,
        html`کلید را فقط در گفتگوی خصوصی بدهید: /connect`,
      ),
    leakedKeyKept: (name: string) =>
      lines(
        html`⚠ ${isolateAuto(name)}، این شبیه یک کلید است و من این‌جا اجازهٔ پاک‌کردن ندارم. خودتان پاکش کنید، آن را لورفته بدانید و در پنل درگاه کلید تازه بسازید.`,
        html`کلید را فقط در گفتگوی خصوصی بدهید: /connect`,
      ),
    press: {
      unknown: 'این دکمه از من نیست یا خیلی قدیمی است. دوباره از دستور شروع کنید.',
      other_chat: 'این دکمه مال گفتگوی دیگری است.',
      other_person: 'فقط کسی که درخواست کرده می‌تواند این را بزند.',
      role: 'نقش شما در این گفتگو این اجازه را نمی‌دهد. /whoami را ببینید.',
      used: 'این دکمه پیش‌تر زده شده است.',
      changed: 'کارت از آن وقت تغییر کرده است. دکمه‌های تازه را بزنید.',
      expired: 'مهلت این دکمه گذشته است. دوباره از دستور شروع کنید.',
      no_person: 'این دکمه را در همان گفتگوی پیام بزنید.',
      failed: 'نشد. کمی بعد دوباره امتحان کنید.',
    },
    usedBy: (name: string, time: string) => `${isolateAuto(name)} ساعت ${time} آن را زده است.`,
    errors: {
      bad_input: html`این را نفهمیدم. شکل دستور را در /help ببینید.`,
      not_allowed: html`این‌جا اجازهٔ این کار را ندارید. /whoami را ببینید.`,
      not_connected: html`دیگر حسابی از درگاه پیامک به این گفتگو وصل نیست. با /connect وصل کنید.`,
      already_connected: html`این‌جا پیش‌تر حسابی وصل شده است.`,
      expired: html`مهلت آن گذشته است. دوباره از دستور شروع کنید.`,
      stale: html`در این میان تغییر کرده است. دوباره از دستور شروع کنید.`,
      busy: html`درگاه شلوغ است. یک دقیقه بعد دوباره امتحان کنید.`,
      rate_limited: html`یک‌باره زیاد بود. یک دقیقه بعد دوباره امتحان کنید.`,
      gateway_no_answer: html`درگاه به‌موقع پاسخ نداد. این پرسش چیزی را تغییر نداده؛ یک دقیقه بعد دوباره امتحان کنید.`,
      gateway_unreadable: html`پاسخ درگاه خوانا نبود. این پرسش چیزی را تغییر نداده؛ بعداً دوباره امتحان کنید و اگر ماند به پشتیبانی درگاه بگویید.`,
      gateway_unsupported: html`حسابی که این‌جا وصل است از عهدهٔ این کار برنمی‌آید. با /connect اعتبار دیگری اضافه کنید.`,
    },
    refused: (why: string) => html`درگاه نپذیرفت: ${why}`,
    unexpected: (reference: string) =>
      html`خطایی از طرف من رخ داد و با شناسهٔ ${code(isolateLtr(reference))} ثبت شد. اگر در حال ارسال بودید کارت را ببینید: هرچه معلوم است آن‌جا نوشته می‌شود. وگرنه دوباره امتحان کنید.`,
    chooseOrType: html`با پیام پاسخ دهید یا دکمه‌ای را بزنید.`,
    replyToMe: html`(به همین پیام پاسخ دهید.)`,
  },
});
