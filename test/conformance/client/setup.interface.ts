/** What a run of the client is told. */
export interface Setup {
  /** The scenario. */
  readonly name: string;
  readonly serverUrl: URL;
  /** What the scenario gives to the client besides, such as credentials. */
  readonly context: { readonly [member: string]: unknown };
  /** The revision that the suite speaks; it knows one wire at a time. */
  readonly revision: string | undefined;
}
