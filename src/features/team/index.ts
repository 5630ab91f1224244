import { z } from 'zod';
import type { Role } from '../../domain/roles.ts';
import type { Stores } from '../../storage/stores.ts';
import { announce } from '../../telegram/announce.ts';
import { defineCommand, takeRest, type Feature } from '../../telegram/feature.ts';
import { lines } from '../../telegram/html.ts';
import { wayBack } from '../../telegram/message-link.ts';
import { defineList, pageOf } from '../../telegram/list.ts';
import { roleName } from '../../telegram/texts.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { doerOf } from '../shared/doer.ts';
import { teamActions } from './actions.ts';
import { answer } from './answer-card.ts';
import { personArgument, readRole, roleArgument } from './arguments.ts';
import { createTeamService, type Wish } from './service.ts';
import { texts } from './texts.ts';

const ROLE_FORM = 'role-give';
const PAGE = 20;

/** Who has which role: giving, taking, joining by a link, and the list. */
export function createTeamFeature({ team }: { readonly team: Stores['team'] }): Feature {
  const service = createTeamService(team);
  const person = personArgument(team);

  const give = async (ctx: RequestContext, wanted: number | string, role: Role | null): Promise<void> => {
    // A message of its own, never an edited one: only that tells the person it names.
    await answer(ctx, await service.give(wishOf(ctx, wanted, role)), role);
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
    run: async (ctx, typed) => {
      const t = texts(ctx.locale);
      if (ctx.chat.type === 'private') {
        await ctx.say(t.onlyInGroups);
        return;
      }
      let wanted = typed.person;
      if (wanted === undefined && ctx.repliedTo !== null) {
        await team.meet(ctx.repliedTo);
        wanted = ctx.repliedTo.id;
      }
      const wish = typed.role === undefined ? undefined : readRole(typed.role);
      if (wanted !== undefined && wish !== undefined) return await give(ctx, wanted, wish);
      await ctx.ask(ROLE_FORM, {
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
    about: null,
    args: { person, role: roleArgument(team) },
    run: async (ctx, values) => await give(ctx, values.person, values.role),
  });

  const members = defineList({
    pages: teamActions.page,
    source: async (ctx, { page }) => pageOf(await team.members(ctx.chat.id), page, PAGE),
    card: (ctx, { rows, total }) => {
      const t = texts(ctx.locale);
      const head = t.team(ctx.chat.title, ctx.format.count(total, t.people));
      const said = rows.flatMap((member, index) => {
        const linked = member.role === 'owner' && member.grantedBy.id === member.id;
        const by = linked ? null : member.grantedBy.name;
        return [
          member.role !== rows[index - 1]?.role && t.heading(roleName(ctx.locale, member.role)),
          t.member({ ...member, by, date: ctx.format.date(member.grantedAt) }),
        ];
      });
      return { content: lines(head, ...said) };
    },
  });

  const list = defineCommand({
    name: 'team',
    alsoCalled: [
      'users',
      'members',
      'invite',
      'colleague',
      'دعوت',
      'همکار',
      'roles',
      'تیم',
      'همکاران',
      'نقش',
      'user',
      'adduser',
      'colleagues',
      'permissions',
      'access',
      'عضو',
      'دسترسی',
      'کاربر',
    ],
    permission: 'team.view',
    about: (locale) => texts(locale).aboutTeam,
    args: {},
    run: async (ctx) => await members.say(ctx, { page: 1 }),
  });

  return {
    name: 'team',
    topic: 'team',
    commands: [role, list, form],
    actions: [
      ...members.actions,
      teamActions.makeOwner.does(async (ctx, { personId }) => {
        if (ctx.pressedMessageId !== null) await ctx.disarm(ctx.pressedMessageId);
        await answer(ctx, await service.give(wishOf(ctx, personId, 'owner'), true), 'owner');
      }),
      teamActions.leave.does(async (ctx) => await ctx.rewrite(texts(ctx.locale).left)),
    ],
    starts: {
      j: async (ctx, token) => {
        const t = texts(ctx.locale);
        const opened = await team.join({ token, ...doerOf(ctx) });
        if (opened.result === 'gone') await ctx.say(t.linkGone);
        else if (opened.result === 'void') await ctx.say(t.voidLink);
        else if (opened.result === 'has_role')
          await ctx.say(t.hasRole(roleName(ctx.locale, opened.role), opened.chat.title));
        else {
          const locale = opened.chat.lang ?? ctx.locale;
          const back = await announce(
            ctx,
            opened.chat,
            texts(locale).joinedChat(ctx.person, roleName(locale, opened.role), opened.granter.name),
          );
          await ctx.say(t.joined(roleName(ctx.locale, opened.role), opened.chat.title), {
            buttons: [[wayBack(ctx.locale, back)]],
          });
        }
      },
    },
  };
}

function wishOf(ctx: RequestContext, person: number | string, role: Role | null): Wish {
  return {
    chatId: ctx.chat.id,
    granter: { id: ctx.person.id, role: ctx.role },
    botId: ctx.bot.id,
    person,
    role,
    updateId: ctx.updateId,
    seenNow: ctx.seenNow,
  };
}
