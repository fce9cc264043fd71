import { suggestOption } from '../../core/checks/suggest-names.js';
import { explainError } from '../../core/log/describe-failure.js';
import { quoteAll } from '../../core/words/words.js';
import { HANDLER_DECORATORS, type HandlerKind } from '../decorators/handler-metadata.js';
import { DEFAULT_SERVER } from '../settings/mcp.constants.js';

/** A handler's location in the application's code. */
export interface HandlerLocation {
  readonly kind: HandlerKind;
  readonly className: string;
  readonly methodName: string;
}

/** Thrown if a catalog entry is invalid. The application then does not start. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError';

  /** @param subject the kind and key of the entry, as in `tool "add"` */
  static duplicate(subject: string): CatalogError {
    return new CatalogError(
      `The ${subject} already exists: choose a different one, or remove the existing one first`,
    );
  }

  static takenByServer(subject: string): CatalogError {
    return new CatalogError(
      `The ${subject} is built into the server: choose a different name, or change "catalog.search"`,
    );
  }

  static unknown(subject: string): CatalogError {
    return new CatalogError(`There is no ${subject}: add it first`);
  }

  static noHandler(kind: string, name: unknown): CatalogError {
    return new CatalogError(
      `The ${kind} "${String(name)}" has no handler: pass a function after the options`,
    );
  }

  static invalid(explanation: string, cause?: unknown): CatalogError {
    return new CatalogError(explanation, cause === undefined ? undefined : { cause });
  }

  static unusable(kind: string, name: unknown, cause: unknown): CatalogError {
    return new CatalogError(`The ${kind} "${String(name)}" cannot be listed: ${explainError(cause)}`, {
      cause,
    });
  }

  /** Prefixes an error with the location of its handler. */
  static at(location: HandlerLocation, cause: unknown): CatalogError {
    return new CatalogError(`${formatHandler(location)}: ${explainError(cause)}`, { cause });
  }

  static takenBy(location: HandlerLocation, subject: string): CatalogError {
    return new CatalogError(
      `The ${subject} is already used by ${formatHandler(location)}: choose a different one, or provide the class in only one module`,
    );
  }

  static nothingToComplete(kind: string, key: string): CatalogError {
    return new CatalogError(`There is no ${kind} "${key}" to complete: use an existing one`);
  }

  static noSuchArgument(kind: string, argument: string, known: readonly string[]): CatalogError {
    const fix = known.length === 0 ? 'it accepts no arguments' : `use one of ${quoteAll(known)}`;
    return new CatalogError(`The ${kind} has no argument "${argument}": ${fix}`);
  }

  /**
   * @param known the target and its variables
   * @param near a variable that may have been meant
   */
  static noScopeVariable(
    variable: string,
    { source, names }: { readonly source: string; readonly names: readonly string[] },
    near: string | undefined,
  ): CatalogError {
    const hint = near === undefined ? '' : ` (did you mean "{${near}}"?)`;
    const fix = names.length === 0 ? 'remove the variable' : `use one of ${quoteAll(names)}`;
    return new CatalogError(
      `"RequireScope" reads "{${variable}}" from ${source}, which has no such string, number or boolean${hint}: ${fix}, or use a function`,
    );
  }

  /** @param option the option that describes the arguments */
  static severalClasses(classes: readonly string[], option: string): CatalogError {
    return new CatalogError(
      `The parameters convert the arguments to ${quoteAll(classes)}, but only one class can describe them: set "${option}" to a class with the properties of all of them, such as "IntersectionType(${classes.join(', ')})" from "@nestjs/mapped-types"`,
    );
  }

  static notCombinable(kinds: readonly HandlerKind[]): CatalogError {
    const list = kinds.map((kind) => HANDLER_DECORATORS[kind]).join(' and ');
    return new CatalogError(`${list} cannot be combined on one method: use a separate method for each`);
  }

  static unresolvedEnhancer(name: string): CatalogError {
    return new CatalogError(
      `Nest cannot create the enhancer "${name}" here and would skip it: provide the class itself instead of a factory or a value, or pass "new ${name}()" to the decorator`,
    );
  }

  /**
   * @param unserved `decorator` is written as in the source, for example `@Res()`; `giver` is what can provide its
   * value
   */
  static unservedParameter(
    index: number,
    { decorator, giver, fix }: { readonly decorator: string; readonly giver: string; readonly fix: string },
  ): CatalogError {
    const owner = giver.replace(/^an? /, 'the ');
    return new CatalogError(
      `The parameter at index [${index}] has ${decorator}, which only ${giver} can provide: ${fix}, or use a separate method for ${owner}`,
    );
  }

  static unknownClaim(index: number, claim: string, known: readonly string[]): CatalogError {
    const near = suggestOption(claim, known);
    const hint = near === undefined ? '' : `(did you mean "${near}"?) `;
    return new CatalogError(
      `The parameter at index [${index}] has @Claims("${claim}"), which ${hint}is not known: use one of ${quoteAll(known)}; every other claim is in "extra"`,
    );
  }

  /** @param known absent if the application has no `ThrottlerModule` */
  static unknownThrottler(name: string, known: readonly string[] | undefined): CatalogError {
    if (known === undefined) {
      return new CatalogError(
        '"@Throttle()" requires "ThrottlerModule.forRoot()" from "@nestjs/throttler": add it to the imports of the application',
      );
    }
    const fix = known.length === 0 ? 'define one in "ThrottlerModule"' : `use one of ${quoteAll(known)}`;
    return new CatalogError(`There is no throttler "${name}" for "@Throttle()" or "@SkipThrottle()": ${fix}`);
  }

  static outsideModules(name: unknown): CatalogError {
    return new CatalogError(
      `No module provides the class "${String(name)}": add it to the "providers" of a module`,
    );
  }

  static unknownServer(server: string, known: readonly string[]): CatalogError {
    return new CatalogError(
      `"McpModule.forFeature" names the server "${server}", but the application has ${quoteAll(known)}: use one of these`,
    );
  }

  static notProvided(className: string): CatalogError {
    return new CatalogError(
      `"McpModule.forFeature" names the class "${className}", which no module provides: add it to the "providers" of a module`,
    );
  }

  static noDefaultServer(className: string): CatalogError {
    return new CatalogError(
      `The handlers of "${className}" do not belong to any server: choose one with "McpModule.forFeature", or set "isDefault: true" on one of the servers`,
    );
  }

  static noServerToInject(name: string, injected: string, servers: readonly string[]): CatalogError {
    return new CatalogError(
      `"${name}" injects "${injected}", but none of the servers ${quoteAll(servers)} is the default server: choose one with "@InjectCatalog()" or "@InjectNotifier()", or set "isDefault: true" on one`,
    );
  }

  static neededToMake(name: string, injected: string, server: string): CatalogError {
    return new CatalogError(
      `"${name}" injects "${injected}" of the server "${server}", but the options of that server depend on this class: inject "ModuleRef" instead, and call "moduleRef.get(${injected}, { strict: false })" when it is used`,
    );
  }

  static severalDefaultServers(servers: readonly string[]): CatalogError {
    return new CatalogError(
      `The servers ${quoteAll(servers)} are all marked "isDefault": mark only one of them`,
    );
  }

  static duplicateServer(server: string): CatalogError {
    const key = server === DEFAULT_SERVER ? 'no name' : `the name "${server}"`;
    return new CatalogError(
      `Two servers have ${key}: import the module once, or give one of them a different name, such as { server: "admin" }, and list its handlers with "McpModule.forFeature()"`,
    );
  }
}

/** Formats a handler's name as in its source. */
export function formatHandler({ kind, className, methodName }: HandlerLocation): string {
  return `${HANDLER_DECORATORS[kind]} on "${className}.${methodName}"`;
}
