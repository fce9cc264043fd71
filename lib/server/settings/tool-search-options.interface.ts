/** How tools are searched instead of listed. */
export interface ToolSearchOptions {
  /** The name of the tool that searches. @default 'search_tools' */
  readonly name?: string;
  /**
   * The name of the tool that calls other tools, for hosts whose models can call only listed tools. `false` leaves it
   * out.
   * @default 'call_tool'
   */
  readonly callTool?: string | false;
  /** The names of tools that are always listed. @default none */
  readonly pinned?: readonly string[];
  /** Tools with one of these tags are always listed too. @default none */
  readonly pinnedTags?: readonly string[];
  /** The default number of tools that a search returns. @default 5 */
  readonly limit?: number;
  /** The largest number that a search may ask for. @default 25, or `limit` if that is more */
  readonly maximumLimit?: number;
}

/** The same with every default filled in. */
export interface ToolSearchSettings extends Required<Omit<ToolSearchOptions, 'callTool'>> {
  /** Absent if there is no tool that calls others. */
  readonly callTool?: string;
}
