import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Bot, InlineKeyboard } from 'grammy';
import { describe, expect, it } from 'vitest';
import { startPlayground } from './server.ts';

const run = promisify(execFile);

/** The first piece of the README in that language. */
async function block(language: string): Promise<string> {
  const text = await readFile(join(import.meta.dirname, 'README.md'), 'utf8');
  return new RegExp(`\n\`\`\`${language}\n(.*?)\n\`\`\`\n`, 's').exec(text)?.[1] ?? '';
}

describe('what the README opens with', () => {
  it('tests a bot by plain HTTP, in ten lines', async () => {
    const telegram = await startPlayground();
    const bot = new Bot(telegram.token, { client: { apiRoot: telegram.apiRoot } });
    const keyboard = new InlineKeyboard().text('Tea', 'tea').text('Coffee', 'coffee');
    bot.command('start', (ctx) => ctx.reply('Tea or coffee?', { reply_markup: keyboard }));
    bot.callbackQuery(['tea', 'coffee'], async (ctx) => {
      await ctx.answerCallbackQuery();
      await ctx.reply(`One ${ctx.callbackQuery.data}, please.`);
    });
    bot.on('message:contact', (ctx) => ctx.reply(`Thank you, ${ctx.message.contact.first_name}!`));
    const running = bot.start();
    const script = await block('sh');
    expect(script.split('\n')).toHaveLength(10);
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
      env: { ...process.env, TELEGRAM: telegram.apiRoot, TOKEN: telegram.token },
    });
    expect(stdout).toContain('"callback_query_id"');
    expect(stdout.match(/"method":"sendMessage"/g)).toHaveLength(3);
    await bot.stop();
    await running;
    await telegram.close();
  });

  it('tests one from Node', async () => {
    // Here the package is its source.
    const script = (await block('ts')).replace("'peyk-telegram'", "'./library.ts'");
    const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '--eval', script], {
      cwd: import.meta.dirname,
    });
    expect(stdout).toBe('Gone\n');
  });

  it('waits for what comes, and says so when nothing does', async () => {
    const telegram = await startPlayground();
    const sara = telegram.control.user({ first_name: 'Sara' });
    const at = `${telegram.apiRoot}/_control/messages?chat=${sara.id}`;
    const waiting = fetch(`${at}&wait=60`);
    const polled = await fetch(`${at}&wait=0.01`);
    expect(await polled.json()).toEqual({ messages: [] });
    telegram.control.start({ user_id: sara.id, bot: telegram.botUsername });
    expect(await (await waiting).json()).toMatchObject({ messages: [{ text: '/start' }] });
    await telegram.close();
  });
});
