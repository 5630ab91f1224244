import { leastRole } from '../../domain/roles.ts';
import { credentialNames } from '../error-texts.ts';
import type { Command } from '../feature.ts';
import { lines, type Html } from '../html.ts';
import type { RequestContext } from '../request-context.ts';
import { kitTexts, roleName } from '../texts.ts';

/** Tells why a person cannot give a command in this chat, whatever its words; null: they can. */
export function guardOf(request: RequestContext, { facet, permission, instead }: Command): Html | null {
  const texts = kitTexts(request.locale);
  const isAllowed = permission === null || request.can(permission);
  // Roles come with an account: without one it is what is missing first.
  if (request.binding === null && (facet !== undefined || !isAllowed)) return texts.needsConnection;
  if (!isAllowed) return texts.needsRole(roleName(request.locale, leastRole(permission)));
  if (facet !== undefined && !request.capabilities.has(facet))
    return lines(
      texts.needsCredential(credentialNames(request.locale, request.capabilities.missing(facet))),
      instead !== undefined && texts.instead(instead),
    );
  return null;
}
