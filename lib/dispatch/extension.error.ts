/** An extension cannot be registered. */
export class ExtensionError extends Error {
  override readonly name = 'ExtensionError';

  constructor(
    readonly extension: string,
    explanation: string,
  ) {
    super(`The extension "${extension}" ${explanation}`);
  }
}
