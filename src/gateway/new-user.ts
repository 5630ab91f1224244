import type { NewUser } from '../ports/gateway.ts';
import { isCanonical, refuse } from './checks.ts';

/** Throws `bad_input` (field, reason) for a user that the interface does not allow; no value is repeated. */
export function checkNewUser(user: NewUser): void {
  if (!/^[A-Za-z0-9]{1,64}$/.test(user.userName)) refuse('userName', 'not_letters_and_digits');
  const password = user.password.reveal();
  if (password === '') refuse('password', 'empty');
  if (!password.isWellFormed()) refuse('password', 'not_well_formed');
  if (user.parent.trim() === '') refuse('parent', 'empty');
  if (!isCanonical(user.mobile)) refuse('mobile', 'not_canonical');
  if (!/^[0-9]{10}$/.test(user.nationalCode)) refuse('nationalCode', 'not_10_digits');
  if (!/^[0-9]{1,15}$/.test(user.packageId)) refuse('packageId', 'not_digits');
}
