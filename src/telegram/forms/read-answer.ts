import { splitNumbersAndText } from '../../domain/phone.ts';
import { saysMistake, saysNo } from '../../domain/said-words.ts';
import { AGAIN } from '../again.ts';
import {
  commandCalled,
  commandIn,
  urgentLine,
  wordAlone,
  wordBehindSlash,
  type TypedCommand,
} from '../dispatch/command-in.ts';
import type { KitContext } from '../dispatch/context.ts';
import { type Argument, type Choice, type Command, isCalled } from '../feature.ts';
import type { Html } from '../html.ts';
import type { Subject } from '../request-context.ts';
import { kitTexts } from '../texts.ts';
import { unclearTexts } from '../dispatch/unclear-texts.ts';
import type { SecretScan } from '../secrets-in-chat/secret-scan.ts';
import { FORM_ANSWER } from './answer-buttons.ts';
import { contactNumbers } from './contact.ts';
import { fileReference } from './file-reference.ts';
import type { OpenForm, Remembered } from './open-form.ts';

export type Answer =
  | { readonly kind: 'value'; readonly value: string; readonly known?: Readonly<Record<string, string>> }
  /** There are several, of which one is meant. */
  | { readonly kind: 'which'; readonly choices: readonly Choice[] }
  /** It holds a key that is for another question. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'no_text' }
  /** `told`: what was made of it. */
  | { readonly kind: 'again'; readonly known: Readonly<Record<string, string>>; readonly told?: Html }
  | { readonly kind: 'other_form'; readonly form: string; readonly known?: Readonly<Record<string, string>> }
  | { readonly kind: 'leave' }
  | { readonly kind: 'not_for_form' };

/** Where a question stands. */
export interface Asked {
  readonly messageId: number;
  readonly hasButtons: boolean;
  readonly offerId?: number | undefined;
}

/** Reads an answer. An answered question keeps no buttons: they would belong to whatever is asked next. */
export async function readAndClose(
  ctx: KitContext,
  keys: Pick<SecretScan, 'exposed'>,
  { form: asked, command, argument }: Remembered,
): Promise<Answer> {
  const answer = (await further(ctx, keys, command, asked)) ?? (await read(ctx, keys, argument, asked));
  if (answer.kind === 'not_for_form') return answer;
  const isRewritten = ctx.readByForm === true && (answer.kind === 'leave' || answer.kind === 'again');
  const rewritten = isRewritten ? ctx.request.pressedMessageId : null;
  const armed = [asked.hasButtons ? asked.messageId : undefined, asked.offerId];
  for (const id of armed) if (id !== undefined && id !== rewritten) await ctx.request.disarm(id);
  return answer;
}

/** What is known of other arguments by an answer that says something of them as well: an empty text takes one back. */
export function besides(
  typed: Readonly<Record<string, string>>,
  known: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries({ ...typed, ...known }).filter(([name]) => known[name] !== ''));
}

/**
 * What a no does that was answered: the name of that command behind a slash `ends` the question, and so does a no that
 * cannot be an answer; one that could be, but is hardly meant so, and a word for a mistake `leaves` it for as long as it can be
 * gone on with.
 */
export function noOf(
  cancel: Command | undefined,
  { schema, endsByNo = false }: Argument,
  answer: Answer,
  isPressed: boolean,
): 'ends' | 'leaves' | null {
  if (cancel === undefined || answer.kind !== 'value') return null;
  const { value } = answer;
  const isNamed = isCalled(cancel, wordAlone(value.replace(/^[/／]\s*/u, '')));
  if (wordBehindSlash(value) !== null) return isNamed ? 'ends' : null;
  if (!isNamed && !saysNo(value)) return null;
  if (!schema.safeParse(value).success) return saysMistake(value) ? 'leaves' : 'ends';
  return endsByNo && !isPressed ? 'leaves' : null;
}

async function read(
  ctx: KitContext,
  keys: Pick<SecretScan, 'exposed'>,
  argument: Argument,
  { messageId: promptId, offerId }: Asked,
): Promise<Answer> {
  const { request } = ctx;
  if (ctx.press !== undefined) {
    const { pressedMessageId: pressed, subject } = request;
    if (ctx.press.action === AGAIN.name) return { kind: 'leave' };
    if (ctx.press.action !== FORM_ANSWER.name || (pressed !== promptId && pressed !== offerId))
      return { kind: 'not_for_form' };
    ctx.readByForm = true;
    const { value, form, leave, said, known } = FORM_ANSWER.read(ctx.press.payload);
    if (leave === true) return { kind: 'leave' };
    if (form !== undefined) return { kind: 'other_form', form, ...(known && { known }) };
    if (known !== undefined && value === undefined) return { kind: 'again', known };
    if (said === true) return subject === null ? { kind: 'no_text' } : valueOf(ctx, argument, subject);
    return value === undefined ? { kind: 'not_for_form' } : { kind: 'value', value, ...(known && { known }) };
  }
  const message = ctx.message;
  if (message === undefined) return { kind: 'not_for_form' };
  if (commandIn(message, request.bot.username) !== null) return { kind: 'leave' };
  // In a group people talk; only a reply to the question is an answer, or to what has asked whether something was one.
  const target = message.reply_to_message?.message_id;
  if (request.chat.type !== 'private' && target !== promptId && (target === undefined || target !== offerId))
    return { kind: 'not_for_form' };
  // A file is sent for what it holds, whatever was asked before it; unless it replies to that.
  const takesFile = argument.file === true || argument.secret === true || target === promptId;
  if (request.file !== null && !takesFile) return { kind: 'not_for_form' };
  ctx.readByForm = true;
  // A further piece of an album, of which the first was answered by this question.
  if (message.media_group_id !== undefined && request.file === null && message.message_id < promptId)
    return { kind: 'not_for_form' };
  if (argument.secret === true) await request.forget();
  // A key that was pasted where something else is asked for is neither kept nor repeated.
  else if (await keys.exposed(ctx)) return { kind: 'refused' };
  const { file, contact } = request;
  const caption = file === null ? message.caption : undefined;
  if (caption !== undefined && argument.answered === true)
    await request.say(unclearTexts(request.locale).onlyText);
  return valueOf(ctx, argument, { words: (message.text ?? caption ?? '').trim(), file, contact });
}

/** So much fills a message: an app sends what is longer in two. */
export const FULL = 3500;

/** Whether a message is the other part of one that was refused, sent before the person could know that. */
export function isRestOf({ message }: KitContext, { cutAt, messageId }: OpenForm): boolean {
  return cutAt !== undefined && message?.message_id === cutAt + 1 && cutAt + 1 < messageId;
}

/**
 * What was sent before the question came, and begins with numbers, goes to those that stand before it: one more contact, more
 * numbers, or the other part of a message that was too long for one, with the text behind it.
 */
async function further(
  ctx: KitContext,
  keys: Pick<SecretScan, 'exposed'>,
  { args }: Command,
  form: OpenForm,
): Promise<Answer | null> {
  const { request, message } = ctx;
  if (message === undefined || message.message_id > form.messageId) return null;
  const names = Object.keys(args);
  const name = names.slice(0, names.indexOf(form.name)).findLast((each) => args[each]?.contact === true);
  const before = form.typed[name ?? ''];
  const isNumber = request.contact !== null;
  const [given = '', ...others] = isNumber ? contactNumbers(request.contact) : [message.text];
  const { numbers, text } = isNumber ? { numbers: given, text: '' } : splitNumbersAndText(given);
  if (name === undefined || before === undefined || numbers === '' || others.length > 0) return null;
  const known = { [name]: `${before} ${numbers}` };
  if (args[name]?.schema.safeParse(known[name]).success !== true) return null;
  if (text !== '' && before.length < FULL) return null;
  ctx.readByForm = true;
  if (text !== '')
    return (await keys.exposed(ctx)) ? { kind: 'refused' } : { kind: 'value', value: text, known };
  const t = kitTexts(request.locale);
  return {
    kind: 'again',
    known,
    told: isNumber ? t.contactAdded(request.format.phone(numbers)) : t.numbersAdded,
  };
}

function valueOf(
  { request }: KitContext,
  argument: Argument,
  { file, contact, words: written }: Subject,
): Answer {
  const numbers = argument.contact === true && contact !== null ? contactNumbers(contact) : [];
  if (numbers.length > 1) {
    const choices = numbers.map((number) => ({ label: request.format.phone(number), value: number }));
    return { kind: 'which', choices };
  }
  const [words = written] = numbers;
  const value = argument.file === true && file !== null ? fileReference(file) : words;
  return value === '' ? { kind: 'no_text' } : { kind: 'value', value };
}

/** A command that is not for this bot. */
export const ANOTHER_BOTS = '';

/** The name of the command that a message or an offered button gives; null: it gives none. In a group another bot may be meant. */
export function commandGiven(ctx: KitContext, commands: ReadonlyMap<string, Command>): string | null {
  const typed = typedIn(ctx, commands);
  if (typed === null) return null;
  const called = commandCalled(commands, typed)?.command.name;
  return called ?? (ctx.request.isPrivate ? typed.name : ANOTHER_BOTS);
}

/** The command that a message or an offered button gives, as it is typed; null: it gives none. */
export function typedIn(
  { message, press, request }: KitContext,
  commands: ReadonlyMap<string, Command>,
): TypedCommand | null {
  const given = press?.action === AGAIN.name ? { text: AGAIN.read(press.payload).line } : message;
  if (given === undefined) return null;
  const urgent = request.isPrivate ? urgentLine(commands, given.text ?? '') : null;
  return commandIn(urgent === null ? given : { ...given, text: urgent }, request.bot.username);
}
