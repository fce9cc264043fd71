import type { OpenObject } from '../../../core/protocol/capabilities.js';

/** The stability of an extension. */
export type ExtensionStability = 'experimental' | 'stable' | 'deprecated';

/** A custom extension. Clients get its version, stability and configuration. */
export interface OwnExtensionDeclaration {
  /**
   * In reverse-DNS style, for example `com.example/reports`. Prefixes of the protocol, such as
   * `io.modelcontextprotocol/`, are refused.
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
 * An extension with a published specification. Clients know it, so they get only its settings.
 *
 * @see SEP-2133, "Negotiation"
 */
export interface PublishedExtensionDeclaration {
  /** The id from its specification, for example `io.modelcontextprotocol/skills`. */
  readonly id: string;
  /**
   * The settings that its specification defines, or `{}` if it defines none. They are copied when the extension is
   * registered, and sent to clients of every revision. It is required for an id with a prefix of the protocol.
   */
  readonly published: OpenObject;
  /** Not sent to clients. */
  readonly specVersion?: string;
  /** Not sent to clients. */
  readonly stability?: ExtensionStability;
  readonly config?: never;
}

/** The declaration of an extension to clients, under `capabilities.extensions.<id>`. */
export type ExtensionDeclaration = OwnExtensionDeclaration | PublishedExtensionDeclaration;

/** The declarations of an extension outside `capabilities.extensions`. */
export interface ExtensionCapabilities {
  /** Properties of `capabilities.experimental`. @default none */
  readonly experimental?: { readonly [name: string]: OpenObject };
  /**
   * Declares `resources` even if the catalog has none. Use it if clients of the extension read resources.
   * @default false
   */
  readonly resources?: boolean;
  /** The capability `tasks` of 2025-11-25. It is not declared in other revisions. @default none */
  readonly tasks?: OpenObject;
  /** The capability `events` of the working group's draft. @default none */
  readonly events?: { readonly listChanged?: boolean };
}
