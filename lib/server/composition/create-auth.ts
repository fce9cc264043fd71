import { Logger } from '../../core/logger/logger.js';
import { Challenges } from '../../core/oauth/challenges.js';
import type { RefusalRecorder } from '../audit/refusal-recorder.js';
import { AccessPolicy } from '../auth/access/access-policy.js';
import { AdvertisedScopes, DeclaredAccess } from '../auth/access/declared-access.js';
import { RequiredAccess } from '../auth/access/required-access.js';
import { AuthRoutes } from '../auth/auth-routes.js';
import { LoggedOutTokens, McpAuthenticator } from '../auth/mcp-authenticator.js';
import { createDpopVerifier } from '../auth/dpop/dpop-verifier.js';
import { EndpointCheck } from '../auth/endpoint-check.js';
import { TokenExchanger } from '../auth/exchange/token-exchanger.js';
import { UpstreamAccess } from '../auth/exchange/upstream-access.js';
import { findPublishedResource, ResourceMetadata } from '../auth/metadata/resource-metadata.js';
import { ServerMetadataMirror } from '../auth/metadata/server-metadata-mirror.js';
import { ProxyWarning } from '../auth/start-up/proxy-warning.js';
import { StartUpReport } from '../auth/start-up/start-up-report.js';
import { ValidatorChain } from '../auth/validators/validator-chain.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { RequestTracing } from '../telemetry/request-tracing.js';
import type { CatalogParts } from './create-catalog.js';
import type { FoundationParts } from './create-foundation.js';
import type { SessionParts } from './create-sessions.js';
import type { ServerInputs } from './server-inputs.js';

export type AuthParts = Awaited<ReturnType<typeof createAuth>>;

interface AuthInputs {
  readonly foundation: FoundationParts;
  readonly catalog: CatalogParts;
  readonly sessions: SessionParts;
  readonly refusals: RefusalRecorder;
}

/** Creates authentication and authorization according to the options. */
export async function createAuth(
  { settings, identity, controllers, nest }: ServerInputs,
  { foundation, catalog, sessions, refusals }: AuthInputs,
) {
  const { telemetry, memory, bus, sealer, endpoint } = foundation;
  const { declared, advertised, challenges, policy } = createAccess(settings, catalog);
  const routes = new AuthRoutes(controllers.endpoint, settings, declared);
  const validators = new ValidatorChain(nest.moduleRef, settings, telemetry);
  const tracing = await loadTracing(settings);
  const dpop = await createDpopVerifier(settings, { memory, bus, state: sessions.state, sealer, endpoint });
  const upstream = new UpstreamAccess(nest.moduleRef);
  const tokens = { validators, exchanger: new TokenExchanger(settings), upstream, dpop };
  const authenticator = new McpAuthenticator(
    tokens,
    challenges,
    routes,
    settings,
    tracing,
    telemetry,
    refusals,
  );
  return {
    challenges,
    validators,
    tracing,
    dpop,
    authenticator,
    upstream,
    policy,
    forgotten: new LoggedOutTokens(authenticator),
    check: new EndpointCheck(controllers.endpoint, authenticator),
    resource: new ResourceMetadata(settings, advertised),
    mirror: new ServerMetadataMirror(settings),
    report: new StartUpReport(settings, identity, endpoint, controllers.metadata, declared, advertised, nest),
    proxies: new ProxyWarning(settings),
  };
}

/** Creates the access policy and its dependencies. */
function createAccess(settings: ServerSettings, catalog: CatalogParts) {
  const { tools, resources, templates, prompts, completions } = catalog;
  const declared = new DeclaredAccess(tools, resources, templates, prompts, completions, catalog.addedScopes);
  const required = new RequiredAccess(
    tools,
    resources,
    templates,
    prompts,
    completions,
    catalog.access,
    settings,
  );
  const advertised = new AdvertisedScopes(settings, declared);
  const challenges = createChallenges(settings, advertised);
  const policy = new AccessPolicy(declared, required, challenges, settings);
  return { declared, advertised, challenges, policy };
}

function createChallenges({ auth }: ServerSettings, scopes: AdvertisedScopes): Challenges {
  return new Challenges({
    resourceMetadataUrl: findPublishedResource(auth)?.metadataUrl,
    scopePrefix: scopes.prefix,
    dpop: auth?.dpop && { algorithms: auth.dpop.algorithms, isRequired: auth.dpop.mode === 'required' },
    getFirstScopes: () => scopes.initial,
  });
}

async function loadTracing({ auth, telemetry }: ServerSettings): Promise<RequestTracing | undefined> {
  const traced = auth?.jwt.find(({ tracerProvider }) => tracerProvider !== undefined);
  // If each operation has its own span, the request's span is not named after an operation.
  const isNamed = telemetry?.tracerProvider === undefined;
  const provider = traced?.tracerProvider;
  const logger = new Logger('McpAuth');
  return provider && RequestTracing.load({ provider, option: 'auth.jwt.tracerProvider', logger }, isNamed);
}
