import type { WireFailure } from '../domain/attempt.ts';
import type { GatewayVersion } from '../ports/gateway.ts';
import type { UnreadableReason } from './reading.ts';
import { readRestEnvelope } from './rest-envelope.ts';
import { parseProxy } from './transport/proxy.ts';
import { createTlsTrusts } from './transport/tls-trust.ts';
import type { HttpCall } from './transport/http-call.ts';
import { createTransport, DEFAULT_TIMEOUTS } from './transport/transport.ts';
import { WireError } from './transport/wire-error.ts';
import { readV1Envelope } from './v1/envelope.ts';
import { askV1 } from './v1/wire.ts';
import { restCall } from './v3/wire.ts';
import { getCall } from './v4/wire.ts';

export interface ProbeOptions {
  readonly address: string;
  readonly version: GatewayVersion;
  readonly proxy?: string;
  readonly isPrivateNetwork: boolean;
  readonly timeoutMs: number;
}

/** What is at an address, as far as it can be seen without an account. */
export type Probe =
  | { readonly kind: 'gateway'; readonly httpStatus: number; readonly date: string | undefined }
  | {
      readonly kind: 'something_else';
      readonly httpStatus: number;
      readonly reason: UnreadableReason;
      readonly date: string | undefined;
    }
  | { readonly kind: 'no_answer'; readonly reason: WireFailure };

/** The credit of nobody, as the interface has it. A key that cannot be one stands where version 4 needs one. */
const CALLS = {
  1: askV1({})('GET', '/my/credit'),
  3: restCall({}, '/my/credit'),
  4: getCall('none', 'user/credit'),
} as const satisfies Readonly<Record<GatewayVersion, HttpCall>>;

/**
 * Asks once for the credit of nobody, the way every read goes, and looks whether the answer has the shape of a gateway's:
 * a refusal, as it should be. Throws `config` for an address or a proxy that cannot be used.
 */
export async function probeGateway(options: ProbeOptions): Promise<Probe> {
  const { address, version, proxy, isPrivateNetwork, timeoutMs } = options;
  const transport = createTransport({
    baseUrl: address,
    isPrivateNetwork,
    trusts: createTlsTrusts(),
    timeouts: { ...DEFAULT_TIMEOUTS, dialMs: timeoutMs, readMs: timeoutMs },
    ...(proxy === undefined ? {} : { proxy: parseProxy(proxy) }),
  });
  try {
    const { httpStatus, body, date } = await transport.read(CALLS[version], () => false);
    const envelope = version === 1 ? readV1Envelope(body) : readRestEnvelope(body);
    if (envelope.kind === 'envelope') return { kind: 'gateway', httpStatus, date };
    return { kind: 'something_else', httpStatus, reason: envelope.reason, date };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return { kind: 'no_answer', reason: error.reason };
  } finally {
    await transport.close();
  }
}
