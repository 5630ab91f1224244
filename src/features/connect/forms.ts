import { z } from 'zod';
import { Secret } from '../../domain/secret.ts';
import type { Locale } from '../../i18n/define.ts';
import type { CredentialName, GatewayCredentials } from '../../ports/gateway.ts';
import { defineCommand, type Argument, type Choice, type Command } from '../../telegram/feature.ts';
import { wayBack } from '../../telegram/message-link.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { kitTexts } from '../../telegram/texts.ts';
import { texts } from './texts.ts';

/** What a credential is given for, and of which kind it is. */
export interface Linking {
  readonly credential: CredentialName;
  readonly target: string;
  /** The name of the group; `-` for the private chat itself. */
  readonly title: string;
  /** The address of what has led to it in the group. */
  readonly back?: string | undefined;
}

export interface CredentialFormDeps {
  /** The other credentials that could be given instead. */
  readonly others: (than: CredentialName) => readonly CredentialName[];
  /** Gets what was typed, for the chat that it is meant for. */
  readonly check: (ctx: RequestContext, linking: Linking, given: GatewayCredentials) => Promise<void>;
  /** Learns of a credential as soon as it is read. */
  readonly keepSecret: (secret: Secret) => void;
}

/** The forms that ask for a credential, one for each kind. They run in the private chat alone. */
export const CREDENTIAL_FORMS = {
  api_key: 'connect-key',
  username_password: 'connect-password',
  token: 'connect-token',
} as const satisfies Record<CredentialName, string>;

export function createCredentialForms({
  others: otherKinds,
  check,
  keepSecret,
}: CredentialFormDeps): Command[] {
  /** Leads to the other credentials that the deployment can use. */
  const others =
    (than: CredentialName) =>
    async (ctx: RequestContext): Promise<readonly Choice[]> =>
      otherKinds(than).map((name) => ({ label: label(ctx.locale, name), form: CREDENTIAL_FORMS[name] }));

  const secretArgument = (ask: Argument['ask'], usageOf: Argument['usage'], than?: CredentialName) =>
    ({
      schema: credentialSchema,
      take: null,
      secret: true,
      usage: usageOf,
      ask,
      problem: (locale: Locale) => texts(locale).badKey,
      ...(than === undefined ? {} : { choices: others(than) }),
    }) satisfies Argument;

  const keep = (text: string): Secret => {
    const secret = new Secret(text);
    keepSecret(secret);
    return secret;
  };

  const form = {
    permission: null,
    place: 'private',
    about: null,
    cancelled: async (ctx, { back: address }) =>
      await ctx.rewrite(kitTexts(ctx.locale).cancelled, { buttons: [[wayBack(ctx.locale, address)]] }),
  } as const satisfies Partial<Command>;

  const keyForm = defineCommand({
    ...form,
    name: CREDENTIAL_FORMS.api_key,
    args: {
      ...head,
      key: secretArgument(
        ({ locale }, known) => texts(locale).askKey(known['title'] === '-' ? '' : (known['title'] ?? '')),
        (locale) => texts(locale).usageKey,
        'api_key',
      ),
    },
    run: async (ctx, { key, ...linking }) =>
      await check(ctx, { credential: 'api_key', ...linking }, { apiKey: keep(key) }),
  });

  const passwordForm = defineCommand({
    ...form,
    name: CREDENTIAL_FORMS.username_password,
    args: {
      ...head,
      username: {
        schema: userNameSchema,
        take: null,
        // A key is pasted here by mistake often enough.
        secret: true,
        usage: (locale) => texts(locale).usageUser,
        ask: ({ locale }) => texts(locale).askUsername,
        problem: (locale) => texts(locale).badWord,
        choices: others('username_password'),
      },
      password: secretArgument(
        ({ locale }) => texts(locale).askPassword,
        (locale) => texts(locale).usagePassword,
      ),
    },
    run: async (ctx, { username, password, ...linking }) =>
      await check(
        ctx,
        { credential: 'username_password', ...linking },
        { username, password: keep(password) },
      ),
  });

  const tokenForm = defineCommand({
    ...form,
    name: CREDENTIAL_FORMS.token,
    args: {
      ...head,
      token: secretArgument(
        ({ locale }) => texts(locale).askToken,
        (locale) => texts(locale).usageToken,
        'token',
      ),
    },
    run: async (ctx, { token, ...linking }) =>
      await check(ctx, { credential: 'token', ...linking }, { token: keep(token) }),
  });

  return [keyForm, passwordForm, tokenForm];
}

const wordSchema = z
  .string()
  .trim()
  .max(200)
  .regex(/^[\u0021-\u007e]+$/u);

const userNameSchema = wordSchema.min(1);
export const credentialSchema = wordSchema.min(4);

/** Known from the start of the form; never asked for. */
export const carried = {
  schema: z.uuid(),
  take: null,
  usage: () => '',
  ask: (ctx: RequestContext) => texts(ctx.locale).gone,
  problem: (locale: Locale) => texts(locale).gone,
} satisfies Argument;

/** The address that leads back into the group. */
export const back = { ...carried, schema: z.string(), optional: true } as const satisfies Argument;

const head = { target: carried, title: { ...carried, schema: z.string() }, back };

function label(locale: Locale, name: CredentialName): string {
  const t = texts(locale);
  if (name === 'api_key') return t.viaKey;
  return name === 'token' ? t.viaToken : t.viaPassword;
}
