import type { RuleWay } from '../../domain/inbox-rules.ts';
import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, code, html, type Html } from '../../telegram/html.ts';
import { slash } from '../../telegram/slash.ts';

const digits = (line: string): Html => code(isolateLtr(line));
const foreign = (text: string): string => isolateAuto(text);

export const texts = defineTexts({
  en: {
    aboutRules: 'rules for received messages; replies 11 and 12',
    aboutRule: 'add a rule: where a message goes by what it says, and what is answered',
    exampleRules: '/rules optout 3000123456 on',
    exampleRule: '/rule contains «price» → here',
    usageSetting: 'optout line on|off, numbers full|masked, read on|off',
    badSetting: html`After ${code('/rules')} comes nothing, ${code('optout 3000123456 on')} (or ${code('off')}), ${code('numbers full')} (or ${code('masked')}), or ${code('read on')} (or ${code('off')}).`,
    numbersSet: (isWhole: boolean): Html =>
      isWhole
        ? html`🔢 Cards of received messages show whole numbers from now on, also in groups and channels. ${code('/rules numbers masked')} hides them again.`
        : html`🔢 Cards of received messages show numbers in part only from now on.`,
    numbersHint: html`🔢 Groups and channels see numbers in part; ${code('/rules numbers full')} shows them whole.`,
    marksRead: (isOn: boolean): Html =>
      isOn
        ? html`👁 What I have taken in is marked read at the gateway.`
        : html`👁 What I take in stays unread at the gateway; the button, or ${code('/rules read on')}, has it marked read there.`,
    marksReadSwitch: (isOn: boolean) => `${isOn ? '✅' : '▫️'} 👁 Mark read at the gateway`,
    marksReadSet: (isOn: boolean): Html =>
      isOn
        ? html`👁 From now on I mark at the gateway as read what I have taken in. Other programs that fetch unread messages from this account will find none there.`
        : html`👁 I mark nothing read at the gateway any more. What is marked stays so.`,
    head: (count: string): Html => html`🔀 ${b('Rules for received messages')} · ${count}`,
    rules: { one: 'rule', other: 'rules' },
    none: html`🔀 No rules yet: every received message goes wherever messages are switched on in /alerts`,
    rule: (number: string, what: Html): Html => html`${number}. ${what}`,
    what: (way: RuleWay, words: string, line: string | null): Html =>
      html`${WAYS_EN[way]} «${foreign(words)}»${line === null ? '' : html` on ${digits(line)}`}`,
    goes: (place: string): Html => html`→ ${foreign(place)}`,
    answers: (text: string): Html => html`🤖 answers «${foreign(text)}»`,
    here: 'this chat',
    topicOf: (name: string) => `topic ${foreign(name)}`,
    everywhere: 'wherever messages go',
    firstFits: html`The first rule that fits and names a place decides where a message goes; the first that fits and answers decides the answer.`,
    howTo: html`Add one: ${code('/rule contains «price» → here')} · ${code('/rule equals 5 on 3000123456 → @channel answer «Thank you.»')} · ${code('/rule pattern «order \\d+» → topic')}`,
    answerRules: html`🤖 An answer leaves at most once a day to each number, never to a blocked one or to what is no mobile, and only within the chat’s limits.`,
    topicReplies: html`💬 Where each correspondent has a topic, Telegram brings me only replies there: reply to one of my messages in it, and it answers the last card.`,
    optOut: (on: Html): Html =>
      html`11 and 12: a message that is nothing but ${code('11')} puts its sender on the blacklist of its line, ${code('12')} takes them off. On for: ${on}`,
    optOutNone: html`none`,
    optOutLine: (line: string, isOn: boolean) => `${isOn ? '✅' : '▫️'} 11/12 · ${isolateLtr(line)}`,
    optOutSet: (line: string, isOn: boolean): Html =>
      isOn
        ? html`✅ From now on ${code('11')} puts the sender on the blacklist of line ${digits(line)}, and ${code('12')} takes them off.`
        : html`▫️ ${code('11')} and ${code('12')} change nothing on line ${digits(line)} any more.`,
    noAccountYet: html`The inbox of this account has not been looked at yet. Try again in a minute.`,
    remove: (number: string) => `🗑 ${number}`,
    removed: (what: Html): Html => html`🗑 Deleted: ${what}`,
    gone: html`That rule is not there any more.`,
    added: (what: Html): Html => html`✅ Added: ${what}`,
    same: (what: Html): Html => html`▫️ This rule is there already: ${what}`,
    full: (most: string): Html => html`There are ${most} rules already. Delete one with /rules first.`,
    usageWay: 'contains|equals|pattern',
    usageWords: '«words»',
    usageLine: 'on line',
    usageTarget: '→ here|topic|all|@channel',
    usageAnswer: 'answer «text»',
    askWay: html`🔀 When a message …`,
    badWay: html`Choose ${code('contains')}, ${code('equals')} or ${code('pattern')}.`,
    ways: { contains: 'contains words', equals: 'is exactly', pattern: 'matches a pattern' } satisfies Record<
      RuleWay,
      string
    >,
    askWords: (way: RuleWay): Html =>
      way === 'pattern'
        ? html`Which pattern? A regular expression of the RE2 kind, up to 100 characters, such as ${code('order \\d+')}`
        : html`Which words? Up to 100 characters. Persian and Arabic letters, digits of all kinds and upper and lower case are the same to a rule.`,
    badWords: html`That must be 1 to 100 characters.`,
    badPattern: (words: string): Html =>
      html`«${foreign(words)}» is no pattern that I can use. Look-ahead and back-references do not exist in it, and it must not be too large.`,
    badLine: html`A sender line has 5 to 14 digits: ${code('on 3000123456')}`,
    askTarget: html`Where does such a message go?`,
    badTarget: html`Write ${code('here')}, ${code('topic')}, ${code('all')}, or a channel such as ${code('@channel')}.`,
    targetAll: 'Wherever messages go',
    targetHere: 'This chat',
    targetTopic: 'This topic',
    noTopic: html`This is no topic. Write the command in the topic that is meant.`,
    noPlace: (reason: 'not_there' | 'person' | 'bot', name: string): Html =>
      ({
        not_there: () => html`I know no place ${foreign(name)}. Is its name right, and am I in it?`,
        person: () =>
          html`Only an administrator who may post in ${foreign(name)} can have messages sent there.`,
        bot: () => html`I may not post in ${foreign(name)}. Let me post there, then try again.`,
      })[reason](),
    badAnswer: html`After ${code('answer')} comes the text that is answered, up to 900 characters.`,
    nothingToDo: html`Such a rule would do nothing: name a place, or add ${code('answer «text»')}.`,
  },
  fa: {
    aboutRules: 'قاعده‌های پیام‌های دریافتی؛ پاسخ‌های ۱۱ و ۱۲',
    aboutRule: 'افزودن قاعده: پیام بر پایهٔ متنش کجا برود و چه پاسخی بگیرد',
    exampleRules: '/rules optout 3000123456 on',
    exampleRule: '/rule contains «قیمت» → here',
    usageSetting: 'optout خط on|off، numbers full|masked، read on|off',
    badSetting: html`پس از ${code('/rules')} چیزی ننویسید، یا بنویسید ${code('optout 3000123456 on')} (یا ${code('off')})، ${code('numbers full')} (یا ${code('masked')}) یا ${code('read on')} (یا ${code('off')}).`,
    numbersSet: (isWhole) =>
      isWhole
        ? html`🔢 از این پس کارت پیام‌های دریافتی شماره را کامل نشان می‌دهد، در گروه و کانال هم. با ${code('/rules numbers masked')} دوباره پوشیده می‌شود.`
        : html`🔢 از این پس کارت پیام‌های دریافتی تنها بخشی از شماره را نشان می‌دهد.`,
    numbersHint: html`🔢 گروه‌ها و کانال‌ها تنها بخشی از شماره را می‌بینند؛ با ${code('/rules numbers full')} کامل دیده می‌شود.`,
    marksRead: (isOn) =>
      isOn
        ? html`👁 پیام‌هایی که گرفته‌ام در پنل پیامک خوانده‌شده علامت می‌خورد.`
        : html`👁 پیام‌هایی که می‌گیرم در پنل پیامک خوانده‌نشده می‌ماند؛ با دکمهٔ زیر یا ${code('/rules read on')} آن‌جا خوانده‌شده علامت می‌خورد.`,
    marksReadSwitch: (isOn) => `${isOn ? '✅' : '▫️'} 👁 خوانده‌شده در پنل پیامک`,
    marksReadSet: (isOn) =>
      isOn
        ? html`👁 از این پس پیام‌هایی را که گرفته‌ام در پنل پیامک خوانده‌شده علامت می‌زنم. برنامه‌های دیگری که پیام‌های خوانده‌نشدهٔ این حساب را می‌گیرند چیزی در آن نخواهند یافت.`
        : html`👁 دیگر چیزی را در پنل پیامک خوانده‌شده علامت نمی‌زنم. آنچه علامت خورده همان‌گونه می‌ماند.`,
    head: (count) => html`🔀 ${b('قاعده‌های پیام‌های دریافتی')} · ${count}`,
    rules: { one: 'قاعده', other: 'قاعده' },
    none: html`🔀 هنوز قاعده‌ای نیست: هر پیام دریافتی به همهٔ جاهایی می‌رود که در ${slash('fa', 'alerts')} روشن شده است.`,
    rule: (number, what) => html`${number}. ${what}`,
    what: (way, words, line) =>
      html`${WAYS_FA[way]} «${foreign(words)}»${line === null ? '' : html` در خط ${digits(line)}`}`,
    goes: (place) => html`← ${foreign(place)}`,
    answers: (text) => html`🤖 پاسخ می‌دهد «${foreign(text)}»`,
    here: 'همین گفتگو',
    topicOf: (name) => `موضوع ${foreign(name)}`,
    everywhere: 'هر جا که پیام‌ها می‌روند',
    firstFits: html`جای پیام را اولین قاعدهٔ جورشده‌ای تعیین می‌کند که جایی نام برده باشد، و پاسخ را اولین قاعدهٔ جورشده‌ای که پاسخ داشته باشد.`,
    howTo: html`افزودن: ${code('/rule contains «قیمت» → here')} · ${code('/rule equals 5 on 3000123456 → @channel answer «سپاسگزاریم.»')} · ${code('/rule pattern «سفارش \\d+» → topic')}`,
    answerRules: html`🤖 پاسخ خودکار به هر شماره حداکثر روزی یک بار می‌رود، هرگز به شمارهٔ مسدود یا آنچه شمارهٔ همراه نیست، و تنها در چارچوب محدودیت‌های گفتگو.`,
    topicReplies: html`💬 جایی که هر مخاطب موضوع خودش را دارد، تلگرام تنها پاسخ‌ها (Reply) را به من می‌رساند: به یکی از پیام‌های من در آن موضوع پاسخ دهید تا پاسخ آخرین کارت باشد.`,
    optOut: (on) =>
      html`۱۱ و ۱۲: پیامی که تنها ${code('11')} باشد فرستنده‌اش را به لیست سیاه آن خط می‌افزاید و ${code('12')} او را برمی‌دارد. روشن برای: ${on}`,
    optOutNone: html`هیچ خطی`,
    optOutLine: (line, isOn) => `${isOn ? '✅' : '▫️'} ۱۱/۱۲ · ${isolateLtr(line)}`,
    optOutSet: (line, isOn) =>
      isOn
        ? html`✅ از این پس ${code('11')} فرستنده را به لیست سیاه خط ${digits(line)} می‌افزاید و ${code('12')} او را برمی‌دارد.`
        : html`▫️ دیگر ${code('11')} و ${code('12')} در خط ${digits(line)} چیزی را تغییر نمی‌دهند.`,
    noAccountYet: html`صندوق این حساب هنوز خوانده نشده است. یک دقیقهٔ دیگر دوباره امتحان کنید.`,
    remove: (number) => `🗑 ${number}`,
    removed: (what) => html`🗑 حذف شد: ${what}`,
    gone: html`آن قاعده دیگر نیست.`,
    added: (what) => html`✅ افزوده شد: ${what}`,
    same: (what) => html`▫️ این قاعده از پیش هست: ${what}`,
    full: (most) =>
      html`${most} قاعده هست و بیش از این نمی‌شود. اول یکی را با ${slash('fa', 'rules')} حذف کنید.`,
    usageWay: 'شامل|دقیقاً|الگو',
    usageWords: '«متن»',
    usageLine: 'خط شماره',
    usageTarget: '← این‌جا|موضوع|همه|@channel',
    usageAnswer: 'پاسخ «متن»',
    askWay: html`🔀 وقتی پیامی …`,
    badWay: html`یکی را انتخاب کنید: ${code('contains')}، ${code('equals')} یا ${code('pattern')}`,
    ways: { contains: 'این را دارد', equals: 'دقیقاً این است', pattern: 'با الگو جور است' },
    askWords: (way) =>
      way === 'pattern'
        ? html`کدام الگو؟ یک عبارت باقاعده از نوع ${code('RE2')}، حداکثر ۱۰۰ کاراکتر، مانند ${code('سفارش \\d+')}`
        : html`کدام متن؟ حداکثر ۱۰۰ کاراکتر. حروف فارسی و عربی، همهٔ گونه‌های رقم و بزرگی و کوچکی حروف برای قاعده یکی است.`,
    badWords: html`باید ۱ تا ۱۰۰ کاراکتر باشد.`,
    badPattern: (words) =>
      html`«${foreign(words)}» الگویی نیست که بتوانم به کار ببرم. نگاه به پیش و ارجاع به عقب در آن نیست و نباید خیلی بزرگ باشد.`,
    badLine: html`خط فرستنده ۵ تا ۱۴ رقم دارد: ${code('on 3000123456')}`,
    askTarget: html`چنین پیامی کجا برود؟`,
    badTarget: html`بنویسید ${code('here')}، ${code('topic')}، ${code('all')} یا نام کانالی مانند ${code('@channel')}`,
    targetAll: 'هر جا که پیام‌ها می‌روند',
    targetHere: 'همین گفتگو',
    targetTopic: 'همین موضوع',
    noTopic: html`این‌جا موضوع نیست. دستور را در همان موضوعی بنویسید که می‌خواهید.`,
    noPlace: (reason, name) =>
      ({
        not_there: () => html`جایی به نام ${foreign(name)} نمی‌شناسم. نامش درست است و من در آن هستم؟`,
        person: () =>
          html`تنها مدیری که اجازهٔ نوشتن در ${foreign(name)} را دارد می‌تواند پیام‌ها را به آن‌جا بفرستد.`,
        bot: () =>
          html`من اجازهٔ نوشتن در ${foreign(name)} را ندارم. این اجازه را بدهید و دوباره امتحان کنید.`,
      })[reason](),
    badAnswer: html`پس از ${code('answer')} متن پاسخ می‌آید، حداکثر ۹۰۰ کاراکتر.`,
    nothingToDo: html`چنین قاعده‌ای کاری نمی‌کند: جایی نام ببرید یا ${code('answer «متن»')} بیفزایید.`,
  },
});

const WAYS_EN: Readonly<Record<RuleWay, string>> = {
  contains: 'contains',
  equals: 'is exactly',
  pattern: 'matches',
};

const WAYS_FA: Readonly<Record<RuleWay, string>> = {
  contains: 'شامل',
  equals: 'دقیقاً',
  pattern: 'جور با الگوی',
};
