import { once } from 'node:events';
import { connect } from 'node:net';
import { inTime } from '../support/patience.ts';
import type { PeykProcess } from '../support/peyk-process.ts';
import { httpAnswer } from './http-tap.ts';
import type { Planted } from './secrets.ts';
import type { Run } from './run.ts';
import type { Stage } from './stage.ts';

/** Asks every door for what it has, and knocks in every wrong way, with secrets in the hand. */
export async function knock({ stage }: Run, port: number): Promise<void> {
  const { secrets } = stage;
  const key = secrets['key of the shop'];
  const json = { 'content-type': 'application/json' };
  const right = { ...json, 'x-telegram-bot-api-secret-token': secrets['webhook secret'] };
  const knocks: readonly (readonly [string, RequestInit])[] = [
    ...['/metrics', '/livez', '/readyz', '/', `/nothing/${encodeURIComponent(key)}`, '/updates'].map(
      (path) => [path, {}] as const,
    ),
    [
      '/updates',
      {
        method: 'POST',
        headers: { ...json, 'x-telegram-bot-api-secret-token': `${secrets['webhook secret']}x` },
        body: key,
      },
    ],
    ['/updates', { method: 'POST', headers: { ...right, 'content-type': 'text/plain' }, body: key }],
    ['/updates', { method: 'POST', headers: right, body: `{"update_id": "${key}"` }],
    [
      '/updates',
      { method: 'POST', headers: right, body: JSON.stringify({ update_id: 1, message: { text: key } }) },
    ],
    ['/updates', { method: 'POST', headers: right, body: key.repeat(60_000) }],
    ['/metrics', { method: 'DELETE', headers: right, body: key }],
  ];
  for (const [path, init] of knocks) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init).catch(() => undefined);
    if (answer === undefined) continue;
    const text = `${answer.status} ${JSON.stringify([...answer.headers])}\n${await answer.text()}`;
    stage.keep('answers of the HTTP port', `${init.method ?? 'GET'} ${path.slice(0, 9)}`, text);
  }
  const socket = connect(port, '127.0.0.1');
  socket.end(`BREW /${key} HTTP/9.9\r\nx: ${secrets['webhook secret']}\u0000\r\n\r\n`);
  const pieces: Buffer[] = [];
  socket.on('data', (piece: Buffer) => pieces.push(piece));
  await inTime(
    once(socket, 'close').catch(() => undefined),
    () => 'the end of a connection that speaks no HTTP',
  );
  stage.keep('answers of the HTTP port', 'not HTTP', Buffer.concat(pieces).toString());
}

/** Telegram answers with the address that it was asked by, to each of some people in another way. */
export async function repeatTheToken({ stage, talk }: Run): Promise<void> {
  const refusal = (code: number, text: string): string =>
    JSON.stringify({ ok: false, error_code: code, description: text });
  const ways: readonly ((text: string, target: string) => string)[] = [
    (text) => httpAnswer('400 Bad Request', 'application/json', refusal(400, text)),
    (text) => httpAnswer('404 Not Found', 'application/json', refusal(404, text)),
    (text) => httpAnswer('500 Oh', 'application/json', refusal(500, text)),
    (text) => httpAnswer('502 Bad Gateway', 'text/html', `<html>${text}</html>`),
    (_text, target) => httpAnswer('302 Found', 'text/html', '', [`location: ${target}/again`]),
    (_text, target) => `HTTP/1.1 200 OK\r\n${target} is no header\r\n\r\n`,
  ];
  await Promise.all(
    ways.map(async (way) => {
      const person = stage.driver.user({ first_name: 'Pia', language_code: 'en' });
      let left = 2;
      const heal = stage.taps.telegram.answer(({ target, headers, body }) => {
        if (left === 0 || !target.endsWith('/sendMessage') || !body.includes(`"chat_id":${person.id},`))
          return undefined;
        left -= 1;
        return way(
          `no ${target} ${JSON.stringify(headers)} ${body.toString('base64')} ${btoa(target)}`,
          target,
        );
      });
      for (const line of ['/help', '/whoami', '/help']) person.send(person, line);
      await talk.settled(person, person);
      heal();
    }),
  );
}

/** Statements fail while secrets are under way. */
export async function failStatements(run: Run): Promise<void> {
  const { stage, talk } = run;
  const { admin } = stage.postgres;
  const nima = stage.driver.user({ first_name: 'Nima', language_code: 'en' });
  const attempt = async (table: string, right: string): Promise<void> => {
    const asked = await talk.asks(nima, nima, '/connect', 'Send the API key');
    await admin.unsafe(`revoke ${right} on ${table} from peyk_app`);
    const message = nima.send(nima, stage.secrets['key that is never linked']);
    run.typed.push({ what: `a key while ${table} is closed`, message });
    const refused = (): boolean =>
      stage.serverLog.some((piece) => piece.includes(`permission denied for table ${table}`));
    for (let look = 0; look < 200 && !refused(); look += 1)
      await new Promise((later) => setTimeout(later, 50));
    await admin.unsafe(`grant ${right} on ${table} to peyk_app`);
    await talk.hears(nima, () => true, asked.message_id);
    nima.send(nima, '/cancel');
    await talk.settled(nima, nima);
  };
  await attempt('binding', 'insert');
  await attempt('update', 'insert');
  await attempt('form', 'update, delete');
}

/** What a running installation would do if it leaked: a log line, a message and a row, each in another encoding. */
export async function plant(stage: Stage, planted: Planted, peyk: PeykProcess, chat: number): Promise<void> {
  const { playground, postgres } = stage;
  process.kill(peyk.pid, 'SIGUSR2');
  await peyk.line('something was planted');
  const text = `so: ${Buffer.from(`u:${planted['planted in a chat']}`).toString('base64')}`;
  await fetch(`${playground.apiRoot}/bot${playground.token}/sendMessage`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chat_id: chat, text }),
  });
  const row = Buffer.from(planted['planted in a row']).toString('hex');
  await postgres.admin`insert into audit (action, details) values ('nothing', ${postgres.admin.json({ row })})`;
}
