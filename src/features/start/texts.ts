import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, code, html, joinHtml, lines, type Html } from '../../telegram/html.ts';

const ABOUT_EN: Readonly<Record<string, string>> = {
  start: 'greeting and first steps',
  help: 'what I can do here, for you',
  cancel: 'leave the form you are in',
  whoami: 'your role here and what it allows',
  lang: 'language: fa or en',
};

const ABOUT_FA: Readonly<Record<string, string>> = {
  start: 'خوشامد و گام‌های نخست',
  help: 'آنچه این‌جا برای شما از من برمی‌آید',
  cancel: 'بیرون‌آمدن از فرم',
  whoami: 'نقش شما در این گفتگو و اختیارهایش',
  lang: 'زبان: fa یا en',
};

export const texts = defineTexts({
  en: {
    about: (name: string): string => ABOUT_EN[name] ?? '',
    hello: (connected: boolean, group: boolean): Html =>
      lines(
        html`👋 Hi, I am Peyk, the SMS desk of this chat.${group ? ' I read only /commands and replies to me.' : ''}`,
        connected
          ? html`An account is linked. Try: /send · /credit · /help`
          : html`1) Link a gateway account${group ? ', in private' : ''}: /connect`,
        !connected && html`2) Send: ${code('/send 09121234567 Hello')}`,
        !connected && html`3) See the rest: /help`,
      ),
    link: '🔗 Link an account',
    help: (items: readonly { usage: string; about: string }[]): Html =>
      lines(b('What you can do here'), ...items.map((item) => html`${item.usage}: ${item.about}`)),
    helpTopic: (usage: string, about: string): Html => lines(code(usage), about),
    noTopic: (topic: string): Html => html`I have no command ${code(topic)}. All of them: /help`,
    worksOnceConnected: (topic: string): Html =>
      html`/${topic} works once an account is linked here: /connect`,
    moreAfterConnecting: html`More commands appear once an account is linked: /connect`,
    cancelled: html`There is nothing open to leave any more.`,
    formLeft: html`Left the question; nothing was changed. An open draft stays: /cancel again ends it.`,
    draftCancelled: (id: string): Html => html`Draft #${id} is cancelled; none of it was sent.`,
    whoami: (name: string, id: number, role: string | null, allowed: readonly string[]): Html =>
      lines(
        html`${isolateAuto(name)} · id ${code(id)}`,
        role === null
          ? html`No role in this chat yet. Whoever links a gateway account becomes its owner: /connect`
          : html`Role: ${b(role)}`,
        allowed.length > 0 &&
          html`You may use: ${joinHtml(
            allowed.map((name) => `/${name}`),
            ' · ',
          )}`,
      ),
    langNow: (person: string): Html => html`I speak ${person} with you.`,
    langChat: html`The same for the whole chat?`,
    langChatDone: html`Done: new people here are greeted in this language.`,
    forAll: 'For the chat',
    langName: 'English',
    askLang: html`Which language?`,
    badLang: html`I speak fa (Persian) and en (English).`,
    usageLang: 'fa|en',
    usageTopic: 'topic',
    askTopic: html`Which command?`,
  },
  fa: {
    about: (name) => ABOUT_FA[name] ?? '',
    hello: (connected, group) =>
      lines(
        html`👋 سلام، من پیکم؛ میز پیامک این گفتگو.${group ? ' فقط دستورها و پاسخ به خودم را می‌خوانم.' : ''}`,
        connected
          ? html`حساب وصل است. امتحان کنید: /send · /credit · /help`
          : html`۱) حساب درگاه پیامک را${group ? ' در گفتگوی خصوصی' : ''} وصل کنید: /connect`,
        !connected && html`۲) بفرستید: ${code('/send 09121234567 سلام')}`,
        !connected && html`۳) بقیه را ببینید: /help`,
      ),
    link: '🔗 وصل‌کردن حساب',
    help: (items) =>
      lines(b('آنچه این‌جا از شما برمی‌آید'), ...items.map((item) => html`${item.usage}: ${item.about}`)),
    helpTopic: (usage, about) => lines(code(usage), about),
    noTopic: (topic) => html`دستور ${code(topic)} را ندارم. همه: /help`,
    worksOnceConnected: (topic) => html`/${topic} پس از وصل‌کردن حساب کار می‌کند: /connect`,
    moreAfterConnecting: html`پس از وصل‌کردن حساب دستورهای بیشتری پیدا می‌شود: /connect`,
    cancelled: html`دیگر چیز بازی نمانده است.`,
    formLeft: html`پرسش کنار رفت و چیزی تغییر نکرد. پیش‌نویس باز می‌ماند؛ با /cancel دوباره لغو می‌شود.`,
    draftCancelled: (id) => html`پیش‌نویس ${isolateLtr(`#${id}`)} لغو شد؛ چیزی از آن فرستاده نشد.`,
    whoami: (name, id, role, allowed) =>
      lines(
        html`${isolateAuto(name)} · شناسه ${code(id)}`,
        role === null
          ? html`در این گفتگو هنوز نقشی ندارید. کسی که حساب درگاه را وصل کند مالک می‌شود: /connect`
          : html`نقش: ${b(role)}`,
        allowed.length > 0 &&
          html`اجازه دارید: ${joinHtml(
            allowed.map((item) => `/${item}`),
            ' · ',
          )}`,
      ),
    langNow: (person) => html`با شما ${person} حرف می‌زنم.`,
    langChat: html`برای همهٔ این گفتگو هم؟`,
    langChatDone: html`شد: تازه‌واردها این‌جا با همین زبان پذیرفته می‌شوند.`,
    forAll: 'برای همهٔ گفتگو',
    langName: 'فارسی',
    askLang: html`کدام زبان؟`,
    badLang: html`من fa (فارسی) و en (انگلیسی) بلدم.`,
    usageLang: 'fa|en',
    usageTopic: 'موضوع',
    askTopic: html`کدام دستور؟`,
  },
});
