import type { Role } from '../../domain/roles.ts';
import { roleName } from '../../telegram/texts.ts';
import type { Turn } from '../../telegram/turn.ts';
import { teamActions } from './actions.ts';
import type { Answer } from './service.ts';
import { texts } from './texts.ts';

/** Says what became of it. */
export async function answer(turn: Turn, given: Answer, role: Role | null): Promise<number> {
  const t = texts(turn.locale);
  const name = (each: Role): string => roleName(turn.locale, each);
  switch (given.kind) {
    case 'changed': {
      const from = given.from === null ? null : name(given.from);
      const by = turn.person.name;
      return await turn.say(
        role === null ? t.taken(given.person, from ?? '', by) : t.given(given.person, name(role), from, by),
      );
    }
    case 'same':
      return await turn.say(t.same(given.person, role === null ? null : name(role)));
    case 'last_owner':
      return await turn.say(t.lastOwner(given.person));
    case 'person_above':
      return await turn.say(t.personAbove(given.person, name(given.person.role ?? 'viewer')));
    case 'confirm_owner': {
      const mine = { personId: turn.person.id };
      return await turn.say(t.askOwner(given.person), {
        buttons: [
          [
            teamActions.makeOwner.button(t.makeOwner, { personId: given.person.id }, mine),
            teamActions.leave.button(t.cancel, {}, mine),
          ],
        ],
      });
    }
    case 'link': {
      const url = turn.startLink(`j_${given.token}`);
      const wanted = name(role ?? 'viewer');
      return await turn.say(t.joinLink(wanted, url, given.only), {
        buttons: [[{ label: t.join(wanted), url }]],
      });
    }
    case 'above_own':
      return await turn.say(t.aboveOwn(name(role ?? 'viewer')));
    case 'nobody':
      return await turn.say(t.nobody);
    case 'unmet_none':
      return await turn.say(t.unmetNone);
    case 'unmet_owner':
      return await turn.say(t.unmetOwner);
    case 'not_allowed':
      return await turn.say(t.notAllowed);
  }
}
