/** Something that a page needs and that hosts refuse. */
export interface AppProblem {
  /** What is wrong, as the end of a sentence that begins with the page. */
  readonly found: string;
  readonly fix: string;
  /** Whether the page certainly fails; scripts may never run. */
  readonly isCertain: boolean;
}
