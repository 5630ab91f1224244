import type { MultiMessage } from '../ports/gateway.ts';
import { wireNumber } from './number.ts';

/** Interface, Send many and Multiple send: four lists of equal length, under the same names in all versions. */
export function multiFields(messages: readonly MultiMessage[]) {
  return {
    fromArray: messages.map(({ line }) => line),
    recipients: messages.map(({ recipient }) => wireNumber(recipient)),
    messageArray: messages.map(({ text }) => text),
    typeArray: messages.map(({ flash }) => (flash ? 1 : 0)),
  };
}
