import { userInfo } from 'node:os';
import { parseRecipients } from '../domain/phone.ts';
import { EXIT } from '../process/exit-codes.ts';
import { forgetNumber, type Holder } from '../storage/forget.ts';
import { usageOf } from './command-line.ts';
import { onDatabase, say } from './operator-tool.ts';

const HELD = 1;

const WHAT: Readonly<Record<Holder['what'], string>> = {
  send: 'the send #',
  draft: 'the draft #',
  template: 'the template ',
  rule: 'the rule for received messages ',
  date_send: 'the send by date ',
  account: 'the linked account ',
  phonebook: 'a change of the phonebook ',
};

/** `peyk forget`: one number goes everywhere. Exit code 1 where something open holds it: nothing is changed then. */
export async function forget(args: readonly string[]): Promise<number> {
  const { recipients, invalid, repeated } = parseRecipients(args.join(' '));
  const [number, ...more] = recipients;
  if (number === undefined || more.length + invalid.length + repeated.length > 0) {
    process.stderr.write(`${usageOf('forget')}\n`);
    return EXIT.badUse;
  }
  return await onDatabase(async ({ sql }) => {
    const done = await forgetNumber(sql, number, userInfo().username);
    if (done.result === 'held') {
      process.stderr.write(
        'Nothing was changed. These have the number, and would send to it or say it; end or change them first:\n',
      );
      for (const { chat, what, name } of done.by)
        process.stderr.write(`  ${WHAT[what]}${name} of «${chat}»\n`);
      return HELD;
    }
    say(
      `The number is gone; rows that had it: ${done.rows}. The audit says that it was done, and not for which number.`,
    );
    say('What Telegram and the gateway have of it, and backups, are not reached by this: docs/database.md.');
    return 0;
  });
}
