import type { OpenObject } from '../../../core/protocol/capabilities.js';

/** How settled an extension is. */
export type ExtensionStability = 'experimental' | 'stable' | 'deprecated';

/** An extension of the application's own: clients are told its version, its stability and its configuration. */
export interface OwnExtensionDeclaration {
  /** In reverse-DNS style, for example `com.example/reports`. Prefixes of the protocol, such as `io.modelcontextprotocol/`, are refused. */
  readonly id: string;
  /** The version of the specification that the extension follows. */
  readonly specVersion: string;
  readonly stability: ExtensionStability;
  /** Further members for clients, as they are when the extension is registered. @default none */
  readonly config?: OpenObject;
  readonly published?: never;
}

/**
 * An extension that others published. Clients know its specification, and are told only its settings.
 *
 * @see SEP-2133, "Negotiation"
 */
export interface PublishedExtensionDeclaration {
  /** The id that the specification gives it, for example `io.modelcontextprotocol/skills`. */
  readonly id: string;
  /**
   * The settings that its specification defines, `{}` if there are none. Clients of every revision are told them, as they are when
   * the extension is registered. An id with a prefix of the protocol needs this member.
   */
  readonly published: OpenObject;
  /** Not told to clients. */
  readonly specVersion?: string;
  /** Not told to clients. */
  readonly stability?: ExtensionStability;
  readonly config?: never;
}

/** What clients are told about an extension, under `capabilities.extensions.<id>`. */
export type ExtensionDeclaration = OwnExtensionDeclaration | PublishedExtensionDeclaration;

/** What a server declares of an extension outside `capabilities.extensions`. */
export interface ExtensionCapabilities {
  /** Members of `capabilities.experimental`. @default none */
  readonly experimental?: { readonly [name: string]: OpenObject };
  /** Declares `resources`, whatever the catalogue holds: for an extension whose clients read resources. @default false */
  readonly resources?: boolean;
  /** The capability `tasks` of 2025-11-25; other revisions are not told. @default none */
  readonly tasks?: OpenObject;
  /** The capability `events` of the working group's sketch. @default none */
  readonly events?: { readonly listChanged?: boolean };
}
