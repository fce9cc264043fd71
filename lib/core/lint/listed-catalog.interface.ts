/** What a server lists, as it lists it: nothing of it needs to be as the protocol wants it. */
export interface ListedCatalog {
  /** What the server tells models of itself. */
  readonly instructions?: unknown;
  readonly tools?: readonly unknown[];
  readonly prompts?: readonly unknown[];
  readonly resources?: readonly unknown[];
  readonly resourceTemplates?: readonly unknown[];
  /** Whether the server lists more. @default false */
  readonly isCut?: boolean;
}

/** The kinds of what is listed. */
export const LISTED_KINDS = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;
