import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { has, plain, rows, talkIn } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';
import { startWorld } from '../support/world.ts';

/* A command in reply to the card of a send, or with its code, is about that send and no other. */

const { world, talk } = useWorld();

const LINES = {
  en: {
    sends: '/send 09121234567',
    cancelled: 'Draft #A1 is cancelled',
    scheduled: '#A1 is scheduled',
    noCard: 'There is no card A9',
    which: 'I could not tell which card',
    staysOpen: 'Question cancelled',
    asksText: 'What should the message say?',
    useAsText: 'Should this be the text of #A1?',
    newUser: 'A new user under',
    forgotten: 'what you typed is forgotten',
  },
  fa: {
    sends: '/send ۰۹۱۲۱۲۳۴۵۶۷',
    cancelled: 'پیش‌نویس #A1 لغو شد',
    scheduled: '#A1 زمان‌بندی شده است',
    noCard: 'کارت A9 در این گفتگو نیست',
    which: 'متوجه نشدم',
    staysOpen: 'سؤال لغو شد',
    asksText: 'متن پیام چه باشد؟',
    useAsText: 'این نوشته متن #A1 شود؟',
    newUser: 'کاربر جدید',
    forgotten: 'آنچه نوشتید فراموش',
  },
} as const;

describe.concurrent.each(['en', 'fa'] as const)('in %s', (language) => {
  const t = LINES[language];

  async function linked(): Promise<Person> {
    const person = world.driver.user({ first_name: 'Sara', language_code: language });
    await talk.connects(person, { apiKey: talk.account().apiKey });
    return person;
  }

  test.each(['/cancel A1', '/cancel #a۱! please', '/لغو A1'])(
    '%s ends that draft, and not the newest',
    async (line) => {
      const sara = await linked();
      const first = await talk.asks(sara, sara, `${t.sends} One`, '#A1');
      const second = await talk.asks(sara, sara, `${t.sends} Two`, '#A2');
      await talk.asks(sara, sara, line, t.cancelled);
      expect(rows(await talk.turns(first, /none of it was sent|چیزی از آن ارسال نشد/u))).toEqual([]);
      await talk.presses(sara, second, '✅');
      await talk.turns(second, /1 accepted|۱ پذیرفته/u);
    },
  );

  test('/cancel in reply to a card ends that one, and elsewhere the newest', async () => {
    const sara = await linked();
    const first = await talk.asks(sara, sara, `${t.sends} One`, '#A1');
    await talk.asks(sara, sara, `${t.sends} Two`, '#A2');
    await talk.asks(sara, sara, '/cancel', t.cancelled, { replyTo: first });
    expect(plain(await talk.asks(sara, sara, '/cancel', '#A2'))).not.toContain('#A1');
  });

  test('a command in reply to what one has typed oneself is about the send that was made of it', async () => {
    const sara = await linked();
    await talk.asks(sara, sara, `${t.sends} One`, '#A1');
    const typed = world.driver.messages(sara).find(({ text }) => text === `${t.sends} One`);
    if (typed === undefined) throw new Error('what was typed is not there');
    await talk.asks(sara, sara, `${t.sends} Two`, '#A2');
    await talk.asks(sara, sara, '/tag promo', '#A1: 🏷 promo', { replyTo: typed });
    await talk.asks(sara, sara, '/cancel', t.cancelled, { replyTo: typed });
    expect(plain(await talk.asks(sara, sara, '/cancel', '#A2'))).not.toContain('#A1');
  });

  test('/cancel of what is scheduled says so and shows its card; of none, or of two, it ends nothing', async () => {
    const sara = await linked();
    const when =
      language === 'fa' ? '/schedule فردا ۹ ۰۹۱۲۱۲۳۴۵۶۷ سلام' : '/schedule tomorrow 9 09121234567 Hello';
    const card = await talk.asks(sara, sara, when, '#A1');
    await talk.presses(sara, card, '✅');
    await talk.turns(card, has('🗑'));
    const draft = await talk.asks(sara, sara, `${t.sends} Two`, '#A2');
    const said = await talk.asks(sara, sara, '/cancel A1', t.scheduled);
    await talk.hears(sara, has('🗑'), said.message_id);
    await talk.asks(sara, sara, '/cancel A9', t.noCard);
    for (const line of ['/cancel A1 A2', '/cancel 1', '/لغو ۱']) {
      await talk.asks(sara, sara, line, t.which);
      await talk.asks(sara, sara, '/cancel', t.staysOpen);
    }
    expect(
      rows(await talk.turns(draft, '#A2'))
        .flat()
        .join(' '),
    ).toContain('✅');
  });

  test('/cancel with a code takes back that send in its hold', async () => {
    await using held = await startWorld({ UNDO_SECONDS: '600' });
    const on = { driver: held.driver, talk: talkIn(held) };
    const sara = on.driver.user({ first_name: 'Sara', language_code: language });
    await on.talk.connects(sara, { apiKey: on.talk.account().apiKey });
    const first = await on.talk.asks(sara, sara, `${t.sends} One`, '#A1');
    await on.talk.presses(sara, first, '✅');
    await on.talk.turns(first, has('↩️'));
    const second = await on.talk.asks(sara, sara, `${t.sends} Two`, '#A2');
    await on.talk.presses(sara, second, '✅');
    await on.talk.turns(second, has('↩️'));
    const back = await on.talk.asks(sara, sara, '/cancel A1', has('✅'));
    expect(
      rows(await on.talk.turns(second, '#A2'))
        .flat()
        .join(' '),
    ).toContain('↩️');
    // A number is no code: every second counts, and what is in its hold can be meant.
    await on.talk.presses(sara, back, '✅');
    await on.talk.turns(back, has('↩️'));
    await on.talk.asks(sara, sara, '/cancel 09121234567', has('✅'));
  });

  test('/report, /status and /tag in reply to a card are about its send', async () => {
    const sara = await linked();
    const first = await talk.asks(sara, sara, `${t.sends} One`, '#A1');
    await talk.presses(sara, first, '✅');
    const sent = await talk.turns(first, /1 (?:accepted|delivered)|۱ (?:پذیرفته|رسیده|تحویل)/u);
    await talk.asks(sara, sara, `${t.sends} Two`, '#A2');
    await talk.asks(sara, sara, '/report', '📊 #A1', { replyTo: sent });
    await talk.asks(sara, sara, '/tag promo', '#A1: 🏷 promo', { replyTo: sent });
    expect(plain(await talk.asks(sara, sara, '/status', '#A1', { replyTo: sent }))).toContain('One');
  });

  test('so is one that has another name, or is below what was said of the send', async () => {
    const sara = await linked();
    await talk.asks(sara, sara, `${t.sends} One`, '#A1');
    await talk.asks(sara, sara, `${t.sends} Two`, '#A2');
    const filed = await talk.asks(sara, sara, '/tag A1 promo', '🏷');
    const meant = await talk.asks(sara, sara, '/resend', '/report', { replyTo: filed });
    await talk.presses(sara, meant, '/report');
    const told = await talk.hears(sara, /^📊|#A1/u, meant.message_id);
    expect(plain(told)).toContain('#A1');
    await talk.asks(sara, sara, language === 'fa' ? 'لغو' : 'stop', t.cancelled, { replyTo: filed });
  });

  test('«stop» in reply to a card is /cancel there, and the button that is offered for it names its send', async () => {
    const sara = await linked();
    await talk.asks(sara, sara, `${t.sends} One`, '#A1');
    const told = await talk.asks(sara, sara, language === 'fa' ? 'نفرست' : 'don’t send it', '✖');
    const second = await talk.asks(sara, sara, `${t.sends} Two`, '#A2');
    await talk.presses(sara, told, '/cancel');
    expect(plain(await talk.hears(sara, t.cancelled, told.message_id))).toContain('#A1');
    const stopped = await talk.asks(sara, sara, language === 'fa' ? 'لغو!' : 'stop!', '#A2', {
      replyTo: second,
    });
    expect(plain(stopped)).toMatch(/is cancelled|لغو شد/u);
  });

  test.each(['/cancel A1', '/لغو A1'])(
    '%s leaves a question open that is about something else',
    async (line) => {
      const sara = await linked();
      const card = await talk.asks(sara, sara, `${t.sends} One`, '#A1');
      await talk.asks(sara, sara, '/send 09351112233', t.asksText);
      await talk.asks(sara, sara, line, t.cancelled);
      expect(rows(await talk.turns(card, '#A1'))).toEqual([]);
      expect(plain(await talk.asks(sara, sara, 'Come at ten', '#A2'))).toContain('Come at ten');
      await talk.asks(sara, sara, '/register', t.newUser);
      await talk.asks(sara, sara, line.replace('A1', 'A2'), '#A2');
      await talk.asks(sara, sara, '/cancel', t.forgotten);
    },
  );

  test('/cancel of a draft takes the question away that is about it', async () => {
    const sara = await linked();
    const card = await talk.asks(sara, sara, `${t.sends} One`, '#A1');
    await talk.presses(sara, card, '✏️');
    const question = await talk.hears(sara, t.asksText, card.message_id);
    await talk.asks(sara, sara, '/cancel A1', t.cancelled);
    expect(world.driver.messages(sara).map((each) => each.message_id)).not.toContain(question.message_id);
  });

  test('which of several cards /cancel is about is asked until it is known, or no longer of interest', async () => {
    const sara = await linked();
    const card = await talk.asks(sara, sara, `${t.sends} One`, '#A1');
    await talk.asks(sara, sara, '/cancel A1 A2', t.which);
    await talk.asks(sara, sara, language === 'fa' ? 'اولی' : 'the first', t.which);
    await talk.asks(sara, sara, language === 'fa' ? 'لغو' : 'cancel', t.staysOpen);
    expect(
      rows(await talk.turns(card, '#A1'))
        .flat()
        .join(' '),
    ).toContain('✅');
    await talk.asks(sara, sara, '/cancel A1 A2', t.which);
    await talk.asks(sara, sara, '/cancel A1', t.cancelled);
    expect(plain(await talk.asks(sara, sara, 'A hello', /./u))).not.toContain(t.which);
  });

  test('who may see no sends in a group is shown no card', async () => {
    const [sara, nobody] = ['Sara', 'Nobody'].map((first_name) =>
      world.driver.user({ first_name, language_code: language }),
    ) as [Person, Person];
    const group = world.driver.group({ creator: sara, members: [nobody], bot: 'administrator' });
    await talk.connects(sara, { apiKey: talk.account().apiKey }, { chat: group });
    const card = await talk.asks(sara, group, `${t.sends} One`, '#A1');
    const asked = await talk.asks(nobody, group, '/cancel A1', 'A1');
    expect(plain(asked)).not.toContain('One');
    expect(plain(await talk.asks(nobody, group, '/cancel', /./u, { replyTo: card }))).not.toContain('#A1');
  });

  test('a name that reads like a code is none', async () => {
    const sara = await linked();
    const first = await talk.asks(sara, sara, `${t.sends} One`, '#A1');
    await talk.asks(sara, sara, `${t.sends} Two`, '#A2');
    const named = await talk.asks(sara, sara, '/name 09121234567 #A1', '#A1');
    expect(plain(await talk.asks(sara, sara, '/cancel', '#A2', { replyTo: named }))).not.toContain('#A1');
    expect(
      rows(await talk.turns(first, '#A1'))
        .flat()
        .join(' '),
    ).toContain('✅');
  });

  test('words in reply to a card answer no open question, unless that is about this card', async () => {
    const sara = await linked();
    const card = await talk.asks(sara, sara, `${t.sends} One`, '#A1');
    await talk.asks(sara, sara, '/send 09351112233', t.asksText);
    await talk.asks(sara, sara, 'Come at nine', t.useAsText, { replyTo: card });
    expect(plain(await talk.asks(sara, sara, 'Come at ten', '#A2'))).toContain('Come at ten');
    await talk.presses(sara, card, '✏️');
    await talk.hears(sara, t.asksText, card.message_id);
    sara.send(sara, 'Come at eleven', { replyTo: card });
    await talk.turns(card, 'Come at eleven');
  });
});
