import { defineTexts } from '../../i18n/define.ts';
import { isolateLtr } from '../../i18n/format.ts';
import type { LetGo } from '../../ports/jobs.ts';
import type { CardView } from '../../ports/stores.ts';
import type { Stores } from '../../storage/stores.ts';
import { html, type Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';

type Jobs = Pick<Stores['jobs'], 'lastLetGo'>;

/** Finds what the person has let go last in this chat and has not ended; null: nothing, or not by them. */
export async function ownSend(ctx: RequestContext, jobs: Jobs): Promise<LetGo | null> {
  const last = ctx.can('send.stop') ? await jobs.lastLetGo(ctx.chat.id, ctx.person.id, ctx.updateId) : null;
  return last?.isOwn === true ? last : null;
}

/** Says that words do not end a send, and shows the card whose buttons do; false where it has ended. */
export async function tellItGoesOn(
  ctx: RequestContext,
  { draft, job }: CardView,
  cards: { bring(draftId: string, ctx: RequestContext): Promise<void> },
): Promise<boolean> {
  if (job === null || job.endedAt !== null) return false;
  const { isScheduled, isConfirmed } = heldTexts(ctx.locale);
  await ctx.say((job.state === 'scheduled' ? isScheduled : isConfirmed)(draft.code));
  await cards.bring(draft.id, ctx);
  return true;
}

export const heldTexts = defineTexts({
  en: {
    isConfirmed: (id: string): Html =>
      html`${isolateLtr(`#${id}`)} is confirmed already and was not changed: use the buttons on its card below.`,
    isScheduled: (id: string): Html =>
      html`${isolateLtr(`#${id}`)} is scheduled and was not changed: 🗑 on its card below cancels it.`,
  },
  fa: {
    isConfirmed: (id) =>
      html`${isolateLtr(`#${id}`)} تأیید شده است و تغییری نکرد: از دکمه‌های کارتش در پایین استفاده کنید.`,
    isScheduled: (id) =>
      html`${isolateLtr(`#${id}`)} زمان‌بندی شده است و تغییری نکرد: با 🗑 روی کارتش در پایین لغو می‌شود.`,
  },
});
