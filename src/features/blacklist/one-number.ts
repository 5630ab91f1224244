import type { Blacklist } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { Blacklisting, BlacklistChange, BlacklistOutcome } from '../../ports/two-way.ts';
import { block, type BlockVerdict } from './blocker.ts';
import { check } from './checker.ts';
import { failedChange, type FailedChange } from '../../domain/failed-change.ts';

/** Adds, takes off and looks for one number, for what does so beside the commands. */
export function createBlacklisting({ gateways }: { readonly gateways: Gateways }): Blacklisting {
  const blacklistOf = async (bindingId: string): Promise<Blacklist> =>
    (await gateways.of(bindingId)).use('blacklist');

  return {
    async add({ bindingId, line, number }, isRepeat = false) {
      const order = { line, numbers: [number], ...(isRepeat ? { doubtful: [number] } : {}) };
      const { verdicts, failure } = await block(await blacklistOf(bindingId), order);
      const verdict = verdicts[0]?.verdict ?? 'not_added';
      return { outcome: OUTCOMES[verdict], failure: shown(failure) };
    },

    async remove({ bindingId, line, number }) {
      try {
        await (await blacklistOf(bindingId)).remove(line, number);
        return { outcome: 'done', failure: null };
      } catch (error) {
        const failure = failedChange(error);
        if (failure === null) throw error;
        if (isNotThere(failure)) return { outcome: 'already', failure: null };
        return { outcome: failure.mayHaveActed ? 'unknown' : 'not_done', failure: shown(failure) };
      }
    },

    async has({ bindingId, line, number }) {
      try {
        const { verdicts } = await check(await blacklistOf(bindingId), line, [number]);
        return verdicts.some(({ verdict }) => verdict === 'blocked');
      } catch (error) {
        if (failedChange(error) === null) throw error;
        return null;
      }
    },
  };
}

const OUTCOMES: Readonly<Record<BlockVerdict['verdict'], BlacklistOutcome>> = {
  added: 'done',
  already: 'already',
  worded: 'unclear',
  unknown: 'unknown',
  not_added: 'not_done',
};

function shown(failure: FailedChange | null): BlacklistChange['failure'] {
  return failure === null ? null : { refusal: failure.name, error: failure.error };
}

/** Whether a number was not on the list from which it was to be taken off. */
export function isNotThere({ why, code }: FailedChange): boolean {
  return why === 'refused' && code === 400;
}
