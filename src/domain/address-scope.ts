import { BlockList, isIP } from 'node:net';

/**
 * Where an IP address lies. `private` is whatever reaches no further than some network: also of carriers, for
 * measurements and for examples. `nowhere` is no place for a server that keys are sent to: the own link, where
 * clouds tell machines their secrets, many machines at once, other addresses in disguise, what is reserved.
 */
export type AddressScope = 'public' | 'private' | 'loopback' | 'nowhere';

/** What is no IP address, or has a zone in it, is `nowhere`. Pure. */
export function scopeOf(address: string): AddressScope {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return 'nowhere';
  const found = PLACES.find(({ list }) => list.check(address, family === 4 ? 'ipv4' : 'ipv6'));
  return found?.place ?? 'nowhere';
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

const NOWHERE_4 = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Of clouds, outside of what is link-local.
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
];

const PRIVATE_4 = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
];

/** What has an IPv4 address inside (6to4, Teredo, NAT64), and of clouds. */
const NOWHERE_6 = [
  '2002::/16',
  '2001::/32',
  'fd00:ec2::/32',
  'fd20:ce::/32',
  ...['127.0.0.0/8', ...NOWHERE_4, ...PRIVATE_4].map(asNat64),
];

const PRIVATE_6 = [
  'fc00::/7',
  'fec0::/10',
  '2001:2::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001:db8::/32',
  '3fff::/20',
];

/** First match counts. Of IPv6, the part that is given out at all, and of NAT64 what is left of it. */
const PLACES: readonly { readonly place: AddressScope; readonly list: BlockList }[] = [
  { place: 'nowhere', list: listOf([...NOWHERE_4, ...NOWHERE_6]) },
  { place: 'loopback', list: listOf(LOOPBACK) },
  { place: 'private', list: listOf([...PRIVATE_4, ...PRIVATE_6]) },
  { place: 'public', list: listOf(['0.0.0.0/0', '2000::/3', '64:ff9b::/96']) },
];

/** Rules for IPv4 hold for its form in IPv6 (`::ffff:`) as well. */
function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', bits] = range.split('/');
    list.addSubnet(net, Number(bits), isIP(net) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

function asNat64(range: string): string {
  const [net = '', bits] = range.split('/');
  return `64:ff9b::${net}/${96 + Number(bits)}`;
}
