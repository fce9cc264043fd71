import { callable, flag, nonEmptyString, string } from '../../../core/checks/option-checks.js';
import { optionGroup, type Rows } from '../../../core/checks/option-group.js';
import type { AuthorizationServerMetadata } from '../../../core/oauth/metadata.js';
import type {
  ClientAuthenticationMethod,
  ClientIdentity,
} from '../../../core/oauth/token-endpoint/client-identity.js';
import type { ClientHttpOptions } from '../client-http.js';
import type { ClientHttp } from '../client-http.interface.js';
import type {
  CredentialStore,
  StoredCredentials,
  StoredRegistration,
} from '../credentials/credential-store.js';
import {
  InsecureEndpointError,
  PrivateAddressError,
  quoteValue,
  quoteUrl,
  RegistrationUnavailableError,
} from '../errors.js';
import { isRegisteredFor, registerClient } from './dynamic-registration.js';

/** A client's id at an authorization server, and its secret if it has one. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}

/** How a client gets its id at an authorization server. */
export interface RegistrationOptions {
  /** The id of a client that was registered with the authorization server in advance. */
  readonly clientId?: string | undefined;
  /** Its secret, if it has one. It is not stored. */
  readonly clientSecret?: string | undefined;
  /**
   * The issuer that registered the client. The client does not log in anywhere else. @default the first issuer that
   * it is used with @see docs/client.md, "More than one authorization server"
   */
  readonly issuer?: string | undefined;
  /** The URL of the client's metadata document, which is its id at authorization servers that support it. */
  readonly clientMetadataUrl?: string | undefined;
  /** Whether the client may register itself (RFC 7591). @default true */
  readonly enableDcr?: boolean | undefined;
  /** The client's name when it registers. @default 'nestjs-mcp' */
  readonly clientName?: string | undefined;
  /** As a last resort, asks the user for a client id at an issuer. Returns `undefined` if the user has none. */
  readonly askForClientId?: ((issuer: string) => Promise<ClientCredentials | undefined>) | undefined;
}

/** Registration options without a default. */
export type OpenRegistrationOption = Exclude<keyof RegistrationOptions, 'enableDcr' | 'clientName'>;

export const REGISTRATION_ROWS: Rows<RegistrationOptions, OpenRegistrationOption> = {
  clientId: nonEmptyString,
  clientSecret: string,
  issuer: nonEmptyString,
  clientMetadataUrl: nonEmptyString,
  enableDcr: [flag, true],
  clientName: [nonEmptyString, 'nestjs-mcp'],
  askForClientId: callable,
};

const REGISTRATION = optionGroup<RegistrationOptions, OpenRegistrationOption>(REGISTRATION_ROWS);

/** The issuer and the login that need a client id. */
interface RegistrationLookup extends RedirectUris {
  readonly authorizationServer: AuthorizationServerMetadata;
  /** The existing registrations. The first usable one is reused. */
  readonly known: readonly StoredRegistration[];
}

/** A registrar's dependencies. */
interface RegistrarParts {
  readonly serverUrl: string;
  readonly options: RegistrationOptions & Pick<ClientHttpOptions, 'insecureHosts'>;
  readonly store: CredentialStore;
  readonly http: ClientHttp;
}

/** Why an attempt to get an id failed. */
type RegistrationProblem = Pick<RegistrationUnavailableError, 'problem'> &
  Partial<Pick<RegistrationUnavailableError, 'status'>>;

/** The fix if a client with several issuers could not determine which of them sent a response. */
const AMBIGUOUS =
  'it does not declare that its responses name it (RFC 9207), which a configured client ID requires; if it issued the ID, set "issuer" to it';

/**
 * Finds the client's id at each authorization server. It tries, in order: the configured id, the client's metadata
 * document, dynamic registration, and the user. An id from one authorization server is never shown to another.
 *
 * @see MCP 2026-07-28 basic/authorization
 */
export class Registrar {
  /**
   * The latest registration at each issuer, which the store may lack.
   */
  readonly #latest = new Map<string, StoredRegistration>();

  /** @throws {TypeError} if the URL of the client's metadata document cannot be an id */
  constructor(private readonly parts: RegistrarParts) {
    const { clientMetadataUrl } = parts.options;
    if (clientMetadataUrl !== undefined) assertClientMetadataUrl(clientMetadataUrl);
  }

  /** Returns whether the stored registration belongs to the configured client. */
  isOfClient(stored: StoredRegistration): boolean {
    const { clientId } = this.parts.options;
    return clientId === undefined || stored.clientId === clientId;
  }

  /** Adds the configured secret to the stored registration. */
  complete(stored: StoredRegistration): StoredRegistration {
    const { clientId, clientSecret } = this.parts.options;
    const isGiven = stored.origin === 'given' && stored.clientId === clientId && clientSecret !== undefined;
    return isGiven ? { ...stored, clientSecret } : stored;
  }

  /**
   * Returns the registrations that another login may use: the stored one, and later ones that were not stored.
   */
  findKnown(issuer: string, { registration, tokens }: StoredCredentials): readonly StoredRegistration[] {
    if (registration === undefined) return [];
    const latest = tokens === undefined ? undefined : this.#latest.get(issuer);
    return latest === undefined || latest.clientId === registration.clientId
      ? [registration]
      : [registration, latest];
  }

  /** Discards a client that the authorization server may no longer know. */
  forget(issuer: string, { clientId }: StoredRegistration): void {
    if (this.#latest.get(issuer)?.clientId === clientId) this.#latest.delete(issuer);
  }

  /**
   * Gets the client's registration for one login.
   *
   * @throws {RegistrationUnavailableError} if there is no way to get a client id
   */
  async get(lookup: RegistrationLookup): Promise<StoredRegistration> {
    const known = (await this.#findGiven(lookup)) ?? this.#findDocument(lookup) ?? this.#findStored(lookup);
    if (known !== undefined) return known;
    const problems: RegistrationProblem[] = [];
    const registered = await this.#register(lookup, problems);
    const registration = registered ?? (await this.#ask(lookup));
    if (registration !== undefined) return registration;
    if (this.#hasOther && !this.#isUnambiguous(lookup.authorizationServer))
      problems.push({ problem: AMBIGUOUS });
    const problem = problems.map((one) => one.problem).join(', and ');
    const status = problems.find((one) => one.status !== undefined)?.status;
    throw new RegistrationUnavailableError(lookup.authorizationServer.issuer, problem, { status });
  }

  async #findGiven({ authorizationServer }: RegistrationLookup): Promise<StoredRegistration | undefined> {
    const { store, serverUrl, options } = this.parts;
    const { clientId } = options;
    if (clientId === undefined) return undefined;
    const { issuer } = authorizationServer;
    if (!this.#isUnambiguous(authorizationServer)) throw new RegistrationUnavailableError(issuer, AMBIGUOUS);
    const other =
      options.issuer === undefined
        ? await findOtherIssuer(store, { serverUrl, clientId }, issuer)
        : undefined;
    if (other === undefined) return { clientId, origin: 'given' };
    const problem = `the configured "clientId" belongs to ${quoteValue(other)}; if that issuer has moved, set "issuer"`;
    throw new RegistrationUnavailableError(issuer, problem);
  }

  #findDocument({ authorizationServer }: RegistrationLookup): StoredRegistration | undefined {
    const { clientMetadataUrl } = this.parts.options;
    const isSupported = authorizationServer.client_id_metadata_document_supported === true;
    if (clientMetadataUrl === undefined || !isSupported) return undefined;
    // The document lists the same `redirectUri` for every issuer.
    if (!this.#isUnambiguous(authorizationServer)) return undefined;
    return { clientId: clientMetadataUrl, origin: 'metadata-document' };
  }

  /**
   * A client that registered with the `redirectUri` shared by all issuers registers again, unless responses identify
   * their issuer.
   */
  #findStored(lookup: RegistrationLookup): StoredRegistration | undefined {
    const { known, redirectUri, issuerRedirectUri = redirectUri, authorizationServer } = lookup;
    const isUnambiguous = this.#isUnambiguous(authorizationServer);
    return known.find((one) => {
      if (one.origin === 'given') return isUnambiguous;
      if (one.origin !== 'dynamic') return false;
      return isRegisteredFor(one, issuerRedirectUri) || (isUnambiguous && isRegisteredFor(one, redirectUri));
    });
  }

  /**
   * Returns whether a response definitely originates from this authorization server: because responses name their
   * issuer, or because there is only one authorization server.
   *
   * @see RFC 9700 §4.4.2, RFC 9207
   */
  #isUnambiguous(server: AuthorizationServerMetadata): boolean {
    return (
      server.authorization_response_iss_parameter_supported === true ||
      this.parts.options.issuer !== undefined
    );
  }

  async #register(
    lookup: RegistrationLookup,
    problems: RegistrationProblem[],
  ): Promise<StoredRegistration | undefined> {
    const { options, http } = this.parts;
    const { authorizationServer, redirectUri, issuerRedirectUri = redirectUri } = lookup;
    const { enableDcr, clientName, askForClientId } = REGISTRATION.build(options);
    if (!enableDcr || authorizationServer.registration_endpoint === undefined) {
      problems.push({
        problem: enableDcr ? 'clients cannot register themselves there' : '"enableDcr" is off',
      });
      return undefined;
    }
    try {
      const client = { clientName, redirectUri: issuerRedirectUri };
      const { insecureHosts } = options;
      const registered = await registerClient({ authorizationServer, client, http, insecureHosts });
      this.#latest.set(authorizationServer.issuer, registered);
      return registered;
    } catch (error) {
      const problem = askForClientId === undefined ? undefined : findProblem(error);
      if (problem === undefined) throw error;
      problems.push(problem);
      return undefined;
    }
  }

  /** Whether there is a way to get an id without registering. */
  get #hasOther(): boolean {
    const { clientMetadataUrl, askForClientId } = this.parts.options;
    return clientMetadataUrl !== undefined || askForClientId !== undefined;
  }

  async #ask({ authorizationServer }: RegistrationLookup): Promise<StoredRegistration | undefined> {
    if (!this.#isUnambiguous(authorizationServer)) return undefined;
    const asked = await this.parts.options.askForClientId?.(authorizationServer.issuer);
    if (asked === undefined) return undefined;
    const { clientId, clientSecret } = asked;
    return { clientId, ...(clientSecret !== undefined && { clientSecret }), origin: 'given' };
  }
}

/** If the client can register another way, an unusable registration endpoint is treated as missing. */
function findProblem(error: unknown): RegistrationProblem | undefined {
  if (error instanceof RegistrationUnavailableError) return error;
  const isUnusable = error instanceof InsecureEndpointError || error instanceof PrivateAddressError;
  return isUnusable
    ? { problem: `its registration endpoint is ${quoteUrl(error.url)}, which must not be used` }
    : undefined;
}

/** A configured client id without a configured issuer. */
interface GivenClient {
  readonly serverUrl: string;
  readonly clientId: string;
}

/**
 * Finds a different issuer that a configured client id is already used with. The id belongs to the first such issuer.
 * If the server later names another one, for example after a compromise, that issuer receives neither the id nor its
 * secret.
 */
async function findOtherIssuer(
  store: CredentialStore,
  { serverUrl, clientId }: GivenClient,
  issuer: string,
): Promise<string | undefined> {
  for (const other of await store.issuers(serverUrl)) {
    if (other === issuer) continue;
    const { registration } = (await store.get({ serverUrl, issuer: other })) ?? {};
    if (registration?.origin === 'given' && registration.clientId === clientId) return other;
  }
  return undefined;
}

const METHODS: readonly unknown[] = ['client_secret_basic', 'client_secret_post', 'none'];

/** Returns the client's identity for the token endpoint. A registered authentication method takes precedence over the server's metadata. */
export function identifyClient({
  clientId,
  clientSecret,
  metadata,
}: StoredRegistration): ClientIdentity & { readonly clientId: string } {
  const registered = metadata?.['token_endpoint_auth_method'];
  const isMeant = METHODS.includes(registered) && (registered === 'none' || clientSecret !== undefined);
  return {
    clientId,
    clientSecret,
    ...(isMeant && { authenticationMethod: registered as ClientAuthenticationMethod }),
  };
}

/** A login's redirect URIs. */
interface RedirectUris {
  /** The URI that all issuers share. */
  readonly redirectUri: string;
  /** One issuer's URI. @default none */
  readonly issuerRedirectUri?: string | undefined;
}

/** Selects the redirect URI: a dynamic client's registered one, or the shared one if the id was configured. */
export function selectRedirectUri(
  registration: StoredRegistration,
  { redirectUri, issuerRedirectUri = redirectUri }: RedirectUris,
): string {
  if (registration.origin !== 'dynamic') return redirectUri;
  const isOfAll =
    isRegisteredFor(registration, redirectUri) && !isRegisteredFor(registration, issuerRedirectUri);
  return isOfAll ? redirectUri : issuerRedirectUri;
}

const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?=[/?#]|$)/i;

/**
 * Rejects a URL that cannot be a client id, because authorization servers compare ids as strings and the document
 * must contain exactly that id.
 *
 * @throws {TypeError} if it is not `https`, has no path, or is not normalized
 * @see OAuth Client ID Metadata Document §3
 */
export function assertClientMetadataUrl(url: string): void {
  if (isClientMetadataUrl(url)) return;
  throw new TypeError(
    'The "clientMetadataUrl" must be an "https:" URL with a path, such as "https://app.example.com/client.json", and must equal the "client_id" in that document',
  );
}

function isClientMetadataUrl(url: string): boolean {
  if (!URL.canParse(url) || DOT_SEGMENT.test(url)) return false;
  const { protocol, pathname, username, password, href } = new URL(url);
  const hasPath = pathname !== '/' && username + password === '';
  return protocol === 'https:' && hasPath && !url.includes('#') && href === url;
}
