import type { Facets } from '../ports/gateway.ts';
import type { Calls } from './calls.ts';
import { checkNewUser, refuse } from './checks.ts';
import { wireNumber } from './number.ts';
import { nothingMore, restReading } from './rest-envelope.ts';
import type { RestAsk } from './rest-operations.ts';
import { createScrubber } from './scrub.ts';

/** Registration in the short form of versions 4 and 3, which has no place for what version 1 asks of a person. */
export function createRestRegistration(calls: Calls, ask: RestAsk) {
  return {
    takesPersonality: false,
    async register(user) {
      checkNewUser(user);
      if (user.personality !== undefined) refuse('personality', 'needs_version_1');
      const password = user.password.reveal();
      const call = ask('register', {
        uname: user.userName,
        passwd: password,
        passwd_repeat: password,
        parent: user.parent,
        mobile: wireNumber(user.mobile),
        melli_code: user.nationalCode,
        package: BigInt(user.packageId),
        reseller: user.reseller ? 1 : 0,
      });
      const hide = createScrubber([user.password]);
      await calls.write('register', call, (body) => restReading(body, nothingMore), hide);
    },
  } satisfies Facets['registration'];
}
