import type { Message } from '@grammyjs/types';
import { expect } from 'vitest';
import type { Role } from '../../src/domain/roles.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { until } from './story.ts';
import { given, PATIENCE, plain, rows, type Place, type talkIn, type TestAccount } from './talk.ts';
import type { World } from './world.ts';

/** Settings with which a world looks into its inboxes, and often. */
export const READING = { ROLES: 'bot,worker,poller', INBOX_POLL_SECONDS: '0.3' };

export interface Team {
  readonly place: Place;
  readonly owner: Person;
  readonly agent: Person;
  readonly account: TestAccount;
}

/** Teams with an inbox, and what reaches it. */
export function receivingIn(world: World, talk: ReturnType<typeof talkIn>) {
  let last = 0;

  /** What came before that is told as one. */
  const lookedAt = async (telegramId: number): Promise<void> => {
    await until(async () => {
      const read = await world.database.sql`
        select 1 from account a join chat c on c.id = a.chat_id
        where c.telegram_id = ${telegramId} and a.inbox_read_at is not null`;
      expect(read).toHaveLength(1);
    });
  };

  return {
    lookedAt,

    /** A mobile number that nobody else in these stories has: as people write it, as a group sees it, as the gateway has it. */
    mobile() {
      last += 1;
      const tail = String(last).padStart(4, '0');
      return { typed: `0912777${tail}`, masked: `0912•••${tail}`, bare: `912777${tail}` };
    },

    /** A group with a linked account whose inbox has been looked at, its owner and an agent. */
    async team({
      lang = 'en',
      type = 'supergroup',
      role = 'operator',
      bot = 'member',
    }: {
      lang?: 'en' | 'fa';
      type?: 'supergroup' | 'forum';
      role?: Role;
      bot?: 'member' | 'administrator';
    } = {}): Promise<Team & { readonly place: number }> {
      const owner = world.driver.user({ first_name: 'Olga', language_code: lang });
      const agent = world.driver.user({ first_name: 'Omid', language_code: lang });
      const place = world.driver.group({ creator: owner, members: [agent], type, bot });
      const account = talk.account();
      await talk.connects(owner, { apiKey: account.apiKey }, { chat: place });
      await talk.gives(role, agent, place);
      await lookedAt(place);
      return { place, owner, agent, account };
    },

    /** The same in a private chat. */
    async alone(lang: 'en' | 'fa' = 'en'): Promise<Team & { readonly place: Person }> {
      const owner = world.driver.user({ first_name: 'Sara', language_code: lang });
      const account = talk.account();
      await talk.connects(owner, { apiKey: account.apiKey });
      await lookedAt(owner.id);
      return { place: owner, owner, agent: owner, account };
    },

    /** A message reaches the account; `from` as people write it, or a name. */
    arrives({ account }: Team, from: string, text: string, line = '3000123456'): void {
      const found = given(world.sandbox.world.account(account.username));
      world.sandbox.world.receive(found, { from: from.replace(/^0/, ''), line, text });
    },

    /** The card of a message in a place. */
    async cardOf(place: Place, text: string, after = 0): Promise<Message> {
      // What is posted in a channel is nobody's.
      const fits = (each: Message) => plain(each).includes('📩') && seen(each).includes(text);
      return await world.driver.waitForMessage(place, fits, { ...PATIENCE, after });
    },

    /** Turns topics on, one for each correspondent. */
    async wantsTopics({ owner, place }: Pick<Team, 'owner' | 'place'>): Promise<void> {
      const card = await talk.asks(owner, place, '/alerts', (message) =>
        labels(message).some((each) => each.startsWith('⚙')),
      );
      await talk.presses(owner, card, '⚙');
      const has = (message: Message) => labels(message).some((each) => each.includes('🗂'));
      const switches = await talk.turns(card, has);
      await talk.presses(owner, switches, labels(switches).find((each) => each.includes('🗂')) ?? '');
      await talk.turns(card, (message) => labels(message).some((each) => each.startsWith('✅ 🗂')));
    },

    /** What is on the blacklist of a line at the gateway. */
    blocked({ account }: Team, line = '3000123456'): string[] {
      const { blacklist } = given(world.sandbox.world.account(account.username));
      return blacklist.list(line).map(({ to }) => to);
    },
  };
}

/** What a message says without what keeps Telegram from making links of it. */
export function seen(message: Message): string {
  return plain(message).replaceAll('\u2060', '');
}

export function labels(message: Message): string[] {
  return rows(message).flat();
}
