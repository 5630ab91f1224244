import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { code, html, lines, type Html } from '../../telegram/html.ts';
import { slash } from '../../telegram/slash.ts';

export interface AccountCard {
  readonly name: string;
  readonly type: string;
  readonly credit: string;
  readonly keyTail: string;
  /** The title of the group it is for; empty for the private chat itself. */
  readonly chat: string;
  /** What is linked there and has to make way; empty for none. */
  readonly replaces: string;
}

export const texts = defineTexts({
  en: {
    about: 'link a gateway account to this chat',
    aboutDisconnect: 'unlink the account and wipe its key',
    link: '🔗 Link an account',
    startInPrivate: html`Someone who holds the API key links it in private. The button works once, for you, for 10 minutes.`,
    notTelegramAdmin: html`In a group, the first to link an account must be an administrator of it.`,
    notSaid: html`In a group, the first to link an account must be an administrator of it, and Telegram does not tell me whether you are one. Make me an administrator of the group, so that I may see its members, and send /connect again. Nothing was changed.`,
    notOwner: html`An account is linked here already; only the owner may replace it. To see who you are here: /whoami`,
    notAllowed: html`Only the bot’s administrator may link an account here. Ask them to do it.`,
    linkGone: html`This link was used already, has expired, or is for somebody else. Get a new one with /connect in the chat.`,
    askKey: (chat: string): Html =>
      lines(
        chat === ''
          ? html`Linking an account to this chat.`
          : html`Linking an account to «${isolateAuto(chat)}».`,
        html`Send the API key; I delete your message at once.`,
      ),
    askUsername: html`The user name at the gateway? I delete your message at once.`,
    askPassword: html`The password? I delete your message at once.`,
    askToken: html`The version 1 token, made in the gateway’s panel? I delete your message at once.`,
    viaPassword: 'Username and password',
    viaToken: 'Version 1 token',
    viaKey: 'API key',
    badKey: html`That is not a key: a key is one word of 4 to 200 letters, digits and signs, without spaces.`,
    badWord: html`Send it as one word without spaces.`,
    usageKey: 'API key',
    usageUser: 'user name',
    usagePassword: 'password',
    usageToken: 'token',
    wrongCredential: html`The gateway does not accept this. Nothing was stored. Check it in the gateway’s panel.`,
    found: (card: AccountCard): Html =>
      lines(
        html`✅ Account: <b>${isolateAuto(card.name)}</b>${card.type === '' ? '' : html` (${isolateAuto(card.type)})`} · credit ${card.credit}`,
        card.keyTail !== '' && html`Key …${code(card.keyTail)}`,
        card.replaces !== '' &&
          html`⚠ It replaces «${isolateAuto(card.replaces)}», and what is still waiting to be sent by that account will not be sent.`,
        card.chat === '' ? html`Use it in this chat?` : html`Use it in «${isolateAuto(card.chat)}»?`,
      ),
    confirm: '✅ Link',
    cancel: '✖ Cancel',
    dropped: html`Not linked; what you sent is forgotten.`,
    gone: html`This question is no longer open. Start again with /connect, in the chat that the account is for.`,
    linked: (owner: boolean): Html => html`✅ Linked.${owner ? ' You are the owner.' : ''}`,
    answersGoOn: html`🤖 Automatic answers that are set in the chat go on, and this account pays for them: /rules there shows them.`,
    tokenAdds: html`Optional: the gateway’s panel can also make a token (version 1). With it /future works too: the gateway itself keeps a message and sends it at its time.`,
    addToken: '🔑 Add a token',
    askLine: html`Which sender line should I use first? Its number is in the gateway’s panel, such as ${code('3000123456')}`,
    usageLine: 'line',
    lineSet: (line: string): Html => html`Line ${code(isolateLtr(line))}.`,
    tryHere: html`Try: /send · /credit · /help`,
    goOnIn: (chat: string): Html => html`Continue in «${isolateAuto(chat)}». Try: /send · /credit · /help`,
    lineLater: html`No line was chosen; your first send asks for one.`,
    firstSend: '✉️ Send an SMS',
    announced: (name: string, line: string | null): Html =>
      lines(
        html`✅ Linked by ${isolateAuto(name)}${line === null ? '' : html` · line ${isolateLtr(line)}`}`,
        html`Try: /send · /credit · /help`,
      ),
    kept: html`The account stays linked. Nothing was changed.`,
    notConnected: html`No account is linked here.`,
    askDisconnect: (name: string): Html =>
      html`Unlink «${isolateAuto(name)}» from this chat? Its key is wiped, and what has not been sent yet will not be sent.`,
    disconnect: '🔌 Unlink',
    disconnected: html`Unlinked; the key is wiped. Link again with /connect`,
  },
  fa: {
    about: 'وصل‌کردن حساب پنل پیامک به این گفتگو',
    aboutDisconnect: 'جداکردن حساب و پاک‌کردن کلیدش',
    link: '🔗 وصل‌کردن حساب',
    startInPrivate: html`کسی که کلید API را دارد آن را در گفتگوی خصوصی وصل می‌کند. دکمه فقط برای شما، یک بار و تا ۱۰ دقیقه کار می‌کند.`,
    notTelegramAdmin: html`در گروه، اولین کسی که حساب وصل می‌کند باید مدیر گروه باشد.`,
    notSaid: html`در گروه، اولین کسی که حساب وصل می‌کند باید مدیر گروه باشد و تلگرام به من نمی‌گوید شما مدیر هستید یا نه. مرا مدیر گروه کنید تا اعضایش را ببینم، بعد دوباره ${slash('fa', 'connect')} بفرستید. چیزی تغییر نکرد.`,
    notOwner: html`اینجا حسابی وصل است و فقط مالک می‌تواند عوضش کند. نقش شما: ${slash('fa', 'whoami')}`,
    notAllowed: html`فقط مدیر ربات می‌تواند اینجا حساب وصل کند. از او بخواهید.`,
    linkGone: html`این لینک استفاده شده، مهلتش گذشته یا برای کس دیگری است. در گفتگو با ${slash('fa', 'connect')} لینک جدید بگیرید.`,
    askKey: (chat) =>
      lines(
        chat === '' ? html`وصل‌کردن حساب به این گفتگو.` : html`وصل‌کردن حساب به «${isolateAuto(chat)}».`,
        html`کلید API را بفرستید؛ پیام شما همان لحظه پاک می‌شود.`,
      ),
    askUsername: html`نام کاربری در پنل پیامک؟ پیام شما همان لحظه پاک می‌شود.`,
    askPassword: html`رمز؟ پیام شما همان لحظه پاک می‌شود.`,
    askToken: html`توکن نسخهٔ ۱ که در پنل پیامک ساخته شده؟ پیام شما همان لحظه پاک می‌شود.`,
    viaPassword: 'نام کاربری و رمز',
    viaToken: 'توکن نسخهٔ ۱',
    viaKey: 'کلید API',
    badKey: html`این کلید نیست: کلید یک کلمهٔ ۴ تا ۲۰۰ کاراکتری از حرف، رقم و علامت است، بدون فاصله.`,
    badWord: html`آن را در یک کلمه و بدون فاصله بفرستید.`,
    usageKey: 'کلید API',
    usageUser: 'نام کاربری',
    usagePassword: 'رمز',
    usageToken: 'توکن',
    wrongCredential: html`پنل پیامک این را نمی‌پذیرد. چیزی ذخیره نشد. آن را در خود پنل بررسی کنید.`,
    found: (card) =>
      lines(
        html`✅ حساب: <b>${isolateAuto(card.name)}</b>${card.type === '' ? '' : html` (${isolateAuto(card.type)})`} · اعتبار ${card.credit}`,
        card.keyTail !== '' && html`کلید …${code(card.keyTail)}`,
        card.replaces !== '' &&
          html`⚠ جایگزین «${isolateAuto(card.replaces)}» می‌شود و آنچه هنوز با آن حساب ارسال نشده، ارسال نخواهد شد.`,
        card.chat === ''
          ? html`در همین گفتگو استفاده شود؟`
          : html`در «${isolateAuto(card.chat)}» استفاده شود؟`,
      ),
    confirm: '✅ وصل شود',
    cancel: '✖ انصراف',
    dropped: html`وصل نشد؛ آنچه فرستادید فراموش شد.`,
    gone: html`این سؤال دیگر باز نیست. در همان گفتگویی که حساب برای آن است دوباره ${slash('fa', 'connect')} بفرستید.`,
    linked: (owner) => html`✅ وصل شد.${owner ? ' شما مالک هستید.' : ''}`,
    answersGoOn: html`🤖 پاسخ‌های خودکاری که در گفتگو تنظیم شده‌اند ادامه دارند و هزینه‌شان از این حساب کم می‌شود؛ برای دیدنشان همان‌جا ${slash('fa', 'rules')} را بفرستید.`,
    tokenAdds: html`اختیاری: در پنل پیامک می‌شود توکن (نسخهٔ ۱) هم ساخت. با آن ${slash('fa', 'future')} هم کار می‌کند: خود پنل پیامک را نگه می‌دارد و سر وقت می‌فرستد.`,
    addToken: '🔑 افزودن توکن',
    askLine: html`اول از کدام خط ارسال شود؟ شماره‌اش در پنل پیامک هست، مانند ${code('3000123456')}`,
    usageLine: 'خط',
    lineSet: (line) => html`خط ${code(isolateLtr(line))}.`,
    tryHere: html`امتحان کنید: ${slash('fa', 'send')} · ${slash('fa', 'credit')} · ${slash('fa', 'help')}`,
    goOnIn: (chat) =>
      html`در «${isolateAuto(chat)}» ادامه دهید. امتحان کنید: ${slash('fa', 'send')} · ${slash('fa', 'credit')} · ${slash('fa', 'help')}`,
    lineLater: html`خطی انتخاب نشد؛ در اولین ارسال پرسیده می‌شود.`,
    firstSend: '✉️ ارسال پیامک',
    announced: (name, line) =>
      lines(
        html`✅ ${isolateAuto(name)} حساب را وصل کرد${line === null ? '' : html` · خط ${isolateLtr(line)}`}`,
        html`امتحان کنید: ${slash('fa', 'send')} · ${slash('fa', 'credit')} · ${slash('fa', 'help')}`,
      ),
    kept: html`حساب وصل ماند. چیزی تغییر نکرد.`,
    notConnected: html`اینجا حسابی وصل نیست.`,
    askDisconnect: (name) =>
      html`حساب «${isolateAuto(name)}» از این گفتگو جدا شود؟ کلیدش پاک می‌شود و آنچه هنوز ارسال نشده، ارسال نخواهد شد.`,
    disconnect: '🔌 جدا شود',
    disconnected: html`جدا شد و کلیدش پاک شد. دوباره با ${slash('fa', 'connect')} وصل کنید.`,
  },
});
