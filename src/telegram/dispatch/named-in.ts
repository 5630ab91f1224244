import { foldWord } from '../../domain/fold.ts';
import { type Command, isCalled, isTyped, readLine } from '../feature.ts';
import { behindCommand } from './command-in.ts';

/** What has more words is hardly said to a bot. */
const FEW_WORDS = 10;
/** Among so few a name is hardly anything else. */
const SURE_WORDS = 3;
/** With one of these, words say that something is not to be done. */
const NEGATES = /^(?:not|don['’]?t|never|نکن|نکنید|نکنین|نشود|نشه)$/u;
/** Of how many words a name is made at most, the longest first: `bulk send` is none of `send`. */
const LENGTHS = [5, 4, 3, 2, 1];
/** What stands around a word in a sentence; a field stands in braces. */
const AROUND = /^[«"(]+|[?؟!.…:،,؛;»")]+$/gu;
/** Long enough to be told from the beginning of another word. */
const PERSIAN_NAME = /^[آ-ی]{5,}$/u;

export interface Named {
  readonly name: string;
  /** It is the first word, and those behind it are for the command: no argument that it can do without refuses them. */
  readonly takesRest: boolean;
  /** The words are hardly anything else. */
  readonly isMeant: boolean;
}

/** Gives the command that words begin with, or of which a few of them speak: by the longest of its names, the first of several. */
export function namedIn(all: ReadonlyMap<string, Command>, words: string): Named | undefined {
  const commands = [...all.values()].filter(isTyped);
  const said = words
    .replace(/^\//u, '')
    .split(/\s+/u)
    .map((word) => foldWord(word).replaceAll(AROUND, ''));
  const [first = ''] = said;
  const begun = commands.find(({ name }) => name === first);
  if (said.length > FEW_WORDS)
    return begun && { name: begun.name, takesRest: takes(begun, words), isMeant: true };
  for (const length of LENGTHS)
    for (const at of said.keys()) {
      const run = said.slice(at, at + length);
      const called = run.length < length ? undefined : calledBy(commands, run.join(''), length === 1);
      if (called !== undefined)
        return {
          name: called.name,
          takesRest: at === 0 && length === 1 && takes(called, words),
          isMeant:
            called === begun || (said.length <= SURE_WORDS && !said.some((word) => NEGATES.test(word))),
        };
    }
  return undefined;
}

/** Also by a Persian word that only begins with a name: whose it is, or that there are several, follows it. */
function calledBy(commands: readonly Command[], run: string, isWord: boolean): Command | undefined {
  const isBegun = (name: string): boolean =>
    PERSIAN_NAME.test(name) && run.startsWith(name) && run.length <= name.length + 4;
  return (
    commands.find((each) => isCalled(each, run)) ??
    (isWord ? commands.find(({ alsoCalled = [] }) => alsoCalled.some(isBegun)) : undefined)
  );
}

function takes(command: Command, words: string): boolean {
  return Object.entries(readLine(command, behindCommand(words))).every(([name, value]) => {
    const argument = command.args[name];
    return argument?.optional !== true || argument.schema.safeParse(value).success;
  });
}
