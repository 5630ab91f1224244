import { describe, expect, test } from 'vitest';
import { readProjectFile } from '../../../test/support/project-files.ts';
import { createFormat, stripBidi } from '../../i18n/format.ts';
import type { DeploymentHealth } from '../../ports/health.ts';
import type { OpenWork } from '../../ports/metrics.ts';
import { plainText } from '../../telegram/html.ts';
import { healthCard, SECTIONS } from './health-card.ts';

const STANDING: OpenWork = {
  attempts: { reserved: 0, on_wire: 2, unknown: 1, asked: 1 },
  oldestOnWireSeconds: 3,
  oldestUnknownSeconds: 200,
  jobsDue: 4,
  oldestJobSeconds: 2,
  jobsFailed: 0,
  updatesOpen: 1,
  accounts: 12,
  accountsHalted: 3,
  heldSeconds: null,
  accountsFailing: 0,
  pollLagSeconds: 5,
  alarms: {},
  processes: 3,
  leaders: 1,
  databaseBytes: 1,
  databaseConnections: 1,
};

const WELL: DeploymentHealth = {
  version: '1.2.3',
  upMs: 93_600_000,
  roles: ['bot', 'worker'],
  leadsHere: true,
  database: { answerMs: 4.2 },
  standing: STANDING,
  telegram: { way: 'polling', isWell: true, putOff: 7 },
  foreignSeals: 0,
  disk: { freeBytes: 12.34e9, allBytes: 40e9 },
  inboxSeconds: 15,
};

const NOW = new Date('2026-11-22T10:32:00Z');

function linesOf(health: DeploymentHealth, locale: 'en' | 'fa' = 'en'): string[] {
  const [, ...rest] = stripBidi(
    plainText(healthCard(health, createFormat(locale, 'Asia/Tehran'), NOW)),
  ).split('\n');
  return rest;
}

const standingAs = (standing: Partial<OpenWork>): DeploymentHealth => ({
  ...WELL,
  standing: { ...STANDING, ...standing },
});

describe('the card of a deployment', () => {
  test('tells of one that is well, line by line', () => {
    expect(linesOf(WELL)).toEqual([
      '✅ Peyk 1.2.3, up for 1 d 2 h. Roles of this process: bot, worker',
      '✅ The database answers in 4 ms.',
      '✅ 3 processes alive; this one handles updates.',
      '✅ Queue: 4 due, the oldest for 2 s.',
      '✅ Send calls: 2 waiting for an answer, the oldest for 3 s; 2 with an unknown outcome, the oldest for 3 min 20 s.',
      '✅ Updates waiting to be handled: 1.',
      '✅ Accounts are polled up to 5 s late.',
      '✅ Accounts: 12 linked, 3 with all sends switched off.',
      '✅ Updates arrive by polling.',
      '✅ Telegram has throttled 7 calls since the start.',
      '✅ This process has the master keys of all stored accounts.',
      '✅ 12.3 GB of 40 GB free where the database is.',
    ]);
    expect(linesOf(WELL, 'fa')[3]).toBe('✅ صف: ۴ آمادهٔ اجرا، قدیمی‌ترین از ۲ ثانیه پیش.');
  });

  test('has no line for the disk of a database that is elsewhere', () => {
    expect(linesOf({ ...WELL, disk: null }).join()).not.toContain('GB');
  });

  test.each<[string, DeploymentHealth, RegExp]>([
    ['a slow database', { ...WELL, database: { answerMs: 1500 } }, /1,500 ms.*busy/],
    ['a database that does not answer', { ...WELL, database: null }, /does not answer.*disk full/],
    ['what could not be read', { ...WELL, standing: null }, /could not be read.*Look again/],
    ['nobody who leads', { ...standingAs({ leaders: 0 }), leadsHere: false }, /none handles.*takes over/],
    ['nobody alive', standingAs({ processes: 0 }), /0 processes alive/],
    [
      'work that waits',
      standingAs({ oldestJobSeconds: 301 }),
      /Queue: 4 due, the oldest for 5 min 1 s\..*role worker/,
    ],
    ['work that was given up', standingAs({ jobsFailed: 2 }), /2 given up.*at level error/],
    [
      'a call that is long out',
      standingAs({ oldestOnWireSeconds: 121 }),
      /2 waiting for an answer, the oldest for 2 min 1 s.*gateway/,
    ],
    [
      'a call long unknown',
      standingAs({ oldestUnknownSeconds: 901 }),
      /the oldest for 15 min 1 s\. Can the gateway/,
    ],
    ['sends that are held', standingAs({ heldSeconds: 61 }), /stopped for 1 min 1 s.*halt off/],
    ['updates that wait', standingAs({ updatesOpen: 101 }), /waiting to be handled: 101.*log/],
    [
      'accounts that wait',
      standingAs({ pollLagSeconds: 61 }),
      /are polled up to 1 min 1 s late.*role poller/,
    ],
    ['accounts that fail', standingAs({ accountsFailing: 1 }), /1 failing\. Their chats/],
    [
      'updates that may not come',
      telegram({ isWell: false, way: 'webhook' }),
      /by webhook\. Can this server/,
    ],
    ['much put off', telegram({ putOff: 261 }), /261 calls.*more messages than Telegram allows/],
    ['a missing key', { ...WELL, foreignSeals: 1 }, /1 stored credential under.*Put that key back/],
    [
      'a full disk',
      { ...WELL, disk: { freeBytes: 1.9e9, allBytes: 40e9 } },
      /1\.9 GB of 40.*Free some space/,
    ],
    ['a small disk', { ...WELL, disk: { freeBytes: 0.9e9, allBytes: 2e9 } }, /0\.9 GB of 2.*Free some space/],
    ['a disk that cannot be read', { ...WELL, disk: 'unread' }, /could not be read/],
  ])('warns of %s and says what to do, and of nothing else', (_what, health, says) => {
    for (const locale of ['en', 'fa'] as const) {
      const [warning, ...others] = linesOf(health, locale).filter((line) => !line.startsWith('✅'));
      expect(others).toEqual([]);
      expect(warning).toMatch(/^⚠️ /);
      const named = /«([^»]+)»/.exec(warning ?? '')?.[1];
      expect(Object.values(SECTIONS)).toContain(named);
      if (locale === 'en') expect(warning).toMatch(says);
    }
  });

  test('does not take for ill what has its usual measure', () => {
    const measured = { oldestJobSeconds: 300, oldestOnWireSeconds: 120, oldestUnknownSeconds: 900 };
    expect(linesOf(standingAs(measured)).filter((line) => !line.startsWith('✅'))).toEqual([]);
    const seldom = { ...standingAs({ pollLagSeconds: 1800 }), inboxSeconds: 600 };
    expect(linesOf(seldom).filter((line) => !line.startsWith('✅'))).toEqual([]);
    expect(linesOf({ ...WELL, foreignSeals: null }).join()).not.toContain('master key');
  });

  test('sends to sections that the operations guide has', () => {
    const headings = ['operations', 'watching', 'database']
      .map((page) => readProjectFile(`docs/${page}.md`))
      .join('\n')
      .match(/(?<=^## ).+$/gmu);
    for (const section of Object.values(SECTIONS)) expect(headings).toContain(section);
  });
});

function telegram(more: Partial<DeploymentHealth['telegram']>): DeploymentHealth {
  return { ...WELL, telegram: { ...WELL.telegram, ...more } };
}
