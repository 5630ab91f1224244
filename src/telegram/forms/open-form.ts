import { z } from 'zod';
import type { Argument, Command } from '../feature.ts';

/** What was asked, and what is known already. */
export const question = z.object({
  command: z.string(),
  typed: z.record(z.string(), z.string()),
  /** The argument that is asked for. */
  name: z.string(),
  /** Unix time in ms. */
  askedAt: z.number(),
  /** The command that has led to it, where that is another one: given once more it begins anew. */
  begunBy: z.string().optional(),
});

/** A question that waits for its answer. */
export const openForm = question.extend({
  /** Releases that keep forms in another way leave one of these in silence, and this one theirs. */
  version: z.tuple([z.literal(0), z.literal(2)]),
  messageId: z.number(),
  hasButtons: z.boolean(),
  /** The message that has offered to take up what its person said in the group without replying. */
  offerId: z.number().optional(),
  /** The argument that each message has answered, by the id of the message; empty: what the command came with. */
  said: z.record(z.string(), z.string()).optional(),
  /** The message that was refused and may have been cut off by the app: what came right behind it is the rest of it. */
  cutAt: z.number().optional(),
  /** A command has interrupted it: nothing is an answer until a button goes on with it. */
  isLeft: z.literal(true).optional(),
  /** So it is since nobody has answered in time, which its person is told when an answer comes. */
  isOver: z.literal(true).optional(),
  /** The one that this one has interrupted. */
  left: question.optional(),
});
export type OpenForm = z.infer<typeof openForm>;
export type Question = z.infer<typeof question>;

export interface Remembered {
  readonly form: OpenForm;
  readonly command: Command;
  readonly argument: Argument;
}

/** Seals what a form remembers: an answer can be a credential. */
export interface StateSealer {
  sealShort(plain: string, aad: { purpose: string; [field: string]: string }): Uint8Array;
  openShort(sealed: Uint8Array, aad: { purpose: string; [field: string]: string }): Uint8Array;
}

/** For so long a question takes its answer, and for so long it can be gone on with, by Unix time in ms. */
const ANSWERED_MS = 600_000;
const LEFT_MS = 3_600_000;

/** Where people are in a form, as it is kept: sealed under the key of its row. */
export function createKeptForms(commands: ReadonlyMap<string, Command>, sealer: StateSealer) {
  const sealOf = (key: string) => ({ purpose: 'form', key });
  const seal = (key: string, form: OpenForm) => sealer.sealShort(JSON.stringify(form), sealOf(key));

  /** Opens a form as it stands by now; null: nothing of it can be gone on with. */
  const open = (key: string, state: Uint8Array): Remembered | null => {
    const opened = sealer.openShort(state, sealOf(key));
    const { data: form } = openForm.safeParse(JSON.parse(Buffer.from(opened).toString('utf8')));
    const age = Date.now() - (form?.askedAt ?? 0);
    if (form === undefined || age >= LEFT_MS) return null;
    const known = knownOf(form);
    if (known === null || age < ANSWERED_MS || form.isLeft === true) return known;
    return knownOf({ ...form, ...withoutSecrets(known), isLeft: true, isOver: true });
  };

  const knownOf = (form: OpenForm): Remembered | null => {
    const command = commands.get(form.command);
    const argument = command?.args[form.name];
    return command === undefined || argument === undefined ? null : { form, command, argument };
  };

  /** What stays of one that nobody has answered in time, without what was typed in secret; null: nothing, or it cannot be opened. */
  const restOf = (key: string, state: Uint8Array): Uint8Array | null => {
    try {
      const rest = open(key, state);
      return rest === null ? null : seal(key, rest.form);
    } catch {
      return null;
    }
  };

  return { open, seal, restOf };
}

/** What is kept of a question that something else comes before: no secret waits longer than its own form. */
export function withoutSecrets({ form, command }: Remembered): Pick<Question, 'typed' | 'name'> {
  const isSecret = (name: string): boolean => command.args[name]?.secret === true;
  const secret = Object.keys(form.typed).find(isSecret);
  return {
    typed: Object.fromEntries(Object.entries(form.typed).filter(([name]) => !isSecret(name))),
    name: secret ?? form.name,
  };
}

/** A form with what it has come of, and the one that it has interrupted, which can be gone on with. */
export function withOrigin(
  form: OpenForm | null,
  { left, begunBy, said }: Partial<OpenForm>,
): OpenForm | null {
  return form === null ? null : { ...form, begunBy, said, left: left && question.parse(left) };
}

/** The one that a form has interrupted, once that form is over. */
export function leftAlone({ left, version, messageId }: OpenForm): OpenForm | null {
  return left === undefined ? null : { ...left, version, messageId, hasButtons: false, isLeft: true };
}

/** A form without what was answered last, by the order of messages, and its name; null: nothing was, beside what the command came with. */
export function takenBack(form: OpenForm): OpenForm | null {
  const said = Object.entries(form.said ?? {});
  const name = said.at(-1)?.[1] ?? '';
  const { [name]: _, ...typed } = form.typed;
  return name === ''
    ? null
    : { ...form, name, typed, said: Object.fromEntries(said.filter(([, each]) => each !== name)) };
}
