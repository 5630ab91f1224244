import type { z } from 'zod';
import type { Permission } from '../domain/roles.ts';
import type { ActionButton, ActionName, ButtonLook } from './buttons.ts';
import type { RequestContext } from './request-context.ts';

/** What a press does. The token has been checked for chat, person, role, version and expiry before it runs. */
export interface Action {
  readonly name: string;
  /** Names that buttons of earlier releases know it by. */
  readonly formerly: readonly string[];
  readonly permission: Permission | null;
  /** Keeps money from being spent, as of a command. */
  readonly urgent: boolean;
  run(request: RequestContext, payload: unknown): Promise<void>;
}

/** An action as a value: buttons are made from it, and its handler is given to it where its stores are. */
export interface DefinedAction<S extends z.ZodType> {
  readonly name: string;
  /** A button that asks for it. What is given in `look` differs from what holds for all of its buttons. */
  button(label: string, payload: z.input<S> & object, look?: ButtonLook): ActionButton;
  /** Reads what a press of one of them carries. */
  read(payload: unknown): z.output<S>;
  /** The action with what a press does. */
  does(run: (request: RequestContext, payload: z.output<S>) => Promise<void>): Action;
}

/** Of buttons that only look, or only ask: they work until the list is old, and may be pressed again. */
export const LOOKING = { ttlSeconds: 604_800, reusable: true } as const;

/** Declares what buttons can ask for: by whom, with what, and for how long. */
export function defineAction<S extends z.ZodType<unknown, object>>({
  name: written,
  formerly = [],
  permission,
  urgent = false,
  payload: schema,
  ttlSeconds,
  reusable,
}: {
  /** Unlike the name of any permission. */
  readonly name: string;
  readonly formerly?: readonly string[];
  readonly permission: Permission | null;
  readonly urgent?: boolean;
  readonly payload: S;
  /** Of its buttons; absent: a day. */
  readonly ttlSeconds?: number;
  /** Its buttons only look, and may be pressed again. */
  readonly reusable?: boolean;
}): DefinedAction<S> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where a name becomes that of an action
  const name = written as ActionName;
  const always = {
    permission,
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    ...(reusable === undefined ? {} : { reusable }),
  };
  return {
    name,
    button: (label, payload, look = {}) => ({
      label,
      action: name,
      payload: Object.fromEntries(Object.entries(payload)),
      ...always,
      ...look,
    }),
    read: (payload) => schema.parse(payload),
    does: (run) => ({
      name,
      formerly,
      permission,
      urgent,
      run: async (request, payload) => {
        await run(request, schema.parse(payload));
      },
    }),
  };
}
