import { z } from 'zod';
import type { Role } from '../../domain/roles.ts';
import type { TeamStore } from '../../ports/team.ts';
import { defineCommand, takeRest, type Feature } from '../../telegram/feature.ts';
import { lines } from '../../telegram/html.ts';
import { defineList, pageOf } from '../../telegram/list.ts';
import { roleName } from '../../telegram/texts.ts';
import type { Turn } from '../../telegram/turn.ts';
import { teamActions } from './actions.ts';
import { answer } from './answer-card.ts';
import { personArgument, readRole, roleArgument } from './arguments.ts';
import { createTeamService, type Wish } from './service.ts';
import { texts } from './texts.ts';

const ROLE_FORM = 'role-give';
const PAGE = 20;

/** Who has which role: giving, taking, joining by a link, and the list. */
export function createTeamFeature({ team }: { readonly team: TeamStore }): Feature {
  const service = createTeamService(team);
  const person = personArgument(team);

  const give = async (turn: Turn, wanted: number | string, role: Role | null): Promise<void> => {
    // A message of its own, never an edited one: only that tells the person it names.
    await answer(turn, await service.give(wishOf(turn, wanted, role)), role);
  };

  const role = defineCommand({
    name: 'role',
    permission: 'roles.grant',
    about: (locale) => texts(locale).aboutRole,
    example: (locale) => texts(locale).exampleRole,
    args: {
      person: { ...person, optional: true },
      // What does not fit is asked for by the form, which knows the person of the reply too.
      role: { ...roleArgument(team), schema: z.string(), take: takeRest, optional: true },
    },
    run: async (turn, typed) => {
      const t = texts(turn.locale);
      if (turn.chat.type === 'private') {
        await turn.say(t.onlyInGroups);
        return;
      }
      let wanted = typed.person;
      if (wanted === undefined && turn.repliedTo !== null) {
        await team.meet(turn.repliedTo);
        wanted = turn.repliedTo.id;
      }
      const wish = typed.role === undefined ? undefined : readRole(typed.role);
      if (wanted !== undefined && wish !== undefined) return await give(turn, wanted, wish);
      await turn.ask(ROLE_FORM, {
        ...(wanted === undefined
          ? {}
          : { person: typeof wanted === 'number' ? String(wanted) : `@${wanted}` }),
        ...(typed.role === undefined ? {} : { role: typed.role }),
      });
    },
  });

  const form = defineCommand({
    name: ROLE_FORM,
    permission: 'roles.grant',
    internal: true,
    about: (locale) => texts(locale).aboutRole,
    args: { person, role: roleArgument(team) },
    run: async (turn, values) => await give(turn, values.person, values.role),
  });

  const members = defineList({
    pages: teamActions.page,
    source: async (turn, { page }) => pageOf(await team.members(turn.chat.id), page, PAGE),
    card: (turn, { rows, total }) => {
      const t = texts(turn.locale);
      const head = t.team(turn.chat.title, turn.format.count(total, t.people));
      const said = rows.flatMap((member, index) => {
        const linked = member.role === 'owner' && member.grantedBy.id === member.id;
        const by = linked ? null : member.grantedBy.name;
        return [
          member.role !== rows[index - 1]?.role && t.heading(roleName(turn.locale, member.role)),
          t.member({ ...member, by, date: turn.format.date(member.grantedAt) }),
        ];
      });
      return { content: lines(head, ...said) };
    },
  });

  const list = defineCommand({
    name: 'team',
    permission: 'team.view',
    about: (locale) => texts(locale).aboutTeam,
    args: {},
    run: async (turn) => await members.say(turn, { page: 1 }),
  });

  return {
    name: 'team',
    topic: 'team',
    commands: [role, list, form],
    actions: [
      ...members.actions,
      teamActions.makeOwner.does(async (turn, { personId }) => {
        if (turn.pressedMessageId !== null) await turn.disarm(turn.pressedMessageId);
        await answer(turn, await service.give(wishOf(turn, personId, 'owner'), true), 'owner');
      }),
      teamActions.leave.does(async (turn) => await turn.rewrite(texts(turn.locale).left)),
    ],
    starts: {
      j: async (turn, token) => {
        const t = texts(turn.locale);
        const opened = await team.join({ token, personId: turn.person.id, updateId: turn.updateId });
        if (opened.result === 'gone') await turn.say(t.linkGone);
        else if (opened.result === 'void') await turn.say(t.voidLink);
        else if (opened.result === 'has_role')
          await turn.say(t.hasRole(roleName(turn.locale, opened.role), opened.chat.title));
        else {
          await turn.say(t.joined(roleName(turn.locale, opened.role), opened.chat.title));
          const locale = opened.chat.lang ?? turn.locale;
          await turn.say(
            texts(locale).joinedChat(turn.person, roleName(locale, opened.role), opened.granter.name),
            { chatTelegramId: opened.chat.telegramId },
          );
        }
      },
    },
  };
}

function wishOf(turn: Turn, person: number | string, role: Role | null): Wish {
  return {
    chatId: turn.chat.id,
    granter: { id: turn.person.id, role: turn.role },
    botId: turn.bot.id,
    person,
    role,
    updateId: turn.updateId,
    seenNow: turn.seenNow,
  };
}
