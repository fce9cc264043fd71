import type { CardInput, CardRepository, ServerCard } from '../../lib/index.js';

/**
 * Describes a server to the registry: what it is, and how to reach or run it.
 *
 * @see modelcontextprotocol/registry, docs/reference/server-json, schema of 2025-12-11
 */
export interface ServerJson {
  readonly $schema: string;
  readonly name: string;
  readonly description: string;
  readonly title?: string;
  readonly version: string;
  readonly websiteUrl?: string;
  readonly repository?: CardRepository;
  readonly icons?: ServerCard['icons'];
  readonly remotes?: readonly ServerRemote[];
  readonly packages?: readonly ServerPackage[];
}

/** An HTTP endpoint of the server. */
export interface ServerRemote {
  readonly type: 'streamable-http' | 'sse';
  readonly url: string;
  readonly headers?: readonly CardInput[];
}

/** A package that runs the server over stdio. */
export interface ServerPackage {
  readonly registryType: 'npm';
  readonly registryBaseUrl: string;
  readonly identifier: string;
  readonly version: string;
  readonly runtimeHint: 'npx';
  readonly transport: { readonly type: 'stdio' };
  readonly environmentVariables?: readonly CardInput[];
}
