import { Inject, Injectable } from '@nestjs/common';
import type { McpMethod } from '../methods/mcp-method.interface.js';
import type { Revision } from '../protocol/revisions.js';
import { MCP_METHODS } from '../settings/mcp.constants.js';

/** The methods of a server by name; the revision table says who may call which. */
@Injectable()
export class MethodTable {
  readonly #methods: ReadonlyMap<string, McpMethod>;

  constructor(@Inject(MCP_METHODS) methods: readonly McpMethod[]) {
    this.#methods = new Map(methods.map((method) => [method.method, method]));
  }

  /** Finds a method that the revision has. */
  find(method: string, revision: Revision): McpMethod | undefined {
    return revision.methods.has(method) ? this.#methods.get(method) : undefined;
  }
}
