import { mayGrant, outranks, type Role } from '../../domain/roles.ts';
import type { KnownPerson } from '../../ports/team.ts';
import type { Stores } from '../../storage/stores.ts';

export interface Wish {
  readonly chatId: string;
  readonly granter: { readonly id: number; readonly role: Role | null };
  readonly botId: number;
  readonly person: number | string;
  /** `null` takes the role away. */
  readonly role: Role | null;
  readonly updateId: number;
  /** Somebody as Telegram shows them in the chat now; null where it does not say. */
  readonly seenNow: (personId: number) => Promise<Seen | null>;
}

interface Seen {
  readonly id: number;
  readonly name: string;
  readonly username: string | null;
  readonly isIn: boolean;
}

/** What became of the wish to give a role, or what has to be said before. */
export type Answer =
  | { readonly kind: 'changed'; readonly person: KnownPerson; readonly from: Role | null }
  | { readonly kind: 'same' | 'last_owner' | 'confirm_owner' | 'person_above'; readonly person: KnownPerson }
  | { readonly kind: 'above_own' | 'not_allowed' | 'nobody' | 'unmet_none' | 'unmet_owner' }
  | { readonly kind: 'link'; readonly token: string; readonly only: number | null };

/** Those that speak for a group, a channel or Telegram itself: whoever it is, it is not one person. */
const NOBODY: ReadonlySet<number> = new Set([1_087_968_824, 136_817_688, 777_000]);

const LINK_SECONDS = 86_400;

/** Giving and taking roles: who may, to whom, and what for somebody whom the bot has not met. */
export function createTeamService(team: Stores['team']) {
  return {
    /** @param confirmed the granter has said yes to making another owner. */
    async give(wish: Wish, confirmed = false): Promise<Answer> {
      const { chatId, granter, person: wanted, role } = wish;
      const known = await team.find(chatId, wanted);
      const id = known?.id ?? (typeof wanted === 'number' ? wanted : null);
      if (id !== null && (NOBODY.has(id) || id === wish.botId)) return { kind: 'nobody' };
      if (outranks(role, granter.role)) return { kind: 'above_own' };
      const { person, only } = await meant(wish, known);
      if (person === null) return await invite(wish, only);
      if (!mayGrant(granter.role, role, person.role)) return { kind: 'person_above', person };
      if (role === 'owner' && person.role !== 'owner' && !confirmed) return { kind: 'confirm_owner', person };
      const change = { chatId, granterId: granter.id, personId: person.id, role, updateId: wish.updateId };
      const done = await team.change(change);
      if (done.result === 'changed') return { kind: 'changed', person, from: done.from };
      if (done.result === 'same' || done.result === 'last_owner') return { kind: done.result, person };
      return { kind: 'not_allowed' };
    },
  };

  /**
   * A user name may have changed hands since it was last seen, and somebody of that name may never have been in this
   * chat: it stands for a person only where Telegram says now that they have it, and that they are here. A link is for whoever has the
   * id, where that is sure.
   */
  async function meant(
    { person: wanted, role, seenNow }: Wish,
    known: KnownPerson | null,
  ): Promise<{ readonly person: KnownPerson | null; readonly only: number | null }> {
    if (typeof wanted === 'number') return { person: known, only: wanted };
    const now = known === null ? null : await seenNow(known.id);
    if (known === null || now === null) return { person: null, only: null };
    await team.meet(now);
    if (now.username?.toLowerCase() !== wanted.toLowerCase()) return { person: null, only: null };
    const isHere = now.isIn || known.role !== null || role === null;
    return { person: isHere ? { ...known, ...now } : null, only: now.id };
  }

  async function invite({ chatId, granter, role, updateId }: Wish, personId: number | null): Promise<Answer> {
    if (role === null) return { kind: 'unmet_none' };
    if (role === 'owner') return { kind: 'unmet_owner' };
    const token = await team.invite({
      chatId,
      granterId: granter.id,
      personId,
      role,
      updateId,
      ttlSeconds: LINK_SECONDS,
    });
    return token === null ? { kind: 'not_allowed' } : { kind: 'link', token, only: personId };
  }
}
