import { describe, expect, test } from 'vitest';
import { labels, READING, receivingIn, seen } from '../support/receiving.ts';
import { until } from '../support/story.ts';
import { given, isFromBot, PATIENCE, payloadOf, plain } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* What received messages do by themselves: rules route and answer them, 11 and 12 change the blacklist. */

const LINE = '3000123456';
const OTHER = '50001234';

const { world, talk, made } = useWorld(READING, { deliverySeconds: 0.3 });
const receiving = made(receivingIn);

describe('rules', () => {
  test('are added by one line, listed, and deleted by their button', async () => {
    const ours = await receiving.team();
    const { owner, place } = ours;
    await talk.asks(owner, place, '/rules', 'No rules yet');
    const added = await talk.asks(owner, place, '/rule contains «قیمت» on 3000123456 → here', '✅ Added');
    expect(plain(added)).toContain('contains «قیمت» on 3000123456 → this chat');
    await talk.asks(owner, place, '/rule contains «قیمت» on 3000123456 → here', 'there already');
    await talk.asks(owner, place, '/rule equals stop → all answer «Goodbye»', '🤖 answers «Goodbye»');
    const list = await talk.asks(owner, place, '/rules', '2 rules');
    expect(plain(list)).toMatch(/1\. contains «قیمت».*\n2\. is exactly «stop» 🤖 answers «Goodbye»/u);
    await talk.presses(owner, list, '🗑 1');
    const left = await talk.turns(list, '🗑 Deleted: contains «قیمت»');
    expect(plain(left)).toContain('1 rule');
    await talk.asks(owner, place, '/audit', /deleted the rule/u);
  });

  test('are asked for step by step, and a bad pattern is refused', async () => {
    const ours = await receiving.team({ lang: 'fa' });
    const { owner, place } = ours;
    const way = await talk.asks(owner, place, '/rule', 'وقتی پیامی');
    await talk.presses(owner, way, 'با الگو');
    const words = await talk.hears(place, 'کدام الگو؟', way.message_id);
    owner.send(place, 'سفارش \\d+', { replyTo: words });
    const target = await talk.hears(place, 'چنین پیامی کجا برود؟', words.message_id);
    await talk.presses(owner, target, 'همین گفتگو');
    await talk.hears(place, '✅ اضافه شد: منطبق با الگوی «سفارش \\d+» ← همین گفتگو', target.message_id);
    await talk.asks(owner, place, '/rule pattern «(?=x)» → here', 'به عنوان الگو');
    await talk.asks(owner, place, '/rule contains x → all', 'کاری نمی‌کند');
    await talk.asks(owner, place, '/rule contains x → topic', 'اینجا موضوع نیست');
    await talk.asks(owner, place, '/rule contains x → @nowhere_at_all', 'نمی‌شناسم');
    await talk.asks(owner, place, '/rule contains x → here پاسخ', 'بعد از پاسخ');
    await talk.asks(owner, place, '/rule شامل تخفیف از خط 3000123456 جواب به‌زودی', '🤖 پاسخ می‌دهد «به‌زودی»');
    const kept = await world.database.sql`
      select words, line from inbox_rule r join chat c on c.id = r.chat_id where c.telegram_id = ${place} order by line nulls first`;
    expect(kept).toEqual([
      { words: 'سفارش \\d+', line: null },
      { words: 'تخفیف', line: '3000123456' },
    ]);
  });

  test('send what they fit to one place instead of everywhere, letters of both keyboards alike', async () => {
    const ours = await receiving.team();
    const channel = world.driver.group({
      creator: ours.owner,
      members: [ours.agent],
      type: 'channel',
      bot: 'administrator',
      title: 'Sales',
    });
    // The bot writes it down itself when it comes to know that it is there.
    await world.database.sql`
      insert into chat (telegram_id, type, title) values (${channel}, 'channel', 'Sales') on conflict do nothing`;
    await world.database.sql`
      insert into sink (chat_id, telegram_id, title, kinds, created_by)
      select id, ${channel}, 'Sales', '{}', ${ours.owner.id} from chat where telegram_id = ${ours.place}`;
    await talk.asks(ours.owner, ours.place, '/rule contains «یک کیک» → Sales', '→ Sales');
    receiving.arrives(ours, receiving.mobile().typed, 'سلام، يك  كيك می‌خواهم');
    const card = await receiving.cardOf(channel, 'می‌خواهم');
    receiving.arrives(ours, receiving.mobile().typed, 'something else');
    await receiving.cardOf(ours.place, 'something else');
    expect(world.driver.messages(ours.place).some((each) => seen(each).includes('می‌خواهم'))).toBe(false);

    // Whoever presses in the channel acts with the role that they have at home.
    expect(await talk.presses(ours.agent, card, '🙋 Take')).toBe('');
    await talk.turns(card, '🙋 Omid');
    await talk.presses(ours.agent, card, '↩️ Reply');
    await world.driver.waitForMessage(channel, (each) => /\/reply in\d+/u.test(plain(each)), PATIENCE);
  });
});

test('numbers are shown whole where an admin wants that, and in part again', async () => {
  const ours = await receiving.team();
  const { typed, masked } = receiving.mobile();
  await talk.asks(ours.owner, ours.place, '/rules numbers full', 'show whole numbers from now on');
  receiving.arrives(ours, typed, 'in full');
  expect(plain(await receiving.cardOf(ours.place, 'in full'))).toContain(typed);
  await talk.asks(ours.owner, ours.place, '/rules numbers masked', 'in part only');
  receiving.arrives(ours, typed, 'in part');
  expect(plain(await receiving.cardOf(ours.place, 'in part'))).toContain(masked);
  await talk.asks(ours.owner, ours.place, '/audit', 'turned on whole numbers');
});

describe('answers by themselves', () => {
  test('leave once a day to each number, and stand on the card', async () => {
    const ours = await receiving.team();
    await talk.asks(ours.owner, ours.place, '/rule contains hours → all answer «Nine to five.»', '✅ Added');
    const { typed, bare } = receiving.mobile();
    receiving.arrives(ours, typed, 'Opening HOURS?', OTHER);
    const card = await receiving.cardOf(ours.place, 'Opening HOURS?');
    await talk.turns(card, /🤖 automatic answer · #A\d+ · ✅ delivered/u);
    receiving.arrives(ours, typed, 'hours again', OTHER);
    const second = await receiving.cardOf(ours.place, 'hours again');
    await talk.turns(second, 'this number has had one today');
    expect(talk.sends(ours.account.username)).toMatchObject([
      { line: OTHER, recipients: [bare], text: 'Nine to five.' },
    ]);
    // The answer has no card of its own, and nobody has taken or answered the message.
    expect(
      world.driver.messages(ours.place).filter((m) => isFromBot(m) && plain(m).startsWith('✉️')),
    ).toEqual([]);
    expect(labels(second)).toContain('🙋 Take');
  });

  test('go on from another account that is linked, and whoever links it is told', async () => {
    const ours = await receiving.team();
    const links = async ({ apiKey }: { readonly apiKey: string }) => {
      const offer = await talk.asks(ours.owner, ours.place, '/connect', /works once/u);
      const { message_id: after } = ours.owner.start(payloadOf(offer));
      const found = await talk.offers(ours.owner, { apiKey }, after);
      await talk.presses(ours.owner, found, '✅');
      return plain(await talk.turns(found, '✅ Linked.'));
    };
    await talk.asks(
      ours.owner,
      ours.place,
      `/rule contains price on ${LINE} → all answer «Free.»`,
      '✅ Added',
    );
    // What is for a line of the other account answers nothing by this one.
    expect(await links(talk.account())).toBe('✅ Linked.');
    await talk.asks(ours.owner, ours.place, '/rule contains hours → all answer «Nine to five.»', '✅ Added');
    expect(await links(talk.account())).toBe(
      '✅ Linked.\n🤖 Automatic answers that are set in the chat go on, and this account pays for them: /rules there shows them.',
    );
  });

  test('leave once for a message where two chats have the account, and a rule for it each', async () => {
    const ours = await receiving.team();
    const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
    await talk.connects(sara, { apiKey: ours.account.apiKey });
    await receiving.lookedAt(sara.id);
    for (const [person, place] of [
      [ours.owner, ours.place],
      [sara, sara],
    ] as const)
      await talk.asks(person, place, '/rule contains hours → all answer «Nine to five.»', '✅ Added');
    receiving.arrives(ours, receiving.mobile().typed, 'Opening hours?', OTHER);
    const cards = [
      await receiving.cardOf(ours.place, 'Opening hours?'),
      await receiving.cardOf(sara, 'Opening hours?'),
    ];
    const ends = await Promise.all(
      cards.map(async (card) => plain(await talk.turns(card, /✅ delivered|this number has had one today/u))),
    );
    expect(ends.filter((each) => each.includes('✅ delivered'))).toHaveLength(1);
    expect(talk.sends(ours.account.username)).toHaveLength(1);
  });

  test('never go to a blocked number, to a name, or to what is an answer of ours itself', async () => {
    const ours = await receiving.team();
    await talk.asks(
      ours.owner,
      ours.place,
      '/rule contains info → all answer «Ask for info at noon.»',
      '✅ Added',
    );
    const blocked = receiving.mobile();
    const gateway = given(world.sandbox.world.account(ours.account.username));
    gateway.blacklist.add(LINE, [blocked.bare], { setter: 'x', at: 0 });
    receiving.arrives(ours, blocked.typed, 'info please');
    const card = await receiving.cardOf(ours.place, 'info please');
    await talk.turns(card, 'is on the line’s blacklist');
    receiving.arrives(ours, 'MyBank', 'info from a bank');
    await receiving.cardOf(ours.place, 'info from a bank');
    receiving.arrives(ours, receiving.mobile().typed, 'Ask for INFO at noon.');
    const loop = await receiving.cardOf(ours.place, 'Ask for INFO at noon.');
    await talk.turns(loop, 'it would answer an automatic answer');
    expect(talk.sends(ours.account.username)).toEqual([]);
  });

  test('do not go to a message of days ago, as a gateway lists it late or under a new id', async () => {
    const ours = await receiving.team();
    await talk.asks(ours.owner, ours.place, '/rule contains cost → all answer «Ten.»', '✅ Added');
    const { typed } = receiving.mobile();
    const gateway = given(world.sandbox.world.account(ours.account.username));
    const at = Date.now() - 3 * 86_400_000;
    world.sandbox.world.receive(gateway, { from: typed.replace(/^0/, ''), line: LINE, text: 'cost?', at });
    await talk.turns(await receiving.cardOf(ours.place, 'cost?'), 'could not be sent in time');
    expect(talk.sends(ours.account.username)).toEqual([]);
  });

  test('do not leave outside the chat’s limits, or when who made the rule may not send any more', async () => {
    const ours = await receiving.team();
    await talk.asks(ours.owner, ours.place, '/rule contains price → all answer «Soon.»', '✅ Added');
    await world.database.sql`
      insert into chat_limits (chat_id, halted_at, halted_by, updated_by)
      select id, now(), ${ours.owner.id}, ${ours.owner.id} from chat where telegram_id = ${ours.place}`;
    receiving.arrives(ours, receiving.mobile().typed, 'price one');
    await talk.turns(await receiving.cardOf(ours.place, 'price one'), 'the chat’s limits do not allow it');
    await world.database.sql`
      update chat_limits set halted_at = null, halted_by = null where chat_id = (select id from chat where telegram_id = ${ours.place})`;
    await talk.gives('viewer', ours.owner, ours.place);
    receiving.arrives(ours, receiving.mobile().typed, 'price two');
    await talk.turns(await receiving.cardOf(ours.place, 'price two'), 'may not send here any more');
    expect(talk.sends(ours.account.username)).toEqual([]);
  });
});

describe('11 and 12', () => {
  test('change the blacklist of a line where that is switched on, and an approver can undo it', async () => {
    const ours = await receiving.team();
    const { typed, bare, masked } = receiving.mobile();
    receiving.arrives(ours, typed, '11');
    const off = await receiving.cardOf(ours.place, '11');
    expect(plain(off)).not.toContain('opted out');
    await talk.asks(ours.owner, ours.place, `/rules optout ${LINE} on`, 'From now on 11');

    receiving.arrives(ours, typed, ' ۱۱ ');
    const out = await receiving.cardOf(ours.place, '۱۱', off.message_id);
    const told = await talk.turns(out, `⛔ ${masked} opted out of ${LINE} (reply 11): added`);
    expect(labels(told)).not.toContain('⛔ Block');
    expect(receiving.blocked(ours)).toEqual([bare]);
    receiving.arrives(ours, typed, '12');
    const back = await receiving.cardOf(ours.place, '12', out.message_id);
    await talk.turns(back, `♻️ ${masked} opted in`);
    expect(receiving.blocked(ours)).toEqual([]);

    receiving.arrives(ours, typed, '11', OTHER);
    const other = await receiving.cardOf(ours.place, OTHER, back.message_id);
    expect(plain(other)).not.toContain('opted out');
    receiving.arrives(ours, typed, '11');
    const again = await receiving.cardOf(ours.place, LINE, other.message_id);
    const optedOut = await talk.turns(again, 'opted out');
    expect(await talk.presses(ours.agent, optedOut, '↩️ Undo')).toContain('does not allow');
    await talk.presses(ours.owner, optedOut, '↩️ Undo');
    await talk.turns(again, '↩️ Olga: taken off the blacklist');
    expect(receiving.blocked(ours)).toEqual([]);
    await talk.asks(ours.owner, ours.place, '/audit', /opted out by a reply of 11/u);
  });

  test('are tried again when no answer came, and end as what is known', async () => {
    const ours = await receiving.team();
    await talk.asks(ours.owner, ours.place, `/rules optout ${LINE} on`, 'From now on 11');
    world.sandbox.faults.add({
      kind: 'drop',
      when: 'after',
      operation: 'blacklist-add',
      account: ours.account.username,
      times: 1,
    });
    const { typed, bare } = receiving.mobile();
    receiving.arrives(ours, typed, '11');
    const card = await receiving.cardOf(ours.place, '11');
    await talk.turns(card, 'asked to opt out');
    await talk.turns(card, 'was on that line’s blacklist already');
    expect(receiving.blocked(ours)).toEqual([bare]);
  });

  test('are heeded in the order in which a number has said them, also where the first is still tried again', async () => {
    const ours = await receiving.team();
    const { typed, asked } = await unanswered(ours);
    receiving.arrives(ours, typed, '12');
    const back = await receiving.cardOf(ours.place, '12', asked.message_id);
    await talk.turns(back, 'opted in');
    await nothingLeft();
    expect(receiving.blocked(ours)).toEqual([]);
  });

  test('are not tried again once a person has decided otherwise', async () => {
    const ours = await receiving.team();
    const { asked } = await unanswered(ours);
    await talk.presses(ours.owner, asked, '↩️ Undo');
    await talk.turns(asked, '↩️ Olga: taken off the blacklist');
    await nothingLeft();
    expect(receiving.blocked(ours)).toEqual([]);
  });

  test('are not tried again once a person has decided otherwise by a command', async () => {
    const ours = await receiving.team();
    const { typed } = await unanswered(ours);
    const question = await talk.asks(ours.owner, ours.place, `/unblock ${typed} ${LINE}`, '♻');
    await talk.presses(ours.owner, question, labels(question)[0] ?? '');
    await talk.turns(question, 'by Olga');
    await nothingLeft();
    expect(receiving.blocked(ours)).toEqual([]);
  });

  const ORDERS = [
    {
      said: '11',
      operation: 'blacklist-add',
      command: '/unblock',
      asked: '♻️ Unblock',
      told: 'not on',
      left: 0,
    },
    {
      said: '12',
      operation: 'blacklist-remove',
      command: '/block',
      asked: '⛔ Block 1',
      told: 'already',
      left: 1,
    },
  ] as const;

  test.for(ORDERS)(
    '$said does not outrun $command, where its call is still under way',
    async ({ said, operation, command, asked, told, left }) => {
      const ours = await receiving.team();
      await talk.asks(ours.owner, ours.place, `/rules optout ${LINE} on`, 'From now on 11');
      const { typed, bare } = receiving.mobile();
      const account = given(world.sandbox.world.account(ours.account.username));
      if (said === '12')
        account.blacklist.add(LINE, [bare], { setter: ours.account.username, at: world.sandbox.world.now() });
      const slow = world.sandbox.faults.add({
        kind: 'delay',
        ms: 3000,
        operation,
        account: ours.account.username,
        times: 1,
      });
      receiving.arrives(ours, typed, said);
      await until(() => {
        expect(world.sandbox.faults.list().find(({ id }) => id === slow)?.used).toBe(1);
      });
      const question = await talk.asks(ours.owner, ours.place, `${command} ${typed} ${LINE}`, asked);
      await talk.presses(ours.owner, question, labels(question)[0] ?? '');
      await talk.turns(question, told);
      await nothingLeft();
      expect(receiving.blocked(ours)).toHaveLength(left);
    },
  );

  /** A number has asked to be left alone, and it is not known what came of it. */
  async function unanswered(ours: Awaited<ReturnType<typeof receiving.team>>) {
    await talk.asks(ours.owner, ours.place, `/rules optout ${LINE} on`, 'From now on 11');
    world.sandbox.faults.add({
      kind: 'drop',
      when: 'after',
      operation: 'blacklist-add',
      account: ours.account.username,
      times: 1,
    });
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, '11');
    const card = await receiving.cardOf(ours.place, '11');
    return { typed, asked: await talk.turns(card, 'asked to opt out') };
  }

  /** All that messages ask for by themselves has been tried as often as it is. */
  async function nothingLeft(): Promise<void> {
    await until(async () => {
      const left = await world.database.sql`
        select 1 from graphile_worker.jobs where task_identifier = 'inbound-duty'`;
      expect(left).toEqual([]);
    });
  }

  test('are switched by a button too', async () => {
    const ours = await receiving.team({ lang: 'fa' });
    const list = await talk.asks(ours.owner, ours.place, '/rules', 'روشن برای');
    await talk.presses(ours.owner, list, '▫️ ۱۱/۱۲');
    const on = await talk.turns(list, 'از این به بعد 11');
    expect(labels(on).some((label) => label.startsWith('✅ ۱۱/۱۲'))).toBe(true);
    await talk.asks(ours.owner, ours.place, `/rules optout ${LINE} off`, 'دیگر 11 و 12');
    await talk.asks(ours.owner, ours.place, '/rules optout x maybe', 'لغو11 3000123456 روشن');
    await until(async () => {
      const lines = await world.database.sql`
        select opt_out_lines from account a join chat c on c.id = a.chat_id where c.telegram_id = ${ours.place}`;
      expect(lines).toEqual([{ opt_out_lines: [] }]);
    });
  });
});

describe('marking read at the gateway', () => {
  test('is off, and is switched by a word or a button; then what was taken in is read there', async () => {
    const ours = await receiving.team();
    const { typed } = receiving.mobile();
    const unread = (): number =>
      world.sandbox.world.account(ours.account.username)?.inbox.filter(({ read }) => !read).length ?? 0;
    receiving.arrives(ours, typed, 'hello');
    const card = await receiving.cardOf(ours.place, 'hello');
    expect(unread()).toBe(1);
    const list = await talk.asks(ours.owner, ours.place, '/rules', 'stay unread at the gateway');
    expect(await talk.presses(ours.agent, list, '▫️ 👁')).toContain('does not allow');
    await talk.presses(ours.owner, list, '▫️ 👁');
    const on = await talk.turns(list, 'From now on I mark');
    expect(labels(on)).toContain('✅ 👁 Mark read at the gateway');
    receiving.arrives(ours, typed, 'again');
    await receiving.cardOf(ours.place, 'again', card.message_id);
    await until(() => {
      expect(unread()).toBe(0);
    });
    await talk.asks(ours.owner, ours.place, '/rules read off', 'I no longer mark messages read');
    await talk.asks(ours.owner, ours.place, '/audit', 'off marking messages read at the gateway');
  });
});
