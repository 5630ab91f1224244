import { isIP } from 'node:net';

import { scopeOf } from './address-scope.ts';

/**
 * Why an address of the gateway is not used. `unreadable`: not http or https, or with a user name, a query or
 * blanks in it. `disguised`: an IPv4 address in another spelling than four numbers. `nowhere`: an IP address at
 * which no gateway can be. `open`: http, where keys pass networks that are not the operator's.
 */
export type AddressProblem = 'unreadable' | 'disguised' | 'nowhere' | 'open';

/**
 * What is wrong with an address in the settings, by its letters alone; null when nothing is. An IP address in
 * it, and `localhost`, are the operator's word. `isPrivateNetwork`: the whole way to the gateway is, too.
 */
export function gatewayAddressProblem(address: string, isPrivateNetwork: boolean): AddressProblem | null {
  const written = PLAIN.exec(address)?.[1];
  const url = URL.parse(address);
  if (written === undefined || url === null) return 'unreadable';
  const host = hostOf(url);
  const family = isIP(host);
  if (family === 4 && !written.startsWith(host)) return 'disguised';
  const place = family === 0 ? null : scopeOf(host);
  if (place === 'nowhere') return 'nowhere';
  const isNear = place === null ? isThisMachine(host) : place !== 'public';
  return url.protocol === 'https:' || isNear || isPrivateNetwork ? null : 'open';
}

/** Whether a name in the settings may lead to an IP address that somebody's resolver gave for it. */
export function mayLeadTo(name: string, address: string, isPrivateNetwork: boolean): boolean {
  const place = scopeOf(address);
  if (isThisMachine(name)) return place === 'loopback';
  return place === 'public' || (isPrivateNetwork && place !== 'nowhere');
}

/** A name or an IP address; IPv6 without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** No user name, query, fragment, backslash or blank: nothing that leads elsewhere than it seems to. */
const PLAIN = /^https?:\/\/([^/\\\s?#@]+)(?:\/[^\\\s?#]*)?$/i;

function isThisMachine(name: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(name);
}
