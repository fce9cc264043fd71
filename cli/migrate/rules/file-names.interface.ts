import type { Node } from 'ts-morph';

/** What became of the names that entered a file. */
export interface FileNames {
  /** The local name of what a declaration brought, if it has another one now. */
  readonly renamed: ReadonlyMap<Node, string>;
  /** Declarations whose name is still used, though it has no counterpart. */
  readonly left: ReadonlySet<Node>;
}
