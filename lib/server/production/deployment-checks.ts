import { failure, ok, warning } from '../../core/doctor/finding.js';
import type { CheckResult, DeploymentCheck } from './production-check.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { Deployment } from './deployment.js';

/** Checks on the application and its process. */
export const DEPLOYMENT_CHECKS: readonly DeploymentCheck[] = [
  { id: 'login-issuer', run: checkLoginIssuer },
  { id: 'login-storage', run: checkLoginStorage },
  { id: 'login-clients', run: checkLoginClients },
  { id: 'rate-limits', run: checkLimits },
  { id: 'audit', run: checkAudit },
  { id: 'health', run: checkHealth },
  { id: 'signals', run: checkSignals },
  { id: 'trust-proxy', run: checkTrust },
  { id: 'keep-alive', run: checkKeepAlive },
  { id: 'memory', run: checkMemory },
  { id: 'node-env', run: checkEnvironment },
  { id: 'inspector', run: checkInspector },
];

/** The idle timeout of most proxies, in milliseconds. */
const PROXY_IDLE_MS = 60_000;

/** Code, buffers and stacks need the rest. */
const LARGEST_HEAP_SHARE = 0.8;

/** Parsing requests and serializing responses needs about the same amount again. */
const LARGEST_BUDGET_SHARE = 0.5;

const MEBIBYTE = 1_048_576;

/** A small application with telemetry uses a third of it before the first call. */
const SMALLEST_HEAP_BYTES = 128 * MEBIBYTE;

function checkLoginIssuer({ authorizationServers }: Deployment): CheckResult | undefined {
  if (authorizationServers.length === 0) return undefined;
  const insecure = authorizationServers.find(({ issuer }) => !issuer.startsWith('https:'));
  if (insecure === undefined) return ok('People log in over "https"');
  return failure(
    `People log in at "${insecure.issuer}": codes, cookies and tokens can be read in transit`,
    'Set "issuer" of "McpAuthorizationServerModule" to the "https" URL that browsers and clients use',
  );
}

function checkLoginStorage({ authorizationServers }: Deployment): CheckResult | undefined {
  if (authorizationServers.length === 0) return undefined;
  if (authorizationServers.every(({ isStored }) => isStored))
    return ok('Registrations and logins are stored outside of the process');
  return failure(
    'Registrations and logins are stored in the memory of the process: they end with it, and other processes lack them',
    'Set "storage" of "McpAuthorizationServerModule", such as "redisAuthorizationStorage({ client })"',
  );
}

function checkLoginClients({ authorizationServers }: Deployment): CheckResult | undefined {
  if (authorizationServers.length === 0) return undefined;
  const most = Math.max(...authorizationServers.map((server) => server.registrationsPerAddress));
  if (most === 0) return ok('Clients cannot register themselves');
  return ok(`At most ${most} clients can register from one address within an hour`);
}

function checkLimits({ limits }: Deployment, servers: readonly ServerSettings[]): CheckResult | undefined {
  // Authorization servers have their own limits.
  if (servers.length === 0) return undefined;
  const { throttlers = [], guardsEndpoints, handlers, limited } = limits;
  if (throttlers.length === 0) {
    const fix = 'Import "ThrottlerModule" from "@nestjs/throttler", and set "throttle: true"';
    return warning('Callers are not rate limited', fix);
  }
  if (servers.every(({ throttle }) => throttle !== undefined))
    return ok('Calls to all handlers are rate limited');
  if (guardsEndpoints) return ok('Requests to the endpoint are rate limited');
  if (handlers > 0 && limited === handlers) return ok('Each handler has a rate limit');
  const found = `"ThrottlerModule" is imported, but limits ${limited === 0 ? 'no' : `${limited} of ${handlers}`} handlers`;
  return warning(found, 'Set "throttle: true", or put "@Throttle()" on expensive handlers');
}

function checkAudit({ audits }: Deployment): CheckResult | undefined {
  if (audits.length === 0) return undefined;
  const unheard = audits.filter(({ isHeard }) => !isHeard);
  const required = unheard.find(({ isRequired }) => isRequired);
  const { server } = required ?? unheard[0] ?? {};
  if (server === undefined) return ok('The audit has a subscriber');
  const fix = 'Inject "McpAudit", and pass "writeTo()" a function that stores events';
  const whose = audits.length > 1 ? ` of the server "${server}"` : '';
  return required === undefined
    ? warning(`The audit${whose} has no subscriber, so nothing records who does what`, fix)
    : failure(`The audit${whose} is "required" but has no subscriber, so every request is rejected`, fix);
}

function checkHealth({ typeNames }: Deployment): CheckResult {
  if (hasName(typeNames, /^Terminus(Core)?Module$|^(?!Mcp).*Health/)) return ok('There are health checks');
  return warning('There are no health checks', 'Add a health controller that uses "McpHealthIndicator"');
}

function hasName(names: ReadonlySet<string>, pattern: RegExp): boolean {
  return [...names].some((name) => pattern.test(name));
}

function checkSignals({ main }: Deployment): CheckResult | undefined {
  if (main === undefined) return undefined;
  if (main.hearsSignals) return ok('The process handles SIGTERM');
  return failure('SIGTERM ends the process immediately', 'Call "app.enableShutdownHooks()"');
}

function checkTrust(
  { main, authorizationServers }: Deployment,
  servers: readonly ServerSettings[],
): CheckResult | undefined {
  switch (main?.trustedProxies) {
    case 'some':
      return ok('The HTTP adapter trusts the configured proxies');
    case 'all':
      return warning(
        'The HTTP adapter trusts every "X-Forwarded-For" header, so callers can choose their address',
        'Trust only the addresses of your proxies; on Express, the number of proxies is enough',
      );
    case 'none':
      return servers.some(({ publicUrl }) => publicUrl?.protocol === 'https:') ||
        authorizationServers.some(({ issuer }) => issuer.startsWith('https:'))
        ? warning(
            'The HTTP adapter trusts no proxy, so all callers behind one share an address',
            'If the server runs behind a proxy, set "trust proxy" on Express, or set "trustProxy" to the proxy addresses on Fastify',
          )
        : ok('The HTTP adapter trusts no proxy');
    case undefined:
      return undefined;
  }
}

function checkKeepAlive({ main }: Deployment): CheckResult | undefined {
  const { keepAliveTimeoutMs } = main ?? {};
  if (keepAliveTimeoutMs === undefined) return undefined;
  if (keepAliveTimeoutMs === 0 || keepAliveTimeoutMs > PROXY_IDLE_MS)
    return ok('Proxies close idle connections first');
  return warning(
    `Idle connections close after ${keepAliveTimeoutMs} ms, before most proxies close them, so some requests fail with 502`,
    'Set "app.getHttpServer().keepAliveTimeout = 75_000"',
  );
}

function checkMemory(
  { heapLimitBytes, memoryLimitBytes }: Deployment,
  servers: readonly ServerSettings[],
): CheckResult {
  const heap = Math.round(heapLimitBytes / MEBIBYTE);
  if (memoryLimitBytes !== undefined && heapLimitBytes > memoryLimitBytes * LARGEST_HEAP_SHARE) {
    const limit = Math.round(memoryLimitBytes / MEBIBYTE);
    return failure(
      `The heap may grow to ${heap} MiB of the ${limit} MiB available to the process`,
      `Start Node with "--max-old-space-size=${Math.floor(limit * 0.75)}"`,
    );
  }
  const budget = servers.reduce((sum, { memory }) => sum + memory.maxBytes, 0);
  if (budget > heapLimitBytes * LARGEST_BUDGET_SHARE) {
    return failure(
      `"memory.maxBytes" allows ${Math.round(budget / MEBIBYTE)} MiB of a ${heap} MiB heap`,
      'Set "memory.maxBytes" to at most a quarter of the heap, or half of the heap for all servers combined',
    );
  }
  if (heapLimitBytes < SMALLEST_HEAP_BYTES) {
    return warning(
      `The heap may grow to ${heap} MiB: a few large calls can use up what the application leaves free`,
      'Start Node with "--max-old-space-size=192" or more',
    );
  }
  return ok(
    `The heap may grow to ${heap} MiB, of which clients may use ${Math.round(budget / MEBIBYTE)} MiB`,
  );
}

function checkEnvironment({ nodeEnv }: Deployment): CheckResult {
  if (nodeEnv === 'production') return ok('NODE_ENV is "production"');
  return warning(
    nodeEnv === undefined ? 'NODE_ENV is not set' : `NODE_ENV is "${nodeEnv}"`,
    'Set NODE_ENV=production: otherwise, Express shows stack traces to callers',
  );
}

function checkInspector({ isInspected }: Deployment): CheckResult {
  if (!isInspected) return ok('No debugger can connect');
  return failure(
    'A debugger can connect to the process and run arbitrary code',
    'Start Node without "--inspect"',
  );
}
