import { z } from 'zod';
import type { Format } from '../../i18n/format.ts';
import type { Notification } from '../../ports/alerts.ts';
import type { Html } from '../../telegram/html.ts';
import { alarmTexts } from './alarm-texts.ts';

const noteFacts = z.union([
  z.object({ reason: z.literal('changed'), count: z.number() }),
  z.object({ reason: z.literal('marking') }),
]);

/** What is told of an inbox once, without anything that stands or ends. */
export function noteText(notification: Notification, account: string, format: Format): Html | null {
  const t = alarmTexts(format.locale);
  const facts = noteFacts.safeParse(notification.facts).data;
  if (facts === undefined) return null;
  return facts.reason === 'marking'
    ? t.marking(account)
    : t.changed(account, format.count(facts.count, t.messages));
}
