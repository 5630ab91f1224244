import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';

export interface ZipPart {
  /** In ASCII. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** A zip of a few compressed parts. It holds no dates: the same parts make the same bytes. */
export async function zip(parts: readonly ZipPart[]): Promise<Uint8Array> {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, content } of parts) {
    const packed = await compress(content);
    const name = Buffer.from(path, 'latin1');
    const shape = fields(u16(VERSION), u16(0), u16(DEFLATED), u16(0), u16(FIRST_DAY));
    const sizes = fields(u32(crc32(content)), u32(packed.length), u32(content.length));
    const facts = Buffer.concat([shape, sizes, fields(u16(name.length), u16(0))]);
    const file = Buffer.concat([fields(u32(FILE)), facts, name, packed]);
    files.push(file);
    const made = fields(u32(DIRECTORY), u16(VERSION));
    // No comment, first disk, no attributes.
    const place = fields(u16(0), u16(0), u16(0), u32(0), u32(offset));
    directory.push(made, facts, place, name);
    offset += file.length;
  }
  const index = Buffer.concat(directory);
  const counts = [u16(parts.length), u16(parts.length)];
  const end = fields(u32(END), u16(0), u16(0), ...counts, u32(index.length), u32(offset), u16(0));
  return Buffer.concat([...files, index, end]);
}

const compress = promisify<Uint8Array, Buffer>(deflateRaw);

const FILE = 0x04034b50;
const DIRECTORY = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
const DEFLATED = 8;
/** The first of January 1980, where such dates begin. */
const FIRST_DAY = 0x21;

interface Field {
  readonly bytes: 2 | 4;
  readonly value: number;
}

const u16 = (value: number): Field => ({ bytes: 2, value });
const u32 = (value: number): Field => ({ bytes: 4, value });

function fields(...all: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(all.reduce((sum, { bytes }) => sum + bytes, 0));
  let offset = 0;
  for (const { bytes, value } of all) offset = buffer.writeUIntLE(value, offset, bytes);
  return buffer;
}
