import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { b, code, html, type Html } from '../../telegram/html.ts';
import type { Standing } from './standing.ts';

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
    size: (recipients: string, parts: string | null, accepted: string): Html =>
      html`${recipients}${parts === null ? '' : ` · ${parts}`} · ${accepted} accepted by the gateway`,
    nobody: html`Single recipients of this send are not known here.`,
    standings: {
      delivered: '✅ delivered',
      sent: '📤 with the operator',
      waiting: '⏳ accepted, no report yet',
      failed: '❌ not delivered',
      blocked: '⛔ blocked',
      unexplained: '❔ accepted, in a state that the gateway does not explain',
      in_doubt: '❔ unknown: no clear answer from the gateway, may have gone out',
      on_wire: '⏳ asked of the gateway, no answer yet',
      to_leave: '⏳ waiting to leave',
      refused: '⛔ not sent: refused',
      absent: '⛔ not sent: not in the gateway’s outbox',
      left_out: '⛔ not sent: stopped before they left',
    } satisfies Record<Standing, string>,
    words: (list: string): Html => html`Not delivered, in the gateway’s words: ${list}`,
    word: (count: string, word: string): string => `${count} “${isolateAuto(word)}”`,
    refused: (count: string, why: string): Html => html`${count} refused: ${why}`,
    localRefusal: 'the text or the numbers cannot go by the version that this account has.',
    stops: {
      credit: 'Stopped: not enough credit.',
      account: 'Stopped: the gateway says the account is not active.',
      person: 'Stopped by a person.',
      earlier_unknown: 'Stopped: an earlier, equal message to some of these numbers has an unknown outcome.',
      not_connected: 'Stopped: no gateway account is linked any more.',
      unreachable: 'Stopped: the gateway could not be reached.',
    },
    settled: html`No further report is expected.`,
    byLine: (line: string, messages: string): Html => html`📞 ${isolateLtr(line)}: ${messages}`,
    moreLines: (count: string): Html => html`… and ${count} more lines, in the file`,
    cost: (parts: string, cost: string, price: string | null): Html =>
      html`💰 ${parts} · ${cost}${price === null ? '' : ` · ≈ ${price} a part`}`,
    noCost: (why: string): Html => html`💰 Parts and cost could not be counted. ${why}`,
    refresh: '🔄 Refresh',
    fileCaption: (id: string, rows: string): Html => html`📊 ${one(id)} · ${rows}`,
    fileCut: (most: string): Html => html`⚠ Only the first ${most} are in this file.`,
    orCard: html`A card’s report works all the same: ${code('/report A41')}`,
  },
  fa: {
    head: (id, time) => html`📊 ${one(id)} · ساعت ${time}`,
    rangeHead: (span) => html`📊 ${b('گزارش')} · ${span}`,
    notSent: (id) => html`📊 ${one(id)} پیش‌نویسی است که تأیید نشد و چیزی از آن فرستاده نشده است.`,
    by: (name, approver, lines) =>
      html`از ${isolateAuto(name)}${approver === null ? '' : html`، با تأیید ${isolateAuto(approver)}`} · ${lines.length === 1 ? 'خط' : 'خط‌ها'} ${lines.map((line) => isolateLtr(line)).join('، ')}`,
    confirmed: (when) => `تأیید ${when}`,
    started: (when) => `آغاز ${when}`,
    ended: (when) => `پایان ${when}`,
    size: (recipients, parts, accepted) =>
      html`${recipients}${parts === null ? '' : ` · ${parts}`} · ${accepted} را درگاه پذیرفت`,
    nobody: html`گیرنده‌های این ارسال تک‌تک این‌جا معلوم نیست.`,
    standings: {
      delivered: '✅ رسید',
      sent: '📤 نزد اپراتور',
      waiting: '⏳ پذیرفته شد و هنوز گزارشی نیست',
      failed: '❌ نرسید',
      blocked: '⛔ مسدود',
      unexplained: '❔ پذیرفته شد و درگاه وضعیتش را توضیح نمی‌دهد',
      in_doubt: '❔ نامعلوم: درگاه پاسخ روشنی نداد و شاید رفته باشد',
      on_wire: '⏳ به درگاه سپرده شد و هنوز پاسخی نیست',
      to_leave: '⏳ در نوبت رفتن',
      refused: '⛔ فرستاده نشد: درگاه نپذیرفت',
      absent: '⛔ فرستاده نشد: در فهرست فرستاده‌های درگاه نیست',
      left_out: '⛔ فرستاده نشد: پیش از رفتن ایستاد',
    },
    words: (list) => html`نرسیده‌ها به گفتهٔ درگاه: ${list}`,
    word: (count, word) => `${count} «${isolateAuto(word)}»`,
    refused: (count, why) => html`${count} پذیرفته نشد: ${why}`,
    localRefusal: 'این متن یا شماره‌ها با نسخه‌ای که حساب دارد فرستادنی نیست.',
    stops: {
      credit: 'ایستاد: اعتبار کافی نبود.',
      account: 'ایستاد: درگاه می‌گوید حساب فعال نیست.',
      person: 'به خواست یک نفر ایستاد.',
      earlier_unknown: 'ایستاد: نتیجهٔ پیام یکسان پیشین به برخی از این شماره‌ها نامعلوم است.',
      not_connected: 'ایستاد: دیگر حسابی وصل نیست.',
      unreachable: 'ایستاد: درگاه در دسترس نبود.',
    },
    settled: html`گزارش دیگری در راه نیست.`,
    byLine: (line, messages) => html`📞 ${isolateLtr(line)}: ${messages}`,
    moreLines: (count) => html`… و ${count} خط دیگر، در پرونده`,
    cost: (parts, cost, price) => html`💰 ${parts} · ${cost}${price === null ? '' : ` · هر بخش ≈ ${price}`}`,
    noCost: (why) => html`💰 بخش‌ها و هزینه شمرده نشد. ${why}`,
    refresh: '🔄 تازه کن',
    fileCaption: (id, rows) => html`📊 ${one(id)} · ${rows}`,
    fileCut: (most) => html`⚠ فقط ${most} تای نخست در این پرونده است.`,
    orCard: html`گزارش یک کارت با این همه کار می‌کند: ${code('/report A41')}`,
  },
});
