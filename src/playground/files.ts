import { createHash } from 'node:crypto';
import type { Document, PhotoSize } from '@grammyjs/types';
import { imageSize } from './image-size.ts';
import { badRequest } from './errors.ts';

export const MAX_DOWNLOAD_BYTES = 20 * 1024 * 1024;

export interface StoredFile {
  id: string;
  uniqueId: string;
  kind: 'photo' | 'document';
  name: string;
  mime: string;
  path: string;
  bytes: Buffer;
  width: number | undefined;
  height: number | undefined;
}

export interface UploadedFile {
  field: string;
  name: string;
  mime: string;
  bytes: Buffer;
}

/**
 * All bytes that went through the emulator. An id keeps its meaning for every bot of the world (with Telegram
 * each bot has ids of its own), and all sizes of a photo give back the original bytes.
 */
export interface FileStore {
  addDocument: (file: UploadedFile) => StoredFile;
  addPhoto: (file: UploadedFile) => StoredFile;
  get: (fileId: string) => StoredFile | undefined;
  byPath: (path: string) => StoredFile | undefined;
  clear: () => void;
}

export function createFileStore(): FileStore {
  const byId = new Map<string, StoredFile>();
  const byPath = new Map<string, StoredFile>();
  let next = 1;
  const add = (kind: StoredFile['kind'], file: UploadedFile): StoredFile => {
    if (file.bytes.length === 0) throw badRequest('file must be non-empty');
    const number = next++;
    const size = kind === 'photo' ? imageSize(file.bytes) : undefined;
    if (kind === 'photo' && size === undefined) throw badRequest('IMAGE_PROCESS_FAILED');
    const name = cleanName(file.name);
    const extension = kind === 'photo' ? '.jpg' : (/\.[^.]*$/.exec(name)?.[0] ?? '');
    const serial = String(number).padStart(6, '0');
    const stored: StoredFile = {
      id: `${kind === 'photo' ? 'AgACAgQAAxkB' : 'BQACAgQAAxkB'}${digest(file.bytes, serial, 32)}${serial}`,
      uniqueId: `AgAD${digest(file.bytes, '', 11)}`,
      kind,
      name,
      mime: file.mime,
      path: `${kind}s/file_${number}${extension}`,
      bytes: file.bytes,
      width: size?.width,
      height: size?.height,
    };
    byId.set(stored.id, stored);
    byPath.set(stored.path, stored);
    return stored;
  };
  return {
    addDocument: (file) => add('document', file),
    addPhoto: (file) => add('photo', file),
    get: (fileId) => byId.get(fileId.replace(/~[sm]$/, '')),
    byPath: (path) => byPath.get(path),
    clear() {
      byId.clear();
      byPath.clear();
    },
  };
}

export function documentToWire(file: StoredFile): Document {
  return {
    file_name: file.name,
    mime_type: file.mime,
    file_id: file.id,
    file_unique_id: file.uniqueId,
    file_size: file.bytes.length,
  };
}

/** A photo as Telegram shows it: small, medium and whole, the largest last. */
export function photoToWire(file: StoredFile): PhotoSize[] {
  const width = file.width ?? 1;
  const height = file.height ?? 1;
  const sizes: PhotoSize[] = [];
  for (const [suffix, edge] of [
    ['s', 90],
    ['m', 320],
  ] as const) {
    const scale = edge / Math.max(width, height);
    if (scale >= 1) continue;
    sizes.push({
      file_id: `${file.id}~${suffix}`,
      file_unique_id: `${file.uniqueId}${suffix}`,
      file_size: file.bytes.length,
      width: Math.max(1, Math.round(width * scale)),
      height: Math.max(1, Math.round(height * scale)),
    });
  }
  sizes.push({
    file_id: file.id,
    file_unique_id: `${file.uniqueId}x`,
    file_size: file.bytes.length,
    width,
    height,
  });
  return sizes;
}

const MIME_BY_EXTENSION: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.txt': 'text/plain',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xls': 'application/vnd.ms-excel',
  '.zip': 'application/zip',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};

/** Telegram decides the type from the name, not from what the client said about the part. */
export function mimeFor(name: string): string {
  return MIME_BY_EXTENSION[/\.[^.]*$/.exec(name.toLowerCase())?.[0] ?? ''] ?? 'application/octet-stream';
}

function cleanName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  return base === '' ? 'file' : base;
}

function digest(bytes: Buffer, salt: string, length: number): string {
  return createHash('sha256').update(bytes).update(salt).digest('base64url').slice(0, length);
}
