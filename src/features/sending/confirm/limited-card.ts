import { kindOf } from '../../../domain/kinds/index.ts';
import type { OverCap } from '../../../domain/limits.ts';
import { partsOf } from '../../../domain/outgoing.ts';
import { defineTexts } from '../../../i18n/define.ts';
import { isolateAuto, isolateLtr, type Format } from '../../../i18n/format.ts';
import type { CardView, Judged } from '../../../ports/stores.ts';
import { code, html, lines, type Html } from '../../../telegram/html.ts';
import { lineRuleTexts } from '../../shared/line-rule-texts.ts';
import { texts } from '../texts.ts';
import { approvalTexts } from './approval-texts.ts';

/**
 * Why a limit of the chat lets nothing leave at that moment; null where none does, or only a second person's yes is missing.
 * @param isTimed it was given a time: of one without, that moment is now.
 */
function limitNote({ verdict, leavesAt }: Judged, isTimed: boolean, format: Format): Html | null {
  const t = limitTexts(format.locale);
  switch (verdict.kind) {
    case 'ok':
    case 'approval':
      return null;
    case 'halted':
      return t.halted(verdict.byName, format.dateTime(verdict.at));
    case 'held':
      return t.held(format.dateTime(verdict.at));
    case 'window': {
      const [from, to] = [format.clock(verdict.from), format.clock(verdict.to)];
      const at = isTimed ? format.time(leavesAt) : null;
      return verdict.line === null
        ? t.window(from, to, at, format.timeZone)
        : lineRuleTexts(format.locale).window(verdict.line, from, to, at, format.timeZone);
    }
    case 'cap': {
      const say = verdict.whose === 'chat' ? t.cap : t.personCap;
      const [cap, used, wanted] = amountsOf(verdict, format);
      return say(cap, format.date(verdict.at), used, wanted);
    }
  }
}

/** That a cap of the day is smaller than any call of a send, which no day lets leave. */
export function outgrownNote(verdict: OverCap, format: Format): Html {
  const [cap, , wanted] = amountsOf(verdict, format);
  return limitTexts(format.locale).outgrown(cap, wanted, verdict.whose === 'person');
}

function amountsOf({ unit, cap, used, wanted }: OverCap, format: Format): [string, string, string] {
  const amount = (value: number): string => (unit === 'rial' ? format.rial(value) : partsText(value, format));
  return [amount(cap), amount(used), amount(wanted)];
}

/** The same of a draft, and what was counted of it. */
export function draftLimitNote(
  { draft }: Pick<CardView, 'draft'>,
  judged: Judged,
  format: Format,
): Html | null {
  const { outgoing, sendAt } = draft;
  const isTimed = sendAt !== null || kindOf(outgoing).keptUntil(outgoing) !== null;
  const note = limitNote(judged, isTimed, format);
  if (note === null || judged.verdict.kind !== 'cap') return note;
  return lines(
    note,
    partsOf(draft) === null && approvalTexts(format.locale).patternCounted,
    draft.pace !== undefined && limitTexts(format.locale).slowCounted,
  );
}

/** Why a limit keeps the rest of a job from leaving. Says nothing of what has left. */
export function limitedRest(judged: Judged, confirmedByName: string, format: Format): Html | null {
  const { verdict } = judged;
  if (verdict.kind !== 'approval') return limitNote(judged, false, format);
  if (verdict.above === null) return lineRuleTexts(format.locale).second(verdict.words, confirmedByName);
  const above = verdict.above === 0 ? null : partsText(verdict.above, format);
  return limitTexts(format.locale).second(above, confirmedByName);
}

function partsText(parts: number, format: Format): string {
  return format.count(parts, texts(format.locale).parts);
}

/** Why a limit of the chat lets nothing leave now. */
export const limitTexts = defineTexts({
  en: {
    halted: (by: string | null, when: string): Html =>
      by === null
        ? html`⏹ All sends of this chat are off since ${when}, when I could no longer write here. An admin switches them on again with ${code('/limits go')}.`
        : html`⏹ ${isolateAuto(by)} switched all sends of this chat off on ${when}. An admin switches them on again with ${code('/limits go')}.`,
    held: (when: string): Html =>
      html`⏹ The sends of all chats are stopped since ${when}. Try again when the bot’s administrator lets sends continue: nobody in this chat can change that.`,
    window: (from: string, to: string, at: string | null, zone: string): Html =>
      html`🕐 This chat sends only from ${from} to ${to} (${isolateLtr(zone)}), ${at === null ? 'and it is outside these hours now' : `and this one is for ${at}`}. An admin changes the hours with ${code('/limits window')}.`,
    cap: (cap: string, date: string, used: string, wanted: string): Html =>
      html`💰 It would go over the day’s cap. Cap: ${cap}. Other sends of ${date}: ${used}. This send: ${wanted}. The count starts again at midnight; an admin changes the cap with ${code('/limits cap')}.`,
    personCap: (cap: string, date: string, used: string, wanted: string): Html =>
      html`💰 It would go over the day’s cap per person. Cap: ${cap}. Other sends of ${date}: ${used}. This send: ${wanted}. The count starts again at midnight; an admin changes the cap with ${code('/limits personcap')}.`,
    outgrown: (cap: string, wanted: string, isPersons: boolean): Html =>
      html`⚠ It cannot go on: one request of it counts ${wanted}, and the day’s cap${isPersons ? ' per person' : ''} is ${cap}. An admin raises the cap with ${code(isPersons ? '/limits personcap' : '/limits cap')}; if nobody does, stop it.`,
    slowCounted: html`Of a slow send, each day counts what leaves on it.`,
    second: (parts: string | null, name: string): Html =>
      html`🟡 ${parts === null ? 'Every send of this chat needs' : `More than ${parts} need`} a second person’s approval, and none was given to this one in the last 24 hours. Somebody other than ${isolateAuto(name)} whose role is approver or above presses the same button; if there is nobody, ${code('/limits approval off')} turns this limit off.`,
  },
  fa: {
    halted: (by, when) =>
      by === null
        ? html`⏹ همهٔ ارسال‌های این گفتگو از ${when}، که دیگر نمی‌توانستم اینجا بنویسم، خاموش است. مدیر با ${code('/limits ادامه')} دوباره روشنش می‌کند.`
        : html`⏹ ${isolateAuto(by)}، ${when} همهٔ ارسال‌های این گفتگو را خاموش کرده است. مدیر با ${code('/limits ادامه')} دوباره روشنش می‌کند.`,
    held: (when) =>
      html`⏹ از ${when} ارسال‌های همهٔ گفتگوها متوقف است. وقتی مدیر ربات دوباره اجازه داد بزنید؛ از این گفتگو نمی‌شود تغییرش داد.`,
    window: (from, to, at, zone) =>
      html`🕐 پیام‌های این گفتگو فقط از ${from} تا ${to} (${isolateLtr(zone)}) ارسال می‌شوند ${at === null ? 'و الان خارج از این ساعت‌هاست' : `و زمان این یکی ${at} است`}. مدیر این ساعت‌ها را با ${code('/limits بازه')} عوض می‌کند.`,
    cap: (cap, date, used, wanted) =>
      html`💰 از سقف روزانه می‌گذرد. سقف: ${cap}. ارسال‌های دیگر ${date}: ${used}. این ارسال: ${wanted}. شمارش از نیمه‌شب دوباره شروع می‌شود؛ مدیر سقف را با ${code('/limits سقف')} عوض می‌کند.`,
    personCap: (cap, date, used, wanted) =>
      html`💰 از سقف روزانهٔ هر نفر می‌گذرد. سقف: ${cap}. ارسال‌های دیگر ${date}: ${used}. این ارسال: ${wanted}. شمارش از نیمه‌شب دوباره شروع می‌شود؛ مدیر سقف را با ${code('/limits سقف‌نفر')} عوض می‌کند.`,
    outgrown: (cap, wanted, isPersons) =>
      html`⚠ ادامه پیدا نمی‌کند: یک درخواستش ${wanted} است و سقف روزانه${isPersons ? 'ٔ هر نفر' : ''} ${cap}. مدیر سقف را با ${code(isPersons ? '/limits سقف‌نفر' : '/limits سقف')} بیشتر می‌کند؛ اگر نشد متوقفش کنید.`,
    slowCounted: html`از ارسال آهسته، هر روز همان مقداری حساب می‌شود که در آن روز ارسال می‌شود.`,
    second: (parts, name) =>
      html`🟡 ${parts === null ? 'هر ارسال این گفتگو' : `بیش از ${parts}`} تأیید نفر دوم می‌خواهد و در ۲۴ ساعت گذشته کسی این ارسال را تأیید نکرده است. کسی جز ${isolateAuto(name)} با نقش تأییدکننده یا بالاتر همین دکمه را بزند؛ اگر کسی نیست، ${code('/limits تأیید خاموش')} این محدودیت را برمی‌دارد.`,
  },
});
