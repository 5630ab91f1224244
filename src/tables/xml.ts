import { SaxesParser } from 'saxes';
import { FIXED_LIMITS } from './limits.ts';
import { tableProblem } from './table-problem.ts';

export interface XmlHandlers {
  /** `path`: the names of the elements around it, innermost last; names come without prefix. */
  open?(name: string, attributes: Readonly<Record<string, string>>, path: readonly string[]): void;
  text?(text: string, path: readonly string[]): void;
  close?(name: string, path: readonly string[]): void;
}

export interface XmlReader {
  write(chunk: Uint8Array): void;
  /** The document is over. */
  end(): void;
}

/** Counts what the parts of one file are made of. Throws `too_many_cells`. */
export type MarkCount = () => void;

export function countMarks(most: number): MarkCount {
  let marks = 0;
  return () => {
    marks += 1;
    if (marks > most) throw tableProblem('too_many_cells', { limit: most });
  };
}

/**
 * Reads XML as it comes in. Throws what `count` does, `damaged` for what is not well-formed, for a
 * document type (which could name entities and files) and for nesting beyond any sheet's, `too_large` for a text or
 * tag beyond any cell's.
 */
export function createXmlReader(handlers: XmlHandlers, count: MarkCount): XmlReader {
  const path: string[] = [];
  let [attributes, silent] = [0, 0];
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false });
  const heard = (): void => {
    silent = 0;
  };
  const text = (content: string): void => {
    heard();
    handlers.text?.(content, path);
  };
  parser.on('error', (cause) => {
    throw tableProblem('damaged', { cause });
  });
  parser.on('doctype', () => {
    throw tableProblem('damaged');
  });
  parser.on('opentagstart', () => {
    heard();
    count();
    attributes = 0;
  });
  parser.on('attribute', () => {
    heard();
    count();
    attributes += 1;
    if (attributes > FIXED_LIMITS.depth) throw tableProblem('damaged');
  });
  parser.on('opentag', (tag) => {
    const name = withoutPrefix(tag.name);
    handlers.open?.(name, tag.attributes, path);
    path.push(name);
    if (path.length > FIXED_LIMITS.depth) throw tableProblem('damaged');
  });
  parser.on('comment', count);
  parser.on('processinginstruction', count);
  parser.on('text', text);
  parser.on('cdata', (content) => {
    count();
    text(content);
  });
  parser.on('closetag', () => {
    heard();
    const name = path.pop() ?? '';
    handlers.close?.(name, path);
  });

  const decode = createDecoder();
  return {
    write(chunk) {
      // The parser keeps what it has not finished: a text without end must not grow with the file.
      silent += chunk.length;
      parser.write(decode(chunk));
      if (silent > FIXED_LIMITS.token) throw tableProblem('too_large');
    },
    end() {
      parser.write(decode());
      parser.close();
    },
  };
}

/** Reads a part of a workbook that only says where others are. Throws what the reader does. */
export async function readXml(
  chunks: AsyncIterable<Uint8Array>,
  handlers: XmlHandlers,
  count: MarkCount,
): Promise<void> {
  const reader = createXmlReader(handlers, count);
  for await (const chunk of chunks) reader.write(chunk);
  reader.end();
}

/** Attributes of another namespace keep their prefix; it ends the same in whatever way it was chosen. */
export function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** UTF-8, or UTF-16 with its mark; the mark is taken off. */
function createDecoder(): (chunk?: Uint8Array) => string {
  let decoder: TextDecoder | null = null;
  return (chunk) => {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (cause) {
      throw tableProblem('damaged', { cause });
    }
  };
}

function encodingOf(chunk: Uint8Array | undefined): string {
  if (chunk?.[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le';
  return chunk?.[0] === 0xfe && chunk[1] === 0xff ? 'utf-16be' : 'utf-8';
}
