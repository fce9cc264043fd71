/**
 * The argument of `McpModule.forFeature()`, which assigns handlers to one server of the application.
 *
 * @example
 * McpModule.forFeature({ server: 'admin', includeTags: ['admin'] })
 */
export interface FeatureAssignment {
  /** The key of the server. */
  readonly server: string;
  /** The classes whose handlers belong to it. @default all that no other assignment names */
  readonly providers?: readonly ProviderClass[];
  /** Takes only handlers with one of these tags. @default all */
  readonly includeTags?: readonly string[];
  /** Leaves out handlers with one of these tags. @default none */
  readonly excludeTags?: readonly string[];
}

/** A class of a provider, with any constructor. */
export type ProviderClass = abstract new (...dependencies: never[]) => object;
