import { DEFAULT_ACCOUNTS } from './default-accounts.ts';
import { sendForeign } from './send.ts';
import { tehranDay, tehranMidnight } from './tehran.ts';
import type { World } from './world.ts';

/** The default accounts before anything has happened to them. */
export const DEMO_ACCOUNTS = DEFAULT_ACCOUNTS.map((each) => ({ ...each, inbox: [] }));

const DAYS = 7;
const MINUTE_MS = 60_000;
/** Rial, before what the week costs: as much as can be had where the forecast still tells for how many days. */
const CREDIT = 400_000_000;
/** What has come in last is unread. */
const UNREAD = 3;
/** How much a shop sends on each day of the week, from Thursday on. */
const BUSY = [1.2, 0.4, 1, 0.9, 1.1, 0.95, 1.05] as const;

interface Mailing {
  /** Minutes after midnight. */
  readonly minute: number;
  readonly line: string;
  readonly people: number;
  /** Goes on one day of so many. */
  readonly every: number;
  readonly text: string;
}

const MAILINGS: readonly Mailing[] = [
  { minute: 22, line: '3000123456', people: 24, every: 1, text: 'نیک‌شاپ: سفارش شما ثبت شد.' },
  { minute: 415, line: '3000123456', people: 38, every: 1, text: 'نیک‌شاپ: سفارش شما ثبت شد.' },
  {
    minute: 545,
    line: '3000123456',
    people: 240,
    every: 1,
    text: 'نیک‌شاپ: سفارش شما آماده است و امروز ارسال می‌شود.',
  },
  {
    minute: 800,
    line: '50001234',
    people: 70,
    every: 1,
    text: 'Nik Shop: your order is on its way and arrives today between 14:00 and 18:00.',
  },
  {
    minute: 1055,
    line: '3000123456',
    people: 900,
    every: 3,
    text: 'نیک‌شاپ: تا پایان هفته همهٔ کفش‌ها با ۲۰ درصد تخفیف. خرید در فروشگاه یا در سایت. برای لغو پیامک‌ها عدد 11 را بفرستید.',
  },
];

/** Minutes after midnight at which customers write. */
const WRITTEN = [12, 642, 1108] as const;
const WORDS = [
  'سلام، سفارشم کی ارسال می‌شود؟',
  'Can I still change the address of my order?',
  'ممنون، بسته سالم به دستم رسید 🙏',
  'سایز ۴۲ این مدل را هم دارید؟',
  'Is the discount still on tomorrow?',
  'سلام، ساعت کاری شما چیست؟',
  '11',
  'کد پیگیری را گم کردم. دوباره می‌فرستید؟',
  'Thanks, got it',
  'هزینهٔ ارسال به شیراز چقدر است؟',
  'لطفاً فردا عصر با من تماس بگیرید.',
];

/**
 * Gives the demo account the week before now: sends with their ends, what they cost, and what people wrote back. What
 * a day brings depends on the day alone: whoever looks again after another start finds it as it was.
 */
export function liveDemoWeek(world: World): void {
  const account = world.account('demo');
  if (account === undefined) throw new Error('there is no demo account');
  account.credit = CREDIT;
  const today = tehranDay(world.now());
  for (let day = today - DAYS; day <= today; day += 1) {
    for (const { at, happen } of eventsOf(day)) if (at < world.now()) happen(at);
  }
  for (const message of account.inbox.slice(0, -UNREAD)) message.read = true;

  function eventsOf(day: number) {
    const at = (minute: number): number => tehranMidnight(day) + minute * MINUTE_MS;
    const sends = MAILINGS.filter(({ every }) => day % every === 0).map(({ minute, line, people, text }) => ({
      at: at(minute),
      happen: (sentAt: number) =>
        send(sentAt, line, text, customers(day * 37 + minute, people * (BUSY[day % BUSY.length] ?? 1))),
    }));
    const written = WRITTEN.map((minute, index) => ({
      at: at(minute + (day % 23)),
      happen: (writtenAt: number) => write(writtenAt, day * WRITTEN.length + index),
    }));
    return [...sends, ...written].toSorted((one, other) => one.at - other.at);
  }

  function send(at: number, from: string, message: string, recipients: readonly string[]): void {
    if (account === undefined) return;
    const request = { from, recipients, message, flash: false, anyNumberOfRecipients: true, at };
    const sent = sendForeign(world, account, request);
    if ('refused' in sent) throw new Error(`the demo week: ${sent.refused}`);
  }

  function write(at: number, turn: number): void {
    if (account === undefined) return;
    const [line = ''] = account.lines;
    world.receive(account, {
      from: customer(turn * 12 + 1),
      line,
      text: WORDS[turn % WORDS.length] ?? '',
      at,
    });
  }
}

const CUSTOMERS = 4000;
const NETWORKS = ['12', '35', '19', '36', '01', '21'] as const;

/** Different ones, others from each beginning. */
function customers(begin: number, count: number): string[] {
  return Array.from({ length: Math.round(count) }, (_, index) => customer((begin + index * 7) % CUSTOMERS));
}

/** Ten digits. By their end most are delivered, about one in thirty is not, and few are never reported. */
function customer(index: number): string {
  const network = NETWORKS[index % NETWORKS.length];
  const body = String(1000 + ((index * 7919) % 9000));
  return `9${network}${body}${endOf(index)}`;
}

function endOf(index: number): string {
  if (index % 37 === 5) return '100';
  if (index % 173 === 9) return '901';
  if (index % 211 === 3) return '902';
  if (index % 307 === 8) return '903';
  return String(110 + (index % 89));
}
