/** Is thrown if an extension cannot be registered. */
export class ExtensionError extends Error {
  override readonly name = 'ExtensionError';

  constructor(
    readonly extension: string,
    explanation: string,
    options?: ErrorOptions,
  ) {
    super(`The extension "${extension}" ${explanation}`, options);
  }

  static reserved(extension: string): ExtensionError {
    return new ExtensionError(
      extension,
      'has a prefix that is reserved for the protocol: take a domain of yours, or set "published" to the settings of the published extension that it is',
    );
  }

  static taken(extension: string, kind: string, name: string): ExtensionError {
    return new ExtensionError(extension, `cannot add the ${kind} "${name}": there is one of that name`);
  }

  static namedTwice(extension: string, kind: string, name: string): ExtensionError {
    return new ExtensionError(extension, `names the ${kind} "${name}" twice: give each a name of its own`);
  }
}
