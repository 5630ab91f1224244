import type { Account } from './account.ts';
import { readRecipient } from './numbers.ts';
import { refuse } from './refusal.ts';
import type { Refusal } from './refusal.ts';
import { tehranDay } from './tehran.ts';
import type { World } from './world.ts';

/**
 * A user to register, as the client wrote it. What is undefined was not asked for by that form and is not
 * checked: version 1 has a form of three fields.
 */
export type Registration = {
  readonly username: string;
  readonly password: string;
  readonly repeat: string;
  readonly parent?: string | undefined;
  readonly mobile?: string | undefined;
  readonly nationalCode?: string | undefined;
  readonly email?: string | undefined;
  readonly packageId?: string | undefined;
  readonly reseller?: boolean;
  readonly fullname?: string | undefined;
  readonly company?: string | undefined;
};

const MAX_A_DAY = 2;
const DAY_MS = 86_400_000;

/**
 * Registers a user under the calling manager, at most two a day by the calendar of Tehran. The new account is
 * active, without credit, lines or keys: it can be used with its user name and password.
 */
export function registerUser(
  world: World,
  manager: Account,
  registration: Registration,
): 'registered' | Refusal {
  const { username, password, repeat, parent = manager.username } = registration;
  const { mobile, nationalCode, email, packageId } = registration;
  if (!manager.representative) return refuse('no_manager_access');
  if (parent !== manager.username)
    return refuse('no_manager_access', {
      why: `the parent is ${parent}, but ${manager.username} is calling`,
    });
  if (!/^[A-Za-z0-9]+$/.test(username)) return refuse('invalid_user_name');
  if (world.account(username) !== undefined) return refuse('user_name_taken');
  if (mobile !== undefined && readRecipient(mobile) === undefined) return refuse('invalid_mobile');
  if (nationalCode !== undefined && !/^\d{10}$/.test(nationalCode)) return refuse('invalid_national_code');
  if (email !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return refuse('invalid_email');
  if (packageId !== undefined && !manager.packages.map(String).includes(packageId))
    return refuse('wrong_package', {
      why: `package ${packageId} is none of ${manager.packages.join(', ') || 'none'}`,
    });
  if (password !== repeat) return refuse('passwords_differ');
  if (!/^[\x21-\x7e]+$/.test(password))
    return refuse('bad_parameters', {
      detail: 'password',
      why: 'the password must be printable ASCII without spaces',
    });

  const today = tehranDay(world.now());
  if (manager.registeredAt.filter((at) => tehranDay(at) === today).length >= MAX_A_DAY)
    return refuse('registration_limit');
  const { fullname, company, reseller = false } = registration;
  world.addAccount({ username, password, representative: reseller, profile: { fullname, company } });
  manager.registeredAt = [...manager.registeredAt, world.now()].filter(
    (at) => Math.abs(at - world.now()) < DAY_MS,
  );
  return 'registered';
}
