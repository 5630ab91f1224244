import { OURS, PERSIAN, TELEGRAM } from './chat-texts.ts';
import { CODE, MARKUP, PATHS, VALUES } from './program-texts.ts';
import { NAUGHTY } from './strings.ts';
import { CONTROLS, DIRECTIONS, FACES, MARKS, NO_CHARACTERS, SPACES } from './unicode-texts.ts';

/** What a stranger may write to a line, by what it could be taken for. */
export const HOSTILE_KINDS = {
  typed: NAUGHTY,
  markup: MARKUP,
  code: CODE,
  paths: PATHS,
  values: VALUES,
  telegram: TELEGRAM,
  ours: OURS,
  persian: PERSIAN,
  controls: CONTROLS,
  spaces: SPACES,
  directions: DIRECTIONS,
  marks: MARKS,
  faces: FACES,
  noCharacters: NO_CHARACTERS,
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** All of them, each once. */
export const HOSTILE_TEXTS: readonly string[] = [...new Set(Object.values(HOSTILE_KINDS).flat())];
