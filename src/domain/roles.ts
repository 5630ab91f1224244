/** Roles of one chat, weakest first. No role at all is `null`. */
export const ROLES = ['viewer', 'operator', 'approver', 'admin', 'owner'] as const;

export type Role = (typeof ROLES)[number];

/** What needs a right, and the least role that has it. Commands open to anyone have permission `null`. */
const LEAST_ROLE = {
  connect: 'owner',
  disconnect: 'owner',
  'account.view': 'viewer',
  'credit.view': 'viewer',
  'line.view': 'operator',
  'line.set': 'operator',
  'send.prepare': 'operator',
  'send.confirm': 'operator',
  'send.approve': 'approver',
  'send.stop': 'operator',
  'send.settle': 'operator',
  'send.multi': 'operator',
  'send.bulk': 'operator',
  'send.schedule': 'operator',
  'send.future': 'operator',
  'send.pattern': 'operator',
  'send.book': 'operator',
  'status.view': 'viewer',
  'track.view': 'viewer',
  'outbox.view': 'viewer',
  'latest.view': 'viewer',
  'report.view': 'viewer',
  'count.view': 'viewer',
  'inbox.view': 'viewer',
  'inbox.receive': 'operator',
  'inbox.reply': 'operator',
  'books.view': 'viewer',
  'books.write': 'operator',
  'books.delete': 'admin',
  'blacklist.view': 'viewer',
  'blacklist.add': 'operator',
  'blacklist.remove': 'approver',
  'users.register': 'admin',
  'alerts.ack': 'operator',
  'alerts.mute': 'approver',
  'alerts.manage': 'admin',
  'roles.grant': 'admin',
  'team.view': 'admin',
  'limits.manage': 'admin',
  'audit.view': 'admin',
  'lang.chat': 'admin',
} as const satisfies Record<string, Role>;

export type Permission = keyof typeof LEAST_ROLE;

/** Every permission, for tables and tests. */
export const PERMISSIONS: readonly Permission[] = Object.keys(LEAST_ROLE).filter(isPermission);

/** Whether a role holds a permission. Deny by default: no role holds nothing but what is open to anyone. */
export function can(role: Role | null, permission: Permission | null): boolean {
  return permission === null || rankOf(role) >= rankOf(LEAST_ROLE[permission]);
}

/** The weakest role that holds a permission, for "this needs …" and for help. */
export function leastRole(permission: Permission): Role {
  return LEAST_ROLE[permission];
}

/** Whether `role` is strictly above `other`. */
export function outranks(role: Role | null, other: Role | null): boolean {
  return rankOf(role) > rankOf(other);
}

/**
 * Whether a person may turn someone's role from `current` into `next` (`null` takes it away): nobody gives a
 * role above their own, nor changes the role of someone above them.
 */
export function mayGrant(granter: Role | null, next: Role | null, current: Role | null = null): boolean {
  return can(granter, 'roles.grant') && !outranks(next, granter) && !outranks(current, granter);
}

export function isRole(value: string): value is Role {
  return ROLES.some((role) => role === value);
}

function isPermission(name: string): name is Permission {
  return Object.hasOwn(LEAST_ROLE, name);
}

/** Where a role stands: 0 for the weakest, -1 for none. */
export function rankOf(role: Role | null): number {
  return role === null ? -1 : ROLES.indexOf(role);
}
