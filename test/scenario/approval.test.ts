import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import { stripBidi } from '../../src/i18n/format.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { quiet } from '../support/quiet.ts';
import { restart } from '../support/restart.ts';
import { schedulesIn } from '../support/scheduling.ts';
import { until } from '../support/story.ts';
import { dataOf, given, has, PATIENCE, plain, rows, talkIn } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';
import { useWorld } from '../support/use-world.ts';

/* Sends that a limit of the chat holds: a second person's approval, the day's cap, the sending window. */

const NO_PACE = { privateChat: null, group: null, overall: null } as const;
const TWO = '09121234567 09351112233';

const { world, talk } = useWorld({}, { deliverySeconds: 600 });

/** A group whose account is linked, with one person of each part in a send, and a limit of one part. */
async function team(
  options: { locale?: 'en' | 'fa'; limit?: string; type?: 'supergroup' | 'forum' } = {},
  at: { readonly world: World; readonly talk: ReturnType<typeof talkIn> } = { world, talk },
) {
  const { locale = 'en', limit = 'approval 1', type = 'supergroup' } = options;
  const person = (first_name: string) => at.world.driver.user({ first_name, language_code: locale });
  const [owner, omid, ann, oscar, vera] = ['Olga', 'Omid', 'Ann', 'Oscar', 'Vera'].map((name) =>
    person(name),
  ) as [Person, Person, Person, Person, Person];
  const group = at.world.driver.group({
    creator: owner,
    members: [omid, ann, oscar, vera],
    type,
    bot: 'administrator',
  });
  const account = at.talk.account({ patterns: [{ id: 1, text: 'code {code}' }] });
  const { username, password } = account;
  await at.talk.connects(owner, { username, password }, { chat: group });
  await at.talk.gives('operator', omid, group);
  await at.talk.gives('approver', ann, group);
  await at.talk.gives('operator', oscar, group);
  await at.talk.gives('viewer', vera, group);
  if (limit !== '') await at.talk.asks(owner, group, `/limits ${limit}`, /Set by|توسط/);
  return { owner, omid, ann, oscar, vera, group, username };
}

/** A draft of two parts, as its card. */
const drafted = async (by: Person, group: number, text = 'Hello'): Promise<Message> =>
  await talk.asks(by, group, `/send ${TWO} ${text}`, /Draft #A\d|پیش‌نویس #A\d/);

/** The same, asked about. */
const asked = async (by: Person, group: number, text = 'Hello'): Promise<Message> => {
  const card = await drafted(by, group, text);
  expect(await talk.presses(by, card, '➡')).toBe('');
  return await talk.turns(card, has('❌'));
};

/** What somebody is told who presses a button that was on the card before. */
const late = async (by: Person, card: Message, data: string): Promise<string> =>
  stripBidi((await world.driver.waitForAnswer(by.forge(card, data), PATIENCE)).text ?? '');

const jobsIn = async (group: number) =>
  await world.database.sql<{ state: string; confirmed_by: number; approved_by: number | null }[]>`
    select j.state, j.confirmed_by, j.approved_by from job j join chat c on c.id = j.chat_id
    where c.telegram_id = ${group}`;

const said = (group: number, part: string): Message[] =>
  world.driver.messages(group).filter((m) => m.from?.is_bot === true && plain(m).includes(part));

/** Ends the time of one draft alone: what waits for its time in the other tests goes on waiting. */
const lapse = async (group: number, code: string): Promise<void> => {
  await world.database.sql`
    with old as (
      update draft d set expires_at = now() from chat c
      where c.id = d.chat_id and c.telegram_id = ${group} and d.code = ${code} returning d.id)
    update graphile_worker._private_jobs j set run_at = now() from old where j.key = 'expiry:' || old.id`;
};

/** Whom a message names so that Telegram tells them. */
const calledBy = (message: Message): number[] =>
  (message.entities ?? []).flatMap((each) => (each.type === 'text_mention' ? [each.user.id] : []));

describe.concurrent('a send above the limit', () => {
  test('waits for another person, who approves exactly that, and tells who did what', async () => {
    const { owner, omid, ann, oscar, vera, group, username } = await team();
    const card = await drafted(omid, group, 'Approved text');
    expect(plain(card)).toContain('Sends of more than 1 part need a second person’s approval.');
    expect(rows(card)[0]).toEqual(['➡ Ask for approval']);
    expect(await talk.presses(oscar, card, '➡')).toBe('Only the person who asked can press this.');
    expect(await talk.presses(omid, card, '➡')).toBe('');

    const question = await talk.turns(card, '#A1 waits for approval · asked by Omid');
    for (const part of [
      'Approved text',
      'line 3000123456',
      '2 to send',
      '2 parts in all',
      'Who may approve: Ann, Olga',
    ])
      expect(plain(question)).toContain(part);
    expect(rows(question)).toEqual([['✅ Approve 2 · 2 parts'], ['❌ Reject'], ['✏️ Edit', '✖ Cancel']]);
    // An edited message tells nobody: another one names those who may answer.
    const call = await talk.hears(group, 'Ann, Olga: #A1 by Omid waits for approval', card.message_id);
    expect(calledBy(call)).toEqual([ann.id, owner.id]);

    for (const nobody of [vera, oscar])
      expect(await talk.presses(nobody, question, '✅')).toContain('Your role in this chat does not allow');
    expect(await talk.presses(omid, question, '✅')).toBe('You asked for it; someone else must approve.');
    expect(await talk.presses(owner, question, '✖')).toBe('Only the person who asked can press this.');
    expect(await talk.presses(owner, question, '✏️')).toBe('Only the person who asked can press this.');
    await quiet(world);
    expect(talk.sends(username)).toEqual([]);

    expect(await talk.presses(ann, question, '✅')).toBe('');
    const sent = await talk.turns(card, '2 accepted');
    expect(plain(sent)).toContain('#A1 by Omid, approved by Ann');
    expect(await late(owner, question, dataOf(question, '✅'))).toContain('Already pressed by Ann');
    await quiet(world);
    expect(talk.sends(username)).toHaveLength(1);
    expect(await jobsIn(group)).toMatchObject([{ confirmed_by: omid.id, approved_by: ann.id }]);

    const audit = plain(await talk.asks(owner, group, '/audit', 'asked for a second person'));
    expect(audit).toMatch(/Ann: approved #A1/);
    expect(audit).toMatch(/Omid: confirmed the send #A1 · 2 recipients/);
    expect(audit).toMatch(/Omid: asked for a second person’s approval of #A1/);
  });

  test('reads so in Persian too', async () => {
    const { omid, ann, group, username } = await team({ locale: 'fa' });
    const card = await drafted(omid, group, 'سلام');
    expect(plain(card)).toContain('ارسال بیش از ۱ پارت تأیید نفر دوم می‌خواهد.');
    expect(rows(card)[0]).toEqual(['➡ درخواست تأیید']);
    await talk.presses(omid, card, '➡');
    const question = await talk.turns(card, '#A1 در انتظار تأیید · به درخواست Omid');
    expect(rows(question).slice(0, 2)).toEqual([['✅ تأیید ارسال به ۲ · ۲ پارت'], ['❌ رد']]);
    await talk.hears(group, 'Ann، Olga: #A1 از Omid در انتظار تأیید است', card.message_id);
    expect(await talk.presses(omid, question, '✅')).toBe(
      'خودتان درخواستش را داده‌اید؛ تأیید با نفر دیگری است.',
    );
    await talk.presses(ann, question, '✅');
    expect(plain(await talk.turns(card, '۲ پذیرفته شد'))).toContain('#A1 از Omid، با تأیید Ann');
    expect(talk.sends(username)).toHaveLength(1);

    const second = await asked(omid, group);
    await talk.presses(ann, second, '❌');
    await talk.turns(second, '#A2 از Omid · Ann تأییدش نکرد و چیزی از آن ارسال نشد');

    await talk.asks(ann, ann, '/lang en', 'English');
    const third = await asked(omid, group);
    await talk.presses(ann, third, '❌');
    await talk.hears(group, 'Omid: ❌ Ann ارسال #A3 را رد کرد', third.message_id);
  });

  test('whose author may approve others’ is still approved by another one', async () => {
    const { owner, ann, group, username } = await team();
    const question = await asked(ann, group);
    expect(plain(question)).toContain('Who may approve: Olga');
    expect(await talk.presses(ann, question, '✅')).toBe('You asked for it; someone else must approve.');
    expect(await talk.presses(ann, question, '❌')).toBe('You asked for it; someone else must approve.');
    expect(await talk.presses(owner, question, '✅')).toBe('');
    await talk.turns(question, '2 accepted');
    expect(talk.sends(username)).toHaveLength(1);
  });

  test('can be rejected, and nothing of it leaves', async () => {
    const { owner, omid, ann, group, username } = await team();
    const question = await asked(omid, group);
    const approve = dataOf(question, '✅');
    await talk.presses(ann, question, '❌');
    await talk.turns(question, '#A1 by Omid · not approved by Ann, none of it was sent');
    expect(await late(owner, question, approve)).toContain('changed since');
    await talk.asks(owner, group, '/audit', 'Ann: did not approve #A1');
    await quiet(world);
    expect(talk.sends(username)).toEqual([]);
  });

  test('is void once its author changes it: the old answer is worth nothing', async () => {
    const { omid, ann, group, username } = await team();
    const question = await asked(omid, group, 'First');
    const approve = dataOf(question, '✅');
    await talk.presses(omid, question, '✏️ Edit');
    await talk.presses(
      omid,
      await talk.turns(question, (m) => rows(m)[0]?.[0] === '➡ Ask for approval'),
      '✏️ Text',
    );
    const form = await talk.hears(group, 'What should the message say', question.message_id);
    omid.send(group, 'Second', { replyTo: form });
    const open = await talk.turns(
      question,
      (m) => plain(m).includes('Second') && rows(m)[0]?.[0] === '➡ Ask for approval',
    );
    expect(plain(open)).not.toContain('waits for approval');
    expect(await late(ann, question, approve)).toContain('changed since');
    await talk.presses(omid, open, '⚡');
    const flash = await talk.turns(open, '⚡ flash');
    await talk.presses(omid, flash, '➡');
    const again = await talk.turns(flash, 'waits for approval');
    await talk.presses(omid, again, '✏️ Edit');
    const plainAgain = await talk.turns(again, (m) => rows(m)[0]?.[0] === '➡ Ask for approval');
    expect(plain(plainAgain)).not.toContain('waits for approval');
    await talk.presses(omid, plainAgain, '➡');
    await talk.presses(ann, await talk.turns(plainAgain, 'waits for approval'), '✅');
    await talk.turns(plainAgain, '2 accepted');
    expect(talk.sends(username)).toMatchObject([{ text: 'Second' }]);
  });

  test('is taken back by its author: by the button, or by /cancel', async () => {
    const { omid, ann, group, username } = await team();
    const [one, two] = [await asked(omid, group, 'One'), await asked(omid, group, 'Two')];
    const approvals = [dataOf(one, '✅'), dataOf(two, '✅')] as const;
    await talk.presses(omid, one, '✖');
    await talk.turns(one, 'Draft #A1 · cancelled, none of it was sent');
    await talk.asks(omid, group, '/cancel', '#A2');
    await talk.turns(two, 'Draft #A2 · cancelled');
    for (const [index, card] of [one, two].entries()) {
      expect(await late(ann, card, given(approvals[index]))).toContain('changed since');
    }
    await quiet(world);
    expect(talk.sends(username)).toEqual([]);
  });

  test('is not approved by who lost the role, nor for an author who did', async () => {
    const { owner, omid, ann, group, username } = await team();
    const question = await asked(omid, group);
    const word = ann.send(group, 'hi');
    await talk.asks(owner, group, '/role operator', 'is now operator', { replyTo: word });
    expect(await talk.presses(ann, question, '✅')).toContain('Your role in this chat does not allow');
    await talk.asks(owner, group, '/role approver', 'is now approver', { replyTo: word });
    const other = omid.send(group, 'hi');
    await talk.asks(owner, group, '/role viewer', 'is now viewer', { replyTo: other });
    await talk.presses(ann, question, '✅');
    await talk.hears(
      group,
      'Omid, who asked for it, may not send here any more. Nothing was sent',
      other.message_id,
    );
    await quiet(world);
    expect(talk.sends(username)).toEqual([]);
    const fresh = await talk.turns(question, 'waits for approval');
    await talk.presses(ann, fresh, '❌');
    await talk.turns(fresh, 'not approved by Ann');
  });

  test('approved by two at once, twice, or again by the same update leaves once', async () => {
    const { owner, omid, ann, group, username } = await team();
    const question = await asked(omid, group);
    const taps = [ann, owner, ann, owner].map((person) => person.tap(question, '✅'));
    const answers = await Promise.all(taps.map((tap) => world.driver.waitForAnswer(tap, PATIENCE)));
    expect(answers.filter(({ text = '' }) => text === '')).toHaveLength(1);
    const data = dataOf(question, '✅');
    for (const { id, json } of world.playground.control.updates())
      if (json.includes(data)) world.playground.control.resendUpdate(id);
    await talk.turns(question, '2 accepted');
    await quiet(world);
    expect(talk.sends(username)).toHaveLength(1);
    expect(await jobsIn(group)).toHaveLength(1);
  });

  test('that nobody answers in a day says so by itself', async () => {
    const { omid, ann, group, username } = await team();
    const question = await asked(omid, group);
    await quiet(world);
    const approve = dataOf(question, '✅');
    await lapse(group, 'A1');
    const ended = await talk.turns(question, 'nobody approved it within 24 hours, none of it was sent');
    const told = await talk.hears(group, 'Omid: ⌛ Draft #A1', question.message_id);
    expect(calledBy(told)).toEqual([omid.id]);
    expect([rows(ended), rows(told)]).toEqual([[['🔄 Reopen']], [['🔄 Reopen']]]);
    expect(await late(ann, question, approve)).toBe('');
    await quiet(world);
    expect(talk.sends(username)).toEqual([]);
  });

  test('in a topic calls for its approvers in that topic', async () => {
    const { omid, ann, group, username } = await team({ type: 'forum' });
    const threadId = world.playground.control.topic({ chat_id: group, name: 'Orders' }).id;
    const card = await talk.asks(omid, group, `/send ${TWO} Hello`, 'Draft #A1', { threadId });
    await talk.presses(omid, card, '➡');
    const call = await talk.hears(group, '#A1 by Omid waits for approval.', card.message_id);
    expect(call.message_thread_id).toBe(threadId);
    await talk.presses(ann, await talk.turns(card, 'asked by Omid'), '✅');
    await talk.turns(card, '2 accepted');
    expect(talk.sends(username)).toHaveLength(1);
  });

  test('can be answered below the call, which is a reply to the card', async () => {
    const { omid, ann, group, username } = await team();
    const card = await talk.asks(omid, group, `/send ${TWO} Hello`, 'Draft #A1');
    await talk.presses(omid, card, '➡');
    const call = await talk.hears(group, '#A1 by Omid waits for approval.', card.message_id);
    expect(call.reply_to_message?.message_id).toBe(card.message_id);
    expect(rows(call)).toEqual([['✅ Approve 2 · 2 parts'], ['❌ Reject']]);

    expect(await talk.presses(omid, call, '✅')).toMatch(/someone else/u);
    await talk.presses(ann, call, '✅');
    await talk.turns(card, '2 accepted');
    await until(() => {
      expect(said(group, 'waits for approval.')).toEqual([]);
    });
    expect(talk.sends(username)).toHaveLength(1);
  });

  test('calls nobody any more once it is over, however that came', async () => {
    const { omid, ann, group, username } = await team();
    const called = async (text: string) => {
      const question = await asked(omid, group, text);
      const call = await talk.hears(group, /#A\d by Omid waits for approval\./u, question.message_id);
      return { question, call };
    };
    const isWithdrawn = async ({ message_id: id }: Message) =>
      await until(() => {
        expect(world.driver.messages(group).filter((m) => m.message_id === id)).toEqual([]);
      });

    const approved = await called('Approved on the card');
    await talk.presses(ann, approved.question, '✅');
    await isWithdrawn(approved.call);
    await talk.turns(approved.question, '2 accepted');

    const rejected = await called('Rejected on the card');
    await talk.presses(ann, rejected.question, '❌');
    await isWithdrawn(rejected.call);

    const changed = await called('Changed');
    await talk.presses(omid, changed.question, '✏️ Edit');
    await isWithdrawn(changed.call);
    // A question that is asked anew has a call of its own, which stays.
    const open = await talk.turns(changed.question, (m) => rows(m)[0]?.[0] === '➡ Ask for approval');
    await talk.presses(omid, open, '➡');
    const anew = await talk.hears(group, '#A3 by Omid waits for approval.', changed.call.message_id);

    const cancelled = await called('Cancelled');
    await talk.presses(omid, cancelled.question, '✖');
    await isWithdrawn(cancelled.call);

    const lapsed = await called('Lapsed');
    await lapse(group, 'A5');
    await isWithdrawn(lapsed.call);
    expect(rows(anew).flat()).toEqual([expect.stringMatching(/^✅ Approve 2 · /u), '❌ Reject']);
    expect(said(group, 'waits for approval.').map((m) => m.message_id)).toEqual([anew.message_id]);
    expect(talk.sends(username)).toHaveLength(1);
  });

  test.each(['en', 'fa'] as const)(
    '(%s) rejected, is a draft again by its author’s press, whole',
    async (locale) => {
      const { omid, ann, oscar, group, username } = await team({ locale });
      const draft = await drafted(omid, group, 'Keep me');
      await talk.presses(omid, draft, '⚡');
      const flash = await talk.turns(draft, /⚡ (flash|فلش)/u);
      await talk.presses(omid, flash, '➡');
      const question = await talk.turns(flash, has('❌'));
      await talk.presses(ann, question, '❌');
      const told = await talk.hears(group, /Ann rejected #A1|Ann ارسال #A1 را رد کرد/u, question.message_id);
      const label = locale === 'en' ? '🔄 Reopen' : '🔄 بازکردن دوباره';
      const ended = await talk.turns(question, /not approved by Ann|Ann تأییدش نکرد/u);
      expect([rows(told), rows(ended)]).toEqual([[[label]], [[label]]]);
      expect(await talk.presses(oscar, ended, '🔄')).toMatch(/Only the person who asked|فقط/u);

      await talk.presses(omid, told, '🔄');
      const again = await talk.hears(
        group,
        /#A1 again, which Ann rejected|همان #A1 است که Ann ردش کرد/u,
        told.message_id,
      );
      expect(plain(again)).toContain('#A2');
      for (const kept of ['Keep me', '3000123456', '⚡']) expect(plain(again)).toContain(kept);
      // Once: the other button is gone, and the call has none any more.
      expect(rows(await talk.turns(ended, /It is draft #A2 again|دوباره پیش‌نویس است: #A2/u))).toEqual([]);
      await until(() => {
        expect(
          rows(given(world.driver.messages(group).find((m) => m.message_id === told.message_id))),
        ).toEqual([]);
      });
      // It needs a second person’s yes as before.
      await talk.presses(omid, again, '➡');
      const anew = await talk.turns(again, has('❌'));
      expect(talk.sends(username)).toEqual([]);
      await talk.presses(ann, anew, '✅');
      await talk.turns(anew, /2 accepted|۲ پذیرفته شد/u);
      expect(talk.sends(username)).toMatchObject([{ text: 'Keep me' }]);
    },
  );

  test('calls its author by the answer, with what they may press', async () => {
    const { omid, ann, group, username } = await team();
    const question = await asked(omid, group);
    await talk.presses(ann, question, '✅');
    const approved = await talk.hears(group, 'Omid: ✅ Ann approved #A1.', question.message_id);
    expect(calledBy(approved)).toEqual([omid.id]);
    expect(approved.reply_to_message?.message_id).toBe(question.message_id);
    await talk.turns(question, '2 accepted');
    expect(talk.sends(username)).toHaveLength(1);

    const second = await asked(omid, group, 'Not this');
    const call = await talk.hears(group, '#A2 by Omid waits for approval.', second.message_id);
    await talk.presses(ann, call, '❌');
    const refused = await talk.hears(
      group,
      'Omid: ❌ Ann rejected #A2. None of it was sent.',
      call.message_id,
    );
    expect(calledBy(refused)).toEqual([omid.id]);
    expect(refused.reply_to_message?.message_id).toBe(second.message_id);
    await until(() => {
      expect(world.driver.messages(group).filter((m) => m.message_id === call.message_id)).toEqual([]);
    });
    expect(world.driver.messages(group).at(-1)?.message_id).toBe(refused.message_id);
    expect(talk.sends(username)).toHaveLength(1);
  });
});

describe('an approved send in its undo hold', () => {
  test.each([
    ['en', '↩️ Undo', 'Ann approved #A1', '2 accepted'],
    ['fa', '↩️ لغو ارسال', 'Ann ارسال #A1 را تأیید کرد', 'پذیرفته شد'],
  ] as const)(
    'can be undone below the word of it, for as long as it can be undone at all, in %s',
    async (locale, undo, word, left) => {
      await using held = await startWorld({ UNDO_SECONDS: '600' }, { deliverySeconds: 600 });
      const there = talkIn(held);
      const { omid, ann, group, username } = await team({ locale }, { world: held, talk: there });
      const card = await there.asks(omid, group, `/send ${TWO} Held`, /#A1/u);
      await there.presses(omid, card, '➡');
      const question = await there.turns(card, has('❌'));
      const call = await there.hears(group, /Ann[,،] Olga/u, card.message_id);
      await there.presses(ann, question, '✅');
      const told = await there.hears(group, word, card.message_id);
      expect(rows(told).flat()).toContain(undo);
      const stands = (id: number) => held.driver.messages(group).find((m) => m.message_id === id);
      await until(() => expect(stands(call.message_id)).toBeUndefined());
      await there.drawn();
      expect(rows(given(stands(told.message_id))).flat()).toContain(undo);
      await schedulesIn(held).comes(group, 'A1');
      await there.turns(question, left);
      await until(() => expect(rows(given(stands(told.message_id)))).toEqual([]));
      expect(plain(given(stands(told.message_id)))).toContain(word);
      expect(there.sends(username)).toHaveLength(1);
    },
  );
});

describe.concurrent('where nobody else can approve', () => {
  test('in a private chat: no way to ask, and what its owner can do', async () => {
    const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
    const account = talk.account();
    await talk.connects(sara, { apiKey: account.apiKey });
    const before = await talk.asks(sara, sara, `/send ${TWO} Before`, 'Draft #A1');
    expect(rows(before)[0]).toEqual(['✅ Send 2 · 2 parts']);
    await talk.asks(sara, sara, '/limits approval 1', 'Set by Sara');
    const card = await talk.asks(sara, sara, `/send ${TWO} After`, 'Draft #A2');
    expect(plain(card)).toContain('need a second person’s approval, and a private chat has no second person');
    expect(rows(card).flat().join()).not.toMatch(/✅|➡/);

    sara.forge(before, dataOf(before, '✅'));
    const told = await talk.hears(sara, 'Nothing was sent', card.message_id);
    expect(plain(told)).toContain('/limits approval off');
    expect(
      rows(await talk.turns(before, 'a private chat has no second person'))
        .flat()
        .join(),
    ).not.toMatch(/✅|➡/);
    await quiet(world);
    expect(talk.sends(account.username)).toEqual([]);

    await talk.asks(sara, sara, '/limits approval off', 'Set by Sara');
    const open = await talk.turns(card, (m) => rows(m)[0]?.[0] === '✅ Send 2 · 2 parts');
    await talk.presses(sara, open, '✅');
    await talk.turns(card, '2 accepted');
    expect(talk.sends(account.username)).toHaveLength(1);
  });

  test('in a group: the card says so, until an admin gives somebody the role', async () => {
    const { owner, ann, group, username } = await team();
    const word = ann.send(group, 'hi');
    await talk.asks(owner, group, '/role viewer', 'is now viewer', { replyTo: word });
    const card = await drafted(owner, group);
    expect(plain(card)).toContain('nobody else here may give it');
    expect(plain(card)).toContain('/role approver');
    expect(rows(card).flat().join()).not.toMatch(/✅|➡/);
    await talk.asks(owner, group, '/role approver', 'is now approver', { replyTo: word });
    await talk.presses(owner, card, '⚡');
    const open = await talk.turns(card, (m) => rows(m)[0]?.[0] === '➡ Ask for approval');
    await talk.presses(owner, open, '➡');
    await talk.presses(ann, await talk.turns(open, 'waits for approval'), '✅');
    await talk.turns(open, '2 accepted');
    expect(talk.sends(username)).toHaveLength(1);
  });

  test.each([
    ['en', 'leaves', '#A1 waits for approval, and nobody is left who may approve it', 'Who may approve: Ann'],
    [
      'fa',
      'loses the role',
      '#A1 در انتظار تأیید است و کسی که اجازهٔ تأیید داشته باشد نمانده',
      'تأیید کنند: Ann',
    ],
  ] as const)(
    '(%s) any more, since the only one %s: whoever asked is told',
    async (locale, how, stuck, may) => {
      const { owner, ann, group, username } = await team({ locale });
      const question = await asked(owner, group);
      expect(plain(question)).toContain(may);
      const word = ann.send(group, 'hi');
      const move = (status: 'left' | 'member') =>
        world.playground.control.member({ chat_id: group, user_id: ann.id, status, actor_id: ann.id });
      if (how === 'leaves') move('left');
      else await talk.asks(owner, group, '/role viewer', /viewer|مشاهده|بیننده/u, { replyTo: word });
      const told = await talk.hears(group, stuck, question.message_id);
      expect(calledBy(told)).toEqual([owner.id]);
      expect(plain(told)).toMatch(/\/role (approver|تأییدکننده)/u);
      const alone = await talk.turns(question, /nobody else here may give it|کس دیگری اجازهٔ تأیید ندارد/u);
      expect(plain(alone)).not.toContain(may);
      if (how === 'leaves') move('member');
      else await talk.asks(owner, group, '/role approver', /approver|تأییدکننده/u, { replyTo: word });
      await talk.presses(ann, await talk.turns(question, may), '✅');
      await talk.turns(question, /2 accepted|۲ پذیرفته شد/u);
      expect(talk.sends(username)).toHaveLength(1);
    },
  );

  test('the last approver gone between the card and the press: told, and not asked', async () => {
    const { owner, ann, group } = await team();
    const card = await drafted(owner, group);
    expect(rows(card)[0]).toEqual(['➡ Ask for approval']);
    await talk.gives('viewer', ann, group);
    await talk.presses(owner, card, '➡');
    const told = await talk.hears(group, 'Nothing was sent', card.message_id);
    expect(plain(told)).toContain('nobody else here may give it');
    const open = await talk.turns(card, 'nobody else here may give it');
    expect(rows(open).flat().join()).not.toMatch(/✅|➡/);
    expect(said(group, 'waits for approval')).toEqual([]);
  });
});

describe.concurrent('a limit that changes between the card and the press', () => {
  test('lower: the press is refused, and the card offers to ask', async () => {
    const { owner, omid, ann, group, username } = await team({ limit: '' });
    const card = await drafted(omid, group);
    expect(rows(card)[0]).toEqual(['✅ Send 2 · 2 parts']);
    await talk.asks(owner, group, '/limits approval 0', 'Set by Olga');
    await talk.presses(omid, card, '✅');
    const told = await talk.hears(group, 'Nothing was sent', card.message_id);
    expect(plain(told)).toContain('All sends of this chat need a second person’s approval');
    expect(plain(told)).toContain('Press ➡ Ask for approval on the card');
    const open = await talk.turns(card, (m) => rows(m)[0]?.[0] === '➡ Ask for approval');
    await quiet(world);
    expect(talk.sends(username)).toEqual([]);
    await talk.presses(omid, open, '➡');
    await talk.presses(ann, await talk.turns(card, 'waits for approval'), '✅');
    await talk.turns(card, '2 accepted');
    expect(talk.sends(username)).toHaveLength(1);
  });

  test('higher: nobody has to be asked any more, and the card offers to send', async () => {
    const { owner, omid, group, username } = await team();
    const card = await drafted(omid, group);
    await talk.asks(owner, group, '/limits approval 2', 'Set by Olga');
    await talk.presses(omid, card, '➡');
    await talk.hears(group, '#A1 no longer needs a second person: press ✅ Send', card.message_id);
    const open = await talk.turns(card, (m) => rows(m)[0]?.[0] === '✅ Send 2 · 2 parts');
    expect(said(group, 'waits for approval')).toEqual([]);
    await talk.presses(omid, open, '✅');
    await talk.turns(card, '2 accepted');
    expect(talk.sends(username)).toHaveLength(1);
  });

  test('a test to oneself is held like every other send', async () => {
    const { omid, ann, group, username } = await team({ limit: 'approval 0' });
    await world.database.sql`update person set mobile = '989121110000' where telegram_id = ${omid.id}`;
    const card = await drafted(omid, group);
    await talk.presses(omid, card, '🧪');
    const own = await talk.hears(group, 'Draft #A2', card.message_id);
    await talk.hears(group, 'Nothing was sent', card.message_id);
    await quiet(world);
    expect(talk.sends(username)).toEqual([]);
    const fresh = await talk.turns(own, (m) => rows(m)[0]?.[0] === '➡ Ask for approval');
    await talk.presses(omid, fresh, '➡');
    await talk.presses(ann, await talk.turns(own, 'waits for approval'), '✅');
    await talk.turns(own, '1 accepted');
    expect(talk.sends(username)).toMatchObject([{ recipients: ['9121110000'] }]);
  });
});

/** The minutes of the day in the chat's zone, moved by some, as `/limits window` takes them. */
async function clock(by: number): Promise<string> {
  const [row] = await world.database.sql<{ at: string }[]>`
    select to_char(now() at time zone 'Asia/Tehran' + ${by} * interval '1 minute', 'HH24:MI') as at`;
  return given(row).at;
}

describe.concurrent('the sending window', () => {
  test.each(['en', 'fa'] as const)('(%s) closed refuses with its hours; open lets it go', async (locale) => {
    const { owner, omid, group, username } = await team({ locale, limit: 'approval off' });
    const [from, to] = [await clock(120), await clock(-120)];
    const hours = locale === 'en' ? `only from ${from} to ${to}` : `فقط از ${from} تا ${to}`;
    const latin = (said: Message): string =>
      plain(said).replaceAll(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0));
    const card = await drafted(omid, group);
    const send = dataOf(card, '✅');
    await talk.asks(owner, group, `/limits window ${from}-${to}`, /Set by|توسط/);
    // The card has it at once, and offers what would do; the button that was on it before is refused.
    const closed = await talk.turns(card, (m) => rows(m)[0]?.[0]?.startsWith('🕘') === true);
    expect(latin(closed)).toContain(hours);
    expect(latin(closed)).toContain('Asia/Tehran');
    expect(rows(closed)[0]?.[0]).toMatch(locale === 'en' ? /^🕘 Schedule / : /^🕘 زمان‌بندی برای /u);
    omid.forge(card, send);
    const told = await talk.hears(group, /Nothing was sent|چیزی ارسال نشد/, card.message_id);
    expect(latin(told)).toContain(hours);
    await quiet(world);
    expect(talk.sends(username)).toEqual([]);

    await talk.asks(owner, group, `/limits window ${to}-${from}`, /Set by|توسط/);
    const fresh = await talk.turns(card, (m) => rows(m)[0]?.[0]?.startsWith('✅') === true);
    expect(plain(fresh)).not.toContain('🕐');
    await talk.presses(omid, fresh, '✅');
    await talk.turns(card, /2 accepted|۲ پذیرفته شد/);
    expect(talk.sends(username)).toHaveLength(1);
  });

  test('holds for the second person too, and the question stays', async () => {
    const { owner, omid, ann, group, username } = await team();
    const question = await asked(omid, group);
    const [from, to] = [await clock(120), await clock(-120)];
    await talk.asks(owner, group, `/limits window ${from}-${to}`, 'Set by Olga');
    const call = await talk.hears(group, '#A1 by Omid waits for approval.', question.message_id);
    await talk.presses(ann, call, '✅');
    await talk.hears(group, `only from ${from} to ${to}`, call.message_id);
    // Its button is used up: the card stands below with fresh ones.
    const below = await talk.hears(group, 'asked by Omid', call.message_id);
    await until(() => {
      expect(said(group, '#A1 by Omid waits for approval.')).toEqual([]);
    });
    await talk.asks(owner, group, '/limits window off', 'Set by Olga');
    await quiet(world);
    expect(talk.sends(username)).toEqual([]);
    const fresh = given(world.driver.messages(group).find((m) => m.message_id === below.message_id));
    expect(plain(fresh)).toContain('waits for approval');
    await talk.presses(ann, fresh, '✅');
    await talk.turns(below, '2 accepted');
    expect(talk.sends(username)).toHaveLength(1);
  });
});

describe.concurrent('the day’s cap', () => {
  test('in parts: what would go over it is refused with what is left', async () => {
    const { omid, group, username } = await team({ limit: 'cap 3 parts' });
    const first = await drafted(omid, group, 'One');
    await talk.presses(omid, first, '✅');
    await talk.turns(first, '2 accepted');
    const second = await drafted(omid, group, 'Two');
    const counted = /Cap: 3 parts\. Other sends of \d+ \w+ \d+: 2 parts\. This send: 2 parts\./u;
    expect(plain(second)).toMatch(counted);
    await talk.presses(omid, second, '✅');
    const told = await talk.hears(group, 'over the day’s cap', second.message_id);
    expect(plain(told)).toMatch(counted);
    const small = await talk.asks(omid, group, '/send 09121234567 Three', 'Draft #A3');
    await talk.presses(omid, small, '✅');
    await talk.turns(small, '1 accepted');
    expect(talk.sends(username)).toHaveLength(2);
  });

  test('in rial, in Persian: what has no price counts as the cap was worth', async () => {
    const { omid, group, username } = await team({ locale: 'fa', limit: 'cap 5000' });
    const first = await drafted(omid, group);
    await talk.presses(omid, first, '✅');
    await talk.turns(first, '۲ پذیرفته شد');
    const second = await drafted(omid, group, 'دوم');
    await talk.presses(omid, second, '✅');
    const told = plain(await talk.hears(group, 'از سقف روزانه می‌گذرد', second.message_id));
    expect(told).toMatch(/سقف: ۵٬۰۰۰ ریال\. ارسال‌های دیگر [^:]+: [۰-۹٬]+ ریال\. این ارسال: [۰-۹٬]+ ریال\./u);
    expect(talk.sends(username)).toHaveLength(1);
  });

  test('of a pattern counts each recipient as one part, and says so', async () => {
    const { omid, group } = await team({ limit: 'cap 1 part' });
    const card = await talk.asks(omid, group, `/pattern 1 ${TWO.replace(' ', ',')} code=1234`, 'Draft #A1');
    await talk.presses(omid, card, '✅');
    const told = await talk.hears(group, 'over the day’s cap', card.message_id);
    expect(plain(told)).toMatch(/Cap: 1 part\. Other sends of .*: 0 parts\. This send: 2 parts\./u);
    expect(plain(told)).toContain('each recipient counts as one');
    expect(await jobsIn(group)).toEqual([]);
  });

  test.each(['cancelled', 'missed'] as const)(
    'that a %s send held is free again on the draft of somebody else',
    async (how) => {
      const { omid, oscar, group } = await team({ limit: 'cap 3 parts' });
      const planned = async (by: Person, at: string) =>
        await talk.asks(by, group, `/schedule tomorrow ${at} ${TWO} Hello`, 'Draft');
      const first = await planned(omid, '9:00');
      await talk.presses(omid, first, '✅');
      const waits = await talk.turns(first, 'Scheduled for');
      const second = await planned(oscar, '10:00');
      expect(plain(second)).toContain('over the day’s cap');
      await talk.gauged(group);
      if (how === 'cancelled') await talk.presses(omid, waits, '🗑');
      else await schedulesIn(world, talk).comes(group, 'A1', 1900);
      await talk.turns(second, (m) => !plain(m).includes('over the day’s cap'));
    },
  );

  test('is not overrun by two who press at the same moment', async () => {
    const { omid, oscar, group, username } = await team({ limit: 'cap 3 parts' });
    const cards = [await drafted(omid, group, 'One'), await drafted(oscar, group, 'Two')];
    omid.tap(given(cards[0]), '✅');
    oscar.tap(given(cards[1]), '✅');
    await talk.hears(group, 'over the day’s cap', given(cards[1]).message_id);
    await quiet(world);
    expect(talk.sends(username)).toHaveLength(1);
  });
});

test('a question survives a restart, and its buttons with it', async () => {
  await using own = await startWorld({}, { deliverySeconds: 600, outgoingLimits: NO_PACE });
  const here = talkIn(own);
  const { omid, ann, group, username } = await team({}, { world: own, talk: here });
  const card = await here.asks(omid, group, `/send ${TWO} Hello`, 'Draft #A1');
  await here.presses(omid, card, '➡');
  const question = await here.turns(card, 'waits for approval');
  await quiet(own);
  await using again = await restart(own);
  expect(again.botUsername).toBe(own.app.botUsername);
  expect(await here.presses(omid, question, '✅')).toBe('You asked for it; someone else must approve.');
  expect(await here.presses(ann, question, '✅')).toBe('');
  await here.turns(card, '2 accepted');
  await quiet(own);
  expect(here.sends(username)).toHaveLength(1);
  expect(here.errors()).toEqual([]);
});
