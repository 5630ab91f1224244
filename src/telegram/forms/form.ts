import { isDeepStrictEqual } from 'node:util';
import type { Message } from '@grammyjs/types';
import type { MiddlewareFn } from 'grammy';
import { saysMistake } from '../../domain/said-words.ts';
import type { FormStore } from '../../ports/stores.ts';
import { commandCalled, commandIn } from '../dispatch/command-in.ts';
import type { KitContext } from '../dispatch/context.ts';
import type { Reader } from '../dispatch/read-command.ts';
import type { ActionButton } from '../buttons.ts';
import type { Argument, Choice, Command } from '../feature.ts';
import { lines, type Html } from '../html.ts';
import type { SecretScan } from '../secrets-in-chat/secret-scan.ts';
import { kitTexts } from '../texts.ts';
import { isDatabaseAway } from '../updates/database-away/trouble.ts';
import { answerButtons, FORM_ANSWER, insteadButton } from './answer-buttons.ts';
import { isAboutCard, isAside, isForCard, offer } from './aside.ts';
import { readFileReference } from './file-reference.ts';
import {
  createKeptForms,
  leftAlone,
  takenBack,
  withOrigin,
  withoutSecrets,
  type OpenForm,
  type Question,
  type Remembered,
  type StateSealer,
} from './open-form.ts';
import { ANOTHER_BOTS, besides, commandGiven, FULL, isRestOf, noOf, readAndClose } from './read-answer.ts';

/** It is given to leave a question for good. */
const CANCEL = 'cancel';

export interface FormDeps {
  readonly commands: ReadonlyMap<string, Command>;
  readonly read: Reader;
  readonly forms: FormStore;
  readonly sealer: StateSealer;
  readonly keys: Pick<SecretScan, 'exposed'>;
}

/**
 * The one form of the kit: asks for the arguments that a command still misses, one by one, and hands over to the router.
 * A command leaves it; a press on some other card passes it by. Each person's form in each chat and topic is one row, sealed:
 * read with the identity, and written when the update has been handled, so that one which is cut short is read again.
 */
export function formMiddleware({ commands, read, forms, sealer, keys }: FormDeps): MiddlewareFn<KitContext> {
  const kept = createKeptForms(commands, sealer);
  return async (ctx, next) => {
    const before = ctx.formRow === null ? null : kept.open(ctx.formKey, ctx.formRow.state);
    let open: OpenForm | null = before?.form ?? null;
    let comesAgain = false;
    ctx.form = {
      async enter({ command: name, typed, before: told }) {
        const left = await giveWay(ctx, before, open, name);
        open = null;
        const command = commands.get(name);
        // Where nothing is missing, the first that can be left out will not do as it is.
        const asks = async (all: boolean) =>
          command === undefined ? null : await askNext(ctx, command, typed, { told, all });
        open = withOrigin((await asks(false)) ?? (await asks(true)), {
          left,
          begunBy: commandGiven(ctx, commands) ?? before?.form.begunBy,
          said: saidNow(ctx, ''),
        });
        if (open === null) throw new Error(`the form ${name} has nothing to ask for`);
      },
      leave() {
        if (ctx.isPastForm !== true && (open?.isLeft !== true || open.isOver === true)) open = null;
      },
      async late(words) {
        if (before === null || open?.isOver !== true) return false;
        const t = kitTexts(ctx.request.locale);
        const isSecret = before.argument.secret === true;
        if (isSecret) await ctx.request.forget();
        await leaveFor(ctx, before, isSecret ? { says: t.lateSecret } : { says: t.late, no: words });
        open = { ...open, isOver: undefined };
        return true;
      },
      async end(known) {
        if (open === null || open.isLeft === true) return;
        const over = open;
        if (Object.entries(known).some(([name, value]) => over.typed[name] !== value)) return;
        open = leftAlone(over);
        await withdraw(ctx, over);
      },
    };
    try {
      if (before !== null) {
        // What fails from here on leaves the form: its question may be closed.
        open = null;
        open = (await take(ctx, before)) ?? (ctx.formDone === undefined ? null : leftAlone(before.form));
        if (open !== null && open !== before.form && open.isLeft !== true) return;
        // What waits for a button alone is nothing that the next message could be an answer to.
        if (open?.isLeft === true && ctx.formDone === undefined)
          ctx.request = { ...ctx.request, inForm: false };
        if (ctx.readByForm === true && ctx.formDone === undefined) return;
      }
      await next();
    } catch (error) {
      comesAgain = isDatabaseAway(error);
      throw error;
    } finally {
      // What is handled once more finds the question that it answers.
      if (!comesAgain) await keep(ctx, before, open);
    }
  };

  async function keep(ctx: KitContext, before: Remembered | null, open: OpenForm | null): Promise<void> {
    if (open === null) {
      if (ctx.formRow !== null) await forms.remove(ctx.formKey);
    } else if (open !== before?.form) {
      const sealed = kept.seal(ctx.formKey, open);
      // What has interrupted it may fail, and is then handled once more.
      const taken = open.isLeft === true ? ctx.formRow?.updateId : undefined;
      await forms.write(ctx.formKey, taken ?? ctx.request.updateId, sealed);
    }
  }

  /** The form as it stands after an update: the same where that was none of its business, null when it is over. */
  async function take(ctx: KitContext, before: Remembered): Promise<OpenForm | null> {
    const { form, command, argument } = before;
    const { typed, name } = form;
    const resumed = resumeOf(ctx, form);
    if (resumed !== null) {
      const asked = commands.get(resumed.command);
      if (asked === undefined) return form;
      ctx.readByForm = true;
      if (ctx.request.pressedMessageId !== null) await ctx.request.disarm(ctx.request.pressedMessageId);
      if (form.isLeft !== true) await leaveFor(ctx, before);
      const { name: asking, typed: known, value } = resumed;
      const again =
        value === undefined
          ? await ask(ctx, asked, asking, known)
          : await goOn(ctx, asked, { ...known, [asking]: value }, asking);
      return withOrigin(again, {
        left: form.isLeft === true ? undefined : { ...form, ...withoutSecrets(before) },
        begunBy: resumed.begunBy,
      });
    }
    if (form.isLeft === true) return form;
    if (ctx.editedMessage !== undefined) return await correct(ctx, before, ctx.editedMessage);
    const given = commandGiven(ctx, commands);
    if (given === ANOTHER_BOTS) return form;
    if (given !== null && given !== form.command && given !== form.begunBy && given !== CANCEL) {
      await leaveFor(ctx, before);
      return { ...form, ...withoutSecrets(before), isLeft: true };
    }
    if (given === null && isRestOf(ctx, form)) {
      await keys.exposed(ctx);
      ctx.readByForm = true;
      return { ...form, cutAt: ctx.message?.message_id };
    }
    if (given === CANCEL && form.command !== CANCEL) ctx.isPastForm = await isAboutCard(ctx, commands, read);
    if (ctx.isPastForm === true || (given === null && (await isForCard(ctx, form, read)))) return form;
    if (isAside(ctx, before)) return { ...form, offerId: await offer(ctx) };
    const answer = await readAndClose(ctx, keys, before);
    if (answer.kind === 'not_for_form') return form;
    const no = noOf(commands.get(CANCEL), argument, answer, ctx.press !== undefined);
    const back = no !== null && answer.kind === 'value' && saysMistake(answer.value) ? takenBack(form) : null;
    if (back !== null) {
      const problem = kitTexts(ctx.request.locale).takenBack;
      return withOrigin(await ask(ctx, command, back.name, back.typed, { problem }), back);
    }
    if (answer.kind === 'leave' || no !== null) {
      const isCancelled = given === null || given === CANCEL;
      if (isCancelled && command.cancelled !== undefined) {
        ctx.readByForm = true;
        await command.cancelled(ctx.request, typed);
      } else if (no === 'leaves') {
        await leaveFor(ctx, before, answer.kind === 'value' ? { no: answer.value } : {});
        return { ...form, ...withoutSecrets(before), isLeft: true };
      } else if (answer.kind !== 'leave') ctx.formDone = { command: CANCEL, typed: {} };
      else if (given === null) await ctx.request.rewrite(kitTexts(ctx.request.locale).cancelled);
      return null;
    }
    if (answer.kind === 'other_form') {
      ctx.formDone = { command: answer.form, typed: besides(typed, answer.known) };
      return null;
    }
    if (answer.kind === 'again')
      return withOrigin(
        await ask(ctx, command, name, { ...typed, ...answer.known }, { inPlace: true, problem: answer.told }),
        form,
      );
    if (answer.kind === 'which')
      return withOrigin(await ask(ctx, command, name, typed, { choices: answer.choices }), form);
    if (answer.kind === 'refused')
      return withOrigin(await ask(ctx, command, name, typed, { refused: '' }), form);
    if (answer.kind === 'no_text')
      return withOrigin(
        await ask(ctx, command, name, typed, { problem: kitTexts(ctx.request.locale).noText }),
        form,
      );
    const { value, known } = answer;
    const origin = { ...form, said: { ...form.said, ...saidNow(ctx, name) } };
    if (!(await fits(argument, ctx, value))) {
      const refused = argument.secret === true ? '' : value;
      const instead = insteadButton(ctx.request, commands, refused);
      return withOrigin(await ask(ctx, command, name, besides(typed, known), { refused, instead }), origin);
    }
    return withOrigin(await goOn(ctx, command, { ...besides(typed, known), [name]: value }, name), origin);
  }

  /** Takes what the command or an answer was edited to; what is missing then is asked for below it. */
  async function correct(
    ctx: KitContext,
    { form, command }: Remembered,
    message: Message,
  ): Promise<OpenForm | null> {
    const { typed, said = {} } = form;
    const name = said[message.message_id];
    const line = commandIn(message, ctx.request.bot.username);
    let known: OpenForm['typed'];
    if (name === '' && line !== null) {
      const called = commandCalled(commands, line);
      if (called?.command !== command) return form;
      const stays = (each: string): boolean =>
        Object.values(said).includes(each) || command.args[each]?.take === null;
      known = {
        ...Object.fromEntries(Object.entries(typed).filter(([each]) => stays(each))),
        ...(await read.command(ctx, command, called.input)),
      };
    } else if (name !== undefined && name !== '' && line === null && message.text !== undefined)
      known = { ...typed, [name]: message.text.trim() };
    else return form;
    ctx.readByForm = true;
    if (isDeepStrictEqual(known, typed)) return form;
    if (form.hasButtons) await ctx.request.disarm(form.messageId);
    return withOrigin(await goOn(ctx, command, known), form);
  }
}

/** Asks for the next argument that is missing, or gives the command on where there is none. */
async function goOn(
  ctx: KitContext,
  command: Command,
  typed: Readonly<Record<string, string>>,
  after?: string,
): Promise<OpenForm | null> {
  const asked = await askNext(ctx, command, typed, { after });
  if (asked === null) ctx.formDone = { command: command.name, typed };
  return asked;
}

/** The message that is read now, or whose button was pressed, by what is answered with it. */
function saidNow({ message, request }: KitContext, name: string): OpenForm['said'] {
  const id = message?.message_id ?? request.pressedMessageId;
  return id === null ? undefined : { [id]: name };
}

/** The question that a press asks to go on with, and its answer if the press has one; null: it asks for none that is known. */
function resumeOf({ press }: KitContext, form: OpenForm): (Question & { value?: string | undefined }) | null {
  if (press?.action !== FORM_ANSWER.name) return null;
  const { resume, value } = FORM_ANSWER.read(press.payload);
  const known = form.isLeft === true ? form : form.left;
  return resume !== undefined && known?.command === resume ? { ...known, value } : null;
}

/**
 * Takes the buttons off a question that something else comes before, a no ends, or nobody has answered in time, and says how to go
 * on with it.
 * @param how `no`: what was said, if that could be an answer; `says`: what comes before the question
 */
async function leaveFor(
  { request }: KitContext,
  { form, argument }: Remembered,
  { no, says }: { readonly no?: string; readonly says?: Html } = {},
): Promise<void> {
  for (const id of [form.hasButtons ? form.messageId : undefined, form.offerId])
    if (id !== undefined) await request.disarm(id);
  const t = kitTexts(request.locale);
  const [resume, mine] = [form.command, { personId: request.person.id }];
  const isEnded = no !== undefined && says === undefined;
  await request.say(isEnded ? t.cancelled : lines(says ?? t.interrupted, argument.ask(request, form.typed)), {
    buttons: [
      [
        no !== undefined &&
          argument.schema.safeParse(no).success &&
          FORM_ANSWER.button(t.takeAnswer, { resume, value: no }, mine),
      ],
      [FORM_ANSWER.button(t.goOnWith, { resume }, mine)],
    ],
  });
}

/** Makes room for the next question: the same asked anew comes in its place. Gives what can be gone on with afterwards. */
async function giveWay(
  ctx: KitContext,
  before: Remembered | null,
  open: OpenForm | null,
  command: string,
): Promise<Question | undefined> {
  if (open?.isLeft === true) return open;
  if (before === null || open !== before.form) return open?.left;
  if (open.command !== command) {
    await leaveFor(ctx, before);
    return { ...open, ...withoutSecrets(before) };
  }
  await withdraw(ctx, open);
  return open.left;
}

/** Takes a question back. Where Telegram keeps it, it can at least not be pressed. */
async function withdraw({ api, request }: KitContext, { messageId, offerId }: OpenForm): Promise<void> {
  for (const id of [messageId, offerId])
    if (id !== undefined)
      await api.deleteMessage(request.chat.telegramId, id).catch(async () => await request.disarm(id));
}

/** Asks for the first argument behind the named one that is missing, where `told` was said or is told, or will not do; null: there is none. */
async function askNext(
  ctx: KitContext,
  command: Command,
  typed: Readonly<Record<string, string>>,
  { after, told, all }: { after?: string | undefined; told?: string | Html | undefined; all?: boolean },
): Promise<OpenForm | null> {
  const names = Object.keys(command.args);
  for (const name of names.slice(after === undefined ? 0 : names.indexOf(after) + 1)) {
    const argument = command.args[name];
    if (argument === undefined) continue;
    const given = typed[name];
    if (given === undefined) {
      const how = typeof told === 'object' ? { problem: told } : { refused: told };
      if (all === true || isWanted(argument, ctx)) return await ask(ctx, command, name, typed, how);
    } else if (!(await fits(argument, ctx, given))) {
      return await ask(ctx, command, name, typed, { refused: argument.secret === true ? '' : given });
    }
  }
  return null;
}

async function fits({ schema, isThere }: Argument, { request }: KitContext, text: string): Promise<boolean> {
  return schema.safeParse(text).success && (await isThere?.(request, text)) !== false;
}

function isWanted(argument: Argument, ctx: KitContext): boolean {
  if (argument.askWhen !== undefined) return argument.askWhen(ctx.request);
  return argument.optional !== true;
}

/**
 * @param how `refused`: what was answered and will not do, empty where that is not repeated, and `instead` what may have been
 * meant; `problem`: why it will not do, whatever is asked; `inPlace`: the message with the pressed button becomes the question;
 * `choices`: of these was answered, and one is meant
 */
async function ask(
  ctx: KitContext,
  { name: command, args }: Command,
  name: string,
  typed: Readonly<Record<string, string>>,
  {
    refused,
    problem,
    inPlace = false,
    choices: given,
    instead,
  }: {
    readonly refused?: string | undefined;
    readonly problem?: Html | undefined;
    readonly inPlace?: boolean;
    readonly choices?: readonly Choice[];
    readonly instead?: ActionButton | undefined;
  } = {},
): Promise<OpenForm | null> {
  const argument = args[name];
  if (argument === undefined) return null;
  const { request } = ctx;
  const texts = kitTexts(request.locale);
  const choices = given ?? (await argument.choices?.(request, { ...typed, [name]: refused ?? '' })) ?? [];
  const group = request.chat.type !== 'private';
  // Only a message can be replied to so; a form that a button has begun asks with buttons.
  const forceReply =
    group && choices.length === 0 && instead === undefined ? ctx.message?.message_id : undefined;
  const question = given === undefined ? argument.ask(request, typed, choices) : texts.whichOfContact;
  const why =
    refused === undefined
      ? null
      : argument.problem(request.locale, readFileReference(refused)?.name ?? refused, request);
  const content: Html = lines(
    problem,
    // Where the question says all that there is to say, it says it once.
    why?.markup !== question.markup && why,
    question,
    // Telegram shows no button where it has the person reply.
    forceReply !== undefined && texts.cancelByName,
    group && texts.replyToMe,
  );
  const answers = answerButtons(choices, texts.cancel, request.person.id);
  const buttons = instead === undefined ? answers : [[instead], ...answers];
  const rewritten = inPlace ? request.pressedMessageId : null;
  if (rewritten !== null) await request.rewrite(content, { buttons });
  const messageId = rewritten ?? (await request.say(content, { forceReply, buttons }));
  const cutAt = refused !== undefined && refused.length >= FULL ? ctx.message?.message_id : undefined;
  const asked = { messageId, hasButtons: forceReply === undefined, askedAt: Date.now(), cutAt };
  return { version: [0, 2], command, typed: { ...typed }, name, ...asked };
}
