/** A running server gives no card. */
export class CardMissingError extends Error {
  override readonly name = 'CardMissingError';

  /** @param isReached whether anybody answered */
  constructor(
    explanation: string,
    readonly isReached: boolean,
    options?: ErrorOptions,
  ) {
    super(explanation, options);
  }
}
