import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, code, html, type Html } from '../../telegram/html.ts';

const capName = (limit: string): string => (limit === 'cap' ? 'سقف' : 'سقف‌نفر');

export const texts = defineTexts({
  en: {
    about: 'approval threshold, daily caps, sending window, stop all sends',
    example: '/limits approval 500',
    usageLimit: 'approval|cap|personcap|window|stop|go',
    usageValue: 'value|off',
    names: {
      approval: 'Approval',
      cap: 'Daily cap',
      personcap: 'Daily cap per person',
      window: 'Sending window',
    },
    askLimit: (value: string): Html =>
      value === '' ? html`Which limit?` : html`Which limit should be «${isolateAuto(value)}»?`,
    badLimit: (typed: string): Html =>
      html`«${isolateAuto(typed)}» is not a limit. The limits are ${code('approval')}, ${code('cap')}, ${code('personcap')} and ${code('window')}; ${code('stop')} switches all sends off and ${code('go')} on again; ${code('/limits')} by itself shows everything.`,
    askApproval: html`Above how many parts must a second person approve? ${code('500')} is usual, ${code('0')} means every send, ${code('off')} none.`,
    badApproval: (typed: string): Html =>
      html`«${isolateAuto(typed)}» is not a number of parts. Type a whole number from 0 to 1,000,000, or ${code('off')}.`,
    askCap: html`How much may be sent in one day? In rial, such as ${code('10000000')}, or in parts, such as ${code('5000 parts')}; ${code('off')} for no cap.`,
    askPersonCap: html`How much may one person send in a day? In rial, such as ${code('1000000')}, or in parts, such as ${code('500 parts')}; ${code('off')} for no cap.`,
    badCap: (typed: string): Html =>
      html`«${isolateAuto(typed)}» is not an amount. Type rial, such as ${code('10000000')} (at most 1,000,000,000,000), or parts, such as ${code('5000 parts')} (at most 100,000,000), or ${code('off')}.`,
    askWindow: (zone: string): Html =>
      html`Between which hours may messages be sent (${isolateLtr(zone)})? For example ${code('9-21')}, ${code('9:30-21:00')} or, over midnight, ${code('21-9')}; ${code('off')} for any time.`,
    badWindow: (typed: string): Html =>
      html`«${isolateAuto(typed)}» is not two times of day. Type for example ${code('9-21')}, ${code('9:30-21:00')} or, over midnight, ${code('21-9')}; ${code('off')} for any time.`,
    head: b('Limits of this chat'),
    approval: (parts: string | null): Html =>
      parts === null ? html`off, nobody else has to approve` : html`a second person for more than ${parts}`,
    approvalAlways: html`a second person for every send`,
    parts: { one: 'part', other: 'parts' },
    cap: (amount: string | null): Html => (amount === null ? html`off` : html`${amount} a day`),
    capToday: (used: string): Html => html` · today so far ${used}`,
    personCapToday: (name: string, used: string): Html => html` · ${isolateAuto(name)} today so far ${used}`,
    capRate: (parts: string): Html => html` · where the price is not known, this counts as ${parts}`,
    window: (from: string, to: string): Html => html`${isolateLtr(`${from}–${to}`)}`,
    windowOff: html`off, at any time`,
    windowZone: (zone: string, open: boolean): Html =>
      html` · ${isolateLtr(zone)} · now ${open ? 'open' : 'closed'}`,
    row: (icon: string, name: string, value: Html): Html => html`${icon} ${name}: ${value}`,
    edit: (name: string): string => `✏️ ${name}`,
    turnOff: (name: string): string => `${name} off`,
    off: 'Off',
    halted: (by: string | null, when: string): Html =>
      by === null
        ? html`⏹ ${b('All sends are switched off')} since ${when}, when I could no longer write here. Nothing is sent from this chat.`
        : html`⏹ ${b('All sends are switched off')}: ${isolateAuto(by)} did it on ${when}. Nothing is sent from this chat.`,
    held: (when: string): Html =>
      html`⏹ ${b('The sends of all chats are stopped')} since ${when}. Nothing is sent and nothing can be confirmed until the bot’s administrator lets sends continue; nobody in this chat can change that.`,
    stop: '⏹ Stop all sends',
    go: '▶ Resume all sends',
    stopped: (by: string, paused: string | null): Html =>
      html`⏹ ${isolateAuto(by)} switched all sends of this chat off. ${paused === null ? 'None was under way.' : `${paused} paused; what is already on its way to the gateway finishes.`} Nothing can be confirmed and nothing scheduled is sent until somebody sends ${code('/limits go')}.`,
    stoppedBefore: (by: string | null, when: string): Html =>
      by === null
        ? html`All sends are off already: since ${when}, when I could no longer write here.`
        : html`All sends are off already: ${isolateAuto(by)} switched them off on ${when}.`,
    gone: (by: string, resumed: string | null, kept: string | null): Html =>
      html`▶ ${isolateAuto(by)} switched sends on again. ${resumed === null ? 'No send was resumed.' : `${resumed} resumed.`}${kept === null ? '' : ` ${kept} stayed paused because of a limit: ▶ Resume on the card says which.`}`,
    goneHeld: (by: string): Html =>
      html`▶ ${isolateAuto(by)} switched this chat’s sends on again. Nothing is sent yet, for the reason below.`,
    notStopped: html`Sends are not switched off. Nothing was changed.`,
    notStoppedHere: html`Nobody in this chat has switched sends off. Nothing was changed.`,
    sends: { one: 'send', other: 'sends' },
    changed: (name: string, value: Html, before: Html, by: string): Html =>
      html`✅ ${name}: ${b(value)}. Before: ${before}. Set by ${isolateAuto(by)}.`,
    unchanged: (name: string, value: Html): Html =>
      html`${name} is already set: ${value}. Nothing was changed.`,
    pricePaid: (price: string): Html =>
      html`A send whose price is not known counts at ${price} a part, which the account has paid so far.`,
    priceTariff: (price: string): Html =>
      html`A send whose price is not known counts at ${price} a part, the account’s tariff.`,
    noPrice: (limit: string): Html =>
      html`The price of a part is not known: no linked account has paid for a send yet or has its tariff in numbers. Set the cap in parts, such as ${code(`/limits ${limit} 5000 parts`)}. Nothing was changed.`,
    capTooSmall: (price: string, limit: string): Html =>
      html`That is less than one part: a part costs ${price}. Set a higher cap, or turn it off with ${code(`/limits ${limit} off`)}. Nothing was changed.`,
    notAllowed: html`Your role here does not allow this any more. Nothing was changed.`,
    aboutZone: 'the time zone of this chat: hours, series, reports',
    usageZone: 'city',
    zones: { tehran: 'Tehran', dubai: 'Dubai', istanbul: 'Istanbul', kabul: 'Kabul', london: 'London' },
    askZone: (zone: string): Html =>
      html`The clock of this chat is ${isolateLtr(zone)}. Which city’s time should it be? For example ${code('Dubai')} or ${code('Europe/Berlin')}.`,
    badZone: (typed: string): Html =>
      html`I know no time zone «${isolateAuto(typed)}». Type a large city there in English, such as ${code('Berlin')}, or the name of the zone, such as ${code('Asia/Dubai')}.`,
    zoneSet: (zone: string, now: string, before: string, by: string): Html =>
      html`✅ The clock of this chat is now ${b(isolateLtr(zone))}: ${now}. Before: ${isolateLtr(before)}. Set by ${isolateAuto(by)}.\nWhat is scheduled already leaves at the moment it was to leave. Sending hours, series and reports follow the new clock from now on.`,
    zoneSame: (zone: string, now: string): Html =>
      html`The clock of this chat is ${isolateLtr(zone)} already: ${now}. Nothing was changed.`,
  },
  fa: {
    about: 'حد تأیید، سقف‌های روزانه، بازهٔ ارسال، توقف همهٔ ارسال‌ها',
    example: '/limits تأیید 500',
    usageLimit: 'تأیید|سقف|سقف‌نفر|بازه|توقف|ادامه',
    usageValue: 'مقدار|خاموش',
    names: {
      approval: 'تأیید',
      cap: 'سقف روزانه',
      personcap: 'سقف روزانهٔ هر نفر',
      window: 'بازهٔ ارسال',
    },
    askLimit: (value) =>
      value === '' ? html`کدام محدودیت؟` : html`کدام محدودیت «${isolateAuto(value)}» شود؟`,
    badLimit: (typed) =>
      html`«${isolateAuto(typed)}» محدودیت نیست. محدودیت‌ها: ${code('تأیید')}، ${code('سقف')}، ${code('سقف‌نفر')} و ${code('بازه')}؛ ${code('توقف')} همهٔ ارسال‌ها را خاموش و ${code('ادامه')} دوباره روشن می‌کند؛ ${code('/limits')} به‌تنهایی همه را نشان می‌دهد.`,
    askApproval: html`ارسال بیش از چند پارت تأیید نفر دوم بخواهد؟ معمولاً ${code('500')}؛ ${code('0')} یعنی همهٔ ارسال‌ها و ${code('خاموش')} یعنی هیچ‌کدام.`,
    badApproval: (typed) =>
      html`«${isolateAuto(typed)}» تعداد پارت نیست. عددی از ۰ تا ۱٬۰۰۰٬۰۰۰ بنویسید، یا ${code('خاموش')}.`,
    askCap: html`در یک روز حداکثر چقدر ارسال شود؟ به ریال مانند ${code('10000000')}، یا به پارت مانند ${code('5000 پارت')}؛ ${code('خاموش')} یعنی بدون سقف.`,
    askPersonCap: html`هر نفر در یک روز حداکثر چقدر ارسال کند؟ به ریال مانند ${code('1000000')}، یا به پارت مانند ${code('500 پارت')}؛ ${code('خاموش')} یعنی بدون سقف.`,
    badCap: (typed) =>
      html`«${isolateAuto(typed)}» مبلغ یا تعداد پارت نیست. به ریال بنویسید، مانند ${code('10000000')} (حداکثر ۱٬۰۰۰٬۰۰۰٬۰۰۰٬۰۰۰)، یا به پارت، مانند ${code('5000 پارت')} (حداکثر ۱۰۰٬۰۰۰٬۰۰۰)، یا ${code('خاموش')}.`,
    askWindow: (zone) =>
      html`پیام‌ها بین چه ساعت‌هایی ارسال شوند (به وقت ${isolateLtr(zone)})؟ مثلاً ${code('9-21')}، ${code('9:30-21:00')} یا از شب تا صبح ${code('21-9')}؛ ${code('خاموش')} یعنی هر ساعتی.`,
    badWindow: (typed) =>
      html`«${isolateAuto(typed)}» دو ساعت متفاوت نیست. مثلاً بنویسید ${code('9-21')}، ${code('9:30-21:00')} یا از شب تا صبح ${code('21-9')}؛ ${code('خاموش')} یعنی هر ساعتی.`,
    head: b('محدودیت‌های این گفتگو'),
    approval: (parts) =>
      parts === null ? html`خاموش، تأیید کسی لازم نیست` : html`بیش از ${parts} تأیید نفر دوم می‌خواهد`,
    approvalAlways: html`هر ارسال تأیید نفر دوم می‌خواهد`,
    parts: { one: 'پارت', other: 'پارت' },
    cap: (amount) => (amount === null ? html`خاموش` : html`روزی ${amount}`),
    capToday: (used) => html` · امروز تا الان ${used}`,
    personCapToday: (name, used) => html` · ${isolateAuto(name)} امروز تا الان ${used}`,
    capRate: (parts) => html` · جایی که قیمت معلوم نیست، این سقف ${parts} حساب می‌شود`,
    window: (from, to) => html`${from} تا ${to}`,
    windowOff: html`خاموش، هر ساعتی`,
    windowZone: (zone, open) => html` · ${isolateLtr(zone)} · الان ${open ? 'باز' : 'بسته'}`,
    row: (icon, name, value) => html`${icon} ${name}: ${value}`,
    edit: (name) => `✏️ ${name}`,
    turnOff: (name) => `خاموش کردن ${name}`,
    off: 'خاموش',
    halted: (by, when) =>
      by === null
        ? html`⏹ ${b('همهٔ ارسال‌ها خاموش است')}؛ از ${when} که دیگر نمی‌توانستم اینجا بنویسم. چیزی از این گفتگو ارسال نمی‌شود.`
        : html`⏹ ${b('همهٔ ارسال‌ها خاموش است')}؛ ${isolateAuto(by)}، ${when} خاموشش کرد. چیزی از این گفتگو ارسال نمی‌شود.`,
    held: (when) =>
      html`⏹ ${b('ارسال‌های همهٔ گفتگوها متوقف است')}؛ از ${when}. تا مدیر ربات اجازه ندهد نه چیزی ارسال می‌شود و نه می‌شود چیزی را تأیید کرد؛ از این گفتگو نمی‌شود تغییرش داد.`,
    stop: '⏹ توقف همهٔ ارسال‌ها',
    go: '▶ ادامهٔ ارسال‌ها',
    stopped: (by, paused) =>
      html`⏹ ${isolateAuto(by)} همهٔ ارسال‌های این گفتگو را خاموش کرد. ${paused === null ? 'ارسالی در جریان نبود.' : `${paused} روی مکث رفت؛ آنچه در راه پنل پیامک است تمام می‌شود.`} تا کسی ${code('/limits ادامه')} نفرستد نه می‌شود چیزی را تأیید کرد و نه ارسال زمان‌بندی‌شده‌ای انجام می‌شود.`,
    stoppedBefore: (by, when) =>
      by === null
        ? html`ارسال‌ها از قبل خاموش است: از ${when} که دیگر نمی‌توانستم اینجا بنویسم.`
        : html`ارسال‌ها از قبل خاموش است: ${isolateAuto(by)}، ${when} خاموشش کرد.`,
    gone: (by, resumed, kept) =>
      html`▶ ${isolateAuto(by)} ارسال‌ها را دوباره روشن کرد. ${resumed === null ? 'ارسالی از مکث درنیامد.' : `${resumed} ادامه پیدا کرد.`}${kept === null ? '' : ` ${kept} به خاطر یک محدودیت روی مکث ماند: ▶ ادامه روی کارت می‌گوید کدام.`}`,
    goneHeld: (by) =>
      html`▶ ${isolateAuto(by)} ارسال‌های این گفتگو را دوباره روشن کرد. به دلیلی که پایین‌تر آمده هنوز چیزی ارسال نمی‌شود.`,
    notStopped: html`ارسال‌ها خاموش نیست. چیزی تغییر نکرد.`,
    notStoppedHere: html`کسی در این گفتگو ارسال‌ها را خاموش نکرده است. چیزی تغییر نکرد.`,
    sends: { one: 'ارسال', other: 'ارسال' },
    changed: (name, value, before, by) =>
      html`✅ ${name}: ${b(value)}. قبلاً: ${before}. توسط ${isolateAuto(by)}.`,
    unchanged: (name, value) => html`${name} الان هم همین است: ${value}. چیزی تغییر نکرد.`,
    pricePaid: (price) =>
      html`ارسالی که قیمتش معلوم نباشد، هر پارت ${price} حساب می‌شود؛ همان که حساب تا الان پرداخته است.`,
    priceTariff: (price) => html`ارسالی که قیمتش معلوم نباشد، هر پارت ${price} حساب می‌شود؛ همان تعرفهٔ حساب.`,
    noPrice: (limit) =>
      html`قیمت هر پارت معلوم نیست: هیچ حساب وصل‌شده‌ای هنوز هزینهٔ ارسالی را نپرداخته یا تعرفهٔ عددی ندارد. سقف را به پارت بگذارید، مانند ${code(`/limits ${capName(limit)} 5000 پارت`)}. چیزی تغییر نکرد.`,
    capTooSmall: (price, limit) =>
      html`این سقف کمتر از قیمت یک پارت است: هر پارت ${price}. سقف بالاتری بگذارید یا با ${code(`/limits ${capName(limit)} خاموش`)} خاموشش کنید. چیزی تغییر نکرد.`,
    notAllowed: html`نقش شما در اینجا دیگر این اجازه را نمی‌دهد. چیزی تغییر نکرد.`,
    aboutZone: 'منطقهٔ زمانی این گفتگو: ساعت‌ها، ارسال‌های تکراری، گزارش‌ها',
    usageZone: 'شهر',
    zones: { tehran: 'تهران', dubai: 'دبی', istanbul: 'استانبول', kabul: 'کابل', london: 'لندن' },
    askZone: (zone) =>
      html`ساعت این گفتگو به وقت ${isolateLtr(zone)} است. به وقت کدام شهر باشد؟ مثلاً ${code('دبی')} یا ${code('Europe/Berlin')}.`,
    badZone: (typed) =>
      html`منطقهٔ زمانی «${isolateAuto(typed)}» را نمی‌شناسم. نام یک شهر بزرگ آنجا را به انگلیسی بنویسید، مانند ${code('Berlin')}، یا نام خود منطقه را، مانند ${code('Asia/Dubai')}.`,
    zoneSet: (zone, now, before, by) =>
      html`✅ ساعت این گفتگو از این به بعد به وقت ${b(isolateLtr(zone))} است: ${now}. قبلاً: ${isolateLtr(before)}. توسط ${isolateAuto(by)}.\nآنچه از قبل زمان‌بندی شده سر همان لحظه‌ای می‌رود که قرار بود. ساعت‌های ارسال، ارسال‌های تکراری و گزارش‌ها از این به بعد با ساعت جدید است.`,
    zoneSame: (zone, now) =>
      html`ساعت این گفتگو الان هم به وقت ${isolateLtr(zone)} است: ${now}. چیزی تغییر نکرد.`,
  },
});
