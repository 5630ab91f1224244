import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { faultSchema } from './faults.ts';
import { whyNeverMet } from './striking.ts';
import { createVersion1 } from './versions/v1.ts';
import { createVersion3 } from './versions/v3.ts';
import { createVersion4 } from './versions/v4.ts';
import { accountSeed } from './world/account-seed.ts';
import { DEFAULT_ACCOUNTS } from './world/default-accounts.ts';
import { deliveryPlanSchema } from './world/delivery-plan.ts';
import { findLine } from './world/numbers.ts';
import { switchesSchema } from './world/switches.ts';

/** A mistake in a file, worded for the person who made it. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/** Accounts that fit beside each other, with all that they have. */
const accountList = z
  .array(accountSeed)
  .min(1)
  .superRefine((accounts, context) => {
    for (const [at, account] of accounts.entries()) {
      const complain = (path: (string | number)[], message: string) =>
        context.addIssue({ code: 'custom', path: [at, ...path], message });
      for (const member of ['username', 'apiKey', 'token'] as const) {
        const twin = accounts.slice(0, at).find((one) => one[member] === account[member]);
        if (account[member] !== undefined && twin !== undefined)
          complain([member], `account ${twin.username} has this ${member}`);
      }
      for (const member of ['inbox', 'blacklist'] as const)
        for (const [row, { line }] of account[member].entries())
          if (findLine(account.lines, line) === undefined)
            complain([member, row, 'line'], `${line} is none of the account's lines`);
      for (const member of ['title', 'flag'] as const)
        for (const [row, book] of account.phonebooks.entries())
          if (account.phonebooks.slice(0, row).some((one) => one[member] === book[member]))
            complain(['phonebooks', row, member], `another phonebook has this ${member}`);
    }
  });

const config = z
  .strictObject({
    accounts: accountList.optional(),
    /** For the accounts that have no plan of their own. */
    delivery: deliveryPlanSchema.optional(),
    deliverySeconds: z.number().min(0).max(999_999).optional(),
    switches: switchesSchema.partial().optional(),
    faults: z.array(faultSchema).default([]),
  })
  .superRefine(({ accounts, faults }, context) => {
    const known = (accounts ?? DEFAULT_ACCOUNTS).map(({ username }) => username);
    const versions = [createVersion4(), createVersion3(), createVersion1()];
    for (const [at, fault] of faults.entries()) {
      const message = whyNeverMet(fault, versions, known);
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['faults', at], message });
    }
  });

/** What a sandbox begins with, from a file of JSON. Throws FileError, which names every mistake in it. */
export function readConfig(file: string) {
  const { delivery, accounts, deliverySeconds, switches, faults } = read('--config', file, config);
  const all = accounts ?? (delivery === undefined ? undefined : DEFAULT_ACCOUNTS);
  return {
    accounts: all?.map((account) => ({ ...account, delivery: account.delivery ?? delivery })),
    deliverySeconds,
    switches,
    faults,
  };
}

/** The accounts of a file that has nothing else. Throws FileError, which names every mistake in it. */
export function readAccounts(file: string) {
  return read('--accounts', file, accountList);
}

function read<T>(option: string, file: string, schema: z.ZodType<T>): T {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON' : describeIo(error);
    throw new FileError(`${option}: cannot read ${file}: ${reason}`);
  }
  const checked = schema.safeParse(content);
  if (checked.success) return checked.data;
  throw new FileError(`${option}: ${file} does not fit:\n${z.prettifyError(checked.error)}`);
}

function describeIo(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
