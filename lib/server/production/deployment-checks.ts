import { failure, ok, warning } from '../../core/doctor/finding.js';
import type { CheckResult, DeploymentCheck } from './production-check.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { Deployment } from './deployment.js';

/** Checks of the application and its process. */
export const DEPLOYMENT_CHECKS: readonly DeploymentCheck[] = [
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

/** Parsing requests and serializing responses needs about as much again. */
const LARGEST_BUDGET_SHARE = 0.5;

const MEBIBYTE = 1_048_576;

/** A small application with telemetry uses a third of it before the first call. */
const SMALLEST_HEAP_BYTES = 128 * MEBIBYTE;

function checkLimits({ limits }: Deployment, servers: readonly ServerSettings[]): CheckResult {
  const { throttlers = [], guardsEndpoints, handlers, limited } = limits;
  if (throttlers.length === 0) {
    const fix = 'Import "ThrottlerModule" of "@nestjs/throttler", and set "throttle: true"';
    return warning('Nothing limits how often a caller calls', fix);
  }
  if (servers.every(({ throttle }) => throttle !== undefined)) return ok('Calls of all handlers are limited');
  if (guardsEndpoints) return ok('Requests at the endpoint are limited');
  if (handlers > 0 && limited === handlers) return ok('Each handler has a limit');
  const found = `"ThrottlerModule" is there, and limits ${limited === 0 ? 'no' : `${limited} of ${handlers}`} handlers`;
  return warning(found, 'Set "throttle: true", or put "@Throttle()" on expensive handlers');
}

function checkAudit({ audits }: Deployment): CheckResult {
  const unheard = audits.filter(({ isHeard }) => !isHeard);
  const required = unheard.find(({ isRequired }) => isRequired);
  const { server } = required ?? unheard[0] ?? {};
  if (server === undefined) return ok('The audit has a subscriber');
  const fix = 'Inject "McpAudit", and give "writeTo()" a function that stores events';
  const whose = audits.length > 1 ? ` of the server "${server}"` : '';
  return required === undefined
    ? warning(`Nobody subscribes to the audit${whose}: nothing records who does what`, fix)
    : failure(`Nobody subscribes to the audit${whose}, which is "required": every request is refused`, fix);
}

function checkHealth({ typeNames }: Deployment): CheckResult {
  if (hasName(typeNames, /^Terminus(Core)?Module$|^(?!Mcp).*Health/)) return ok('There are health checks');
  return warning('There are no health checks', 'Add a controller that asks "McpHealthIndicator"');
}

function hasName(names: ReadonlySet<string>, pattern: RegExp): boolean {
  return [...names].some((name) => pattern.test(name));
}

function checkSignals({ main }: Deployment): CheckResult | undefined {
  if (main === undefined) return undefined;
  if (main.hearsSignals) return ok('Something listens for SIGTERM');
  return failure('SIGTERM ends the process immediately', 'Call "app.enableShutdownHooks()"');
}

function checkTrust({ main }: Deployment, servers: readonly ServerSettings[]): CheckResult | undefined {
  switch (main?.trustedProxies) {
    case 'some':
      return ok('The HTTP adapter trusts the configured proxies');
    case 'all':
      return warning(
        'The HTTP adapter believes every "X-Forwarded-For", so callers choose their address',
        'Trust the addresses of your proxies; on Express their number will do',
      );
    case 'none':
      return servers.some(({ publicUrl }) => publicUrl?.protocol === 'https:')
        ? warning(
            'The HTTP adapter trusts no proxy, so all callers behind one share an address',
            'If a proxy stands before it, set "trust proxy" on Express, or the addresses of proxies as "trustProxy" on Fastify',
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
    `Idle connections end after ${keepAliveTimeoutMs} ms, before most proxies close them: some requests get 502`,
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
      `The heap may take ${heap} MiB of the ${limit} MiB that the process may have`,
      `Start Node with "--max-old-space-size=${Math.floor(limit * 0.75)}"`,
    );
  }
  const budget = servers.reduce((sum, { memory }) => sum + memory.maxBytes, 0);
  if (budget > heapLimitBytes * LARGEST_BUDGET_SHARE) {
    return failure(
      `"memory.maxBytes" allows ${Math.round(budget / MEBIBYTE)} MiB of a heap of ${heap} MiB`,
      'Keep it at a quarter of the heap, for all servers together at half of it',
    );
  }
  if (heapLimitBytes < SMALLEST_HEAP_BYTES) {
    return warning(
      `The heap may take ${heap} MiB: a few large calls fill what the application leaves of it`,
      'Start Node with "--max-old-space-size=192" or more',
    );
  }
  return ok(`The heap may take ${heap} MiB, and clients ${Math.round(budget / MEBIBYTE)} MiB of it`);
}

function checkEnvironment({ nodeEnv }: Deployment): CheckResult {
  if (nodeEnv === 'production') return ok('NODE_ENV is "production"');
  return warning(
    nodeEnv === undefined ? 'NODE_ENV is not set' : `NODE_ENV is "${nodeEnv}"`,
    'Set NODE_ENV=production: Express shows stacks to callers otherwise',
  );
}

function checkInspector({ isInspected }: Deployment): CheckResult {
  if (!isInspected) return ok('No debugger may connect');
  return failure(
    'A debugger may connect to the process, and run what it likes',
    'Start Node without "--inspect"',
  );
}
