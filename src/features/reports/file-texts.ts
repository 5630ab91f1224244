import type { JobState } from '../../domain/job.ts';
import type { TimeSpan } from '../../domain/time-range.ts';
import { operatorOf } from '../../domain/operator.ts';
import { displayRecipient, parseLine } from '../../domain/phone.ts';
import { defineTexts, type Locale } from '../../i18n/define.ts';
import type { Format } from '../../i18n/format.ts';
import { jalaliDayOf } from '../../domain/calendar.ts';
import type { SentMessage, StatusEntry } from '../../ports/gateway.ts';
import type { RecordedRecipient } from '../../ports/reports.ts';
import type { Table } from '../../ports/tables.ts';
import { countWords } from '../shared/count-words.ts';
import { operatorTexts } from '../shared/operator-texts.ts';
import { recipientStatus, STATUS_COUNTS } from './recipient-status.ts';

const columns = defineTexts({
  en: {
    date: 'date',
    card: 'card',
    number: 'number',
    line: 'line',
    state: 'state',
    raw: 'gateway state',
    word: "gateway's word",
    id: 'message id',
    text: 'text',
    checked: 'checked at',
    operator: 'first network',
    noAnswer: 'no answer',
  },
  fa: {
    date: 'تاریخ',
    card: 'کارت',
    number: 'شماره',
    line: 'خط',
    state: 'وضعیت',
    raw: 'کد پنل پیامک',
    word: 'گفتهٔ پنل پیامک',
    id: 'شناسهٔ پیام',
    text: 'متن',
    checked: 'زمان بررسی',
    operator: 'اپراتور موبایل اول',
    noAnswer: 'بدون پاسخ',
  },
});

/** Messages of the outbox, one row for each recipient. */
export function outboxTable(format: Format, rows: readonly SentMessage[]): Table {
  const c = columns(format.locale);
  return {
    header: [c.date, c.number, c.line, c.state, c.raw, c.word, c.id, c.text, c.operator],
    rows: rows.map((row) => [
      row.date === undefined ? '' : stamp(format, new Date(row.date * 1000)),
      displayRecipient(row.recipient ?? ''),
      row.line === undefined ? '' : (parseLine(row.line) ?? row.line),
      countWords(format.locale)[row.state.kind],
      String(row.state.raw),
      row.state.text,
      row.id,
      row.text,
      operatorName(format, row.recipient),
    ]),
  };
}

/** States by id; `missing` are ids of which the gateway said nothing. */
export function statusTable(
  { locale }: Format,
  entries: readonly StatusEntry[],
  missing: readonly string[],
): Table {
  const c = columns(locale);
  return {
    header: [c.id, c.number, c.state, c.raw, c.word],
    rows: [
      ...entries.map(({ id, recipient = '', state }) => [
        id,
        displayRecipient(recipient),
        countWords(locale)[state.kind],
        String(state.raw),
        state.text,
      ]),
      ...missing.map((id) => [id, '', c.noAnswer, '', '']),
    ],
  };
}

/** The recipients of one job, as far as Peyk itself knows. */
export function jobTable(format: Format, job: JobState, rows: readonly RecordedRecipient[]): Table {
  return { header: jobHeader(format), rows: rows.map((row) => jobRow(format, job, row)) };
}

/** The same of several jobs, each row with the code of its card. */
export function taggedTable(
  format: Format,
  rows: readonly (RecordedRecipient & { readonly job: JobState; readonly code: string })[],
): Table {
  return {
    header: [columns(format.locale).card, ...jobHeader(format)],
    rows: rows.map((row) => [row.code, ...jobRow(format, row.job, row)]),
  };
}

function jobHeader({ locale }: Format): string[] {
  const c = columns(locale);
  return [c.number, c.id, c.state, c.raw, c.word, c.checked, c.operator];
}

function jobRow(format: Format, job: JobState, row: RecordedRecipient): string[] {
  return [
    displayRecipient(row.recipient),
    row.messageId ?? '',
    countWords(format.locale)[STATUS_COUNTS[recipientStatus(row, job)]],
    row.rawState,
    row.word,
    row.checkedAt === null ? '' : stamp(format, row.checkedAt),
    operatorName(format, row.recipient),
  ];
}

function operatorName({ locale }: Format, recipient: string | undefined): string {
  return recipient === undefined ? '' : operatorTexts(locale).names[operatorOf(recipient)];
}

/** A day as a command takes it: `2026-11-24`, `1405/09/03`. Digits are Latin: it is copied. */
export function typedDay({ locale, timeZone }: Pick<Format, 'locale' | 'timeZone'>, instant: Date): string {
  if (locale === 'en') return isoDay(timeZone, instant);
  const { year, month, day } = jalaliDayOf(instant, timeZone);
  return [year, month, day].map((part) => String(part).padStart(2, '0')).join('/');
}

/** The part of a file's name that says of when it is: `2026-11-24`, or two days. */
export function fileSpan({ timeZone }: Pick<Format, 'timeZone'>, { from, to }: TimeSpan): string {
  return [...new Set([from, to].map((at) => isoDay(timeZone, new Date(at * 1000))))].join('_');
}

function stamp(format: { readonly locale: Locale; readonly timeZone: string }, instant: Date): string {
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone: format.timeZone, timeStyle: 'medium' });
  return `${typedDay(format, instant)} ${time.format(instant)}`;
}

function isoDay(timeZone: string, instant: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(instant);
}
