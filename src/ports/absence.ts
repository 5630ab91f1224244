/** By whose hand, and by which update. */
export interface PlaceChange {
  readonly chatTelegramId: number;
  readonly personId: number;
  readonly updateId: number;
}
