import { registerHooks } from 'node:module';

/*
 * Loaded in front of Peyk by NODE_OPTIONS. Sets Telegram's pace aside, which would make a story of many words last for
 * minutes, and ends Peyk on SIGUSR2 with an error that holds every setting that is secret.
 */

const SECRET = ['TELEGRAM_BOT_TOKEN', 'DATABASE_URL', 'MASTER_KEYS', 'WEBHOOK_SECRET', 'PROXY_URL'];
const PACE = '...(options.outgoingLimits === undefined ? {} : { limits: options.outgoingLimits }),';
const NO_PACE = 'limits: { privateChat: null, group: null, overall: null },';

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/src/app/app.ts')) return loaded;
    const { source: text } = loaded;
    const source = typeof text === 'string' ? text : new TextDecoder().decode(text);
    if (!source.includes(PACE)) throw new Error('the pace of Peyk is set elsewhere by now');
    return { ...loaded, source: source.replace(PACE, NO_PACE) };
  },
});

process.on('SIGUSR2', () => {
  const plant = process.env['CANARY_PLANT'];
  if (plant !== undefined) {
    process.stdout.write(`something was planted ${encodeURIComponent(plant)}\n`);
    return;
  }
  const held = Object.fromEntries(SECRET.map((name) => [name, process.env[name] ?? '']));
  const words = Object.values(held).join(' | ');
  const cause = Object.assign(new Error(`because of ${words}`), { parameters: Object.values(held), held });
  const error = Object.assign(new Error(`ended with ${words}`, { cause }), { config: held, query: words });
  if (process.env['CANARY_CRASH'] === 'rejection') void Promise.reject(error);
  else
    setImmediate(() => {
      throw error;
    });
});
