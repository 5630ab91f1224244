import type { DateSendState } from '../domain/date-send.ts';
import type { OutgoingRow } from '../domain/kinds/kind.ts';
import type { DateRule } from '../domain/person-date.ts';
import type { CredentialKind, Lang, SkippedNumber } from './stores.ts';

/** What a standing order sends, to whom, and when. */
export interface DateSend extends DateRule {
  readonly tag: string;
  /** The field of people that holds the date. */
  readonly field: string;
  /** Minutes after midnight in the chat's time zone. */
  readonly minute: number;
  /** With the fields of people in braces. */
  readonly text: string;
  readonly line: string;
  /** Of its cards, and of the names that its text has for what is known of everybody. */
  readonly lang: Lang;
}

/** One that is there. */
export interface DateSendView extends DateSend {
  readonly id: string;
  readonly state: DateSendState;
  /** In whose name its sends leave; null: nobody has switched it on, or resumed it since a backup was brought back. */
  readonly confirmedByName: string | null;
  /** The chat's account is not surely the one that it was switched on for. */
  readonly isOfOther: boolean;
}

/** One whose time has come, on some day or several. */
export interface DueDateSend extends DateSend {
  readonly id: string;
  readonly chatId: string;
  /** The chat's account of now. */
  readonly bindingId: string;
  /** Of the account's credentials. */
  readonly kinds: readonly CredentialKind[];
  readonly timeZone: string;
  readonly doneOn: string;
  /** The last day whose time has come. */
  readonly upTo: string;
}

/** What an order says, from which line and in which language: it sends nothing that was made by another. */
export type DateContent = Pick<DateSend, 'text' | 'line' | 'lang'>;

/** Some of those whose day it is, as one send. */
export interface DateRun {
  readonly orderId: string;
  readonly day: string;
  /** When its time was. */
  readonly due: Date;
  readonly occasion: number;
  readonly bindingId: string;
  /** As the order was when the rows were made. */
  readonly by: DateContent;
  /** One for each person. */
  readonly rows: readonly OutgoingRow[];
  /** Whose day it is too, and whom nothing can be sent. */
  readonly leftOut: readonly SkippedNumber[];
  readonly inAddress: boolean;
}

/** Where it is told that of those whose day it was nobody could be written to. */
export interface NobodyFits {
  readonly chatTelegramId: number;
  readonly chatId: string;
  readonly threadId: number | null;
  readonly lang: Lang;
  readonly tag: string;
  readonly field: string;
}
