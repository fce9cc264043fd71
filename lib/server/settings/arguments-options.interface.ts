/** How the arguments of tools are read. */
export interface ArgumentsOptions {
  /**
   * Repairs arguments that do not fit a schema, as models send them: JSON in a string for an object, an array, a number or a
   * boolean, and null for an optional member. The result must pass the whole validation. A tool's `repairArguments` takes
   * precedence.
   * @default false
   */
  readonly repair?: boolean;
}
