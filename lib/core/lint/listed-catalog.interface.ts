/** A server's lists as received: nothing in them is validated. */
export interface ListedCatalog {
  /** The instructions for models. */
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
