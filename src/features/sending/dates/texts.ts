import { defineTexts } from '../../../i18n/define.ts';
import { isolateAuto, isolateLtr, stripBidi } from '../../../i18n/format.ts';
import { b, code, html, lines, quote, type Html } from '../../../telegram/html.ts';
import { slash } from '../../../telegram/slash.ts';

const tagged = (tag: string): string => isolateAuto(`#${stripBidi(tag)}`);

export const texts = defineTexts({
  en: {
    about: 'send by people’s dates: birthdays, ends of contracts',
    example: '/dates #customers birthday 10:00 Dear {name}, happy birthday!',
    usageOrder: '#tag field days time text',
    head: (count: string): Html => html`🎂 ${b(count)}`,
    orders: { one: 'send by date', other: 'sends by date' },
    none: lines(
      html`🎂 No sends by date yet. They write to people on a date of their own: a birthday, three days before the end of a contract.`,
      html`Start one with the button, or in one line: ${code('/dates #customers birthday 10:00 Dear {name}, happy birthday!')}`,
    ),
    noPeople: html`🎂 This needs people with a tag and a date, and none have a tag yet. Send a file with numbers and dates to ${slash('en', 'people')} first.`,
    add: '➕ New',
    row: (place: string, isOn: boolean, field: string, tag: string): Html =>
      html`${place}. ${isOn ? '🟢' : '⏸'} ${b(html`${isolateAuto(field)} · ${tagged(tag)}`)}${isOn ? '' : ' · paused'}`,
    title: (field: string, tag: string): Html =>
      html`🎂 Send by date: ${b(html`${isolateAuto(field)} · ${tagged(tag)}`)}`,
    when: (days: string, time: string, isYearly: boolean): Html =>
      html`🕐 ${days} at ${time}, ${isYearly ? 'every year' : 'once'}`,
    onTheDay: 'On the day',
    before: (days: string): string => `${days} before`,
    after: (days: string): string => `${days} after`,
    days: { one: 'day', other: 'days' },
    from: (line: string): Html => html`📤 From line ${code(isolateLtr(line))}`,
    by: (name: string): Html => html`👤 Sent in ${isolateAuto(name)}’s name`,
    next: (at: string, people: string, days: string, soon: string): Html =>
      html`📅 Next: ${at}, ${people}. In the next ${days}: ${soon}`,
    nobodySoon: (days: string): Html => html`📅 Nobody in the next ${days}`,
    nobody: (tag: string): Html => html`⚠️ Nobody has the tag ${tagged(tag)} any more, so nothing is sent.`,
    good: (good: string): Html => html`✅ ${good} with a date`,
    empty: (count: string): Html => html`▫️ ${count} without one`,
    bad: (count: string, typed: string): Html =>
      html`⚠️ ${count} with something that is no date I can read, such as «${isolateAuto(typed)}»`,
    unfit: (count: string): Html =>
      html`🚫 ${count} would be left out: a field of the text is empty, or their text cannot be sent`,
    restored: html`⚠️ The bot’s data was restored from a backup, and this may have been changed or ended since: each of its sends asks here first. Pause it and resume it, and it sends by itself again.`,
    ofOther: html`⚠️ It was switched on for another account than the one that is linked here now: each of its sends asks here first. Pause it and resume it, and it sends by itself again.`,
    noDates: html`⚠️ Nobody has a date here that I can read: ${code('1370/5/12')}, ${code('5/12')}, ${code('1991-08-03')} or ${code('12 Mordad')}. A date that counts once needs its year.`,
    sample: (number: string, text: string): Html => lines(html`To ${number}:`, quote(text)),
    cost: (parts: string, price: string | null): Html =>
      html`📨 ${parts} each${price === null ? '' : html`, about ${price}`}`,
    parts: { one: 'part', other: 'parts' },
    promise: html`Once it is on, it sends by itself in your name, within the limits of the chat. Anything that cannot be sent asks here first.`,
    closed: (from: string, to: string): Html =>
      html`⚠️ This chat sends only from ${from} to ${to}: at its time this could not be sent, and would ask here each time. Take another time.`,
    switchOn: '✅ Switch on',
    cancel: '✖ Cancel',
    useText: '✅ Use this text',
    isOn: html`🟢 ${b('It is on.')} ${slash('en', 'dates')} shows it, pauses it, changes its text and ends it.`,
    isCancelled: html`✖ Cancelled. Nothing is sent.`,
    textNow: (text: string): Html => html`💬 It says now: ${code(isolateAuto(text))}`,
    isChanged: html`✏️ ${b('Changed.')} It says this from now on.`,
    staysAsItWas: html`✖ Cancelled. It stays as it was.`,
    gone: html`That one has changed or ended in the meantime. What there is now: ${slash('en', 'dates')}`,
    full: (most: string): Html =>
      html`There are ${most} sends by date, which is the limit. End one that nobody needs: ${slash('en', 'dates')}`,
    pause: (place: string): string => `⏸ ${place}`,
    retext: (place: string): string => `✏️ ${place}`,
    resume: (place: string): string => `▶️ ${place}`,
    end: (place: string): string => `🗑 ${place}`,
    paused: (field: string, tag: string): Html =>
      html`⏸ Paused: ${isolateAuto(field)} · ${tagged(tag)}. Nothing is sent for the days until it is resumed.`,
    resumed: (field: string, tag: string): Html =>
      html`▶️ On again, in your name: ${isolateAuto(field)} · ${tagged(tag)}`,
    ended: (field: string, tag: string): Html => html`🗑 Ended: ${isolateAuto(field)} · ${tagged(tag)}`,
    usageField: 'field',
    usageDays: 'days before',
    usageTime: 'time',
    usageRepeat: 'yearly|once',
    askTag: html`🎂 To whom? The people with which tag?`,
    askField: (tag: string): Html => html`📅 Which field of ${tagged(tag)} is the date?`,
    badField: html`Write the name of the field, such as ${code('birthday')}`,
    noField: (typed: string, nearest: string | null): Html =>
      html`Nobody there has a field «${isolateAuto(typed)}».${nearest === null ? '' : html` Did you mean ${code(isolateAuto(nearest))}?`}`,
    askDays: html`📅 On the day, or some days before it? You can also write ${code('2 days before')} or ${code('1 day after')}`,
    badDays: (typed: string, most: string): Html =>
      html`I could not read «${isolateAuto(typed)}». Write ${code('on the day')}, ${code('3 days before')} or ${code('1 day after')}, at most ${most} days.`,
    daysLabel: (days: number, count: string): string =>
      days === 0 ? 'On the day' : `${count} ${days === 1 ? 'day' : 'days'} before`,
    askTime: (zone: string): Html => html`🕐 At what time? (${isolateLtr(zone)})`,
    badTime: (typed: string): Html =>
      html`«${isolateAuto(typed)}» is no time of the day. Write ${code('10:00')}`,
    askRepeat: (field: string): Html =>
      html`🔁 Every year, as for a birthday, or once, on the very date of «${isolateAuto(field)}», as for the end of a contract?`,
    badRepeat: html`Write ${code('yearly')} or ${code('once')}`,
    yearlyLabel: '🔁 Every year',
    onceLabel: '📍 Once',
    askText: html`What should the message say? Press the fields to put in, or type them in braces, such as ${code('{name}')}: each person gets their own.`,
    byDate: (field: string, tag: string): Html =>
      html`🎂 Sent by date: ${isolateAuto(field)} of ${tagged(tag)}`,
    nobodyFits: (field: string, tag: string, people: string, why: string): Html =>
      lines(
        html`🎂 Sent by date: ${isolateAuto(field)} of ${tagged(tag)}`,
        html`Nothing was sent today. It was the day of ${people}, and nothing can be sent to them: ${why}.`,
        html`Fill that in with ${slash('en', 'people')}, or change the text (✏️): ${slash('en', 'dates')}`,
      ),
  },
  fa: {
    about: 'ارسال در تاریخ هر مخاطب: تولد، پایان قرارداد',
    example: '/dates #مشتریان تولد 10:00 {نام} عزیز، تولدتان مبارک!',
    usageOrder: '#برچسب فیلد روز ساعت متن',
    head: (count) => html`🎂 ${b(count)}`,
    orders: { one: 'ارسال مناسبتی', other: 'ارسال مناسبتی' },
    none: lines(
      html`🎂 هنوز ارسال مناسبتی ندارید. با آن هر مخاطب در تاریخ خودش پیامک می‌گیرد: روز تولد، سه روز قبل از پایان قرارداد.`,
      html`با دکمه شروع کنید یا در یک خط بنویسید: ${code('/dates #مشتریان تولد 10:00 {نام} عزیز، تولدتان مبارک!')}`,
    ),
    noPeople: html`🎂 برای این کار مخاطبانی با برچسب و تاریخ لازم است و هنوز هیچ مخاطبی برچسب ندارد. اول فایلی با شماره و تاریخ به ${slash('fa', 'people')} بدهید.`,
    add: '➕ جدید',
    row: (place, isOn, field, tag) =>
      html`${place}. ${isOn ? '🟢 روشن' : '⏸ در مکث'} · ${b(html`${isolateAuto(field)} · ${tagged(tag)}`)}`,
    title: (field, tag) => html`🎂 ارسال مناسبتی: ${b(html`${isolateAuto(field)} · ${tagged(tag)}`)}`,
    when: (days, time, isYearly) => html`🕐 ${days} ساعت ${time}، ${isYearly ? 'هر سال' : 'فقط یک بار'}`,
    onTheDay: 'همان روز',
    before: (days) => `${days} قبل`,
    after: (days) => `${days} بعد`,
    days: { one: 'روز', other: 'روز' },
    from: (line) => html`📤 از خط ${code(isolateLtr(line))}`,
    by: (name) => html`👤 به نام ${isolateAuto(name)}`,
    next: (at, people, days, soon) => html`📅 بعدی: ${at}، ${people}. در ${days} آینده: ${soon}`,
    nobodySoon: (days) => html`📅 در ${days} آینده هیچ‌کس`,
    nobody: (tag) => html`⚠️ دیگر هیچ مخاطبی برچسب ${tagged(tag)} ندارد و چیزی ارسال نمی‌شود.`,
    good: (good) => html`✅ ${good} تاریخ دارند`,
    empty: (count) => html`▫️ ${count} تاریخ ندارند`,
    bad: (count, typed) =>
      html`⚠️ برای ${count} چیزی نوشته شده که نتوانستم به عنوان تاریخ بخوانم، مثلاً «${isolateAuto(typed)}»`,
    unfit: (count) =>
      html`🚫 برای ${count} ارسال نمی‌شود: یکی از فیلدهای متن خالی است یا متنشان قابل ارسال نیست`,
    restored: html`⚠️ داده‌های ربات از نسخهٔ پشتیبان برگشته است و شاید این ارسال بعد از آن تغییر کرده یا تمام شده باشد: هر بار اول همین‌جا پرسیده می‌شود. اگر آن را متوقف و دوباره روشن کنید، باز خودش ارسال می‌کند.`,
    ofOther: html`⚠️ این ارسال برای حساب دیگری روشن شده بود که الان اینجا وصل نیست: هر بار اول همین‌جا پرسیده می‌شود. اگر آن را متوقف و دوباره روشن کنید، باز خودش ارسال می‌کند.`,
    noDates: html`⚠️ اینجا تاریخی پیدا نکردم که بتوانم بخوانم: ${code('1370/5/12')}، ${code('5/12')}، ${code('1991-08-03')} یا ${code('۱۲ مرداد')}. تاریخی که فقط یک بار است سال هم می‌خواهد.`,
    sample: (number, text) => lines(html`به ${number}:`, quote(text)),
    cost: (parts, price) => html`📨 برای هر نفر ${parts}${price === null ? '' : html`، حدود ${price}`}`,
    parts: { one: 'پارت', other: 'پارت' },
    promise: html`وقتی روشن شود خودش به نام شما و در محدودیت‌های گفتگو ارسال می‌کند. هر چه نتواند ارسال شود، اول همین‌جا پرسیده می‌شود.`,
    closed: (from, to) =>
      html`⚠️ اینجا فقط از ${from} تا ${to} ارسال می‌شود: این در ساعت خودش ارسال نمی‌شود و هر بار می‌پرسد. ساعت دیگری انتخاب کنید.`,
    switchOn: '✅ روشن شود',
    cancel: '✖ انصراف',
    useText: '✅ همین متن شود',
    isOn: html`🟢 ${b('روشن شد.')} با ${slash('fa', 'dates')} آن را می‌بینید، مکث می‌کنید، متنش را عوض می‌کنید یا پایان می‌دهید.`,
    isCancelled: html`✖ لغو شد. چیزی ارسال نمی‌شود.`,
    textNow: (text) => html`💬 متن فعلی: ${code(isolateAuto(text))}`,
    isChanged: html`✏️ ${b('عوض شد.')} از این به بعد همین متن ارسال می‌شود.`,
    staysAsItWas: html`✖ لغو شد. متن قبلی می‌ماند.`,
    gone: html`این ارسال مناسبتی در این میان عوض شده یا پایان یافته است. آنچه الان هست: ${slash('fa', 'dates')}`,
    full: (most) =>
      html`${most} ارسال مناسبتی هست که سقف آن است. یکی را که دیگر لازم نیست پایان دهید: ${slash('fa', 'dates')}`,
    pause: (place) => `⏸ ${place}`,
    retext: (place) => `✏️ ${place}`,
    resume: (place) => `▶️ ${place}`,
    end: (place) => `🗑 ${place}`,
    paused: (field, tag) =>
      html`⏸ در مکث: ${isolateAuto(field)} · ${tagged(tag)}. برای روزهای مکث چیزی ارسال نمی‌شود.`,
    resumed: (field, tag) => html`▶️ دوباره روشن شد، به نام شما: ${isolateAuto(field)} · ${tagged(tag)}`,
    ended: (field, tag) => html`🗑 پایان یافت: ${isolateAuto(field)} · ${tagged(tag)}`,
    usageField: 'فیلد',
    usageDays: 'چند روز قبل',
    usageTime: 'ساعت',
    usageRepeat: 'هر سال|یک بار',
    askTag: html`🎂 به چه کسانی؟ مخاطبان کدام برچسب؟`,
    askField: (tag) => html`📅 تاریخ در کدام فیلد ${tagged(tag)} است؟`,
    badField: html`نام فیلد را بنویسید، مثلاً ${code('تولد')}`,
    noField: (typed, nearest) =>
      html`هیچ‌کدام از آن‌ها فیلد «${isolateAuto(typed)}» ندارد.${nearest === null ? '' : html` منظورتان ${code(isolateAuto(nearest))} است؟`}`,
    askDays: html`📅 همان روز یا چند روز قبل؟ می‌توانید بنویسید ${code('۲ روز قبل')} یا ${code('۱ روز بعد')}`,
    badDays: (typed, most) =>
      html`نتوانستم «${isolateAuto(typed)}» را بخوانم. بنویسید ${code('همان روز')}، ${code('۳ روز قبل')} یا ${code('۱ روز بعد')}، حداکثر ${most} روز.`,
    daysLabel: (days, count) => (days === 0 ? 'همان روز' : `${count} روز قبل`),
    askTime: (zone) => html`🕐 چه ساعتی؟ (${isolateLtr(zone)})`,
    badTime: (typed) => html`«${isolateAuto(typed)}» ساعت نیست. بنویسید ${code('10:00')}`,
    askRepeat: (field) =>
      html`🔁 هر سال، مثل تولد، یا فقط یک بار در همان تاریخ «${isolateAuto(field)}»، مثل پایان قرارداد؟`,
    badRepeat: html`بنویسید ${code('هر سال')} یا ${code('یک بار')}`,
    yearlyLabel: '🔁 هر سال',
    onceLabel: '📍 فقط یک بار',
    askText: html`متن پیام چه باشد؟ فیلدها را با دکمه اضافه کنید یا در آکولاد بنویسید، مثلاً ${code('{نام}')}: برای هر مخاطب پر می‌شود.`,
    byDate: (field, tag) => html`🎂 ارسال مناسبتی: ${isolateAuto(field)} · ${tagged(tag)}`,
    nobodyFits: (field, tag, people, why) =>
      lines(
        html`🎂 ارسال مناسبتی: ${isolateAuto(field)} · ${tagged(tag)}`,
        html`امروز چیزی ارسال نشد. روز ${people} بود و به هیچ‌کدام نمی‌شود ارسال کرد: ${why}.`,
        html`با ${slash('fa', 'people')} تکمیلش کنید یا متن را عوض کنید (✏️): ${slash('fa', 'dates')}`,
      ),
  },
});
