/** What is known of the gateway's user behind a credential; any of it may be missing. */
export interface UserTraits {
  /** Of a credential that names it. */
  readonly userName?: string | undefined;
  /** Partly masked by the gateway, and not by every version in the same way. */
  readonly nationalCode?: string | undefined;
  readonly certificateNumber?: string | undefined;
  readonly fullName?: string | undefined;
}

/** `name` is the user's own; `person` may fit several users that one person has. */
export interface UserMark {
  readonly kind: 'name' | 'person';
  readonly value: string;
}

/**
 * What tells a user of this gateway from others, empty where the gateway says nothing that does. No answer of the gateway
 * names the user who asks, so a key is known by the person behind it: too wide at times, and never too narrow.
 * @param gateway the base address
 */
export function userMarks(gateway: string, traits: UserTraits): readonly UserMark[] {
  const where = addressOf(gateway);
  const name = fold(traits.userName);
  const code = visibleEnds(fold(traits.nationalCode));
  const certificate = fold(traits.certificateNumber);
  const person =
    code !== '' ? [code, certificate] : certificate !== '' ? [certificate, fold(traits.fullName)] : [];
  const marks: UserMark[] = [];
  if (name !== '') marks.push({ kind: 'name', value: [where, name].join('\n') });
  if (person.length > 0) marks.push({ kind: 'person', value: [where, ...person].join('\n') });
  return marks;
}

/** Whether what is told of two users shows that they are not one person: their codes, as far as both show them. */
export function areTwo({ nationalCode: one }: UserTraits, { nationalCode: other }: UserTraits): boolean {
  const [left, right] = [fold(one), fold(other)];
  return frontsDiffer(left, right) || frontsDiffer(reversed(left), reversed(right));
}

function frontsDiffer(one: string, other: string): boolean {
  const [left, right] = [one.replace(MASKED, ''), other.replace(MASKED, '')];
  return !left.startsWith(right) && !right.startsWith(left);
}

function reversed(text: string): string {
  return text.split('').toReversed().join('');
}

/** All from the first sign on that is no digit. */
const MASKED = /\D.*/u;

/** Host and path without what is written in several ways. */
function addressOf(gateway: string): string {
  if (!URL.canParse(gateway)) return gateway;
  const { host, pathname } = new URL(gateway);
  return `${host}${pathname.replace(/\/+$/u, '')}`.toLowerCase();
}

function fold(text: string | undefined): string {
  return (text ?? '').normalize('NFKC').replaceAll(/\s+/gu, ' ').trim().toLowerCase();
}

/** What a masked code and the whole one have in common: up to three digits in front and two behind. */
function visibleEnds(code: string): string {
  const front = /^\d{1,3}/u.exec(code)?.[0] ?? '';
  const back = /\d{1,2}$/u.exec(code)?.[0] ?? '';
  return front === '' && back === '' ? '' : `${front}…${back}`;
}
