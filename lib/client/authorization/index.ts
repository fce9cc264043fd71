export type { AuthorizationServerMetadata, ProtectedResourceMetadata } from '../../core/oauth/metadata.js';

export { createAuthorizedFetch, type AuthorizedFetchOptions } from './authorized-fetch.js';
export type { AuthorizationChallenge } from './authorization-headers.js';
export type { RequestProof, RequestToProve, TokenSource } from './token-source.js';
export { StaticTokenSource } from './token-source.js';
export { OAuthTokenSource } from './oauth-token-source.js';
export type { BrowserOptions, OAuthTokenSourceOptions } from './login/login-options.js';
export type { AuthorizationParameters } from './login/authorization-request.js';
export type { Authorizer, AuthorizeOptions } from './login/login-options.js';
export { logOut, type Logout, type LogoutOptions } from './login/log-out.js';
export { openBrowser, type DesktopFacts } from './login/loopback/open-browser.js';
export type { ClientCredentials, RegistrationOptions } from './registration/registrar.js';
export {
  ClientCredentialsTokenSource,
  type ClientCredentialsOptions,
} from './client-credentials-token-source.js';
export {
  EnterpriseManagedTokenSource,
  type EnterpriseManagedOptions,
  type IdentityProviderOptions,
} from './enterprise-managed-token-source.js';
export {
  WorkloadIdentityTokenSource,
  type AssertionRequest,
  type WorkloadIdentityOptions,
} from './workload-identity-token-source.js';
export type { ClientOptions, GrantOptions } from './grants/grant-options.js';
export type {
  AssertionAudience,
  ClientAuthenticationMethod,
  ClientIdentity,
  PrivateKeySource,
} from '../../core/oauth/token-endpoint/client-identity.js';

export { discoverMcpAuth, type DiscoverOptions } from './discovery/discover-mcp-auth.js';
export { assertPkceSupported, type PkceOptions } from './discovery/server-metadata.js';
export type { McpAuthInfo } from './discovery/discover-mcp-auth.js';
export { createClientHttp, type ClientHttpOptions } from './client-http.js';
export { ResponseTooLargeError, type LargeResponse } from '../../core/network/limited-fetch.js';
export type { ClientHttp, ClientRequest } from './client-http.interface.js';

export { DpopKey, type DpopKeyOptions } from './dpop.js';
export { DpopProof } from './dpop.js';

export type {
  CredentialKey,
  CredentialStore,
  ExclusiveOptions,
  StoredCredentials,
  StoredDpopKey,
  StoredRegistration,
  StoredTokens,
} from './credentials/credential-store.js';
export { CredentialStoreError, type CredentialStoreErrorCode } from './credentials/credential-store.js';
export { FileCredentialStore, type FileCredentialStoreOptions } from './credentials/file-credential-store.js';
export { MemoryCredentialStore } from './credentials/memory-credential-store.js';

export {
  BodyNotReplayableError,
  BrowserUnavailableError,
  ClientAuthError,
  DiscoveryFailedError,
  InsecureEndpointError,
  IssuerMismatchError,
  LoginIneffectiveError,
  LoginRefusedError,
  LoginTimedOutError,
  NoAnswerError,
  NoAuthorizationServerError,
  NoTokenYetError,
  PkceUnsupportedError,
  PrivateAddressError,
  RedirectRefusedError,
  RedirectUnavailableError,
  RegistrationUnavailableError,
  ResourceMismatchError,
  RetryExhaustedError,
  RevocationRefusedError,
  StateMismatchError,
  TokenRequestRefusedError,
  UnusableTokenError,
  type DiscoveryProblem,
  type TokenRefusal,
  type IneffectiveLogin,
} from './errors.js';
