import type { OpenObject } from '../../../core/protocol/capabilities.js';

/** The stability of an extension. */
export type ExtensionStability = 'experimental' | 'stable' | 'deprecated';

/** An extension of your application. Clients are told its version, stability and configuration. */
export interface OwnExtensionDeclaration {
  /** In reverse-DNS style, for example `com.example/reports`. Prefixes of the protocol, such as `io.modelcontextprotocol/`, are refused. */
  readonly id: string;
  /** The version of the specification that the extension follows. */
  readonly specVersion: string;
  readonly stability: ExtensionStability;
  /** Further members for clients. They are copied when the extension is registered. @default none */
  readonly config?: OpenObject;
  readonly published?: never;
}

/**
 * An extension that others published. Clients know its specification, so they are told only its settings.
 *
 * @see SEP-2133, "Negotiation"
 */
export interface PublishedExtensionDeclaration {
  /** The id from its specification, for example `io.modelcontextprotocol/skills`. */
  readonly id: string;
  /**
   * The settings that its specification defines, or `{}` if it defines none. They are copied when the extension is
   * registered, and sent to clients of every revision. An id with a prefix of the protocol needs this member.
   */
  readonly published: OpenObject;
  /** Not told to clients. */
  readonly specVersion?: string;
  /** Not told to clients. */
  readonly stability?: ExtensionStability;
  readonly config?: never;
}

/** The declaration of an extension to clients, under `capabilities.extensions.<id>`. */
export type ExtensionDeclaration = OwnExtensionDeclaration | PublishedExtensionDeclaration;

/** The declarations of an extension outside `capabilities.extensions`. */
export interface ExtensionCapabilities {
  /** Members of `capabilities.experimental`. @default none */
  readonly experimental?: { readonly [name: string]: OpenObject };
  /** Declares `resources` even if the catalog has none. Use it if clients of the extension read resources. @default false */
  readonly resources?: boolean;
  /** The capability `tasks` of 2025-11-25. It is not declared in other revisions. @default none */
  readonly tasks?: OpenObject;
  /** The capability `events` of the working group's sketch. @default none */
  readonly events?: { readonly listChanged?: boolean };
}
