import { userInfo } from 'node:os';
import process from 'node:process';
import { parseRecipients } from '../domain/phone.ts';
import { forgetNumber, type Holder } from '../storage/forget.ts';
import { BAD_USE, onDatabase, say } from './operator-tool.ts';

const USAGE = `npm run forget -- NUMBER  takes a mobile number out of everything that is stored, in every way it can be written`;
const HELD = 1;

const WHAT: Readonly<Record<Holder['what'], string>> = {
  send: 'the send #',
  draft: 'the draft #',
  template: 'the template ',
  rule: 'the rule for received messages ',
  account: 'the linked account ',
  phonebook: 'a change of the phonebook ',
};

/** `npm run forget`: one number goes everywhere. Exit code 1 where something open holds it: nothing is changed then. */
async function main(): Promise<number> {
  const { recipients, invalid, repeated } = parseRecipients(process.argv.slice(2).join(' '));
  const [number, ...more] = recipients;
  if (number === undefined || more.length + invalid.length + repeated.length > 0) {
    process.stderr.write(`${USAGE}\n`);
    return BAD_USE;
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
    say(
      'What Telegram and the gateway have of it, and backups, are not reached by this: docs/operations.md.',
    );
    return 0;
  });
}

process.exitCode = await main();
