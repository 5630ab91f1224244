import type { RuleWay, WordWay } from '../../domain/inbox-rules.ts';
import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, code, html, type Html } from '../../telegram/html.ts';
import { slash } from '../../telegram/slash.ts';

const digits = (line: string): Html => code(isolateLtr(line));
const foreign = (text: string): string => isolateAuto(text);

export const texts = defineTexts({
  en: {
    aboutRules: 'rules for received messages, desk hours, replies 11 and 12',
    aboutRule: 'add a rule: where a message goes by its words, and what answers it',
    exampleRules: '/rules hours 8-16',
    exampleRule: '/rule contains «price» → here',
    usageSetting: 'hours 8-16, closed «text», optout line on|off, numbers full|masked, read on|off',
    askSetting: html`Which of these should I set?`,
    badSetting: (typed: string): Html =>
      html`«${foreign(typed)}» is not a setting of ${code('/rules')}. The settings are ${code('hours Sat-Wed 8-16')}, ${code('closed «text»')}, ${code('optout 3000123456 on')}, ${code('numbers full')} (or ${code('masked')}) and ${code('read on')}; ${code('off')} switches one off; ${code('/rules')} by itself shows everything.`,
    numbersSet: (isWhole: boolean): Html =>
      isWhole
        ? html`🔢 Cards of received messages show whole numbers from now on, in groups and channels too. ${code('/rules numbers masked')} hides them again.`
        : html`🔢 Cards of received messages show numbers in part only from now on.`,
    numbersHint: html`🔢 Groups and channels see numbers in part; ${code('/rules numbers full')} shows them whole.`,
    marksRead: (isOn: boolean): Html =>
      isOn
        ? html`👁 Messages that I have stored are marked read at the gateway.`
        : html`👁 Messages that I have stored stay unread at the gateway; the button below or ${code('/rules read on')} marks them read there.`,
    marksReadSwitch: (isOn: boolean) => `${isOn ? '✅' : '▫️'} 👁 Mark read at the gateway`,
    marksReadSet: (isOn: boolean): Html =>
      isOn
        ? html`👁 From now on I mark messages read at the gateway once I have stored them. Other programs that fetch unread messages from this account will find none there.`
        : html`👁 I no longer mark messages read at the gateway. Those already marked stay so.`,
    head: (count: string): Html => html`🔀 ${b('Rules for received messages')} · ${count}`,
    rules: { one: 'rule', other: 'rules' },
    none: html`🔀 No rules yet: every received message goes wherever messages are switched on in /alerts`,
    rule: (number: string, what: Html): Html => html`${number}. ${what}`,
    what: (way: RuleWay, words: string, line: string | null): Html =>
      way === 'closed'
        ? html`🌙 outside the desk hours`
        : html`${WAYS_EN[way]} «${foreign(words)}»${line === null ? '' : html` on ${digits(line)}`}`,
    goes: (place: string): Html => html`→ ${foreign(place)}`,
    answers: (text: string): Html => html`🤖 answers «${foreign(text)}»`,
    here: 'this chat',
    topicOf: (name: string) => `topic ${foreign(name)}`,
    firstFits: html`The first matching rule with a place decides where a message goes; the first matching rule with an answer decides the answer.`,
    howTo: html`Add one: ${code('/rule contains «price» → here')} · ${code('/rule equals 5 on 3000123456 → @channel answer «Thank you.»')} · ${code('/rule pattern «order \\d+» → topic')}`,
    answerRules: html`🤖 Automatic answers go to each number at most once a day, only to mobile numbers that are not blocked, and only within the chat’s limits.`,
    topicReplies: html`💬 Where each sender has a topic, Telegram shows me only replies: reply to one of my messages in the topic, and it answers the latest card.`,
    optOut: (on: Html): Html =>
      html`11 and 12: a message with only ${code('11')} puts its sender on the blacklist of that line, ${code('12')} takes them off. On for: ${on}`,
    optOutNone: html`none`,
    optOutLine: (line: string, isOn: boolean) => `${isOn ? '✅' : '▫️'} 11/12 · ${isolateLtr(line)}`,
    optOutSet: (line: string, isOn: boolean): Html =>
      isOn
        ? html`✅ From now on ${code('11')} puts the sender on the blacklist of line ${digits(line)}, and ${code('12')} takes them off.`
        : html`▫️ ${code('11')} and ${code('12')} change nothing on line ${digits(line)} any more.`,
    noAccountYet: html`The inbox of this account has not been read yet. Try again in a minute.`,
    remove: (number: string) => `🗑 ${number}`,
    removed: (what: Html): Html => html`🗑 Deleted: ${what}`,
    gone: html`That rule no longer exists.`,
    added: (what: Html): Html => html`✅ Added: ${what}`,
    same: (what: Html): Html => html`▫️ This rule is there already: ${what}`,
    full: (most: string): Html =>
      html`There are ${most} rules, which is the limit. Delete one with /rules first.`,
    usageWay: 'contains|equals|pattern',
    usageWords: '«words»',
    usageLine: 'on line',
    usageTarget: '→ here|topic|all|@channel',
    usageAnswer: 'answer «text»',
    askWay: html`🔀 When a message …`,
    badWay: html`Press one of the buttons, or type ${code('contains')}, ${code('equals')} or ${code('pattern')}.`,
    ways: { contains: 'contains words', equals: 'is exactly', pattern: 'matches a pattern' } satisfies Record<
      WordWay,
      string
    >,
    askWords: (way: WordWay): Html =>
      way === 'pattern'
        ? html`Which pattern? A regular expression (RE2), up to 100 characters, such as ${code('order \\d+')}`
        : html`Which words? Up to 100 characters. Persian or Arabic letters, any kind of digits, and capital or small letters make no difference.`,
    badWords: html`That must be 1 to 100 characters.`,
    badPattern: (words: string): Html =>
      html`I cannot use «${foreign(words)}» as a pattern. Look-ahead and back-references are not supported, and it must not be too large.`,
    badLine: html`A sender line has 5 to 14 digits: ${code('on 3000123456')}`,
    askTarget: html`Where does such a message go?`,
    badTarget: html`Write ${code('here')}, ${code('topic')}, ${code('all')}, or a channel such as ${code('@channel')}.`,
    targetAll: 'Wherever messages go',
    targetHere: 'This chat',
    targetTopic: 'This topic',
    noTopic: html`This is not a topic. Write the command in the topic that you mean.`,
    noPlace: (reason: 'not_there' | 'person' | 'bot', name: string): Html =>
      ({
        not_there: () => html`I do not know ${foreign(name)}. Is its name right, and am I a member there?`,
        person: () =>
          html`Only an administrator who may post in ${foreign(name)} can have messages sent there.`,
        bot: () => html`I may not post in ${foreign(name)}. Let me post there, then try again.`,
      })[reason](),
    badAnswer: html`After ${code('answer')} comes the text of the answer, up to 900 characters.`,
    nothingToDo: html`Such a rule would do nothing: name a place, or add ${code('answer «text»')}.`,
    desk: (hours: string, zone: string, isOpen: boolean): Html =>
      html`🕗 Desk hours: ${hours} · ${isolateLtr(zone)} · now ${isOpen ? 'open' : 'closed'}`,
    noDesk: html`🕗 Desk hours: not set. With them, an automatic answer can say when nobody is there, and the alert about unanswered messages counts only these hours.`,
    closedAnswers: (text: string): Html => html`🌙 Outside them 🤖 answers «${foreign(text)}»`,
    allRules: '🔀 All rules',
    editHours: '🕗 Desk hours',
    editClosed: '🌙 Answer outside them',
    usageHours: 'days and hours|off',
    usualHours: ['Sat-Wed 8-16', 'Every day 8-20'],
    off: 'Off',
    askHours: (zone: string): Html =>
      html`When is somebody here to answer (${isolateLtr(zone)})? For example ${code('Sat-Wed 8-16')}, ${code('8:30-17')} for every day, or ${code('sat, mon 9-13')}.`,
    badHours: (typed: string): Html =>
      html`«${foreign(typed)}» is not days and hours. Type for example ${code('Sat-Wed 8-16')}, ${code('8:30-17')} for every day, or ${code('off')}.`,
    hoursSet: (isSet: boolean): Html =>
      isSet
        ? html`✅ Desk hours set. The alert about unanswered messages counts only these.`
        : html`▫️ No desk hours any more.`,
    askClosed: html`🌙 What should a message that comes outside the desk hours be answered? Type the text, or ${code('#name')} of a saved one. Each number gets it once until the desk opens again.`,
    badClosed: html`Type a text of up to 900 characters, ${code('#name')} of a saved one, or ${code('off')}.`,
    closedSet: html`✅ Messages that come outside the desk hours are answered with it, each number once until the desk opens again.`,
    closedOff: html`▫️ Messages that come outside the desk hours are not answered automatically.`,
    closedNeedsHours: html`⚠️ It is not sent before the desk hours are set: answer the next question.`,
    closedIdle: html`⚠️ 🌙 is not sent while no desk hours are set.`,
    needsSecond: html`🚫 🌙 will never be sent: a send of its size needs a second person here (${code('/limits approval')}), and nobody is asked for an automatic answer.`,
    held: (never: boolean, hours: string, line: string | null): Html => {
      const what = line === null ? html`this chat sends` : html`line ${digits(line)} sends`;
      const where = code(line === null ? '/limits window' : `/line ${line} hours`);
      return never
        ? html`🚫 🌙 will never be sent: outside the desk hours nothing may leave, because ${what} only ${hours} (${where}).`
        : html`⚠️ 🌙 leaves only ${hours}, when ${what} (${where}). What comes at other times gets no answer.`;
    },
  },
  fa: {
    aboutRules: 'قاعده‌های پیام‌های دریافتی، ساعت کاری، پاسخ‌های ۱۱ و ۱۲',
    aboutRule: 'افزودن قاعده: هر پیام با توجه به متنش کجا برود و چه پاسخی بگیرد',
    exampleRules: '/rules ساعت 8-16',
    exampleRule: '/rule شامل «قیمت» ← اینجا',
    usageSetting: 'ساعت ۸-۱۶، تعطیل «متن»، لغو۱۱ خط روشن|خاموش، شماره‌ها کامل|پوشیده، خوانده روشن|خاموش',
    askSetting: html`کدام را تنظیم کنم؟`,
    badSetting: (typed) =>
      html`«${foreign(typed)}» از تنظیم‌های ${code('/rules')} نیست. تنظیم‌ها: ${code('ساعت شنبه تا چهارشنبه 8-16')}، ${code('تعطیل «متن»')}، ${code('لغو11 3000123456 روشن')}، ${code('شماره‌ها کامل')} (یا ${code('پوشیده')}) و ${code('خوانده روشن')}. با ${code('خاموش')} خاموش می‌شود؛ ${code('/rules')} به‌تنهایی همه را نشان می‌دهد.`,
    numbersSet: (isWhole) =>
      isWhole
        ? html`🔢 از این به بعد کارت پیام‌های دریافتی شماره را کامل نشان می‌دهد، در گروه و کانال هم. با ${code('/rules شماره‌ها پوشیده')} دوباره فقط بخشی از شماره دیده می‌شود.`
        : html`🔢 از این به بعد کارت پیام‌های دریافتی فقط بخشی از شماره را نشان می‌دهد.`,
    numbersHint: html`🔢 گروه‌ها و کانال‌ها فقط بخشی از شماره را می‌بینند؛ با ${code('/rules شماره‌ها کامل')} کامل دیده می‌شود.`,
    marksRead: (isOn) =>
      isOn
        ? html`👁 پیام‌هایی که ذخیره کرده‌ام در پنل پیامک علامت خوانده‌شده می‌خورد.`
        : html`👁 پیام‌هایی که ذخیره کرده‌ام در پنل پیامک نخوانده می‌ماند؛ با دکمهٔ زیر یا ${code('/rules خوانده روشن')} آنجا علامت خوانده‌شده می‌خورد.`,
    marksReadSwitch: (isOn) => `${isOn ? '✅' : '▫️'} 👁 خوانده‌شده در پنل پیامک`,
    marksReadSet: (isOn) =>
      isOn
        ? html`👁 از این به بعد پیام‌هایی که ذخیره کرده‌ام در پنل پیامک علامت خوانده‌شده می‌خورد. برنامه‌های دیگری که پیام‌های نخواندهٔ این حساب را می‌گیرند دیگر چیزی پیدا نمی‌کنند.`
        : html`👁 دیگر در پنل پیامک علامت خوانده‌شده نمی‌زنم. آنچه علامت خورده همان‌طور می‌ماند.`,
    head: (count) => html`🔀 ${b('قاعده‌های پیام‌های دریافتی')} · ${count}`,
    rules: { one: 'قاعده', other: 'قاعده' },
    none: html`🔀 هنوز قاعده‌ای نیست: هر پیام دریافتی به همهٔ جاهایی می‌رود که در ${slash('fa', 'alerts')} روشن شده است.`,
    rule: (number, what) => html`${number}. ${what}`,
    what: (way, words, line) =>
      way === 'closed'
        ? html`🌙 خارج از ساعت کاری`
        : html`${WAYS_FA[way]} «${foreign(words)}»${line === null ? '' : html` در خط ${digits(line)}`}`,
    goes: (place) => html`← ${foreign(place)}`,
    answers: (text) => html`🤖 پاسخ می‌دهد «${foreign(text)}»`,
    here: 'همین گفتگو',
    topicOf: (name) => `موضوع ${foreign(name)}`,
    firstFits: html`مقصد پیام را اولین قاعدهٔ منطبقی تعیین می‌کند که مقصد دارد، و پاسخ را اولین قاعدهٔ منطبقی که پاسخ دارد.`,
    howTo: html`افزودن: ${code('/rule شامل «قیمت» ← اینجا')} · ${code('/rule دقیقاً 5 خط 3000123456 ← @channel پاسخ «متشکریم.»')} · ${code('/rule الگو «سفارش \\d+» ← موضوع')}`,
    answerRules: html`🤖 پاسخ خودکار به هر شماره حداکثر روزی یک بار ارسال می‌شود، فقط به شمارهٔ همراهی که مسدود نیست و فقط در محدودهٔ محدودیت‌های گفتگو.`,
    topicReplies: html`💬 جایی که هر فرستنده موضوع خودش را دارد، تلگرام فقط پاسخ‌ها (Reply) را به من نشان می‌دهد: در آن موضوع به یکی از پیام‌های من پاسخ دهید تا پاسخ آخرین کارت شود.`,
    optOut: (on) =>
      html`۱۱ و ۱۲: پیامی که فقط ${code('11')} باشد فرستنده‌اش را به لیست سیاه آن خط اضافه می‌کند و ${code('12')} او را برمی‌دارد. روشن برای: ${on}`,
    optOutNone: html`هیچ خطی`,
    optOutLine: (line, isOn) => `${isOn ? '✅' : '▫️'} ۱۱/۱۲ · ${isolateLtr(line)}`,
    optOutSet: (line, isOn) =>
      isOn
        ? html`✅ از این به بعد ${code('11')} فرستنده را به لیست سیاه خط ${digits(line)} اضافه می‌کند و ${code('12')} او را برمی‌دارد.`
        : html`▫️ دیگر ${code('11')} و ${code('12')} در خط ${digits(line)} چیزی را تغییر نمی‌دهند.`,
    noAccountYet: html`صندوق این حساب هنوز خوانده نشده است. یک دقیقهٔ دیگر دوباره امتحان کنید.`,
    remove: (number) => `🗑 ${number}`,
    removed: (what) => html`🗑 حذف شد: ${what}`,
    gone: html`آن قاعده دیگر وجود ندارد.`,
    added: (what) => html`✅ اضافه شد: ${what}`,
    same: (what) => html`▫️ این قاعده از قبل هست: ${what}`,
    full: (most) => html`${most} قاعده هست که سقف آن است. اول یکی را با ${slash('fa', 'rules')} حذف کنید.`,
    usageWay: 'شامل|دقیقاً|الگو',
    usageWords: '«متن»',
    usageLine: 'خط شماره',
    usageTarget: '← اینجا|موضوع|همه|@channel',
    usageAnswer: 'پاسخ «متن»',
    askWay: html`🔀 وقتی پیامی …`,
    badWay: html`یکی از دکمه‌ها را بزنید، یا بنویسید ${code('شامل')}، ${code('دقیقاً')} یا ${code('الگو')}.`,
    ways: { contains: 'شامل این باشد', equals: 'دقیقاً این باشد', pattern: 'با الگو منطبق باشد' },
    askWords: (way) =>
      way === 'pattern'
        ? html`کدام الگو؟ یک عبارت منظم (Regex) از نوع ${code('RE2')}، حداکثر ۱۰۰ کاراکتر، مانند ${code('سفارش \\d+')}`
        : html`کدام متن؟ حداکثر ۱۰۰ کاراکتر. حروف فارسی و عربی، انواع رقم‌ها و بزرگی و کوچکی حروف فرقی ندارد.`,
    badWords: html`باید ۱ تا ۱۰۰ کاراکتر باشد.`,
    badPattern: (words) =>
      html`نمی‌توانم از «${foreign(words)}» به عنوان الگو استفاده کنم. ${code('lookahead')} و ${code('backreference')} پشتیبانی نمی‌شود و الگو نباید خیلی بزرگ باشد.`,
    badLine: html`خط فرستنده ۵ تا ۱۴ رقم دارد: ${code('خط 3000123456')}`,
    askTarget: html`چنین پیامی کجا برود؟`,
    badTarget: html`بنویسید ${code('here')}، ${code('topic')}، ${code('all')} یا نام کانالی مانند ${code('@channel')}`,
    targetAll: 'هر جا که پیام‌ها می‌روند',
    targetHere: 'همین گفتگو',
    targetTopic: 'همین موضوع',
    noTopic: html`اینجا موضوع نیست. دستور را در همان موضوعی بنویسید که می‌خواهید.`,
    noPlace: (reason, name) =>
      ({
        not_there: () => html`${foreign(name)} را نمی‌شناسم. نامش درست است و من آنجا عضو هستم؟`,
        person: () =>
          html`فقط مدیری که اجازهٔ نوشتن در ${foreign(name)} را دارد می‌تواند پیام‌ها را به آنجا بفرستد.`,
        bot: () =>
          html`من اجازهٔ نوشتن در ${foreign(name)} را ندارم. این اجازه را بدهید و دوباره امتحان کنید.`,
      })[reason](),
    badAnswer: html`بعد از ${code('پاسخ')} متن پاسخ می‌آید، حداکثر ۹۰۰ کاراکتر.`,
    nothingToDo: html`چنین قاعده‌ای کاری نمی‌کند: جایی نام ببرید یا ${code('پاسخ «متن»')} اضافه کنید.`,
    desk: (hours, zone, isOpen) =>
      html`🕗 ساعت کاری: ${hours} · ${isolateLtr(zone)} · الان ${isOpen ? 'باز' : 'تعطیل'}`,
    noDesk: html`🕗 ساعت کاری: تعیین نشده. با تعیین آن می‌توانید برای خارج از ساعت کاری پاسخ خودکار بگذارید و هشدار پیام بی‌پاسخ هم فقط همین ساعت‌ها را حساب می‌کند.`,
    closedAnswers: (text) => html`🌙 خارج از ساعت کاری 🤖 پاسخ می‌دهد «${foreign(text)}»`,
    allRules: '🔀 همهٔ قاعده‌ها',
    editHours: '🕗 ساعت کاری',
    editClosed: '🌙 پاسخ خارج از ساعت کاری',
    usageHours: 'روزها و ساعت‌ها|خاموش',
    usualHours: ['شنبه تا چهارشنبه ۸ تا ۱۶', 'هر روز ۸ تا ۲۰'],
    off: 'خاموش',
    askHours: (zone) =>
      html`چه روزها و ساعت‌هایی کسی برای پاسخ‌دادن هست (${isolateLtr(zone)})؟ مثلاً ${code('شنبه تا چهارشنبه ۸ تا ۱۶')}، برای هر روز ${code('۸:۳۰ تا ۱۷')}، یا ${code('شنبه، دوشنبه ۹ تا ۱۳')}.`,
    badHours: (typed) =>
      html`«${foreign(typed)}» روز و ساعت نیست. مثلاً بنویسید ${code('شنبه تا چهارشنبه ۸ تا ۱۶')}، برای هر روز ${code('۸:۳۰ تا ۱۷')}، یا ${code('خاموش')}.`,
    hoursSet: (isSet) =>
      isSet
        ? html`✅ ساعت کاری تعیین شد. هشدار پیام بی‌پاسخ هم فقط همین ساعت‌ها را حساب می‌کند.`
        : html`▫️ دیگر ساعت کاری تعیین نشده است.`,
    askClosed: html`🌙 به پیامی که خارج از ساعت کاری می‌رسد چه پاسخی داده شود؟ متن را بنویسید، یا ${code('#نام')} یکی از متن‌های ذخیره‌شده را. هر شماره تا شروع ساعت کاری بعدی فقط یک بار آن را می‌گیرد.`,
    badClosed: html`متنی حداکثر ۹۰۰ کاراکتری بنویسید، یا ${code('#نام')} یکی از متن‌های ذخیره‌شده، یا ${code('خاموش')}.`,
    closedSet: html`✅ از این به بعد پیام‌های خارج از ساعت کاری این پاسخ را می‌گیرند؛ هر شماره تا شروع ساعت کاری بعدی یک بار.`,
    closedOff: html`▫️ پیام‌های خارج از ساعت کاری پاسخ خودکار نمی‌گیرند.`,
    closedNeedsHours: html`⚠️ تا ساعت کاری تعیین نشود ارسال نمی‌شود: به سؤال بعدی پاسخ دهید.`,
    closedIdle: html`⚠️ 🌙 تا وقتی ساعت کاری تعیین نشده ارسال نمی‌شود.`,
    needsSecond: html`🚫 🌙 هیچ‌وقت ارسال نمی‌شود: اینجا ارسالی با این اندازه تأیید نفر دوم می‌خواهد (${code('/limits تأیید')}) و برای پاسخ خودکار از کسی تأیید گرفته نمی‌شود.`,
    held: (never, hours, line) => {
      const what = line === null ? html`این گفتگو` : html`از خط ${digits(line)}`;
      const where = code(line === null ? '/limits بازه' : `/line ${line} ساعت‌ها`);
      return never
        ? html`🚫 🌙 هیچ‌وقت ارسال نمی‌شود: ${what} فقط ${hours} ارسال دارد (${where}) و خارج از ساعت کاری چیزی ارسال نمی‌شود.`
        : html`⚠️ 🌙 فقط ${hours} ارسال می‌شود، چون ${what} فقط در این ساعت‌ها ارسال دارد (${where}). پیامی که وقت دیگری برسد پاسخ خودکار نمی‌گیرد.`;
    },
  },
});

const WAYS_EN: Readonly<Record<WordWay, string>> = {
  contains: 'contains',
  equals: 'is exactly',
  pattern: 'matches',
};

const WAYS_FA: Readonly<Record<WordWay, string>> = {
  contains: 'شامل',
  equals: 'دقیقاً',
  pattern: 'منطبق با الگوی',
};
