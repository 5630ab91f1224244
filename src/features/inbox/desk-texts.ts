import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, code, html, type Html } from '../../telegram/html.ts';
import { slash } from '../../telegram/slash.ts';

const line = (digits: string): Html => code(isolateLtr(digits));

/** Who waits for an answer, and who is whose. */
export const deskTexts = defineTexts({
  en: {
    askSnooze: (id: string): Html =>
      html`💤 Until when is ${code(id)} put off? It comes back here by itself, or with the next message from that number.`,
    snoozed: (id: string, when: string): Html => html`💤 ${code(`#in${id}`)} comes back ${when}.`,
    overAlready: (id: string): Html => html`${code(`#in${id}`)} is done already, so nothing was changed.`,
    askHandOver: (id: string): Html => html`🤝 Who takes over ${code(`#in${id}`)}?`,
    nobodyElse: html`Nobody else here may answer received messages. /role makes somebody an operator.`,
    mayNot: html`They may not answer received messages here any more. Nothing was changed.`,
    handedOver: (id: string, name: string): Html =>
      html`🤝 ${code(`#in${id}`)} is with ${isolateAuto(name)} now.`,
    isYours: (by: Html, from: string): Html => html`🤝 ${by}, ${isolateAuto(from)} hands this over to you:`,
    atHome: (title: string, id: string): Html =>
      html`That is done in ${isolateAuto(title)}: ${code(`/in${id}`)} shows the message there, with its buttons.`,
    views: { mine: '🙋 Mine', unanswered: '❔ Unanswered' },
    all: '📥 All',
    people: { one: 'sender', other: 'senders' },
    head: (view: 'mine' | 'unanswered', digits: string | null, count: string): Html =>
      html`📥 ${b(view === 'mine' ? 'Mine' : 'Unanswered')} · ${digits === null ? 'all lines' : html`line ${line(digits)}`} · ${count}`,
    empty: (view: 'mine' | 'unanswered', digits: string | null): Html =>
      view === 'mine'
        ? html`📭 You have taken no message${digits === null ? '' : html` on line ${line(digits)}`} that is still open.`
        : html`📭 Every message${digits === null ? '' : html` on line ${line(digits)}`} is answered or done.`,
  },
  fa: {
    askSnooze: (id) =>
      html`💤 ${code(id)} تا چه زمانی کنار گذاشته شود؟ در آن زمان یا با پیام بعدی همان شماره دوباره به اینجا برمی‌گردد.`,
    snoozed: (id, when) => html`💤 ${code(`#in${id}`)} ${when} برمی‌گردد.`,
    overAlready: (id) => html`${code(`#in${id}`)} قبلاً انجام شده است و چیزی تغییر نکرد.`,
    askHandOver: (id) => html`🤝 ${code(`#in${id}`)} به چه کسی سپرده شود؟`,
    nobodyElse: html`اینجا کس دیگری اجازهٔ پاسخ‌دادن ندارد. با ${slash('fa', 'role')} می‌توانید به کسی نقش اپراتور بدهید.`,
    mayNot: html`این شخص دیگر اینجا اجازهٔ پاسخ‌دادن ندارد. چیزی تغییر نکرد.`,
    handedOver: (id, name) => html`🤝 ${code(`#in${id}`)} به ${isolateAuto(name)} سپرده شد.`,
    isYours: (by, from) => html`🤝 ${by}، ${isolateAuto(from)} این پیام را به شما سپرد:`,
    atHome: (title, id) =>
      html`این کار در ${isolateAuto(title)} انجام می‌شود: ${code(`/in${id}`)} پیام را آنجا با دکمه‌هایش نشان می‌دهد.`,
    views: { mine: '🙋 با من', unanswered: '❔ بی‌پاسخ' },
    all: '📥 همه',
    people: { one: 'فرستنده', other: 'فرستنده' },
    head: (view, digits, count) =>
      html`📥 ${b(view === 'mine' ? 'با من' : 'بی‌پاسخ')} · ${digits === null ? 'همهٔ خط‌ها' : html`خط ${line(digits)}`} · ${count}`,
    empty: (view, digits) =>
      view === 'mine'
        ? html`📭 ${digits === null ? '' : html`در خط ${line(digits)} `}پیامی با شما نیست که هنوز باز باشد.`
        : html`📭 همهٔ پیام‌ها${digits === null ? '' : html`ی خط ${line(digits)}`} پاسخ گرفته یا انجام شده است.`,
  },
});
