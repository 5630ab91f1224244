import { AppError } from '../../domain/errors.ts';
import type { SmsGateway } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { RequestContext } from '../../telegram/request-context.ts';

type Speaker = Pick<RequestContext, 'binding'>;

/** The account that the chat is linked to. A button may be pressed after it was unlinked: throws `not_connected`. */
export function linkedAccount({ binding }: Speaker): NonNullable<Speaker['binding']> {
  if (binding === null) throw new AppError('not_connected', 'no account is linked to the chat');
  return binding;
}

/** The gateway as that account sees it; throws the same. */
export async function accountGateway(gateways: Gateways, ctx: Speaker): Promise<SmsGateway> {
  return await gateways.of(linkedAccount(ctx).id);
}
