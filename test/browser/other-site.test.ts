import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { createDriver } from '../../src/playground/control/driver.ts';
import { startPlayground } from '../../src/playground/server.ts';
import { useBrowser } from '../support/browser.ts';

/* A page of another site in the same browser as the page of try mode: even knowing the token, it reads and changes nothing. */

const browser = useBrowser();

/** Everything that a page may ask of another site without its leave; each answer that it can read is noted. */
const pageFor = (root: string, token: string, chat: number): string => `<!doctype html><title>asking</title>
<form method="post" target="frame" action="${root}/bot${token}/sendMessage">
  <input name="chat_id" value="${chat}"><input name="text" value="by a form">
</form>
<iframe name="frame"></iframe>
<script>
  const root = ${JSON.stringify(root)};
  const bot = root + '/bot' + ${JSON.stringify(token)};
  const read = [];
  const ask = async (url, init) => {
    try {
      const answer = await fetch(url, init);
      if (answer.type !== 'opaque') read.push(url + ' ' + (await answer.text()));
    } catch {}
  };
  const say = (text) => new URLSearchParams({ chat_id: '${chat}', text });
  (async () => {
    for (const mode of ['cors', 'no-cors']) {
      await ask(bot + '/getUpdates', { mode });
      await ask(bot + '/sendMessage?' + say('by an address'), { mode });
      await ask(bot + '/sendMessage', { mode, method: 'POST', body: say('by a post') });
      await ask(bot + '/sendMessage', { mode, method: 'POST', body: String(say('by a text')) });
      await ask(root + '/_control/state', { mode });
      await ask(root + '/_control/reset', { mode, method: 'POST', body: '{}' });
    }
    const image = new Image();
    await new Promise((over) => {
      image.onload = image.onerror = over;
      image.src = bot + '/sendMessage?' + say('by a picture');
    });
    const frame = document.querySelector('iframe');
    await new Promise((over) => {
      frame.onload = over;
      document.querySelector('form').submit();
    });
    document.title = 'asked: ' + read.length;
  })();
</script>`;

test('a page of another site has no word with the bot, and reads nothing of what was typed', async () => {
  const playground = await startPlayground();
  const driver = createDriver(playground);
  const sara = driver.user({ first_name: 'Sara' });
  sara.start();
  sara.send(sara, 'my key is 9f31bd77c2a04e5510');
  const html = pageFor(playground.apiRoot, playground.token, sara.id);
  const other = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  try {
    await new Promise<void>((ready) => {
      other.listen(0, '127.0.0.1', ready);
    });
    const address = other.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    // By its address and by a name: the one is the same site as the page, the other is not.
    for (const host of ['127.0.0.1', 'localhost']) {
      const { page, close } = await browser.open(`http://${host}:${port}/`);
      await expect.poll(async () => await page.title()).toMatch(/^asked/u);
      expect(await page.title()).toBe('asked: 0');
      await close();
    }
    expect(playground.calls.list()).toEqual([]);
    expect(driver.messages(sara).map(({ text }) => text)).toEqual(['/start', 'my key is 9f31bd77c2a04e5510']);
    // The page itself is let in, in the same browser.
    const { page, close } = await browser.open(playground.pageUrl);
    await page.getByTestId('person-switcher').waitFor();
    await close();
  } finally {
    driver.close();
    await new Promise((closed) => {
      other.close(closed);
      other.closeAllConnections();
    });
    await playground.close();
  }
});
