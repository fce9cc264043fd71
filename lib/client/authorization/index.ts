export type { AuthorizationServerMetadata } from '../../core/oauth/authorization-server-metadata.js';
export type { ProtectedResourceMetadata } from '../../core/oauth/protected-resource-metadata.js';

export { createAuthorizedFetch, type AuthorizedFetchOptions } from './authorized-fetch.js';
export type { AuthorizationChallenge } from './authorization-challenge.js';
export type { RequestProof, RequestToProve, TokenSource } from './token-source.interface.js';
export { StaticTokenSource } from './static-token-source.js';
export { OAuthTokenSource } from './oauth-token-source.js';
export type { BrowserOptions, OAuthTokenSourceOptions } from './login/login-options.interface.js';
export type { AuthorizationParameters } from './login/authorization-parameters.js';
export type { Authorizer, AuthorizeOptions } from './login/authorizer.interface.js';
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
export type { ClientOptions, GrantOptions } from './grants/grant-options.interface.js';
export type {
  AssertionAudience,
  ClientAuthenticationMethod,
  ClientIdentity,
  PrivateKeySource,
} from '../../core/oauth/token-endpoint/client-identity.js';

export { discoverMcpAuth, type DiscoverOptions } from './discovery/discover-mcp-auth.js';
export { assertPkceSupported, type PkceOptions } from './discovery/endpoints.js';
export type { McpAuthInfo } from './discovery/mcp-auth-info.interface.js';
export { createClientHttp, type ClientHttpOptions } from './http/client-http.js';
export { ResponseTooLargeError, type LargeResponse } from '../../core/network/response-too-large.error.js';
export type { ClientHttp, ClientRequest } from './http/client-http.interface.js';

export { DpopKey, type DpopKeyOptions } from './dpop/dpop-key.js';
export { DpopProof } from './dpop/dpop-proof.js';

export type {
  CredentialKey,
  CredentialStore,
  ExclusiveOptions,
  StoredCredentials,
  StoredDpopKey,
  StoredRegistration,
  StoredTokens,
} from './credentials/credential-store.interface.js';
export { CredentialStoreError, type CredentialStoreErrorCode } from './credentials/credential-store.error.js';
export { FileCredentialStore, type FileCredentialStoreOptions } from './credentials/file-credential-store.js';
export { MemoryCredentialStore } from './credentials/memory-credential-store.js';

export { BodyNotReplayableError } from './errors/body-not-replayable.error.js';
export { BrowserUnavailableError } from './errors/browser-unavailable.error.js';
export { ClientAuthError } from './errors/client-auth.error.js';
export { DiscoveryFailedError, type DiscoveryFault } from './errors/discovery-failed.error.js';
export { InsecureEndpointError } from './errors/insecure-endpoint.error.js';
export { IssuerMismatchError } from './errors/issuer-mismatch.error.js';
export { LoginInVainError, type VainLogin } from './errors/login-in-vain.error.js';
export { LoginRefusedError } from './errors/login-refused.error.js';
export { LoginTimedOutError } from './errors/login-timed-out.error.js';
export { NoAuthorizationServerError } from './errors/no-authorization-server.error.js';
export { NoAnswerError } from './errors/no-answer.error.js';
export { NoTokenYetError } from './errors/no-token-yet.error.js';
export { PkceUnsupportedError } from './errors/pkce-unsupported.error.js';
export { PrivateAddressError } from './errors/private-address.error.js';
export { RedirectRefusedError } from './errors/redirect-refused.error.js';
export { RedirectUnavailableError } from './errors/redirect-unavailable.error.js';
export { RegistrationUnavailableError } from './errors/registration-unavailable.error.js';
export { ResourceMismatchError } from './errors/resource-mismatch.error.js';
export { RetryExhaustedError } from './errors/retry-exhausted.error.js';
export { RevocationRefusedError } from './errors/revocation-refused.error.js';
export { StateMismatchError } from './errors/state-mismatch.error.js';
export { TokenRequestRefusedError, type TokenRefusal } from './errors/token-request-refused.error.js';
export { UnusableTokenError } from './errors/unusable-token.error.js';
