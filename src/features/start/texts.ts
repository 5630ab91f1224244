import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, code, html, lines, type Html } from '../../telegram/html.ts';
import { slash } from '../../telegram/slash.ts';

interface WhoIsIt {
  readonly name: string;
  readonly id: number;
  readonly role: string | null;
  /** An account is linked here, so there is an owner. */
  readonly isLinked: boolean;
  /** The commands; null: there are none. */
  readonly allowed: Html | null;
}

const ABOUT_EN: Readonly<Record<string, string>> = {
  start: 'greeting and first steps',
  help: 'what you can do here',
  cancel: 'cancel the open question or draft, or undo a send in its hold',
  whoami: 'your role here and what it allows',
  lang: 'language: fa or en',
};

const ABOUT_FA: Readonly<Record<string, string>> = {
  start: 'خوشامد و قدم‌های اول',
  help: 'کارهایی که اینجا می‌توانید انجام دهید',
  cancel: 'لغو سؤال یا پیش‌نویس باز، یا ارسالی که هنوز در مهلت لغو است',
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
          ? html`An account is linked. Press what you want, or type a command: /help`
          : html`1) Link a gateway account${group ? ', in private' : ''}: /connect`,
        !connected && html`2) Send: ${code('/send 09121234567 Hello')}`,
        !connected && html`3) Press below to see how the rest is done.`,
      ),
    held: (since: string, paused: string | null, scheduled: string | null): Html =>
      lines(
        html`⏸ Since ${since} I could not write here, so all sends of this chat are switched off.`,
        paused !== null && html`Paused: ${paused}.`,
        scheduled !== null && html`Scheduled, and not starting: ${scheduled}.`,
        html`Nothing resumes by itself: somebody with the role admin or above has to resume it.`,
      ),
    sends: { one: 'send', other: 'sends' },
    letGo: '▶ Resume all sends',
    link: '🔗 Link an account',
    cancelled: (mayHalt: boolean): Html =>
      lines(
        html`Nothing to cancel.`,
        mayHalt && html`To switch off all sends of this chat: ${code('/limits stop')}`,
      ),
    formLeft: (open: string | null): Html =>
      html`Question cancelled; nothing was changed.${open === null ? '' : html` Draft ${isolateLtr(`#${open}`)} stays open: ${slash('en', 'cancel')} again ends it.`}`,
    draftCancelled: (id: string): Html => html`Draft #${id} is cancelled; none of it was sent.`,
    whoami: (me: WhoIsIt): Html =>
      lines(
        html`${isolateAuto(me.name)} · id ${code(me.id)}`,
        me.role !== null && html`Role: ${b(me.role)}`,
        me.role === null &&
          (me.isLinked
            ? html`No role in this chat yet. An admin gives roles with /role`
            : html`No role in this chat yet. Whoever links a gateway account becomes its owner: /connect`),
        me.allowed !== null && html`You may use: ${me.allowed}`,
        me.allowed !== null && html`What each does: /help`,
      ),
    langNow: (person: string): Html => html`I write to you in ${person}.`,
    langChat: html`Use it for the whole chat too?`,
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
        html`👋 سلام، من پیکم؛ پیامک‌های این گفتگو با من است.${group ? ' فقط دستورها و پاسخ به خودم را می‌خوانم.' : ''}`,
        connected
          ? html`حساب وصل است. هر کاری می‌خواهید دکمه‌اش را بزنید یا دستور بدهید: ${slash('fa', 'help')}`
          : html`۱) حساب پنل پیامک را${group ? ' در گفتگوی خصوصی' : ''} وصل کنید: ${slash('fa', 'connect')}`,
        !connected && html`۲) بفرستید: ${code('/send 09121234567 سلام')}`,
        !connected && html`۳) برای کارهای دیگر دکمه‌های زیر را بزنید.`,
      ),
    held: (since, paused, scheduled) =>
      lines(
        html`⏸ از ${since} نمی‌توانستم اینجا بنویسم و همهٔ ارسال‌های این گفتگو خاموش است.`,
        paused !== null && html`روی مکث: ${paused}.`,
        scheduled !== null && html`زمان‌بندی‌شده و شروع نمی‌شود: ${scheduled}.`,
        html`چیزی خودبه‌خود ادامه پیدا نمی‌کند: کسی با نقش مدیر یا بالاتر باید ادامه‌اش دهد.`,
      ),
    sends: { one: 'ارسال', other: 'ارسال' },
    letGo: '▶ ادامهٔ ارسال‌ها',
    link: '🔗 وصل‌کردن حساب',
    cancelled: (mayHalt) =>
      lines(
        html`چیزی برای لغو نیست.`,
        mayHalt && html`برای خاموش‌کردن همهٔ ارسال‌های این گفتگو: ${code('/limits توقف')}`,
      ),
    formLeft: (open) =>
      html`سؤال لغو شد و چیزی تغییر نکرد.${open === null ? '' : html` پیش‌نویس ${isolateLtr(`#${open}`)} باز می‌ماند؛ برای لغو آن دوباره ${slash('fa', 'cancel')} بفرستید.`}`,
    draftCancelled: (id) => html`پیش‌نویس ${isolateLtr(`#${id}`)} لغو شد؛ چیزی از آن ارسال نشد.`,
    whoami: (me) =>
      lines(
        html`${isolateAuto(me.name)} · شناسه ${code(me.id)}`,
        me.role !== null && html`نقش: ${b(me.role)}`,
        me.role === null &&
          (me.isLinked
            ? html`در این گفتگو هنوز نقشی ندارید. نقش را یک مدیر با ${slash('fa', 'role')} می‌دهد.`
            : html`در این گفتگو هنوز نقشی ندارید. کسی که حساب پنل پیامک را وصل کند مالک می‌شود: ${slash('fa', 'connect')}`),
        me.allowed !== null && html`اجازه دارید: ${me.allowed}`,
        me.allowed !== null && html`کار هر کدام: ${slash('fa', 'help')}`,
      ),
    langNow: (person) => html`با شما ${person} حرف می‌زنم.`,
    langChat: html`برای همهٔ این گفتگو هم همین زبان باشد؟`,
    langChatDone: html`انجام شد: با تازه‌واردهای اینجا به همین زبان حرف می‌زنم.`,
    forAll: 'برای همهٔ گفتگو',
    langName: 'فارسی',
    askLang: html`کدام زبان؟`,
    badLang: html`من fa (فارسی) و en (انگلیسی) بلدم.`,
    usageLang: 'fa|en',
    usageTopic: 'موضوع',
    askTopic: html`کدام دستور؟`,
  },
});
