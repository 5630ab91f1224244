/** Somebody in an address book. */
export interface VCard {
  /** As it is shown; empty where the card has none. */
  readonly name: string;
  /** As they are written, each once. */
  readonly numbers: readonly string[];
}

/** Reads cards a line at a time, so that a file of any size needs no more room than one of them. */
export interface VCardReader {
  /** Takes a line without its end; gives the card that the line before it has ended, if it has. */
  line(text: string): VCard | null;
  /** No line follows; gives the card that nothing has ended. */
  end(): VCard | null;
}

/** Beyond these is no name and no number, but a picture perhaps. */
const MAX_PROPERTY = 2000;
const MAX_NAME = 200;
const MAX_NUMBERS = 20;
const PROPERTY = /^(?:[\w-]+\.)?([A-Za-z-]+)(?:;(?:"[^"]*"|[^":])*)?:/u;

/**
 * Reads vCards of version 2.1, 3.0 and 4.0: their names and telephone numbers, folded or quoted-printable, in groups or not.
 * What is no vCard gives none, and nothing fails.
 */
export function createVCardReader(): VCardReader {
  /** A property may go on in the next line, by a space or, quoted-printable, by a sign at its end. */
  let property = '';
  let card: { names: Map<string, string>; numbers: Set<string> } | null = null;

  const finished = (): VCard | null => {
    if (card === null) return null;
    const { names, numbers } = card;
    card = null;
    const name = names.get('FN') ?? names.get('N') ?? names.get('NICKNAME') ?? names.get('ORG') ?? '';
    return { name, numbers: [...numbers] };
  };

  /** Reads the property that is whole by now. */
  const read = (): VCard | null => {
    const found = PROPERTY.exec(property);
    if (found === null) return null;
    const name = found[1]?.toUpperCase() ?? '';
    const raw = property.slice(found[0].length);
    const value = isQuotedPrintable(property) ? unquoted(raw) : raw;
    if (name === 'BEGIN') {
      const before = finished();
      if (value.trim().toUpperCase() === 'VCARD') card = { names: new Map(), numbers: new Set() };
      return before;
    }
    if (name === 'END') return finished();
    if (card === null) return null;
    if (name === 'TEL') {
      const number = value
        .replace(/^\s*tel:/iu, '')
        .replace(/;.*/su, '')
        .trim();
      if (number !== '' && card.numbers.size < MAX_NUMBERS) card.numbers.add(number.slice(0, MAX_NAME));
    } else if (!card.names.has(name)) {
      const shown = name === 'N' ? asSpoken(value) : plain(value);
      if (shown !== '') card.names.set(name, shown.slice(0, MAX_NAME));
    }
    return null;
  };

  return {
    line(text) {
      const isSoft = property.endsWith('=') && isQuotedPrintable(property);
      if (isSoft || /^[ \t]/u.test(text)) {
        const more = isSoft ? text : text.slice(1);
        property = `${isSoft ? property.slice(0, -1) : property}${more}`.slice(0, MAX_PROPERTY);
        return null;
      }
      const done = read();
      property = text.slice(0, MAX_PROPERTY);
      return done;
    },
    end: () => read() ?? finished(),
  };
}

/** Reads the cards of a short text. */
export function readVCards(text: string): VCard[] {
  const reader = createVCardReader();
  const cards = text.split(/\r\n|\r|\n/u).map((line) => reader.line(line));
  return [...cards, reader.end()].filter((card) => card !== null);
}

function isQuotedPrintable(property: string): boolean {
  return /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE/iu.test(property);
}

/** Quoted-printable, of UTF-8. */
function unquoted(value: string): string {
  return value.replaceAll(/(?:=[\dA-Fa-f]{2})+/gu, (bytes) =>
    new TextDecoder().decode(Uint8Array.from(bytes.slice(1).split('='), (byte) => parseInt(byte, 16))),
  );
}

/** A name of parts, family name first, as it is spoken. */
function asSpoken(value: string): string {
  const [family = '', given = '', ...rest] = value.split(/(?<!\\);/u).map(plain);
  return [given, ...rest.slice(0, 1), family].filter((part) => part !== '').join(' ');
}

function plain(value: string): string {
  return value
    .replaceAll(/\\n|(?<!\\);/giu, ' ')
    .replaceAll(/\\(.)/gu, '$1')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}
