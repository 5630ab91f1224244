import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr, RIGHT } from '../../i18n/format.ts';
import { b, code, html, lines, type Html } from '../../telegram/html.ts';
import { slash } from '../../telegram/slash.ts';

const tagged = (tag: string): string => isolateAuto(`#${tag}`);
const tagList = (tags: readonly string[], more: string | null): Html =>
  html`🏷 ${tags.map((tag, at) => `${at === 0 ? '' : ' '}${tagged(tag)}`)}${more === null ? '' : ` ${more}`}`;

/** Whom a chat keeps: lists, one person, changing and taking out. */
export const texts = defineTexts({
  en: {
    about: 'people you keep, with name, fields and tags: show, add, change, export',
    example: '/people 09121234567 Sara Ahmadi birthday=1370/5/12 #customers',
    offerContact: (number: string): string => `👥 Keep ${isolateLtr(number)} among the people`,
    offerFile: '👥 Keep these people',
    walk: lines(
      html`A whole run:`,
      html`1. You send ${code('customers.csv')} with ${code('/people #customers')} as its caption. Its columns are kept as fields.`,
      html`2. ${code('/bulk #customers Dear {name}, your order is ready.')} sends to all of them, each with their own name. The card asks before anything is sent.`,
      html`3. ${code('/people 09121234567 size=40 #vip')} adds to what you keep of somebody; ${code('-#vip')} takes the tag away.`,
    ),
    usage: '[#tag | number | name]',
    ask: html`Whom are you looking for? Type a tag, a number or a name.`,
    overview: (people: string): Html => html`👥 ${people} kept in this chat`,
    tags: html`Press a tag to see who is under it.`,
    noTags: html`None of them has a tag yet. ${code('/people 09121234567 #customers')} gives one.`,
    none: lines(
      html`👥 Nobody is kept here yet.`,
      html`Send a CSV or XLSX file with ${code('/people #customers')} as its caption, share a contact with me, or type ${code('/people 09121234567 Sara Ahmadi #customers')}`,
    ),
    all: '👥 All',
    head: (people: string, tag: string | null, words: string | null): Html =>
      html`👥 ${people}${tag === null ? '' : html` under ${tagged(tag)}`}${words === null ? '' : html` with «${isolateAuto(words)}»`}`,
    nobody: (tag: string | null, words: string | null): Html =>
      html`👥 Nobody ${tag === null ? '' : html`under ${tagged(tag)} `}${words === null ? 'is kept' : html`has «${isolateAuto(words)}» in name or fields`}. All: /people`,
    row: (name: string, number: string, tags: readonly string[]): Html =>
      html`${name === '' ? '' : html`${b(isolateAuto(name))} · `}${isolateLtr(number)}${tags.length === 0 ? '' : html` · ${tags.map((tag, at) => `${at === 0 ? '' : ' '}${tagged(tag)}`)}`}`,
    person: (name: string, number: string): Html =>
      html`👤 ${name === '' ? '' : html`${b(isolateAuto(name))} · `}${code(isolateLtr(number))}`,
    tagList,
    andMore: (count: string): string => `and ${count} more`,
    field: (name: string, value: string): Html => html`${isolateAuto(name)}: ${isolateAuto(value)}`,
    unknown: (number: string): Html => html`👤 ${isolateLtr(number)} is not kept here.`,
    kept: html`✅ Kept.`,
    noDate: (typed: string): Html =>
      html`⚠ I cannot read «${isolateAuto(typed)}» as a date, so /dates sends nothing by it. Write it like ${code('birthday=1370/5/12')}.`,
    change: '✏️ Change',
    add: '➕ Keep',
    send: '✉️ Send',
    sendAll: '✉️ Send to them',
    byDate: '🎂 Send by date',
    remove: '🗑 Take out',
    removeAll: '🗑 Take all out',
    askChange: (number: string): Html =>
      lines(
        html`What do you want to keep of ${isolateLtr(number)}? For example ${code('Sara Ahmadi, birthday=1370/5/12 #customers')}`,
        html`${code('-#customers')} takes a tag away, ${code('birthday=')} a field.`,
      ),
    badChange: html`Type a name, ${code('#tag')} or ${code('field=value')}.`,
    onlyOne: html`One number at a time. For many, send a file with ${code('/people #customers')} as its caption.`,
    adminsOnly: html`Adding and changing people needs the role operator or above.`,
    full: (limit: string): Html =>
      html`A chat keeps ${limit} people at most. Take out those you no longer need: /people`,
    askDrop: (name: string, number: string): Html =>
      lines(
        html`Take out ${name === '' ? '' : html`${isolateAuto(name)} · `}${isolateLtr(number)}, with name, fields and tags?`,
        html`Messages, reports and the blacklist stay as they are.`,
      ),
    drop: '🗑 Take out',
    keep: 'Keep',
    stays: html`👤 Nothing was changed.`,
    dropped: (number: string): Html => html`🗑 ${isolateLtr(number)} is no longer kept.`,
    gone: html`👤 No longer kept here.`,
    askDropTag: (tag: string, people: string): Html =>
      lines(
        html`Take out the ${people} under ${tagged(tag)}? Whoever has another tag stays and loses only this one.`,
        html`This cannot be undone. Export them first if you are not sure.`,
      ),
    droppedTag: (tag: string, gone: string, stayed: string | null): Html =>
      html`🗑 ${tagged(tag)}: ${gone} taken out${stayed === null ? '' : html`; ${stayed} stay under another tag`}.`,
  },
  fa: {
    about: 'مخاطبان ثبت‌شده با نام، فیلد و برچسب: دیدن، افزودن، تغییر، خروجی',
    example: '/people 09121234567 سارا احمدی تولد=۱۳۷۰/۵/۱۲ #مشتریان',
    offerContact: (number) => `👥 ثبت ${isolateLtr(number)} در مخاطبان`,
    offerFile: '👥 ثبت این مخاطبان',
    walk: lines(
      html`یک نمونهٔ کامل:`,
      html`۱) فایل ${code('customers.csv')} را با کپشن ${code('/people #مشتریان')} می‌فرستید. ستون‌هایش فیلدهای هر نفر می‌شود.`,
      html`۲) ${code('/bulk #مشتریان {نام} عزیز، سفارش شما آماده است.')} به همهٔ آن‌ها ارسال می‌کند، برای هر کس با نام خودش. قبل از ارسال، کارت می‌پرسد.`,
      html`۳) ${code('/people 09121234567 سایز=۴۰ #vip')} به آنچه از یک نفر ثبت شده اضافه می‌کند؛ ${code('-#vip')} برچسب را برمی‌دارد.`,
    ),
    usage: '[#برچسب | شماره | نام]',
    ask: html`دنبال چه کسی هستید؟ برچسب، شماره یا نام را بنویسید.`,
    overview: (people) => html`👥 ${people} در این گفتگو ثبت شده است`,
    tags: html`برای دیدن افراد هر برچسب، آن را بزنید.`,
    noTags: html`هنوز هیچ‌کدام برچسب ندارد. ${code('/people 09121234567 #مشتریان')} برچسب می‌گذارد.`,
    none: lines(
      html`👥 هنوز کسی اینجا ثبت نشده است.`,
      html`یک فایل CSV یا XLSX با کپشن ${code('/people #مشتریان')} بفرستید، مخاطبی را با من به اشتراک بگذارید، یا بنویسید ${code('/people 09121234567 سارا احمدی #مشتریان')}`,
    ),
    all: '👥 همه',
    head: (people, tag, words) =>
      html`👥 ${people}${tag === null ? '' : html` با برچسب ${tagged(tag)}`}${words === null ? '' : html` با عبارت «${isolateAuto(words)}»`}`,
    nobody: (tag, words) =>
      html`👥 ${tag === null ? '' : html`با برچسب ${tagged(tag)} `}${words === null ? 'کسی ثبت نشده است' : html`کسی با «${isolateAuto(words)}» در نام یا فیلدها پیدا نشد`}. همه: ${slash('fa', 'people')}`,
    row: (name, number, tags) =>
      html`${RIGHT}${name === '' ? '' : html`${b(isolateAuto(name))} · `}${isolateLtr(number)}${tags.length === 0 ? '' : html` · ${tags.map((tag, at) => `${at === 0 ? '' : ' '}${tagged(tag)}`)}`}`,
    person: (name, number) =>
      html`${RIGHT}👤 ${name === '' ? '' : html`${b(isolateAuto(name))} · `}${code(isolateLtr(number))}`,
    tagList: (tags, more) => html`${RIGHT}${tagList(tags, more)}`,
    andMore: (count) => `و ${count} تای دیگر`,
    field: (name, value) => html`${RIGHT}${isolateAuto(name)}: ${isolateAuto(value)}`,
    unknown: (number) => html`👤 ${isolateLtr(number)} اینجا ثبت نشده است.`,
    kept: html`✅ ثبت شد.`,
    noDate: (typed) =>
      html`⚠ «${isolateAuto(typed)}» را تاریخ نفهمیدم و ارسال مناسبتی از آن استفاده نمی‌کند. مثلاً بنویسید ${code('تولد=۱۳۷۰/۵/۱۲')}.`,
    change: '✏️ تغییر',
    add: '➕ ثبت',
    send: '✉️ ارسال',
    sendAll: '✉️ ارسال به آن‌ها',
    byDate: '🎂 ارسال مناسبتی',
    remove: '🗑 حذف',
    removeAll: '🗑 حذف همه',
    askChange: (number) =>
      lines(
        html`برای ${isolateLtr(number)} چه ثبت شود؟ مثلاً ${code('سارا احمدی، تولد=۱۳۷۰/۵/۱۲ #مشتریان')}`,
        html`${code('-#مشتریان')} برچسب را برمی‌دارد و ${code('تولد=')} فیلد را.`,
      ),
    badChange: html`نام، ${code('#برچسب')} یا ${code('فیلد=مقدار')} بنویسید.`,
    onlyOne: html`هر بار یک شماره. برای چند نفر، فایل را با کپشن ${code('/people #مشتریان')} بفرستید.`,
    adminsOnly: html`برای افزودن و تغییر مخاطبان نقش اپراتور یا بالاتر لازم است.`,
    full: (limit) =>
      html`هر گفتگو حداکثر ${limit} مخاطب نگه می‌دارد. آن‌هایی را که دیگر لازم ندارید حذف کنید: ${slash('fa', 'people')}`,
    askDrop: (name, number) =>
      lines(
        html`${name === '' ? '' : html`${isolateAuto(name)} · `}${isolateLtr(number)} با نام، فیلدها و برچسب‌هایش حذف شود؟`,
        html`پیام‌ها، گزارش‌ها و لیست سیاه تغییری نمی‌کنند.`,
      ),
    drop: '🗑 حذف',
    keep: 'بماند',
    stays: html`👤 چیزی تغییر نکرد.`,
    dropped: (number) => html`🗑 ${isolateLtr(number)} از مخاطبان حذف شد.`,
    gone: html`👤 دیگر اینجا ثبت نیست.`,
    askDropTag: (tag, people) =>
      lines(
        html`${people} با برچسب ${tagged(tag)} حذف شوند؟ هر کس برچسب دیگری دارد می‌ماند و فقط این برچسب را از دست می‌دهد.`,
        html`این کار برگشت ندارد. اگر مطمئن نیستید اول خروجی بگیرید.`,
      ),
    droppedTag: (tag, gone, stayed) =>
      html`🗑 ${tagged(tag)}: ${gone} حذف شد${stayed === null ? '' : html`؛ ${stayed} با برچسب دیگر ماند`}.`,
  },
});
