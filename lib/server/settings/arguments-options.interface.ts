/** How the arguments of tools are read. */
export interface ArgumentsOptions {
  /**
   * Repairs arguments that do not fit a schema: JSON in a string for another type, and null for an optional member. The
   * result must pass the whole validation. A tool's `repairArguments` takes precedence.
   * @default false
   */
  readonly repair?: boolean;
}
