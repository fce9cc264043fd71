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

/** What the entries of the catalog, and extensions, declare together. */
interface Summary {
  readonly scopes: readonly string[];
  readonly hasPublic: boolean;
  readonly isRestricting: boolean;
  readonly hasDynamic: boolean;
}

/** Knows what the handlers and extensions of a server declare about who may call them, as of now. */
export class DeclaredAccess {
  readonly #registries: readonly Registry<CatalogEntry>[];
  /** Each request asks for it, so it is told about changes and does not look for them. */
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

  /** Has a listener called whenever the declarations may be others. */
  watch(listener: () => void): void {
    this.#onChange = listener;
  }

  /** Every scope that some handler requires for each of its calls, in the order of the catalog, and then those of extensions. */
  get scopes(): readonly string[] {
    return (this.#summary ??= this.#summarise()).scopes;
  }

  /** Whether some handler may be called without a token. */
  get hasPublic(): boolean {
    return (this.#summary ??= this.#summarise()).hasPublic;
  }

  /** Whether some handler requires scopes, of either kind. */
  get isRestricting(): boolean {
    return (this.#summary ??= this.#summarise()).isRestricting;
  }

  /** Whether the scopes of some handler depend on the call. */
  get hasDynamic(): boolean {
    return (this.#summary ??= this.#summarise()).hasDynamic;
  }

  /** Lists for operators the scopes that depend on the call: the templates, and the handlers whose scopes a function returns. */
  listDynamic(): readonly string[] {
    const entries = this.#registries.flatMap((registry) => registry.list());
    const templates = entries.flatMap(({ access }) => access?.dynamic?.texts ?? []);
    const told = entries.filter(({ access }) => access?.dynamic?.hasFunctions === true);
    return [...new Set([...templates, ...told.map(({ key }) => `(told for ${key})`)])];
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

/** Scopes that ask the authorization server for something of its own, not for access to a resource. */
export const AUTHORIZATION_SERVER_SCOPES: ReadonlySet<string> = new Set(['openid', 'offline_access']);

/** The scopes that clients are told about. */
export class AdvertisedScopes {
  readonly #auth: AuthSettings | undefined;

  constructor(
    { auth }: ServerSettings,
    private readonly declared: DeclaredAccess,
  ) {
    this.#auth = auth;
  }

  /** What clients put before a scope when they ask for it. */
  get prefix(): string {
    return this.#auth?.jwt.find(({ scopePrefix }) => scopePrefix !== '')?.scopePrefix ?? '';
  }

  /** The scopes that a client without a token should ask for: those of every request, or else those of the handlers. */
  get initial(): readonly string[] {
    const { requiredScopes = [], scopesSupported = [] } = this.#auth ?? {};
    if (requiredScopes.length > 0) return requiredScopes;
    const { scopes } = this.declared;
    return selectResourceScopes(scopes.length > 0 ? scopes : scopesSupported);
  }

  /** What the metadata shows (RFC 9728 §2, `scopes_supported`). */
  get supported(): readonly string[] {
    const { requiredScopes = [], scopesSupported } = this.#auth ?? {};
    return scopesSupported ?? selectResourceScopes(mergeScopes(requiredScopes, this.declared.scopes));
  }
}

function selectResourceScopes(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => !AUTHORIZATION_SERVER_SCOPES.has(scope));
}
