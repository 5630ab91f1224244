import type { JobStore } from '../../ports/jobs.ts';
import type { RestStore } from '../../ports/rest.ts';
import type { ScheduleStore } from '../../ports/schedule.ts';
import type { BindingStore, CardView, DraftStore, IdentityStore } from '../../ports/stores.ts';
import type { Tables } from '../../ports/tables.ts';
import type { TemplateStore } from '../../ports/templates.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import { sendTable } from '../../telegram/table-file.ts';
import type { Turn } from '../../telegram/turn.ts';
import { draftLine, draftLineArgument, draftOf } from '../shared/new-draft.ts';
import { textArgument, typedNumbersArgument } from '../shared/shared-arguments.ts';
import { textOrTemplate } from '../shared/template-call.ts';
import { draftActions } from './actions.ts';
import type { Cards } from './cards.ts';
import { tellPress, type PressResult } from './confirm/press-card.ts';
import { createSendForms, LINE_FORM, MOBILE_FORM, TEXT_FORM } from './draft/forms.ts';
import { cardOf } from './kinds/cards.ts';
import { createJobActions } from './run/job-actions.ts';
import { createSendNow } from './schedule/send-now-card.ts';
import { texts } from './texts.ts';

export interface SendFeatureDeps {
  readonly drafts: DraftStore;
  readonly schedule: ScheduleStore;
  readonly jobs: JobStore;
  readonly rests: RestStore;
  readonly bindings: BindingStore;
  readonly identities: IdentityStore;
  readonly templates: TemplateStore;
  readonly tables: Tables;
  readonly cards: Cards;
  readonly undoSeconds: number;
  /** Has a credit that is no longer to go by read again, if that takes no more than a moment. */
  readonly checkCredit: (bindingId: string) => Promise<void>;
}

const BRING_CARD: ReadonlySet<PressResult['result']> = new Set(['confirmed', 'asked', 'rejected']);

interface Decision {
  readonly draftId: string;
  readonly version: number;
  readonly warned?: boolean | undefined;
}

/** Preparing a message, confirming it, undoing and stopping it. The calls themselves are made by the sender. */
export function createSendFeature(deps: SendFeatureDeps): Feature {
  const { drafts, bindings, identities, templates, tables, cards } = deps;

  const send = defineCommand({
    name: 'send',
    permission: 'send.prepare',
    facet: 'sending',
    about: (locale) => texts(locale).about,
    example: (locale) => texts(locale).example,
    args: {
      numbers: { ...typedNumbersArgument, ask: ({ locale }) => texts(locale).askNumbers },
      text: textArgument,
      line: draftLineArgument(bindings),
    },
    run: async (turn, { numbers, text: typed, line: chosen }) => {
      const text = await textOrTemplate(turn, typed, templates, 'stay');
      if (text === null) return await turn.ask('send', { numbers: numbers.typed });
      const line = await draftLine(turn, chosen, bindings);
      if (line === null) return;
      const { id } = await drafts.create(
        draftOf(turn, {
          outgoing: { kind: 'text' },
          text,
          line,
          recipients: numbers.recipients,
          repeated: numbers.repeated.map(({ raw, recipient }) => ({ raw, reason: recipient })),
          invalid: numbers.invalid,
        }),
      );
      await cards.refresh(id);
    },
  });

  const forms = createSendForms({
    bindings,
    edit: async (turn, { id, version }, change) => {
      const view = await cardHere(turn, id);
      if (view === null || view.draft.authorId !== turn.person.id) return;
      const { text: typed, ...rest } = change;
      const fields = cardOf(view.draft.outgoing).fillsText ? 'are_filled' : 'stay';
      const text = typed === undefined ? undefined : await textOrTemplate(turn, typed, templates, fields);
      if (text === null) return await turn.ask(TEXT_FORM, { draft: id, version: String(version) });
      const changed = await drafts.edit(id, version, { ...rest, ...(text === undefined ? {} : { text }) });
      if (!changed) await turn.say(texts(turn.locale).changedElsewhere);
      await cards.refresh(id);
    },
    learnMobile: async (turn, draftId, mobile) => {
      await identities.setMobile(turn.person.id, mobile);
      await sendTest(turn, draftId, mobile);
    },
  });

  const sendTest = async (turn: Turn, draftId: string, to: string): Promise<void> => {
    const view = await cardHere(turn, draftId);
    if (view === null) return;
    const { line } = view.draft;
    const text = view.sample?.text ?? view.draft.text;
    const { id } = await drafts.create(
      draftOf(turn, { outgoing: { kind: 'text' }, text, line, recipients: [to] }),
    );
    await cards.refresh(id);
    const press = { draftId: id, version: 1, personId: turn.person.id, updateId: turn.updateId };
    const done = await drafts.confirm({ ...press, undoSeconds: 0, timeZone: turn.format.timeZone });
    // The press has used the card's token up: the card gets fresh buttons.
    await cards.refresh(draftId);
    await answer(turn, id, done);
  };

  /** A draft of the chat that is spoken in. */
  const cardHere = async (turn: Turn, draftId: string): Promise<CardView | null> => {
    const view = await drafts.card(draftId);
    return view?.draft.chatId === turn.chat.id ? view : null;
  };

  const answer = async (turn: Turn, draftId: string, done: PressResult): Promise<void> => {
    // These bring the card along; anything else (changed, expired, confirmed before) is shown here.
    if (!BRING_CARD.has(done.result)) await cards.refresh(draftId);
    if (done.result === 'confirmed') return;
    const view = await drafts.card(draftId);
    if (view !== null) await tellPress(turn, done, view);
  };

  /** A press by which something is decided about the version that it shows. */
  const decided =
    (decide: (press: Parameters<DraftStore['confirm']>[0]) => Promise<PressResult>) =>
    async (turn: Turn, { draftId, version, warned = false }: Decision): Promise<void> => {
      const done = await decide({
        draftId,
        version,
        warned,
        personId: turn.person.id,
        updateId: turn.updateId,
        undoSeconds: deps.undoSeconds,
        timeZone: turn.format.timeZone,
      });
      await answer(turn, draftId, done);
    };

  /** The same for what lets it leave: by a credit of now. */
  const leaving =
    (decide: Parameters<typeof decided>[0]) =>
    async (turn: Turn, press: Decision): Promise<void> => {
      if (turn.binding !== null) await deps.checkCredit(turn.binding.id);
      await decided(decide)(turn, press);
    };

  return {
    name: 'send',
    topic: 'sending',
    commands: [send, ...forms],
    actions: [
      draftActions.confirm.does(leaving((press) => drafts.confirm(press))),
      draftActions.ask.does(decided((press) => drafts.ask(press))),
      draftActions.approve.does(leaving((press) => drafts.approve(press))),
      draftActions.reject.does(decided((press) => drafts.reject(press))),
      createSendNow(deps),
      draftActions.cancel.does(async (turn, { draftId, version }) => {
        await drafts.cancel(draftId, version, turn.person.id, turn.updateId);
        await cards.refresh(draftId);
      }),
      draftActions.flash.does(async (_turn, { draftId, version }) => {
        const view = await drafts.card(draftId);
        if (view === null) return;
        await drafts.edit(draftId, version, { flash: !view.draft.flash });
        await cards.refresh(draftId);
      }),
      draftActions.text.does(async (turn, { draftId, version }) => {
        await cards.refresh(draftId);
        await turn.ask(TEXT_FORM, { draft: draftId, version: String(version) });
      }),
      draftActions.line.does(async (turn, { draftId, version }) => {
        await cards.refresh(draftId);
        await turn.ask(LINE_FORM, { draft: draftId, version: String(version) });
      }),
      draftActions.test.does(async (turn, { draftId }) => {
        if (turn.person.mobile !== null) return await sendTest(turn, draftId, turn.person.mobile);
        await cards.refresh(draftId);
        await turn.ask(MOBILE_FORM, { draft: draftId });
      }),
      draftActions.skipped.does(async (turn, { draftId }) => {
        const view = await cardHere(turn, draftId);
        if (view === null) return;
        const t = texts(turn.locale);
        const rows = view.draft.invalid.map(({ raw, reason }) => [raw, t.why(reason)]);
        const table = { header: t.skippedColumns, rows };
        await sendTable(turn, { name: `skipped-${view.draft.code}`, table }, tables);
      }),
      ...createJobActions(deps),
    ],
  };
}
