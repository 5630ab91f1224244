import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { dumpInto } from './dump.ts';
import type { Asked } from './http-tap.ts';

import type { Scanner } from './scanner.ts';
import type { SecretName } from './secrets.ts';
import type { Stage } from './stage.ts';

/** What belongs into a header, an address or a body by the gateway's interface. */
const CREDENTIALS: ReadonlySet<string> = new Set<SecretName>([
  'key of Sara',
  'token of Sara',
  'password of Kian',
  'key of the shop',
  'token of the shop',
  'key of the manager',
  'key of the second manager',
  'key of the third manager',
  'token of the old one',
  'key that is refused',
  'key that is never linked',
  'key as a user name',
  'key behind /connect',
]);
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set(['authorization', 'token', 'password']);

/** Searches what lives outside of the database's files: they are searched when it has ended. */
export async function searchRunning(stage: Stage, scanner: Scanner, generated: string): Promise<void> {
  for (const { name, peyk } of stage.processes) {
    scanner.scan(name.includes('pretty') ? 'log, pretty' : 'log, JSON', name, peyk.lines.join('\n'));
    scanner.scan('standard error', name, peyk.complaints());
  }
  for (const [at, asked] of stage.taps.telegram.asked.entries())
    searchTelegram(scanner, asked, `call ${at}`, generated);
  for (const [at, asked] of stage.taps.rest.asked.entries())
    searchGateway(scanner, asked, `versions 4 and 3, call ${at}`, generated);
  for (const [at, asked] of stage.taps.ws.asked.entries())
    searchGateway(scanner, asked, `version 1, call ${at}`, generated);
  const own = new Set<string>(['key of the collector'] satisfies SecretName[]);
  for (const [at, { head, body }] of stage.collector.received.entries()) {
    scanner.scan('requests to the collector', `head ${at}`, head, own);
    scanner.scan('traces', `request ${at}`, body);
  }
  searchChats(scanner, stage);
  await searchFiles(scanner, stage);
  for (const answer of stage.told)
    scanner.scan('answers to presses', answer.callback_query_id, JSON.stringify(answer));
  for (const [kind, texts] of stage.running)
    for (const text of texts) scanner.scan(kind, text.slice(0, 40).replaceAll(/\W+/gu, ' '), text);
  for (const { kind, place, text } of stage.kept) scanner.scan(kind, place, text);
  const log = scanner.stream('log of the database server', 'postgres.log');
  for (const piece of stage.serverLog) log(piece);
  scanner.folder('temporary files', stage.folders.temporary);
  scanner.folder('working directory', stage.folders.work);
  for (const [at, { up, down }] of stage.postgres.wire.heard.entries()) {
    const directions = [
      ['to the database', up],
      ['from the database', down],
    ] as const;
    for (const [name, pieces] of directions) {
      const search = scanner.stream(`wire, ${name}`, `connection ${at}`);
      for (const piece of pieces) search(piece);
    }
  }
  await dumpInto(stage.postgres.admin, (table, text) => scanner.scan('dump of the database', table, text));
}

/** The token is in the address by the interface of Telegram, and what the webhook asks for is told to it once. */
function searchTelegram(scanner: Scanner, asked: Asked, place: string, generated: string): void {
  const kind = 'requests to Telegram';
  const target = asked.target.replace(/^(?:\/file)?\/bot[^/]+\//u, '/bot/');
  const method = target.split('/').at(-1) ?? '';
  const may = new Set<string>(method === 'setWebhook' ? (['webhook secret'] satisfies SecretName[]) : []);
  // A password that was made up has to be shown, once.
  if (/^(?:sendMessage|editMessageText)$/u.test(method)) may.add(generated);
  scanner.scan(kind, `${place}, ${method}`, `${asked.method} ${target}\n${headersOf(asked)}`);
  scanner.scan(kind, `${place}, body of ${method}`, asked.body, may);
}

/** A credential of the gateway stands where its interface has it: in a header, or in the address of version 4. */
function searchGateway(scanner: Scanner, asked: Asked, place: string, generated: string): void {
  const kind = 'requests to the gateway';
  const version = /^\/api\/v([134])\//u.exec(asked.target)?.[1];
  const isRegistering = /\/user\/register/u.test(asked.target);
  const passwords = new Set<string>(
    isRegistering
      ? ([
          'password that was registered',
          'password of a lost registration',
          'password of a refused registration',
        ] satisfies SecretName[])
      : [],
  );
  if (isRegistering) passwords.add(generated);
  const inTarget = version === '4' ? new Set([...CREDENTIALS, ...passwords]) : new Set<string>();
  scanner.scan(kind, `${place}, address`, `${asked.method} ${asked.target}`, inTarget);
  for (const [name, value] of asked.headers) {
    const may =
      version !== '4' && CREDENTIAL_HEADERS.has(name.toLowerCase()) ? CREDENTIALS : new Set<string>();
    scanner.scan(kind, `${place}, header ${name}`, value, may);
  }
  scanner.scan(kind, `${place}, body`, asked.body, passwords);
}

/** All that Peyk ever said, deleted or not, and what people said as far as it is still to be seen. */
function searchChats(scanner: Scanner, { playground }: Stage): void {
  for (const chat of playground.emulator.world.chats.values()) {
    for (const [id, stored] of chat.messages) {
      if (stored.deleted && stored.botId === undefined) continue;
      const kind = stored.botId === undefined ? 'messages of people that are left' : 'messages of the bot';
      scanner.scan(
        kind,
        `${chat.type} ${chat.id}, message ${id}`,
        JSON.stringify([stored.wire, stored.markup]),
      );
    }
  }
}

/** Files that went to Telegram, as they are and what is packed in them. */
async function searchFiles(scanner: Scanner, { playground }: Stage): Promise<void> {
  const seen = new Set<string>();
  for (const call of playground.calls.list()) {
    const { document, photo } = readSent(call.result);
    for (const id of [document, photo]) {
      const file = id === undefined || seen.has(id) ? undefined : playground.control.file(id);
      if (id === undefined || file === undefined) continue;
      seen.add(id);
      scanner.scan(file.kind === 'photo' ? 'pictures' : 'documents', file.name, file.bytes);
      if (!/\.(?:xlsx|zip)$/u.test(file.name)) continue;
      const zip = await fromBufferPromise(file.bytes, { lazyEntries: true });
      for await (const entry of zip.eachEntry()) {
        const content = await buffer(await zip.openReadStreamPromise(entry));
        scanner.scan('parts of documents', `${file.name}, ${entry.fileName}`, content);
      }
    }
  }
}

function readSent(result: unknown): { document: string | undefined; photo: string | undefined } {
  if (typeof result !== 'object' || result === null) return { document: undefined, photo: undefined };
  const { document, photo } = result as {
    document?: { file_id: string };
    photo?: readonly { file_id: string }[];
  };
  return { document: document?.file_id, photo: photo?.at(-1)?.file_id };
}

function headersOf({ headers }: Asked): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}
