import { randomInt } from 'node:crypto';
import { isAppError } from '../../domain/errors.ts';
import { failedChange } from '../../domain/failed-change.ts';
import { generatePassword } from '../../domain/password.ts';
import { can } from '../../domain/roles.ts';
import { Secret } from '../../domain/secret.ts';
import type { CredentialName, NewUser } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type {
  Departure,
  NewRegistration,
  OpenRegistration,
  RegistrationDay,
  RegistrationOutcome,
  RegistrationPress,
} from '../../ports/registrations.ts';
import { REGISTRATIONS_A_DAY } from '../../ports/registrations.ts';
import type { BindingView, ChatView } from '../../ports/stores.ts';
import type { Stores } from '../../storage/stores.ts';

export interface RegistrationServiceDeps extends Pick<Stores, 'registrations' | 'bindings'> {
  readonly gateways: Gateways;
  /** Learns of a secret as soon as there is one. */
  readonly keepSecret: (secret: Secret) => void;
}

/** Whether a person may begin to register a user under a chat's account, by what holds now. */
export type Beginning =
  | { readonly kind: 'not_allowed'; readonly chat: ChatView | null }
  | { readonly kind: 'not_connected'; readonly chat: ChatView }
  | { readonly kind: 'unsupported'; readonly missing: readonly CredentialName[] }
  | { readonly kind: 'day_full'; readonly day: RegistrationDay }
  | {
      readonly kind: 'open';
      readonly chat: ChatView;
      readonly binding: BindingView;
      readonly day: RegistrationDay;
      readonly takesPersonality: boolean;
      /** The manager's user name, where the account is linked by one. */
      readonly parent: string | null;
    };

/** What a press of Register came to. `unsent`: surely nothing left, and it is open again. */
export type RegistrationResult =
  | Exclude<Departure, { readonly result: 'on_wire' }>
  | {
      readonly result: 'registered';
      readonly registration: OpenRegistration;
      readonly day: RegistrationDay | null;
    }
  | {
      readonly result: 'refused';
      readonly name: string;
      readonly day: RegistrationDay | null;
      readonly error: unknown;
    }
  | { readonly result: 'unknown'; readonly error: unknown }
  | { readonly result: 'unsent'; readonly error: unknown };

type Draft = Omit<NewRegistration, 'user' | 'generated'> & {
  /** Without a password, one is made. */
  readonly user: Omit<NewUser, 'password'> & { readonly password: Secret | null };
};

/** Registering a user: who may, what is known of the day, and the one call. */
export function createRegistrationService(deps: RegistrationServiceDeps) {
  const { registrations, bindings, gateways } = deps;

  return {
    async begin(chatId: string, personId: number): Promise<Beginning> {
      const eligibility = await registrations.eligibility(chatId, personId);
      if (eligibility === null || !can(eligibility.role, 'users.register'))
        return { kind: 'not_allowed', chat: eligibility?.chat ?? null };
      const { chat, binding, day } = eligibility;
      if (binding === null || day === null) return { kind: 'not_connected', chat };
      const capabilities = gateways.capabilities(binding.kinds);
      if (!capabilities.has('registration'))
        return { kind: 'unsupported', missing: capabilities.missing('registration') };
      if (day.used >= REGISTRATIONS_A_DAY) return { kind: 'day_full', day };
      const { takesPersonality } = (await gateways.of(binding.id)).use('registration');
      const parent = (await bindings.credentials(binding.id))?.username ?? null;
      return { kind: 'open', chat, binding, day, takesPersonality, parent };
    },

    /** Names that the manager's could be: the owners of the account's phonebooks. Only a hint, so none is no error. */
    async likelyParents(bindingId: string): Promise<readonly string[]> {
      try {
        const books = await (await gateways.of(bindingId)).use('phonebookRead').list();
        return [...new Set(books.map((book) => book.owner))].filter((owner) => owner !== '').slice(0, 3);
      } catch (error) {
        if (isAppError(error)) return [];
        throw error;
      }
    },

    /** Null when the same update made it before and it is over by now. */
    async prepare({ user, ...draft }: Draft): Promise<OpenRegistration | null> {
      let { password } = user;
      const generated = password === null;
      if (password === null) {
        password = new Secret(generatePassword((limit) => randomInt(limit)));
        deps.keepSecret(password);
      }
      const id = await registrations.prepare({ ...draft, user: { ...user, password }, generated });
      return await registrations.open(id);
    },

    /**
     * Makes the call, once. Whoever presses again, or after a crash, finds that it was made: what came of it then is
     * for the database to say.
     */
    async register(press: RegistrationPress): Promise<RegistrationResult> {
      const departure = await registrations.goOnWire(press);
      if (departure.result !== 'on_wire') return departure;
      const { registration } = departure;
      const { outcome, error } = await call(registration);
      await registrations.record(press, outcome);
      if (outcome.state === 'unknown') return { result: 'unknown', error };
      if (outcome.state === 'prepared') return { result: 'unsent', error };
      const eligibility = await registrations.eligibility(registration.chat.id, registration.personId);
      const day = eligibility?.day ?? null;
      return outcome.state === 'registered'
        ? { result: 'registered', registration, day }
        : { result: 'refused', name: outcome.name, day, error };
    },
  };

  async function call(
    registration: OpenRegistration,
  ): Promise<{ readonly outcome: RegistrationOutcome; readonly error?: unknown }> {
    const unsent = { state: 'prepared', registration } as const;
    let facet;
    try {
      facet = (await gateways.of(registration.bindingId)).use('registration');
    } catch (error) {
      return { outcome: unsent, error };
    }
    try {
      await facet.register(registration.user);
      return { outcome: { state: 'registered' } };
    } catch (error) {
      // Refused by the client itself, before anything was opened.
      if (isAppError(error, 'bad_input')) return { outcome: unsent, error };
      const failed = failedChange(error);
      if (failed === null || failed.mayHaveActed) return { outcome: { state: 'unknown' }, error };
      return failed.why === 'refused'
        ? { outcome: { state: 'refused', name: failed.name }, error }
        : { outcome: unsent, error };
    }
  }
}
