import type { Role } from '../domain/roles.ts';
import type { ChatType, CredentialKind, Lang } from './stores.ts';

/** Who is shown a menu in a chat, and what decides what stands on it. */
export interface MenuAudience {
  readonly chat: { readonly telegramId: number; readonly type: ChatType; readonly lang: Lang | null };
  /** The credentials of the linked account; null: none is linked. */
  readonly kinds: readonly CredentialKind[] | null;
  readonly people: readonly { readonly id: number; readonly role: Role | null; readonly lang: Lang | null }[];
}
