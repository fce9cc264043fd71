import type { OpenObject } from '../../../../core/protocol/capabilities.js';
import type { Icon } from '../../../../core/protocol/definitions.js';
import type { CardInput, CardRepository } from '../../../settings/server-card-options.js';

/**
 * Describes a server and its address to clients that have not connected yet (SEP-2127). It does not list tools, resources
 * or prompts.
 *
 * @see modelcontextprotocol/experimental-ext-server-card, `schema.ts`
 */
export interface ServerCard {
  readonly $schema: string;
  /** In reverse-DNS form. */
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly title?: string;
  readonly websiteUrl?: string;
  readonly repository?: CardRepository;
  readonly icons?: readonly Icon[];
  /** The endpoints of the server; absent without `publicUrl`. */
  readonly remotes?: readonly CardRemote[];
  readonly _meta?: OpenObject;
}

/** A way to reach a server over HTTP. */
export interface CardRemote {
  readonly type: 'streamable-http' | 'sse';
  readonly url: string;
  readonly headers?: readonly CardInput[];
  readonly supportedProtocolVersions: readonly string[];
}
