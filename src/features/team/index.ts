import { z } from 'zod';
import type { Role } from '../../domain/roles.ts';
import type { TeamStore } from '../../ports/team.ts';
import { defineCommand, takeRest, type Feature } from '../../telegram/feature.ts';
import { lines, type Html } from '../../telegram/html.ts';
import { pageButtons } from '../../telegram/pages.ts';
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

  const list = defineCommand({
    name: 'team',
    permission: 'team.view',
    about: (locale) => texts(locale).aboutTeam,
    args: {},
    run: async (turn) => {
      const { content, buttons } = await teamPage(turn, 1);
      await turn.say(content, { buttons });
    },
  });

  const teamPage = async (turn: Turn, wanted: number) => {
    const t = texts(turn.locale);
    const members = await team.members(turn.chat.id);
    const pages = Math.max(1, Math.ceil(members.length / PAGE));
    const page = Math.min(wanted, pages);
    const rows: Html[] = [];
    let heading: Role | null = null;
    for (const member of members.slice((page - 1) * PAGE, page * PAGE)) {
      if (member.role !== heading) rows.push(t.heading(roleName(turn.locale, member.role)));
      heading = member.role;
      const linked = member.role === 'owner' && member.grantedBy.id === member.id;
      rows.push(
        t.member({
          ...member,
          by: linked ? null : member.grantedBy.name,
          date: turn.format.date(member.grantedAt),
        }),
      );
    }
    return {
      content: lines(t.team(turn.chat.title, turn.format.count(members.length, t.people)), ...rows),
      buttons: [
        pageButtons(turn, {
          page,
          pages,
          button: (label, to) => teamActions.page.button(label, { page: to }),
        }),
      ],
    };
  };

  return {
    name: 'team',
    topic: 'team',
    commands: [role, list, form],
    actions: [
      teamActions.page.does(async (turn, { page }) => {
        const { content, buttons } = await teamPage(turn, page);
        await turn.rewrite(content, { buttons });
      }),
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
