import { toRecipients, type SendKind, type TextSend } from './kind.ts';

export const text: SendKind<TextSend> = toRecipients();
