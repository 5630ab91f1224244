import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { App } from '../../src/app/app.ts';
import { ALLOWANCES } from '../../src/domain/rate-limits.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { longSendsIn } from '../support/long-send.ts';
import { restart } from '../support/restart.ts';
import { until } from '../support/story.ts';
import { isFromBot, PATIENCE, plain, talkIn, type Place } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/* Floods of commands, presses, files and questions to the gateway: what is let through, what is said, and who is not held up. */

const WHOAMI = /^\w+ · (?:id|شناسه) /u;
const TOO_MANY = 'Your last message was not acted on. Send it again in';

function wordsIn(world: World) {
  const said = (place: Place, fits: RegExp | string): Message[] =>
    world.driver
      .messages(place)
      .filter(
        (each) =>
          isFromBot(each) && (typeof fits === 'string' ? plain(each).includes(fits) : fits.test(plain(each))),
      );
  /** Resolves when all that was said so far has been handled. */
  const handled = async (): Promise<void> => {
    await world.driver.whenPolled();
    await until(async () => {
      expect(await world.database.sql`select 1 from update where done_at is null`).toHaveLength(0);
    });
  };
  return { said, handled };
}

/** How much may have been let through between two moments, at the factor that is set. */
function most(
  allowance: { readonly burst: number; readonly perMinute: number },
  sinceMs: number,
  factor = 1,
) {
  return Math.floor(
    Math.max(1, allowance.burst * factor) +
      ((performance.now() - sinceMs) / 60_000) * allowance.perMinute * factor,
  );
}

describe('a flood', () => {
  let world: World;
  let talk: ReturnType<typeof talkIn>;
  let words: ReturnType<typeof wordsIn>;
  beforeAll(async () => {
    world = await startWorld({ RATE_LIMIT: '1' });
    talk = talkIn(world);
    words = wordsIn(world);
  });
  afterAll(async () => {
    expect(talk.errors()).toEqual([]);
    await world.stop();
  });
  const person = (first_name: string, language_code: 'en' | 'fa' = 'en') =>
    world.driver.user({ first_name, language_code });

  test('of commands is answered up to the limit and told once, while others are answered, and later works again', async () => {
    const [ali, nina] = [person('Ali'), person('Nina')];
    const began = performance.now();
    for (let n = 0; n < 200; n += 1) ali.send(ali, '/whoami');
    const hers = await talk.asks(nina, nina, '/whoami', WHOAMI);
    expect(plain(hers)).toContain('Nina');
    await words.handled();
    const answered = words.said(ali, WHOAMI).length;
    expect(answered).toBeGreaterThanOrEqual(ALLOWANCES.person.command.burst);
    expect(answered).toBeLessThanOrEqual(most(ALLOWANCES.person.command, began));
    const told = words.said(ali, TOO_MANY);
    expect(told.map(plain)).toEqual([
      expect.stringMatching(
        /^That is more than I take from one person at a time\.\nYour last message was not acted on\. Send it again in \d+ s\.$/u,
      ),
    ]);
    // Nothing else was said, and the log is not flooded either.
    expect(words.said(ali, /./u)).toHaveLength(answered + 1);
    expect(world.logs.filter((line) => line.includes('more was asked than is let through'))).toHaveLength(1);
    await until(async () => {
      ali.send(ali, '/whoami');
      await words.handled();
      expect(words.said(ali, WHOAMI).length).toBeGreaterThan(answered);
    });
  });

  test('is told in a group by name and in Persian, and others there go on', async () => {
    const [pari, nina] = [person('Pari', 'fa'), person('Nina')];
    const group = world.driver.group({ creator: nina, members: [pari], bot: 'administrator' });
    for (let n = 0; n < 60; n += 1) pari.send(group, '/whoami');
    await talk.asks(nina, group, '/whoami', /^Nina · id/u);
    await words.handled();
    expect(words.said(group, 'نمی‌پذیرم').map(plain)).toEqual([
      expect.stringMatching(
        /^Pari: در این مدت کوتاه از یک نفر بیش از این نمی‌پذیرم\.\nپیام آخر انجام نشد\. [۰-۹]+ ثانیه دیگر دوباره بفرستید\.$/u,
      ),
    ]);
  });

  test('of files has a limit of its own, and one of what people say to each other none', async () => {
    const sara = person('Sara');
    const files = ALLOWANCES.person.upload.burst;
    for (let n = 0; n < files + 10; n += 1) sara.upload(sara, `${n}.csv`, Buffer.from('09121234567'));
    await words.handled();
    expect(words.said(sara, /./u).map((each) => plain(each).split('\n')[0])).toEqual([
      ...Array.from({ length: files }, () => expect.stringContaining('No gateway account is linked')),
      'Those are more files than I take from one person at a time.',
    ]);
    const group = world.driver.group({ creator: sara, members: [], bot: 'administrator' });
    for (let n = 0; n < 100; n += 1) {
      sara.send(group, `good morning ${n}`);
      sara.send(group, '/roll@SomeOtherBot');
      sara.send(group, '/roll');
    }
    await talk.asks(sara, group, '/whoami', /^Sara · id/u);
    expect(words.said(group, TOO_MANY)).toEqual([]);
  });
});

describe('with a twentieth of that let through', () => {
  const FACTOR = 0.05;
  let world: World;
  let app: App & AsyncDisposable;
  let on: ReturnType<typeof longSendsIn>;
  let words: ReturnType<typeof wordsIn>;
  let team: Awaited<ReturnType<typeof makeTeam>>;
  let loner: { readonly person: Person; readonly username: string };

  const someone = (first_name: string, language_code: 'en' | 'fa' = 'en') =>
    world.driver.user({ first_name, language_code });
  const makeTeam = async () => {
    const [owner, ann] = [someone('Olga'), someone('Ann')];
    const crowd = ['Bo', 'Cy', 'Di'].map((name) => someone(name, 'fa'));
    const group = world.driver.group({ creator: owner, members: [ann, ...crowd], bot: 'administrator' });
    const account = on.talk.account({ credit: 100_000_000 });
    await on.talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
    await on.talk.asks(owner, group, '/limits approval off', 'Set by');
    for (const each of [ann, ...crowd]) await on.talk.gives('approver', each, group);
    const long = await on.longDraft(owner, group, 'the long one', 3000);
    const short = await on.talk.asks(ann, group, '/send 09121234567 the short one', /Draft #A\d/u);
    const [bo = ann] = crowd;
    const his = await on.talk.asks(bo, group, '/send 09351112233 سلام', /پیش‌نویس #A\d/u);
    return { owner, ann, bo, crowd, group, account, long, short, his };
  };

  beforeAll(async () => {
    world = await startWorld({}, { deliverySeconds: 600 });
    on = longSendsIn(world);
    words = wordsIn(world);
    team = await makeTeam();
    const account = on.talk.account();
    loner = { person: someone('Pari', 'fa'), username: account.username };
    await on.talk.connects(loner.person, { apiKey: account.apiKey });
    app = await restart(world, { RATE_LIMIT: String(FACTOR) });
  });
  afterAll(async () => {
    expect(on.talk.errors()).toEqual([]);
    await app[Symbol.asyncDispose]();
    await world.stop();
  });

  test('a press that is too fast is told so and works later, and Stop works all the while', async () => {
    const { owner, ann, bo, crowd, account, long, short, his } = team;
    const { struck, heal } = on.slow(account, { skip: 2 });
    expect(await on.talk.presses(owner, long, '✅')).toBe('');
    await struck();
    const running = await on.offers(long, '⏹ Stop');

    const flood = crowd.flatMap((each) =>
      Array.from({ length: 12 }, () => each.forge(long, 'p1:aaaaaaaaaaaaaaaaaaaaaa')),
    );
    // Directly behind it: a while later there would be room again.
    const [late, tooLate] = [bo.tap(his, '✅'), ann.tap(short, '✅')];
    const answer = async (id: string) => await world.driver.waitForAnswer(id, PATIENCE);
    const answers = await Promise.all(flood.map(answer));
    expect(answers.filter(({ text = '' }) => text === '')).toEqual([]);
    expect((await answer(late)).text).toMatch(
      /^خیلی تند بود و این دکمه کاری نکرد\. [۰-۹]+ ثانیه دیگر دوباره بزنید\.$/u,
    );
    expect((await answer(tooLate)).text).toMatch(
      /^Too fast: this press has done nothing\. Press again in \d+ s\.$/u,
    );
    expect(await on.talk.presses(owner, running, '⏹ Stop')).toBe('');
    await on.talk.turns(long, /⏹ Stopp/u);
    heal();
    expect(on.talk.sends(account.username).some(({ recipients }) => recipients.includes('09121234567'))).toBe(
      false,
    );
    await on.insists(ann, short, '✅');
    await on.talk.turns(short, '📤 1 accepted');
  });

  test('the switch that stops all sends works when every other command is too much', async () => {
    const { owner, group } = team;
    const cards = words.said(group, 'Limits of this chat').length;
    for (let n = 0; n < 5; n += 1) owner.send(group, '/whoami');
    await on.talk.hears(group, /^Olga: That is more than/u);
    owner.send(group, '/limits');
    owner.send(group, '/limits stop');
    await on.talk.hears(group, 'switched all sends of this chat off');
    await words.handled();
    expect(words.said(group, 'Limits of this chat')).toHaveLength(cards + 1);
    // Whoever is in the middle of something can leave it.
    await on.talk.asks(owner, group, '/cancel', 'Nothing to cancel');
  });

  test('questions to the gateway are fewer than commands, and what is left out asks it nothing', async () => {
    const { person, username } = loner;
    const before = on.talk.hits(username).length;
    const began = performance.now();
    for (let n = 0; n < 6; n += 1) person.send(person, '/credit');
    await on.talk.hears(person, 'این همه درخواست از پنل پیامک نمی‌پذیرم');
    await words.handled();
    const answered = words.said(person, '💰').length;
    expect(answered).toBeGreaterThan(0);
    expect(answered).toBeLessThanOrEqual(most(ALLOWANCES.person.read, began, FACTOR));
    expect(words.said(person, 'این همه درخواست از پنل پیامک')).toHaveLength(1);
    expect(on.talk.hits(username).length - before).toBeLessThanOrEqual(answered * 3);
    // It is no command that is too much.
    await on.talk.asks(person, person, '/whoami', WHOAMI);
  });

  test('an answer that is left out may be a key, and is deleted as one', async () => {
    const mina = someone('Mina');
    await on.talk.asks(mina, mina, '/connect', /./u);
    mina.send(mina, '/connect');
    const key = mina.send(mina, 'sandbox-key-0123456789-of-mina');
    await on.talk.hears(mina, TOO_MANY);
    await words.handled();
    expect(world.driver.messages(mina).some(({ message_id: id }) => id === key.message_id)).toBe(false);
    expect(words.said(mina, /✅/u)).toEqual([]);
  });

  test('anonymous admins of one group take nothing from those of another', async () => {
    const [one, two] = ['Gil', 'Hal'].map((name) => {
      const admin = someone(name);
      return { admin, group: world.driver.group({ creator: admin, bot: 'administrator' }) };
    });
    if (one === undefined || two === undefined) throw new Error('two groups');
    for (let n = 0; n < 6; n += 1) one.admin.send(one.group, '/whoami', { asAnonymous: true });
    await on.talk.hears(one.group, TOO_MANY);
    await words.handled();
    expect(words.said(one.group, TOO_MANY)).toHaveLength(1);
    await on.talk.asks(two.admin, two.group, '/whoami', 'cannot see who you are', { asAnonymous: true });
  });
});
