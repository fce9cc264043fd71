import type { OpenObject, ServerCapabilities } from '../../core/protocol/capabilities.js';
import type { Registries } from '../catalog/registries.js';
import type {
  ExtensionCapabilities,
  ExtensionDeclaration,
} from '../settings/extensions/extension.interface.js';
import type { ServerSettings } from '../settings/server-settings.js';

/** Says that tokens are asked for, as this project does that. */
const AUTH_EXTENSION: ExtensionDeclaration = {
  id: 'io.nestjs-mcp/auth',
  specVersion: '2026-07-28',
  stability: 'experimental',
};

// Every session keeps what was declared to it: they share these.
const PLAIN = Object.freeze({});
const LIST_CHANGED = Object.freeze({ listChanged: true });
const SUBSCRIBE = Object.freeze({ subscribe: true, listChanged: true });

interface Built {
  /** The version of the catalog that it was built of. */
  readonly version: number;
  readonly capabilities: ServerCapabilities;
  /** What of it can be kept up without knowing clients from one request to the next. */
  readonly stateless: ServerCapabilities;
}

/** Declares the capabilities of the server, from the catalog and the options. */
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

  /** Tells whether an extension is declared: an application's, or one that the server has itself. */
  declares(id: string): boolean {
    return Object.hasOwn(this.#extensions, id);
  }

  /** Declares an extension to clients that connect from now on: what it has to say is copied, as answers to them are kept. */
  declareExtension(extension: ExtensionDeclaration): void {
    this.#built = undefined;
    this.#extensions[extension.id] = copyJson(describeExtension(extension));
  }

  /** Declares what an extension adds outside `extensions`. */
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

  /** Returns the capabilities of a server that keeps nothing between requests: without announcements of changes and without log levels. */
  buildStateless(): ServerCapabilities {
    return this.#getBuilt().stateless;
  }

  /** Returns the capabilities as of now: the same object until the catalog or an extension changes. */
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
    return completions.size > 0 || prompts.list().some(({ values }) => values !== undefined);
  }

  #compose(): ServerCapabilities {
    const { capabilities: asked } = this.settings;
    const { tools, resources, templates, prompts } = this.registries;
    const hasResources = this.#needsResources || resources.size + templates.size > 0;
    return {
      ...this.#added,
      ...((asked.tools ?? tools.size > 0) && { tools: LIST_CHANGED }),
      ...((asked.resources ?? hasResources) && { resources: SUBSCRIBE }),
      ...((asked.prompts ?? prompts.size > 0) && { prompts: LIST_CHANGED }),
      ...((asked.completions ?? this.#hasCompletions()) && { completions: PLAIN }),
      ...(asked.logging !== false && { logging: PLAIN }),
      ...(Object.keys(this.#extensions).length > 0 && { extensions: { ...this.#extensions } }),
    };
  }
}

/** The specification of a published extension says what stands under its id, and clients of it refuse anything else. */
function describeExtension(extension: ExtensionDeclaration): OpenObject {
  if (extension.published !== undefined) return extension.published;
  const { specVersion, stability, config } = extension;
  return { specVersion, stability, ...(config && { config }) };
}

/** Leaves out hints of changes and the log level. */
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

/** Extensions say in the same words that their clients hear of changes. */
function withoutHints(extensions: NonNullable<ServerCapabilities['extensions']>): typeof extensions {
  return Object.fromEntries(
    Object.entries(extensions).map(([id, settings]) => {
      const { listChanged: _, ...others } = settings;
      return [id, others];
    }),
  );
}

/** Returns an object as clients would be told it now. */
function copyJson<Copied extends object>(value: Copied): Copied {
  return JSON.parse(JSON.stringify(value)) as Copied;
}
