import { mergeScopes } from '../../../core/oauth/scope.js';
import type {
  ExtensionScopes,
  CompletionRegistry,
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from '../../catalog/registries.js';
import type { Access, CatalogEntry } from '../../catalog/entries.js';
import type { Registry } from '../../catalog/registry.js';
import type { AuthSettings } from '../../settings/auth/auth-options.js';
import type { ServerSettings } from '../../settings/server-settings.js';

/** The combined access declarations of catalog entries and extensions. */
interface Summary {
  readonly scopes: readonly string[];
  readonly hasPublic: boolean;
  readonly isRestricting: boolean;
  readonly hasDynamic: boolean;
}

/** The current access declarations of a server's handlers and extensions. */
export class DeclaredAccess {
  readonly #registries: readonly Registry<CatalogEntry>[];
  /** Cached until something changes, because every request reads it. */
  #summary: Summary | undefined;
  #onChange: (() => void) | undefined;

  constructor(
    tools: ToolRegistry,
    resources: ResourceRegistry,
    templates: ResourceTemplateRegistry,
    prompts: PromptRegistry,
    completions: CompletionRegistry,
    private readonly added: ExtensionScopes,
  ) {
    this.#registries = [tools, resources, templates, prompts, completions] as Registry<CatalogEntry>[];
    for (const { changes$ } of [...this.#registries, added]) {
      changes$.subscribe(() => {
        this.#summary = undefined;
        this.#onChange?.();
      });
    }
  }

  /** Registers a listener that is called whenever the declarations may have changed. */
  watch(listener: () => void): void {
    this.#onChange = listener;
  }

  /** The scopes that handlers require for every call, in catalog order, followed by the scopes of extensions. */
  get scopes(): readonly string[] {
    return (this.#summary ??= this.#summarise()).scopes;
  }

  /** Whether any handler is public. */
  get hasPublic(): boolean {
    return (this.#summary ??= this.#summarise()).hasPublic;
  }

  /** Whether any handler requires scopes, static or dynamic. */
  get isRestricting(): boolean {
    return (this.#summary ??= this.#summarise()).isRestricting;
  }

  /** Whether the scopes of any handler depend on the call. */
  get hasDynamic(): boolean {
    return (this.#summary ??= this.#summarise()).hasDynamic;
  }

  /**
   * Lists the scopes that depend on the call, for operators: the templates, and the handlers whose scopes a function
   * returns.
   */
  listDynamic(): readonly string[] {
    const entries = this.#registries.flatMap((registry) => registry.list());
    const templates = entries.flatMap(({ access }) => access?.dynamic?.texts ?? []);
    const told = entries.filter(({ access }) => access?.dynamic?.hasFunctions === true);
    return [...new Set([...templates, ...told.map(({ key }) => `(computed for ${key})`)])];
  }

  #summarise(): Summary {
    const declared = this.#registries.flatMap((registry) => registry.list().flatMap(listAccess));
    const scopes = mergeScopes(
      declared.flatMap((access) => access.scopes),
      this.added.scopes,
    );
    const hasDynamic = declared.some(({ dynamic }) => dynamic !== undefined);
    return {
      scopes,
      hasDynamic,
      isRestricting: hasDynamic || scopes.length > 0,
      hasPublic: declared.some(({ isPublic }) => isPublic),
    };
  }
}

function listAccess({ access, isOwn }: CatalogEntry): readonly Access[] {
  return access === undefined || isOwn === true ? [] : [access];
}

/** Scopes that concern the authorization server itself rather than access to a resource. */
export const AUTHORIZATION_SERVER_SCOPES: ReadonlySet<string> = new Set(['openid', 'offline_access']);

/** The scopes that clients learn from challenges and metadata. */
export class AdvertisedScopes {
  readonly #auth: AuthSettings | undefined;

  constructor(
    { auth }: ServerSettings,
    private readonly declared: DeclaredAccess,
  ) {
    this.#auth = auth;
  }

  /** The prefix that clients add when they request a scope. */
  get prefix(): string {
    return this.#auth?.jwt.find(({ scopePrefix }) => scopePrefix !== '')?.scopePrefix ?? '';
  }

  /**
   * The scopes that a client without a token should request: those required by every request, or else by the
   * handlers.
   */
  get initial(): readonly string[] {
    const { requiredScopes = [], scopesSupported = [] } = this.#auth ?? {};
    if (requiredScopes.length > 0) return requiredScopes;
    const { scopes } = this.declared;
    return selectResourceScopes(scopes.length > 0 ? scopes : scopesSupported);
  }

  /** The `scopes_supported` of the metadata (RFC 9728 §2). */
  get supported(): readonly string[] {
    const { requiredScopes = [], scopesSupported } = this.#auth ?? {};
    return scopesSupported ?? selectResourceScopes(mergeScopes(requiredScopes, this.declared.scopes));
  }
}

function selectResourceScopes(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => !AUTHORIZATION_SERVER_SCOPES.has(scope));
}
