import { FIXED_LIMITS } from './limits.ts';
import { tableProblem } from './table-problem.ts';
import { createXmlScanner, type Attributes } from './xml-scanner.ts';

export interface XmlHandlers {
  /** `path`: the names of the elements around it, innermost last; names come without prefix. */
  open?(name: string, attributes: Attributes, path: readonly string[]): void;
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
  let silent = 0;
  const scanner = createXmlScanner(
    {
      mark: count,
      open(written, attributes) {
        silent = 0;
        const name = withoutPrefix(written);
        handlers.open?.(name, attributes, path);
        path.push(name);
        if (path.length > FIXED_LIMITS.depth) throw tableProblem('damaged');
      },
      text(content) {
        silent = 0;
        handlers.text?.(content, path);
      },
      close() {
        silent = 0;
        const name = path.pop() ?? '';
        handlers.close?.(name, path);
      },
    },
    FIXED_LIMITS.depth,
    () => tableProblem('damaged'),
  );

  const decode = createDecoder();
  return {
    write(chunk) {
      // What is not whole is kept: a text without end must not grow with the file.
      silent += chunk.length;
      scanner.push(decode(chunk));
      if (silent > FIXED_LIMITS.token) throw tableProblem('too_large');
    },
    end() {
      scanner.push(decode());
      scanner.end();
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
