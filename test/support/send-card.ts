import * as fc from 'fast-check';
import { stripBidi } from '../../src/i18n/format.ts';
import type { ApprovalView, CardView, DraftView, JobView, RecipientCounts } from '../../src/ports/stores.ts';
import type { ActionButton } from '../../src/telegram/buttons.ts';
import { plainText } from '../../src/telegram/html.ts';
import type { RenderedCard } from '../../src/telegram/outgoing/notifier.ts';

/* What a card of a send is drawn from: each test says what matters to it. */

export const NO_COUNTS: RecipientCounts = {
  planned: 0,
  onWire: 0,
  accepted: 0,
  rejected: 0,
  unknown: 0,
  delivered: 0,
  failed: 0,
  barred: 0,
  blocked: 0,
};

/** Sara's text to two people, not confirmed. */
export const DRAFT: DraftView = {
  id: '00000000-0000-4000-8000-000000000001',
  code: 'A7',
  chatId: '00000000-0000-4000-8000-000000000002',
  bindingId: '00000000-0000-4000-8000-000000000003',
  authorId: 5,
  authorName: 'Sara',
  state: 'open',
  expired: false,
  version: 3,
  outgoing: { kind: 'text' },
  text: '12345',
  recipients: ['989121234567', '989351112233'],
  repeated: [],
  invalid: [],
  blocked: null,
  line: '3000123456',
  flash: false,
  resendOf: null,
  lang: 'en',
  sendAt: null,
  recur: null,
};

/** Confirmed by Ali; nothing has been heard of it. */
export const JOB: JobView = {
  id: '00000000-0000-4000-8000-000000000004',
  state: 'running',
  isEmptied: false,
  holdUntil: new Date('2026-11-24T10:00:00Z'),
  confirmedByName: 'Ali',
  approvedByName: null,
  stoppedByName: null,
  startedAt: null,
  leftSinceStart: 0,
  endedAt: null,
  tookMs: null,
  parts: 0,
  priceRial: null,
  stopReason: null,
  isLinked: true,
  missReason: null,
  counts: NO_COUNTS,
  refusals: [],
  asked: 0,
  doubt: null,
  resent: 0,
  resend: { failures: 0, by: [] },
  said: 0,
  settled: false,
  toSettle: false,
};

export const IN_GROUP: CardView['place'] = {
  chatTelegramId: -1,
  threadId: null,
  messageId: 9,
  shownBy: null,
  callId: null,
  showsNumbers: null,
};

type Given = Partial<Omit<CardView, 'draft' | 'job' | 'approval'>> & {
  readonly draft?: Partial<DraftView> | undefined;
  readonly job?: Partial<JobView> | null | undefined;
  readonly approval?: Partial<ApprovalView> | undefined;
};

/** Gives a card in a group, of the draft alone unless there is a job. */
export function cardView({ draft, job = null, approval, ...more }: Given): CardView {
  return {
    draft: { ...DRAFT, ...draft },
    job: job === null ? null : { ...JOB, ...job },
    gauge: null,
    approval: { need: null, by: [], rejectedByName: null, ...approval },
    lacks: null,
    twin: null,
    template: null,
    sample: null,
    place: IN_GROUP,
    timeZone: 'Asia/Tehran',
    ...more,
  };
}

/** Gives a card's words as a reader sees them, without what isolates directions. */
export function wordsOf({ content }: RenderedCard): string {
  return stripBidi(plainText(content));
}

/** Gives the buttons that do something, row after row. */
export function actionButtons({ buttons }: RenderedCard): ActionButton[] {
  return buttons
    .flat()
    .filter((button) => typeof button === 'object' && button !== null)
    .filter((button) => 'action' in button);
}

/** How many: often none. */
export const anyCount: fc.Arbitrary<number> = fc.oneof(fc.constant(0), fc.nat(100_000));

export const anyCounts: fc.Arbitrary<RecipientCounts> = fc.record({
  planned: anyCount,
  onWire: anyCount,
  accepted: anyCount,
  rejected: anyCount,
  unknown: anyCount,
  delivered: anyCount,
  failed: anyCount,
  barred: anyCount,
  blocked: anyCount,
});
