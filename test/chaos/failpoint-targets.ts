import type { Target } from './failpoint-source.ts';

/** The way of a message from the press to its card: whose awaits have a failpoint on either side. */
export const TARGETS: readonly Target[] = [
  // The command comes in, the press after it, and each is taken up once.
  { file: 'src/telegram/updates/intake.ts', functions: ['accept', 'enter', 'flush'] },
  { file: 'src/storage/update-store.ts', functions: ['accept', 'done'] },
  { file: 'src/telegram/dispatch/press.ts', functions: ['takePress'] },
  { file: 'src/storage/button-store.ts', functions: ['claim'] },
  { file: 'src/features/sending/index.ts', functions: ['answer', 'decided', 'leaving'] },
  { file: 'src/storage/draft-store.ts', functions: ['insertDraft', 'confirm'] },
  // The transaction that confirms.
  {
    file: 'src/storage/draft-press.ts',
    functions: ['holdDraft', 'holdUnder', 'holdForSending', 'limitedIn'],
  },
  {
    file: 'src/storage/draft-confirmation.ts',
    functions: ['confirmIn', 'makeJob', 'planCalls'],
  },
  { file: 'src/storage/limits-in.ts', functions: ['holdLimits', 'holdLimitsOf', 'spentOnDayIn'] },
  { file: 'src/storage/enqueue.ts', functions: ['enqueueAll', 'ask'] },
  // The job, its calls, and its end.
  { file: 'src/jobs/run-task.ts', functions: ['runTask', 'attempt'] },
  { file: 'src/features/sending/run/sender.ts', functions: ['createSender'] },
  { file: 'src/features/sending/run/job-run.ts', functions: ['runJob'] },
  { file: 'src/features/sending/run/one-call.ts', functions: ['makeOneCall', 'openCall', 'call'] },
  {
    file: 'src/storage/job-control.ts',
    functions: ['start', 'readStart', 'stop', 'finish', 'schedule', 'finishIn', 'endIn'],
  },
  { file: 'src/storage/job-charge.ts', functions: ['settleJobIn', 'chargeIn'] },
  { file: 'src/storage/batch.ts', functions: ['go'] },
  { file: 'src/storage/call-store.ts', functions: ['reserve', 'goOnWire', 'recordTogether', 'record'] },
  { file: 'src/storage/call-writes.ts', functions: ['fence', 'recordAll'] },
  {
    file: 'src/storage/reserve-in.ts',
    functions: ['reserveIn', 'holdJob', 'planned'],
  },
  { file: 'src/storage/take-calls.ts', functions: ['takeCalls'] },
  // The wire.
  { file: 'src/gateway/calls.ts', functions: ['send'] },
  {
    file: 'src/gateway/transport/write-once.ts',
    functions: ['writeOnce', 'askFence', 'callSafely', 'exchange'],
  },
  { file: 'src/gateway/transport/transport.ts', functions: ['write'] },
  { file: 'src/gateway/transport/dial-ahead.ts', functions: ['take', 'timed'] },
  { file: 'src/gateway/transport/dial.ts', functions: ['dial', 'dialGuarded'] },
  // The card.
  { file: 'src/features/sending/cards.ts', functions: ['refresh', 'follow', 'show'] },
  { file: 'src/telegram/outgoing/notifier.ts', functions: ['show', 'showCard'] },
  { file: 'src/telegram/buttons.ts', functions: ['keyboard'] },
];

/** Awaits of these functions that none of the scenes comes to, by what is awaited or by its lines, and why. */
export interface Exception {
  readonly file: string;
  readonly code?: RegExp;
  readonly lines?: RegExp;
  readonly why: string;
}

export const ELSEWHERE: readonly Exception[] = [
  {
    file: 'src/telegram/updates/intake.ts',
    code: /^announce\(\)/u,
    why: 'an update for another process, by webhook',
  },
  {
    file: 'src/telegram/dispatch/press.ts',
    code: /^(?:leaveOut|atHome)\(|tooFast/u,
    why: 'a press too many, or in a channel of the chat',
  },
  {
    file: 'src/storage/draft-store.ts',
    code: /^rewriteIn/u,
    why: 'a draft that is changed by a new message',
  },
  {
    file: 'src/storage/draft-confirmation.ts',
    code: /'rejected', 'blocked'/u,
    why: 'a number on the blacklist',
  },
  { file: 'src/storage/limits-in.ts', code: /unpriced/u, why: 'a cap of the day' },
  { file: 'src/jobs/run-task.ts', code: /^comeAgain/u, why: 'more jobs of one account than it has room for' },
  { file: 'src/features/sending/run/job-run.ts', code: /^jobs\.nameNumbers/u, why: 'a phonebook' },
  { file: 'src/storage/reserve-in.ts', code: /^reserveIn/u, why: 'two equal sends' },
  {
    file: 'src/features/sending/cards.ts',
    code: /^(?:retire|lane\.going|deps\.drafts\.claimCard)/u,
    why: 'two drawings of one card at once: the storms come there',
  },
  { file: 'src/features/sending/cards.ts', code: /showAnswered/u, why: 'an answer to a received message' },
  { file: 'src/storage/draft-confirmation.ts', code: /^reviewCreditIn/u, why: 'a time to wait for' },
  {
    file: 'src/telegram/dispatch/press.ts',
    code: /^ctx\.answer.+press\.(?:unknown|failed)/u,
    why: 'forged, or no database',
  },
  {
    file: 'src/features/sending/index.ts',
    code: /^(?:cards\.bring|drafts\.card|tellPress)/u,
    why: 'a press that confirms nothing',
  },
  { file: 'src/storage/draft-confirmation.ts', code: /bulk_call/u, why: 'a file' },
  { file: 'src/storage/draft-store.ts', code: /^enqueueStep/u, why: 'a file' },
  { file: 'src/jobs/run-task.ts', code: /^giveUp/u, why: 'a task that this version does not know' },
  {
    file: 'src/features/sending/run/sender.ts',
    code: /NO_ROOM_MS|^begin\(next\)|^makeCalls\(next/u,
    why: 'more jobs of one account than it has room for',
  },
  { file: 'src/features/sending/run/sender.ts', code: /restMs/u, why: 'more calls than may be out at once' },
  {
    file: 'src/features/sending/run/sender.ts',
    code: /started\.waitMs/u,
    why: 'a hold or a time to wait for',
  },
  {
    file: 'src/features/sending/run/sender.ts',
    lines: /LOOK_AGAIN_MS/u,
    why: 'another process holds the rest',
  },
  { file: 'src/features/sending/run/sender.ts', code: /EARLIER|earlier_unknown/u, why: 'two equal sends' },
  { file: 'src/features/sending/run/sender.ts', code: /^clock\.sleep/u, why: 'no database' },
  {
    file: 'src/features/sending/run/job-run.ts',
    code: /^jobs\.dropBlocked/u,
    why: 'a number on the blacklist',
  },
  {
    file: 'src/features/sending/run/one-call.ts',
    code: /not_connected/u,
    why: 'an account that is unlinked',
  },
  {
    file: 'src/features/sending/run/one-call.ts',
    code: /^persist.+release/u,
    why: 'a stop between two steps',
  },
  { file: 'src/features/sending/run/one-call.ts', code: /^persist.+unknown\)/u, why: 'a mistake of ours' },
  {
    file: 'src/storage/job-control.ts',
    lines: /!isStarted/u,
    why: 'a send that must not start, now that its time has come',
  },
  { file: 'src/storage/draft-press.ts', code: /^costIn/u, why: 'a cap in rial' },
  { file: 'src/storage/job-charge.ts', code: /^rowsIn/u, why: 'rows with texts of their own' },
  { file: 'src/storage/call-store.ts', code: /^recordAlone/u, why: 'a call whose row somebody else holds' },
  {
    file: 'src/storage/reserve-in.ts',
    code: /^planned\(tx, jobId, window\)$/u,
    why: 'two equal sends, or a job of hundreds of calls',
  },
  {
    file: 'src/features/sending/cards.ts',
    code: /showLater/u,
    why: 'two processes that show one card at once: the storms come there',
  },
  { file: 'src/gateway/transport/dial.ts', code: /Tunnel|wrapTls/u, why: 'TLS and proxies' },
];
