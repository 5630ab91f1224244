import type { RegistrationWork } from '../../ports/registrations.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Buttons } from '../../telegram/buttons.ts';
import type { Html } from '../../telegram/html.ts';
import { wayBack } from '../../telegram/message-link.ts';
import type { Notifier } from '../../telegram/outgoing/notifier.ts';
import { previewCard } from './card.ts';
import { endText } from './outcome-texts.ts';
import { texts } from './texts.ts';

/** What the queue does to a registration's message when its time has come. */
export interface RegistrationCards {
  /** Ends one whose time is over, and says so. */
  settle(work: RegistrationWork): Promise<void>;
  /** Takes a password off the screen. */
  hidePassword(work: RegistrationWork): Promise<void>;
}

export function createRegistrationCards({
  registrations,
  notifier,
}: {
  readonly registrations: Stores['registrations'];
  readonly notifier: Notifier;
}): RegistrationCards {
  const show = async (
    { card }: RegistrationWork,
    { content, buttons }: { readonly content: Html; readonly buttons?: Buttons },
  ): Promise<void> => {
    if (card === null) return;
    await notifier.show(
      { chatTelegramId: card.chatTelegramId, threadId: null, messageId: card.messageId },
      {
        chatId: card.chatId,
        locale: card.lang,
        content,
        buttons: buttons ?? [[wayBack(card.lang, card.back)]],
        goAhead: () => true,
      },
    );
  };

  return {
    async settle(work) {
      const settled = await registrations.settle(work);
      if (settled === null || work.card === null) return;
      const { lang } = work.card;
      if (settled.state === 'unknown') await show(work, { content: texts(lang).unknown(settled.userName) });
      else if (settled.changed) await show(work, { content: texts(lang).expired });
    },

    async hidePassword(work) {
      if (work.card === null) return;
      const { lang, back } = work.card;
      const open = await registrations.open(work.registrationId);
      if (open !== null) await show(work, previewCard(lang, open, 'was_shown', { back }));
      // Over, or pressed in between: the message must not go on offering what is no longer to be had.
      const now = await registrations.settle(work);
      if (now === null || now.state === 'prepared') return;
      await show(work, { content: endText(lang, now.state, now.userName) });
    },
  };
}
