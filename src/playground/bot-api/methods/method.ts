import type { Emulator } from '../../emulator.ts';
import type { Params } from '../params.ts';
import type { BotState } from '../../types.ts';

/** One Bot API call: who calls, with what; `signal` tells that the caller has hung up. */
export interface Call {
  em: Emulator;
  bot: BotState;
  params: Params;
  signal: AbortSignal;
}

/** Returns the `result` of the answer, or throws an ApiError. */
export type Method = (call: Call) => unknown;

/** A result that is JSON text already (`shown` is what the call log keeps), or one with a description. */
export interface SpecialAnswer {
  readonly special: true;
  json: string;
  shown: unknown;
  description?: string;
}

export function isSpecial(value: unknown): value is SpecialAnswer {
  return typeof value === 'object' && value !== null && 'special' in value;
}

export function described(result: unknown, description: string): SpecialAnswer {
  return { special: true, json: JSON.stringify(result), shown: result, description };
}
