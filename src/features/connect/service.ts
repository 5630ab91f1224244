import { isAppError } from '../../domain/errors.ts';
import { areTwo } from '../../domain/gateway-user.ts';
import { parseLine } from '../../domain/phone.ts';
import type { AccountDetails, CredentialName, GatewayCredentials, SmsGateway } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { CredentialKind } from '../../ports/stores.ts';
import type { Stores } from '../../storage/stores.ts';

export interface ConnectDeps extends Pick<Stores, 'bindings'> {
  readonly gateways: Gateways;
  readonly access: 'open' | 'allowlist';
  readonly ownerIds: readonly number[];
}

export type MayConnect = 'yes' | 'not_allowed' | 'not_owner' | 'not_telegram_admin' | 'not_said';

export interface CheckedAccount {
  readonly bindingId: string;
  readonly name: string;
  readonly type: string;
  readonly creditRial: number;
  readonly keyTail: string;
  /** What is linked by now, where this is another account or may be one; else empty. */
  readonly replaces: string;
}

/** Linking an account: who may, whether the credential works, and keeping it until it is confirmed. */
export function createConnectService({ bindings, gateways, access, ownerIds }: ConnectDeps) {
  return {
    async mayConnect(asker: {
      readonly personId: number;
      readonly chatId: string;
      readonly isPrivate: boolean;
      /** Null where Telegram does not say. */
      readonly isTelegramAdmin: () => Promise<boolean | null>;
    }): Promise<MayConnect> {
      if (access === 'allowlist' && !ownerIds.includes(asker.personId)) return 'not_allowed';
      const owners = await bindings.owners(asker.chatId);
      if (owners.length > 0) return owners.includes(asker.personId) ? 'yes' : 'not_owner';
      const fallbackOwners = await bindings.fallbackOwners(asker.chatId);
      if (fallbackOwners !== null) return fallbackOwners.includes(asker.personId) ? 'yes' : 'not_owner';
      if (asker.isPrivate) return 'yes';
      const isAdmin = await asker.isTelegramAdmin();
      if (isAdmin === null) return 'not_said';
      return isAdmin ? 'yes' : 'not_telegram_admin';
    },

    /** The credential to ask for first: the strongest that the deployment's versions can use. */
    firstQuestion(): CredentialName {
      return gateways.accepted()[0] ?? 'api_key';
    },

    otherQuestions(than: CredentialName): readonly CredentialName[] {
      return gateways.accepted().filter((name) => name !== than);
    },

    couldAddToken(kinds: readonly CredentialKind[]): boolean {
      return kinds.includes('api_key') && !kinds.includes('token') && gateways.accepted().includes('token');
    },

    /**
     * Asks the gateway with the credentials, together with those that are linked already, and keeps them sealed and aside.
     * Null when the gateway refuses them; throws when it does not answer.
     */
    async check(chatId: string, personId: number, given: GatewayCredentials): Promise<CheckedAccount | null> {
      const live = await bindings.live(chatId);
      const owners = await bindings.owners(chatId);
      const account = await this.ask(given);
      if (account === null) return null;
      // A token is added to what is linked, unless that is another person's; any other credential replaces it, since it may be.
      const known = live === null ? null : await bindings.credentials(live.id);
      const adds =
        given.token !== undefined &&
        live !== null &&
        owners.includes(personId) &&
        !areTwo(await detailsOf(live.id), account.details);
      const secret = given.apiKey ?? given.token ?? given.password;
      const keyTail = secret?.tail() ?? '';
      const bindingId = await bindings.savePending({
        chatId,
        personId,
        credentials: adds ? { ...known, ...given } : given,
        keyTail,
        // The versions name an account differently, and a token does not make it another one.
        accountName: adds ? live.accountName : account.name,
        told: account.details,
      });
      await bindings.learnLines(bindingId, account.lines);
      const { name, type, creditRial } = account;
      const replaces = adds || isOneOf(known, given) ? '' : (live?.accountName ?? '');
      return { bindingId, keyTail, name, type, creditRial, replaces };
    },

    async ask(credentials: GatewayCredentials) {
      const gateway = gateways.probe(credentials);
      try {
        if (!gateway.has('account') || !gateway.has('credit')) return null;
        const details = await gateway.use('account').details();
        const creditRial = await gateway.use('credit').credit();
        return {
          details,
          name: details.company ?? details.fullName ?? '',
          type: details.type ?? '',
          creditRial,
          lines: await linesSeen(gateway),
        };
      } catch (error) {
        if (isAppError(error, 'gateway_refused') && error.params['name'] === 'not_authorized') return null;
        throw error;
      } finally {
        await gateway.close();
      }
    },
  };

  /** What is told of the account of a binding; nothing where it does not answer. */
  async function detailsOf(bindingId: string): Promise<AccountDetails> {
    try {
      return await (await gateways.of(bindingId)).use('account').details();
    } catch (error) {
      if (!isAppError(error)) throw error;
      return {};
    }
  }
}

function isOneOf(known: GatewayCredentials | null, given: GatewayCredentials): boolean {
  return (
    (given.apiKey !== undefined && known?.apiKey?.reveal() === given.apiKey.reveal()) ||
    (given.token !== undefined && known?.token?.reveal() === given.token.reveal()) ||
    (given.username !== undefined && known?.username?.toLowerCase() === given.username.toLowerCase())
  );
}

/** The interface lists no lines; what was sent and received last shows some. That it cannot be read is no reason to stop. */
async function linesSeen(gateway: SmsGateway): Promise<string[]> {
  const looks: readonly (() => Promise<readonly { readonly line?: string }[]>)[] = [
    async () => [(await gateway.use('reports').latest()) ?? {}],
    async () => await gateway.use('outbox').newest(),
    async () => (await gateway.use('inbox').page()).messages,
  ];
  const seen = await Promise.all(looks.map(async (look) => await look().catch(() => [])));
  const lines = seen.flat().map(({ line = '' }) => parseLine(line));
  return [...new Set(lines)].filter((line) => line !== null);
}
