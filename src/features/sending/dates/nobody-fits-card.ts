import { z } from 'zod';
import { createFormat } from '../../../i18n/format.ts';
import { defineTask, type Task } from '../../../ports/runtime.ts';
import type { Stores } from '../../../storage/stores.ts';
import type { Notifier } from '../../../telegram/outgoing/notifier.ts';
import { peopleTagTexts } from '../../shared/people-tag.ts';
import { skipReason } from '../../shared/skip-reasons.ts';
import { texts } from './texts.ts';

/** Tells a chat that of those whose day it was nobody could be written to: there is no send whose card would say so. */
export function createDateTasks({
  dateSends,
  notifier,
}: {
  readonly dateSends: Pick<Stores['dateSends'], 'placeOf'>;
  readonly notifier: Pick<Notifier, 'tell'>;
}): Task[] {
  return [
    defineTask({
      name: 'nobody-fits',
      schema: z.object({ orderId: z.uuid(), count: z.int(), reason: z.string() }),
      run: async ({ orderId, count, reason }) => {
        const place = await dateSends.placeOf(orderId);
        if (place === null) return;
        const { chatTelegramId, threadId, chatId, lang, field, tag } = place;
        const t = texts(lang);
        const people = createFormat(lang, 'UTC').count(count, peopleTagTexts(lang).people);
        await notifier.tell(
          { chatTelegramId, threadId, messageId: null },
          {
            chatId,
            locale: lang,
            content: t.nobodyFits(field, tag, people, skipReason(lang, reason)),
            buttons: [],
          },
        );
      },
    }),
  ];
}
