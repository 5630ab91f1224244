import type { Role } from '../../domain/roles.ts';
import { roleName } from '../../telegram/texts.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { teamActions } from './actions.ts';
import type { Answer } from './service.ts';
import { texts } from './texts.ts';

/** Says what became of it. */
export async function answer(ctx: RequestContext, given: Answer, role: Role | null): Promise<number> {
  const t = texts(ctx.locale);
  const name = (each: Role): string => roleName(ctx.locale, each);
  switch (given.kind) {
    case 'changed': {
      const from = given.from === null ? null : name(given.from);
      const by = ctx.person.name;
      return await ctx.say(
        role === null ? t.taken(given.person, from ?? '', by) : t.given(given.person, name(role), from, by),
      );
    }
    case 'same':
      return await ctx.say(t.same(given.person, role === null ? null : name(role)));
    case 'last_owner':
      return await ctx.say(t.lastOwner(given.person));
    case 'person_above':
      return await ctx.say(t.personAbove(given.person, name(given.person.role ?? 'viewer')));
    case 'confirm_owner': {
      const mine = { personId: ctx.person.id };
      return await ctx.say(t.askOwner(given.person), {
        buttons: [
          [
            teamActions.makeOwner.button(t.makeOwner, { personId: given.person.id }, mine),
            teamActions.leave.button(t.cancel, {}, mine),
          ],
        ],
      });
    }
    case 'link': {
      const url = ctx.startLink(`j_${given.token}`);
      const wanted = name(role ?? 'viewer');
      return await ctx.say(t.joinLink(wanted, url, given.only), {
        buttons: [[{ label: t.join(wanted), url }]],
      });
    }
    case 'above_own':
      return await ctx.say(t.aboveOwn(name(role ?? 'viewer')));
    case 'nobody':
      return await ctx.say(t.nobody);
    case 'unmet_none':
      return await ctx.say(t.unmetNone);
    case 'unmet_owner':
      return await ctx.say(t.unmetOwner);
    case 'not_allowed':
      return await ctx.say(t.notAllowed);
  }
}
