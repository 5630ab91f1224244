import type { CredentialName, FacetName, GatewayCredentials, GatewayVersion, SmsGateway } from './gateway.ts';
import type { CredentialKind } from './stores.ts';

/** What an account can do, known from the kinds of its credentials alone: nothing is decrypted for a menu. */
export interface Capabilities {
  /** Those of the gateway's interface that it can use. */
  readonly versions: readonly GatewayVersion[];
  has(facet: FacetName): boolean;
  /** The credentials any one of which would add the facet. */
  missing(facet: FacetName): readonly CredentialName[];
}

/** The gateway accounts of this deployment. */
export interface Gateways {
  capabilities(kinds: readonly CredentialKind[]): Capabilities;
  /** Credentials that the deployment's versions can use at all. */
  accepted(): readonly CredentialName[];
  /** The account of a binding; throws `not_connected` when the binding has ended. */
  of(bindingId: string): Promise<SmsGateway>;
  /** An account from credentials that are being checked. The caller closes it. */
  probe(credentials: GatewayCredentials): SmsGateway;
}
