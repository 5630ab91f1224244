import { parseLine } from '../../domain/phone.ts';
import type { LatestMessage } from '../../ports/gateway.ts';
import type { Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { stateText, texts } from './texts.ts';

/** The latest sent message; of its recipients a few. */
export function latestCard({ locale, format }: RequestContext, latest: LatestMessage): Html {
  const t = texts(locale);
  const count = Math.max(latest.recipientsCount, latest.recipients.length);
  return t.latest({
    id: latest.id,
    text: latest.text,
    line: latest.line === undefined ? null : (parseLine(latest.line) ?? latest.line),
    recipients: format.count(count, t.recipients),
    shown: latest.recipients
      .slice(0, 3)
      .map((recipient) => format.phone(recipient))
      .join(' '),
    single: count <= 1,
    state: stateText(locale, latest.state),
    when: latest.date === undefined ? null : format.dateTime(new Date(latest.date * 1000)),
  });
}
