import type { DecisionKey } from './decisions.js';

/** Which releases of the other package something belongs to. */
export type Release = 1 | 2;

/** What becomes of a name that the other package exports. */
export type NameCounterpart =
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
  /** There is none: its import goes, so that nobody takes what it did for done. */
  | { readonly kind: 'none'; readonly decision: DecisionKey };

/** What becomes of a member of an object: of options, or of the context. */
export interface MemberCounterpart {
  /** Their name. */
  readonly theirs: string;
  /** What is written for it, as the pages show it; nothing if there is no counterpart. */
  readonly ours?: string;
  /** What to decide if there is none. */
  readonly decision?: DecisionKey;
  /** The releases that have it. @default both */
  readonly release?: Release;
}
