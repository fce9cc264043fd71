import type { Provider, Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Logger } from '../../core/logger/logger.js';
import { Challenges } from '../../core/oauth/challenges.js';
import { Sealer } from '../../core/sealing/sealer.js';
import { MemoryBudget } from '../memory/memory-budget.js';
import { Relay } from '../relay/relay.js';
import { BoundedState } from '../sessions/shared/bounded-state.js';
import {
  DPOP_GATE,
  ENDPOINT_GUARD,
  ENDPOINT_PATH,
  REQUEST_TRACING,
  SERVER_SETTINGS,
} from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { RequestTracing } from '../telemetry/request-tracing.js';
import { AccessPolicy } from './access/access-policy.js';
import { AdvertisedScopes } from './access/advertised-scopes.js';
import { AuthRoutes } from './auth-routes.js';
import { ForgottenCallers } from './callers/forgotten-callers.js';
import { DeclaredAccess } from './access/declared-access.js';
import { createDpopGate } from './dpop/create-dpop-gate.js';
import type { DpopGate } from './dpop/dpop-gate.js';
import { EndpointCheck } from './endpoint-check.js';
import { TokenExchanger } from './exchange/token-exchanger.js';
import type { McpAuthGuard } from './mcp-auth.guard.js';
import { McpAuthenticator } from './mcp-authenticator.js';
import { findPublishedResource } from './metadata/published-resource.js';
import { ResourceMetadata } from './metadata/resource-metadata.js';
import { ServerMetadataMirror } from './metadata/server-metadata-mirror.js';
import { ProxyWatch } from './start-up/proxy-watch.js';
import { RequiredAccess } from './access/required-access.js';
import { StartUpReport } from './start-up/start-up-report.js';
import { ValidatorChain } from './validators/validator-chain.js';

/** What makes one server a resource server, if its options say so. */
export const AUTH_PROVIDERS: readonly Provider[] = [
  DeclaredAccess,
  RequiredAccess,
  AdvertisedScopes,
  AccessPolicy,
  AuthRoutes,
  ValidatorChain,
  { provide: Challenges, useFactory: createChallenges, inject: [SERVER_SETTINGS, AdvertisedScopes] },
  {
    provide: DPOP_GATE,
    useFactory: loadDpopGate,
    inject: [SERVER_SETTINGS, MemoryBudget, Relay, BoundedState, Sealer, ENDPOINT_PATH],
  },
  { provide: REQUEST_TRACING, useFactory: loadTracing, inject: [SERVER_SETTINGS] },
  TokenExchanger,
  McpAuthenticator,
  ForgottenCallers,
  EndpointCheck,
  ResourceMetadata,
  ServerMetadataMirror,
  StartUpReport,
  ProxyWatch,
];

/** Provides the guard of one server; nothing stands before an open one. */
export function provideEndpointGuard(guard: Type<McpAuthGuard>): Provider {
  return {
    provide: ENDPOINT_GUARD,
    useFactory: ({ auth }: ServerSettings, moduleRef: ModuleRef) => auth && moduleRef.create(guard),
    inject: [SERVER_SETTINGS, ModuleRef],
  };
}

function createChallenges({ auth }: ServerSettings, scopes: AdvertisedScopes): Challenges {
  return new Challenges({
    resourceMetadataUrl: findPublishedResource(auth)?.metadataUrl,
    scopePrefix: scopes.prefix,
    dpop: auth?.dpop && { algorithms: auth.dpop.algorithms, isRequired: auth.dpop.mode === 'required' },
    getFirstScopes: () => scopes.first,
  });
}

function loadDpopGate(
  settings: ServerSettings,
  ...[memory, relay, state, sealer, endpoint]: [MemoryBudget, Relay, BoundedState, Sealer, { path: string }]
): Promise<DpopGate | undefined> {
  return createDpopGate(settings, { memory, relay, state, sealer, endpoint });
}

async function loadTracing({ auth, telemetry }: ServerSettings): Promise<RequestTracing | undefined> {
  const traced = auth?.jwt.find(({ tracerProvider }) => tracerProvider !== undefined);
  // If each operation has its own span, the span of its request is not named after an operation.
  const isNamed = telemetry?.tracerProvider === undefined;
  const provider = traced?.tracerProvider;
  const logger = new Logger('McpAuth');
  return provider && RequestTracing.load({ provider, option: 'auth.jwt.tracerProvider', logger }, isNamed);
}
