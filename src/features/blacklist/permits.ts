import type { LinkStore } from '../../ports/stores.ts';

/** What a question about a change offers can be decided once: by the button that comes first. */
export interface Permits {
  mint(asked: { readonly chatId: string; readonly personId: number }): Promise<string>;
  /** False when another press has decided; the same update decides again after a crash, which does no harm here. */
  claim(permit: string, press: { readonly personId: number; readonly updateId: number }): Promise<boolean>;
}

const DAY_SECONDS = 86_400;

export function createPermits(links: LinkStore): Permits {
  return {
    mint: async ({ chatId, personId }) =>
      await links.mint({ purpose: 'blacklist', chatId, personId, ttlSeconds: DAY_SECONDS }),
    claim: async (permit, { personId, updateId }) => (await links.claim(permit, personId, updateId)) !== null,
  };
}
