import { defineTexts } from '../../i18n/define.ts';
import type { Topic } from '../../telegram/feature.ts';
import { b, code, html, lines, type Html } from '../../telegram/html.ts';
import { slash, slashes } from '../../telegram/slash.ts';

const fa = (name: string): string => slash('fa', name);

export const helpTexts = defineTexts({
  en: {
    topics: {
      sending: 'Sending',
      reports: 'Reports',
      inbox: 'Inbox',
      phonebooks: 'Phonebooks',
      blacklist: 'Blacklist',
      account: 'Account',
      team: 'Team',
      general: 'General',
    } satisfies Record<Topic, string>,
    head: b('What you can do here'),
    entry: (name: string, about: string): Html => html`${slash('en', name)}: ${about}`,
    inDetail: (name: string, group: string): Html =>
      html`One of them in detail: ${code(`/help ${name}`)} · one group: ${code(`/help ${group}`)}`,
    moreAfterConnecting: html`More commands appear once an account is linked: /connect`,
    moreWith: (credentials: string, names: readonly string[]): Html =>
      html`With ${credentials} also: ${slashes('en', names)}`,
    addCredential: html`The owner adds one with /connect`,
    example: (line: string): Html => lines('Example:', code(line)),
    notNow: html`As things stand it does not work for you here:`,
    onlyPrivate: html`• It is given in the private chat with me alone.`,
    noAccount: html`• It works once an account is linked here: /connect`,
    needsRole: (role: string, yours: string | null): Html =>
      html`• It needs the role ${b(role)}; ${yours === null ? 'you have none here' : html`yours is ${b(yours)}`}. An admin gives roles with /role`,
    needsCredential: (credentials: string): Html =>
      html`• The account linked here needs ${credentials} for it. The owner adds that with /connect`,
    notOffered: html`• The gateway that I was set up for does not offer it. Ask whoever runs me.`,
    otherwise: (names: readonly string[]): Html =>
      html`Not for you here as things stand: ${slashes('en', names)}. Why: ${code(`/help ${names[0] ?? ''}`)}`,
    nothing: (topic: string, groups: string): Html =>
      lines(html`I have no command ${code(topic)}. All of them: /help`, html`Groups: ${groups}`),
  },
  fa: {
    topics: {
      sending: 'ارسال',
      reports: 'گزارش',
      inbox: 'دریافتی',
      phonebooks: 'دفترچه',
      blacklist: 'مسدودها',
      account: 'حساب',
      team: 'همکاران',
      general: 'عمومی',
    },
    head: b('آنچه این‌جا از شما برمی‌آید'),
    entry: (name, about) => html`${fa(name)}: ${about}`,
    inDetail: (name, group) =>
      html`شرح یک دستور: ${code(`/help ${name}`)} · یک دسته: ${code(`/help ${group}`)}`,
    moreAfterConnecting: html`پس از وصل‌کردن حساب دستورهای بیشتری پیدا می‌شود: ${fa('connect')}`,
    moreWith: (credentials, names) => html`با ${credentials} این‌ها هم: ${slashes('fa', names)}`,
    addCredential: html`مالک آن را با ${fa('connect')} اضافه می‌کند.`,
    example: (line) => lines('نمونه:', code(line)),
    notNow: html`با وضع کنونی این‌جا برای شما کار نمی‌کند:`,
    onlyPrivate: html`• فقط در گفتگوی خصوصی با من داده می‌شود.`,
    noAccount: html`• پس از وصل‌کردن حساب کار می‌کند: ${fa('connect')}`,
    needsRole: (role, yours) =>
      html`• نقش ${b(role)} می‌خواهد و ${yours === null ? 'شما این‌جا نقشی ندارید' : html`نقش شما ${b(yours)} است`}. نقش را یک مدیر با ${fa('role')} می‌دهد.`,
    needsCredential: (credentials) =>
      html`• حسابی که این‌جا وصل است برای آن ${credentials} می‌خواهد. مالک آن را با ${fa('connect')} اضافه می‌کند.`,
    notOffered: html`• درگاهی که برای من تنظیم شده این کار را ندارد. از گردانندهٔ من بپرسید.`,
    otherwise: (names) =>
      html`با وضع کنونی این‌جا برای شما نیست: ${slashes('fa', names)}. چرایی: ${code(`/help ${names[0] ?? ''}`)}`,
    nothing: (topic, groups) =>
      lines(html`دستور ${code(topic)} را ندارم. همه: ${fa('help')}`, html`دسته‌ها: ${groups}`),
  },
});
