import type { InlineKeyboardButton, InlineKeyboardMarkup } from '@grammyjs/types';
import { can, rankOf, leastRole, type Permission } from '../domain/roles.ts';
import type { Locale } from '../i18n/define.ts';
import type { ButtonSpec, ButtonStore } from '../ports/stores.ts';
import { fittingLabel, fittingRows } from './button-rows.ts';

declare const defined: unique symbol;
/** The name of an action, which only its definition gives. */
export type ActionName = string & { readonly [defined]: true };

/** A button that does something here, made by its action. Its token is opaque, works once, and is checked at the press. */
export interface ActionButton {
  readonly label: string;
  readonly action: ActionName;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly permission: Permission | null;
  /** The only person who may press it; absent: anyone with the permission. */
  readonly personId?: number | undefined;
  readonly draft?: { readonly id: string; readonly version: number };
  readonly ttlSeconds?: number;
  /** Only for what has no effect: it may be pressed again. */
  readonly reusable?: boolean;
  readonly style?: 'primary' | 'success' | 'danger';
}

/** How one button differs from the others of its action. */
export type ButtonLook = Partial<
  Pick<ActionButton, 'permission' | 'personId' | 'draft' | 'ttlSeconds' | 'reusable' | 'style'>
>;

export interface LinkButton {
  readonly label: string;
  readonly url: string;
}

export interface CopyButton {
  readonly label: string;
  readonly copy: string;
}

export type Button = ActionButton | LinkButton | CopyButton;
/**
 * Rows as an English reader sees them; Telegram does not mirror them, so they are reversed for Persian. One that does not
 * fit on a phone is parted, and a label that does not is shortened, in the names that `isolateAuto` sets off in it.
 */
export type Buttons = readonly (readonly (Button | false | null | undefined)[])[];

/** Puts buttons in rows of so many. */
export function inRows<B>(buttons: readonly B[], width: number): B[][] {
  return Array.from({ length: Math.ceil(buttons.length / width) }, (_, row) =>
    buttons.slice(row * width, (row + 1) * width),
  );
}

const DAY_SECONDS = 86_400;
const PREFIX = 'p1:';

/**
 * Writes the tokens of a message's buttons and gives the keyboard for Telegram.
 * @param chatId where the message stands, and the only place where they can be pressed.
 * @param homeChatId whose roles count and what a press acts upon, where that is another chat: an alert in a channel.
 */
export async function keyboard(
  store: ButtonStore,
  chatId: string,
  locale: Locale,
  buttons: Buttons,
  homeChatId: string = chatId,
): Promise<InlineKeyboardMarkup | undefined> {
  const rows = fittingRows(
    buttons.map((row) =>
      // Half a character cannot be sent: Telegram would refuse the whole message.
      row.filter(isButton).map((button) => ({ ...button, label: fittingLabel(button.label.toWellFormed()) })),
    ),
  );
  if (rows.length === 0) return undefined;
  const tokens = await store.mint(
    chatId,
    rows
      .flat()
      .filter(isAction)
      .map((button) => ({ ...toSpec(button), ...(homeChatId === chatId ? {} : { homeChatId }) })),
  );
  let next = 0;
  const inline_keyboard = rows.map((row) => {
    const made = row.map((button): InlineKeyboardButton => {
      const { label } = button;
      if ('url' in button) return { text: label, url: button.url };
      if ('copy' in button) return { text: label, copy_text: { text: button.copy } };
      const token = tokens[next] ?? '';
      next += 1;
      return {
        text: label,
        callback_data: `${PREFIX}${token}`,
        ...(button.style === undefined ? {} : { style: button.style }),
      };
    });
    return locale === 'fa' ? made.toReversed() : made;
  });
  return { inline_keyboard };
}

/** The token in callback data, or null when the data is not of this kit's form. */
export function tokenOf(data: string | undefined): string | null {
  const match = /^p1:([A-Za-z0-9_-]{22})$/.exec(data ?? '');
  return match?.[1] ?? null;
}

function toSpec(button: ActionButton): ButtonSpec {
  return {
    action: button.action,
    payload: button.payload ?? {},
    personId: button.personId,
    minRank:
      button.permission === null || can(null, button.permission) ? -1 : rankOf(leastRole(button.permission)),
    draft: button.draft,
    ttlSeconds: button.ttlSeconds ?? DAY_SECONDS,
    ...(button.reusable === true ? { reusable: true } : {}),
  };
}

function isButton(button: Button | false | null | undefined): button is Button {
  return button !== false && button !== null && button !== undefined;
}

function isAction(button: Button): button is ActionButton {
  return 'action' in button;
}
