/** Says to which server the handlers of some providers belong: the value behind one `McpModule.forFeature`. */
export interface FeatureAssignment {
  /** The key of the server. */
  readonly server: string;
  /** The classes whose handlers belong to it. */
  readonly providers: readonly ProviderClass[];
}

/** A class of a provider, whatever its constructor takes. */
export type ProviderClass = abstract new (...dependencies: never[]) => object;
