/** A document that came with a message. */
export interface IncomingFile {
  readonly id: string;
  readonly name: string;
  /** In bytes, as Telegram says. */
  readonly size: number;
}

/** Telegram takes it out of texts, so nobody can type a reference. */
const MARK = '\u0000';

/** A document as the text of an argument: remembered like any other answer, read when the command runs. */
export function fileReference({ id, name, size }: IncomingFile): string {
  return [`${MARK}file`, id, String(size), name].join(MARK);
}

export function readFileReference(text: string): IncomingFile | null {
  const [empty, kind, id, size, ...name] = text.split(MARK);
  if (empty !== '' || kind !== 'file' || id === undefined || size === undefined) return null;
  return { id, size: Number(size), name: name.join('') };
}
