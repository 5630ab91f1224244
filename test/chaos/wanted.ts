import { short } from './facts.ts';
import { BOOKS, type Place } from './people.ts';
import { BLOCKED } from './places.ts';
import type { SendAct } from './schedule.ts';

/** One text to one number, as somebody wants it to leave. */
export interface Wanted {
  readonly recipient: string;
  readonly text: string;
  readonly line: string;
  readonly flash: boolean;
  /** On the line's blacklist: asked for, and never to be sent to. */
  readonly blocked?: true;
}

/** What each of a round's sends is to say, and to whom. To be asked in the order of the plan. */
export function createWants(
  round: number,
): (act: SendAct, index: number, place: Pick<Place, 'account'>) => readonly Wanted[] {
  const before = new Map<string, readonly Wanted[]>();
  const numbers = createNumbers(round);
  return (act, index, { account }) => {
    const known = before.get(account.username);
    if (act.again && act.kind === 'send' && known !== undefined) return known;
    const name = `chaos r${round} s${index}`;
    const recipients =
      BOOKS.get(act.messages)?.numbers.map(short) ?? Array.from({ length: act.messages }, numbers);
    // Many texts in one call are nothing for an account of version 1.
    const own = act.kind === 'multi' || (act.kind === 'bulk' && act.thinkMs % 2 === 0 && !account.token);
    const blocked = BLOCKED.slice(0, act.blocked ?? 0);
    const lines = [account.line, ...(account.otherLines ?? [])];
    const wanted = [...recipients, ...blocked].map((recipient, row): Wanted => ({
      recipient,
      text: own ? `${name} m${row} hello` : `${name} hello`,
      line: (act.kind === 'multi' ? lines[row % lines.length] : undefined) ?? account.line,
      flash: act.kind === 'multi' ? row % 3 === 1 : act.flash === true,
      ...(row < recipients.length ? {} : { blocked: true }),
    }));
    if (isPlain(act)) before.set(account.username, wanted);
    return wanted;
  };
}

/** Whether whoever says the same once more cannot take it for something else that was done to it. */
function isPlain({ kind, press, inHours, blocked }: SendAct): boolean {
  const isPressed = press === 'once' || press === 'twice' || press === 'by_two';
  return kind === 'send' && isPressed && inHours === undefined && blocked === undefined;
}

/** What a person types for it. */
export function commandOf(act: SendAct, wanted: readonly Wanted[]): string {
  if (act.kind === 'book')
    return `/booksend ${BOOKS.get(act.messages)?.title ?? ''} ${wanted[0]?.text ?? ''}`;
  if (act.kind === 'send') {
    const command = act.inHours === undefined ? '/send' : `/schedule in ${act.inHours} hours`;
    return `${command} ${wanted.map(({ recipient }) => `0${recipient}`).join(' ')} ${wanted[0]?.text ?? ''}`;
  }
  const rows = wanted.map(
    ({ recipient, text, line, flash }) => `${line};${recipient};${text}${flash ? ';1' : ''}`,
  );
  return `/multi ${rows.join('\n')}`;
}

/** The words that only this sending uses, with the space behind them: `chaos r1 s2 `. */
export function nameOf(wanted: readonly Wanted[]): string {
  return `${wanted[0]?.text.split(' ').slice(0, 3).join(' ')} `;
}

/** Mobile numbers, ten digits each, none of them twice in a run. */
function createNumbers(round: number): () => string {
  let next = round * 5000;
  return () => {
    next += 1;
    return `912${String(next % 10_000_000).padStart(7, '0')}`;
  };
}
