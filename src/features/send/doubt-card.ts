import type { Format } from '../../i18n/format.ts';
import type { DraftView, JobView } from '../../ports/stores.ts';
import type { ActionButton, Buttons } from '../../telegram/buttons.ts';
import { lines, type Html } from '../../telegram/html.ts';
import { doubtTexts } from './doubt-texts.ts';

/** A question waits; the same buttons come again with each refresh. */
const WEEK_SECONDS = 604_800;

/** What a person has to decide about, with all that is known of it; nothing when there is no question. */
export function doubtLines({ lang }: DraftView, { asked, doubt }: JobView, format: Format): Html | false {
  if (asked === 0 || doubt === null) return false;
  const t = doubtTexts(lang);
  const say = doubt.listsAreWhole ? t.absent : t.undecided;
  return lines(
    say(format.number(asked), format.count(doubt.calls, t.calls)),
    doubt.found > 0 && t.found(format.number(doubt.found)),
    doubt.lookedAt !== null && t.looked(format.count(doubt.looks, t.times), format.time(doubt.lookedAt)),
  );
}

/** The answers to it. */
export function doubtButtons({ lang, outgoing }: DraftView, { id, asked }: JobView, format: Format): Buttons {
  if (asked === 0) return [];
  const t = doubtTexts(lang);
  const button = (label: string, action: string, more: object = {}): ActionButton => ({
    label,
    action,
    payload: { jobId: id, ...more },
    permission: 'send.settle',
    ttlSeconds: WEEK_SECONDS,
  });
  return [
    [button(t.again(format.number(asked)), 'send.again')],
    [
      button(t.wereSent, 'send.settle', { sent: true }),
      button(t.wereNotSent, 'send.settle', { sent: false }),
    ],
    [
      // The lists cannot tell of a text that the gateway keeps.
      outgoing.kind !== 'pattern' && outgoing.kind !== 'future' && button(t.look, 'send.look'),
      { ...button(t.file(format.number(asked)), 'send.doubtful'), reusable: true },
    ],
  ];
}
