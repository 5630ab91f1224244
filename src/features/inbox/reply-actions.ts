import { AppError } from '../../domain/errors.ts';
import { checkMessage } from '../../domain/message.ts';
import { parseRecipients } from '../../domain/phone.ts';
import { leastRole } from '../../domain/roles.ts';
import { standingOf } from '../../domain/talk.ts';
import type { NoticeStore, SinkStore } from '../../ports/alerts.ts';
import type { InboundStore, InboundView, Named, TalkStore } from '../../ports/inbound.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { DraftStore } from '../../ports/stores.ts';
import type { TemplateStore } from '../../ports/templates.ts';
import type { RuleStore, TopicStore } from '../../ports/two-way.ts';
import type { Action } from '../../telegram/action.ts';
import { defineCommand, type Command, type OwnMessage } from '../../telegram/feature.ts';
import { clip, lines, quote } from '../../telegram/html.ts';
import { kitTexts, roleName } from '../../telegram/texts.ts';
import type { Turn } from '../../telegram/turn.ts';
import { draftOf } from '../shared/new-draft.ts';
import { textArgument } from '../shared/shared-arguments.ts';
import { textOrTemplate } from '../shared/template-call.ts';
import { inboxActions } from './actions.ts';
import { inboundIdArgument } from './arguments.ts';
import { inboundShownBy, isMaskedFor, shownSender } from './inbound-card.ts';
import { inboundTexts } from './inbound-texts.ts';

export interface ReplyDeps {
  readonly inbound: Pick<InboundStore, 'of'>;
  readonly talks: TalkStore;
  readonly notices: Pick<NoticeStore, 'byMessage' | 'refresh'>;
  readonly sinks: Pick<SinkStore, 'of'>;
  readonly topics: Pick<TopicStore, 'talkIn'>;
  readonly rules: Pick<RuleStore, 'showsNumbers'>;
  readonly drafts: Pick<DraftStore, 'create'>;
  readonly templates: TemplateStore;
  readonly cards: { refresh(draftId: string): Promise<void> };
  readonly clock: Clock;
}

export interface Replying {
  readonly commands: readonly Command[];
  readonly actions: readonly Action[];
  /** A message that replies to one of the bot's; false: to none that shows a received message. */
  readonly replied: (turn: Turn, target: OwnMessage, text: string) => Promise<boolean>;
}

/** Answering received messages: by a reply to the card, by its button, by a command. Each ends in the card of a send. */
export function createReplying(deps: ReplyDeps): Replying {
  const { inbound, talks, notices, sinks, topics, rules, drafts, templates, cards, clock } = deps;

  const answer = async (turn: Turn, inboundId: number, typed: string, anyway: boolean): Promise<void> => {
    const t = inboundTexts(turn.locale);
    const view = await inbound.of(inboundId);
    if (view === null || view.chatId !== turn.chat.id) return void (await turn.say(t.gone));
    if (turn.binding === null) throw new AppError('not_connected', 'the binding has ended');
    if (turn.binding.id !== view.bindingId) return void (await turn.say(t.otherAccount));
    const to = mobileOf(view);
    if (to === null) {
      await turn.say(t.notMobile(shownSender(view.sender, false)));
      return;
    }
    const text = await textOrTemplate(turn, typed, templates, 'stay');
    if (text === null) return;
    const check = checkMessage(text);
    if (!check.ok) {
      await turn.say(textArgument.problem(turn.locale, text));
      return;
    }
    const other = anyway ? null : whoElse(view, turn.person.id);
    if (other !== null) return await warn(turn, view, other, text);
    const { id } = await drafts.create(
      draftOf(turn, {
        outgoing: { kind: 'text' },
        text,
        line: view.line,
        recipients: [to],
        answers: { inboundId, isAuto: false },
      }),
    );
    await cards.refresh(id);
    await talks.take(view.talk.id, turn.person.id, false);
    await notices.refresh({ inboundIds: await talks.cards(view.talk.id) });
  };

  const warn = async (turn: Turn, view: InboundView, other: Other, text: string): Promise<void> => {
    const t = inboundTexts(turn.locale);
    const { by, at, hasAnswered } = other;
    const ago = turn.format.relative(at, clock.now());
    const id = String(view.id);
    const mine = { personId: turn.person.id };
    await turn.say(
      lines(
        hasAnswered ? t.someoneAnswered(by.name, ago, id) : t.someoneHas(by.name, ago, id),
        t.yourText,
        quote(clip(text, 900)),
      ),
      {
        buttons: [
          [
            inboxActions.anyway.button(t.sendAnyway, { id: view.id, text }, mine),
            inboxActions.ask.button(t.ask(clip(by.name, 30)), { id: view.id, of: by.id }, mine),
          ],
        ],
      },
    );
  };

  return {
    commands: [
      defineCommand({
        name: 'reply',
        permission: 'inbox.reply',
        facet: 'sending',
        about: (locale) => inboundTexts(locale).aboutReply,
        example: (locale) => inboundTexts(locale).exampleReply,
        args: {
          id: inboundIdArgument,
          text: {
            ...textArgument,
            ask: ({ locale }, known) => inboundTexts(locale).askText(known['id'] ?? ''),
          },
        },
        run: async (turn, { id, text }) => await answer(turn, id, text, false),
      }),
    ],
    actions: [
      inboxActions.reply.does(async (turn, { id }) => {
        const t = inboundTexts(turn.locale);
        const view = await inbound.of(id);
        if (view === null || view.chatId !== turn.chat.id) await turn.say(t.gone);
        else if (mobileOf(view) === null)
          await turn.say(t.notMobile(shownSender(view.sender, await isMaskedFor(turn, rules))));
        else if (turn.isAway) await turn.say(t.answerAt(turn.chat.title, `in${id}`));
        else await turn.ask('reply', { id: `in${id}` });
      }),
      inboxActions.anyway.does(async (turn, { id, text }) => {
        if (turn.pressedMessageId !== null) await turn.disarm(turn.pressedMessageId);
        await answer(turn, id, text, true);
      }),
      inboxActions.ask.does(async (turn, { id, of }) => {
        const view = await inbound.of(id);
        const other = view === null ? null : whoElse(view, turn.person.id);
        if (view === null || view.chatId !== turn.chat.id || other === null || other.by.id !== of) {
          await turn.say(inboundTexts(turn.locale).gone);
          return;
        }
        await turn.say(inboundTexts(turn.locale).asks(other.by, turn.person.name, String(id)));
      }),
    ],

    replied: async (turn, target, text) => {
      const inboundId = await inboundOf(turn, target);
      if (inboundId === null) return false;
      const view = await inbound.of(inboundId);
      if (view !== null && view.chatId !== turn.chat.id) {
        await turn.say(inboundTexts(turn.locale).answerHome(`in${inboundId}`));
        return true;
      }
      if (!turn.can('inbox.reply')) {
        // Others in a group may talk about it as they like.
        if (turn.role !== null)
          await turn.say(kitTexts(turn.locale).needsRole(roleName(turn.locale, leastRole('inbox.reply'))));
        return true;
      }
      if (text.trim() !== '') await answer(turn, inboundId, text.trim(), false);
      return true;
    },
  };

  /**
   * The message whose card it is, also where the process ended before it could write down that Telegram took the card; in
   * a correspondent's topic, any message of the bot's stands for the last one.
   */
  async function inboundOf(turn: Turn, target: OwnMessage): Promise<number | null> {
    const notice = await notices.byMessage(turn.chat.telegramId, target.id);
    if (notice !== null) return notice.inboundId;
    const shown = inboundShownBy(target.text);
    if (shown !== null) return shown;
    if (turn.threadId === undefined) return null;
    const sink = (await sinks.of(turn.chat.id)).find((each) => each.topics && each.isChatItself);
    const talkId = sink === undefined ? null : await topics.talkIn(sink.id, turn.threadId);
    const last = talkId === null ? undefined : (await talks.cards(talkId)).at(-1);
    return last ?? null;
  }
}

interface Other {
  readonly by: Named;
  readonly at: Date;
  readonly hasAnswered: boolean;
}

/** Whoever else looks after it, or has answered already. */
function whoElse({ talk, capturedAt }: InboundView, personId: number): Other | null {
  const { answeredBy, takenBy } = standingOf(talk, capturedAt);
  if (answeredBy !== null && answeredBy.id !== personId && talk.answeredAt !== null)
    return { by: answeredBy, at: talk.answeredAt, hasAnswered: true };
  if (takenBy !== null && takenBy.id !== personId && talk.takenAt !== null)
    return { by: takenBy, at: talk.takenAt, hasAnswered: false };
  return null;
}

/** Null for a name or a short code: nobody can be reached there. */
function mobileOf({ talk }: InboundView): string | null {
  const [only, ...more] = parseRecipients(talk.number).recipients;
  return only !== undefined && more.length === 0 ? only : null;
}
