import type { OpenObject } from '../../../core/protocol/capabilities.js';

/** An extension's stability. */
export type ExtensionStability = 'experimental' | 'stable' | 'deprecated';

/** A custom extension. Clients receive its version, stability and configuration. */
export interface OwnExtensionDeclaration {
  /**
   * The id in reverse-DNS style, for example `com.example/reports`. Protocol prefixes, such as
   * `io.modelcontextprotocol/`, are rejected.
   */
  readonly id: string;
  /** The version of the specification that the extension follows. */
  readonly specVersion: string;
  readonly stability: ExtensionStability;
  /** Further properties for clients. They are copied when the extension is registered. @default none */
  readonly config?: OpenObject;
  readonly published?: never;
}

/**
 * An extension with a published specification. Clients know it, so they receive only its settings.
 *
 * @see SEP-2133, "Negotiation"
 */
export interface PublishedExtensionDeclaration {
  /** The id from its specification, for example `io.modelcontextprotocol/skills`. */
  readonly id: string;
  /**
   * The settings that its specification defines, or `{}` if it defines none. They are copied when the extension is
   * registered, and sent to clients of every revision. They are required for an id with a protocol prefix.
   */
  readonly published: OpenObject;
  /** Not sent to clients. */
  readonly specVersion?: string;
  /** Not sent to clients. */
  readonly stability?: ExtensionStability;
  readonly config?: never;
}

/** How an extension is declared to clients, under `capabilities.extensions.<id>`. */
export type ExtensionDeclaration = OwnExtensionDeclaration | PublishedExtensionDeclaration;

/** An extension's declarations outside `capabilities.extensions`. */
export interface ExtensionCapabilities {
  /** Properties of `capabilities.experimental`. @default none */
  readonly experimental?: { readonly [name: string]: OpenObject };
  /**
   * Declares `resources` even if the catalog has none. Use it if the extension's clients read resources.
   * @default false
   */
  readonly resources?: boolean;
  /** The `tasks` capability of 2025-11-25. It is not declared in other revisions. @default none */
  readonly tasks?: OpenObject;
  /** The `events` capability of the working group's draft. @default none */
  readonly events?: { readonly listChanged?: boolean };
}
