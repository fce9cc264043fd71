import type { Revision } from '../../core/protocol/revisions.js';
import type { McpMethod } from '../methods/mcp-method.interface.js';

interface AddedMethod {
  readonly method: McpMethod;
  readonly kinds: readonly Revision['kind'][];
}

/** Options of an added method. */
export interface MethodAddition {
  /** The kinds of revision that include the method. @default both */
  readonly revisions?: readonly Revision['kind'][] | undefined;
  /** The parameter that `Mcp-Name` repeats. @default none */
  readonly mcpNameParam?: string | undefined;
}

/** A server's methods. The revision table determines which clients may call them. */
export class MethodTable {
  readonly #methods: Map<string, McpMethod>;
  readonly #added = new Map<string, AddedMethod>();
  readonly #names = new Map<string, string>();

  constructor(methods: readonly McpMethod[]) {
    this.#methods = new Map(methods.map((method) => [method.method, method]));
  }

  /** Returns whether any revision has the method. */
  has(method: string): boolean {
    return this.#methods.has(method) || this.#added.has(method);
  }

  /** Whether there are methods that no revision defines. */
  get hasAdded(): boolean {
    return this.#added.size > 0;
  }

  /** The parameter that `Mcp-Name` repeats, for added methods. */
  get names(): ReadonlyMap<string, string> {
    return this.#names;
  }

  /** Adds a method that no revision defines, to some kinds of revision or to all. */
  add(
    method: McpMethod,
    { revisions = ['handshake', 'perRequest'], mcpNameParam }: MethodAddition = {},
  ): void {
    this.#added.set(method.method, { method, kinds: revisions });
    if (mcpNameParam !== undefined) this.#names.set(method.method, mcpNameParam);
  }

  /** Finds a method that the revision includes. */
  find(method: string, revision: Revision): McpMethod | undefined {
    if (revision.methods.has(method)) return this.#methods.get(method);
    const added = this.#added.get(method);
    return added?.kinds.includes(revision.kind) === true ? added.method : undefined;
  }
}
