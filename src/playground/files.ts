import { createHash } from 'node:crypto';
import type { PhotoSize } from '@grammyjs/types';
import { imageSize } from './image-size.ts';
import { badRequest } from './errors.ts';

export const MAX_DOWNLOAD_BYTES = 20 * 1024 * 1024;

/** What a file can be sent as: how Telegram names the kind, and how its ids and paths begin. */
const KINDS = {
  photo: { type: 'Photo', id: 'AgACAgQAAxkB', folder: 'photos' },
  document: { type: 'Document', id: 'BQACAgQAAxkB', folder: 'documents' },
  video: { type: 'Video', id: 'BAACAgQAAxkB', folder: 'videos' },
  animation: { type: 'Animation', id: 'CgACAgQAAxkB', folder: 'animations' },
  audio: { type: 'Audio', id: 'CQACAgQAAxkB', folder: 'music' },
  voice: { type: 'VoiceNote', id: 'AwACAgQAAxkB', folder: 'voice' },
  video_note: { type: 'VideoNote', id: 'DQACAgQAAxkB', folder: 'video_notes' },
  sticker: { type: 'Sticker', id: 'CAACAgQAAxkB', folder: 'stickers' },
} as const;
export type FileKind = keyof typeof KINDS;

export interface StoredFile {
  id: string;
  uniqueId: string;
  kind: FileKind;
  name: string;
  mime: string;
  path: string;
  bytes: Buffer;
  width: number | undefined;
  height: number | undefined;
  /** What its sender said of it: duration, title and the like. */
  details: Readonly<Record<string, unknown>>;
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
  /** Throws Telegram's refusals for an empty file and for a photo that is no picture. */
  add: (kind: FileKind, file: UploadedFile, details?: Readonly<Record<string, unknown>>) => StoredFile;
  get: (fileId: string) => StoredFile | undefined;
  byPath: (path: string) => StoredFile | undefined;
  clear: () => void;
}

export function createFileStore(): FileStore {
  const byId = new Map<string, StoredFile>();
  const byPath = new Map<string, StoredFile>();
  let next = 1;
  return {
    add(kind, file, details = {}) {
      if (file.bytes.length === 0) throw badRequest('file must be non-empty');
      const number = next++;
      const size = kind === 'photo' ? imageSize(file.bytes) : undefined;
      if (kind === 'photo' && size === undefined) throw badRequest('IMAGE_PROCESS_FAILED');
      const name = cleanName(file.name);
      const extension = kind === 'photo' ? '.jpg' : (/\.[^.]*$/.exec(name)?.[0] ?? '');
      const serial = String(number).padStart(6, '0');
      const stored: StoredFile = {
        id: `${KINDS[kind].id}${digest(file.bytes, serial, 32)}${serial}`,
        uniqueId: `AgAD${digest(file.bytes, '', 11)}`,
        kind,
        name,
        mime: file.mime,
        path: `${KINDS[kind].folder}/file_${number}${extension}`,
        bytes: file.bytes,
        width: size?.width,
        height: size?.height,
        details,
      };
      byId.set(stored.id, stored);
      byPath.set(stored.path, stored);
      return stored;
    },
    get: (fileId) => byId.get(fileId.replace(/~[sm]$/, '')),
    byPath: (path) => byPath.get(path),
    clear() {
      byId.clear();
      byPath.clear();
    },
  };
}

/** A file's own kind decides how it is shown, whatever it is sent as again; only photos are never anything else. */
export function checkKind(file: StoredFile, wanted: FileKind): void {
  if ((file.kind === 'photo') === (wanted === 'photo')) return;
  throw badRequest(`can't use file of type ${KINDS[file.kind].type} as ${KINDS[wanted].type}`);
}

/** The file as the field of a message that carries it. */
export function fileToWire(file: StoredFile): Record<string, unknown> {
  if (file.kind === 'photo') return { photo: photoToWire(file) };
  const common = { file_id: file.id, file_unique_id: file.uniqueId, file_size: file.bytes.length };
  const isNamed = file.kind !== 'voice' && file.kind !== 'video_note' && file.kind !== 'sticker';
  const isTyped = file.kind !== 'video_note' && file.kind !== 'sticker';
  const shown = {
    ...(isNamed && { file_name: file.name }),
    ...(isTyped && { mime_type: file.mime }),
    ...file.details,
    ...common,
  };
  // Clients of before animations look for a document.
  return { [file.kind]: shown, ...(file.kind === 'animation' && { document: shown }) };
}

/** A photo as Telegram shows it: small, medium and whole, the largest last. */
function photoToWire(file: StoredFile): PhotoSize[] {
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
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.mov': 'video/quicktime',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.ogg': 'audio/ogg',
  '.oga': 'audio/ogg',
  '.vcf': 'text/vcard',
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
