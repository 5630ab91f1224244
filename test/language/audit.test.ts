import { expect, test } from 'vitest';
import { kindTexts } from '../../src/features/alerts/kind-cards.ts';
import { limitsText } from '../../src/features/audit/entry-card.ts';
import { sentences, type Told } from '../../src/features/audit/sentence-texts.ts';
import { texts } from '../../src/features/audit/texts.ts';
import { createFormat, isolateAuto, isolateLtr } from '../../src/i18n/format.ts';
import { clip, code, plainText } from '../../src/telegram/html.ts';
import { roleName } from '../../src/telegram/texts.ts';
import { checkTexts } from './check-texts.ts';
import type { Voice } from './samples.ts';

checkTexts(
  'src/features/audit/texts.ts',
  texts,
)(({ locale, foreign, format }) => {
  const count = format.count(1204, texts(locale).entries);
  return {
    bad: [[foreign(40)]],
    head: [[format.number(20), format.number(1204)]],
    headOf: [[format.date(new Date('2026-11-24T08:30:00Z')), count]],
    cut: [[format.number(12)]],
    exported: [[count]],
    exportedPart: [[count, format.number(12_345)]],
  };
});

/** An entry that tells everything, and one that tells only what there always is. */
function entries({ locale, format, foreign }: Voice): readonly [[Told], [Told]] {
  const limits = { old: { approvalParts: 120 }, new: { approvalParts: null } };
  const full: Told = {
    text: () => isolateAuto(foreign(32)),
    code: (_key, prefix = '') => code(isolateLtr(clip(`${prefix}3000123456`, 32))),
    number: () => format.number(1204),
    flag: () => true,
    is: (key, word) => (key === 'reason' ? word === 'credit' : word === 'unknown'),
    alert: () => kindTexts(locale).credit.name,
    role: () => roleName(locale, 'operator'),
    limits: () => limitsText(locale, format, limits),
  };
  const least: Told = {
    ...full,
    number: () => null,
    flag: () => false,
    is: () => false,
    alert: () => kindTexts(locale).gateway.name,
    role: (key) => (key === 'old' ? '' : roleName(locale, 'operator')),
  };
  return [[full], [least]];
}

checkTexts(
  'src/features/audit/sentence-texts.ts',
  sentences,
)((voice) => {
  const samples = entries(voice);
  return {
    account_linked: samples,
    account_unlinked: [[]],
    line_set: samples,
    key_exposed: samples,
    alerts_place_added: samples,
    alerts_place_changed: samples,
    alerts_place_removed: samples,
    alert_threshold_set: samples,
    alert_muted: samples,
    alert_unmuted: samples,
    alert_acked: samples,
    card_tagged: samples,
    card_untagged: samples,
    draft_cancelled: samples,
    template_saved: samples,
    template_replaced: samples,
    template_answers_on: samples,
    template_answers_off: samples,
    template_deleted: samples,
    people_kept: samples,
    people_dropped: samples,
    person_kept: samples,
    person_dropped: samples,
    approval_asked: samples,
    send_approved: samples,
    send_rejected_by_approver: samples,
    send_confirmed: samples,
    send_followed: samples,
    send_by_date: samples,
    date_send_on: samples,
    date_send_paused: samples,
    date_send_resumed: samples,
    date_send_changed: samples,
    date_send_ended: samples,
    send_missed: samples,
    schedule_reopened: samples,
    schedule_cancelled: samples,
    send_undone: samples,
    send_stopped: samples,
    send_settled: samples,
    send_heard_late: samples,
    send_paused: samples,
    send_resumed: samples,
    sends_halted: samples,
    sends_allowed: samples,
    sends_held: samples,
    sends_released: samples,
    audit_purged: samples,
    number_forgotten: samples,
    backup_restored: samples,
    role_granted: samples,
    role_removed: [samples[0]],
    member_left: [samples[0]],
    member_returned: [samples[0]],
    join_link_made: samples,
    join_link_used: samples,
    limits_changed: samples,
    line_rule_changed: samples,
    time_zone_changed: samples,
    user_register_called: samples,
    user_registered: samples,
    user_register_refused: samples,
    user_register_unknown: samples,
    user_register_unsent: samples,
    book_created: samples,
    book_numbers_added: samples,
    book_numbers_removed: samples,
    book_deleted: samples,
    blacklist_added: samples,
    blacklist_removed: samples,
    inbox_received: samples,
    inbox_rule_added: samples,
    inbox_rule_deleted: samples,
    optout_on: samples,
    inbox_marked_on: [[]],
    inbox_marked_off: [[]],
    desk_hours_set: [[]],
    desk_hours_off: [[]],
    closed_answer_set: [[]],
    closed_answer_off: [[]],
    inbox_numbers_whole: [[]],
    inbox_numbers_masked: [[]],
    optout_off: samples,
    opted_out: samples,
    opted_in: samples,
  };
});

test.each([
  ['en', /approval off \(before: approval above 120 parts\); no daily cap .*; window 09:00–21:00/],
  ['fa', /تأیید خاموش \(قبلاً: تأیید برای بیش از ۱۲۰ پارت\)؛ بدون سقف روزانه .*؛ ساعت‌های ارسال .*۰۹:۰۰–۲۱:۰۰/],
] as const)('changed limits read as words: %s', (locale, wanted) => {
  const text = limitsText(locale, createFormat(locale, 'Asia/Tehran'), {
    old: { approvalParts: 120, cap: { unit: 'rial', rial: 9000 }, window: null },
    new: { approvalParts: null, cap: null, window: { from: 540, to: 1260 } },
  });
  expect(plainText(text).replaceAll(/[\u2066-\u2069]/gu, '')).toMatch(wanted);
});
