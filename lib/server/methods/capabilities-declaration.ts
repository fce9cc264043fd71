import type { OpenObject, ServerCapabilities } from '../../core/protocol/capabilities.js';
import type { Registries } from '../catalog/registries.js';
import type {
  ExtensionCapabilities,
  ExtensionDeclaration,
} from '../settings/extensions/extension.interface.js';
import type { ServerSettings } from '../settings/server-settings.js';

/** Declares that requests are authorized with tokens. */
const AUTH_EXTENSION: ExtensionDeclaration = {
  id: 'io.nestjs-mcp/auth',
  specVersion: '2026-07-28',
  stability: 'experimental',
};

// Frozen and shared, because every session stores the capabilities that were declared to it.
const PLAIN = Object.freeze({});
const LIST_CHANGED = Object.freeze({ listChanged: true });
const SUBSCRIBE = Object.freeze({ subscribe: true, listChanged: true });

interface Built {
  /** The catalog version that it was built from. */
  readonly version: number;
  readonly capabilities: ServerCapabilities;
  /** The capabilities that remain without sessions. */
  readonly stateless: ServerCapabilities;
}

/** Declares the server's capabilities, from the catalog and the options. */
export class CapabilitiesDeclaration {
  readonly #extensions: Record<string, OpenObject> = {};
  #added: ServerCapabilities = {};
  #needsResources = false;
  /** What was built last. */
  #built: Built | undefined;

  constructor(
    private readonly settings: ServerSettings,
    private readonly registries: Registries,
  ) {
    if (settings.auth !== undefined) this.declareExtension(AUTH_EXTENSION);
  }

  /** Returns whether an extension is declared, whether it is the application's or built in. */
  declares(id: string): boolean {
    return Object.hasOwn(this.#extensions, id);
  }

  /**
   * Declares an extension to clients that connect from now on. The declaration is copied, because responses with it are
   * cached.
   */
  declareExtension(extension: ExtensionDeclaration): void {
    this.#built = undefined;
    this.#extensions[extension.id] = copyJson(describeExtension(extension));
  }

  /** Declares the capabilities that an extension adds outside `extensions`. */
  declare(added: ExtensionCapabilities): void {
    this.#built = undefined;
    const { experimental, tasks, events, resources = false } = copyJson(added);
    this.#needsResources ||= resources;
    this.#added = {
      ...this.#added,
      ...(experimental && { experimental: { ...this.#added.experimental, ...experimental } }),
      ...(tasks && { tasks }),
      ...(events && { events }),
    };
  }

  /** Returns the capabilities for a server without sessions: no change notifications and no log levels. */
  buildStateless(): ServerCapabilities {
    return this.#getBuilt().stateless;
  }

  /** Returns the current capabilities: the same object until the catalog or an extension changes. */
  build(): ServerCapabilities {
    return this.#getBuilt().capabilities;
  }

  #getBuilt(): Built {
    const version = this.#readVersion();
    if (this.#built?.version !== version) {
      const capabilities = Object.freeze(this.#compose());
      this.#built = { version, capabilities, stateless: Object.freeze(withoutSessions(capabilities)) };
    }
    return this.#built;
  }

  /** Versions only grow, so their sum changes with each of them. */
  #readVersion(): number {
    const { tools, resources, templates, prompts, completions } = this.registries;
    return tools.version + resources.version + templates.version + prompts.version + completions.version;
  }

  #hasCompletions(): boolean {
    const { completions, prompts } = this.registries;
    if (completions.isExpecting) return true;
    return completions.size > 0 || prompts.list().some(({ values }) => values !== undefined);
  }

  #compose(): ServerCapabilities {
    const { capabilities: options } = this.settings;
    const { tools, resources, templates, prompts } = this.registries;
    const hasResources = this.#needsResources || hasEntries(resources) || hasEntries(templates);
    return {
      ...this.#added,
      ...((options.tools ?? hasEntries(tools)) && { tools: LIST_CHANGED }),
      ...((options.resources ?? hasResources) && { resources: SUBSCRIBE }),
      ...((options.prompts ?? hasEntries(prompts)) && { prompts: LIST_CHANGED }),
      ...((options.completions ?? this.#hasCompletions()) && { completions: PLAIN }),
      ...(options.logging !== false && { logging: PLAIN }),
      ...(Object.keys(this.#extensions).length > 0 && { extensions: { ...this.#extensions } }),
    };
  }
}

function hasEntries({
  size,
  isExpecting,
}: {
  readonly size: number;
  readonly isExpecting: boolean;
}): boolean {
  return size > 0 || isExpecting;
}

/** A published extension defines its own settings object, and clients reject anything else. */
function describeExtension(extension: ExtensionDeclaration): OpenObject {
  if (extension.published !== undefined) return extension.published;
  const { specVersion, stability, config } = extension;
  return { specVersion, stability, ...(config && { config }) };
}

/** Omits change notification flags and the log level. */
function withoutSessions(capabilities: ServerCapabilities): ServerCapabilities {
  const { tools, resources, prompts, events, extensions, logging: _, ...always } = capabilities;
  return {
    ...always,
    ...(extensions && { extensions: withoutHints(extensions) }),
    ...(tools && { tools: PLAIN }),
    ...(resources && { resources: PLAIN }),
    ...(prompts && { prompts: PLAIN }),
    ...(events && { events: PLAIN }),
  };
}

/** Extensions declare change notifications with the same flag. */
function withoutHints(extensions: NonNullable<ServerCapabilities['extensions']>): typeof extensions {
  return Object.fromEntries(
    Object.entries(extensions).map(([id, settings]) => {
      const { listChanged: _, ...others } = settings;
      return [id, others];
    }),
  );
}

/** Returns a copy of an object as JSON represents it now. */
function copyJson<Copied extends object>(value: Copied): Copied {
  return JSON.parse(JSON.stringify(value)) as Copied;
}
