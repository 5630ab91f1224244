import { Bot } from 'grammy';

/* A bot that has nothing but its library. */

const { TELEGRAM_BOT_TOKEN = '', TELEGRAM_API_ROOT = '' } = process.env;
const bot = new Bot(TELEGRAM_BOT_TOKEN, { client: { apiRoot: TELEGRAM_API_ROOT } });
bot.on('message', async (ctx) => await ctx.reply('hello'));
process.once('SIGTERM', () => process.exit(0));
await bot.start();
