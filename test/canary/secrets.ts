import { randomBytes } from 'node:crypto';

/** A random word; with odd characters, every encoding writes it in another way. */
function word(odd = ''): string {
  const text = randomBytes(12).toString('hex');
  return odd === '' ? text : `${text.slice(0, 9)}${odd}${text.slice(9)}`;
}

const ODD = String.raw`"/+%&=?\<b>'#`;

/** Secrets of one run: wherever one of them turns up, it has leaked. */
export function createSecrets() {
  return {
    'bot token': randomBytes(30).toString('base64url').slice(0, 35),
    'webhook secret': randomBytes(30).toString('base64url'),
    'database password': word('@:/?#%&'),
    'proxy password': word('@:/?#%&'),
    'key of the collector': word(),
    'old master key': randomBytes(32).toString('base64'),
    'new master key': randomBytes(32).toString('base64'),
    'key of Sara': word(ODD),
    'token of Sara': word(ODD),
    'password of Kian': word(ODD),
    'key of the shop': `sk_${word()}`,
    'token of the shop': word(),
    'key of the manager': word(),
    'key of the second manager': word(),
    'key of the third manager': word(),
    'token of the old one': word(ODD),
    'key that is refused': word(),
    'key that is never linked': word(),
    'key after the question was left': `${word().slice(0, 20)}a7`,
    'key that nobody asked for': `${word().slice(0, 20)}b8`,
    'key as a user name': word(),
    'key as a sender line': `${word().slice(0, 20)}c9`,
    'key pasted in the group': `${word().slice(0, 20)}d1`,
    'key in a caption': `${word().slice(0, 20)}e2`,
    'key in a private send': `${word().slice(0, 20)}a3`,
    'key in a private template': `${word().slice(0, 20)}b4`,
    'key in a private caption': `${word().slice(0, 20)}c5`,
    'key in a private reply': `${word().slice(0, 20)}d6`,
    'key in a private edit': `${word().slice(0, 20)}e7`,
    'key as the text of a send': `${word().slice(0, 20)}f8`,
    'key behind /connect': word(ODD),
    'key behind /connect in the group': word(ODD),
    'password that was registered': `R1${word('"/+%&=?').slice(0, 26)}`,
    'password of a lost registration': `L2${word('"/+%&=?').slice(0, 26)}`,
    'password of a refused registration': `F3${word('"/+%&=?').slice(0, 26)}`,
    'password of a registration that was left': `B4${word('"/+%&=?').slice(0, 26)}`,
  };
}

export type SecretName = keyof ReturnType<typeof createSecrets>;
export type Secrets = Readonly<Record<SecretName, string>>;

export const BOT_ID = '7711223344';

/** What the search must find, in a log, in a chat and in a row. */
export const createPlanted = () => ({
  'planted in a log': word(ODD),
  'planted in a chat': word(ODD),
  'planted in a row': word(ODD),
});

export type Planted = ReturnType<typeof createPlanted>;
