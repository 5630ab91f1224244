import type { Message } from '@grammyjs/types';
import { registeringIn } from '../support/registering.ts';
import { until } from '../support/until.ts';
import type { World } from '../support/world.ts';
import { spellingsOf } from './encodings.ts';
import { httpAnswer, type Asked, type HttpTap } from './http-tap.ts';
import type { Stage } from './stage.ts';

/** What the stories share. */
export interface Run {
  readonly stage: Stage;
  readonly talk: ReturnType<typeof registeringIn>;
  /** Messages in which people typed a secret: each must be gone in the end. */
  readonly typed: { readonly what: string; readonly message: Message }[];
  /** Waits until nothing is left to do for what people have done so far. */
  quiet(): Promise<void>;
}

export const LINE = '3000888001';

export function createRun(stage: Stage): Run {
  const { driver, playground, sandbox, postgres } = stage;
  // Only what the steps of people need of a world.
  const world = {
    driver,
    playground,
    sandbox,
    logs: [],
    database: { sql: postgres.admin },
  } as unknown as World;
  return {
    stage,
    talk: registeringIn(world),
    typed: [],
    async quiet() {
      let calm = 0;
      await until(async () => {
        const [left] = await postgres.admin<{ updates: number; sends: number }[]>`
          select (select count(*) from update where done_at is null)::int as updates,
            (select count(*) from graphile_worker.jobs where task_identifier = 'send')::int as sends`;
        calm = left?.updates === 0 && left.sends === 0 ? calm + 1 : 0;
        if (calm < 3) throw new Error(`still open: ${JSON.stringify(left)}`);
      }, 30);
    },
  };
}

/** Every way to write a secret that is text, one of each encoding. */
export function textsOf(secret: string): string[] {
  return [...spellingsOf(secret)].flatMap(([encoding, forms]) => {
    const printable = forms.map(String).filter((form) => /^[\x20-\x7e]+$/u.test(form));
    // Half of a secret is what a log line may show of it by chance; it is not what anybody sends back.
    return encoding === 'split in two' ? [] : printable.slice(0, 1);
  });
}

/** Until the returned function is called, whatever asks is told its own request again, in these ways by turns. */
export function echo(tap: HttpTap, meets: (asked: Asked) => boolean, secrets: readonly string[]): () => void {
  let turn = 0;
  return tap.answer((asked) => {
    if (!meets(asked)) return undefined;
    const request = [
      `${asked.method} ${asked.target}`,
      ...asked.headers.map(([name, value]) => `${name}: ${value}`),
      asked.body.toString('latin1'),
    ].join('\n');
    const known = secrets.filter((secret) => holds(request, secret));
    if (known.length === 0) return undefined;
    const spelled = known.flatMap(textsOf);
    const ways = [
      () => httpAnswer('502 Bad Gateway', 'text/html', `<html><pre>${request}</pre></html>`),
      () => httpAnswer('500 Internal Server Error', 'text/plain', spelled.join('\n')),
      () => httpAnswer('302 Found', 'text/html', '', [`location: /again?${encodeURIComponent(request)}`]),
      () => httpAnswer('200 OK', 'application/json', request),
      () => `HTTP/1.1 200 OK\r\n${known.join(' ').replaceAll(/[^\x20-\x7e]/gu, '')} is no header\r\n\r\n`,
      () => `${known.join(' ')}\r\n\r\n`,
    ];
    turn += 1;
    return (ways[turn % ways.length] ?? ways[0])?.();
  });
}

/** The same in refusals that are well made, each with one spelling of what the request holds. */
export function echoRefusals(
  tap: HttpTap,
  meets: (asked: Asked) => boolean,
  secrets: readonly string[],
): () => void {
  let turn = 0;
  return tap.answer((asked) => {
    if (!meets(asked)) return undefined;
    const request = `${asked.target} ${asked.headers.map(([, value]) => value).join(' ')} ${asked.body.toString()}`;
    const known = secrets.filter((secret) => holds(request, secret));
    if (known.length === 0) return undefined;
    const spelled = known.flatMap(textsOf);
    const text = spelled[turn % spelled.length] ?? '';
    turn += 1;
    const message = `code 29: ${text}`;
    const body = { status: 1000, message, return: { status: 1000, message }, result: null, entries: null };
    return httpAnswer('200 OK', 'application/json', JSON.stringify(body));
  });
}

function holds(request: string, secret: string): boolean {
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  return forms.some((form) => request.includes(form));
}
