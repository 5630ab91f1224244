import type { Message } from '@grammyjs/types';
import { expect } from 'vitest';
import type { Locale } from '../../src/i18n/define.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import type { FaultRule } from '../../src/sandbox/faults.ts';
import { until } from './story.ts';
import { given, payloadOf, plain, rows, talkIn, type TestAccount } from './talk.ts';
import type { World } from './world.ts';

/* The steps of /register, done as a person does them. */

/** What is given to a question: a message, or the button whose label begins so. */
export type Answer = string | { readonly tap: string };

export interface Steps {
  readonly [question: string]: Answer;
}

export const CODE = '0499370899';
export const PASSWORD = 'typed-Pass-77/"+x';

const QUESTIONS: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  en: {
    kind: 'Who is the new user',
    parent: 'The manager’s user name',
    first: 'First name?',
    last: 'Last name?',
    father: 'Father’s name?',
    gender: 'Gender?',
    born: 'Date of birth',
    certificate: 'Number of the birth certificate',
    email: 'E-mail address?',
    tel: 'Telephone number?',
    fax: 'Fax number?',
    post: 'Postal code?',
    address: 'Address?',
    referrer: 'Referrer',
    company: 'The company’s name',
    registration: 'registration number',
    economic: 'economic code',
    companyId: 'The company’s national ID',
    companyKind: 'What kind of company',
    name: 'The new user’s name?',
    mobile: 'Their mobile number?',
    code: 'Their national code?',
    password: 'A password for them?',
    package: 'tariff package?',
    reseller: 'be a reseller?',
  },
  fa: {
    kind: 'کاربر جدید کیست',
    parent: 'نام کاربری مدیر',
    first: 'نام؟',
    last: 'نام خانوادگی؟',
    gender: 'جنسیت؟',
    name: 'نام کاربری جدید؟',
    mobile: 'شمارهٔ همراه او؟',
    code: 'کد ملی او؟',
    password: 'رمزی برای او؟',
    package: 'شمارهٔ بستهٔ تعرفه؟',
    reseller: 'نمایندهٔ فروش باشد؟',
  },
};

/** The answers of the short form, but for what a test has otherwise. */
export function shortSteps(name: string, more: Steps = {}, locale: Locale = 'en'): Steps {
  return {
    name,
    mobile: '۰۹۱۷ ۱۲۳ ۴۵۶۷',
    code: CODE,
    password: PASSWORD,
    package: '۱۴',
    reseller: { tap: locale === 'fa' ? 'خیر' : 'No' },
    ...more,
  };
}

export function registeringIn(world: World) {
  const talk = talkIn(world);
  const { driver, sandbox } = world;
  const secrets: Message[] = [];

  const isFor = (label: string) => (message: Message) =>
    rows(message)
      .flat()
      .some((each) => each.startsWith(label));

  /** Answers question after question; gives the last message there was. */
  const answers = async (
    person: Person,
    after: number,
    steps: Steps,
    locale: Locale = 'en',
  ): Promise<number> => {
    let last = after;
    for (const [name, answer] of Object.entries(steps)) {
      const question = await talk.hears(person, given(QUESTIONS[locale][name]), last);
      if (typeof answer === 'string') {
        const said = person.send(person, answer);
        if (name === 'code' || name === 'password') secrets.push(said);
        last = said.message_id;
      } else {
        await talk.presses(person, question, answer.tap);
        last = question.message_id;
      }
    }
    return last;
  };

  /** The newest registration of a person. */
  const newest = async (person: Person) => {
    const [row] = await world.database.sql<{ id: string; state: string; wiped: boolean }[]>`
      select id, state, fields is null as wiped from registration where person_id = ${person.id}
      order by created_at desc limit 1`;
    return given(row);
  };

  return {
    ...talk,
    answers,

    /** An account that may register users. */
    manager: (seed: Partial<TestAccount> = {}): TestAccount =>
      talk.account({ representative: true, packages: [12, 14], ...seed }),

    /** The summary, with a button that begins so. */
    summary: async (person: Person, after: number, label = '✅'): Promise<Message> =>
      await talk.hears(person, isFor(label), after),

    /** From /register in the private chat to the summary. */
    async prepares(person: Person, steps: Steps, locale: Locale = 'en', label = '✅'): Promise<Message> {
      const said = person.send(person, '/register');
      const after = await answers(person, said.message_id, steps, locale);
      return await talk.hears(person, isFor(label), after);
    },

    /** From /register in a group through its link to the first question; gives what to hear after. */
    async goesPrivate(person: Person, group: number): Promise<number> {
      const offer = await talk.asks(person, group, '/register', /password and a national code|رمز و کد ملی/);
      return person.start(payloadOf(offer)).message_id;
    },

    /** Calls of registration that the gateway got with this account's credentials. */
    calls: (username: string) => talk.hits(username).filter((hit) => hit.operation === 'register'),

    /** Adds a fault that meets registrations of this account. */
    harms: (username: string, rule: FaultRule): number =>
      sandbox.faults.add({ operation: 'register', ...rule, account: username }),

    /** Whether the gateway has this user now. */
    exists: (username: string): boolean => sandbox.world.account(username) !== undefined,

    /** The messages that held a secret and are still to be seen. */
    leftSecrets: (): string[] =>
      secrets
        .filter((said) => driver.messages(said.chat.id).some(({ message_id: id }) => id === said.message_id))
        .map(plain),

    row: newest,

    /** Brings the end of a time of the person's newest registration to now, once it is known where that is shown. */
    async hurries(person: Person, task: 'registration' | 'registration-password'): Promise<void> {
      const { id } = await newest(person);
      await until(async () => {
        const moved = await world.database.sql`
          update graphile_worker._private_jobs set run_at = now()
          where key = ${`${task}:${id}`} and locked_at is null and payload->>'card' is not null returning 1`;
        expect(moved).toHaveLength(1);
      });
    },

    /** What the audit says of registrations of a person, oldest first. */
    audit: async (person: Person) =>
      await world.database.sql<{ action: string; details: Record<string, unknown> }[]>`
        select action, details from audit where person_id = ${person.id} and action like 'user_regist%' order by id`,
  };
}
