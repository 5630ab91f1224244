import { z } from 'zod';
import { maskRecipient, normalizeDigits, parseLine } from '../../domain/phone.ts';
import { isolateLtr } from '../../i18n/format.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { DraftStore } from '../../ports/stores.ts';
import { defineCommand, takeRest, type Feature } from '../../telegram/feature.ts';
import { fitBlocks, lines } from '../../telegram/html.ts';
import type { Turn } from '../../telegram/turn.ts';
import { stateText, texts } from './texts.ts';

export interface ReportsDeps {
  readonly gateways: Gateways;
  readonly drafts: DraftStore;
  readonly cards: { copy(draftId: string, turn: Turn): Promise<void> };
}

const MOST_IDS = 1000;

const wanted = z.string().transform((typed, ctx) => {
  const words = normalizeDigits(typed)
    .split(/[\s,،;؛]+/u)
    .map((word) => word.replace(/^#/, ''))
    .filter((word) => word !== '');
  const [first] = words;
  if (words.length === 1 && first !== undefined && /^[A-Za-z]\d{1,9}$/u.test(first)) {
    return { card: first.toUpperCase() } as const;
  }
  const ids = [...new Set(words.map((word) => word.replace(/^0+(?=\d)/u, '')))];
  if (ids.length > 0 && ids.length <= MOST_IDS && ids.every((id) => /^\d{1,20}$/u.test(id)))
    return { ids } as const;
  ctx.addIssue({ code: 'custom', message: 'neither ids nor a card' });
  return z.NEVER;
});

/** What became of messages: by id or card, and the latest one. */
export function createReportsFeature({ gateways, drafts, cards }: ReportsDeps): Feature {
  return {
    name: 'reports',
    commands: [
      defineCommand({
        name: 'status',
        permission: 'status.view',
        facet: 'reports',
        about: (locale) => texts(locale).aboutStatus,
        args: {
          ids: {
            schema: wanted,
            take: takeRest,
            usage: (locale) => texts(locale).usageIds,
            ask: ({ locale }) => texts(locale).askIds,
            problem: (locale) => texts(locale).badIds,
          },
        },
        run: async (turn, { ids: what }) => {
          const t = texts(turn.locale);
          if (turn.binding === null) return;
          if ('card' in what) {
            const draftId = await drafts.findByCode(turn.chat.id, what.card);
            if (draftId === null) {
              await turn.say(t.noCard(what.card));
              return;
            }
            return await cards.copy(draftId, turn);
          }
          const gateway = await gateways.of(turn.binding.id);
          const entries = await gateway.use('reports').status(what.ids);
          const answered = new Set(entries.map((entry) => entry.id));
          const missing = what.ids.filter((id) => !answered.has(id));
          if (entries.length === 0) {
            await turn.say(t.noAnswer);
            return;
          }
          const blocks = entries.map((entry) =>
            t.entry(
              entry.id,
              entry.recipient === undefined ? '' : maskRecipient(entry.recipient),
              stateText(turn.locale, entry.state),
            ),
          );
          const { shown, dropped } = fitBlocks(blocks, 3500);
          await turn.say(
            lines(
              shown,
              dropped > 0 && t.more(turn.format.number(dropped)),
              missing.length > 0 && t.missing(missing.slice(0, 10)),
            ),
          );
        },
      }),
      defineCommand({
        name: 'latest',
        permission: 'latest.view',
        facet: 'reports',
        about: (locale) => texts(locale).aboutLatest,
        args: {},
        run: async (turn) => {
          const t = texts(turn.locale);
          if (turn.binding === null) return;
          const gateway = await gateways.of(turn.binding.id);
          const latest = await gateway.use('reports').latest();
          if (latest === undefined) {
            await turn.say(t.none);
            return;
          }
          const shown = latest.recipients
            .slice(0, 3)
            .map((recipient) => isolateLtr(maskRecipient(recipient)));
          const count = Math.max(latest.recipientsCount, latest.recipients.length);
          await turn.say(
            t.latest({
              id: latest.id,
              text: latest.text,
              line: latest.line === undefined ? null : (parseLine(latest.line) ?? latest.line),
              recipients: turn.format.count(count, t.recipients),
              shown: shown.join(' '),
              single: count <= 1,
              state: stateText(turn.locale, latest.state),
              when: latest.date === undefined ? null : turn.format.dateTime(new Date(latest.date * 1000)),
            }),
          );
        },
      }),
    ],
  };
}
