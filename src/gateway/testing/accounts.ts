import { Secret } from '../../domain/secret.ts';
import type { GatewayVersion, SendRequest, SmsGateway } from '../../ports/gateway.ts';
import { createGateway } from '../compose.ts';
import type { GatewayOptions } from '../compose.ts';

export const VERSIONS = [3, 1, 4] as const satisfies readonly GatewayVersion[];

export const TEST_KEY = 'canary-key-7f3A/9+z=';

export const SEND: SendRequest = {
  line: '3000123456',
  recipients: ['989120000001', '989120000002'],
  text: 'سلام، this is a test',
  flash: false,
};

/** A gateway of one version at an address, with credentials that are easy to search for. */
export function gatewayOf(
  version: GatewayVersion,
  url: string,
  options: Partial<GatewayOptions> = {},
): SmsGateway {
  const credentials = version === 1 ? { token: new Secret(TEST_KEY) } : { apiKey: new Secret(TEST_KEY) };
  const address = version === 1 ? { wsUrl: url } : { baseUrl: url };
  return createGateway({ ...address, credentials, versions: [version], ...options });
}

/** The answer of a version that accepts {@link SEND} with this id. */
export function acceptance(version: GatewayVersion, id = '9007199254740993'): string {
  if (version === 1) return `{"status":200,"result":{"status":0,"id":${id}}}`;
  const data = `{"messageid":${id},"message":${JSON.stringify(SEND.text)},"state":"فعال","from":"+98${SEND.line}","date":1700000000}`;
  return `{"return":{"status":200,"message":"پیام با موفقیت در صف ارسال قرار گرفت"},"data":${data}}`;
}
