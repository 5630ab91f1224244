import { z } from 'zod';
import { hashToken } from '../../src/storage/keys/tokens.ts';
import { tokenOf } from '../../src/telegram/buttons.ts';
import type { KitContext } from '../../src/telegram/dispatch/context.ts';
import { takePress, type PressDeps } from '../../src/telegram/dispatch/press.ts';
import type { Random } from '../chaos/random.ts';
import { NAUGHTY } from '../naughty/strings.ts';
import { quietRequest } from '../support/features.ts';
import { NO_METRICS } from '../support/no-metrics.ts';
import { mutateBytes } from './mutate.ts';
import { defineTarget, must } from './target.ts';

const Input = z.object({ data: z.string().nullable() });
type Input = z.output<typeof Input>;

/** What a client says a button held: real tokens, changed ones, and anything else. */
export const callbacks = defineTarget({
  name: 'callbacks',
  about: 'data of pressed buttons, up to the handler',
  goal: 5_000_000,
  input: Input,
  make,
  open: () => checkPress,
});

/** Of buttons that there are: their tokens are made up here, so that they are the same each time. */
const TOKENS = Array.from({ length: 50 }, (_, index) =>
  hashToken(`token ${index}`).subarray(0, 16).toString('base64url'),
);
const MINTED = new Set(TOKENS.map((token) => hashToken(token).toString('hex')));
const ALPHABET = 'ABCXYZabcxyz0189-_+/=. \n۱п';

function make(random: Random): Input {
  const real = `p1:${TOKENS[random.int(0, TOKENS.length - 1)] ?? ''}`;
  switch (random.int(0, 7)) {
    case 0:
      return { data: real };
    case 1:
      return { data: NAUGHTY[random.int(0, NAUGHTY.length - 1)] ?? null };
    case 2:
      return { data: `p1:${letters(random, 22)}` };
    case 3:
      return { data: `p${random.int(0, 3)}:${letters(random, random.int(0, 64))}` };
    case 4:
      return {
        data: random.pick([null, '', 'p1:', real.toUpperCase(), `${real}\n`, `\n${real}`, real + real]),
      };
    case 5:
      return { data: mutateBytes(random, mutateBytes(random, real)) };
    default:
      return { data: mutateBytes(random, real) };
  }
}

function letters(random: Random, length: number): string {
  let text = '';
  while (text.length < length) text += ALPHABET[random.int(0, ALPHABET.length - 1)] ?? '';
  return text;
}

const pressed = { asked: [] as string[], answered: 0, ran: 0 };
const buttons: PressDeps['buttons'] = {
  mint: () => Promise.resolve([]),
  claim: ({ token }) => {
    pressed.asked.push(token);
    return Promise.resolve(
      MINTED.has(hashToken(token).toString('hex'))
        ? { ok: true, action: 'x', payload: {} }
        : { ok: false, reason: 'unknown' },
    );
  },
};
const request = quietRequest('fa');
const press = takePress({
  buttons,
  urgent: [],
  metrics: NO_METRICS,
  repeats: { isRepeat: () => false },
  atHome: () => Promise.resolve(request),
});
const next = (): Promise<void> => {
  pressed.ran += 1;
  return Promise.resolve();
};
const answerCallbackQuery = (): Promise<true> => {
  pressed.answered += 1;
  return Promise.resolve(true);
};

async function checkPress({ data }: Input): Promise<string> {
  Object.assign(pressed, { asked: [], answered: 0, ran: 0 });
  const callbackQuery = { ...(data === null ? {} : { data }), id: '1', from: { id: 7 } };
  await press({ callbackQuery, request, answerCallbackQuery } as unknown as KitContext, next);
  const isReal = data !== null && TOKENS.some((token) => data === `p1:${token}`);
  must(pressed.answered === 1, `the press was answered ${pressed.answered} times`);
  must(pressed.ran === (isReal ? 1 : 0), `a handler ran ${pressed.ran} times`);
  const token = tokenOf(data ?? undefined);
  must(token === tokenOf(data ?? undefined), 'it was read in two ways');
  must(pressed.asked.length === (token === null ? 0 : 1), 'storage was asked for what is no token');
  if (token === null) return 'no token';
  must(data === `p1:${token}` && /^[\w-]{22}$/u.test(token), `${token} was read as a token`);
  return isReal ? 'pressed' : 'unknown token';
}
