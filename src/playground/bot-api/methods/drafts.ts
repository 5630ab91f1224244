import { chatFor, topicFor } from '../access.ts';
import { showDraft } from '../../people/drafts.ts';
import { badRequest } from '../../errors.ts';
import type { MessageContent } from '../../types.ts';
import { textContent } from './content.ts';
import type { Call, Method } from './method.ts';
import { readRich } from './rich.ts';

export const draftMethods: Readonly<Record<string, Method>> = {
  // An empty text says that the bot thinks.
  sendMessageDraft: (call) =>
    draft(call, call.params.str('text') === '' ? { text: '' } : textContent(call).content),
  sendRichMessageDraft: (call) => {
    const read = readRich(call, true);
    if (read === undefined) throw badRequest('Rich message must be non-empty');
    return draft(call, { rich_message: read.rich });
  },
};

function draft({ em, bot, params }: Call, content: MessageContent): true {
  const chat = chatFor(em, bot, params, 'write');
  if (chat.type !== 'private') throw badRequest('TEXTDRAFT_PEER_INVALID');
  topicFor(bot, chat, params);
  const id = params.int('draft_id', 0);
  if (id === 0) throw badRequest('RANDOM_ID_EMPTY');
  const canStop = params.bool('can_stop');
  showDraft(em, chat, { id, content, canStop, keepOnStop: params.bool('keep_on_stop'), at: em.now() });
  return true;
}
