import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, code, html, type Html } from '../html.ts';

/** What is said to what is no command and no answer: one line, and a button that leads on. */
export const unclearTexts = defineTexts({
  en: {
    useFile: (name: string): Html =>
      html`Use this file, ${b(isolateAuto(name))}? Nothing is sent before you confirm it.`,
    notTable: (name: string): Html =>
      html`${b(isolateAuto(name))} does not look like a CSV, XLSX or VCF file, and I read numbers from those only.`,
    stillAsked: html`The question above still waits for its answer.`,
    useWords: html`I act on commands, so nothing was done with this. Do you want to send it as an SMS? You see it first.`,
    useForwarded: html`This was forwarded, so I take nothing in it as a command. Do you want to send it as an SMS? I ask for the number, and you see it first.`,
    useNumber: html`I act on commands, so nothing was done with this number. What do you want with it?`,
    useNumbers: (count: string): Html =>
      html`I act on commands, so nothing was done with these ${count} numbers. Do you want to send them an SMS? I ask for the text, and you see it first.`,
    useContact: (name: string, others: string): Html =>
      html`Send an SMS to ${b(isolateAuto(name))}? I ask for the text, and you see it first.${others === '' ? '' : html` No mobile number: ${isolateLtr(others)}`}`,
    toAll: (count: string): string => `✉️ SMS to all ${count}`,
    noMobile: (name: string, others: string): Html =>
      html`${b(isolateAuto(name))} has no mobile number in this contact, so no SMS can be sent: ${isolateLtr(others)}`,
    onCommands: html`I act on commands, so nothing was done with this.`,
    below: html`Nothing was done with this reply: I act on commands and buttons.`,
    onlyWords: html`I read text, contacts, and CSV, XLSX or VCF files. Nothing was done with this.`,
    onlyText: html`An SMS carries text only: the picture, recording or file is not sent, just the words with it.`,
    didYouMean: (typed: string, name: string): Html =>
      html`I do not know ${code(typed)}. Did you mean ${code(`/${name}`)}?`,
    slashApart: (name: string): Html =>
      html`There is a space after the slash, so I did not read this as ${code(`/${name}`)}. Did you mean the command?`,
    otherCharacters: (name: string): Html =>
      html`This only looks like ${code(`/${name}`)}: there are other characters in it. Did you mean the command?`,
    sayWithSlash: (name: string): Html => html`Did you mean the command ${code(`/${name}`)}?`,
    gone: html`The message that this button was for is gone. Send it once more.`,
    link: '🔗 Link an account',
    whatElse: '❓ What you can do here',
  },
  fa: {
    useFile: (name) => html`با فایل ${b(isolateAuto(name))} چه کنم؟ قبل از تأیید شما چیزی ارسال نمی‌شود.`,
    notTable: (name) =>
      html`${b(isolateAuto(name))} از نامش پیداست که CSV، XLSX یا VCF نیست؛ شماره‌ها را فقط از آن‌ها می‌خوانم.`,
    stillAsked: html`سؤال بالا هنوز منتظر جواب است.`,
    useWords: html`من با دستورها کار می‌کنم و با این پیام کاری نکردم. پیامک شود؟ اول آن را می‌بینید.`,
    useForwarded: html`این پیام فوروارد شده و چیزی در آن را دستور نمی‌گیرم. همین متن پیامک شود؟ شماره را می‌پرسم و اول آن را می‌بینید.`,
    useNumber: html`من با دستورها کار می‌کنم و با این شماره کاری نکردم. با آن چه کار دارید؟`,
    useNumbers: (count) =>
      html`من با دستورها کار می‌کنم و با این ${count} شماره کاری نکردم. به آن‌ها پیامک بفرستید؟ متن را می‌پرسم و اول آن را می‌بینید.`,
    useContact: (name, others) =>
      html`به ${b(isolateAuto(name))} پیامک بفرستید؟ متن را می‌پرسم و اول آن را می‌بینید.${others === '' ? '' : html` این شماره‌ها موبایل نیستند: ${isolateLtr(others)}`}`,
    toAll: (count) => `✉️ پیامک به هر ${count} شماره`,
    noMobile: (name, others) =>
      html`در این مخاطب، ${b(isolateAuto(name))}، شمارهٔ موبایلی نیست و پیامکی ارسال نمی‌شود: ${isolateLtr(others)}`,
    onCommands: html`من با دستورها کار می‌کنم و با این پیام کاری نکردم.`,
    below: html`با این پاسخ کاری نکردم: من با دستورها و دکمه‌ها کار می‌کنم.`,
    onlyWords: html`من متن، مخاطب و فایل CSV، XLSX یا VCF می‌خوانم. با این پیام کاری نکردم.`,
    onlyText: html`پیامک فقط متن دارد: عکس، صدا یا فایل ارسال نمی‌شود و فقط نوشتهٔ همراهش می‌رود.`,
    didYouMean: (typed, name) => html`دستور ${code(typed)} را نمی‌شناسم. منظورتان ${code(`/${name}`)} بود؟`,
    slashApart: (name) =>
      html`بعد از / فاصله افتاده و برای همین آن را دستور ${code(`/${name}`)} نخواندم. منظورتان همین دستور بود؟`,
    otherCharacters: (name) =>
      html`این فقط شبیه ${code(`/${name}`)} است و کاراکترهای دیگری دارد. منظورتان همین دستور بود؟`,
    sayWithSlash: (name) => html`منظورتان دستور ${code(`/${name}`)} بود؟`,
    gone: html`پیامی که این دکمه برای آن بود دیگر نیست. دوباره بفرستید.`,
    link: '🔗 وصل‌کردن حساب',
    whatElse: '❓ کارهایی که می‌توانید انجام دهید',
  },
});
