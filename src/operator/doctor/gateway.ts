import type { WireFailure } from '../../domain/attempt.ts';
import { probeGateway, type Probe } from '../../gateway/probe.ts';
import type { Config, GatewayVersion } from '../../process/config.ts';
import { aheadOf } from './clocks.ts';
import { look, PATIENCE_MS, refusal, well, type Examined, type Finding } from './finding.ts';

type Setting = 'GATEWAY_BASE_URL' | 'GATEWAY_WS_URL';

const WHY: Readonly<Partial<Record<WireFailure, string>>> = {
  dns: 'the name cannot be resolved',
  inner_address:
    'the name leads into an inner network, where nothing is sent. Where that is meant, GATEWAY_PRIVATE_NETWORK=1 lets it',
  refused: 'nothing listens there',
  unreachable: 'there is no way there',
  tls: 'its certificate is not trusted',
  proxy: 'the proxy does not lead there',
  timeout: 'no answer in time',
  reset: 'the connection was cut',
};

/** Each address of the gateway that the settings have. Without an account's key it is seen only whether a gateway answers. */
export async function examineGateway({ gateway, proxy }: Config): Promise<Examined> {
  const { versions, isPrivateNetwork } = gateway;
  const rest = versions.find((version) => version !== 1);
  const places: readonly (readonly [Setting, string | null, GatewayVersion | undefined])[] = [
    ['GATEWAY_BASE_URL', gateway.baseUrl, rest],
    ['GATEWAY_WS_URL', gateway.wsUrl, versions.find((version) => version === 1)],
  ];
  const examined = await Promise.all(
    places.map(async ([setting, address, version]): Promise<Examined> => {
      if (address === null || version === undefined) return { findings: [] };
      try {
        const probe = await probeGateway({
          address,
          version,
          isPrivateNetwork,
          timeoutMs: PATIENCE_MS,
          ...(proxy?.forGateway === true ? { proxy: proxy.url.reveal() } : {}),
        });
        const clocks = probe.kind === 'no_answer' ? [] : aheadOf('the gateway', probe.date);
        return { clocks, findings: [found(setting, new URL(address), version, probe)] };
      } catch (error) {
        return { findings: refusal('gateway', error) };
      }
    }),
  );
  const clocks = examined.flatMap((each) => each.clocks ?? []).slice(0, 1);
  return { clocks, findings: examined.flatMap(({ findings }) => findings) };
}

function found(setting: Setting, { host, protocol }: URL, version: GatewayVersion, probe: Probe): Finding {
  const tls = protocol === 'https:' ? ' over TLS' : '';
  if (probe.kind === 'no_answer') {
    const why = WHY[probe.reason] ?? `the answer broke off (${probe.reason})`;
    return look(
      'gateway',
      `no answer from ${host}: ${why}. Nothing can be sent until then; is ${setting} right?`,
    );
  }
  const { httpStatus } = probe;
  if (probe.kind === 'something_else')
    return look(
      'gateway',
      `${host} answers${tls} with HTTP ${httpStatus} and something that no gateway says (${probe.reason}). Is ${setting} the address of its version ${version}?`,
    );
  if (httpStatus >= 500)
    return look(
      'gateway',
      `${host} answers${tls} as version ${version} does, and is in trouble itself (HTTP ${httpStatus})`,
    );
  return well('gateway', `${host} answers${tls} as version ${version} does; accounts are not looked at`);
}
