import { isIPv4 } from 'node:net';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { scopeOf } from './address-scope.ts';
import type { AddressScope } from './address-scope.ts';

/** What is written down for special purposes (RFC 6890 and later), each range by its first and its last address. */
const SPECIAL_4: readonly (readonly [first: string, last: string, place: AddressScope])[] = [
  ['0.0.0.0', '0.255.255.255', 'nowhere'],
  ['10.0.0.0', '10.255.255.255', 'private'],
  ['100.64.0.0', '100.100.100.199', 'private'],
  ['100.100.100.200', '100.100.100.200', 'nowhere'],
  ['100.100.100.201', '100.127.255.255', 'private'],
  ['127.0.0.0', '127.255.255.255', 'loopback'],
  ['168.63.129.16', '168.63.129.16', 'nowhere'],
  ['169.254.0.0', '169.254.255.255', 'nowhere'],
  ['172.16.0.0', '172.31.255.255', 'private'],
  ['192.0.0.0', '192.0.0.191', 'private'],
  ['192.0.0.192', '192.0.0.192', 'nowhere'],
  ['192.0.0.193', '192.0.0.255', 'private'],
  ['192.0.2.0', '192.0.2.255', 'private'],
  ['192.88.99.0', '192.88.99.255', 'private'],
  ['192.168.0.0', '192.168.255.255', 'private'],
  ['198.18.0.0', '198.19.255.255', 'private'],
  ['198.51.100.0', '198.51.100.255', 'private'],
  ['203.0.113.0', '203.0.113.255', 'private'],
  ['224.0.0.0', '255.255.255.255', 'nowhere'],
];

const SPECIAL = SPECIAL_4.map(([first, last, place]) => ({
  first: numberOf(first),
  last: numberOf(last),
  place,
}));
const MOST = 2 ** 32 - 1;

/** Half of them within or beside a special range, where mistakes are. */
const address4 = fc.oneof(
  fc.integer({ min: 0, max: MOST }),
  fc
    .tuple(fc.constantFrom(...SPECIAL), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([{ first, last }, at]) => Math.round(first + (last - first) * at)),
  fc
    .tuple(fc.constantFrom(...SPECIAL), fc.constantFrom(-1, 0, 1), fc.boolean())
    .map(([{ first, last }, step, low]) => ((low ? first : last) + step + 2 ** 32) % 2 ** 32),
);

const address6 = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });

describe('the place of an IP address', () => {
  test('of version 4 is as the registries say, for any', () => {
    fc.assert(
      fc.property(address4, (value) => {
        expect(scopeOf(dotted(value))).toBe(placeByNumber(value));
      }),
      { numRuns: 2000 },
    );
  });

  test('is the same with version 4 inside of version 6, in both spellings', () => {
    fc.assert(
      fc.property(address4, (value) => {
        const place = placeByNumber(value);
        expect(scopeOf(`::ffff:${dotted(value)}`)).toBe(place);
        expect(scopeOf(`::FFFF:${hex(value)}`)).toBe(place);
      }),
      { numRuns: 2000 },
    );
  });

  test('is public through NAT64 where the address inside is, and nowhere else', () => {
    fc.assert(
      fc.property(address4, (value) => {
        const place = placeByNumber(value) === 'public' ? 'public' : 'nowhere';
        expect(scopeOf(`64:ff9b::${dotted(value)}`)).toBe(place);
        expect(scopeOf(`64:ff9b:0:0:0:0:${hex(value)}`)).toBe(place);
      }),
      { numRuns: 2000 },
    );
  });

  test('is nowhere with any address inside of 6to4 and Teredo, and as the old compatible form', () => {
    fc.assert(
      fc.property(address4, address6, (value, rest) => {
        expect(scopeOf(`2002:${hex(value)}::1`)).toBe('nowhere');
        expect(scopeOf(`2001:0:${groups(rest.slice(0, 6))}`)).toBe('nowhere');
        expect(['nowhere', 'loopback']).toContain(scopeOf(`::${dotted(value)}`));
      }),
    );
  });

  test('of version 6 is public only in what is given out, for any', () => {
    fc.assert(
      fc.property(address6, (parts) => {
        const [first = 0] = parts;
        const isGivenOut = first >= 0x2000 && first < 0x4000;
        expect(isGivenOut || scopeOf(groups(parts)) !== 'public').toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['::', 'nowhere'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['::2', 'nowhere'],
    ['64:ff9b:1::a00:1', 'nowhere'],
    ['100::1', 'nowhere'],
    ['2001:2::1', 'private'],
    ['2001:10::1', 'private'],
    ['2001:db8::1', 'private'],
    ['2001:4860:4860::8888', 'public'],
    ['2a00:1450:4001::200e', 'public'],
    ['3fff::1', 'private'],
    ['5f00::1', 'nowhere'],
    ['fc00::1', 'private'],
    ['fd12:3456::1', 'private'],
    ['fd00:ec2::254', 'nowhere'],
    ['fd20:ce::254', 'nowhere'],
    ['fe80::1', 'nowhere'],
    ['fe80::1%eth0', 'nowhere'],
    ['2a00::1%1', 'nowhere'],
    ['fec0::1', 'private'],
    ['ff02::1', 'nowhere'],
    ['8.8.8.8', 'public'],
    ['185.1.2.3', 'public'],
  ] as const)('of %s is %s', (address, place) => {
    expect(scopeOf(address)).toBe(place);
  });

  test('of what is no address is nowhere, whatever it is', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        '',
        'localhost',
        '127.1',
        '0x7f000001',
        '2130706433',
        '0177.0.0.1',
        '8.8.8.8 ',
        '[::1]',
      ),
    );
    fc.assert(
      fc.property(
        texts.filter((text) => !isIPv4(text) && !text.includes(':')),
        (text) => {
          expect(scopeOf(text)).toBe('nowhere');
        },
      ),
    );
  });
});

function placeByNumber(value: number): AddressScope {
  return SPECIAL.find(({ first, last }) => value >= first && value <= last)?.place ?? 'public';
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function dotted(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
}

function hex(value: number): string {
  return groups([value >>> 16, value & 0xffff]);
}

function groups(parts: readonly number[]): string {
  return parts.map((part) => part.toString(16)).join(':');
}
