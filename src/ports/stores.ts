import type { DraftState } from '../domain/draft.ts';
import type { JobState, MissReason, PauseReason } from '../domain/job.ts';
import type { Outgoing } from '../domain/kinds/index.ts';
import type { Forbids, LimitVerdict, LineFindings, OverCap } from '../domain/limits.ts';
import type { Blocked, UntoldLine } from '../domain/outgoing.ts';
import type { HeldPace, Pace } from '../domain/pace.ts';
import type { Gauge } from '../domain/price.ts';
import type { Recurrence } from '../domain/recurrence.ts';
import type { Role } from '../domain/roles.ts';
import type { AccountDetails } from './gateway.ts';

/*
 * What the core asks of storage. Every method that changes more than one row does so in one
 * transaction, and says in its name what has happened when it returns.
 */

export type Lang = 'en' | 'fa';
export type ChatType = 'private' | 'group' | 'supergroup' | 'channel';
export type CredentialKind = 'api_key' | 'password' | 'token';

export interface ChatView {
  readonly id: string;
  readonly telegramId: number;
  readonly type: ChatType;
  readonly title: string;
  readonly lang: Lang | null;
  readonly timeZone: string | null;
  /** Whether phone numbers are shown whole in it; null: nobody has said. */
  readonly showsNumbers: boolean | null;
}

export interface PersonView {
  readonly id: number;
  readonly name: string;
  readonly lang: Lang | null;
  readonly mobile: string | null;
}

/** A live gateway account of a chat, without its credentials. */
export interface BindingView {
  readonly id: string;
  readonly kinds: readonly CredentialKind[];
  readonly keyTail: string;
  readonly accountName: string;
  readonly line: string | null;
}

/** Everything that is known of who speaks where, read in one statement for each update. */
export interface Identity {
  readonly chat: ChatView;
  readonly person: PersonView;
  readonly role: Role | null;
  readonly binding: BindingView | null;
  readonly form: { readonly updateId: number; readonly state: Uint8Array } | null;
  /** Alerts go here no more since Telegram said that the bot is not let in, or that there is no such chat. */
  readonly isShut: boolean;
}

export interface FormStore {
  write(key: string, updateId: number, state: Uint8Array): Promise<void>;
  remove(key: string): Promise<void>;
}

/** What an answer about the account tells of its user. */
export type ToldOfUser = Pick<AccountDetails, 'fullName' | 'nationalCode' | 'certificateNumber'>;

export interface ButtonSpec {
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Absent: anyone whose role suffices. */
  readonly personId?: number | undefined;
  readonly minRank: number;
  readonly draft?: { readonly id: string; readonly version: number } | undefined;
  readonly ttlSeconds: number;
  /** May be pressed again until it expires: looking has no effect. */
  readonly reusable?: boolean;
  /** The chat whose roles count and that a press acts upon; absent: the one in which the button stands. */
  readonly homeChatId?: string;
}

export type ButtonClaim =
  | {
      readonly ok: true;
      readonly action: string;
      readonly payload: Readonly<Record<string, unknown>>;
      /** Where its person's role counts, where that is not the chat in which it was pressed. */
      readonly home?: Pick<ChatView, 'telegramId' | 'type' | 'title'>;
      /** It only looks or asks, and may be pressed again. */
      readonly reusable?: true;
    }
  | {
      readonly ok: false;
      /** `own_question`: it answers what the person has asked of others. `left_out`: it would do, but is none of `only`. */
      readonly reason:
        | 'unknown'
        | 'other_chat'
        | 'other_person'
        | 'own_question'
        | 'role'
        | 'used'
        | 'changed'
        | 'expired'
        | 'left_out';
      readonly by?: { readonly id: number; readonly name: string; readonly at: Date };
    };

export interface ButtonStore {
  /** Writes the buttons of a message; returns one token each, of which only the hash is kept. */
  mint(chatId: string, buttons: readonly ButtonSpec[]): Promise<string[]>;
  /**
   * One statement: chat, person, role now, draft version, expiry and first use. The update that
   * used a token up gets the same answer again, so that a press survives a crash.
   */
  claim(press: {
    readonly token: string;
    readonly chatTelegramId: number;
    readonly personId: number;
    readonly updateId: number;
    /** The only actions that are taken up; absent: all. */
    readonly only?: readonly string[];
  }): Promise<ButtonClaim>;
}

export interface SkippedNumber {
  readonly raw: string;
  readonly reason: string;
}

/** Which buttons of a draft's card are in sight: those that decide, those that change it, or those that only look. */
export type Panel = 'edit' | 'look' | null;

export interface DraftView {
  readonly id: string;
  readonly code: string;
  readonly chatId: string;
  readonly bindingId: string;
  readonly authorId: number;
  readonly authorName: string;
  /** `asked`: its author has asked for a second person's approval. */
  readonly state: DraftState;
  readonly expired: boolean;
  /** It stands open in a backup that was brought back: what has become of it since is not known. */
  readonly restored?: boolean;
  readonly version: number;
  readonly outgoing: Outgoing;
  /** Empty where the kind has texts of its own. */
  readonly text: string;
  /** Each once; of several messages to one, one. */
  readonly recipients: readonly string[];
  readonly repeated: readonly SkippedNumber[];
  readonly invalid: readonly SkippedNumber[];
  /**
   * Who is left out of recipients and rows, since the line must not write to them; null: not looked up, or not told.
   * What a file leaves out is counted in its summary.
   */
  readonly blocked: readonly Blocked[] | null;
  /** When these were looked up last, the lines of which nothing was told. */
  readonly untold?: readonly UntoldLine[];
  readonly line: string;
  readonly flash: boolean;
  /** The card whose failures it sends again, and how many of that one it leaves out; null: none. */
  readonly resendOf: {
    readonly code: string;
    readonly unknown: number;
    readonly blocked: number;
    readonly restored?: boolean;
    /** Some turned out to have been sent to by an earlier try. */
    readonly answered?: boolean;
    /** Nobody knows whether an earlier try has reached some. */
    readonly doubted?: boolean;
  } | null;
  readonly lang: Lang;
  /** The received message that it answers, by a person or by a rule. */
  readonly answers?: { readonly inboundId: number; readonly isAuto: boolean };
  /** When it is to leave; null: as soon as it is confirmed. */
  readonly sendAt: Date | null;
  /** It settles messages in doubt the moment it is confirmed: it takes no time of its own. */
  readonly leavesAtOnce?: true;
  /** By which rule another one follows each time; its own time need not be one of the rule's. */
  readonly recur: Recurrence | null;
  /** For which time it stands where it was given another one, as long as this is its rule (`writeRecurrence`). */
  readonly slot?: { readonly rule: string; readonly at: Date };
  /** How fast it leaves at most; absent: as fast as it goes. */
  readonly pace?: HeldPace;
  /** The scheduled send that it stands for once it is confirmed; that one stays as it is until then. `state` null: it is gone. */
  readonly replaces?: { readonly code: string; readonly state: JobState | null; readonly at: Date | null };
  /** The code of the draft that stands for it since. */
  readonly replacedBy?: string;
  /** The send that it was, before somebody has undone that. `rowsGone`: of its file only what was to leave is there still. */
  readonly undoOf?: { readonly code: string; readonly by: string; readonly rowsGone: boolean };
  /** The draft that it was before its author has taken it up again, and who had rejected that; null: it had lapsed. */
  readonly againOf?: { readonly code: string; readonly rejectedBy: string | null };
  /** The code of the draft that it has become: an undone send, or what was not sent and taken up again. */
  readonly backAs?: string;
  /** Absent: the buttons that decide. */
  readonly panel?: NonNullable<Panel>;
  /** What people file it under. */
  readonly tag?: string;
  /** The standing order by which it was made: whose date of which field it goes by. */
  readonly byDate?: ByDate;
}

/** Whom a standing order writes to, and by which date of theirs. */
export interface ByDate {
  readonly tag: string;
  readonly field: string;
}

/** One rendered row of a file: the text is exactly what would leave. */
export interface SampleRow {
  /** From 0, among those that leave. */
  readonly index: number;
  /** Where it stands in the file, from 1. */
  readonly row: number;
  readonly recipient: string;
  readonly text: string;
}

/** How many recipients stand where; together they are all recipients of the job. */
export interface RecipientCounts {
  readonly planned: number;
  readonly onWire: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly unknown: number;
  readonly delivered: number;
  readonly failed: number;
  /** Taken by the gateway, and blocked as their report says. */
  readonly barred: number;
  /** Left out right before the call: on the line's blacklist by then. */
  readonly blocked: number;
}

/** Calls of a job by their places: from and to, each. */
export type SeenCalls = readonly (readonly [number, number])[];

/** What came of earlier tries: some turned out to have been sent to, or nobody knows whether some have been reached. */
export interface Earlier {
  readonly answered?: true;
  readonly doubted?: true;
}

export interface JobView {
  readonly id: string;
  readonly state: JobState;
  /** Its recipients and texts were past their time: only counts are kept. */
  readonly isEmptied: boolean;
  readonly holdUntil: Date;
  readonly confirmedByName: string;
  /** The second person, where the chat's limit asked for one. */
  readonly approvedByName: string | null;
  /** Who has undone, paused or stopped it; null: nobody, that came by itself. */
  readonly stoppedByName: string | null;
  /** When it began to leave, or last went on. */
  readonly startedAt: Date | null;
  /** Recipients whose calls were made since then; counted while it runs. */
  readonly leftSinceStart: number;
  /** Until when its pace or its hours have it wait; absent: it has none, or has not looked yet. */
  readonly waitsUntil?: Date;
  /** The cap of a day that has no room for any call of it; absent or null: none. */
  readonly outgrown?: OverCap | null;
  readonly endedAt: Date | null;
  /** Of an ended one: from its first call to its end; null where no call was made. */
  readonly tookMs: number | null;
  /** What it was counted as when it was confirmed; once it has ended, what has left of it. */
  readonly parts: number;
  /** Of those, as estimated; null where no price was known. */
  readonly priceRial: number | null;
  readonly stopReason: PauseReason | null;
  /** The account that it was confirmed for is linked still; of one that waits for its time, or surely the same is. */
  readonly isLinked: boolean;
  /** Why a missed one did not leave. */
  readonly missReason: MissReason | null;
  readonly counts: RecipientCounts;
  /** What the refusals mean (RefusalName), with the number of recipients each; '' where Peyk itself refused. */
  readonly refusals: readonly {
    readonly name: string;
    readonly recipients: number;
    /** What the gateway said with one of them, scrubbed; absent where nothing is known of it. */
    readonly said?: string;
  }[];
  /** Of the unknown: those that the gateway's lists could not settle, so that a person has to. */
  readonly asked: number;
  /** What is known of those; null when nobody is asked. */
  readonly doubt: {
    readonly calls: number;
    /** Which calls these are: what is shown is what a press decides about. */
    readonly seen: SeenCalls;
    /** Of the same calls, recipients that the lists do show. */
    readonly found: number;
    /** The lists are proved to be complete, and show none of those that are asked about. */
    readonly listsAreWhole: boolean;
    readonly looks: number;
    /** Null: there were no lists to look into. */
    readonly lookedAt: Date | null;
  } | null;
  /** Unknown ones that a person had sent again, by another card; they count nowhere else. */
  readonly resent: number;
  /** Of an ended one: those who surely got nothing and are in no other send since, and the cards of such sends. */
  readonly resend: { readonly failures: number; readonly by: readonly string[] };
  /** Of a rest that is held up, of what sends again: whether those in it may have been reached before. */
  readonly earlier?: Earlier;
  /** Unknown ones that a person said were sent; they count nowhere else either. */
  readonly said: number;
  /** True once no status can change any more, or polling has ended after 72 hours. */
  readonly settled: boolean;
  /** Its calls have come to something since that is to be reckoned with, see `settle` of jobs. */
  readonly toSettle: boolean;
}

/** What a second person has to do with a draft. */
export interface ApprovalView {
  /** For what it needs one; null: it needs nobody but its author. */
  readonly need: Extract<LimitVerdict, { readonly kind: 'approval' }> | null;
  /** Who could approve it now, a few of many: people other than the author whose role allows it. None in a private chat. */
  readonly by: readonly { readonly id: number; readonly name: string }[];
  /** Who has said no. */
  readonly rejectedByName: string | null;
}

/** What else has the same text for the same people. `at`: when it leaves or has left; null: it is a draft too. */
export interface Twin {
  readonly code: string;
  readonly at: Date | null;
}

export interface CardView {
  readonly draft: DraftView;
  readonly job: JobView | null;
  /** Of the account, while the draft can still become a job; null when nothing was read of it yet. */
  readonly gauge: Gauge | null;
  readonly approval: ApprovalView;
  /** What its line would have it say, and it does not. */
  readonly lacks: LineFindings['lacks'];
  /**
   * Of a draft that can still become a job, where that was asked for. `turnsInMs`: after so long the clock may change it,
   * before the draft ends.
   */
  readonly judged?: (Judged & { readonly turnsInMs: number | null }) | undefined;
  /** What else, of now or to come, has the same text for the same people as a draft that can still become a job. */
  readonly twin: Twin | null;
  /** The template that is called what the text of such a draft says, and nothing else. */
  readonly template: string | null;
  /** The row of a file that the card shows; null where there is no file, or nothing of it leaves. */
  readonly sample: SampleRow | null;
  readonly place: {
    readonly chatTelegramId: number;
    readonly threadId: number | null;
    readonly messageId: number | null;
    /** The process that has edited it last, and so knows what it shows. */
    readonly shownBy: string | null;
    /** The message that calls those who may approve it. */
    readonly callId: number | null;
    /** What the chat says of phone numbers; null: nothing, see `seesNumbers`. */
    readonly showsNumbers: boolean | null;
  };
  readonly timeZone: string | null;
}

export interface NewDraft {
  readonly chatId: string;
  readonly bindingId: string;
  readonly botId: number;
  readonly updateId: number;
  readonly authorId: number;
  readonly outgoing: Outgoing;
  readonly text: string;
  readonly recipients: readonly string[];
  readonly repeated: readonly SkippedNumber[];
  readonly invalid: readonly SkippedNumber[];
  readonly line: string;
  readonly flash?: boolean;
  readonly lang: Lang;
  readonly sendAt?: Date | undefined;
  readonly recur?: Recurrence | undefined;
  /** Attempts whose unknown recipients this draft sends to again: confirming it closes them. */
  readonly resends?: readonly string[];
  /** The draft whose failures this one sends to again, and how many of that one are left out. */
  readonly resendOf?: {
    readonly draftId: string;
    readonly code: string;
    readonly unknown: number;
    readonly blocked: number;
    /** A backup was brought back after that one had ended: who got nothing by it may have been sent to again. */
    readonly restored?: boolean;
    readonly answered?: boolean;
    readonly doubted?: boolean;
  };
  readonly byDate?: ByDate;
  /** The received message that it answers: its cards then follow this send. */
  readonly answers?: { readonly inboundId: number; readonly isAuto: boolean };
  readonly threadId: number | undefined;
  /** The message that asks for it; its edits are then followed. */
  readonly saidBy?: number | undefined;
  /** That message was edited: the open draft that it has made is written anew. */
  readonly isEdit?: boolean;
}

export interface DraftChange {
  readonly text?: string;
  /** The message that says that text. */
  readonly textBy?: number | undefined;
  readonly line?: string;
  readonly flash?: boolean;
  /** Null: as soon as it is confirmed, and once. */
  readonly when?: { readonly sendAt: Date; readonly recur: Recurrence | null } | null;
  /** Null: as fast as it goes. */
  readonly pace?: Pace | null;
}

/** A press of one version of a draft. */
export interface DraftPress {
  readonly draftId: string;
  readonly version: number;
  readonly personId: number;
  readonly updateId: number;
}

/** How the limits of a chat judge a send, for the moment in which it would leave. */
export interface Judged {
  readonly verdict: LimitVerdict;
  readonly leavesAt: Date;
}

/** A limit of the chat forbids it now. The draft stays as it was. */
export interface Limited extends Judged {
  readonly result: 'limited';
  readonly verdict: Forbids;
}

/** Why a draft cannot leave by any press. `past`: the time that it names is too near or over. */
export interface NotOpen {
  readonly result: 'already' | 'changed' | 'expired' | 'cancelled' | 'not_connected' | 'past';
}

/** A draft is a job now. */
export interface Confirmed {
  readonly result: 'confirmed';
  readonly jobId: string;
  readonly authorId: number;
}

/** `waits`: a second person has been asked; `short`: the credit does not suffice, and whoever pressed was not told so. */
export type ConfirmResult = Confirmed | { readonly result: 'waits' | 'short' | 'lacks' } | NotOpen | Limited;

/** `not_needed`: the limit does not ask for it any more; `nobody`: there is no second person who could. */
export type AskResult = { readonly result: 'asked' | 'not_needed' | 'nobody' } | NotOpen;

/** `own`: the author is no second person; `role`, `author_role`: the role by now does not allow it. */
export type ApproveResult =
  | Confirmed
  | { readonly result: 'own' | 'role' | 'author_role' | 'short' | 'lacks' }
  | { readonly result: 'words'; readonly words: readonly string[] }
  | NotOpen
  | Limited;

export type RejectResult = { readonly result: 'rejected' | 'own' | 'role' } | NotOpen;

export interface DraftStore {
  /** One draft for one update: a replay returns the draft that is there. */
  create(draft: NewDraft): Promise<{ readonly id: string; readonly created: boolean }>;
  /** `press`: as if somebody confirmed it now, it is judged by the limits of its chat. */
  card(draftId: string, press?: Pick<Leaving, 'undoSeconds' | 'timeZone'>): Promise<CardView | null>;
  findByCode(chatId: string, code: string): Promise<string | null>;
  /** The draft whose card a message of the chat is. */
  findByMessage(chatId: string, messageId: number): Promise<string | null>;
  /** The newest draft of the chat that a message has asked for, or whose text it has brought since. */
  findBySource(chatId: string, messageId: number): Promise<string | null>;
  /** The person's newest draft in this chat; `open`: of those that are open or asked for, `any`: of all but what a rule or a date has sent. */
  newest(chatId: string, personId: number, which: 'open' | 'any'): Promise<string | null>;
  /** Notes which message shows the card, and the process that has sent it; tells which one has shown it until now. */
  setCard(
    draftId: string,
    at: { readonly messageId: number; readonly threadId: number | null },
    shownBy: string,
  ): Promise<number | null>;
  /** Notes the process that edits the card; null: what it shows is not known. */
  claimCard(draftId: string, shownBy: string | null): Promise<void>;
  /** Notes which message calls those who may approve the draft. */
  setCall(draftId: string, messageId: number): Promise<void>;
  /** That message is no more; one that has been said since stays noted. */
  forgetCall(draftId: string, messageId: number): Promise<void>;
  /**
   * Has the queue bring the card up to date in a moment, or once more after so long. `turn`: when the clock changes what it
   * shows; a running send keeps the time of a card that waits, and such a time may be far off.
   */
  showLater(draftId: string, afterMs?: number, why?: 'card' | 'turn'): Promise<void>;
  /** Has the queue bring the cards of all drafts up to date that can still be confirmed: of a chat, or (null) of all. */
  showOpen(chatId: string | null): Promise<void>;
  /**
   * Changes an open draft and makes its next version; false when it is not open at that version. One whose approval
   * was asked for is open again: what was asked is void.
   */
  edit(draftId: string, version: number, change: DraftChange): Promise<boolean>;
  /**
   * Notes who is blocked of the recipients of an open draft, or of a send that was missed, and which lines did not tell. The draft's version stays: fewer
   * leave, nothing else changes.
   */
  setBlocked(
    draftId: string,
    version: number,
    found: { readonly blocked: readonly Blocked[]; readonly untold: readonly UntoldLine[] },
  ): Promise<void>;
  /** Has other buttons of its card in sight, or another rendered row of a file, which changes nothing of the draft. */
  turn(draftId: string, panel: Panel, row?: number): Promise<void>;
  cancel(draftId: string, version: number, personId: number, updateId: number): Promise<boolean>;
  /** Makes a draft again of what was rejected or has lapsed, once; null: the rows of its file are no longer kept. */
  takeUp(draftId: string, personId: number): Promise<string | null>;
  /** Cancels the person's newest draft in this chat that is open or asked for; returns its code. */
  cancelNewest(chatId: string, personId: number, updateId: number): Promise<string | null>;
  /**
   * Draft to job, attempts, audit row and queue entry in one transaction: all of it or none. The chat's limits are
   * read and what it uses of them is written in it too, one confirmation of a chat after the other.
   * @param timeZone the chat's: of its day and its sending window.
   */
  confirm(press: DraftPress & Leaving): Promise<ConfirmResult>;
  /** Asks for a second person's approval of an open draft above the chat's limit. The question stands for a day. */
  ask(press: DraftPress): Promise<AskResult>;
  /** A second person confirms exactly the version that was asked for, in the author's name; else as `confirm`. */
  approve(press: DraftPress & Leaving): Promise<ApproveResult>;
  /** A second person ends a draft that was asked for. */
  reject(press: DraftPress): Promise<RejectResult>;
}

interface Leaving {
  /** The card that was pressed says that the credit does not suffice. */
  readonly warned?: boolean;
  /** It says that the text lacks what its line would have it say. */
  readonly lacking?: boolean;
  /** Those words that it says the text has, and for which a second person is asked. */
  readonly words?: readonly string[];
  readonly undoSeconds: number;
  readonly timeZone: string;
}

export interface AuditRecord {
  readonly id: number;
  readonly at: Date;
  readonly person: { readonly id: number; readonly name: string } | null;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
}
