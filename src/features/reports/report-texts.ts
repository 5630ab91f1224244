import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, code, html, type Html } from '../../telegram/html.ts';

const one = (id: string) => b(isolateLtr(`#${id}`));

export const reportTexts = defineTexts({
  en: {
    head: (id: string, time: string): Html => html`📊 ${one(id)} · as of ${time}`,
    rangeHead: (span: string): Html => html`📊 ${b('Report')} · ${span}`,
    notSent: (id: string): Html =>
      html`📊 ${one(id)} is a draft that was not confirmed: nothing of it was sent.`,
    by: (name: string, approver: string | null, lines: readonly string[]): Html =>
      html`by ${isolateAuto(name)}${approver === null ? '' : html`, approved by ${isolateAuto(approver)}`} · ${lines.length === 1 ? 'line' : 'lines'} ${lines.map((line) => isolateLtr(line)).join(', ')}`,
    confirmed: (when: string): string => `Confirmed ${when}`,
    started: (when: string): string => `started ${when}`,
    ended: (when: string): string => `ended ${when}`,
    size: (recipients: string, parts: string | null): Html =>
      html`${recipients}${parts === null ? '' : ` · ${parts}`}`,
    nobody: html`The recipients of this send are not known one by one here.`,
    words: (list: string): Html => html`Not delivered, in the gateway’s words: ${list}`,
    word: (count: string, word: string): string => `${count} “${isolateAuto(word)}”`,
    refused: (count: string, why: string): Html => html`${count} refused: ${why}`,
    localRefusal: 'this account cannot send this text or these numbers.',
    stops: {
      credit: 'Stopped: not enough credit.',
      account: 'Stopped: the gateway says the account is not active.',
      person: 'Stopped by a person.',
      earlier_unknown: 'Stopped: an earlier, equal message to some of these numbers has an unknown outcome.',
      not_connected: 'Stopped: its gateway account is no longer linked here.',
      unreachable: 'Stopped: the gateway could not be reached.',
    },
    reportsEnded: html`No further delivery report has come, and none is asked for any more.`,
    byLine: (line: string, messages: string): Html => html`📞 ${isolateLtr(line)}: ${messages}`,
    moreLines: (count: string): Html => html`… and ${count} more lines; all are in the file`,
    byOperator: (name: string, messages: string, shares: string): Html =>
      html`📶 ${name}: ${messages} · ${shares}`,
    firstOperator: html`A ported number counts with its first network.`,
    cost: (parts: string, cost: string, price: string | null): Html =>
      html`💰 ${parts} · ${cost}${price === null ? '' : ` · ≈ ${price} a part`}`,
    noCost: (why: string): Html => html`💰 Parts and cost could not be counted. ${why}`,
    tag: (tag: string): Html => html`🏷 ${isolateAuto(tag)}`,
    tagHead: (tag: string, span: string): Html => html`📊 ${b(`🏷 ${isolateAuto(tag)}`)} · ${span}`,
    cards: (count: string, list: readonly string[], more: boolean): Html =>
      html`${count}: ${list.map((id) => isolateLtr(`#${id}`)).join(', ')}${more ? ' …' : ''}`,
    noneTagged: html`This chat sent nothing with this tag in this period.`,
    ofLine: (line: string): Html => html`📞 line ${isolateLtr(line)} only`,
    resend: (count: string): string => `🔁 Resend to ${count}`,
    refresh: '🔄 Refresh',
    fileCaption: (id: string, rows: string): Html => html`📊 ${one(id)} · ${rows}`,
    fileCut: (most: string): Html => html`⚠ Only the first ${most} are in this file.`,
    times: [
      { label: 'Today', typed: 'today' },
      { label: 'Yesterday', typed: 'yesterday' },
      { label: '7 days', typed: '7d' },
      { label: 'This month', typed: 'this month' },
    ],
    orCard: html`The report of a card still works: ${code('/report A41')}`,
  },
  fa: {
    head: (id, time) => html`📊 ${one(id)} · ساعت ${time}`,
    rangeHead: (span) => html`📊 ${b('گزارش')} · ${span}`,
    notSent: (id) => html`📊 ${one(id)} پیش‌نویسی است که تأیید نشد و چیزی از آن ارسال نشده است.`,
    by: (name, approver, lines) =>
      html`از ${isolateAuto(name)}${approver === null ? '' : html`، با تأیید ${isolateAuto(approver)}`} · ${lines.length === 1 ? 'خط' : 'خط‌ها'} ${lines.map((line) => isolateLtr(line)).join('، ')}`,
    confirmed: (when) => `تأیید ${when}`,
    started: (when) => `شروع ${when}`,
    ended: (when) => `پایان ${when}`,
    size: (recipients, parts) => html`${recipients}${parts === null ? '' : ` · ${parts}`}`,
    nobody: html`گیرنده‌های این ارسال اینجا تک‌تک معلوم نیستند.`,
    words: (list) => html`تحویل‌نشده‌ها به گفتهٔ پنل پیامک: ${list}`,
    word: (count, word) => `${count} «${isolateAuto(word)}»`,
    refused: (count, why) => html`${count} پذیرفته نشد: ${why}`,
    localRefusal: 'این حساب نمی‌تواند این متن یا این شماره‌ها را ارسال کند.',
    stops: {
      credit: 'متوقف شد: اعتبار کافی نبود.',
      account: 'متوقف شد: پنل پیامک می‌گوید حساب فعال نیست.',
      person: 'یک نفر متوقفش کرد.',
      earlier_unknown: 'متوقف شد: نتیجهٔ پیام یکسان قبلی به بعضی از این شماره‌ها نامعلوم است.',
      not_connected: 'متوقف شد: حسابش دیگر اینجا وصل نیست.',
      unreachable: 'متوقف شد: پنل پیامک در دسترس نبود.',
    },
    reportsEnded: html`گزارش تحویل دیگری نیامده و دیگر هم پرسیده نمی‌شود.`,
    byLine: (line, messages) => html`📞 ${isolateLtr(line)}: ${messages}`,
    moreLines: (count) => html`… و ${count} خط دیگر؛ همه در فایل است`,
    byOperator: (name, messages, shares) => html`📶 ${name}: ${messages} · ${shares}`,
    firstOperator: html`شمارهٔ ترابردشده با اپراتور موبایل اولش حساب شده است.`,
    cost: (parts, cost, price) => html`💰 ${parts} · ${cost}${price === null ? '' : ` · هر پارت ≈ ${price}`}`,
    noCost: (why) => html`💰 پارت‌ها و هزینه شمرده نشد. ${why}`,
    tag: (tag) => html`🏷 ${isolateAuto(tag)}`,
    tagHead: (tag, span) => html`📊 ${b(`🏷 ${isolateAuto(tag)}`)} · ${span}`,
    cards: (count, list, more) =>
      html`${count}: ${list.map((id) => isolateLtr(`#${id}`)).join('، ')}${more ? ' …' : ''}`,
    noneTagged: html`در این بازه این گفتگو چیزی با این برچسب ارسال نکرده است.`,
    ofLine: (line) => html`📞 فقط خط ${isolateLtr(line)}`,
    resend: (count) => `🔁 ارسال دوباره به ${count}`,
    refresh: '🔄 به‌روزرسانی',
    fileCaption: (id, rows) => html`📊 ${one(id)} · ${rows}`,
    fileCut: (most) => html`⚠ فقط ${most} اول در این فایل است.`,
    times: [
      { label: 'امروز', typed: 'امروز' },
      { label: 'دیروز', typed: 'دیروز' },
      { label: '۷ روز', typed: '۷ روز' },
      { label: 'این ماه', typed: 'این ماه' },
    ],
    orCard: html`گزارش یک کارت همچنان کار می‌کند: ${code('/report A41')}`,
  },
});
