import { isDeepStrictEqual } from 'node:util';
import type { Params } from '../../../core/protocol/json-rpc.js';
import type { Hosting } from '../../context/request-parts.interface.js';
import type { CatalogEntry } from '../entries.js';

/** Arguments of a request as the handler takes them. */
interface Parsed {
  readonly entry: CatalogEntry;
  readonly value: unknown;
  /** As they were sent. */
  readonly given: unknown;
}

/** A request, as far as it tells with what it calls. */
interface Calling {
  readonly params: Params;
  readonly hosting?: Hosting | undefined;
}

const parsed = new WeakMap<object, Parsed>();

/** Keeps arguments that were parsed to tell the scopes of a request: these and no others must reach the handler. */
export function keepParsed(context: Pick<Calling, 'params'>, entry: CatalogEntry, value: unknown): void {
  parsed.set(context, { entry, value, given: context.params['arguments'] });
}

/**
 * Finds the arguments that were parsed for an entry, by a request or by the request that it serves. Returns `undefined`
 * if no scopes depend on its arguments.
 */
export function findParsed(context: Calling, entry: CatalogEntry): Pick<Parsed, 'value'> | undefined {
  const found = parsed.get(context) ?? findOfOrigin(context);
  return found?.entry === entry ? found : undefined;
}

/** Who makes a call for another may call with other arguments. */
function findOfOrigin({ params, hosting }: Calling): Parsed | undefined {
  const found = hosting?.origin && parsed.get(hosting.origin);
  return found !== undefined && isDeepStrictEqual(found.given, params['arguments']) ? found : undefined;
}
