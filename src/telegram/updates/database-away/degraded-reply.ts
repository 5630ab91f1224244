import type { Message, Update, User } from '@grammyjs/types';
import type { Api } from 'grammy';
import { defineTexts, type Locale } from '../../../i18n/define.ts';
import type { Log } from '../../../ports/runtime.ts';
import { commandIn } from '../../dispatch/command-in.ts';
import { html } from '../../html.ts';
import { telegramFailure } from '../../outgoing/errors.ts';
import type { DatabaseTrouble } from './trouble.ts';

export interface DegradedReplyDeps {
  readonly api: Api;
  readonly botUsername: string;
  readonly commands: { readonly has: (name: string) => boolean };
  readonly fallback: Locale;
  readonly log: Log;
}

/** A database that is away is back within moments for the most part; these last. */
const LASTING: ReadonlySet<DatabaseTrouble> = new Set(['full', 'read_only']);
const REMEMBERED = 1000;
/** Said to a chat, it stands for what comes after it. */
const SAID_MS = 60_000;

/** Telegram keeps what was said for a day, but a press for some minutes only: nothing is promised of that. */
const texts = defineTexts({
  en: {
    message: html`I cannot save anything right now, so nothing has been done about this yet. I will do it by myself as soon as I can. The bot’s administrator can see why.`,
    press:
      'I cannot save anything right now, so this press has done nothing yet. Look at the card again in a while; if nothing has changed by then, press once more.',
  },
  fa: {
    message: html`الان نمی‌توانم چیزی ثبت کنم و هنوز کاری در این باره انجام نشده است. همین که بتوانم خودم به آن می‌رسم؛ مدیر ربات علت را می‌بیند.`,
    press:
      'الان نمی‌توانم چیزی ثبت کنم و این دکمه هنوز کاری نکرده است. کمی بعد دوباره کارت را ببینید؛ اگر تغییری نکرده بود یک بار دیگر بزنید.',
  },
});

/**
 * Tells people that what they asked waits, where the database takes no writes: once for each press, once a minute in a
 * chat for what was said to the bot there. Nothing is read or written for it, and it never fails.
 */
export function createDegradedReply({ api, botUsername, commands, fallback, log }: DegradedReplyDeps) {
  const told = new Set<number>();
  const saidAt = new Map<number, number>();

  /** `begun`: a press has its answer by then, and a second one would not be seen. */
  return (update: Update, trouble: DatabaseTrouble, begun = false): void => {
    if (!LASTING.has(trouble) || told.has(update.update_id)) return;
    told.add(update.update_id);
    const [oldest] = told;
    if (told.size > REMEMBERED && oldest !== undefined) told.delete(oldest);
    void tell(update, begun).catch((error: unknown) => {
      log.info({ update: update.update_id, kind: telegramFailure(error).kind }, 'a wait could not be told');
    });
  };

  async function tell({ callback_query: press, message }: Update, begun: boolean): Promise<void> {
    if (press !== undefined) {
      const { from, id, message: card } = press;
      if (!begun) await api.answerCallbackQuery(id, { text: texts(localeOf(from)).press, show_alert: true });
      else if (card !== undefined) await say(from, card);
      return;
    }
    if (message?.from === undefined || message.from.is_bot) return;
    const typed = commandIn(message, botUsername);
    const isForUs = message.chat.type === 'private' || (typed !== null && commands.has(typed.name));
    if (isForUs) await say(message.from, message);
  }

  /** As a reply, so that it stands in the same topic. */
  async function say(user: User, to: Pick<Message, 'chat' | 'message_id'>): Promise<void> {
    const now = performance.now();
    if (now - (saidAt.get(to.chat.id) ?? -Infinity) < SAID_MS) return;
    if (saidAt.size >= REMEMBERED) saidAt.clear();
    saidAt.set(to.chat.id, now);
    await api.sendMessage(to.chat.id, texts(localeOf(user)).message.markup, {
      parse_mode: 'HTML',
      reply_parameters: { message_id: to.message_id, allow_sending_without_reply: true },
    });
  }

  function localeOf(user: User): Locale {
    return /^fa\b/u.test(user.language_code ?? '') ? 'fa' : fallback;
  }
}
