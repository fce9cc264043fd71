import type { DecisionKey } from './decisions.js';

/** The releases of the other package. */
export type Release = 1 | 2;

/** What becomes of a name that the other package exports. */
export type NameReplacement =
  | {
      readonly kind: 'moved';
      /** Our name of it. */
      readonly name: string;
      /** What exports it. @default 'nestjs-mcp' */
      readonly from?: '@nestjs/common';
      /** Whether it is a type. @default false */
      readonly isType?: boolean;
    }
  /** The names of the wiring that the module does: rules take them out where they are used. */
  | { readonly kind: 'wiring'; readonly decision: DecisionKey }
  /** A type of code that stays: the file declares it itself. */
  | { readonly kind: 'declared'; readonly declaration: string }
  /** It works beside our module, so its import stays. */
  | { readonly kind: 'stays'; readonly decision: DecisionKey }
  /** There is no replacement. The import is removed, so that nobody believes that it still has an effect. */
  | { readonly kind: 'none'; readonly decision: DecisionKey };

/** What becomes of a member of an object: of options, or of the context. */
export interface MemberReplacement {
  /** Their name. */
  readonly theirs: string;
  /** Its replacement, as the pages show it; absent if there is none. */
  readonly ours?: string;
  /** What to decide if there is none. */
  readonly decision?: DecisionKey;
  /** The releases that have it. @default both */
  readonly release?: Release;
}
