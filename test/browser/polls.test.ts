import { Api } from 'grammy';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startPlayground, type Playground } from '../../src/playground/server.ts';
import { useBrowser, type OpenPage } from '../support/browser.ts';
import { fits, PHONE } from '../support/try-page.ts';

/* Polls on the page, in which a person votes; and messages that are seen while they are written. */

const WORDS = {
  en: { question: 'Which day?', options: ['Saturday', 'Sunday', 'Monday'], why: 'It is the first one.' },
  fa: { question: 'کدام روز؟', options: ['شنبه', 'یکشنبه', 'دوشنبه'], why: 'چون روز اول است.' },
};

const browser = useBrowser();
let playground: Playground;
let api: Api;
beforeEach(async () => {
  playground = await startPlayground({ seedWorld: true });
  api = new Api(playground.token, { apiRoot: playground.apiRoot });
});
afterEach(() => playground.close());

async function open(language: string, colorScheme: 'light' | 'dark', inGroup: boolean) {
  const { chats, users } = playground.control.state();
  const user = users.find((one) => one.language_code === language)?.id ?? 0;
  playground.control.start({ user_id: user, bot: playground.botUsername });
  const group = chats.find((one) => one.type !== 'private')?.id ?? 0;
  const chat = inGroup ? group : user;
  const opened: OpenPage = await browser.open(`${playground.pageUrl}#user=${user}&chat=${chat}`, {
    viewport: PHONE,
    colorScheme,
    hasTouch: true,
    isMobile: true,
  });
  await opened.page.locator('body[data-live=yes]').waitFor();
  return { ...opened, chat, user };
}

test.each([
  ['en', 'light'],
  ['fa', 'dark'],
] as const)(
  'a person votes, takes the vote back and sees what came of it, %s in %s',
  async (language, scheme) => {
    const { question, options, why } = WORDS[language];
    const { page, problems, chat, user } = await open(language, scheme, true);
    const other = playground.control.state().users.find(({ id }) => id !== user)?.id ?? 0;
    const poll = await api.sendPoll(chat, question, [...options], { is_anonymous: false });
    const view = page.getByTestId(`msg-${poll.message_id}`);
    await view.getByTestId('option-1').tap();
    await view
      .getByTestId('result-of-1')
      .filter({ hasText: language === 'fa' ? '۱۰۰' : '100' })
      .waitFor();
    playground.control.vote({ user_id: other, chat_id: chat, message_id: poll.message_id, option_ids: [0] });
    await view
      .getByTestId('result-of-0')
      .filter({ hasText: language === 'fa' ? '۵۰' : '50' })
      .waitFor();
    await view.getByTestId('retract').tap();
    await view.getByTestId('option-2').waitFor();
    expect(await view.getByTestId('result-of-0').count()).toBe(0);

    const many = await api.sendPoll(chat, question, [...options], { allows_multiple_answers: true });
    const boxes = page.getByTestId(`msg-${many.message_id}`);
    await boxes.getByTestId('option-0').tap();
    await boxes.getByTestId('option-2').tap();
    await boxes.getByTestId('vote').tap();
    await boxes.getByTestId('result-of-2').waitFor();
    const chosen = playground.control.updates().findLast(({ kind }) => kind === 'poll');
    expect(chosen?.json).toContain(`"total_voter_count":1`);

    const quiz = await api.sendPoll(chat, question, [...options], {
      type: 'quiz',
      correct_option_ids: [0],
      explanation: why,
    });
    const asked = page.getByTestId(`msg-${quiz.message_id}`);
    await asked.getByTestId('option-2').tap();
    await asked.getByTestId('result-of-2').and(page.locator('.wrong')).waitFor();
    await asked.getByTestId('result-of-0').and(page.locator('.right')).waitFor();
    expect(await asked.innerText()).toContain(why);
    expect(await asked.getByTestId('retract').count()).toBe(0);
    await fits(page, PHONE);

    await api.stopPoll(chat, poll.message_id);
    await view.getByTestId('result-of-0').waitFor();
    expect(problems).toEqual([]);
  },
);

test('a message is seen while it is written, until it is sent or stopped', async () => {
  const { page, problems, chat } = await open('en', 'light', false);
  const written = page.getByTestId('written');
  await api.raw.sendMessageDraft({ chat_id: chat, draft_id: 1, text: '', can_stop: true });
  await written.filter({ hasText: 'Thinking…' }).waitFor();
  const rich_message = { markdown: '# Report\n\n| Day | SMS |\n|:--|--:|\n| Sat | **12** |' };
  await api.raw.sendRichMessageDraft({ chat_id: chat, draft_id: 1, rich_message, can_stop: true });
  await written.locator('td', { hasText: '12' }).waitFor();
  await page.reload();
  await written.getByTestId('stop').tap();
  await written.waitFor({ state: 'hidden' });
  expect(playground.control.updates().at(-1)?.kind).toBe('stopped_message_generation');

  await api.raw.sendMessageDraft({ chat_id: chat, draft_id: 2, text: 'Nearly' });
  await written.filter({ hasText: 'Nearly' }).waitFor();
  await api.sendMessage(chat, 'Done');
  await page.locator('.message.in', { hasText: 'Done' }).waitFor();
  await written.waitFor({ state: 'hidden' });
  expect(problems).toEqual([]);
});
