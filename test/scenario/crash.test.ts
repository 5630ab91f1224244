import { join } from 'node:path';
import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedStage, useEmbeddedStage } from '../support/embedded-stage.ts';
import { type PeykProcess, spawnPeyk } from '../support/peyk-process.ts';
import {
  cardSays,
  draft,
  gatewaySaw,
  harm,
  hasButton,
  HELD,
  inboxLookedAt,
  isCard,
  linkedPerson,
  numbers,
  PATIENT,
  says,
  shownOn,
  until,
} from '../support/story.ts';
import { given } from '../support/talk.ts';

const staged = useEmbeddedStage({ deliverySeconds: 600 });
let stage: EmbeddedStage;
let running: { readonly peyk: PeykProcess; readonly settings: object } | undefined;

beforeAll(() => {
  stage = staged();
});
afterAll(async () => {
  await running?.peyk.kill();
  expect(stage.logged.join('\n')).not.toMatch(/story-key-\d/u);
});

const PLAIN = {};

/** The process that is up: the one that the test before has left, if that has the same settings, or a new one. */
async function up(settings: Readonly<Record<string, string>> = PLAIN): Promise<PeykProcess> {
  if (running !== undefined && running.settings !== settings) await running.peyk.stop();
  if (running !== undefined) return running.peyk;
  const peyk = await stage.start(settings);
  running = { peyk, settings };
  void peyk.ended.then(() => (running = undefined));
  return peyk;
}

function answersAfter(message: Message, part: string): Message[] {
  return stage.driver
    .messages(message.chat.id)
    .filter((m) => m.message_id > message.message_id && says(part)(m));
}

/** The card of a draft by its text: the kill may have left that of another to be shown once more. */
const isCardOf =
  ({ text = '' }: Message) =>
  (m: Message): boolean =>
    isCard(m) && m.text?.includes(text.replace(/^\/send \d+ /u, '')) === true;

describe('a process that is killed while a call is on the wire', () => {
  test.each([
    ['after its effect', { kind: 'hang', when: 'after' }, 1],
    ['before its effect', { kind: 'hang', when: 'before' }, 0],
    ['and before an effect that comes later', HELD, 1],
  ] as const)(
    '%s: the card says unknown after the restart, and no second call is made',
    async (name, fault, sends) => {
      const first = await up();
      const { person, account } = await linkedPerson(stage, 'Killed');
      const card = await draft(stage, person, { to: '9125550001', text: `killed ${name}` });
      const { struck, heal } = harm(stage, account, fault);
      person.tap(card, '✅ Send');
      await struck();
      await first.kill();
      heal();

      const second = await up();
      const shown = await cardSays(stage, card, '1 unknown', 'may have been sent');
      expect(shown.text).not.toMatch(/accepted|not sent|Sending/u);
      for (const text of shownOn(stage, card).slice(1))
        expect(text).not.toMatch(/not sent|not delivered|fail/u);
      expect(await second.stop()).toBe(0);

      // Another start finds nothing left to do.
      await up();
      person.send(person, '/credit');
      await stage.driver.waitForMessage(person, says('💰'), PATIENT);
      await until(() => {
        expect(gatewaySaw(stage, account)).toEqual({ calls: 1, sends, recipients: sends });
      });
      expect(gatewaySaw(stage, account).calls).toBe(1);
      // By then the gateway's lists may have told of what went out.
      expect(shownOn(stage, card).at(-1)).toMatch(sends === 0 ? /1 unknown/ : /1 unknown|1 accepted/);
    },
  );

  test('with two calls of a job: what was out is unknown, the rest is still made, each once', async () => {
    const first = await up();
    const { person, account } = await linkedPerson(stage, 'Halfway');
    const order = { to: numbers(250).join(' '), text: 'killed in the first of two calls' };
    const card = await draft(stage, person, order);
    const { struck, heal } = harm(stage, account, { kind: 'hang', when: 'after', times: 1 });
    person.tap(card, '✅ Send');
    await struck();
    await first.kill();
    heal();

    await up();
    // Both may have been out, or one, and either may have come first.
    const shown = await cardSays(
      stage,
      card,
      /250 unknown|(?:200 unknown[^]*50|50 unknown[^]*200) accepted|(?:50 accepted[^]*200|200 accepted[^]*50) unknown/u,
    );
    expect(shown.text).not.toMatch(/not sent|waiting|asked/u);
    const both = { calls: 2, sends: 2, recipients: 250 };
    // A call that was begun and never left the process is unknown as well: nobody can tell it from
    // one whose answer was lost, and it is not made again.
    const one = [200, 50].map((recipients) => ({ calls: 1, sends: 1, recipients }));
    expect(shown.text?.includes('250 unknown') ? [both, ...one] : [both]).toContainEqual(
      gatewaySaw(stage, account),
    );
  });
});

describe('a process that is killed with a command in hand', () => {
  test('before its draft could be shown: after the restart there is one draft, shown once', async () => {
    const first = await up();
    const { person } = await linkedPerson(stage, 'Drafter');
    stage.playground.control.fault({
      method: 'sendMessage',
      match: { chat_id: person.id },
      delay_ms: 60_000,
      drop: 'before',
    });
    const typed = person.send(person, '/send 9125550002 shown after the restart');
    // The rule is used up: the card is on its way to Telegram, and held there.
    await until(() => {
      expect(stage.playground.emulator.faults.list()).toEqual([]);
    });
    await first.kill();
    stage.playground.control.clearFaults();

    await up();
    const card = await stage.driver.waitForMessage(person, isCard, { ...PATIENT, after: typed.message_id });
    expect(card.text).toContain('#A1');
    const next = person.send(person, '/send 9125550003 the one after it');
    const other = await stage.driver.waitForMessage(person, isCardOf(next), PATIENT);
    expect(other.text).toContain('#A2');
    expect(answersAfter(typed, 'shown after the restart')).toHaveLength(1);
  });

  test('while the gateway is asked: the question is answered after the restart, once', async () => {
    const first = await up();
    const { person, account } = await linkedPerson(stage, 'Asker');
    const { struck, heal } = harm(stage, account, { operation: 'credit', kind: 'hang' });
    const typed = person.send(person, '/credit');
    await struck();
    await first.kill();
    heal();

    await up();
    await stage.driver.waitForMessage(person, says('💰'), { ...PATIENT, after: typed.message_id });
    person.send(person, '/whoami');
    await stage.driver.waitForMessage(person, says('owner'), { ...PATIENT, after: typed.message_id });
    expect(answersAfter(typed, '💰')).toHaveLength(1);
  });

  test('right after it was taken in: it is answered, and makes one draft', async () => {
    const first = await up();
    const { person } = await linkedPerson(stage, 'Quick');
    const typed = person.send(person, '/send 9125550004 killed at once');
    await stage.driver.whenPolled();
    await first.kill();

    await up();
    await stage.driver.waitForMessage(person, isCard, { ...PATIENT, after: typed.message_id });
    const next = person.send(person, '/send 9125550005 the next one');
    const other = await stage.driver.waitForMessage(person, isCardOf(next), PATIENT);
    // Telegram may have taken the first card without our knowing; the draft is one all the same.
    expect(other.text).toContain('#A2');
    const codes = answersAfter(typed, 'killed at once').map(({ text }) => /#A\d+/u.exec(text ?? '')?.[0]);
    expect(new Set(codes)).toEqual(new Set(['#A1']));
  });

  test('right after a press was taken in: there is one call', async () => {
    const first = await up();
    const { person, account } = await linkedPerson(stage, 'Presser');
    const card = await draft(stage, person, { to: '9125550006', text: 'killed at the press' });
    person.tap(card, '✅ Send');
    await stage.driver.whenPolled();
    await first.kill();

    await up();
    // The kill can come before the id of the card's message was kept: the draft then gets a second card, and no second call.
    await stage.driver.waitForMessage(person, (m) => /1 accepted|1 unknown/u.test(m.text ?? ''), {
      ...PATIENT,
      after: card.message_id - 1,
    });
    const { calls, sends } = gatewaySaw(stage, account);
    expect(calls).toBe(1);
    expect(sends).toBe(1);
  });
});

describe('a process that is killed with a reply to a received message in hand', () => {
  const RECEIVING = { UNDO_SECONDS: '8', INBOX_POLL_SECONDS: '0.3' };

  test.each(['right after it was taken in', 'between its draft and its confirmation', 'within its hold'])(
    '%s: it leaves after the restart, once',
    async (when) => {
      const first = await up(RECEIVING);
      const { person, account } = await linkedPerson(stage, 'Answerer');
      await inboxLookedAt(stage, account);
      const at = given(stage.sandbox.world.account(account.username));
      const told = () => first.lines.filter((line) => /"task":"notify".*"job done"/u.test(line)).length;
      const before = told();
      stage.sandbox.world.receive(at, { from: '9125550042', line: account.line, text: `killed ${when}?` });
      const card = await stage.driver.waitForMessage(
        person,
        (m) => m.text?.startsWith('📩') === true && m.text.includes(`killed ${when}?`),
        PATIENT,
      );
      // It is known which message the card is: otherwise there comes another, a minute later.
      await until(() => expect(told()).toBeGreaterThan(before));
      if (when.startsWith('between'))
        stage.playground.control.fault({
          method: 'editMessageText',
          match: { chat_id: person.id },
          delay_ms: 60_000,
          drop: 'before',
        });
      const said = person.send(person, `answered ${when}`, { replyTo: card });
      if (when.startsWith('right')) await stage.driver.whenPolled();
      else if (when.startsWith('between'))
        await until(() => {
          expect(stage.playground.emulator.faults.list()).toEqual([]);
        });
      else
        await stage.driver.waitForMessage(person, (m) => hasButton(m, '↩️ Undo'), {
          ...PATIENT,
          after: said.message_id,
        });
      await first.kill();
      stage.playground.control.clearFaults();
      expect(gatewaySaw(stage, account).calls).toBe(0);

      await up(RECEIVING);
      await stage.driver.waitForMessage(
        person,
        (m) => m.text?.startsWith('📩') === true && /#A1 · .*accepted/u.test(m.text),
        PATIENT,
      );
      const next = person.send(person, '/send 9125550043 the one after it');
      const other = await stage.driver.waitForMessage(person, isCardOf(next), PATIENT);
      expect(other.text).toContain('#A2');
      expect(answersAfter(said, 'Not sent yet')).toEqual([]);
      expect(gatewaySaw(stage, account)).toEqual({ calls: 1, sends: 1, recipients: 1 });
    },
  );
});

describe('a process that is told to end', () => {
  test('lets the call on the wire finish, ends with 0, and the card is right after the next start', async () => {
    const first = await up();
    const { person, account } = await linkedPerson(stage, 'Patient');
    const card = await draft(stage, person, { to: '9125550007', text: 'ends in order' });
    const { struck } = harm(stage, account, { kind: 'delay', when: 'before', ms: 4000 });
    person.tap(card, '✅ Send');
    await struck();
    expect(await first.stop()).toBe(0);
    expect(gatewaySaw(stage, account)).toEqual({ calls: 1, sends: 1, recipients: 1 });

    const second = await up();
    const shown = await cardSays(stage, card, '1 accepted');
    expect(shown.text).not.toContain('unknown');
    expect(await second.stop()).toBe(0);
    expect(gatewaySaw(stage, account).calls).toBe(1);
  });

  test('ends at once at the second signal, and calls what hung unknown', async () => {
    const first = await up();
    const { person, account } = await linkedPerson(stage, 'Hurried');
    const card = await draft(stage, person, { to: '9125550008', text: 'told twice' });
    const { struck } = harm(stage, account, { kind: 'hang', when: 'after' });
    person.tap(card, '✅ Send');
    await struck();
    let how: unknown;
    void first.ended.then((code) => (how = code));
    // Two signals that come together count as one, as a terminal sends them.
    await until(() => {
      first.signal('SIGTERM');
      expect(how).toBe(1);
    });

    const second = await up();
    await cardSays(stage, card, '1 unknown');
    expect(await second.stop()).toBe(0);
    expect(gatewaySaw(stage, account)).toEqual({ calls: 1, sends: 1, recipients: 1 });
  });
});

describe('a process that must not start', () => {
  test('names every wrong setting at once, shows no value, and ends with 78', async () => {
    const wrong = {
      TELEGRAM_BOT_TOKEN: 'not-a-token-4711',
      TELEGRAM_API_ROOT: 'ftp://nowhere.example',
      DATABASE_URL: 'mysql://user:hunter2@db.example/peyk',
      GATEWAY_BASE_URL: 'gateway without scheme',
      GATEWAY_VERSIONS: '3,7',
      UNDO_SECONDS: '-5',
      PORT: '99999',
      LOG_LEVEL: 'shouting',
      DEFAULT_TZ: 'Moon/Crater',
      OWNER_IDS: 'someone',
    };
    await using peyk = spawnPeyk({ ...wrong, DATA_DIR: join(stage.folder, 'unused') }, stage.folder);
    expect(await peyk.ended).toBe(78);
    const told = peyk.complaints();
    for (const [name, value] of Object.entries(wrong)) {
      expect(told).toContain(`${name}:`);
      expect(told).not.toContain(value);
    }
    expect(told).not.toContain('hunter2');
    expect(told).toContain('MASTER_KEYS:');
    expect(peyk.lines).toEqual([]);
  });

  test('is refused on the data of another one that runs, and says which; that one goes on', async () => {
    const first = await up();
    await using second = spawnPeyk(stage.env, stage.folder);
    expect(await second.ended).toBe(78);
    expect(second.complaints()).toContain(
      `another Peyk (process ${first.pid}) already runs on the data directory`,
    );
    const person = stage.driver.user({ first_name: 'Bystander', language_code: 'en' });
    person.start();
    await stage.driver.waitForMessage(person, says('I am Peyk'), PATIENT);
    expect(await first.stop()).toBe(0);
  });
});
