import type { AccountSeed } from './account-seed.ts';

/** The accounts of a sandbox that was told nothing else. Their keys are public on purpose. */
export const DEFAULT_ACCOUNTS: readonly AccountSeed[] = [
  {
    username: 'demo',
    password: 'demo-pass',
    apiKey: 'sandbox-key-demo',
    token: 'sandbox-token-demo',
    lines: ['3000123456', '50001234'],
    credit: 10_000_000_000,
    representative: true,
    patterns: [
      { id: 1, text: 'کد تأیید شما: {code}' },
      { id: 2, text: '{name} گرامی، سفارش {order} ارسال شد.' },
    ],
    packages: [12, 14],
    profile: { mellicode: '001*****89', shenasname: '1234' },
    inbox: [
      { from: '9121110001', line: '3000123456', message: 'سلام، ساعت کاری شما چیست؟', ageSeconds: 7200 },
      { from: '9351110002', line: '3000123456', message: '11', ageSeconds: 3600 },
      { from: '9121110001', line: '50001234', message: 'Thanks, got it', ageSeconds: 600, read: true },
    ],
    phonebooks: [
      { title: 'مشتریان', flag: 'customers', numbers: ['9121110001', '9351110002', '9191110003'] },
      { title: 'Staff', flag: 'staff', numbers: ['9121110004', '9121110005'] },
    ],
  },
  {
    username: 'locked',
    password: 'locked-pass',
    apiKey: 'sandbox-key-locked',
    token: 'sandbox-token-locked',
    lines: ['3000654321'],
    credit: 1_000_000,
    userStatus: 3,
  },
];
