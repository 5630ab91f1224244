import type { Format } from '../../i18n/format.ts';
import type { DeploymentHealth } from '../../ports/health.ts';
import type { OpenWork } from '../../ports/metrics.ts';
import { lines, type Html } from '../../telegram/html.ts';
import { texts } from './texts.ts';

/** The headings of the operations guide that a line may send to. */
export const SECTIONS = {
  alarm: 'When an alarm rings',
  alerts: 'Alerts that come to people',
  sends: 'Sends that need somebody',
  processes: 'Several processes',
  database: 'The database',
  keys: 'The master key',
} as const;

const SLOW_MS = 1000;
const DUE_SECONDS = 300;
const OUT_SECONDS = 120;
const UNKNOWN_SECONDS = 900;
const WAITING_UPDATES = 100;
const LEAST_LATE_SECONDS = 60;
/** So many of its own intervals an account may wait before that is worth a word. */
const LATE_INTERVALS = 3;
const PUT_OFF_AN_HOUR = 10;
const HOUR_MS = 3_600_000;
const GB = 1e9;
const LEAST_FREE = { bytes: GB, share: 0.05 };

/** Line by line what is well and what is not, and for that what to do. */
export function healthCard(health: DeploymentHealth, format: Format, now: Date): Html {
  const t = texts(format.locale);
  const line = lineIn(format);
  const { standing, disk, foreignSeals: foreign, telegram } = health;
  const hours = Math.max(1, health.upMs / HOUR_MS);
  return lines(
    t.head(format.time(now)),
    t.well(t.process(health.version, format.duration(health.upMs), health.roles)),
    databaseLine(health, format),
    ...(standing === null
      ? [t.ill(t.unread, t.unreadAdvice, SECTIONS.database)]
      : standingLines(standing, health, format)),
    line(
      telegram.isWell ? t.comes(telegram.way) : t.comesNot(telegram.way),
      !telegram.isWell && t.comesAdvice,
      SECTIONS.alarm,
    ),
    line(
      t.putOff(format.count(telegram.putOff, t.putOffCalls)),
      telegram.putOff > PUT_OFF_AN_HOUR * hours && t.putOffAdvice,
      SECTIONS.alarm,
    ),
    foreign !== null &&
      line(
        foreign === 0 ? t.keys : t.foreign(format.count(foreign, t.credentials)),
        foreign > 0 && t.keysAdvice,
        SECTIONS.keys,
      ),
    disk === 'unread' && t.ill(t.diskUnread, t.diskAdvice, SECTIONS.database),
    disk !== null && disk !== 'unread' && diskLine(disk, format),
  );
}

/** Well, or not: then with what to do and where it is told at length. */
function lineIn({ locale }: Format) {
  const t = texts(locale);
  return (what: Html, advice: string | false, section: string): Html =>
    advice === false ? t.well(what) : t.ill(what, advice, section);
}

function databaseLine({ database }: DeploymentHealth, format: Format): Html {
  const t = texts(format.locale);
  if (database === null) return t.ill(t.databaseAway, t.awayAdvice, SECTIONS.database);
  const { answerMs: ms } = database;
  const answers = t.database(format.number(Math.max(1, Math.round(ms))));
  return lineIn(format)(answers, ms > SLOW_MS && t.databaseAdvice, SECTIONS.database);
}

function standingLines(now: OpenWork, { leadsHere, inboxSeconds }: DeploymentHealth, format: Format): Html[] {
  const t = texts(format.locale);
  const line = lineIn(format);
  const age = (seconds: number): string | null => (seconds < 1 ? null : format.duration(seconds * 1000));
  const leader = leadsHere ? 'here' : now.leaders > 0 ? 'elsewhere' : 'nobody';
  const { on_wire: out, unknown, asked } = now.attempts;
  const isStuck = now.oldestOnWireSeconds > OUT_SECONDS || now.oldestUnknownSeconds > UNKNOWN_SECONDS;
  const late = Math.max(LEAST_LATE_SECONDS, LATE_INTERVALS * inboxSeconds);
  const { number } = format;
  const some = (count: number): string | null => (count === 0 ? null : number(count));
  return [
    line(
      t.alive(format.count(now.processes, t.processes), leader),
      (leader === 'nobody' || now.processes === 0) && t.leaderAdvice,
      SECTIONS.processes,
    ),
    line(
      t.work(number(now.jobsDue), age(now.oldestJobSeconds), some(now.jobsFailed)),
      now.oldestJobSeconds > DUE_SECONDS ? t.dueAdvice : now.jobsFailed > 0 && t.failedAdvice,
      SECTIONS.alarm,
    ),
    line(
      t.calls(
        number(out),
        age(now.oldestOnWireSeconds),
        some(unknown + asked),
        age(now.oldestUnknownSeconds),
      ),
      isStuck && t.callsAdvice,
      SECTIONS.sends,
    ),
    ...(now.heldSeconds === null
      ? []
      : [t.ill(t.held(format.duration(now.heldSeconds * 1000)), t.heldAdvice, SECTIONS.sends)]),
    line(
      t.updates(number(now.updatesOpen)),
      now.updatesOpen > WAITING_UPDATES && t.updatesAdvice,
      SECTIONS.alarm,
    ),
    line(t.polls(age(now.pollLagSeconds)), now.pollLagSeconds > late && t.pollsAdvice, SECTIONS.alarm),
    line(
      t.accounts(number(now.accounts), some(now.accountsHalted), some(now.accountsFailing)),
      now.accountsFailing > 0 && t.accountsAdvice,
      SECTIONS.alerts,
    ),
  ];
}

function diskLine(
  { freeBytes, allBytes }: { readonly freeBytes: number; readonly allBytes: number },
  format: Format,
): Html {
  const t = texts(format.locale);
  const inGb = (bytes: number): string => format.number(Math.round((bytes / GB) * 10) / 10);
  const isLow = freeBytes < LEAST_FREE.bytes || freeBytes < allBytes * LEAST_FREE.share;
  return lineIn(format)(t.disk(inGb(freeBytes), inGb(allBytes)), isLow && t.diskAdvice, SECTIONS.database);
}
