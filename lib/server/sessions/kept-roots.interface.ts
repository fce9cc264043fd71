/** An answer to `roots/list`, and what is counted for it. */
export interface KeptRoots {
  readonly answer: Promise<string>;
  readonly bytes: number;
}

/** Characters of JSON; a longer answer is asked for each time. */
export const LONGEST_ROOTS = 65_536;
