import { describe, expect, it } from 'vitest';

import { can, isRole, leastRole, mayGrant, outranks, PERMISSIONS, ROLES } from './roles.ts';
import type { Permission, Role } from './roles.ts';

const HOLDERS = [null, ...ROLES];

/** Written out a second time on purpose: what each role adds to the one below it. */
const ADDED: Record<Role, Permission[]> = {
  viewer: [
    'account.view',
    'credit.view',
    'status.view',
    'track.view',
    'outbox.view',
    'latest.view',
    'report.view',
    'count.view',
    'inbox.view',
    'books.view',
    'blacklist.view',
  ],
  operator: [
    'line.view',
    'line.set',
    'send.prepare',
    'send.confirm',
    'send.stop',
    'send.settle',
    'send.multi',
    'send.bulk',
    'send.schedule',
    'send.future',
    'send.pattern',
    'send.book',
    'inbox.receive',
    'inbox.reply',
    'books.write',
    'blacklist.add',
    'alerts.ack',
  ],
  approver: ['send.approve', 'blacklist.remove', 'alerts.mute'],
  admin: [
    'books.delete',
    'users.register',
    'alerts.manage',
    'roles.grant',
    'team.view',
    'limits.manage',
    'audit.view',
    'lang.chat',
  ],
  owner: ['connect', 'disconnect'],
};

describe('roles', () => {
  it('hold exactly the permissions of their rank and of those below', () => {
    const held = new Set<Permission>();
    for (const role of ROLES) {
      for (const permission of ADDED[role]) {
        held.add(permission);
        expect(leastRole(permission)).toBe(role);
      }
      for (const permission of PERMISSIONS) {
        expect(can(role, permission), `${role} ${permission}`).toBe(held.has(permission));
      }
    }
    expect(held.size).toBe(PERMISSIONS.length);
  });

  it('are needed for everything that is not open to anyone', () => {
    expect(PERMISSIONS.filter((permission) => can(null, permission))).toEqual([]);
    for (const holder of HOLDERS) expect(can(holder, null)).toBe(true);
  });

  it('outrank those below and never themselves', () => {
    for (const [rank, role] of HOLDERS.entries()) {
      for (const [otherRank, other] of HOLDERS.entries())
        expect(outranks(role, other)).toBe(rank > otherRank);
    }
  });

  it('are given by admins and owners, never above their own, and never taken from someone above', () => {
    for (const granter of HOLDERS) {
      for (const next of HOLDERS) {
        for (const current of HOLDERS) {
          const allowed =
            granter === 'owner' || (granter === 'admin' && next !== 'owner' && current !== 'owner');
          expect(mayGrant(granter, next, current), `${granter}: ${current} to ${next}`).toBe(allowed);
        }
      }
    }
  });

  it('are recognised by name and nothing else is', () => {
    expect(ROLES.every(isRole)).toBe(true);
    expect(['none', '', 'Owner', '__proto__', 'constructor'].some(isRole)).toBe(false);
  });
});
