import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto } from '../../i18n/format.ts';
import { b, code, html, lines, quote, type Html } from '../../telegram/html.ts';
import { slash } from '../../telegram/slash.ts';

const called = (name: string): Html => b(isolateAuto(`#${name}`));
const fields = (list: readonly string[]): Html[] =>
  list.map((name) => html` ${code(isolateAuto(`{${name}}`))}`);

export const texts = defineTexts({
  en: {
    about: 'saved texts to use again',
    aboutOne: 'show a template, or save a text as one',
    example: '/template welcome Hello {name}',
    usageName: 'name',
    usageText: 'text',
    askName: html`Which template? Type its name, or a new name of one word, such as ${code('welcome')}`,
    badName: (typed: string): Html =>
      lines(
        typed !== '' && html`«${isolateAuto(typed)}» cannot be the name of a template.`,
        html`A name is one word of at most 32 letters, digits, ${code('_')} and ${code('-')}, such as ${code('welcome')}`,
      ),
    askText: (name: string): Html =>
      lines(
        html`There is no template ${called(name)} yet. What should it say?`,
        html`Fields such as ${code('{name}')} are filled by /bulk, row by row.`,
      ),
    callsAnother: html`A template cannot be just the name of another. Write the text itself.`,
    none: html`This chat has no templates yet. Save one: ${code('/template welcome Hello {name}')}`,
    head: (count: string): Html => html`📄 ${b(`${count} here`)}`,
    templates: { one: 'template', other: 'templates' },
    row: (name: string, text: string): Html => html`${called(name)}: ${isolateAuto(text)}`,
    hint: html`When I ask for the text of a message, its name is enough: ${code('#name')}. To see one in full: ${code('/template name')}`,
    card: (name: string, text: string): Html => lines(html`📄 ${called(name)}`, quote(text)),
    measure: (characters: string, parts: string): Html => html`${characters} · ${parts}`,
    characters: { one: 'character', other: 'characters' },
    parts: { one: 'part', other: 'parts' },
    fields: (list: readonly string[], more: string | null): Html =>
      html`Fields, filled by /bulk row by row:${fields(list)}${more === null ? '' : ` and ${more} more`}`,
    savedBy: (name: string, date: string): Html => html`Saved by ${isolateAuto(name)}, ${date}`,
    answers: (isOn: boolean): string => `${isOn ? '✅' : '▫️'} Offer for answers`,
    answersSet: (name: string, isOn: boolean): Html =>
      isOn
        ? html`✅ Whoever presses ↩️ Reply under a received message is offered ${called(name)} as a button.`
        : html`▫️ ${called(name)} is not offered for answers any more.`,
    use: '✉️ Use',
    useOne: (name: string): string => `✉️ ${isolateAuto(`#${name}`)}`,
    remove: '🗑 Delete',
    removeOne: '🗑',
    saved: (name: string): Html => html`✅ Saved as ${called(name)}`,
    replaced: (name: string): Html => html`♻️ ${called(name)} is replaced`,
    same: (name: string): Html => html`${called(name)} already has this text. Nothing was changed.`,
    taken: (name: string, text: string): Html =>
      lines(html`${called(name)} already exists. It says:`, quote(text), html`Replace it with your text?`),
    replace: '♻️ Replace',
    keep: '✖ Keep it',
    kept: html`Nothing was changed.`,
    full: (limit: string): Html =>
      html`There are ${limit} here, which is the limit. Delete one that nobody needs: /templates. Nothing was saved.`,
    askRemove: (name: string, text: string): Html => lines(html`Delete ${called(name)}?`, quote(text)),
    removed: (name: string): Html => html`🗑 ${called(name)} is deleted.`,
    gone: html`That template is gone or was replaced in the meantime. What is there now: /templates`,
  },
  fa: {
    about: 'متن‌های آماده برای استفادهٔ دوباره',
    aboutOne: 'دیدن یک متن آماده یا ذخیرهٔ متنی جدید',
    example: '/template welcome سلام {نام}',
    usageName: 'نام',
    usageText: 'متن',
    askName: html`کدام متن آماده؟ نامش را بنویسید، یا برای متنی جدید نامی یک‌کلمه‌ای، مانند ${code('خوش‌آمد')}`,
    badName: (typed) =>
      lines(
        typed !== '' && html`«${isolateAuto(typed)}» نام متن آماده نمی‌شود.`,
        html`نام یک کلمه است با حداکثر ۳۲ حرف، رقم، ${code('_')} و ${code('-')}، مانند ${code('خوش‌آمد')}`,
      ),
    askText: (name) =>
      lines(
        html`متن آمادهٔ ${called(name)} هنوز نیست. متنش چه باشد؟`,
        html`فیلدهایی مانند ${code('{نام}')} را ${slash('fa', 'bulk')} ردیف به ردیف پر می‌کند.`,
      ),
    callsAnother: html`متن آماده نمی‌تواند فقط نام متن دیگری باشد. خود متن را بنویسید.`,
    none: html`این گفتگو هنوز متن آماده‌ای ندارد. یکی ذخیره کنید: ${code('/template welcome سلام {نام}')}`,
    head: (count) => html`📄 ${b(count)}`,
    templates: { one: 'متن آماده', other: 'متن آماده' },
    row: (name, text) => html`${called(name)}: ${isolateAuto(text)}`,
    hint: html`هر جا متن پیام خواسته شود، نام متن آماده کافی است: ${code('#نام')}. متن کامل: ${code('/template نام')}`,
    card: (name, text) => lines(html`📄 ${called(name)}`, quote(text)),
    measure: (characters, parts) => html`${characters} · ${parts}`,
    characters: { one: 'کاراکتر', other: 'کاراکتر' },
    parts: { one: 'پارت', other: 'پارت' },
    fields: (list, more) =>
      html`فیلدهایی که ${slash('fa', 'bulk')} ردیف به ردیف پر می‌کند:${fields(list)}${more === null ? '' : ` و ${more} تای دیگر`}`,
    savedBy: (name, date) => html`ذخیره‌شده توسط ${isolateAuto(name)}، ${date}`,
    answers: (isOn) => `${isOn ? '✅' : '▫️'} دکمهٔ پاسخ`,
    answersSet: (name, isOn) =>
      isOn
        ? html`✅ از این به بعد هر کس زیر پیام دریافتی «↩️ پاسخ» را بزند، ${called(name)} را هم به صورت دکمه می‌بیند.`
        : html`▫️ ${called(name)} دیگر بین دکمه‌های پاسخ نیست.`,
    use: '✉️ استفاده',
    useOne: (name) => `✉️ ${isolateAuto(`#${name}`)}`,
    remove: '🗑 حذف',
    removeOne: '🗑',
    saved: (name) => html`✅ با نام ${called(name)} ذخیره شد`,
    replaced: (name) => html`♻️ متن ${called(name)} عوض شد`,
    same: (name) => html`متن ${called(name)} الان هم همین است. چیزی تغییر نکرد.`,
    taken: (name, text) =>
      lines(html`نام ${called(name)} از قبل متنی دارد:`, quote(text), html`متن شما جایش را بگیرد؟`),
    replace: '♻️ جایگزین شود',
    keep: '✖ همان بماند',
    kept: html`چیزی تغییر نکرد.`,
    full: (limit) =>
      html`اینجا ${limit} هست که سقف آن است. یکی را که دیگر لازم نیست حذف کنید: ${slash('fa', 'templates')}. این متن ذخیره نشد.`,
    askRemove: (name, text) => lines(html`${called(name)} حذف شود؟`, quote(text)),
    removed: (name) => html`🗑 ${called(name)} حذف شد.`,
    gone: html`این متن آماده دیگر نیست یا در این میان عوض شده است. آنچه الان هست: ${slash('fa', 'templates')}`,
  },
});
