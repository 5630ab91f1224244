import type { Message } from '@grammyjs/types';
import { foldWord } from '../../domain/fold.ts';
import { offerButton, OFFER_SECONDS, tryButton } from '../again.ts';
import type { Button } from '../buttons.ts';
import { lineBelow, type Command, type Shown } from '../feature.ts';
import { displayRecipient, parseRecipients } from '../../domain/phone.ts';
import type { IncomingContact } from '../forms/contact.ts';
import type { IncomingFile } from '../forms/file-reference.ts';
import { clip, lines, type Html } from '../html.ts';
import type { RequestContext } from '../request-context.ts';
import { slash } from '../slash.ts';
import { kitTexts } from '../texts.ts';
import { behindCommand, isSlashApart } from './command-in.ts';
import type { KitContext } from './context.ts';
import { guardOf } from './guard.ts';
import { namedIn } from './named-in.ts';
import { nearCommand } from './near-command.ts';
import { unclearTexts } from './unclear-texts.ts';

export interface Unclear {
  /**
   * Answers what came without a command and was meant for the bot: words, a file, anything else that people send.
   * @param how `below`: it was said in a group, below a message of the bot's, which is talk, perhaps
   */
  answer(
    ctx: KitContext,
    words: string,
    how: { readonly below: boolean; readonly isFurther: boolean },
  ): Promise<void>;
  /** Whether a message is one more piece of what has been sent as one. Asked once for each message of a person in a place. */
  isFurther(key: string, message: Message, isMeant: boolean): boolean;
  /** Whether what came last in pieces has begun with one that was meant for the bot. */
  isWithMeant(key: string): boolean;
  /** A command was given: what was sent before it is no longer what words are about, and what else is in its album is with it. */
  moveOn(key: string, message: Message | undefined): void;
  /**
   * Answers the name of a command that there is not, or one that was not read as its command.
   * @param text what the name begins
   * @param shown what the card shows which the message replies to
   */
  unknown(request: RequestContext, name: string, text: string, shown: Shown | null): Promise<void>;
}

const MAX_REMEMBERED = 2000;
const NUMBERS_OFFERED = 8;
/** By its name; one without an ending may be anything. */
const TABLE = /\.(?:csv|tsv|txt|vcf|xlsx)$|^[^.]*$/iu;

/** What people send by hand; all else in a chat is Telegram's own word about it. */
const SENT = [
  'text',
  'document',
  'photo',
  'voice',
  'audio',
  'video',
  'video_note',
  'animation',
  'sticker',
  'contact',
  'location',
  'venue',
  'poll',
  'dice',
  'story',
  'paid_media',
  'checklist',
] as const satisfies readonly (keyof Message)[];

/** One line and a button for each thing that is no command and no answer, so that nobody waits for nothing. */
export function createUnclear(commands: ReadonlyMap<string, Command>): Unclear {
  const all = [...commands.values()];
  /** What each person has sent last of what comes in one piece: an album, messages that were forwarded together. */
  const pieces = new Map<
    string,
    { readonly piece: string; readonly id: number; readonly isMeant: boolean }
  >();
  /** The contacts that each person has shared last, one after the other at once, with the answer to them. */
  const shared = new Map<string, { contacts: IncomingContact[]; last: Message; answerId: number }>();
  /** The file about which each person was asked last, with the time of its message. */
  const files = new Map<string, { readonly file: IncomingFile; readonly at: number }>();

  return {
    async answer(ctx, words, { below, isFurther }) {
      const { request, message } = ctx;
      if (message === undefined || !SENT.some((name) => message[name] !== undefined)) return;
      const t = unclearTexts(request.locale);
      if (request.file !== null) {
        if (files.size >= MAX_REMEMBERED) files.clear();
        if (isFurther && !TABLE.test(request.file.name)) return;
        if (!below) files.set(ctx.formKey, { file: request.file, at: message.date });
        return await offerFile(request, request.file, words);
      }
      if (request.contact !== null) return await offerShared(ctx, message, request.contact, below);
      if (isFurther) return;
      if (below) return await say(request, t.below, []);
      if (words === '') return await say(request, t.onlyWords, []);
      const isForwarded = message.forward_origin !== undefined;
      const numbers = isForwarded ? [] : onlyNumbers(words);
      if (numbers.length === 1)
        return void (await offerContacts(request, [{ name: '', mobiles: numbers, others: [] }], below));
      const named = isForwarded || numbers.length > 0 ? undefined : namedIn(commands, words);
      const taking = all.filter((each) => each.offer?.words !== undefined && guardOf(request, each) === null);
      if (taking.length > 0 && numbers.length > 0)
        return await say(
          request,
          t.useNumbers(request.format.number(numbers.length)),
          taking.map(({ name, offer }) => {
            const line = `/${name} ${numbers.map(displayRecipient).join(' ')}`;
            return offerButton(request, line, offer?.words?.(request.locale) ?? '');
          }),
        );
      const told = taking.length === 0 ? t.onCommands : isForwarded ? t.useForwarded : t.useWords;
      const before = files.get(ctx.formKey);
      const isStanding = before !== undefined && message.date - before.at < OFFER_SECONDS;
      const label = named === undefined ? '' : slash(request.locale, named.name);
      const what = named?.isMeant === true ? t.sayWithSlash(named.name) : told;
      await say(request, lines(message.caption !== undefined && taking.length > 0 && t.onlyText, what), [
        named !== undefined &&
          offerButton(request, `/${named.name}`, label, named.takesRest ? 'rest' : undefined),
        ...(isStanding ? wordsToFile(request, before.file) : []),
        ...taking.map((each) =>
          offerButton(
            request,
            `/${each.name}`,
            each.offer?.words?.(request.locale) ?? '',
            isForwarded ? 'text' : 'words',
          ),
        ),
        request.binding === null && tryButton(t.link, '/connect'),
      ]);
    },

    isFurther,
    isWithMeant: (key) => pieces.get(key)?.isMeant === true,

    moveOn(key, message) {
      files.delete(key);
      if (message !== undefined) isFurther(key, message, true);
    },

    async unknown(request, name, text, shown) {
      // What a button has brought is not there to be taken up once more.
      const near = request.messageId === null ? undefined : nearCommand(commands, name);
      if (near === undefined)
        return await say(request, kitTexts(request.locale).unknownCommand(`/${name}`), []);
      const t = unclearTexts(request.locale);
      const told =
        foldWord(name) !== near.name
          ? t.didYouMean(`/${name}`, near.name)
          : isSlashApart(text)
            ? t.slashApart(near.name)
            : t.otherCharacters(near.name);
      await say(request, told, [
        offerButton(
          request,
          lineBelow(near, behindCommand(text), shown),
          slash(request.locale, near.name),
          'rest',
        ),
      ]);
    },
  };

  function isFurther(
    key: string,
    { message_id: id, media_group_id: album, forward_origin: origin, date }: Message,
    isMeant: boolean,
  ): boolean {
    const piece = album ?? (origin === undefined ? undefined : `forwarded ${date}`);
    const before = pieces.get(key);
    if (pieces.size >= MAX_REMEMBERED) pieces.clear();
    if (piece === undefined) pieces.delete(key);
    else if (piece !== before?.piece) pieces.set(key, { piece, id, isMeant });
    // The first one may be handled once more.
    return piece !== undefined && piece === before?.piece && id !== before.id;
  }

  /** What can be made of words and the file before them. */
  function wordsToFile(request: RequestContext, file: IncomingFile): Button[] {
    return all
      .filter(({ offer }) => offer?.wordsToFile !== undefined && TABLE.test(file.name))
      .filter((command) => guardOf(request, command) === null)
      .map(({ name, offer }) => {
        const label = offer?.wordsToFile?.(request.locale, clip(file.name, 30)) ?? '';
        return offerButton(request, `/${name}`, label, 'words', file);
      });
  }

  /** Those that are shared together get one answer, which comes in the place of that to the ones before. */
  async function offerShared(
    { request, formKey, api }: KitContext,
    message: Message,
    contact: IncomingContact,
    below: boolean,
  ): Promise<void> {
    const before = shared.get(formKey);
    const isNext = before?.last.message_id === message.message_id - 1 && message.date - before.last.date <= 1;
    const contacts = isNext && !below ? [...before.contacts, contact] : [contact];
    const answerId = await offerContacts(request, contacts, below);
    if (shared.size >= MAX_REMEMBERED) shared.clear();
    shared.set(formKey, { contacts, last: message, answerId });
    if (contacts.length > 1 && before !== undefined)
      await api
        .deleteMessage(request.chat.telegramId, before.answerId)
        .catch(async () => await request.disarm(before.answerId));
  }

  /** Each mobile number of a contact has a button of its own; what else stands in it is told. Several are written to by one. */
  async function offerContacts(
    request: RequestContext,
    contacts: readonly IncomingContact[],
    below: boolean,
  ): Promise<number> {
    const t = unclearTexts(request.locale);
    const { phone, number: figure } = request.format;
    const taking = all.filter((each) => each.offer?.contact !== undefined && guardOf(request, each) === null);
    if (taking.length === 0)
      return await tell(request, below ? t.below : t.onCommands, [
        request.binding === null && tryButton(t.link, '/connect'),
      ]);
    const shown = contacts.map(({ name }) => clip(name, 60));
    const told = clip(contacts.flatMap(({ others }) => others.map(phone)).join(', '), 200);
    const numbers = contacts.flatMap(({ mobiles }, at) =>
      mobiles.map((number) => ({ number, name: shown[at] ?? '' })),
    );
    const whom = shown.filter((name) => name !== '').join(', ');
    const use = whom === '' ? t.useNumber : t.useContact(whom, told);
    const line = numbers.map(({ number }) => displayRecipient(number)).join(' ');
    const isSeveral = contacts.length > 1 && numbers.length > 1;
    const toAll = all.filter((each) => isSeveral && each.offer?.words !== undefined && taking.includes(each));
    return await tell(request, numbers.length === 0 ? t.noMobile(whom, told) : use, [
      ...toAll.map(({ name: command }) =>
        offerButton(request, `/${command} ${line}`, t.toAll(figure(numbers.length)), 'file'),
      ),
      ...numbers.slice(0, NUMBERS_OFFERED).flatMap(({ number, name }) =>
        taking
          .filter((each) => !isSeveral || each.offer?.contactName === true)
          .map(({ name: command, offer }) => {
            const label = offer?.contact?.(request.locale, phone(number)) ?? '';
            const behind = offer?.contactName === true ? ` ${name}` : '';
            return offerButton(
              request,
              `/${command} ${displayRecipient(number)}${behind}`.trimEnd(),
              label,
              'file',
            );
          }),
      ),
    ]);
  }

  async function offerFile(
    request: RequestContext,
    { name: fileName }: IncomingFile,
    words: string,
  ): Promise<void> {
    const t = unclearTexts(request.locale);
    const name = clip(fileName, 60);
    const takers = all.filter(({ offer }) => offer?.file !== undefined);
    const taking = takers.filter((command) => guardOf(request, command) === null);
    const [first] = takers;
    const whyNot = taking.length > 0 || first === undefined ? null : guardOf(request, first);
    const asked = request.inForm && t.stillAsked;
    if (!TABLE.test(fileName)) await say(request, lines(t.notTable(name), asked), []);
    else if (whyNot !== null)
      await say(request, whyNot, [request.binding === null && tryButton(t.link, '/connect')]);
    else
      await say(
        request,
        lines(t.useFile(name), asked),
        taking.map(({ name: command, offer }) =>
          offerButton(
            request,
            `/${command}`,
            offer?.file?.(request.locale) ?? '',
            offer?.wordsToFile === undefined || words === '' ? 'file' : 'words',
          ),
        ),
      );
  }
}

/** Each button on a row of its own: their labels say what will happen. */
async function say(...told: Parameters<typeof tell>): Promise<void> {
  await tell(...told);
}

/** The same; gives the message. */
async function tell(
  request: RequestContext,
  content: Html,
  buttons: readonly (Button | false)[],
): Promise<number> {
  const help = tryButton(unclearTexts(request.locale).whatElse, '/help');
  return await request.say(content, {
    buttons: [...buttons, help].map((button) => [button]),
    ...(request.messageId === null ? {} : { replyTo: request.messageId }),
  });
}

/** The mobile numbers of which words consist; none where there is anything else. */
function onlyNumbers(words: string): readonly string[] {
  const { recipients, invalid } = parseRecipients(words);
  return invalid.length > 0 ? [] : recipients;
}
