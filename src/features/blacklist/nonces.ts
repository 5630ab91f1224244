import type { Stores } from '../../storage/stores.ts';

/** What a question about a change offers can be decided once: by the button that comes first. */
export interface Nonces {
  mint(asked: { readonly chatId: string; readonly personId: number }): Promise<string>;
  /** False when another press has decided; the same update decides again after a crash, which does no harm here. */
  claim(nonce: string, press: { readonly personId: number; readonly updateId: number }): Promise<boolean>;
}

const DAY_SECONDS = 86_400;

export function createNonces(links: Stores['links']): Nonces {
  return {
    mint: async ({ chatId, personId }) =>
      await links.mint({ purpose: 'blacklist', chatId, personId, ttlSeconds: DAY_SECONDS }),
    claim: async (nonce, { personId, updateId }) => (await links.claim(nonce, personId, updateId)) !== null,
  };
}
