import type { Message } from '@grammyjs/types';
import { expect } from 'vitest';
import type { Role } from '../../src/domain/roles.ts';
import { stripBidi } from '../../src/i18n/format.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import type { AccountSeed } from '../../src/sandbox/world/account-seed.ts';
import { PATIENCE } from './patience.ts';
import { standing, whenStanding } from './standing.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

export { PATIENCE };

export type Place = number | Person;
type Credential =
  | { readonly apiKey: string }
  | { readonly token: string }
  | { readonly username: string; readonly password: string };
/** An account with every credential that the gateway knows. */
export type TestAccount = AccountSeed & {
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
  readonly token: string;
};

/** Said of a press of a button that was drawn before the card's last change. */
const CHANGED = /The card has changed since|کارت از آن وقت تغییر کرده است/u;

type Fits = string | RegExp | ((message: Message) => boolean);
type SendOptions = Parameters<Person['send']>[2];

/** The text of a message as a person reads it, without what isolates directions. */
export function plain(message: Message): string {
  return stripBidi(message.text ?? message.caption ?? '');
}

/** The labels of a message's buttons, row by row as Telegram shows them. */
export function rows(message: Message): string[][] {
  return message.reply_markup?.inline_keyboard.map((row) => row.map(({ text }) => stripBidi(text))) ?? [];
}

/** Fits a message with a button whose label begins so. */
export const has =
  (label: string) =>
  (message: Message): boolean =>
    rows(message)
      .flat()
      .some((each) => each.startsWith(label));

/** The address behind a message's button. */
export function linkOf(message: Message): string {
  const button = message.reply_markup?.inline_keyboard.flat().find((each) => 'url' in each);
  if (button === undefined || !('url' in button)) throw new Error(`no link below «${plain(message)}»`);
  return button.url;
}

/** What stands behind `?start=` in the address of a message's button. */
export function payloadOf(message: Message): string {
  return new URL(linkOf(message)).searchParams.get('start') ?? '';
}

/** What a button of a message that begins so stands for. */
function buttonOf(message: Message, label: string): string | undefined {
  const button = message.reply_markup?.inline_keyboard
    .flat()
    .find(({ text }) => stripBidi(text).startsWith(label));
  return button !== undefined && 'callback_data' in button ? button.callback_data : undefined;
}

export function isFromBot(message: Message): boolean {
  return message.from?.username === 'PeykSandboxBot';
}

/** Conversations with the bot of a world: what is said, and what is waited for. */
export function talkIn({ driver, database, sandbox, logs, playground }: World) {
  const sql = database.sql;
  let accounts = 0;

  /** The bot's first message that fits, there already or coming or edited so. */
  const hears = async (place: Place, fits: Fits, after = 0): Promise<Message> =>
    await driver.waitForMessage(place, (message) => isFromBot(message) && matches(message, fits), {
      ...PATIENCE,
      after,
    });

  /** Says something and waits for the bot's answer. */
  const asks = async (
    person: Person,
    place: Place,
    text: string,
    fits: Fits,
    options?: SendOptions,
  ): Promise<Message> => {
    const said = person.send(place, text, options);
    return await hears(place, fits, said.message_id);
  };

  /** Waits until this message, or the card that it was, shows what fits. */
  const turns = async (message: Message, fits: Fits): Promise<Message> =>
    await whenStanding(driver, message, (now) => matches(now, fits));

  /** What a file that the bot sent holds. */
  const fileOf = (message: Message): Buffer => {
    const file = playground.control.file(message.document?.file_id ?? '');
    if (file === undefined) throw new Error(`no file in «${plain(message)}»`);
    return file.bytes;
  };

  /**
   * Presses and gives what the person is told of the press: nothing when it went well. Where the card was drawn anew in that
   * moment the press did nothing, and the new button is pressed, as a person would. A button that is no longer there is
   * pressed as it was seen: a phone shows it for a moment longer.
   */
  const presses = async (person: Person, message: Message, label: string): Promise<string> => {
    for (;;) {
      const now = standing(driver, message);
      const button = buttonOf(now, label);
      const pressed = person.tap(button === undefined ? message : now, label);
      const { text = '' } = await driver.waitForAnswer(pressed, PATIENCE);
      if (button === undefined || !CHANGED.test(text)) return stripBidi(text);
      await drawn();
      if (buttonOf(standing(driver, message), label) === button) return stripBidi(text);
    }
  };

  /**
   * Resolves when all that the person did in this place has been handled, and gives the bot's messages there
   * since: updates of a chat are handled in their order.
   */
  const settled = async (person: Person, place: Place, options?: SendOptions): Promise<Message[]> => {
    const said = person.send(place, '/whoami', options);
    const answer = await hears(place, new RegExp(`id ${person.id}|شناسه ${person.id}`), said.message_id);
    return driver.messages(place).filter((each) => isFromBot(each) && each.message_id !== answer.message_id);
  };

  /** An account of the gateway that nobody else uses. */
  const account = (seed: Partial<TestAccount> = {}): TestAccount => {
    accounts += 1;
    const name = seed.username ?? `shop${accounts}`;
    const made: TestAccount = {
      username: name,
      password: `pass-of-${name}`,
      apiKey: `key-of-${name}-0123456789`,
      token: `token-of-${name}-0123456789`,
      lines: ['3000123456', '50001234'],
      credit: 10_000_000,
      ...seed,
    };
    sandbox.world.addAccount(made);
    return made;
  };

  /** Calls of the gateway with an account's credentials. */
  const hits = (username: string) => sandbox.ledger.hits().filter((hit) => hit.account === username);
  const sends = (username: string) => sandbox.ledger.sends().filter((send) => send.account === username);

  /** From the question for a credential in the private chat to the button that links. */
  const offers = async (person: Person, credential: Credential, after: number): Promise<Message> => {
    const question = await hears(person, (m) => isQuestion(m), after);
    const wanted =
      'apiKey' in credential ? QUESTIONS.key : 'token' in credential ? QUESTIONS.token : QUESTIONS.user;
    let asked = question;
    if (!matches(question, wanted.question)) {
      await presses(person, question, labelIn(question, wanted.button));
      asked = await hears(person, wanted.question, question.message_id);
    }
    let last: Message;
    if ('username' in credential) {
      person.send(person, credential.username);
      asked = await hears(person, QUESTIONS.password.question, asked.message_id);
      last = person.send(person, credential.password);
    } else {
      last = person.send(person, 'apiKey' in credential ? credential.apiKey : credential.token);
    }
    return await hears(person, has('✅'), last.message_id);
  };

  /** The whole way of linking an account to a chat, or to the person's private chat, and choosing its line; null: it is known. */
  const connects = async (
    person: Person,
    credential: Credential,
    options: { readonly chat?: number; readonly line?: string | null } = {},
  ): Promise<void> => {
    const { chat, line = '3000123456' } = options;
    let after: number;
    if (chat === undefined) {
      after = person.send(person, '/connect').message_id;
    } else {
      const offer = await asks(person, chat, '/connect', /works once|یک بار و تا ۱۰ دقیقه/);
      after = person.start(payloadOf(offer)).message_id;
    }
    const found = await offers(person, credential, after);
    await presses(person, found, '✅');
    if (line === null) return;
    const which = await hears(person, /Which sender line|کدام خط/, found.message_id);
    person.send(person, line);
    await hears(person, /Try: \/send|امتحان کنید: \/send/, which.message_id);
  };

  /** Gives a role, as an admin would. */
  const gives = async (role: Role, person: Person, chat: number): Promise<void> => {
    await sql`insert into person (telegram_id, name) values (${person.id}, ${person.user.first_name})
      on conflict do nothing`;
    await sql`insert into member (chat_id, person_id, role, granted_by)
      select id, ${person.id}, ${role}, ${person.id} from chat where telegram_id = ${chat}
      on conflict (chat_id, person_id) do update set role = ${role}`;
  };

  /** The bindings of a chat, oldest first. */
  const bindings = async (chat: number) =>
    await sql<
      { id: string; state: string; kinds: string[]; line: string | null; credentials: Buffer | null }[]
    >`
      select b.id, b.state, b.kinds, b.line, b.credentials from binding b join chat c on c.id = b.chat_id
      where c.telegram_id = ${chat} order by b.created_at`;

  /** Resolves when every card shows what has happened to it. */
  const drawn = async (): Promise<void> => {
    await until(async () => {
      const left = await sql`
        select 1 from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier in ('card', 'open-drafts', 'renotice') and (j.run_at <= now() or j.locked_at is not null)`;
      expect(left).toHaveLength(0);
    });
  };

  /** Resolves when nothing is being read of the money of a chat's account: a draft has it read after its card is there. */
  const gauged = async (chat: number): Promise<void> => {
    await until(async () => {
      const left = await sql`
        select 1 from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        join binding b on b.id::text = j.payload ->> 'bindingId' join chat c on c.id = b.chat_id
        where t.identifier = 'gauge' and c.telegram_id = ${chat}`;
      expect(left).toHaveLength(0);
    });
  };

  /** Log lines of errors: a person's mistake is none. */
  const errors = (): string[] => logs.filter((line) => /^\{"level":(50|60|"error"|"fatal")/.test(line));

  /**
   * What the Bot API has refused, by method and reason. Not an edit by which nothing changes: a card is edited for whoever has
   * pressed it whatever it is thought to show, and the queue may have shown that a moment before.
   */
  const refused = (): string[] =>
    driver
      .calls()
      .filter(({ ok, method }) => !ok && method !== 'getUpdates')
      .filter(({ description }) => description?.includes('message is not modified') !== true)
      .map(({ method, description = '' }) => `${method}: ${description}`);

  return {
    hears,
    asks,
    turns,
    fileOf,
    presses,
    settled,
    account,
    hits,
    sends,
    offers,
    connects,
    gives,
    bindings,
    gauged,
    drawn,
    errors,
    refused,
  };
}

const QUESTIONS = {
  key: { question: /Send the API key|کلید API را بفرستید/, button: /^(API key|کلید API)$/ },
  user: {
    question: /The user name at|نام کاربری در پنل پیامک/,
    button: /^(Username and password|نام کاربری و رمز)$/,
  },
  password: { question: /The password\?|رمز؟/, button: /^$/ },
  token: { question: /The version 1 token|توکن نسخهٔ ۱ که/, button: /^(Version 1 token|توکن نسخهٔ ۱)$/ },
};

function isQuestion(message: Message): boolean {
  return Object.values(QUESTIONS).some(({ question }) => matches(message, question));
}

function labelIn(message: Message, label: RegExp): string {
  const found = message.reply_markup?.inline_keyboard.flat().find(({ text }) => label.test(text));
  if (found === undefined) throw new Error(`no button ${String(label)} below «${plain(message)}»`);
  return found.text;
}

function matches(message: Message, fits: Fits): boolean {
  if (typeof fits === 'function') return fits(message);
  const text = plain(message);
  return typeof fits === 'string' ? text.includes(fits) : fits.test(text);
}

/** The value that must be there. */
export function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('what the test needs is not there');
  return value;
}

/** What a button of a message sends when it is pressed, also when the button is gone by now. */
export function dataOf(message: Message, label: string): string {
  const button = message.reply_markup?.inline_keyboard.flat().find(({ text }) => text.startsWith(label));
  if (button === undefined || !('callback_data' in button)) throw new Error(`no button begins with ${label}`);
  return button.callback_data;
}

/** How the button that sends stands out; undefined: not at all. */
export function styleOf(message: Message): string | undefined {
  const button = message.reply_markup?.inline_keyboard.flat().find(({ text }) => text.startsWith('✅'));
  return button !== undefined && 'style' in button ? button.style : undefined;
}
