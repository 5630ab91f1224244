import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto } from '../../i18n/format.ts';
import { clip, code, html, lines, type Html } from '../../telegram/html.ts';
import { slash } from '../../telegram/slash.ts';
import { skipReason } from '../shared/skip-reasons.ts';
import { named, quoted } from './texts.ts';

/** What a change of a phonebook would do, is doing and has done. */
export const changeTexts = defineTexts({
  en: {
    numbers: { one: 'number', other: 'numbers' },
    newBook: (title: string): Html => html`📒 New phonebook ${named(title)}`,
    book: (title: string, count: string): Html => html`📒 ${named(title)} · ${count} now`,
    toCreate: (numbers: string): Html => html`✅ ${numbers} to add`,
    toAdd: (count: string): Html => html`➕ ${count} new`,
    toRemove: (count: string): Html => html`➖ ${count} to remove`,
    already: (count: string): Html => html`☑️ ${count} already there`,
    notThere: (count: string): Html => html`☑️ ${count} not in the book`,
    repeated: (count: string): Html => html`♻️ ${count} repeated, counted once`,
    invalid: (count: string): Html => html`🚫 ${count} invalid`,
    invalidItem: (raw: string, why: string): Html => html`    ${isolateAuto(clip(raw, 60))}: ${why}`,
    more: (count: string): Html => html`    … and ${count} more`,
    why: (reason: string): string => skipReason('en', reason),
    nothingToAdd: html`There is nothing to add.`,
    nothingToRemove: html`There is nothing to remove.`,
    onlyAsker: html`Only whoever asked can press the buttons.`,
    create: (count: string): string => `✅ Create with ${count}`,
    add: (count: string): string => `✅ Add ${count}`,
    remove: (count: string): string => `✅ Remove ${count}`,
    skipped: '⬇ Skipped',
    columns: { raw: 'as given', reason: 'why it was left out' },
    cancel: '✖ Cancel',
    cancelled: (title: string): Html => html`✖ ${named(title)} · cancelled, nothing was changed`,
    notOpen: html`That is no longer open; the message says how it ended.`,
    taken: (title: string): Html =>
      html`There is a phonebook named ${quoted(title)} already, so nothing was created. Choose another name: /book_new, or put the numbers into it: /book_add`,
    working: {
      create: (title: string): Html => html`⏳ Creating ${named(title)}…`,
      add: (title: string): Html => html`⏳ Adding to ${named(title)}…`,
      remove: (title: string): Html => html`⏳ Removing numbers from ${named(title)}…`,
      delete: (title: string): Html => html`⏳ Deleting ${named(title)}…`,
    },
    soFarIn: (done: string, all: string): Html => html`${done} of ${all} are in the book so far.`,
    soFarOut: (done: string, all: string): Html => html`${done} of ${all} are removed so far.`,
    done: {
      create: (title: string, total: string, _count: string, by: string): Html =>
        html`📒 ${named(title)} · created by ${isolateAuto(by)} · ${total}`,
      add: (title: string, total: string, count: string, by: string): Html =>
        html`📒 ${named(title)} · ${total} (+${count}, by ${isolateAuto(by)})`,
      remove: (title: string, total: string, count: string, by: string): Html =>
        html`📒 ${named(title)} · ${total} (−${count}, by ${isolateAuto(by)})`,
    },
    doneUnread: {
      create: (title: string, count: string, by: string): Html =>
        html`📒 ${named(title)} · created by ${isolateAuto(by)} with ${count}: the gateway has accepted them all. I could not read the book afterwards.`,
      add: (title: string, count: string, by: string): Html =>
        html`📒 ${named(title)} · +${count}, by ${isolateAuto(by)}: the gateway has accepted them all. I could not read the book afterwards.`,
      remove: (title: string, count: string, by: string): Html =>
        html`📒 ${named(title)} · −${count}, by ${isolateAuto(by)}: the gateway has accepted them all. I could not read the book afterwards.`,
    },
    stopped: {
      create: (title: string): Html => html`⏹ ${named(title)} · stopped before all numbers were in`,
      add: (title: string): Html => html`⏹ ${named(title)} · adding stopped`,
      remove: (title: string): Html => html`⏹ ${named(title)} · removing stopped`,
    },
    areIn: (count: string): Html => html`✅ ${count} are in the book`,
    areOut: (count: string): Html => html`✅ ${count} are not in the book any more`,
    notIn: (count: string): Html => html`⛔ ${count} are not in it`,
    stillIn: (count: string): Html => html`⛔ ${count} are still in it`,
    notKnownIn: (count: string): Html => html`❔ ${count} not known: they may be in it`,
    notKnownOut: (count: string): Html => html`❔ ${count} not known: they may be out of it`,
    remedyIn: html`Press 🔁: I read the book again and add only what is missing.`,
    remedyOut: html`Press 🔁: I read the book again and remove only what is still there.`,
    goOn: '🔁 Continue',
    tryAgain: '🔁 Try again',
    notMade: (title: string): Html => html`⛔ ${named(title)} was not created.`,
    maybeMade: (title: string): Html => html`❔ It is not known whether ${named(title)} was created.`,
    madeUnseen: (title: string, count: string): Html =>
      html`⏹ The gateway says that it has created ${named(title)} with ${count}. I could not see it yet, so I stopped there.`,
    remedyBook: html`Press 🔁: I check whether it is there. Only if it is not, I ask for it again under the same label, so that it is never created twice.`,
    deleted: (title: string, count: string, by: string): Html =>
      html`🗑 ${named(title)} is deleted with its ${count}, by ${isolateAuto(by)}. The file above holds them.`,
    seenDeleted: (title: string, count: string): Html =>
      html`🗑 ${named(title)} is deleted: there was no clear answer, so I looked, and the book is not there any more. The file above holds its ${count}.`,
    wasGone: (title: string): Html =>
      html`${named(title)} was not there any more: somebody else may have deleted it. There was nothing to delete.`,
    notDeleted: (title: string): Html => html`⛔ ${named(title)} was not deleted.`,
    maybeStillThere: (title: string, count: string): Html =>
      html`❔ There was no clear answer about deleting ${named(title)}. I looked: the book is still there, with ${count}. It may still be deleted.`,
    maybeDeleted: (title: string): Html =>
      html`❔ It is not known whether ${named(title)} was deleted, and I could not look. The file above holds its numbers.`,
    remedyDelete: html`Press 🔁: I look first, and delete only what is there.`,
    withCorrelation: {
      no_answer: html`The gateway did not answer.`,
      unreadable: html`The gateway answered something I cannot read.`,
      not_connected: html`No gateway account is linked here any more. Link one with /connect`,
      unsupported: html`The account linked here cannot change phonebooks any more. Add another key with /connect`,
      not_listed: html`The gateway accepted the requests, but does not list all of the numbers.`,
      made_before: html`The gateway says that this was created before, but I find no such book.`,
      book_gone: html`The book is not there any more.`,
      grown: html`It holds numbers that are not in the file above: somebody has added them since. To delete those too: /book_delete`,
      interrupted: html`I was interrupted.`,
    },
    refused: (why: string): Html => html`The gateway refused: ${why}`,
    beforeDeleting: (title: string, count: string): Html =>
      html`📒 ${named(title)} · ${count} · all of its numbers, before it is deleted.`,
    askTitle: (title: string): Html =>
      lines(
        html`🗑 This deletes the book and its numbers at the gateway, for good. The file above holds them.`,
        html`To continue, type its name: ${code(isolateAuto(title))}`,
      ),
    wrongTitle: (typed: string): Html =>
      typed === ''
        ? html`Nothing was deleted.`
        : html`${quoted(typed)} is not its name. Nothing was deleted.`,
  },
  fa: {
    numbers: { one: 'شماره', other: 'شماره' },
    newBook: (title) => html`📒 دفترچهٔ جدید: ${named(title)}`,
    book: (title, count) => html`📒 ${named(title)} · الان ${count}`,
    toCreate: (numbers) => html`✅ ${numbers} اضافه می‌شود`,
    toAdd: (count) => html`➕ ${count} جدید`,
    toRemove: (count) => html`➖ ${count} برداشته می‌شود`,
    already: (count) => html`☑️ ${count} از قبل در دفترچه است`,
    notThere: (count) => html`☑️ ${count} در دفترچه نیست`,
    repeated: (count) => html`♻️ ${count} تکراری، یک بار حساب می‌شود`,
    invalid: (count) => html`🚫 ${count} نامعتبر`,
    invalidItem: (raw, why) => html`    ${isolateAuto(clip(raw, 60))}: ${why}`,
    more: (count) => html`    … و ${count} تای دیگر`,
    why: (reason) => skipReason('fa', reason),
    nothingToAdd: html`چیزی برای افزودن نیست.`,
    nothingToRemove: html`چیزی برای برداشتن نیست.`,
    onlyAsker: html`فقط درخواست‌کننده می‌تواند دکمه‌ها را بزند.`,
    create: (count) => `✅ ساخت با ${count}`,
    add: (count) => `✅ افزودن ${count}`,
    remove: (count) => `✅ برداشتن ${count}`,
    skipped: '⬇ کنارگذاشته‌ها',
    columns: { raw: 'آنچه نوشته شده', reason: 'دلیل کنار رفتن' },
    cancel: '✖ انصراف',
    cancelled: (title) => html`✖ ${named(title)} · لغو شد و چیزی تغییر نکرد`,
    notOpen: html`این دیگر باز نیست؛ نتیجه‌اش در همان پیام آمده است.`,
    taken: (title) =>
      html`دفترچه‌ای به نام ${quoted(title)} از قبل هست و چیزی ساخته نشد. نام دیگری انتخاب کنید: ${slash('fa', 'book_new')}، یا شماره‌ها را به همان اضافه کنید: ${slash('fa', 'book_add')}`,
    working: {
      create: (title) => html`⏳ در حال ساختن ${named(title)}…`,
      add: (title) => html`⏳ در حال افزودن به ${named(title)}…`,
      remove: (title) => html`⏳ در حال برداشتن از ${named(title)}…`,
      delete: (title) => html`⏳ در حال حذف ${named(title)}…`,
    },
    soFarIn: (done, all) => html`تا اینجا ${done} از ${all} در دفترچه است.`,
    soFarOut: (done, all) => html`تا اینجا ${done} از ${all} از دفترچه برداشته شده است.`,
    done: {
      create: (title, total, _count, by) => html`📒 ${named(title)} · ساختهٔ ${isolateAuto(by)} · ${total}`,
      add: (title, total, count, by) =>
        html`📒 ${named(title)} · ${total} · ${isolateAuto(by)} ${count} شماره اضافه کرد`,
      remove: (title, total, count, by) =>
        html`📒 ${named(title)} · ${total} · ${isolateAuto(by)} ${count} شماره برداشت`,
    },
    doneUnread: {
      create: (title, count, by) =>
        html`📒 ${named(title)} · ساختهٔ ${isolateAuto(by)} با ${count}: پنل پیامک همه را پذیرفت. بعد از آن نتوانستم دفترچه را بخوانم.`,
      add: (title, count, by) =>
        html`📒 ${named(title)} · ${isolateAuto(by)} ${count} اضافه کرد: پنل پیامک همه را پذیرفت. بعد از آن نتوانستم دفترچه را بخوانم.`,
      remove: (title, count, by) =>
        html`📒 ${named(title)} · ${isolateAuto(by)} ${count} برداشت: پنل پیامک همه را پذیرفت. بعد از آن نتوانستم دفترچه را بخوانم.`,
    },
    stopped: {
      create: (title) => html`⏹ ${named(title)} · قبل از افزودن همهٔ شماره‌ها متوقف شد`,
      add: (title) => html`⏹ ${named(title)} · افزودن متوقف شد`,
      remove: (title) => html`⏹ ${named(title)} · برداشتن متوقف شد`,
    },
    areIn: (count) => html`✅ ${count} در دفترچه است`,
    areOut: (count) => html`✅ ${count} دیگر در دفترچه نیست`,
    notIn: (count) => html`⛔ ${count} در آن نیست`,
    stillIn: (count) => html`⛔ ${count} هنوز در آن است`,
    notKnownIn: (count) => html`❔ ${count} نامعلوم: شاید در آن باشد`,
    notKnownOut: (count) => html`❔ ${count} نامعلوم: شاید دیگر در آن نباشد`,
    remedyIn: html`دکمهٔ 🔁 را بزنید: دفترچه را دوباره می‌خوانم و فقط شماره‌هایی را که نیست اضافه می‌کنم.`,
    remedyOut: html`دکمهٔ 🔁 را بزنید: دفترچه را دوباره می‌خوانم و فقط شماره‌هایی را که هنوز هست برمی‌دارم.`,
    goOn: '🔁 ادامه',
    tryAgain: '🔁 تلاش دوباره',
    notMade: (title) => html`⛔ ${named(title)} ساخته نشد.`,
    maybeMade: (title) => html`❔ معلوم نیست ${named(title)} ساخته شد یا نه.`,
    madeUnseen: (title, count) =>
      html`⏹ پنل پیامک می‌گوید ${named(title)} را با ${count} ساخته است. هنوز آن را نمی‌بینم و همان‌جا ماندم.`,
    remedyBook: html`دکمهٔ 🔁 را بزنید: نگاه می‌کنم هست یا نه. فقط اگر نبود، با همان برچسب دوباره درخواست می‌کنم تا دو بار ساخته نشود.`,
    deleted: (title, count, by) =>
      html`🗑 ${named(title)} با ${count} حذف شد، توسط ${isolateAuto(by)}. شماره‌ها در فایل بالا است.`,
    seenDeleted: (title, count) =>
      html`🗑 ${named(title)} حذف شده است: پاسخ روشنی نیامد، نگاه کردم و دفترچه دیگر نیست. ${count} آن در فایل بالا است.`,
    wasGone: (title) =>
      html`${named(title)} دیگر نبود: شاید کس دیگری حذفش کرده باشد. چیزی برای حذف نمانده بود.`,
    notDeleted: (title) => html`⛔ ${named(title)} حذف نشد.`,
    maybeStillThere: (title, count) =>
      html`❔ برای حذف ${named(title)} پاسخ روشنی نیامد. نگاه کردم: دفترچه هنوز هست، با ${count}. شاید بعداً حذف شود.`,
    maybeDeleted: (title) =>
      html`❔ معلوم نیست ${named(title)} حذف شد یا نه، و نتوانستم نگاه کنم. شماره‌هایش در فایل بالا است.`,
    remedyDelete: html`دکمهٔ 🔁 را بزنید: اول نگاه می‌کنم و فقط اگر باشد حذفش می‌کنم.`,
    withCorrelation: {
      no_answer: html`پنل پیامک پاسخ نداد.`,
      unreadable: html`پاسخ پنل پیامک خوانا نبود.`,
      not_connected: html`دیگر حسابی از پنل پیامک به اینجا وصل نیست. با ${slash('fa', 'connect')} وصل کنید.`,
      unsupported: html`حسابی که اینجا وصل است دیگر نمی‌تواند دفترچه‌ها را تغییر دهد. با ${slash('fa', 'connect')} کلید دیگری اضافه کنید.`,
      not_listed: html`پنل پیامک درخواست‌ها را پذیرفت ولی همهٔ شماره‌ها را نشان نمی‌دهد.`,
      made_before: html`پنل پیامک می‌گوید قبلاً ساخته شده، ولی چنین دفترچه‌ای پیدا نمی‌کنم.`,
      book_gone: html`دفترچه دیگر نیست.`,
      grown: html`شماره‌هایی در آن است که در فایل بالا نیست: بعد از آن کسی اضافه کرده است. برای حذف با همان‌ها: ${slash('fa', 'book_delete')}`,
      interrupted: html`کارم نیمه‌کاره ماند.`,
    },
    refused: (why) => html`پنل پیامک نپذیرفت: ${why}`,
    beforeDeleting: (title, count) => html`📒 ${named(title)} · ${count} · همهٔ شماره‌ها، قبل از حذف.`,
    askTitle: (title) =>
      lines(
        html`🗑 دفترچه و شماره‌هایش برای همیشه از پنل پیامک پاک می‌شود. شماره‌ها در فایل بالا است.`,
        html`برای ادامه نامش را بنویسید: ${code(isolateAuto(title))}`,
      ),
    wrongTitle: (typed) =>
      typed === '' ? html`چیزی حذف نشد.` : html`نامش ${quoted(typed)} نیست. چیزی حذف نشد.`,
  },
});
