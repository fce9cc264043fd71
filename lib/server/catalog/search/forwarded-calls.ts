import { isObject } from '../../../core/protocol/json-rpc.js';
import type { CallOpener, OpenableCall } from '../../context/call-opener.interface.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { ToolSearchSettings } from '../../settings/catalog-options.js';
import type { ToolRegistry } from '../registries.js';
import { isForModels } from './is-for-models.js';
import { isListed } from './listed-tools.js';

/**
 * Takes a call of the tool that calls others for a call of that other. From there on it is that call: the scopes, guards,
 * limits, audit and time-out of the named tool apply.
 */
export class ForwardedCalls implements CallOpener {
  readonly #search: ServerSettings['catalog']['search'];

  constructor(
    settings?: Pick<ServerSettings, 'catalog'>,
    private readonly tools?: ToolRegistry,
  ) {
    this.#search = settings?.catalog.search;
  }

  /** Whether there is a tool that calls others. */
  get isWanted(): boolean {
    return this.#search?.callTool !== undefined;
  }

  /** Returns the call that is meant, or the same request if it is none of these. What is listed is to be called by its own name. */
  rewrite<Request extends OpenableCall>(request: Request): Request {
    const search = this.#search;
    const { method, params } = request;
    if (search?.callTool === undefined || method !== 'tools/call' || params?.['name'] !== search.callTool) {
      return request;
    }
    const given = params['arguments'];
    if (!isObject(given) || typeof given['name'] !== 'string') return request;
    const { name, arguments: meant } = given as { readonly name: string; readonly arguments?: unknown };
    return this.#mayForward(name, search)
      ? { ...request, params: { ...params, name, arguments: meant } }
      : request;
  }

  /** What there is not is refused as any such call is. */
  #mayForward(name: string, search: ToolSearchSettings): boolean {
    const tool = this.tools?.find(name);
    return tool === undefined || (!isListed(tool, search) && isForModels(tool));
  }
}
