import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, code, html, type Html } from '../../telegram/html.ts';

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
    askLimit: html`Which limit?`,
    badLimit: (typed: string): Html =>
      html`«${isolateAuto(typed)}» is no limit. There are ${code('approval')}, ${code('cap')}, ${code('personcap')} and ${code('window')}; ${code('stop')} switches all sends off and ${code('go')} on again; ${code('/limits')} alone shows everything.`,
    askApproval: html`Above how many parts must a second person agree? ${code('500')} is usual, ${code('0')} means every send, ${code('off')} none.`,
    badApproval: (typed: string): Html =>
      html`«${isolateAuto(typed)}» will not do. Type a whole number of parts from 0 to 1,000,000, or ${code('off')}.`,
    askCap: html`How much may be sent in one day? Rial, as ${code('10000000')}, or parts, as ${code('5000 parts')}; ${code('off')} for no cap.`,
    askPersonCap: html`How much may one person send in a day? Rial, as ${code('1000000')}, or parts, as ${code('500 parts')}; ${code('off')} for no cap.`,
    badCap: (typed: string): Html =>
      html`«${isolateAuto(typed)}» will not do. Type whole rial, at most 1,000,000,000,000 (${code('10000000')}), or parts, at most 100,000,000 (${code('5000 parts')}), or ${code('off')}.`,
    askWindow: (zone: string): Html =>
      html`Between which hours may messages be sent, by the time of ${isolateLtr(zone)}? As ${code('9-21')} or ${code('9:30-21:00')}; it may pass midnight; ${code('off')} for any time.`,
    badWindow: (typed: string): Html =>
      html`«${isolateAuto(typed)}» will not do. Type two different times of the day, as ${code('9-21')}, ${code('9:30-21:00')} or ${code('21-9')} through the night; ${code('off')} for any time.`,
    head: b('Limits of this chat'),
    approval: (parts: string | null): Html =>
      parts === null ? html`off, nobody else must agree` : html`a second person for more than ${parts}`,
    approvalAlways: html`a second person for every send`,
    parts: { one: 'part', other: 'parts' },
    cap: (amount: string | null): Html => (amount === null ? html`off` : html`${amount} a day`),
    capToday: (used: string): Html => html` · today so far ${used}`,
    personCapToday: (name: string, used: string): Html => html` · ${isolateAuto(name)} today so far ${used}`,
    capRate: (parts: string): Html => html` · what has no price yet counts as if it bought ${parts}`,
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
        ? html`⏹ ${b('All sends are switched off')} since ${when}, when I could write nothing here any more. Nothing leaves this chat.`
        : html`⏹ ${b('All sends are switched off')} by ${isolateAuto(by)} since ${when}. Nothing leaves this chat.`,
    held: (when: string): Html =>
      html`⏹ ${b('The sends of all chats are held')} since ${when}. Nothing is sent and nothing can be confirmed until the bot’s administrator lets it; nobody in this chat can change that.`,
    stop: '⏹ Stop all sends',
    go: '▶ Let sends go on',
    stopped: (by: string, paused: string | null): Html =>
      html`⏹ ${isolateAuto(by)} switched all sends of this chat off. ${paused === null ? 'None was under way.' : `${paused} paused; what was on the wire already finishes.`} Nothing can be confirmed, and nothing scheduled leaves, until somebody sends ${code('/limits go')}.`,
    stoppedBefore: (by: string | null, when: string): Html =>
      by === null
        ? html`All sends are off already: since ${when}, when I could write nothing here any more.`
        : html`All sends are off already: ${isolateAuto(by)} switched them off on ${when}.`,
    gone: (by: string, resumed: string | null, kept: string | null): Html =>
      html`▶ ${isolateAuto(by)} switched sends on again. ${resumed === null ? 'Nothing was waiting for that.' : `${resumed} went on.`}${kept === null ? '' : ` ${kept} stayed paused, since a limit keeps it from leaving now: ▶ Resume on its card says which.`}`,
    goneHeld: (by: string): Html =>
      html`▶ ${isolateAuto(by)} took the switch of this chat back. Nothing goes on yet, for the reason below.`,
    notStopped: html`Sends are not switched off. Nothing was changed.`,
    notStoppedHere: html`Nobody in this chat has switched sends off. Nothing was changed.`,
    sends: { one: 'send', other: 'sends' },
    changed: (name: string, value: Html, before: Html, by: string): Html =>
      html`✅ ${name}: ${b(value)}. Before: ${before}. Set by ${isolateAuto(by)}.`,
    unchanged: (name: string, value: Html): Html =>
      html`${name} is that already: ${value}. Nothing was changed.`,
    pricePaid: (price: string): Html =>
      html`A send without a price counts at ${price} a part, as the account has paid.`,
    priceTariff: (price: string): Html =>
      html`A send without a price counts at ${price} a part, the account’s tariff.`,
    noPrice: (limit: string): Html =>
      html`What a part costs is not known: no account is linked that has been charged for a send, or that names its tariff in numbers. Set the cap in parts, as ${code(`/limits ${limit} 5000 parts`)}. Nothing was changed.`,
    capTooSmall: (price: string, limit: string): Html =>
      html`Not even one part fits under that: a part costs ${price}. Set a higher cap, or turn it off with ${code(`/limits ${limit} off`)}. Nothing was changed.`,
    notAllowed: html`Your role here does not allow this any more. Nothing was changed.`,
  },
  fa: {
    about: 'آستانهٔ تأیید، سقف‌های روزانه، بازهٔ ارسال، توقف همهٔ ارسال‌ها',
    example: '/limits approval 500',
    usageLimit: 'تأیید|سقف|سقف‌نفر|بازه|توقف|ادامه',
    usageValue: 'مقدار|خاموش',
    names: {
      approval: 'تأیید',
      cap: 'سقف روزانه',
      personcap: 'سقف روزانهٔ هر نفر',
      window: 'بازهٔ ارسال',
    },
    askLimit: html`کدام محدودیت؟`,
    badLimit: (typed) =>
      html`«${isolateAuto(typed)}» محدودیت نیست. این‌ها هست: ${code('تأیید')}، ${code('سقف')}، ${code('سقف‌نفر')} و ${code('بازه')}؛ ${code('توقف')} همهٔ ارسال‌ها را خاموش و ${code('ادامه')} دوباره روشن می‌کند؛ ${code('/limits')} تنها همه را نشان می‌دهد.`,
    askApproval: html`ارسال بیش از چند پارت تأیید نفر دوم بخواهد؟ معمولاً ${code('500')}؛ ${code('0')} یعنی همهٔ ارسال‌ها و ${code('خاموش')} یعنی هیچ‌کدام.`,
    badApproval: (typed) =>
      html`«${isolateAuto(typed)}» نمی‌شود. تعداد پارت‌ها را با عددی درست از ۰ تا ۱٬۰۰۰٬۰۰۰ بنویسید، یا ${code('خاموش')}.`,
    askCap: html`در یک روز چقدر فرستاده شود؟ به ریال مانند ${code('10000000')}، یا به پارت مانند ${code('5000 پارت')}؛ ${code('خاموش')} یعنی بی‌سقف.`,
    askPersonCap: html`هر نفر در یک روز چقدر بفرستد؟ به ریال مانند ${code('1000000')}، یا به پارت مانند ${code('500 پارت')}؛ ${code('خاموش')} یعنی بی‌سقف.`,
    badCap: (typed) =>
      html`«${isolateAuto(typed)}» نمی‌شود. ریال را با عددی درست تا ۱٬۰۰۰٬۰۰۰٬۰۰۰٬۰۰۰ (${code('10000000')}) بنویسید، یا پارت را تا ۱۰۰٬۰۰۰٬۰۰۰ (${code('5000 پارت')})، یا ${code('خاموش')}.`,
    askWindow: (zone) =>
      html`پیام‌ها بین چه ساعت‌هایی بروند، به وقت ${isolateLtr(zone)}؟ مانند ${code('9-21')} یا ${code('9:30-21:00')}؛ می‌تواند از نیمه‌شب بگذرد؛ ${code('خاموش')} یعنی هر ساعتی.`,
    badWindow: (typed) =>
      html`«${isolateAuto(typed)}» نمی‌شود. دو ساعت متفاوت بنویسید، مانند ${code('9-21')}، ${code('9:30-21:00')} یا شبانه ${code('21-9')}؛ ${code('خاموش')} یعنی هر ساعتی.`,
    head: b('محدودیت‌های این گفتگو'),
    approval: (parts) =>
      parts === null ? html`خاموش، تأیید کسی لازم نیست` : html`برای بیش از ${parts} نفر دوم تأیید می‌کند`,
    approvalAlways: html`برای هر ارسال نفر دوم تأیید می‌کند`,
    parts: { one: 'پارت', other: 'پارت' },
    cap: (amount) => (amount === null ? html`خاموش` : html`روزی ${amount}`),
    capToday: (used) => html` · امروز تا کنون ${used}`,
    personCapToday: (name, used) => html` · ${isolateAuto(name)} امروز تا کنون ${used}`,
    capRate: (parts) => html` · آنچه قیمتش هنوز معلوم نیست طوری حساب می‌شود که این مبلغ قیمت ${parts} باشد`,
    window: (from, to) => html`${from} تا ${to}`,
    windowOff: html`خاموش، هر ساعتی`,
    windowZone: (zone, open) => html` · ${isolateLtr(zone)} · اکنون ${open ? 'باز' : 'بسته'}`,
    row: (icon, name, value) => html`${icon} ${name}: ${value}`,
    edit: (name) => `✏️ ${name}`,
    turnOff: (name) => `خاموشی ${name}`,
    off: 'خاموش',
    halted: (by, when) =>
      by === null
        ? html`⏹ ${b('همهٔ ارسال‌ها خاموش است')}؛ از ${when} که دیگر نمی‌توانستم این‌جا بنویسم. چیزی از این گفتگو نمی‌رود.`
        : html`⏹ ${b('همهٔ ارسال‌ها خاموش است')}؛ ${isolateAuto(by)} در ${when} خاموشش کرد. چیزی از این گفتگو نمی‌رود.`,
    held: (when) =>
      html`⏹ ${b('ارسال‌های همهٔ گفتگوها نگه داشته شده است')}؛ از ${when}. تا مدیر این ربات نگذارد نه چیزی می‌رود و نه چیزی تأیید می‌شود و از درون این گفتگو نمی‌شود تغییرش داد.`,
    stop: '⏹ توقف همهٔ ارسال‌ها',
    go: '▶ ادامهٔ ارسال‌ها',
    stopped: (by, paused) =>
      html`⏹ ${isolateAuto(by)} همهٔ ارسال‌های این گفتگو را خاموش کرد. ${paused === null ? 'ارسالی در راه نبود.' : `${paused} نگه داشته شد؛ آنچه به پنل پیامک سپرده شده بود به پایان می‌رسد.`} تا کسی ${code('/limits go')} نفرستد نه چیزی تأیید می‌شود و نه چیز زمان‌بندی‌شده‌ای می‌رود.`,
    stoppedBefore: (by, when) =>
      by === null
        ? html`ارسال‌ها از پیش خاموش است: از ${when} که دیگر نمی‌توانستم این‌جا بنویسم.`
        : html`ارسال‌ها از پیش خاموش است: ${isolateAuto(by)} در ${when} خاموشش کرد.`,
    gone: (by, resumed, kept) =>
      html`▶ ${isolateAuto(by)} ارسال‌ها را دوباره روشن کرد. ${resumed === null ? 'چیزی منتظر آن نبود.' : `${resumed} ادامه یافت.`}${kept === null ? '' : ` ${kept} نگه داشته ماند، چون محدودیتی نمی‌گذارد اکنون برود: ▶ ادامه روی کارتش می‌گوید کدام.`}`,
    goneHeld: (by) =>
      html`▶ ${isolateAuto(by)} کلید توقف این گفتگو را برداشت. به دلیلی که پایین‌تر آمده هنوز چیزی ادامه نمی‌یابد.`,
    notStopped: html`ارسال‌ها خاموش نیست. چیزی تغییر نکرد.`,
    notStoppedHere: html`کسی در این گفتگو ارسال‌ها را خاموش نکرده است. چیزی تغییر نکرد.`,
    sends: { one: 'ارسال', other: 'ارسال' },
    changed: (name, value, before, by) =>
      html`✅ ${name}: ${b(value)}. پیش‌تر: ${before}. به دست ${isolateAuto(by)}.`,
    unchanged: (name, value) => html`${name} هم‌اکنون همین است: ${value}. چیزی تغییر نکرد.`,
    pricePaid: (price) =>
      html`ارسالی که قیمتش معلوم نباشد، هر پارت ${price} شمرده می‌شود؛ همان که حساب تا کنون پرداخته است.`,
    priceTariff: (price) => html`ارسالی که قیمتش معلوم نباشد، هر پارت ${price} شمرده می‌شود؛ همان تعرفهٔ حساب.`,
    noPrice: (limit) =>
      html`قیمت هر پارت معلوم نیست: حسابی وصل نیست که بابت ارسالی پرداخته باشد یا تعرفه‌اش را با عدد بگوید. سقف را به پارت بگذارید، مانند ${code(`/limits ${limit} 5000 parts`)}. چیزی تغییر نکرد.`,
    capTooSmall: (price, limit) =>
      html`یک پارت هم زیر این سقف جا نمی‌شود: قیمت هر پارت ${price} است. سقف بالاتری بگذارید یا با ${code(`/limits ${limit} off`)} خاموشش کنید. چیزی تغییر نکرد.`,
    notAllowed: html`نقش شما در این‌جا دیگر این اجازه را نمی‌دهد. چیزی تغییر نکرد.`,
  },
});
