import type { Locale } from '../../src/i18n/define.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { given, type talkIn, type TestAccount } from './talk.ts';
import type { World } from './world.ts';

export const mobile = (index: number): string => `0912${String(index).padStart(7, '0')}`;

export const mobiles = (count: number, from = 1): string[] =>
  Array.from({ length: count }, (_, index) => mobile(from + index));

export const book = (title: string, numbers: readonly string[]) => ({
  title,
  flag: `flag of ${title}`,
  numbers: [...numbers],
});

/** Phonebooks at the gateway, and what was asked of it and written down about them. */
export function phonebooksIn(world: World, talk: ReturnType<typeof talkIn>) {
  const booksOf = ({ username }: TestAccount) => given(world.sandbox.world.account(username)).phonebooks;

  return {
    booksOf,

    /** Somebody with an account of their own in the private chat. */
    async linked(
      seed: Partial<TestAccount> = {},
      { language = 'en', byToken = false }: { readonly language?: Locale; readonly byToken?: boolean } = {},
    ): Promise<{ sara: Person; account: TestAccount }> {
      const sara = world.driver.user({ first_name: 'Sara', language_code: language });
      const account = talk.account(seed);
      await talk.connects(sara, byToken ? { token: account.token } : { apiKey: account.apiKey });
      return { sara, account };
    },

    /** What the gateway itself has in a book, as people write numbers; nothing when there is no such book. */
    inBook(account: TestAccount, title: string): string[] | null {
      const found = booksOf(account)
        .all()
        .find((each) => each.title === title);
      return found === undefined ? null : [...found.numbers.keys()].map((digits) => `0${digits}`);
    },

    changeCalls: ({ username }: TestAccount): string[] =>
      talk
        .hits(username)
        .map(({ operation }) => operation ?? '')
        .filter((operation) => /^phonebook-(create|add|remove|delete)$/.test(operation)),

    audited: async (person: Person, place: number = person.id) =>
      await world.database.sql<{ action: string; details: Record<string, unknown> }[]>`
        select a.action, a.details from audit a join chat c on c.id = a.chat_id
        where c.telegram_id = ${place} and a.person_id = ${person.id} and a.action like 'book%' order by a.id`,
  };
}
