import { defineTexts } from '../i18n/define.ts';
import { html, type Html } from '../telegram/html.ts';

/** What a newcomer reads on the chat page of try mode. */
export const tryTexts = defineTexts({
  en: {
    title: 'SMS from your team’s chat',
    about: html`Peyk sends SMS to one person or to everybody in a file, shows what was delivered, and brings the answers into the chat. This is a sandbox with play money: nothing leaves this machine.`,
    link: (key: Html, line: Html): Html =>
      html`Press Start, then /connect. Send the key ${key}, press ✅ Link and then the line ${line}.`,
    look: (week: Html): Html => html`See the last week of this account: /credit, /inbox, /report or ${week}.`,
    send: (command: Html): Html => html`Send an SMS: ${command}. You see a preview, ✅ sends it.`,
    hello: 'Hello',
    answer: (phones: Html | string): Html =>
      html`Open 📱 ${phones} to see it arrive, and answer it from there.`,
    phones: 'Phones',
    chat: 'Chat',
    more: html`Attach a CSV of customers and write /bulk as its caption. For the rest: /help.`,
  },
  fa: {
    title: 'پیامک از گفتگوی تیم شما',
    about: html`پیک به یک نفر یا به همهٔ شماره‌های یک فایل پیامک می‌فرستد، نشان می‌دهد چه چیزی تحویل شد و جواب‌ها را به گفتگو می‌آورد. این پنل آزمایشی است: هیچ پیامکی از این دستگاه بیرون نمی‌رود و پولی خرج نمی‌شود.`,
    link: (key, line) =>
      html`«شروع» و بعد /connect را بزنید. کلید ${key} را بفرستید، «✅ وصل شود» و بعد خط ${line} را بزنید.`,
    look: (week) => html`هفتهٔ گذشتهٔ این حساب را ببینید: /credit، /inbox، /report یا ${week}.`,
    send: (command) => html`پیامک بفرستید: ${command}. اول پیش‌نمایش را می‌بینید، با ✅ ارسال می‌شود.`,
    hello: 'سلام',
    answer: (phones) => html`«📱 ${phones}» را باز کنید: پیامک را ببینید و از همان جا جواب بدهید.`,
    phones: 'گوشی‌ها',
    chat: 'گفتگو',
    more: html`فایل CSV مشتری‌ها را پیوست کنید و در کپشن آن /bulk بنویسید. بقیهٔ دستورها: /help.`,
  },
});
