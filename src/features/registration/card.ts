import { maskNationalCode } from '../../domain/national-code.ts';
import { maskRecipient } from '../../domain/phone.ts';
import type { Locale } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { REGISTRATION_OPEN_SECONDS, type OpenRegistration } from '../../ports/registrations.ts';
import { b, html, lines, type Html } from '../../telegram/html.ts';
import type { RenderedCard } from '../../telegram/outgoing/notifier.ts';
import { registrationActions } from './actions.ts';
import { fieldTexts } from './field-texts.ts';
import { titleFor } from './outcome-texts.ts';
import { texts } from './texts.ts';

/**
 * The summary before the call. Of the two secrets it shows the code's end, and the password only while `password` is
 * `shown`. One that was made here is looked at before there is a way to register.
 */
export function previewCard(
  locale: Locale,
  registration: OpenRegistration,
  password: 'not_shown' | 'shown' | 'was_shown',
  { back, note }: { readonly back?: string | undefined; readonly note?: Html },
): RenderedCard {
  const t = texts(locale);
  const { user, generated, personId } = registration;
  const payload = { registrationId: registration.id, userName: user.userName, back };
  const look = { personId, ttlSeconds: REGISTRATION_OPEN_SECONDS };
  const unseen = generated && password === 'not_shown';
  const manager = { account: registration.accountName, chat: titleFor(registration.chat) };
  return {
    content: lines(
      note,
      html`👤 ${b(isolateLtr(user.userName))} ${t.under(manager)}`,
      ...details(locale, registration),
      row(locale, 'password', passwordLine(locale, registration, password)),
      t.confirmAsk,
    ),
    buttons: [
      [
        unseen
          ? registrationActions.show.button(t.show, payload, look)
          : registrationActions.confirm.button(t.confirm, payload, { ...look, style: 'success' }),
        registrationActions.drop.button(t.cancel, payload, look),
      ],
    ],
  };
}

function details(locale: Locale, { user }: OpenRegistration): Html[] {
  const t = texts(locale);
  const fields = user.personality?.fields ?? {};
  const labels = new Map(Object.entries(fieldTexts(locale)).map(([name, { label }]) => [name, label]));
  return [
    ...(user.personality === undefined ? [] : [b(t[user.personality.kind])]),
    ...Object.entries(fields).map(
      ([name, value]) => html`${labels.get(name) ?? name}: ${isolateAuto(value)}`,
    ),
    row(locale, 'mobile', isolateLtr(maskRecipient(user.mobile))),
    row(locale, 'nationalCode', isolateLtr(maskNationalCode(user.nationalCode))),
    row(locale, 'packageId', isolateLtr(user.packageId)),
    row(locale, 'reseller', user.reseller ? t.yes : t.no),
    row(locale, 'parent', isolateLtr(user.parent)),
  ];
}

function passwordLine(
  locale: Locale,
  { user, generated }: OpenRegistration,
  password: 'not_shown' | 'shown' | 'was_shown',
): Html {
  const t = texts(locale);
  if (!generated) return t.typed;
  if (password === 'not_shown') return t.made;
  return password === 'shown' ? t.shown(user.password.reveal()) : t.hidden;
}

function row(locale: Locale, name: keyof ReturnType<typeof fieldTexts>, value: Html | string): Html {
  return html`${fieldTexts(locale)[name].label}: ${value}`;
}
