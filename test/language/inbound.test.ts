import { mention } from '../../src/features/shared/mention.ts';
import { shownSender } from '../../src/features/inbox/inbound-card.ts';
import { inboundTexts, type Progress } from '../../src/features/inbox/inbound-texts.ts';
import type { BlacklistOutcome, UnansweredReason } from '../../src/ports/two-way.ts';
import { refusalText } from '../../src/telegram/refusal-texts.ts';
import { checkTexts } from './check-texts.ts';
import { NAME, TITLE } from './samples.ts';

const LINE = '3000123456';
const NOON = new Date('2026-11-24T08:30:00Z');
const LATER = new Date(NOON.getTime() + 120_000);
const PROGRESS: readonly Progress[] = [
  'waiting',
  'accepted',
  'delivered',
  'failed',
  'not_sent',
  'blocked',
  'unknown',
];
const OUTCOMES: readonly BlacklistOutcome[] = ['done', 'already', 'unclear', 'unknown', 'not_done'];
const WHY: readonly UnansweredReason[] = [
  'today',
  'blocked',
  'limited',
  'role',
  'loop',
  'unreachable',
  'late',
];

checkTexts(
  'src/features/inbox/inbound-texts.ts',
  inboundTexts,
)(({ locale, foreign, format }) => {
  const sender = shownSender('989121234567', format);
  const name = foreign(NAME);
  const ago = format.relative(NOON, LATER);
  return {
    head: [[LINE, format.dateTime(NOON), '1204']],
    from: [
      [sender, null],
      [sender, foreign(60)],
    ],
    badId: [[foreign(40)]],
    noMessage: [['1204']],
    asAnswer: [['1204']],
    cut: [[format.number(2000), format.number(2400)]],
    sentTo: [
      ['A41', '3000123456', format.dateTime(NOON), 'delivered'],
      ['A41', '', format.dateTime(NOON), 'waiting'],
    ],
    lastSent: [
      ['A41', format.dateTime(NOON), 'delivered'],
      ...PROGRESS.map((how): [string, string, Progress] => ['A41', format.dateTime(NOON), how]),
    ],
    takenBy: [[mention({ id: 7, name })]],
    back: [[mention({ id: 7, name })]],
    snoozedUntil: [[format.dateTime(NOON), name]],
    answeredBy: [[name]],
    answer: [
      [name, 'A42', 'waiting'],
      ...PROGRESS.map((how): [string, string, Progress] => [name, 'A42', how]),
    ],
    autoAnswer: [['A42', 'accepted']],
    unanswered: [['today'], ...WHY.map((why): [UnansweredReason] => [why])],
    doneBy: [[name]],
    opt: [
      ['out', 'done', sender, LINE],
      ...OUTCOMES.flatMap((outcome): ['out' | 'in', BlacklistOutcome, typeof sender, string][] => [
        ['out', outcome, sender, LINE],
        ['in', outcome, sender, LINE],
      ]),
    ],
    blocked: [
      [name, 'done', LINE],
      ...OUTCOMES.map((outcome): [string, BlacklistOutcome, string] => [name, outcome, LINE]),
    ],
    undone: [
      ['off', name, 'done'],
      ['on', name, 'already'],
    ],
    takenFirst: [[name, ago]],
    someoneHas: [[name, ago, '12']],
    someoneAnswered: [[name, ago, '12']],
    ask: [[foreign(30)]],
    asks: [[{ id: 7, name }, foreign(NAME), '12']],
    notMobile: [[shownSender('MyBank', format)]],
    askText: [
      ['in12', null],
      ['in12', format.duration(10_000)],
    ],
    sameAnswer: [['A12']],
    answerAt: [[foreign(TITLE), 'in12']],
    answerHome: [['in12']],
    named: [[sender, foreign(60)]],
    unnamed: [[sender]],
    askBlock: [[sender, LINE]],
    asked: [
      ['on', 'done', sender, LINE],
      ['off', 'unknown', sender, LINE],
    ],
    refused: [[refusalText(locale, 'user_locked')]],
  };
});
