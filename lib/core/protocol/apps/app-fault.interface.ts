/** Something that a page needs and that hosts will not let it have. */
export interface AppFault {
  /** What is wrong, as the end of a sentence that begins with the page. */
  readonly found: string;
  readonly remedy: string;
  /** Whether the page certainly fails; what a script has may never run. */
  readonly isCertain: boolean;
}
