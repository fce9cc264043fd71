import type { DecisionKey } from './decisions.js';

/** The releases of the other package. */
export type Release = 1 | 2;

/** The replacement for a name that the other package exports. */
export type NameReplacement =
  | {
      readonly kind: 'moved';
      /** Its name here. */
      readonly name: string;
      /** The package that exports it. @default 'nestjs-mcp' */
      readonly from?: '@nestjs/common';
      /** Whether it is a type. @default false */
      readonly isType?: boolean;
    }
  /** Wiring that the module handles, so rules remove the name where it is used. */
  | { readonly kind: 'wiring'; readonly decision: DecisionKey }
  /** A type that remaining code needs: the file declares it itself. */
  | { readonly kind: 'declared'; readonly declaration: string }
  /** It works alongside our module, so its import stays. */
  | { readonly kind: 'stays'; readonly decision: DecisionKey }
  /** There is no replacement. The import is removed, because it would have no effect. */
  | { readonly kind: 'none'; readonly decision: DecisionKey };

/** The replacement for a property of the options or the context. */
export interface MemberReplacement {
  /** Their name. */
  readonly theirs: string;
  /** Its replacement, as shown in the docs; absent if there is none. */
  readonly ours?: string;
  /** The decision if there is none. */
  readonly decision?: DecisionKey;
  /** The releases that have it. @default both */
  readonly release?: Release;
}
