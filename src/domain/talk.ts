interface Deed<P> {
  readonly takenBy: P | null;
  readonly takenAt: Date | null;
  readonly answeredBy: P | null;
  readonly answeredAt: Date | null;
  readonly doneBy: P | null;
  readonly doneAt: Date | null;
}

/**
 * What of the deeds about a correspondent counts for one message: an answer and an end only when they came after it;
 * whoever took an earlier message that was then done with has not taken this one.
 */
export function handlingOf<P>(
  talk: Deed<P>,
  capturedAt: Date,
): { readonly takenBy: P | null; readonly answeredBy: P | null; readonly doneBy: P | null } {
  const isDone = isSince(talk.doneAt, capturedAt);
  const isTaken = isDone || talk.doneAt === null || isSince(talk.takenAt, talk.doneAt);
  return {
    takenBy: isTaken ? talk.takenBy : null,
    answeredBy: isSince(talk.answeredAt, capturedAt) ? talk.answeredBy : null,
    doneBy: isDone ? talk.doneBy : null,
  };
}

function isSince(at: Date | null, then: Date): boolean {
  return at !== null && at.getTime() >= then.getTime();
}
