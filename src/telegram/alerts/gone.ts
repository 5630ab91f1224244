import type { Api } from 'grammy';
import { z } from 'zod';
import { defineTexts, type Locale } from '../../i18n/define.ts';
import { createFormat, isolateAuto } from '../../i18n/format.ts';
import { defineTask, type Log, type Task } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import { sayOnce } from '../dispatch/say-once.ts';
import { code, html, lines, type Html } from '../html.ts';

const schema = z.object({ chatId: z.uuid() });

/**
 * Tells the owners of a chat in private that the bot was removed from it, and what waits for that; and a group that its
 * last owner has left, and how it gets another.
 */
export function createGoneTasks({
  api,
  absence,
  team,
  log,
  fallback,
}: {
  readonly api: Api;
  readonly absence: Pick<Stores['absence'], 'heldIn'>;
  readonly team: Pick<Stores['team'], 'missingOwner'>;
  readonly log: Log;
  /** What the bot speaks in chats that have chosen nothing. */
  readonly fallback: Locale;
}): Task[] {
  return [
    defineTask({
      name: 'bot-gone',
      schema,
      async run({ chatId }) {
        const held = await absence.heldIn(chatId);
        // It is back by now, or somebody else has decided.
        if (held === null) return;
        const locale = held.chat.lang ?? fallback;
        const t = goneTexts(locale);
        const { count } = createFormat(locale, 'UTC');
        const some = (n: number): string | null => (n === 0 ? null : count(n, t.sends));
        const said = lines(t.removed(held.chat.title), t.held(some(held.paused), some(held.scheduled)));
        let reached = 0;
        for (const owner of held.owners) {
          if (await sayOnce({ api, log }, owner, said)) reached += 1;
        }
        if (reached === 0)
          log.warn({ chat: chatId }, 'nobody could be told that the bot was removed from a chat');
      },
    }),
    defineTask({
      name: 'owner-left',
      schema,
      async run({ chatId }) {
        const missing = await team.missingOwner(chatId);
        // Back by now, or somebody else owns the account.
        if (missing === null) return;
        const { chat, name, hasFallbackOwners } = missing;
        const said = goneTexts(chat.lang ?? fallback).ownerLeft(name, hasFallbackOwners);
        await sayOnce({ api, log }, chat.telegramId, said);
      },
    }),
  ];
}

/** What the owners of a chat are told in private when the bot was removed from it, and a chat when its last owner left. */
export const goneTexts = defineTexts({
  en: {
    removed: (title: string): Html =>
      html`⏸ I was removed from ${isolateAuto(title)} and can no longer write there, so nothing is sent for it.`,
    held: (paused: string | null, scheduled: string | null): Html =>
      lines(
        paused !== null && html`Paused: ${paused}. What is already on its way to the gateway finishes.`,
        scheduled !== null && html`Scheduled, and not starting: ${scheduled}.`,
        html`Nothing resumes by itself. Add me to the chat again: I ask there whether to resume.`,
      ),
    sends: { one: 'send', other: 'sends' },
    ownerLeft: (name: string, hasFallbackOwners: boolean): Html =>
      lines(
        html`⚠️ ${isolateAuto(name)} has left and was the only owner here. Everybody else keeps their role, and what was confirmed goes on; what needs an owner has to wait.`,
        hasFallbackOwners
          ? html`If ${isolateAuto(name)} comes back, all is as before. Otherwise an admin here can send ${code('/connect')} and give the key of an account, and is then the owner.`
          : html`There is no admin here who could become the owner: that needs ${isolateAuto(name)} to come back.`,
      ),
  },
  fa: {
    removed: (title) =>
      html`⏸ از ${isolateAuto(title)} حذف شدم و دیگر نمی‌توانم آنجا بنویسم؛ برای همین چیزی هم برایش ارسال نمی‌شود.`,
    held: (paused, scheduled) =>
      lines(
        paused !== null && html`روی مکث رفت: ${paused}. آنچه در راه پنل پیامک است تمام می‌شود.`,
        scheduled !== null && html`زمان‌بندی‌شده و شروع نمی‌شود: ${scheduled}.`,
        html`چیزی خودبه‌خود ادامه پیدا نمی‌کند. مرا دوباره به گفتگو اضافه کنید: همان‌جا می‌پرسم که ادامه پیدا کند یا نه.`,
      ),
    sends: { one: 'ارسال', other: 'ارسال' },
    ownerLeft: (name, hasFallbackOwners) =>
      lines(
        html`⚠️ ${isolateAuto(name)} از گروه رفت و تنها مالک اینجا بود. نقش دیگران سر جای خود است و آنچه تأیید شده ادامه دارد؛ کارهایی که مالک می‌خواهد می‌ماند.`,
        hasFallbackOwners
          ? html`اگر ${isolateAuto(name)} برگردد، همه چیز مثل قبل است. اگر نه: یکی از مدیران پیک در اینجا ${code('/connect')} بفرستد و کلید یک حساب را بدهد؛ از آن به بعد او مالک است.`
          : html`اینجا مدیری هم نیست که بتواند مالک شود: ${isolateAuto(name)} باید برگردد.`,
      ),
  },
});
