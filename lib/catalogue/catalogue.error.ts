/** Where a handler stands in the application's code. */
export interface HandlerPlace {
  /** The decorator as it is written, for example `@Tool()`. */
  readonly decorator: string;
  readonly className: string;
  readonly methodName: string;
}

/** Says what is wrong with the catalogue: at start-up it keeps the application from starting. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';

  static duplicate(kind: string, key: string): CatalogueError {
    return new CatalogueError(
      `The ${kind} "${key}" exists already: choose another, or remove that one first`,
    );
  }

  static unknown(kind: string, key: string): CatalogueError {
    return new CatalogueError(`There is no ${kind} "${key}": add it first`);
  }

  static invalid(explanation: string, cause?: unknown): CatalogueError {
    return new CatalogueError(explanation, cause === undefined ? undefined : { cause });
  }

  /** Puts the place of the handler in front of what is wrong with it. */
  static at(place: HandlerPlace, cause: unknown): CatalogueError {
    const explanation = cause instanceof Error ? cause.message : String(cause);
    return new CatalogueError(`${formatPlace(place)}: ${explanation}`, { cause });
  }

  static takenBy(place: HandlerPlace, kind: string, key: string): CatalogueError {
    return new CatalogueError(
      `The ${kind} "${key}" is taken by ${formatPlace(place)} already: choose another, or provide the class in one module only`,
    );
  }

  static unresolvedEnhancer(name: string): CatalogueError {
    return new CatalogueError(
      `Nest cannot make the enhancer "${name}" here and would skip it: provide the class itself, not a factory or a value of it, or put "new ${name}()" into the decorator`,
    );
  }

  static outsideModules(name: unknown): CatalogueError {
    return new CatalogueError(
      `The class "${String(name)}" is in no module: add it to the "providers" of one`,
    );
  }

  static unknownServer(server: string, known: readonly string[]): CatalogueError {
    const list = known.map((name) => `"${name}"`).join(', ');
    return new CatalogueError(
      `"McpModule.forFeature" names the server "${server}", but the application has ${list}: use one of these`,
    );
  }

  static noDefaultServer(className: string): CatalogueError {
    return new CatalogueError(
      `The handlers of "${className}" belong to no server: name one with "McpModule.forFeature", or set "isDefault: true" on one of the servers`,
    );
  }

  static severalDefaultServers(servers: readonly string[]): CatalogueError {
    const list = servers.map((name) => `"${name}"`).join(' and ');
    return new CatalogueError(`The servers ${list} are all marked "isDefault": mark one of them only`);
  }

  static duplicateServer(server: string): CatalogueError {
    return new CatalogueError(`Two servers have the key "${server}": give each another "server"`);
  }
}

function formatPlace({ decorator, className, methodName }: HandlerPlace): string {
  return `${decorator} on "${className}.${methodName}"`;
}
