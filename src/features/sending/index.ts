import { behindName, isNear } from '../../domain/behind-name.ts';
import { checkMessage } from '../../domain/message.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { CardView, DraftStore } from '../../ports/stores.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Stores } from '../../storage/stores.ts';
import { clip, lines } from '../../telegram/html.ts';
import { defineCommand, type Argument, type Feature } from '../../telegram/feature.ts';
import { sendTable } from '../../telegram/table-file.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { CARD_COMMAND, cardCodeArgument, cardCodeSaid, cardCodeTexts } from '../shared/card-code.ts';
import { doerOf } from '../shared/doer.ts';
import { createBeginDraft, draftLineArgument, draftOf, typedRecipients } from '../shared/new-draft.ts';
import { choosePeople } from '../shared/people-choices.ts';
import { peopleTagChoices } from '../shared/people-tag.ts';
import { textArgument, typedNumbersArgument } from '../shared/shared-arguments.ts';
import { textOrTemplate } from '../shared/template-call.ts';
import { draftActions } from './actions.ts';
import type { Cards } from './cards.ts';
import { tellPress, type PressResult } from './confirm/press-card.ts';
import { createSendForms, LINE_FORM, MOBILE_FORM, TEXT_FORM } from './draft/forms.ts';
import { inAMoment } from '../../ports/in-a-moment.ts';
import { createWordsToCard } from './draft/words-to-card.ts';
import { bookLabel } from './kinds/book/index.ts';
import { createJobActions } from './run/job-actions.ts';
import { createUndo } from './run/undo-card.ts';
import { createSendNow } from './schedule/waiting-cards.ts';
import { texts } from './texts.ts';

export interface SendFeatureDeps extends Pick<
  Stores,
  'drafts' | 'schedule' | 'jobs' | 'rests' | 'bindings' | 'identities' | 'templates'
> {
  readonly people: Pick<Stores['people'], 'list' | 'overview'>;
  readonly notifications: Pick<Stores['notifications'], 'isOfAnother'>;
  readonly tables: Tables;
  readonly cards: Cards;
  readonly gateways: Gateways;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly undoSeconds: number;
  /** Has a credit that is no longer to go by read again, if that takes no more than a moment. */
  readonly checkCredit: (bindingId: string) => Promise<void>;
}

/** As many phonebooks are offered in the place of one that there is not. */
const MOST_NEAR = 5;
const BRING_CARD: ReadonlySet<PressResult['result']> = new Set(['confirmed', 'asked', 'rejected']);

interface Decision {
  readonly draftId: string;
  readonly version: number;
  readonly warned?: boolean | undefined;
  readonly lacking?: boolean | undefined;
  readonly words?: readonly string[];
}

/** Preparing a message, confirming it, undoing and stopping it. The calls themselves are made by the sender. */
export function createSendFeature(deps: SendFeatureDeps): Feature {
  const { drafts, bindings, identities, people, notifications, templates, tables, cards, gateways, clock } =
    deps;
  const begin = createBeginDraft(deps);

  /** The send to those whom the chat keeps under a tag, where one stands in the place of the numbers. */
  const chooseTag: NonNullable<Argument['choices']> = async (ctx, { numbers = '', text = '' }) => {
    const [tag = ''] = (numbers === '' ? text : numbers).trim().split(/\s/u, 1);
    if (tag === '' || !ctx.can('send.bulk')) return [];
    const rest = numbers === '' ? text.trim().slice(tag.length).trimStart() : text;
    const tags = await peopleTagChoices(ctx, people, tag);
    return tags.map(({ label, value }) => ({
      label,
      form: 'bulk',
      known: { numbers: '', file: value, text: rest },
    }));
  };

  /** The send to a phonebook, where its name stands in the place of the numbers. */
  const chooseBook: NonNullable<Argument['choices']> = async (ctx, { numbers = '', text = '' }) => {
    const said = numbers === '' ? text : numbers;
    const { binding } = ctx;
    if (said === '' || binding === null || !ctx.can('send.book') || !ctx.capabilities.has('phonebookRead'))
      return [];
    const books = await inAMoment(clock, async () =>
      (await gateways.of(binding.id)).use('phonebookRead').list(),
    );
    const offered = (isSame?: typeof isNear) =>
      (books ?? []).flatMap((book) => {
        const rest = behindName(said, book.title, isSame);
        if (rest === null) return [];
        const known = { numbers: '', book: book.title, text: numbers === '' ? rest : text };
        return { label: `📒 ${bookLabel(ctx, book)}`, form: 'booksend', known };
      });
    const named = offered();
    return named.length > 0 ? named : offered(isNear).slice(0, MOST_NEAR);
  };

  const send = defineCommand({
    name: 'send',
    alsoCalled: ['sms', 'ارسال', 'پیامک', 'بفرست'],
    everyday: true,
    permission: 'send.prepare',
    facet: 'sending',
    followsEdits: true,
    about: (locale) => texts(locale).about,
    example: (locale) => texts(locale).example,
    offer: {
      words: (locale) => texts(locale).offer,
      contact: (locale, number) => texts(locale).offerTo(number),
    },
    args: {
      numbers: {
        ...typedNumbersArgument,
        ask: ({ locale }, { text = '' }) =>
          lines(text !== '' && texts(locale).textIs(clip(text, 60)), texts(locale).askNumbers),
        choices: async (ctx, known) => [
          ...(await chooseTag(ctx, known)),
          ...(await choosePeople(people)(ctx, known)),
          ...(await chooseBook(ctx, known)),
        ],
      },
      text: textArgument,
      line: draftLineArgument(bindings),
    },
    run: async (ctx, { numbers, text: typed, line: chosen }) => {
      const text = await textOrTemplate(ctx, typed, templates);
      if (text === null) return await ctx.ask('send', { numbers: numbers.typed }, typed);
      await begin(ctx, chosen, { outgoing: { kind: 'text' }, text, ...typedRecipients(numbers) });
    },
  });

  const card = defineCommand({
    name: 'card',
    permission: 'status.view',
    calledAs: CARD_COMMAND,
    about: null,
    args: { code: cardCodeArgument },
    run: async (ctx, { code }) => {
      const draftId = await drafts.findByCode(ctx.chat.id, code);
      if (draftId === null) await ctx.say(cardCodeTexts(ctx.locale).noCard(code));
      else await cards.bring(draftId, ctx);
    },
  });

  const edit: Parameters<typeof createSendForms>[0]['edit'] = async (ctx, { id, version }, change) => {
    const view = await cardHere(ctx, id);
    if (view === null || view.draft.authorId !== ctx.person.id) return;
    const { text: typed, textBy = ctx.messageId ?? undefined, ...rest } = change;
    const text = typed === undefined ? undefined : await textOrTemplate(ctx, typed, templates);
    if (text === null) return await ctx.ask(TEXT_FORM, { draft: id, version: String(version) }, typed);
    const changed = await drafts.edit(id, version, {
      ...rest,
      ...(text === undefined ? {} : { text, textBy }),
    });
    if (!changed) await ctx.say(texts(ctx.locale).changedElsewhere);
    await cards.bring(id, ctx);
  };

  const words = createWordsToCard({ ...deps, edit, undo: createUndo(deps) });
  const forms = createSendForms({
    bindings,
    edit,
    learnMobile: async (ctx, draftId, mobile) => {
      await identities.setMobile(ctx.person.id, mobile);
      await sendTest(ctx, draftId, mobile);
    },
  });

  const sendTest = async (ctx: RequestContext, draftId: string, to: string): Promise<void> => {
    const view = await cardHere(ctx, draftId);
    if (view === null) return;
    const { line } = view.draft;
    const text = view.sample?.text ?? view.draft.text;
    const { id } = await drafts.create(
      draftOf(ctx, { outgoing: { kind: 'text' }, text, line, recipients: [to] }),
    );
    await cards.refresh(id);
    const press = { draftId: id, version: 1, ...doerOf(ctx) };
    // What its text lacks stands on the card from which it is sent.
    const leaves = { lacking: true, undoSeconds: 0, timeZone: ctx.format.timeZone };
    const done = await drafts.confirm({ ...press, ...leaves });
    // The press has used the card's token up, and the test stands below it: the card gets fresh buttons, at the end.
    await cards.bring(draftId, {
      threadId: ctx.threadId,
      isAway: ctx.isAway,
      pressedMessageId: null,
    });
    await answer(ctx, id, done);
  };

  /** A draft of the chat that is spoken in. */
  const cardHere = async (ctx: RequestContext, draftId: string): Promise<CardView | null> => {
    const view = await drafts.card(draftId);
    return view?.draft.chatId === ctx.chat.id ? view : null;
  };

  const answer = async (ctx: RequestContext, draftId: string, done: PressResult): Promise<void> => {
    // These bring the card along; anything else (changed, expired, confirmed before) is shown here.
    if (!BRING_CARD.has(done.result)) await cards.bring(draftId, ctx);
    if (done.result === 'confirmed' && done.authorId === ctx.person.id) return;
    const view = await drafts.card(draftId);
    if (view !== null) await tellPress(ctx, done, view, { cards, now: deps.clock.now() });
  };

  /** A press by which something is decided about the version that it shows. */
  const decided =
    (decide: (press: Parameters<DraftStore['confirm']>[0]) => Promise<PressResult>) =>
    async (
      ctx: RequestContext,
      { draftId, version, warned = false, lacking = false, words = [] }: Decision,
    ): Promise<void> => {
      const done = await decide({
        draftId,
        version,
        warned,
        lacking,
        words,
        ...doerOf(ctx),
        undoSeconds: deps.undoSeconds,
        timeZone: ctx.format.timeZone,
      });
      if (done.result === 'confirmed' || done.result === 'asked') await ctx.endQuestion({ draft: draftId });
      await answer(ctx, draftId, done);
    };

  /** The same for what lets it leave: by a credit of now. */
  const leaving =
    (decide: Parameters<typeof decided>[0]) =>
    async (ctx: RequestContext, press: Decision): Promise<void> => {
      if (ctx.binding !== null) await deps.checkCredit(ctx.binding.id);
      await decided(decide)(ctx, press);
    };

  return {
    name: 'send',
    topic: 'sending',
    commands: [send, card, ...forms],
    replied: words.replied,
    shownBy: async (ctx, target) => {
      if (target === null || !ctx.can('status.view')) return null;
      const draft = await drafts.findByMessage(ctx.chat.id, target.id);
      const made = draft ?? (await drafts.findBySource(ctx.chat.id, target.id));
      const view = made === null ? null : await drafts.card(made);
      if (view !== null) return { send: view.draft.code, ...(draft !== null && { draft }) };
      const send = cardCodeSaid(target.ownWords);
      return send === null || (await notifications.isOfAnother(ctx.chat, target.id)) ? null : { send };
    },
    meant: words.meant,
    edited: words.edited,
    actions: [
      words.action,
      draftActions.confirm.does(leaving((press) => drafts.confirm(press))),
      draftActions.ask.does(decided((press) => drafts.ask(press))),
      draftActions.approve.does(leaving((press) => drafts.approve(press))),
      draftActions.reject.does(decided((press) => drafts.reject(press))),
      createSendNow(deps),
      draftActions.cancel.does(async (ctx, { draftId, version }) => {
        await drafts.cancel(draftId, version, ctx.person.id, ctx.updateId);
        await ctx.endQuestion({ draft: draftId });
        await cards.refresh(draftId);
      }),
      draftActions.again.does(async (ctx, { draftId }) => {
        await cards.heard(draftId, ctx);
        const again = await drafts.takeUp(draftId, ctx.person.id);
        await cards.refresh(draftId);
        if (again !== null) return await cards.bring(again, ctx);
        // Its card says so by now.
        const isRestored = (await drafts.card(draftId))?.draft.restored === true;
        if (!isRestored) await ctx.say(texts(ctx.locale).fileGone);
      }),
      draftActions.reopen.does(async (ctx, { draftId, version }) => {
        await drafts.edit(draftId, version, {});
        await cards.bring(draftId, ctx);
      }),
      draftActions.flash.does(async (_ctx, { draftId, version }) => {
        const view = await drafts.card(draftId);
        if (view === null) return;
        await drafts.edit(draftId, version, { flash: !view.draft.flash });
        await cards.refresh(draftId);
      }),
      draftActions.text.does(async (ctx, { draftId, version }) => {
        await cards.refresh(draftId);
        await ctx.ask(TEXT_FORM, { draft: draftId, version: String(version) });
      }),
      draftActions.add.does(async (ctx, { draftId, version, phrase }) => {
        const view = await cardHere(ctx, draftId);
        if (view === null) return;
        const text = `${view.draft.text}\n${phrase}`;
        if (checkMessage(text).ok) await drafts.edit(draftId, version, { text });
        else await ctx.say(textArgument.problem(ctx.locale, text));
        await cards.refresh(draftId);
      }),
      draftActions.template.does(
        async (ctx, { draftId, version, name }) =>
          await edit(ctx, { id: draftId, version }, { text: `#${name}` }),
      ),
      draftActions.line.does(async (ctx, { draftId, version }) => {
        await cards.refresh(draftId);
        await ctx.ask(LINE_FORM, { draft: draftId, version: String(version) });
      }),
      draftActions.test.does(async (ctx, { draftId }) => {
        if (ctx.person.mobile !== null) return await sendTest(ctx, draftId, ctx.person.mobile);
        await cards.refresh(draftId);
        await ctx.ask(MOBILE_FORM, { draft: draftId });
      }),
      draftActions.panel.does(async (ctx, { draftId, panel }) => {
        if ((await cardHere(ctx, draftId)) !== null) await cards.turn(draftId, panel);
      }),
      draftActions.skipped.does(async (ctx, { draftId }) => {
        const view = await cardHere(ctx, draftId);
        if (view === null) return;
        const t = texts(ctx.locale);
        const rows = view.draft.invalid.map(({ raw, reason }) => [raw, t.why(reason)]);
        const table = { header: t.skippedColumns, rows };
        await sendTable(ctx, { name: `skipped-${view.draft.code}`, table }, tables);
      }),
      ...createJobActions(deps),
    ],
  };
}
