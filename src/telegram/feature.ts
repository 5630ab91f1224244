import type { z } from 'zod';
import type { Permission } from '../domain/roles.ts';
import type { Locale } from '../i18n/define.ts';
import type { FacetName } from '../ports/gateway.ts';
import type { Action } from './action.ts';
import type { Html } from './html.ts';
import type { RequestContext } from './request-context.ts';

type TextSchema = z.ZodType<unknown, string>;

/** One argument of a command: how it is read from a line, asked for, checked and refused. */
export interface Argument<S extends TextSchema = TextSchema> {
  /** From what was typed to what the handler gets; what it refuses is asked for again. */
  readonly schema: S;
  /** Takes its text off the front of a line; absent: one word. `null` leaves it to the form alone. */
  readonly take?: ((input: string) => { readonly value: string; readonly rest: string }) | null;
  /** As it stands in the usage line, without brackets. */
  readonly usage: (locale: Locale) => string;
  /** The question; `known` are the texts of the arguments before it, `choices` what is offered below it, where that is read. */
  readonly ask: (
    request: RequestContext,
    known: Readonly<Record<string, string>>,
    choices?: readonly Choice[],
  ) => Html;
  /** Why what was typed will not do, and what would. */
  readonly problem: (locale: Locale, typed: string, request?: RequestContext) => Html;
  /** Not asked for when the line leaves it out. */
  readonly optional?: boolean;
  /** Whether there is what a text names, which its schema cannot tell: looked up before the next is asked for. */
  readonly isThere?: (request: RequestContext, typed: string) => Promise<boolean>;
  /** Asked only then; absent: whenever it is missing. */
  readonly askWhen?: (request: RequestContext) => boolean;
  /** The message that holds it is deleted at once. */
  readonly secret?: boolean;
  /** Its schema takes any words, of which a no is none that somebody means: it ends the question. */
  readonly endsByNo?: boolean;
  /** A document will do as well: its text is then a reference (file-reference.ts), which the schema sees too. */
  readonly file?: boolean;
  /** A contact will do as well, by a number of it. */
  readonly contact?: boolean;
  /** Where a line that needs it leaves it out, it is what the message says which that line answers. */
  readonly answered?: boolean;
  /** Where a line names none, it is that of the card which the line answers, or whose topic it is in. */
  readonly shown?: {
    readonly of: Exclude<keyof Shown, 'draft'>;
    readonly isNamedBy: (typed: string) => boolean;
  };
  /** Answers offered as buttons below the question; `known` has here also what was answered and refused. */
  readonly choices?: (
    request: RequestContext,
    known: Readonly<Record<string, string>>,
  ) => Promise<readonly Choice[]>;
}

export type Choice =
  /** `known`: what it says of other arguments beside; an empty text takes one back. */
  | { readonly label: string; readonly value: string; readonly known?: Readonly<Record<string, string>> }
  /** Leaves for another form, with what is known and what this says of it. */
  | { readonly label: string; readonly form: string; readonly known?: Readonly<Record<string, string>> }
  /** Is no answer yet: the question is put once more, in its place, with these texts of arguments beside the known ones. */
  | { readonly label: string; readonly known: Readonly<Record<string, string>> };

type Arguments = Readonly<Record<string, Argument>>;
type Values<A extends Arguments> = {
  readonly [K in keyof A]: A[K]['optional'] extends true
    ? z.output<A[K]['schema']> | undefined
    : z.output<A[K]['schema']>;
};

/** A command as the kit sees it: parser, form, help, menu entry, guard and errors all come from this. */
export interface Command {
  readonly name: string;
  /** `null`: open to anyone. */
  readonly permission: Permission | null;
  /** Open to anyone until an account is linked; from then on help and menus show it only to who holds this. */
  readonly onceLinked?: Permission;
  /** The facet without which the command cannot work. */
  readonly facet?: FacetName;
  /** What does the like without that facet. */
  readonly instead?: string;
  /** Where it can be given. */
  readonly place: 'anywhere' | 'private';
  /**
   * The people who may type one that has no `about`, in their private chat with the bot: for anybody else, and elsewhere, there
   * is no such command.
   */
  readonly typedBy?: readonly number[];
  /** Names of this shape are typed for it, and are then its one argument: `/A41`. */
  readonly calledAs?: RegExp;
  /** Words that people type for its name, each as `foldWord` gives it: this one is then suggested. */
  readonly alsoCalled?: readonly string[];
  /** Keeps money from being spent, always or when it is given so: it works also where too much else was asked of the bot. */
  readonly urgent?: boolean | ((typed: Readonly<Record<string, string>>) => boolean);
  /**
   * What it does, for help and menus: at most 256 characters. Null: a form that buttons lead to, not a command that is typed,
   * on no menu and in no help.
   */
  readonly about: ((locale: Locale) => string) | null;
  /** A whole line that works as it stands, such as `/status A41`, for its help. */
  readonly example?: (locale: Locale) => string;
  /** A whole run with it, step by step, for its help. */
  readonly walk?: (locale: Locale) => Html;
  /** One of the few that people use every day, which Telegram's menu shows; `until_linked`: only before there is an account. */
  readonly everyday?: true | 'until_linked';
  /** What it makes can still change: the message with it may be edited. */
  readonly followsEdits?: true;
  /** The label under which it is offered what came without a command: a file, or words. */
  readonly offer?: {
    readonly file?: (locale: Locale) => string;
    readonly words?: (locale: Locale) => string;
    /** It takes a number of a contact: the label with the number as it is shown. */
    readonly contact?: (locale: Locale, number: string) => string;
    /** The name of the contact goes behind its number. */
    readonly contactName?: true;
    /** It takes words beside a file: the label where the file came before them. */
    readonly wordsToFile?: (locale: Locale, fileName: string) => string;
  };
  readonly args: Arguments;
  /** Ends a question of it that was cancelled, in the place of the kit's own words; `known` are the texts that it had. */
  readonly cancelled?: (request: RequestContext, known: Readonly<Record<string, string>>) => Promise<void>;
  /** Runs with the text of each argument; throws `bad_input` when a text is refused by its schema. */
  run(request: RequestContext, typed: Readonly<Record<string, string>>): Promise<void>;
}

/** A command that people type, and read about in help. */
export type TypedCommand = Command & { readonly about: NonNullable<Command['about']> };

export function isTyped<C extends Command>(command: C): command is C & TypedCommand {
  return command.about !== null;
}

/** Whether somebody means a command by a word, as `foldWord` gives it: its name, or another one that people have for it. */
export function isCalled({ name, alsoCalled }: Pick<Command, 'name' | 'alsoCalled'>, word: string): boolean {
  return word === name || alsoCalled?.includes(word) === true;
}

/** Declares a command. Its handler gets what the schemas make of the typed texts. */
export function defineCommand<const A extends Arguments>(
  command: Omit<Command, 'args' | 'run' | 'place'> & {
    readonly place?: Command['place'];
    readonly args: A;
    readonly run: (request: RequestContext, values: Values<A>) => Promise<void>;
  },
): Command {
  const { args, run, place = 'anywhere' } = command;
  return {
    ...command,
    place,
    run: async (request, typed) => {
      const entries = Object.entries(args).map(([name, argument]) => {
        const text = typed[name];
        return [name, text === undefined ? undefined : argument.schema.parse(text)] as const;
      });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each entry was made by the schema of its name just above
      await run(request, Object.fromEntries(entries) as Values<A>);
    },
  };
}

/** The headings of help, in their order. */
export const TOPICS = [
  'sending',
  'reports',
  'inbox',
  'phonebooks',
  'blacklist',
  'account',
  'team',
  'general',
] as const;

export type Topic = (typeof TOPICS)[number];

/** One capability of the product: what it adds to the chat. */
export interface Feature {
  readonly name: string;
  /** Where its commands stand in help; absent: `general`. */
  readonly topic?: Topic;
  readonly commands: readonly Command[];
  readonly actions?: readonly Action[];
  /** Payloads of the deep links `t.me/<bot>?start=…`, by their first letter and an underscore. */
  readonly starts?: Readonly<Record<string, (request: RequestContext, token: string) => Promise<void>>>;
  /**
   * A message that is no command and replies to one of the bot's, of which is given what the reply brings along. False:
   * to none that this feature knows of.
   */
  readonly replied?: (request: RequestContext, target: OwnMessage, said: Said) => Promise<boolean>;
  /**
   * What the card shows which a command replies to, what was made of the message of a person's that it replies to, or what the
   * topic is about; null: nothing that this feature knows of, or it is not for this person.
   */
  readonly shownBy?: (request: RequestContext, target: OwnMessage | null) => Promise<Shown | null>;
  /**
   * Words that are meant for the bot and are no command and no answer. False: this feature knows nothing of them.
   * `isOrder`: its person's own, and said to the bot; what is forwarded, or talk below a message of its in a group, orders nothing.
   */
  readonly meant?: (
    request: RequestContext,
    words: string,
    how: { readonly isOrder: boolean },
  ) => Promise<boolean>;
  /** What a person does by a reaction to a message of the bot's, by its emoji; all others are for the people. */
  readonly reacted?: Readonly<Record<string, (request: RequestContext, messageId: number) => Promise<void>>>;
  /**
   * A message was edited, to these words or, null, to a command. Null: this feature has made nothing of it. `told`: its person
   * knows what becomes of the edit; else the command is given once more, and then is shown what has come of it.
   */
  readonly edited?: (
    request: RequestContext,
    words: string | null,
  ) => Promise<'told' | (() => Promise<void>) | null>;
}

/** A message of the bot's as Telegram shows it to those who reply. */
export interface OwnMessage {
  readonly id: number;
  /** Without the marks of direction. */
  readonly text: string;
  /** The same without the names and texts of others in it. */
  readonly ownWords: string;
}

/** What a card can stand for in a command below it, as it would be typed. */
export interface Shown {
  /** A received message. */
  readonly message?: string;
  /** Its sender; null: no mobile. */
  readonly number?: string | null;
  /** A send, by the code of its card. */
  readonly send?: string;
  /** The same by its id, as questions about it know it. */
  readonly draft?: string;
}

/** What somebody says in a reply. */
export interface Said {
  /** Of a picture or a file, what is written below it. */
  readonly text: string;
  readonly isText: boolean;
  /** Another piece of an album of which a piece has come before. */
  readonly isFurther: boolean;
  /** Nothing but a name by which a command is called, such as the code of a card. */
  readonly isCode: boolean;
  /** Nothing but the name of a command for which every second counts: `stop!`, `لغو`. */
  readonly isCry: boolean;
}

/**
 * Reads what stands behind a command into the texts of its arguments.
 * @param below what the message says that the command's one answers, and what it speaks of
 */
export function readLine(
  command: Command,
  input: string,
  {
    answered = null,
    shown = null,
  }: { readonly answered?: string | null; readonly shown?: Shown | null } = {},
): Record<string, string> {
  const typed: Record<string, string> = {};
  const args = Object.entries(command.args);
  let rest = input.trim();
  for (const [at, [name, argument]] of args.entries()) {
    if (argument.take === null) continue;
    const taken = rest === '' ? { value: '', rest } : (argument.take ?? takeWord)(rest);
    const value = meantBy(argument, taken.value, shown) ?? taken.value;
    if (value !== '') typed[name] = value;
    // What stands there instead is what the command still needs, or courtesy.
    const isNext = value !== taken.value && args.slice(at + 1).some(([, next]) => isNeeded(next));
    rest = isNext ? rest : taken.rest.trimStart();
  }
  if (answered !== null)
    for (const [name, argument] of Object.entries(command.args))
      if (argument.answered === true && argument.optional !== true) typed[name] ??= answered;
  return typed;
}

/** The command as a line begins with it below a card: with what that stands for, unless the line names another. */
export function lineBelow(command: Command, input: string, shown: Shown | null): string {
  const [first] = Object.values(command.args);
  const taken = first?.take === null ? '' : (first?.take ?? takeWord)(input.trim()).value;
  const meant = first === undefined ? null : meantBy(first, taken, shown);
  return `/${command.name} ${meant ?? ''}`.trimEnd();
}

/** What the card stands for in a place where the line names none. */
function meantBy({ shown: asked }: Argument, typed: string, shown: Shown | null): string | null {
  return asked?.isNamedBy(typed) === false ? (shown?.[asked.of] ?? null) : null;
}

/** Whether nothing is missing of what a command needs, and nothing has to be asked for again. */
export function isComplete(
  request: RequestContext,
  { args }: Pick<Command, 'args'>,
  typed: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(args).every(([name, argument]) => {
    const text = typed[name];
    if (text !== undefined) return argument.schema.safeParse(text).success;
    return argument.askWhen === undefined ? argument.optional === true : !argument.askWhen(request);
  });
}

function isNeeded({ take, optional }: Argument): boolean {
  return take !== null && optional !== true;
}

function takeWord(input: string): { value: string; rest: string } {
  const match = /^\s*(\S+)\s*([\s\S]*)$/u.exec(input);
  return { value: match?.[1] ?? '', rest: match?.[2] ?? '' };
}

export function takeRest(input: string): { value: string; rest: string } {
  return { value: input, rest: '' };
}
