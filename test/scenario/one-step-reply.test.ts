import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import { labels, READING, receivingIn, type Team } from '../support/receiving.ts';
import { schedulesIn } from '../support/scheduling.ts';
import { isFromBot, plain } from '../support/talk.ts';
import { harm } from '../support/story.ts';
import { useWorld } from '../support/use-world.ts';

/* An answer to one who has written: it leaves by the reply alone, and can be taken back while the undo hold lasts. */

/** Nobody waits for it: {@link over} ends it. */
const UNDO_SECONDS = 60;
const UNDO = '↩️ Undo';
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** How far Telegram's clock is behind: what is written then is old when it comes. */
let behindMs = 0;

const { world, made } = useWorld(
  { ...READING, UNDO_SECONDS: String(UNDO_SECONDS) },
  { deliverySeconds: 0.3, now: () => Date.now() - behindMs },
);
const on = made(schedulesIn);
const receiving = made((w) => receivingIn(w, on.talk));

type InGroup = Team & { readonly place: number };

/** A team that has been written to, and the card of that. */
async function written(words: string, line?: string) {
  const ours = await receiving.team();
  const { typed, masked, bare } = receiving.mobile();
  receiving.arrives(ours, typed, words, line);
  return { ours, typed, masked, bare, card: await receiving.cardOf(ours.place, words) };
}

const textsSent = ({ account }: Team) => on.talk.sends(account.username).map(({ text }) => text);

/** The drafts of a chat, oldest first, each with what has become of it. */
async function draftsOf({ place }: InGroup) {
  return await world.database.sql`
    select d.text, d.state, j.state as job from draft d join chat c on c.id = d.chat_id
    left join job j on j.draft_id = d.id where c.telegram_id = ${place} order by d.created_at`;
}

/** The update that somebody's words came by. */
function updateOf(words: string): number {
  const found = world.playground.control.updates().find(({ json }) => json.includes(words));
  if (found === undefined) throw new Error(`no update says ${words}`);
  return found.id;
}

/** The holds of a chat's answers are over. */
async function over({ place }: InGroup): Promise<void> {
  await on.calm(place);
  await world.database.sql`
    with due as (
      update job j set hold_until = now() from chat c
      where c.id = j.chat_id and c.telegram_id = ${place} and j.state = 'holding' returning j.id)
    update graphile_worker._private_jobs q set run_at = now() from due where q.key = 'send:' || due.id`;
}

function saidBelow({ place }: InGroup, message: Message): Message[] {
  return world.driver
    .messages(place)
    .filter((each) => isFromBot(each) && each.message_id > message.message_id);
}

describe.concurrent('a reply to the card of a received message', () => {
  test('leaves once the hold is over, from the line that received, and nothing else is asked', async () => {
    const { ours, bare, card } = await written('Is it ready?', '50001234');
    const held = await on.talk.asks(ours.agent, ours.place, 'Ready at five.', 'Ready at five.', {
      replyTo: card,
    });
    expect(labels(held)).toEqual([UNDO]);
    expect(on.talk.sends(ours.account.username)).toEqual([]);
    await over(ours);
    await on.talk.turns(card, /↩️ answered by Omid · #A\d+ · ✅ delivered/u);
    expect(on.talk.sends(ours.account.username)).toMatchObject([
      { line: '50001234', recipients: [bare], text: 'Ready at five.' },
    ]);
    expect(saidBelow(ours, card)).toHaveLength(1);
  });

  test.each([
    ['en', 'Which message?'],
    ['fa', 'کدام پیام؟'],
  ] as const)(
    'below a list waits for whom it is meant, and its words are kept, in %s',
    async (lang, asks) => {
      const ours = await receiving.alone(lang);
      const { typed } = receiving.mobile();
      receiving.arrives(ours, typed, 'A table for two?');
      await receiving.cardOf(ours.place, 'A table for two?');
      const list = await on.talk.asks(ours.agent, ours.place, '/inbox', '📥');
      const asked = await on.talk.asks(ours.agent, ours.place, 'At eight', asks, { replyTo: list });
      await on.talk.presses(ours.agent, asked, '#in');
      // A button's answer was not read as it left.
      const draft = await on.talk.hears(ours.place, 'At eight', asked.message_id);
      expect(plain(draft)).toContain(typed);
      expect(labels(draft)[0]).toMatch(/^✅/u);
    },
  );

  test.each(['stop!', 'لغو'])(
    '«%s» to the same card takes it back, and is no second answer',
    async (words) => {
      const { ours, card } = await written(`Is the shop open? ${words}`);
      const other = receiving.mobile();
      receiving.arrives(ours, other.typed, `Me too ${words}`);
      const another = await receiving.cardOf(ours.place, `Me too ${words}`);
      const held = await on.talk.asks(ours.agent, ours.place, 'The wrong answer', 'The wrong answer', {
        replyTo: card,
      });
      ours.agent.send(ours.place, words, { replyTo: card });
      await on.calm(ours.place);
      await on.talk.turns(held, /undone by Omid · not sent/u);
      expect(await draftsOf(ours)).toMatchObject([
        { text: 'The wrong answer', job: 'undone' },
        { text: 'The wrong answer', state: 'open' },
      ]);
      // To somebody else it is an answer.
      await on.talk.asks(ours.agent, ours.place, words, words, { replyTo: another });
      await over(ours);
      await on.talk.turns(another, 'answered by Omid');
      expect(textsSent(ours)).toEqual([words]);
    },
  );

  test('is taken back within the hold, and the sender waits for an answer again', async () => {
    const { ours, card } = await written('Do you open on Friday?');
    const held = await on.talk.asks(ours.agent, ours.place, 'Yes, we do', 'Yes, we do', {
      replyTo: card,
    });
    await on.talk.presses(ours.agent, held, UNDO);
    await on.talk.turns(card, '✖ not sent');
    const back = await on.talk.hears(ours.place, 'Draft #A2', held.message_id);
    expect(plain(back)).toContain('Yes, we do');
    expect(labels(back)[0]).toMatch(/^✅/u);
    const [talk] = await world.database.sql`
      select t.answered_at from talk t join account a on a.id = t.account_id join chat c on c.id = a.chat_id
      where c.telegram_id = ${ours.place}`;
    expect(talk).toEqual({ answered_at: null });
    const next = await on.talk.asks(ours.agent, ours.place, 'No, we do not', 'No, we do not', {
      replyTo: card,
    });
    expect(labels(next)).toEqual([UNDO]);
    await over(ours);
    await on.talk.turns(card, 'delivered');
    expect(textsSent(ours)).toEqual(['No, we do not']);
  });

  test.each(['en', 'fa'] as const)(
    '(%s) that is refused or in doubt calls whoever gave it, below its card',
    async (lang) => {
      const ours = await receiving.team({ lang });
      const { typed } = receiving.mobile();
      receiving.arrives(ours, typed, 'Will it come?');
      const card = await receiving.cardOf(ours.place, 'Will it come?');
      const answer = async (words: string) =>
        await on.talk.asks(ours.agent, ours.place, words, words, { replyTo: card });
      const calledBy = (message: Message) =>
        (message.entities ?? []).flatMap((each) => (each.type === 'text_mention' ? [each.user.id] : []));

      const refusal = harm(world, ours.account, {
        kind: 'body',
        text: JSON.stringify({ return: { status: 400, message: 'no' } }),
      });
      const refused = await answer('Tomorrow.');
      await over(ours);
      const told = await on.talk.hears(
        ours.place,
        lang === 'en'
          ? 'Omid: ❌ Your SMS answer #A1 was not sent'
          : 'Omid: ❌ پاسخ پیامکی شما #A1 ارسال نشد',
        refused.message_id,
      );
      expect([calledBy(told), told.reply_to_message?.message_id]).toEqual([
        [ours.agent.id],
        refused.message_id,
      ]);
      expect(labels(told)).toEqual(
        labels(await on.talk.turns(refused, lang === 'en' ? 'not sent' : 'ارسال نشد')),
      );
      refusal.heal();

      harm(world, ours.account, { kind: 'drop', when: 'after', times: 1 });
      const doubted = await answer('In the morning.');
      await over(ours);
      const unknown = await on.talk.hears(
        ours.place,
        lang === 'en' ? 'not known whether your SMS answer #A2' : 'معلوم نیست پاسخ پیامکی شما #A2',
        doubted.message_id,
      );
      expect(unknown.reply_to_message?.message_id).toBe(doubted.message_id);
    },
  );

  test('by /reply and by the button leaves in the same way, and the question says so', async () => {
    const { ours, card } = await written('Two ways?');
    await on.talk.presses(ours.agent, card, '↩️ Reply');
    const question = await on.talk.hears(ours.place, 'Undo takes it back', card.message_id);
    expect(plain(question)).toContain(`It is sent 1 min after your reply`);
    const held = await on.talk.asks(ours.agent, ours.place, 'By the button', 'By the button', {
      replyTo: question,
    });
    expect(labels(held)).toEqual([UNDO]);
    const id = /#(in\d+)/u.exec(plain(card))?.[1] ?? '';
    const other = await on.talk.asks(ours.agent, ours.place, `/reply ${id} By its number`, 'By its number');
    expect(labels(other)).toEqual([UNDO]);
    await over(ours);
    await on.talk.turns(card, /#A2 · ✅ delivered/u);
    expect(textsSent(ours).toSorted()).toEqual(['By its number', 'By the button']);
  });

  test('that comes again, and is handled again after all was forgotten, is one message', async () => {
    const { ours, card } = await written('Once, please');
    const words = 'once and only once';
    await on.talk.asks(ours.agent, ours.place, words, words, { replyTo: card });
    const id = updateOf(words);
    world.playground.control.resendUpdate(id);
    await world.driver.whenPolled();
    await world.database.sql`delete from update where update_id = ${id}`;
    world.playground.control.resendUpdate(id);
    await world.driver.whenPolled();
    await over(ours);
    await on.talk.turns(card, 'delivered');
    await world.database.sql`delete from update where update_id = ${id}`;
    world.playground.control.resendUpdate(id);
    await world.driver.whenPolled();
    await on.calm(ours.place);
    expect(textsSent(ours)).toEqual([words]);
    expect(await draftsOf(ours)).toHaveLength(1);
  });

  test('with words that it was answered with already waits for a press', async () => {
    const { ours, card } = await written('Say it twice');
    await on.talk.asks(ours.agent, ours.place, 'Twelve', 'Twelve', { replyTo: card });
    await on.talk.asks(ours.agent, ours.place, 'Twelve', 'the same text already: #A1', { replyTo: card });
    const draft = await on.talk.hears(ours.place, 'Draft #A2', card.message_id);
    await over(ours);
    await on.talk.turns(card, 'delivered');
    expect(textsSent(ours)).toEqual(['Twelve']);
    expect(world.driver.messages(ours.place).at(-1)?.message_id).toBe(draft.message_id);
    await on.talk.presses(ours.agent, draft, '✅ Send');
    await on.talk.turns(draft, 'leaving in');
    await over(ours);
    await on.talk.turns(draft, 'delivered');
    expect(textsSent(ours)).toEqual(['Twelve', 'Twelve']);
  });

  test('of two at once: the first leaves, the second is told who has it and then has to confirm', async () => {
    const { ours, card } = await written('Who is faster?');
    ours.agent.send(ours.place, 'Omid is', { replyTo: card });
    ours.owner.send(ours.place, 'Olga is', { replyTo: card });
    const told = await on.talk.hears(ours.place, 'Your text has not been sent', card.message_id);
    expect(plain(told)).toContain('Olga is');
    expect(plain(told)).toContain('Omid');
    await over(ours);
    await on.talk.turns(card, 'answered by Omid');
    await on.talk.presses(ours.owner, told, '✅ Send anyway');
    const draft = await on.talk.hears(ours.place, 'Draft #A2', told.message_id);
    await on.talk.turns(card, 'delivered');
    expect(textsSent(ours)).toEqual(['Omid is']);
    await on.talk.presses(ours.owner, draft, '✅ Send');
    await on.talk.turns(draft, 'leaving in');
    await over(ours);
    await on.talk.turns(card, /answered by Olga · #A2 · ✅ delivered/u);
    expect(textsSent(ours)).toEqual(['Omid is', 'Olga is']);
  });

  test('that a second person has to approve waits for them on its card, which is the last message', async () => {
    const { ours, card } = await written('May I have a discount?');
    await on.talk.gives('approver', ours.owner, ours.place);
    await on.limit(ours.place, { approval: 0 });
    const draft = await on.talk.asks(ours.agent, ours.place, 'Yes, ten', 'Draft #A1', { replyTo: card });
    expect(labels(draft)[0]).toMatch(/^➡/u);
    expect(saidBelow(ours, card)).toHaveLength(1);
    await on.calm(ours.place);
    expect(textsSent(ours)).toEqual([]);
    await on.talk.presses(ours.agent, draft, '➡');
    const call = await on.talk.hears(ours.place, 'waits for approval', draft.message_id);
    await on.talk.presses(ours.owner, call, '✅ Approve');
    await on.talk.turns(draft, 'leaving in');
    await over(ours);
    await on.talk.turns(card, 'delivered');
    expect(textsSent(ours)).toEqual(['Yes, ten']);
  });

  test('that goes over the cap of the day, or comes while sends are off, says so on its card and stays a draft', async () => {
    const { ours, card } = await written('Over the cap?');
    await on.limit(ours.place, { cap: 0 });
    const draft = await on.talk.asks(ours.agent, ours.place, 'Over it', 'Draft #A1', { replyTo: card });
    expect(plain(draft)).toContain('It would go over the day’s cap');
    expect(world.driver.messages(ours.place).at(-1)?.message_id).toBe(draft.message_id);
    await on.limit(ours.place, {});
    await on.talk.asks(ours.owner, ours.place, '/limits stop', 'off');
    const off = await on.talk.asks(ours.agent, ours.place, 'While off', 'Draft #A2', { replyTo: card });
    expect(plain(off)).toContain('switched all sends of this chat off');
    await on.calm(ours.place);
    expect(await draftsOf(ours)).toMatchObject([{ state: 'open' }, { state: 'open' }]);
    expect(textsSent(ours)).toEqual([]);
  });

  test('to somebody on the blacklist of the line reaches nobody, and the card says so', async () => {
    const { ours, bare, card } = await written('Take me off');
    world.sandbox.world
      .account(ours.account.username)
      ?.blacklist.add('3000123456', [bare], { setter: 'user', at: 0 });
    await on.talk.asks(ours.agent, ours.place, 'We will', 'We will', { replyTo: card });
    // Before the confirmation or after it, by whichever looks first.
    await over(ours);
    await on.talk.hears(ours.place, /blacklist|blocked/u, card.message_id);
    await on.calm(ours.place);
    expect(textsSent(ours)).toEqual([]);
  });

  test('to them that waits on its card for somebody else says there that nobody is left', async () => {
    const { ours, bare, card } = await written('Take me off the list');
    world.sandbox.world
      .account(ours.account.username)
      ?.blacklist.add('3000123456', [bare], { setter: 'user', at: 0 });
    await on.talk.gives('approver', ours.owner, ours.place);
    await on.limit(ours.place, { approval: 0 });
    const draft = await on.talk.asks(ours.agent, ours.place, 'You are off', 'Draft #A1', { replyTo: card });
    const known = await on.talk.turns(draft, 'Nobody is left to send to');
    expect(labels(known).filter((label) => /^[✅➡]/u.test(label))).toEqual([]);
    expect(textsSent(ours)).toEqual([]);
  });

  test('is text: a picture, an album, a sticker’s emptiness and too many characters are told, and nothing is stored', async () => {
    const { ours, card } = await written('Send me a picture');
    const replies = { replyTo: card };
    const { control } = world.playground;
    const file = (name: string) => ({ field: 'file', name, mime: 'image/png', bytes: PICTURE });
    const by = { user_id: ours.agent.id, chat_id: ours.place, reply_to_message_id: card.message_id };
    control.upload({ ...by, caption: 'Here it is' }, [file('one.png')]);
    await on.talk.hears(ours.place, 'An SMS is only text', card.message_id);
    control.upload({ ...by, caption: 'And two more' }, [file('two.png'), file('three.png')]);
    await on.talk.asks(ours.agent, ours.place, 'x'.repeat(901), 'the gateway takes at most 900', replies);
    const told = saidBelow(ours, card).filter((each) => plain(each).includes('An SMS is only text'));
    expect(told).toHaveLength(2);
    await on.talk.asks(ours.agent, ours.place, '\u2800 \u3164', /empty|nothing/iu, replies);
    expect(await draftsOf(ours)).toEqual([]);
  });

  test('after another one is taken back alone: the one before still counts', async () => {
    const { ours, card } = await written('Two answers');
    await on.talk.asks(ours.agent, ours.place, 'The first', 'The first', { replyTo: card });
    await over(ours);
    await on.talk.turns(card, 'delivered');
    const held = await on.talk.asks(ours.agent, ours.place, 'The second', 'The second', { replyTo: card });
    await on.talk.presses(ours.agent, held, UNDO);
    await on.talk.hears(ours.place, 'Draft #A3', held.message_id);
    await on.talk.asks(ours.owner, ours.place, '/inbox unanswered', 'is answered or done');
    await on.calm(ours.place);
    expect(textsSent(ours)).toEqual(['The first']);
  });

  test.each([
    ['has many parts', `${'long '.repeat(95)}end`, 'more than three parts'],
    ['has fields', 'Dear {name}, come at five', 'The fields in this message stay as they are: {name}'],
    ['is the code of a card and nothing else', 'a۱۰', 'only the code of a card'],
    ['orders the bot to do something', 'Block him, spam!', 'reads like an order to me'],
    ['calls somebody in the chat', '@olga_shop is this yours?', 'names somebody with @'],
  ])('that %s is read once more on its card', async (_, words, why) => {
    const { ours, card } = await written('Read it first');
    const told = await on.talk.asks(ours.agent, ours.place, words, why, { replyTo: card });
    const draft = await on.talk.hears(ours.place, 'Draft #A1', card.message_id);
    // What the card says itself is not said twice.
    const above = world.driver.messages(ours.place).filter((m) => plain(m).includes('Not sent yet'));
    expect(above).toHaveLength(told.message_id === draft.message_id ? 0 : 1);
    expect(world.driver.messages(ours.place).at(-1)?.message_id).toBe(draft.message_id);
    expect(await draftsOf(ours)).toMatchObject([{ state: 'open', job: null }]);
    await on.talk.presses(ours.agent, draft, '✅ Send');
    await on.talk.turns(draft, 'leaving in');
    await over(ours);
    await on.talk.turns(card, 'delivered');
    expect(textsSent(ours)).toEqual([words]);
  });

  test('that waits for a press has its card, though what was said before it was lost on its way to Telegram', async () => {
    const { ours, card } = await written('Who comes?');
    world.playground.control.fault({ method: 'sendMessage', match: { chat_id: ours.place }, drop: 'before' });
    const draft = await on.talk.asks(ours.agent, ours.place, 'Was @reza told?', 'Draft #A1', {
      replyTo: card,
    });
    expect(labels(draft)[0]).toMatch(/^✅/u);
    expect(textsSent(ours)).toEqual([]);
  });

  test('that is edited to a command for somebody else is an answer no longer', async () => {
    const { ours, card } = await written('Was anybody told?');
    const reply = ours.agent.send(ours.place, 'Was @reza told?', { replyTo: card });
    const draft = await on.talk.hears(ours.place, 'Draft #A1', card.message_id);
    ours.agent.edit(reply, '/send 09351112233 For another');
    const other = await on.talk.turns(draft, (m) => plain(m).includes('For another') && labels(m).length > 0);
    await on.talk.presses(ours.agent, other, '✅');
    await over(ours);
    await on.talk.turns(draft, 'delivered');
    await on.calm(ours.place);
    const shown = world.driver.messages(ours.place).find((m) => m.message_id === card.message_id);
    expect(shown === undefined ? '' : plain(shown)).not.toContain('answered by');
  });

  test.each(['en', 'fa'] as const)(
    '(%s) is an answer also where Telegram’s answer to the card was lost',
    async (lang) => {
      const ours = await receiving.team({ lang });
      const { typed } = receiving.mobile();
      world.playground.control.fault({
        method: 'sendMessage',
        match: { chat_id: ours.place },
        drop: 'after',
      });
      receiving.arrives(ours, typed, 'Are you there?');
      const card = await receiving.cardOf(ours.place, 'Are you there?');
      const again = await receiving.cardOf(ours.place, 'Are you there?', card.message_id);
      await on.talk.asks(ours.agent, ours.place, 'I am', 'I am', { replyTo: card });
      await over(ours);
      await on.talk.turns(again, /Omid · #A1 · ✅/u);
      expect(textsSent(ours)).toEqual(['I am']);
    },
  );

  test('that somebody else has is said not to have left, though Telegram’s answer to that is lost', async () => {
    const { ours, card } = await written('Is it open?');
    await on.talk.asks(ours.owner, ours.place, 'It is', 'It is', { replyTo: card });
    world.playground.control.fault({ method: 'sendMessage', match: { chat_id: ours.place }, drop: 'before' });
    const told = await on.talk.asks(ours.agent, ours.place, 'No', 'Your text has not been sent', {
      replyTo: card,
    });
    expect(labels(told)).toContain('✅ Send anyway');
  });

  test('that was refused calls whoever gave it, though Telegram’s answer to that is lost', async () => {
    const { ours, card } = await written('And now?');
    harm(world, ours.account, {
      kind: 'body',
      text: JSON.stringify({ return: { status: 400, message: 'no' } }),
    });
    const refused = await on.talk.asks(ours.agent, ours.place, 'Now', 'Now', { replyTo: card });
    world.playground.control.fault({ method: 'sendMessage', match: { chat_id: ours.place }, drop: 'before' });
    await over(ours);
    const called = await on.talk.hears(ours.place, 'Your SMS answer #A1 was not sent', refused.message_id);
    expect(plain(called)).toMatch(/^Omid: ❌/u);
  });

  test('outside of the hours waits on its card, which says so', async () => {
    const { ours, card } = await written('At night');
    const now = new Date(Date.now() + 3.5 * 3_600_000);
    const minute = now.getUTCHours() * 60 + now.getUTCMinutes();
    const [from, to] = minute < 720 ? [1200, 1260] : [120, 180];
    await on.limit(ours.place, { window: [from, to] });
    const draft = await on.talk.asks(ours.agent, ours.place, 'Too late', 'Draft #A1', { replyTo: card });
    expect(plain(draft)).toMatch(/This chat sends only from \d\d:00/u);
    expect(await draftsOf(ours)).toMatchObject([{ state: 'open', job: null }]);
    expect(textsSent(ours)).toEqual([]);
  });

  test('that is edited afterwards leaves as it was, and the edit sends nothing', async () => {
    const { ours, card } = await written('Which floor?');
    const said = ours.agent.send(ours.place, 'The third', { replyTo: card });
    await on.talk.hears(ours.place, 'The third', said.message_id);
    ours.agent.edit(said, 'The fourth');
    await on.talk.hears(ours.place, 'edits of the message are no longer followed', said.message_id);
    await over(ours);
    await on.talk.turns(card, 'delivered');
    ours.agent.edit(said, 'The fifth');
    await on.calm(ours.place);
    expect(textsSent(ours)).toEqual(['The third']);
    expect(await draftsOf(ours)).toHaveLength(1);
  });

  test('by somebody without the right is refused before anything is stored', async () => {
    const { ours, card } = await written('For operators');
    await on.talk.gives('viewer', ours.agent, ours.place);
    await on.talk.asks(ours.agent, ours.place, 'I am none', 'needs the role operator', { replyTo: card });
    await on.calm(ours.place);
    expect(await draftsOf(ours)).toEqual([]);
    expect(textsSent(ours)).toEqual([]);
  });
});

test('a reply to something else in a correspondent’s topic is talk, perhaps: it waits for a press', async () => {
  const ours = await receiving.team({ type: 'forum', bot: 'administrator' });
  await receiving.wantsTopics(ours);
  receiving.arrives(ours, receiving.mobile().typed, 'in a topic');
  const card = await receiving.cardOf(ours.place, 'in a topic');
  const there = { threadId: card.message_thread_id ?? 0 };
  const held = await on.talk.asks(ours.agent, ours.place, 'At five', 'At five', { ...there, replyTo: card });
  expect(labels(held)).toEqual([UNDO]);
  const draft = await on.talk.asks(ours.agent, ours.place, 'Oh, was that right?', 'Draft #A2', {
    ...there,
    replyTo: held,
  });
  expect(labels(draft)[0]).toMatch(/^✅/u);
  await over(ours);
  await on.talk.turns(card, 'delivered');
  expect(textsSent(ours)).toEqual(['At five']);
});

test('a reply that has waited while nobody took it up is a draft', async () => {
  const { ours, card } = await written('Are you there?');
  behindMs = 600_000;
  const draft = await on.talk.asks(ours.agent, ours.place, 'I was then', 'Draft #A1', { replyTo: card });
  behindMs = 0;
  await on.calm(ours.place);
  expect(textsSent(ours)).toEqual([]);
  await on.talk.presses(ours.agent, draft, '✅ Send');
  await on.talk.turns(draft, 'leaving in');
  await over(ours);
  await on.talk.turns(card, 'delivered');
});

test('a reply to the card is for its sender, whatever was asked before it', async () => {
  const ours = await receiving.alone();
  const { typed, bare } = receiving.mobile();
  receiving.arrives(ours, typed, 'Is it there?');
  const card = await receiving.cardOf(ours.place, 'Is it there?');
  const question = await on.talk.asks(
    ours.owner,
    ours.place,
    '/send 09351112233',
    'What should the message say',
  );
  const held = await on.talk.asks(ours.owner, ours.place, 'It is', 'leaving in', { replyTo: card });
  expect(labels(held)).toEqual([UNDO]);
  // The question waits on, for what replies to it or to nothing.
  const draft = await on.talk.asks(ours.owner, ours.place, 'Hello', 'Draft #A2', { replyTo: question });
  expect(plain(draft)).toContain('09351112233');
  await over({ ...ours, place: ours.owner.id });
  await on.talk.turns(card, 'delivered');
  expect(on.talk.sends(ours.account.username)).toMatchObject([{ recipients: [bare], text: 'It is' }]);
});

describe.concurrent('a command below the card of a received message', () => {
  test('is about its sender, where it names nobody', async () => {
    const { ours, masked, bare, card } = await written('Where is my order?');
    const asks = async (words: string, answer: RegExp | string) =>
      plain(await on.talk.asks(ours.owner, ours.place, words, answer, { replyTo: card }));
    expect(await asks('/block', /Block/u)).toContain(masked);
    expect(await asks('/block please', /Block/u)).toContain(masked);
    expect(await asks('/block 09351112233', /Block/u)).toContain('0935•••2233');
    expect(await asks('/isblocked', '0 of 1 blocked')).toContain(masked);
    expect(await asks('/name Sara Ahmadi', 'Sara Ahmadi')).toContain(masked);
    const draft = await asks('/send It is on its way', 'Draft #A1');
    expect(draft).toContain('It is on its way');
    expect(await draftsOf(ours)).toEqual([{ text: 'It is on its way', state: 'open', job: null }]);
    expect(on.talk.sends(ours.account.username)).toEqual([]);
    await asks('/reply 2 days more', '2 days more');
    await over(ours);
    await on.talk.turns(card, 'answered by');
    expect(on.talk.sends(ours.account.username)).toMatchObject([{ recipients: [bare], text: '2 days more' }]);
  });

  test('asks for the text alone, and an edit of it is about the same sender', async () => {
    const { ours, masked, card } = await written('And mine?');
    const { owner, place } = ours;
    const question = await on.talk.asks(owner, place, '/send', /message say|text/u, { replyTo: card });
    await on.talk.asks(owner, place, 'Tomorow', 'Draft #A1', { replyTo: question });
    const order = owner.send(place, '/send Tomorow', { replyTo: card });
    const shown = await on.talk.hears(place, 'Draft #A2', order.message_id);
    owner.edit(order, '/send Tomorrow');
    const edited = await on.talk.hears(place, /Draft #A2[\s\S]*Tomorrow/u, shown.message_id);
    expect(plain(edited)).toContain(masked);
  });

  test('is about the correspondent in whose topic it is given, whatever it replies to', async () => {
    const ours = await receiving.team({ type: 'forum', bot: 'administrator' });
    await receiving.wantsTopics(ours);
    const { typed, masked } = receiving.mobile();
    receiving.arrives(ours, typed, 'Are you open?');
    const card = await receiving.cardOf(ours.place, 'Are you open?');
    const there = { threadId: card.message_thread_id ?? 0 };
    const draft = await on.talk.asks(ours.owner, ours.place, '/send Until nine', 'Draft #A1', there);
    expect(plain(draft)).toContain(masked);
    const below = { ...there, replyTo: draft };
    expect(plain(await on.talk.asks(ours.owner, ours.place, '/block', /Block/u, below))).toContain(masked);
    // A card in it speaks of its send as well.
    await on.talk.asks(ours.owner, ours.place, '/send Until ten', 'Draft #A2', there);
    await on.talk.asks(ours.owner, ours.place, '/cancel', 'Draft #A1 is cancelled', below);
    // Elsewhere it is about nobody.
    await on.talk.asks(ours.owner, ours.place, '/block', 'Which');
  });
});
