/** What answerCallbackQuery shows to the person who tapped. */
export interface CallbackAnswer {
  callback_query_id: string;
  user_id: number;
  text?: string;
  show_alert?: boolean;
  url?: string;
}

/** What the page and the driver are told. `chatKey` decides who may see it; events without one go to all. */
export type PlaygroundEvent =
  | {
      type: 'callback_answer';
      chatKey: string;
      /** Only this person sees it. */
      userId: number;
      data: CallbackAnswer;
    }
  | {
      type:
        | 'message'
        | 'edit'
        | 'delete'
        | 'chat'
        | 'call'
        | 'commands'
        | 'inline_answer'
        | 'draft'
        | 'reset';
      chatKey?: string;
      userId?: number | undefined;
      data: Readonly<Record<string, unknown>>;
    };

export interface EventBus {
  emit: (event: PlaygroundEvent) => void;
  /** Returns how to stop listening. */
  listen: (listener: (event: PlaygroundEvent) => void) => () => void;
  /** True when somebody listens: lets a flood skip the work of making events. */
  active: () => boolean;
}

export function createEventBus(): EventBus {
  const listeners = new Set<(event: PlaygroundEvent) => void>();
  return {
    emit(event) {
      for (const listener of listeners) listener(event);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    active: () => listeners.size > 0,
  };
}
