import type { Node } from 'ts-morph';

/** The outcome for the names that a file imports. */
export interface FileNames {
  /** The new local name of a declaration, if it changed. */
  readonly renamed: ReadonlyMap<Node, string>;
  /** Declarations whose name is still used although it has no counterpart. */
  readonly left: ReadonlySet<Node>;
}
