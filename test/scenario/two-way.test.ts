import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import { labels, READING, receivingIn, seen } from '../support/receiving.ts';
import { until } from '../support/story.ts';
import { isFromBot, plain, rows } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* A received message and what a team does about it: from the sandbox's inbox to its ledger and back. */

const LINE = '3000123456';
const OTHER = '50001234';

const { world, talk, made } = useWorld(READING, { deliverySeconds: 0.3 });
const receiving = made(receivingIn);

describe('the card of a received message', () => {
  test('says who wrote to which line, with the number in part only in a group', async () => {
    const ours = await receiving.team();
    const { typed, masked } = receiving.mobile();
    receiving.arrives(ours, typed, 'Where is my order?');
    const card = await receiving.cardOf(ours.place, 'Where is my order?');
    expect(plain(card)).toContain(`📩 to ${LINE}`);
    expect(plain(card)).toContain(masked);
    expect(plain(card)).not.toContain(typed.slice(1));
    expect(labels(card)).toEqual(['🙋 Take', '↩️ Reply', '🔎 History', '⛔ Block', '✔ Done']);
  });

  test('shows the whole number in a private chat, in Persian, with the name that was given', async () => {
    const ours = await receiving.alone('fa');
    const { typed } = receiving.mobile();
    await talk.asks(ours.owner, ours.place, `/name ${typed} مریم`, 'از این به بعد نام');
    receiving.arrives(ours, typed, 'سلام، سفارش من نرسید');
    const card = await receiving.cardOf(ours.place, 'سفارش من نرسید');
    expect(plain(card)).toContain(`${typed} · مریم`);
    expect(plain(card)).toContain(`به ${LINE}`);
    expect(labels(card)).toEqual(['🔎 سابقه', '↩️ پاسخ', '🙋 با من', '✔ انجام شد', '⛔ مسدود']);

    await talk.asks(ours.owner, ours.place, `/name ${typed} -`, 'دیگر در اینجا نامی ندارد');
    receiving.arrives(ours, typed, 'هنوز نرسیده');
    const next = await receiving.cardOf(ours.place, 'هنوز نرسیده');
    expect(plain(next)).not.toContain('مریم');
  });

  test('tells what was last sent there and how it ended', async () => {
    const ours = await receiving.team();
    const { typed } = receiving.mobile();
    const draft = await talk.asks(ours.agent, ours.place, `/send ${typed} Your parcel left today.`, '✉️');
    await talk.presses(ours.agent, draft, '✅ Send');
    await talk.turns(draft, 'delivered');
    receiving.arrives(ours, typed, 'Thank you!');
    const card = await receiving.cardOf(ours.place, 'Thank you!');
    expect(plain(card)).toMatch(/last sent: #A1, .+, ✅ delivered/u);
  });

  test('is closed when it is done, and the next message of the same sender is open again', async () => {
    const ours = await receiving.team();
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, 'first question');
    const card = await receiving.cardOf(ours.place, 'first question');
    await talk.presses(ours.agent, card, '🙋 Take');
    await talk.turns(card, '🙋 Omid');
    await talk.presses(ours.agent, card, '✔ Done');
    const done = await talk.turns(card, '✔ done · Omid');
    expect(labels(done)).toEqual(['↩️ Reply', '🔎 History', '⛔ Block', '🔓 Open again']);

    receiving.arrives(ours, typed, 'second question');
    const next = await receiving.cardOf(ours.place, 'second question');
    expect(plain(next)).not.toContain('done');
    expect(plain(next)).not.toContain('Omid');
    expect(labels(next)).toContain('🙋 Take');
    await talk.presses(ours.agent, done, '🔓 Open again');
    await talk.turns(card, (each) => labels(each).includes('✔ Done'));
  });

  test('calls who has taken the conversation, with its buttons, when the next one comes', async () => {
    const ours = await receiving.team();
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, 'first question');
    const card = await receiving.cardOf(ours.place, 'first question');
    await talk.presses(ours.agent, card, '🙋 Take');
    await talk.turns(card, '🙋 Omid');
    receiving.arrives(ours, typed, 'and another');
    const next = await receiving.cardOf(ours.place, 'and another');
    const called = (next.entities ?? []).flatMap((each) =>
      each.type === 'text_mention' ? [each.user.id] : [],
    );
    expect(called).toEqual([ours.agent.id]);
    expect(labels(next)).toEqual([
      '🙋 Take over',
      '↩️ Reply',
      '🔎 History',
      '⛔ Block',
      '✔ Done',
      '🤝 Hand over',
      '💤 Snooze',
    ]);
  });

  test('is for operators: a viewer’s press is refused, and so is a viewer’s reply', async () => {
    const ours = await receiving.team({ role: 'viewer' });
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, 'for operators');
    const card = await receiving.cardOf(ours.place, 'for operators');
    expect(await talk.presses(ours.agent, card, '🙋 Take')).toContain('does not allow');
    await talk.asks(ours.agent, ours.place, 'I answer all the same', 'needs the role operator', {
      replyTo: card,
    });
    const drafts = await world.database.sql`select 1 from draft where text = 'I answer all the same'`;
    expect(drafts).toHaveLength(0);
  });
});

describe('the number of a received message', () => {
  test('brings its card anew, however it is typed, and its buttons work there', async () => {
    const ours = await receiving.team({ bot: 'administrator' });
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, 'Do you deliver on Friday?');
    const card = await receiving.cardOf(ours.place, 'Do you deliver on Friday?');
    const id = /#in(\d+)/u.exec(plain(card))?.[1] ?? '';
    const again = await talk.asks(ours.agent, ours.place, `/in${id}`, `#in${id}`);
    expect(seen(again)).toBe(seen(card));
    expect(labels(again)).toEqual(labels(card));
    await talk.presses(ours.agent, again, '🙋 Take');
    await talk.turns(card, '🙋 Omid');
    const taken = await talk.turns(again, '🙋 Omid');
    expect(labels(taken)).toContain('🙋 Take over');
    await talk.asks(ours.agent, ours.place, `@PeykSandboxBot #in${id}`, '🙋 Omid');
    const draft = await talk.asks(ours.agent, ours.place, 'Yes, we do.', '✉️', { replyTo: taken });
    await talk.presses(ours.agent, draft, '✅ Send');
    await talk.turns(card, /answered by Omid · #A\d+ · ✅ delivered/u);
  });

  test('brings a card that follows what others do elsewhere', async () => {
    const ours = await receiving.team();
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, 'Are you open today?');
    const card = await receiving.cardOf(ours.place, 'Are you open today?');
    const id = /#in(\d+)/u.exec(plain(card))?.[1] ?? '';
    const brought = await talk.asks(ours.owner, ours.place, `/in${id}`, `#in${id}`);
    await talk.presses(ours.agent, card, '🙋 Take');
    const taken = await talk.turns(brought, '🙋 Omid');
    expect(labels(taken)).toContain('🙋 Take over');
    const draft = await talk.asks(ours.agent, ours.place, 'Until eight.', '✉️', { replyTo: card });
    await talk.presses(ours.agent, draft, '✅ Send');
    await talk.turns(brought, /answered by Omid · #A\d+ · ✅ delivered/u);
    const later = await talk.asks(ours.owner, ours.place, `/in${id}`, 'answered by Omid');
    await talk.presses(ours.agent, card, '✔ Done');
    for (const each of [brought, later]) await talk.turns(each, '✔ done · Omid');
  });

  test('offers what was typed behind its number as the answer', async () => {
    const ours = await receiving.team();
    const { typed, bare } = receiving.mobile();
    receiving.arrives(ours, typed, 'When do you open?');
    const card = await receiving.cardOf(ours.place, 'When do you open?');
    const id = /#in(\d+)/u.exec(plain(card))?.[1] ?? '';
    const offer = await talk.asks(
      ours.agent,
      ours.place,
      `/in${id} At nine.`,
      'Should this be sent as the answer',
    );
    expect(talk.sends(ours.account.username)).toHaveLength(0);
    await talk.presses(ours.agent, offer, '↩️ Send');
    const draft = await talk.hears(ours.place, 'At nine.', offer.message_id);
    await talk.presses(ours.agent, draft, '✅ Send');
    await talk.turns(card, 'answered by Omid');
    expect(talk.sends(ours.account.username)).toMatchObject([{ recipients: [bare], text: 'At nine.' }]);
  });

  test('brings a card that shows what is pressed on it, also when many have come since', async () => {
    const ours = await receiving.team();
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, 'the oldest');
    const card = await receiving.cardOf(ours.place, 'the oldest');
    const id = /#in(\d+)/u.exec(plain(card))?.[1] ?? '';
    for (let n = 1; n <= 10; n += 1) receiving.arrives(ours, typed, `one more, ${n}`);
    await until(async () => {
      const stored = await world.database.sql`select 1 from inbound where text like 'one more, %'`;
      expect(stored).toHaveLength(10);
    });
    const brought = await talk.asks(ours.agent, ours.place, `/in${id}`, `#in${id}`);
    await talk.presses(ours.agent, brought, '🙋 Take');
    await talk.turns(brought, '🙋 Omid');
  });

  test('of another chat, or of none, is said not to be there, in either language', async () => {
    const [theirs, ours] = [await receiving.team(), await receiving.alone('fa')];
    const { typed } = receiving.mobile();
    receiving.arrives(theirs, typed, 'For the others');
    const card = await receiving.cardOf(theirs.place, 'For the others');
    const id = /#in(\d+)/u.exec(plain(card))?.[1] ?? '';
    const none = await talk.asks(
      ours.owner,
      ours.place,
      `#in${id}`,
      `پیام دریافتی #in${id} در این گفتگو نیست`,
    );
    expect(plain(none)).toContain('/inbox همه');
    expect(plain(none)).not.toContain('For the others');
    await talk.asks(
      theirs.agent,
      theirs.place,
      '/in۹۹۹۹۹',
      'There is no received message #in99999 in this chat',
    );
  });
});

describe('answering', () => {
  test('a reply to the card becomes one message from the line that received it', async () => {
    const ours = await receiving.team();
    const { typed, bare } = receiving.mobile();
    receiving.arrives(ours, typed, 'No parcel yet', OTHER);
    const card = await receiving.cardOf(ours.place, 'No parcel yet');
    await talk.presses(ours.agent, card, '🙋 Take');
    const taken = await talk.turns(card, '🙋 Omid');
    expect(labels(taken)).toEqual([
      '🙋 Take over',
      '↩️ Reply',
      '🔎 History',
      '⛔ Block',
      '✔ Done',
      '🤝 Hand over',
      '💤 Snooze',
    ]);

    const draft = await talk.asks(ours.agent, ours.place, 'We look into it today.', '✉️', { replyTo: card });
    expect(plain(draft)).toContain(OTHER);
    expect(talk.sends(ours.account.username)).toHaveLength(0);
    await talk.presses(ours.agent, draft, '✅ Send');
    await talk.turns(card, /↩️ answered by Omid · #A\d+ · ✅ delivered/u);
    expect(talk.sends(ours.account.username)).toMatchObject([
      { line: OTHER, recipients: [bare], text: 'We look into it today.' },
    ]);
  });

  test('a second person is told who has it and has answered, and can ask or send anyway', async () => {
    const ours = await receiving.team();
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, 'Is it open on Friday?');
    const card = await receiving.cardOf(ours.place, 'open on Friday');
    await talk.presses(ours.agent, card, '🙋 Take');
    await talk.turns(card, '🙋 Omid');
    const told = await talk.asks(ours.owner, ours.place, 'Yes, from ten.', '🙋 Omid took', { replyTo: card });
    expect(plain(told)).toContain('Yes, from ten.');
    expect(labels(told)).toEqual(['✅ Send anyway', '🙋 Ask Omid']);
    await talk.presses(ours.owner, told, '🙋 Ask');
    await talk.hears(ours.place, /Omid, Olga would like to answer #in\d+/u, told.message_id);

    const draft = await talk.asks(ours.agent, ours.place, 'Yes, from nine.', '✉️', { replyTo: card });
    await talk.presses(ours.agent, draft, '✅ Send');
    await talk.turns(card, '↩️ answered by Omid');
    const again = await talk.asks(ours.owner, ours.place, 'Yes, from ten.', '↩️ Omid answered', {
      replyTo: card,
    });
    await talk.presses(ours.owner, again, '✅ Send anyway');
    const second = await talk.hears(ours.place, (m) => plain(m).startsWith('✉️'), again.message_id);
    await talk.presses(ours.owner, second, '✅ Send');
    await until(() => {
      expect(talk.sends(ours.account.username).map(({ text }) => text)).toEqual([
        'Yes, from nine.',
        'Yes, from ten.',
      ]);
    });
    await talk.turns(card, '↩️ answered by Olga');
  });

  test('the button asks for the text, and a bare text is nothing', async () => {
    const ours = await receiving.team({ lang: 'fa' });
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, 'قیمت؟');
    const card = await receiving.cardOf(ours.place, 'قیمت؟');
    ours.agent.send(ours.place, 'این را به کسی نفرست');
    await talk.presses(ours.agent, card, '↩️ پاسخ');
    const question = await talk.hears(ours.place, 'پاسخ شما به in', card.message_id);
    const draft = await talk.asks(ours.agent, ours.place, 'سلام، دوازده میلیون', '✉️', { replyTo: question });
    await talk.presses(ours.agent, draft, '✅');
    await talk.turns(card, /↩️ پاسخ Omid · #A\d+ · ✅ تحویل‌شده/u);
    expect(talk.sends(ours.account.username)).toHaveLength(1);
  });

  test('/reply answers by the number on the card, and says when there is no such message', async () => {
    const ours = await receiving.team();
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, 'by its number');
    const card = await receiving.cardOf(ours.place, 'by its number');
    const id = /#in(\d+)/u.exec(plain(card))?.[1] ?? '';
    await talk.asks(ours.agent, ours.place, `/reply in${id} Here you are.`, 'Here you are.');
    await talk.asks(ours.agent, ours.place, '/reply in999999 Hello', 'This chat has no such message');
    await talk.asks(ours.agent, ours.place, '/reply x', '«x» is not the number of a received message');
    const stranger = await receiving.team();
    await talk.asks(stranger.agent, stranger.place, `/reply in${id} Hello`, 'This chat has no such message');
    expect(talk.sends(ours.account.username)).toHaveLength(0);
  });

  test('a sender without a mobile number cannot be answered, and a text that is too long is refused', async () => {
    const ours = await receiving.team();
    receiving.arrives(ours, 'MyBank', 'Your code is 1234');
    const card = await receiving.cardOf(ours.place, 'Your code is');
    await talk.asks(ours.agent, ours.place, 'Thanks', 'is a name or a short code', { replyTo: card });
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, 'tell me all');
    const other = await receiving.cardOf(ours.place, 'tell me all');
    await talk.asks(ours.agent, ours.place, 'x'.repeat(901), 'the gateway takes at most 900', {
      replyTo: other,
    });
    await talk.presses(ours.agent, card, '↩️ Reply');
    await talk.hears(ours.place, 'is a name or a short code', other.message_id);
    expect(talk.sends(ours.account.username)).toEqual([]);
  });

  test('a reply to a card is an answer also where nothing was written down about the card that Telegram took', async () => {
    const ours = await receiving.team();
    receiving.arrives(ours, receiving.mobile().typed, 'Are you open today?');
    const card = await receiving.cardOf(ours.place, 'Are you open today?');
    await until(async () => {
      const [row] = await world.database.sql`
        update notice set message_id = null where message_id = ${card.message_id}
          and sink_id in (select id from sink where chat_id in (select id from chat where telegram_id = ${ours.place}))
        returning 1`;
      expect(row).toBeDefined();
    });
    await talk.asks(ours.agent, ours.place, 'Until six', '✉️', { replyTo: card });
  });

  test('a reply in another group where cards are told is sent home', async () => {
    const ours = await receiving.team();
    const other = world.driver.group({ creator: ours.owner, members: [ours.agent], title: 'Elsewhere' });
    await talk.asks(ours.owner, other, '/whoami', 'No role');
    await world.database.sql`
      insert into sink (chat_id, telegram_id, title, kinds, created_by)
      select id, ${other}, 'Elsewhere', '{inbound}', ${ours.owner.id} from chat where telegram_id = ${ours.place}`;
    receiving.arrives(ours, receiving.mobile().typed, 'told in two places');
    const card = await receiving.cardOf(other, 'told in two places');
    await receiving.cardOf(ours.place, 'told in two places');
    await talk.asks(ours.agent, other, 'An answer', 'Answer in the chat', { replyTo: card });
    await talk.presses(ours.agent, card, '🙋 Take');
    for (const place of [other, ours.place])
      await talk.turns(await receiving.cardOf(place, 'told in two places'), '🙋 Omid');
    const drafts = await world.database.sql`select 1 from draft where text = 'An answer'`;
    expect(drafts).toHaveLength(0);
    // A chat with an account of its own learns no number of another’s.
    await talk.connects(ours.owner, { apiKey: talk.account().apiKey }, { chat: other });
    await talk.asks(ours.owner, other, '/block', 'Which numbers', { replyTo: card });
  });
});

describe('who waits', () => {
  test('stands under /inbox unanswered until somebody has answered, and under mine for whoever took it', async () => {
    const ours = await receiving.team();
    const [one, two] = [receiving.mobile(), receiving.mobile()];
    receiving.arrives(ours, one.typed, 'first in the line');
    const card = await receiving.cardOf(ours.place, 'first in the line');
    receiving.arrives(ours, two.typed, 'second in the line', OTHER);
    await receiving.cardOf(ours.place, 'second in the line');

    const open = await talk.asks(
      ours.agent,
      ours.place,
      '/inbox unanswered',
      'Unanswered · all lines · 2 senders',
    );
    expect(plain(open)).toMatch(/second in the line[\s\S]*first in the line/u);
    expect(plain(open)).toContain(one.masked);
    expect(rows(open)).toEqual([
      [expect.stringMatching(/^↩️ in\d+$/u), expect.stringMatching(/^↩️ in\d+$/u)],
      ['🙋 Mine', '📥 All'],
    ]);
    await talk.presses(ours.agent, open, '🙋 Mine');
    await talk.turns(open, 'You have taken no message that is still open');

    await talk.presses(ours.agent, card, '🙋 Take');
    await talk.turns(card, '🙋 Omid');
    const mine = await talk.asks(ours.agent, ours.place, '/inbox mine', 'Mine · all lines · 1 sender');
    expect(plain(mine)).toContain('first in the line');
    await talk.asks(ours.owner, ours.place, '/inbox mine', 'You have taken no message');

    const answer = rows(mine)[0]?.[0] ?? '';
    await talk.presses(ours.agent, mine, answer);
    const question = await talk.hears(ours.place, 'Your answer to in', mine.message_id);
    const draft = await talk.asks(ours.agent, ours.place, 'You are next.', '✉️', { replyTo: question });
    await talk.presses(ours.agent, draft, '✅ Send');
    await talk.turns(card, '↩️ answered by Omid');
    const left = await talk.asks(ours.agent, ours.place, `/inbox ${OTHER} open`, `line ${OTHER} · 1 sender`);
    expect(plain(left)).not.toContain('first in the line');
    await talk.asks(ours.agent, ours.place, '/inbox بی‌پاسخ', '1 sender');
    await talk.asks(ours.agent, ours.place, '/inbox با من', 'Mine · all lines · 1 sender');
  });
});

describe('numbers', () => {
  test('are shown in part wherever a group reads them, and whole everywhere once it wants that', async () => {
    const ours = await receiving.team();
    const { owner, place } = ours;
    const { typed, masked, bare } = receiving.mobile();
    receiving.arrives(ours, typed, 'how am I shown?');
    const card = await receiving.cardOf(place, 'how am I shown?');
    await talk.asks(owner, place, `/send ${typed} Hello`, '✉️');
    const words = [
      ['/inbox all', 'how am I shown?'],
      ['/inbox unanswered', 'how am I shown?'],
      ['/find how am I shown', 'how am I shown?'],
      [`/name ${typed} Mina`, 'is now called Mina here'],
      [`/track ${typed}`, 'Nothing was sent to'],
      [`/send ${typed} Hello again`, '✉️'],
      [`/block ${typed}`, 'line'],
    ] as const;
    for (const [line, answer] of words) {
      const said = plain(await talk.asks(owner, place, line, answer));
      expect([line, said.includes(masked), said.includes(bare)]).toEqual([line, true, false]);
    }
    await talk.asks(owner, place, '/rules numbers full', 'whole numbers from now on');
    for (const [line, answer] of words) {
      const said = plain(await talk.asks(owner, place, line, answer));
      expect([line, said.includes(typed)]).toEqual([line, true]);
    }
    receiving.arrives(ours, typed, 'and now?');
    expect(plain(await receiving.cardOf(place, 'and now?', card.message_id))).toContain(typed);
  });
});

describe('names and numbers', () => {
  test('are asked for when they are missing, and what is none is refused', async () => {
    const ours = await receiving.alone();
    const { owner, place } = ours;
    const { typed } = receiving.mobile();
    await talk.asks(owner, place, '/name', 'number');
    await talk.asks(owner, place, 'nobody', 'is not one mobile number');
    await talk.asks(owner, place, typed, 'Which name?');
    await talk.asks(owner, place, 'x'.repeat(61), 'A name has 1 to 60 characters');
    await talk.asks(owner, place, 'Maryam', `${typed} is now called Maryam here.`);
    await talk.asks(owner, place, '/reply', 'Which message?');
    await talk.asks(owner, place, 'the last one', 'not the number of a received message');
    await talk.asks(owner, place, '/cancel', /./u);
    receiving.arrives(ours, typed, 'who am I?');
    const card = await receiving.cardOf(place, 'who am I?');
    expect(plain(card)).toContain('Maryam');
    const which = await talk.asks(owner, place, '/reply', 'Which message?');
    await talk.presses(owner, which, '#in');
    await talk.hears(place, 'Your answer to', which.message_id);
    await talk.asks(owner, place, '/cancel', /./u);
    await talk.asks(owner, place, `/name ${typed} Mina`, 'is now called Mina here');
    await talk.turns(card, 'Mina');
    const named = await world.database.sql`
      select name from contact k join chat c on c.id = k.chat_id where c.telegram_id = ${owner.id}`;
    expect(named).toEqual([{ name: 'Mina' }]);
  });

  test('/rules needs what can read an inbox', async () => {
    const person = world.driver.user({ first_name: 'Tara', language_code: 'fa' });
    const account = talk.account();
    await talk.connects(person, { token: account.token });
    await talk.asks(person, person, '/rules', /کلید API/u);
    await talk.asks(person, person, '/rule شامل x ← این‌جا', /کلید API/u);
    expect(talk.hits(account.username).some(({ operation }) => operation === 'inboxpaged')).toBe(false);
  });
});

describe('blocking from the card', () => {
  test('puts the sender on the blacklist after a confirm, and an approver can undo it', async () => {
    const ours = await receiving.team();
    const { typed, bare } = receiving.mobile();
    receiving.arrives(ours, typed, 'BUY NOW');
    const card = await receiving.cardOf(ours.place, 'BUY NOW');
    await talk.presses(ours.agent, card, '⛔ Block');
    const question = await talk.hears(ours.place, '⛔ Block', card.message_id);
    expect(receiving.blocked(ours)).toEqual([]);
    await talk.presses(ours.agent, question, '✅ Block');
    const blocked = await talk.turns(card, '⛔ Omid: put on the blacklist');
    expect(receiving.blocked(ours)).toEqual([bare]);
    expect(await talk.presses(ours.agent, blocked, '↩️ Undo')).toContain('does not allow');
    await talk.presses(ours.owner, blocked, '↩️ Undo');
    await talk.turns(card, '↩️ Olga: taken off the blacklist');
    expect(receiving.blocked(ours)).toEqual([]);
  });

  test('says that it is not known when no answer comes, and never that it failed', async () => {
    const ours = await receiving.team();
    const { typed, bare } = receiving.mobile();
    receiving.arrives(ours, typed, 'ADVERT');
    const card = await receiving.cardOf(ours.place, 'ADVERT');
    world.sandbox.faults.add({
      kind: 'drop',
      when: 'after',
      operation: 'blacklist-add',
      account: ours.account.username,
      times: 1,
    });
    await talk.presses(ours.agent, card, '⛔ Block');
    const question = await talk.hears(ours.place, '⛔ Block', card.message_id);
    await talk.presses(ours.agent, question, '✅ Block');
    await talk.turns(card, 'not known whether it is on the blacklist');
    expect(receiving.blocked(ours)).toEqual([bare]);
  });
});

describe('hostile texts', () => {
  const HOSTILE = [
    '<b>bold</b> <a href="https://evil.example">x</a> &lt; </blockquote></code>',
    '/send 09121234567 gift @everyone #tag https://evil.com/x evil.ir a@b.com tg://user?id=1',
    '\u202eevil\u202c \u2066open \u2067nested \u2069\u2069 end\u2068',
    '👨‍👩‍👧‍👦🏳️‍🌈 Z\u0351\u036b ﷺ𝕳𝖊',
  ];

  test.each(HOSTILE)('are shown as text and nothing else: %j', async (text) => {
    const ours = await receiving.alone();
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, `zz${text}`);
    const card = await receiving.cardOf(ours.place, 'zz');
    expect(kinds(card).filter((kind) => !['code', 'blockquote', 'phone_number'].includes(kind))).toEqual([]);
    expect(labels(card)).toEqual(['🙋 Take', '↩️ Reply', '🔎 History', '⛔ Block', '✔ Done']);
    expect(seen(card)).toContain(text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/gu, '').slice(0, 20));
  });
});

describe('a topic per sender', () => {
  test('holds all cards of one, is made anew when people delete it, and takes the answer', async () => {
    const ours = await receiving.team({ type: 'forum', bot: 'administrator' });
    await receiving.wantsTopics(ours);
    const { typed, masked } = receiving.mobile();
    receiving.arrives(ours, typed, 'topic one');
    const card = await receiving.cardOf(ours.place, 'topic one');
    const thread = card.message_thread_id ?? 0;
    expect(thread).toBeGreaterThan(1);
    receiving.arrives(ours, typed, 'topic two');
    expect((await receiving.cardOf(ours.place, 'topic two')).message_thread_id).toBe(thread);
    receiving.arrives(ours, receiving.mobile().typed, 'somebody else');
    expect((await receiving.cardOf(ours.place, 'somebody else')).message_thread_id).not.toBe(thread);
    const opened = world.driver.calls('createForumTopic').map(({ params }) => JSON.stringify(params));
    expect(opened.some((each) => each.includes(masked))).toBe(true);

    const draft = await talk.asks(ours.agent, ours.place, 'We are on it.', '✉️', {
      replyTo: card,
      threadId: thread,
    });
    expect(draft.message_thread_id).toBe(thread);
    await talk.presses(ours.agent, draft, '✅ Send');
    await talk.turns(card, '↩️ answered by Omid');

    const { apiRoot, token } = world.playground;
    const gone = await fetch(
      `${apiRoot}/bot${token}/deleteForumTopic?chat_id=${ours.place}&message_thread_id=${thread}`,
    );
    expect(gone.ok).toBe(true);
    receiving.arrives(ours, typed, 'topic three');
    const anew = await receiving.cardOf(ours.place, 'topic three');
    expect(anew.message_thread_id).not.toBe(thread);
    expect(anew.message_thread_id).toBeGreaterThan(1);
  });

  test('is given up, with a word about it, where the bot may not make any', async () => {
    const ours = await receiving.team({ lang: 'fa' });
    await receiving.wantsTopics(ours);
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, 'بی‌موضوع یک');
    const card = await receiving.cardOf(ours.place, 'بی‌موضوع یک');
    expect(card.message_thread_id).toBeUndefined();
    receiving.arrives(ours, typed, 'بی‌موضوع دو');
    await receiving.cardOf(ours.place, 'بی‌موضوع دو');
    const said = world.driver
      .messages(ours.place)
      .filter((m) => isFromBot(m) && plain(m).includes('موضوع جدا'));
    expect(said).toHaveLength(1);
  });
});

function kinds(message: Message): string[] {
  return (message.entities ?? []).map(({ type }) => (type === 'expandable_blockquote' ? 'blockquote' : type));
}
