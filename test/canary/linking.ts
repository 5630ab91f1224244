import type { Person } from '../../src/playground/control/driver.ts';
import { payloadOf } from '../support/talk.ts';
import { echo, LINE, type Run } from './run.ts';
import type { SecretName } from './secrets.ts';

/** Accounts at the gateway, each with credentials of its own. */
export function openAccounts({ stage: { sandbox, secrets } }: Run): void {
  const basics = { lines: [LINE], credit: 10_000_000, packages: [12, 14], password: 'not-used-by-anybody' };
  const add = (username: string, seed: object): void => {
    sandbox.world.addAccount({ username, ...basics, ...seed });
  };
  add('sara', { apiKey: secrets['key of Sara'], token: secrets['token of Sara'] });
  add('kian', { password: secrets['password of Kian'] });
  add('shop', { apiKey: secrets['key of the shop'], token: secrets['token of the shop'] });
  add('manager', { apiKey: secrets['key of the manager'], representative: true });
  add('second', { apiKey: secrets['key of the second manager'], representative: true });
  add('third', { apiKey: secrets['key of the third manager'], representative: true });
  add('old', { token: secrets['token of the old one'] });
  add('aside', { apiKey: secrets['key that is never linked'] });
  add('behind', { apiKey: secrets['key behind /connect'] });
}

/** Somebody types a secret; the message is looked at in the end. */
function types(run: Run, person: Person, place: number | Person, name: SecretName, around = '%'): number {
  const message = person.send(
    place,
    around.replace('%', () => run.stage.secrets[name]),
  );
  run.typed.push({ what: name, message });
  return message.message_id;
}

/** A key that is refused, one that the gateway repeats in every way, and then the right one and a token. */
export async function linkSara(run: Run): Promise<Person> {
  const { stage, talk } = run;
  const { secrets, taps } = stage;
  const sara = stage.driver.user({ first_name: 'Sara', language_code: 'en' });
  const asks = async (): Promise<number> =>
    (await talk.asks(sara, sara, '/connect', 'Send the API key')).message_id;
  await asks();
  await talk.hears(sara, 'does not accept this', types(run, sara, sara, 'key that is refused'));
  const heal = echo(taps.rest, () => true, [secrets['key of Sara']]);
  for (let way = 0; way < 6; way += 1) {
    await asks();
    await talk.hears(sara, () => true, types(run, sara, sara, 'key of Sara'));
  }
  heal();
  await asks();
  const found = await talk.hears(sara, 'Key …', types(run, sara, sara, 'key of Sara'));
  await talk.presses(sara, found, '✅');
  const which = await talk.hears(sara, 'Which sender line', found.message_id);
  // Pasted once more, where something else is asked for.
  const again = await talk.hears(sara, () => true, types(run, sara, sara, 'key as a sender line'));
  sara.send(sara, LINE);
  await talk.hears(sara, 'Try: /send', Math.max(which.message_id, again.message_id));
  const offer = await talk.hears(sara, 'With it /future works too', which.message_id);
  await talk.presses(sara, offer, '🔑 Add a token');
  await talk.hears(sara, 'The version 1 token', offer.message_id);
  const added = await talk.hears(sara, 'Key …', types(run, sara, sara, 'token of Sara'));
  await talk.presses(sara, added, '✅');
  await talk.hears(sara, 'Linked', added.message_id - 1);
  return sara;
}

export async function linkKian(run: Run): Promise<Person> {
  const { stage, talk } = run;
  const kian = stage.driver.user({ first_name: 'Kian', language_code: 'en' });
  const asked = await talk.asks(kian, kian, '/connect', 'Send the API key');
  await talk.presses(kian, asked, 'Username and password');
  await talk.hears(kian, 'The user name at', asked.message_id);
  // A key where a user name is asked for.
  const wrong = await talk.hears(kian, 'The password?', types(run, kian, kian, 'key as a user name'));
  kian.send(kian, '/cancel');
  const again = await talk.asks(kian, kian, '/connect', 'Send the API key', {});
  await talk.presses(kian, again, 'Username and password');
  const name = await talk.hears(kian, 'The user name at', Math.max(wrong.message_id, again.message_id));
  kian.send(kian, 'kian');
  await talk.hears(kian, 'The password?', name.message_id);
  const found = await talk.hears(kian, '✅ Account', types(run, kian, kian, 'password of Kian'));
  await talk.presses(kian, found, '✅');
  const which = await talk.hears(kian, 'Which sender line', found.message_id);
  kian.send(kian, LINE);
  await talk.hears(kian, 'Try: /send', which.message_id);
  return kian;
}

export interface Shop {
  readonly group: number;
  readonly boss: Person;
  readonly viewer: Person;
  readonly admin: Person;
  readonly nobody: Person;
}

/** A group that is linked through its link, and keys that are then pasted into it. */
export async function linkShop(run: Run): Promise<Shop> {
  const { stage, talk } = run;
  const [boss, viewer, admin, nobody] = ['Boss', 'Viewer', 'Admin', 'Nobody'].map((name, at) =>
    stage.driver.user({ first_name: name, language_code: at % 2 === 0 ? 'en' : 'fa' }),
  ) as [Person, Person, Person, Person];
  const group = stage.driver.group({
    creator: boss,
    members: [viewer, admin, nobody],
    title: 'Shop',
    bot: 'administrator',
  });
  boss.start();
  const offer = await talk.asks(boss, group, '/connect', 'works once');
  const opened = boss.start(payloadOf(offer));
  await talk.hears(boss, 'Send the API key', opened.message_id);
  const found = await talk.hears(boss, 'Key …', types(run, boss, boss, 'key of the shop'));
  await talk.presses(boss, found, '✅');
  const which = await talk.hears(boss, 'Which sender line', found.message_id);
  boss.send(boss, LINE);
  await talk.hears(boss, 'Try: /send', which.message_id);
  await talk.gives('viewer', viewer, group);
  await talk.gives('admin', admin, group);
  for (const [name, around] of [
    ['key of the shop', 'does anyone know what % is for?'],
    ['key pasted in the group', '%'],
    ['key behind /connect in the group', '/connect %'],
  ] as const)
    await talk.hears(group, /looked like a key|شبیه یک کلید/u, types(run, viewer, group, name, around));
  const captioned = nobody.upload(
    group,
    'note.txt',
    Buffer.from('a note'),
    `our api key: ${stage.secrets['key in a caption']}`,
  );
  run.typed.push({ what: 'key in a caption', message: captioned });
  await talk.hears(group, /looked like a key|شبیه یک کلید/u, captioned.message_id);
  return { group, boss, viewer, admin, nobody };
}

/** Keys within what somebody with a linked account writes in private. */
export async function writeKeysInPrivate(run: Run, sara: Person): Promise<void> {
  const { stage, talk } = run;
  const stray = async (after: number) => await talk.hears(sara, 'I was not waiting for one', after);
  for (const [name, around] of [
    ['key in a private send', '/send 09121234567 my key is %'],
    ['key in a private template', '/template offer our token: %'],
    // One that is in use, and that no word announces.
    ['key of the shop', '/send 09121234567 it is %'],
    ['key of the shop', '/template offer %'],
  ] as const)
    await stray(types(run, sara, sara, name, around));
  const captioned = sara.upload(
    sara,
    'people.csv',
    Buffer.from('mobile\n09121234567\n'),
    `/bulk the key ${stage.secrets['key in a private caption']}`,
  );
  run.typed.push({ what: 'key in a private caption', message: captioned });
  const told = await stray(captioned.message_id);
  const reply = sara.send(sara, `the key: ${stage.secrets['key in a private reply']}`, { replyTo: told });
  run.typed.push({ what: 'key in a private reply', message: reply });
  await stray(reply.message_id);
  const edited = sara.send(sara, 'wait a moment');
  sara.edit(edited, `/send 09121234567 my key is ${stage.secrets['key in a private edit']}`);
  run.typed.push({ what: 'key in a private edit', message: edited });
  await stray(edited.message_id);
  await talk.asks(sara, sara, '/send 09121234567', () => true);
  await stray(types(run, sara, sara, 'key as the text of a send'));
  await talk.asks(sara, sara, '/cancel', () => true);
}

/** Questions for a key that are left halfway, and keys that come when nobody asks. */
export async function leaveHalfway(run: Run): Promise<void> {
  const { stage, talk } = run;
  const lena = stage.driver.user({ first_name: 'Lena', language_code: 'en' });
  await talk.asks(lena, lena, '/connect', 'Send the API key');
  await talk.hears(lena, 'Key …', types(run, lena, lena, 'key that is never linked'));
  // The offer is left as it is.
  await talk.asks(lena, lena, '/connect', 'Send the API key');
  await talk.asks(lena, lena, '/cancel', 'Cancelled. Nothing was changed.');
  types(run, lena, lena, 'key after the question was left');
  await talk.settled(lena, lena);
  const omid = stage.driver.user({ first_name: 'Omid', language_code: 'fa' });
  types(run, omid, omid, 'key that nobody asked for');
  await talk.settled(omid, omid);
  const behind = types(run, omid, omid, 'key behind /connect', '/connect %');
  const found = await talk.hears(omid, (m) => m.reply_markup !== undefined, behind);
  await talk.presses(omid, found, '✖');
}
