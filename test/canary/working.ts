import type { Message } from '@grammyjs/types';
import type { Person } from '../../src/playground/control/driver.ts';
import { given, plain, rows } from '../support/talk.ts';
import { shortSteps, type Steps } from '../support/registering.ts';
import type { Shop } from './linking.ts';
import { echo, echoRefusals, LINE, type Run, textsOf } from './run.ts';
import type { SecretName } from './secrets.ts';

/** What members of every role type: most of it is refused to most of them. */
const LINES = [
  '/help',
  '/whoami',
  '/account',
  '/credit',
  '/audit',
  '/limits',
  '/alerts',
  '/team',
  '/line',
  '/outbox today',
  '/latest',
  '/count today',
  '/inbox all',
  '/find Hello',
  '/books',
  '/blocked',
  '/isblocked 09121234567',
  '/status 1',
  '/report today',
  '/templates',
  '/scheduled',
  '/unknown',
  '/rules',
  '/disconnect',
];

export async function askEverything(run: Run, shop: Shop): Promise<void> {
  for (const person of [shop.boss, shop.viewer, shop.admin, shop.nobody]) {
    for (const line of LINES) person.send(shop.group, line);
    await run.talk.settled(person, shop.group);
    for (const line of ['/help', '/start', '/settings', '/lang']) person.send(person, line);
    await run.talk.settled(person, person);
  }
  const audit = await run.talk.asks(shop.boss, shop.group, '/audit', (m) =>
    rows(m)
      .flat()
      .some((label) => label.startsWith('⬇')),
  );
  const label = rows(audit)
    .flat()
    .find((each) => each.startsWith('⬇'));
  await run.talk.presses(shop.boss, audit, given(label));
  await run.talk.hears(shop.group, (m) => m.document !== undefined, audit.message_id);
}

/** A send for each way of telling a secret again, then one that goes well and is exported. */
export async function sendAndExport(run: Run, sara: Person): Promise<void> {
  const { stage, talk } = run;
  const secrets = [stage.secrets['key of Sara'], stage.secrets['token of Sara']] as const;
  const prepares = async (text: string): Promise<Message> =>
    await talk.asks(sara, sara, `/send 09121234567 ${text}`, (m) =>
      rows(m)
        .flat()
        .some((label) => label.startsWith('✅')),
    );
  const refusals = { account: 'sara', kind: 'error', status: 400 } as const;
  for (const text of textsOf(secrets[0])) {
    const card = await prepares('This one is refused');
    const fault = stage.sandbox.faults.add({
      ...refusals,
      operation: 'send',
      code: 23,
      message: `no: ${text}`,
    });
    await talk.presses(sara, card, '✅');
    await talk.turns(card, '1 not sent');
    stage.sandbox.faults.remove(fault);
    const other = stage.sandbox.faults.add({ ...refusals, code: 1000, message: `no: ${text}` });
    await talk.asks(sara, sara, '/credit', () => true);
    stage.sandbox.faults.remove(other);
  }
  const repeated = echo(stage.taps.rest, () => true, secrets);
  for (let turn = 0; turn < 6; turn += 1) await talk.asks(sara, sara, '/account', () => true);
  repeated();
  const card = await prepares('This one arrives');
  await talk.presses(sara, card, '✅');
  await talk.turns(card, '1 delivered');
  const people = ['mobile,name', '09121110001,Mina', '09121110002,Reza'].join('\n');
  const uploaded = sara.upload(sara, 'people.csv', Buffer.from(people), '/bulk');
  const bulk = await talk.hears(
    sara,
    (m) =>
      rows(m)
        .flat()
        .some((label) => label.startsWith('▶')),
    uploaded.message_id,
  );
  await talk.presses(sara, bulk, '▶');
  const asked = await talk.hears(sara, 'You can use these fields in it', bulk.message_id);
  sara.send(sara, 'Hello {name}');
  await talk.presses(sara, await talk.turns(bulk, /2 parts in all/u), '✅');
  await talk.turns(bulk, /2 (?:accepted|delivered)/u);
  const report = await talk.asks(sara, sara, '/report today', (m) =>
    rows(m)
      .flat()
      .some((label) => label.includes('XLSX')),
  );
  for (const label of ['⬇ CSV', '⬇ XLSX']) {
    await talk.presses(sara, report, label);
    await talk.hears(
      sara,
      (m) => m.document?.file_name?.endsWith(label.slice(2).toLowerCase()) === true,
      asked.message_id,
    );
  }
  const unsure = echo(stage.taps.rest, ({ target }) => target.includes('/sms/send'), secrets);
  const last = await prepares('Nobody knows of this one');
  await talk.presses(sara, last, '✅');
  await talk.turns(last, 'unknown');
  unsure();
  const account = given(stage.sandbox.world.account('sara'));
  stage.sandbox.world.receive(account, { line: LINE, from: '09121234567', text: 'A message from outside' });
  await talk.hears(sara, 'A message from outside', report.message_id);
}

/** Registrations that end in every way. Gives the password that Peyk made up, and how many were typed and not deleted. */
export async function register(run: Run): Promise<{ readonly made: string; readonly left: number }> {
  const { stage, talk } = run;
  const { secrets, taps } = stage;
  const isRegister = ({ target }: { target: string }): boolean => target.includes('/register');
  const manager = async (parent: string, key: SecretName) => {
    const person = stage.driver.user({ first_name: 'Maryam', language_code: 'en' });
    await talk.connects(person, { apiKey: secrets[key] }, { line: LINE });
    const prepares = async (name: string, password: Steps[string], label = '✅'): Promise<Message> =>
      await talk.prepares(person, { parent, ...shortSteps(name, { password }) }, 'en', label);
    const ends = async (message: Message, label: string): Promise<void> => {
      await talk.presses(person, message, label);
      await talk.turns(message, (each) => each.reply_markup === undefined && !plain(each).startsWith('⏳'));
    };
    return { person, prepares, ends };
  };
  const registered = async (): Promise<string> => {
    const { person, prepares, ends } = await manager('manager', 'key of the manager');
    await ends(await prepares('firstUser', secrets['password that was registered']), '✅');
    const summary = await prepares('generatedUser', { tap: '🎲' }, '👁');
    await talk.presses(person, summary, '👁');
    const shown = await talk.turns(summary, /\S{16}\n/u);
    await ends(shown, '✅');
    return given(/: ([A-Za-z2-9]{16})\n/u.exec(plain(shown))?.[1]);
  };
  const refused = async (): Promise<void> => {
    const { prepares, ends } = await manager('second', 'key of the second manager');
    const heal = echoRefusals(taps.rest, isRegister, [secrets['password of a refused registration']]);
    await ends(await prepares('refusedUser', secrets['password of a refused registration']), '✅');
    heal();
    await ends(await prepares('leftUser', secrets['password of a registration that was left']), '✖');
  };
  const lost = async (): Promise<void> => {
    const { prepares, ends } = await manager('third', 'key of the third manager');
    const heal = echo(taps.rest, isRegister, [secrets['password of a lost registration']]);
    await ends(await prepares('lostUser', secrets['password of a lost registration']), '✅');
    heal();
  };
  const [made] = await Promise.all([registered(), refused(), lost()]);
  return { made, left: talk.leftSecrets().length };
}
