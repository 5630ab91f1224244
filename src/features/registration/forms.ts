import { z } from 'zod';
import type { Secret } from '../../domain/secret.ts';
import type { NewUser, NewUserPersonality } from '../../ports/gateway.ts';
import { defineCommand, type Command } from '../../telegram/feature.ts';
import { wayBack } from '../../telegram/message-link.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { carried } from '../shared/shared-arguments.ts';
import {
  addressText,
  birthDayText,
  certificateText,
  companyIdText,
  companyNumberText,
  emailText,
  field,
  gender,
  managerText,
  mobileText,
  nameText,
  packageText,
  phoneText,
  postCodeText,
  reseller,
  secretFields,
  skippable,
  userNameText,
} from './arguments.ts';
import { texts } from './texts.ts';

/** What a form has gathered; without a password, one is to be made. */
export interface Gathered {
  /** The chat whose account it is for, and the account as it was at the first question. */
  readonly target: string;
  readonly binding: string;
  /** The address that leads back into the group. */
  readonly back: string | undefined;
  readonly user: Omit<NewUser, 'password'> & { readonly password: Secret | null };
}

export interface RegistrationFormDeps {
  readonly keepSecret: (secret: Secret) => void;
  readonly likelyParents: (bindingId: string) => Promise<readonly string[]>;
  readonly review: (ctx: RequestContext, gathered: Gathered) => Promise<void>;
}

export const FORMS = {
  kind: 'register-kind',
  short: 'register-short',
  natural: 'register-natural',
  legal: 'register-legal',
} as const;

/** The questions, in the private chat alone: the short form of every version, and those of a person in version 1. */
export function createRegistrationForms({
  keepSecret,
  likelyParents,
  review,
}: RegistrationFormDeps): Command[] {
  const form = {
    permission: null,
    place: 'private',
    about: null,
    cancelled: async (ctx, { back }) =>
      await ctx.rewrite(texts(ctx.locale).dropped, { buttons: [[wayBack(ctx.locale, back)]] }),
  } as const satisfies Partial<Command>;
  const { nationalCode, password } = secretFields(keepSecret);

  const parent = field('parent', managerText, {
    choices: async (_ctx, known) =>
      (await likelyParents(known['binding'] ?? '')).map((name) => ({ label: name, value: name })),
  });
  const common = {
    userName: field('userName', userNameText),
    mobile: field('mobile', mobileText),
    nationalCode,
    password,
    packageId: field('packageId', packageText),
    reseller,
  };
  const person = {
    first_name: field('first_name', nameText),
    last_name: field('last_name', nameText),
    father: skippable('father', nameText),
    gender,
    date: skippable('date', birthDayText),
    shenasname: skippable('shenasname', certificateText),
    email: skippable('email', emailText),
    tel: skippable('tel', phoneText),
    fax: skippable('fax', phoneText),
    post_code: skippable('post_code', postCodeText),
    addr: skippable('addr', addressText),
    referrer: skippable('referrer', nameText),
  };
  const company = {
    company: field('company', nameText),
    company_reg_number: skippable('company_reg_number', companyNumberText),
    company_eco_code: skippable('company_eco_code', companyNumberText),
    company_melli_id: skippable('company_melli_id', companyIdText),
    company_type: skippable('company_type', nameText),
  };

  return [
    defineCommand({
      ...form,
      name: FORMS.kind,
      args: {
        ...head,
        kind: field(
          'kind',
          z.string().refine(() => false),
          {
            choices: async ({ locale }) => [
              { label: texts(locale).natural, form: FORMS.natural },
              { label: texts(locale).legal, form: FORMS.legal },
              { label: texts(locale).short, form: FORMS.short },
            ],
          },
        ),
      },
      run: async () => undefined,
    }),
    defineCommand({
      ...form,
      name: FORMS.short,
      args: { ...head, parent, ...common },
      run: async (ctx, { target, binding, back, ...user }) =>
        await review(ctx, { target, binding, back, user: plain(user) }),
    }),
    defineCommand({
      ...form,
      name: FORMS.natural,
      args: { ...head, parent, ...person, ...common },
      run: async (ctx, { target, binding, back, ...rest }) =>
        await review(ctx, {
          target,
          binding,
          back,
          user: { ...plain(rest), personality: personality('natural', person, rest) },
        }),
    }),
    defineCommand({
      ...form,
      name: FORMS.legal,
      args: { ...head, parent, ...company, ...person, ...common },
      run: async (ctx, { target, binding, back, ...rest }) =>
        await review(ctx, {
          target,
          binding,
          back,
          user: { ...plain(rest), personality: personality('legal', { ...company, ...person }, rest) },
        }),
    }),
  ];
}

const head = {
  target: { ...carried, schema: z.uuid() },
  binding: { ...carried, schema: z.uuid() },
  back: { ...carried, optional: true },
};

function plain(
  values: Omit<Gathered['user'], 'nationalCode' | 'personality'> & { readonly nationalCode: Secret },
) {
  const { userName, password, parent, mobile, nationalCode, packageId, reseller } = values;
  return { userName, password, parent, mobile, nationalCode: nationalCode.reveal(), packageId, reseller };
}

/** What was skipped is left out: the client sends it empty. */
function personality<Name extends string>(
  kind: NewUserPersonality['kind'],
  asked: Readonly<Record<Name, unknown>>,
  values: Readonly<Record<NoInfer<Name>, string>>,
): NewUserPersonality {
  const given = Object.entries<string>(values).filter(([name, value]) => name in asked && value !== '');
  return { kind, fields: Object.fromEntries(given) };
}
