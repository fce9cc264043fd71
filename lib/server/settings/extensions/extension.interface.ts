import type { OpenObject } from '../../../core/protocol/capabilities.js';

/** How settled an extension is. */
export type ExtensionStability = 'experimental' | 'stable' | 'deprecated';

/** What clients are told of an extension, under `capabilities.extensions.<id>`. */
export interface ExtensionDeclaration {
  /** In reverse-DNS style, for example `com.example/reports`; the protocol's own prefixes are taken. */
  readonly id: string;
  /** The version of the specification that the extension follows. */
  readonly specVersion: string;
  readonly stability: ExtensionStability;
  /** Further members that clients are told, as they are when the extension is registered. @default none */
  readonly config?: OpenObject;
  /** What the stateless wire says in the place of all that, for an extension whose own schema leaves no room for it. @default the same */
  readonly published?: OpenObject;
}

/** What a server declares of an extension outside `capabilities.extensions`. */
export interface ExtensionCapabilities {
  /** Members of `capabilities.experimental`. @default none */
  readonly experimental?: { readonly [name: string]: OpenObject };
  /** The capability `tasks` of 2025-11-25; other revisions are not told. @default none */
  readonly tasks?: OpenObject;
  /** The capability `events` of the working group's sketch. @default none */
  readonly events?: { readonly listChanged?: boolean };
}
