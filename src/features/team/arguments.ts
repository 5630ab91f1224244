import { z } from 'zod';
import { isRole, mayGrant, ROLES, type Role } from '../../domain/roles.ts';
import { isolateAuto } from '../../i18n/format.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Argument } from '../../telegram/feature.ts';
import { clip } from '../../telegram/html.ts';
import { roleName } from '../../telegram/texts.ts';
import { readHandle, takeHandle } from '../shared/teammate.ts';
import { plainWord, wordReader } from '../shared/words.ts';
import { texts } from './texts.ts';

type Store = Pick<Stores['team'], 'members' | 'find'>;

const MAX_OFFERED = 20;

const personSchema = z.string().transform((typed, ctx): number | string => {
  const handle = readHandle(typed);
  if (handle !== null) return handle;
  ctx.addIssue({ code: 'custom', message: 'neither a user name nor an id' });
  return z.NEVER;
});

const roleSchema = z.string().transform((typed, ctx): Role | null => {
  const role = readRole(typed);
  if (role !== undefined) return role;
  ctx.addIssue({ code: 'custom', message: 'not a role' });
  return z.NEVER;
});

/** Whose role: `@name` or a numeric id, before or after the role. */
export function personArgument(team: Store) {
  return {
    schema: personSchema,
    take: takeHandle,
    usage: (locale) => texts(locale).usagePerson,
    ask: ({ locale }) => texts(locale).askPerson,
    problem: (locale, typed) => texts(locale).badPerson(clip(typed, 40)),
    choices: async (ctx) => {
      const members = await team.members(ctx.chat.id);
      return members
        .filter((member) => mayGrant(ctx.role, null, member.role))
        .slice(0, MAX_OFFERED)
        .map(({ id, name, role }) => ({
          label: `${isolateAuto(name)} · ${roleName(ctx.locale, role)}`,
          value: String(id),
        }));
    },
  } satisfies Argument;
}

/** Which role: only those that the asker may give to that person are offered. */
export function roleArgument(team: Store) {
  return {
    schema: roleSchema,
    take: null,
    usage: (locale) => texts(locale).usageRole,
    ask: ({ locale }) => texts(locale).askRole,
    problem: (locale, typed) => texts(locale).badRole(clip(typed, 40)),
    choices: async (ctx, known) => {
      const wanted = personSchema.safeParse(known['person'] ?? '');
      const person = wanted.success ? await team.find(ctx.chat.id, wanted.data) : null;
      const current = person?.role ?? null;
      const roles = ROLES.filter(
        (role) =>
          role !== current &&
          mayGrant(ctx.role, role, current) &&
          // A link would make an owner of whoever opens it.
          (person !== null || role !== 'owner'),
      ).map((role) => ({ label: roleName(ctx.locale, role), value: role }));
      const none =
        current === null || !mayGrant(ctx.role, null, current)
          ? []
          : [{ label: texts(ctx.locale).noRole, value: 'none' }];
      return [...roles, ...none];
    },
  } satisfies Argument;
}

const readNone = wordReader({ none: ['no', 'هیچ', 'هیچکدام', 'هیچ یک', 'بی‌نقش'] });

/** What roles were called before: people have it in their fingers. */
const FORMERLY: ReadonlyMap<string, Role> = new Map([['متصدی', 'operator']]);

/** A role by its name in either language; null for "none", undefined for neither. */
export function readRole(typed: string): Role | null | undefined {
  const word = plainWord(typed);
  if (readNone(typed) !== null) return null;
  if (isRole(word)) return word;
  return FORMERLY.get(word) ?? ROLES.find((role) => plainWord(roleName('fa', role)) === word);
}
