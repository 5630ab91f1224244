import { AppError } from '../../domain/errors.ts';
import type { SmsGateway } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';

/** The account of a chat. A button may be pressed after the account was unlinked: throws `not_connected`. */
export async function accountGateway(
  gateways: Gateways,
  binding: { readonly id: string } | null,
): Promise<SmsGateway> {
  if (binding === null) throw new AppError('not_connected', 'no account is linked to the chat');
  return await gateways.of(binding.id);
}
