import type { McpContext } from '../../context/mcp-context.interface.js';
import type { CatalogEntry, Invoke } from '../entries.js';
import { buildDirectCall, type HandlerFunction } from './direct-call.js';

/** Runs global serializers on what a function gives. */
export type Serialize = (run: () => unknown, context: McpContext, origin: CatalogEntry['origin']) => unknown;

/**
 * Makes functions of the catalog callable. The catalog can be injected before the options of its server are known;
 * its functions are called later.
 */
export class FunctionCalls {
  #serialize: Serialize = (run) => run();

  /** Has serializers run on functions from now on. */
  serializeWith(serialize: Serialize): void {
    this.#serialize = serialize;
  }

  /** Makes a function callable. Of the global enhancers, only serializers run on it. */
  create(handler: HandlerFunction): Invoke {
    const direct = buildDirectCall(handler);
    return (args, context) => this.#serialize(() => direct(args, context), context, { method: handler });
  }
}
