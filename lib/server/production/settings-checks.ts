import { failure, ok, warning } from '../../core/doctor/finding.js';
import { isLoopbackUrl } from '../../core/oauth/secure-url.js';
import { quoteAll } from '../../core/words/words.js';
import type { AuthSettings } from '../settings/auth/auth-options.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { CheckResult, SettingsCheck } from './production-check.js';

/** Checks on access to the server and its public URL. */
export const ACCESS_CHECKS: readonly SettingsCheck[] = [
  { id: 'open-server', run: checkOpen },
  { id: 'public-url', run: checkPublicUrl },
  { id: 'issuer', run: ({ auth }) => auth && checkIssuers(auth) },
  { id: 'audience', run: ({ auth }) => auth && checkAudience(auth) },
  { id: 'origins', run: checkOrigins },
];

function checkOpen({ auth, isMeantOpen }: ServerSettings): CheckResult {
  if (auth !== undefined) return ok('Requests require a token');
  if (isMeantOpen) return ok('Anyone can call the server, as "auth: false" allows');
  return failure('Anyone can call the server', 'Set "auth", or set "auth: false" if that is intended');
}

function checkPublicUrl({ publicUrl }: ServerSettings): CheckResult {
  const example = '"https://shop.example.com/mcp"';
  if (publicUrl === undefined) {
    return warning(
      '"publicUrl" is missing: requests from pages on its own origin are rejected',
      `Set "publicUrl" to the URL that clients use, such as ${example}`,
    );
  }
  const { href, protocol } = publicUrl;
  if (isLoopbackUrl(href)) {
    return failure(
      `"${href}" points clients to their own machine`,
      `Set "publicUrl" to the URL that clients use, such as ${example}`,
    );
  }
  if (protocol !== 'https:')
    return failure(
      `"${href}" transmits tokens in clear text`,
      'Serve it over HTTPS, and use the "https:" URL here',
    );
  return ok(`Clients use "${href}"`);
}

function checkIssuers({
  authorizationServers,
  jwt,
  introspection,
  insecureHosts,
}: AuthSettings): CheckResult {
  const issuers = [
    ...authorizationServers,
    ...jwt.flatMap((one) => one.issuers),
    ...(introspection ? [introspection.issuer] : []),
  ];
  const insecure = [...new Set(issuers)].filter((issuer) => !issuer.startsWith('https:'));
  if (insecure.length > 0) {
    return failure(
      `Issuers are reached over plain HTTP: ${quoteAll(insecure)}`,
      'Use HTTPS: anyone on the network path could supply forged keys',
    );
  }
  if (insecureHosts.length === 0) return ok('Issuers are reached over HTTPS');
  return warning(
    `"auth.insecureHosts" contains ${quoteAll(insecureHosts)}`,
    'Remove the hosts that are no longer needed',
  );
}

function checkAudience({ jwt, introspection }: AuthSettings): CheckResult {
  const exits = [
    ...(jwt.some(({ clientsWithoutAudience }) => clientsWithoutAudience.length > 0)
      ? ['auth.jwt.clientsWithoutAudience']
      : []),
    ...(jwt.some(({ audienceClaim }) => audienceClaim !== 'aud') ? ['auth.jwt.audienceClaim'] : []),
    ...(introspection?.unsafeAllowMissingAudience === true
      ? ['auth.introspection.unsafeAllowMissingAudience']
      : []),
  ];
  if (exits.length === 0) return ok('Tokens must be issued for this server');
  return warning(
    `Tokens issued for other services may be accepted: ${quoteAll(exits)}`,
    'Configure the authorization server to set the audience, and remove the option',
  );
}

function checkOrigins({ allowedOrigins, cors, auth }: ServerSettings): CheckResult {
  const lists = { allowedOrigins: allowedOrigins, 'cors.origins': cors?.origins ?? [] };
  const open = Object.entries(lists).flatMap(([name, origins]) => (origins.includes('*') ? [name] : []));
  if (open.length === 0) return ok('Only pages from listed origins may call the server');
  if (auth !== undefined) return ok('Pages from any site may call the server, with a token');
  return warning(
    `Pages from any site may call the server without a token: ${quoteAll(open)}`,
    'List the allowed origins',
  );
}

/** Checks on secrets, timeouts, lifetimes, telemetry and shutdown. */
export const OPERATION_CHECKS: readonly SettingsCheck[] = [
  { id: 'secret', run: checkSecret },
  { id: 'cluster-tls', run: checkCluster },
  { id: 'error-details', run: checkErrors },
  { id: 'call-timeout', run: checkCallTimeout },
  { id: 'lifetimes', run: checkLifetimes },
  { id: 'telemetry', run: checkTelemetry },
  { id: 'draining', run: checkDraining },
];

const HOUR_MS = 3_600_000;

/** Longer session and token lifetimes are a security risk. */
const LONGEST_MS = { idle: 12 * HOUR_MS, lifetime: 7 * 24 * HOUR_MS, token: HOUR_MS };

/** The maximum duration of shutdown after draining. */
const SECONDS_TO_END = 10;

/** A random secret of 32 characters has more distinct characters than this, in any alphabet. */
const FEWEST_CHARACTERS = 9;

function checkSecret({ secrets }: ServerSettings): CheckResult {
  const fix = 'Set a random secret, the same in every process: openssl rand -base64 32';
  if (secrets.length === 0) {
    return warning(
      '"secret" is missing: values that clients store become invalid after a restart and in other processes',
      fix,
    );
  }
  const isWeak = secrets.some((secret) => new Set(secret).size < FEWEST_CHARACTERS || / /.test(secret));
  return isWeak
    ? failure('"secret" looks like a human-chosen phrase, so it can be guessed', fix)
    : ok('"secret" is set');
}

function checkCluster({ cluster }: ServerSettings): CheckResult | undefined {
  if (cluster?.isEncrypted === undefined) return undefined;
  if (cluster.isEncrypted) return ok('Shared values are encrypted in transit, or stay on this machine');
  return warning(
    'Redis is reached without TLS, so its password and traffic can be intercepted',
    'Use a "rediss:" URL, or set the "tls" option of the client',
  );
}

function checkErrors({ exposeErrors }: ServerSettings): CheckResult {
  if (exposeErrors !== true) return ok('Callers do not see unexpected errors');
  return failure('"exposeErrors" shows callers the messages of unexpected errors', 'Remove "exposeErrors"');
}

function checkCallTimeout({ callTimeoutMs }: ServerSettings): CheckResult {
  if (callTimeoutMs !== undefined) return ok(`Calls may take ${callTimeoutMs} ms`);
  return warning('Calls have no time limit', 'Set "callTimeoutMs", for example to 60000');
}

function checkLifetimes({ sessions, auth }: ServerSettings): CheckResult {
  const tokens = Math.max(0, ...(auth?.jwt ?? []).map(({ cacheTtlMs }) => cacheTtlMs));
  const long = [
    ...(sessions.idleTimeoutMs > LONGEST_MS.idle ? ['"sessions.idleTimeoutMs"'] : []),
    ...(sessions.lifetimeMs > LONGEST_MS.lifetime ? ['"sessions.lifetimeMs"'] : []),
    ...(tokens > LONGEST_MS.token ? ['"auth.jwt.cacheTtlMs"'] : []),
  ];
  if (long.length === 0) return ok('Sessions and tokens expire soon enough');
  return warning(`Lifetimes are very long: ${long.join(', ')}`, 'Lower them, or use the defaults');
}

function checkTelemetry({ telemetry }: ServerSettings): CheckResult {
  if (telemetry === undefined) {
    return warning(
      'No traces or metrics are recorded',
      'Set a tracer provider and a meter provider in "telemetry"',
    );
  }
  const { captureArguments, captureResults, redact } = telemetry;
  if ((captureArguments === true || captureResults === true) && redact === undefined) {
    return warning('Spans contain unredacted arguments or results', 'Set "telemetry.redact"');
  }
  return ok('Spans or metrics are recorded');
}

function checkDraining({ shutdown: { drainMs, graceMs } }: ServerSettings): CheckResult {
  if (drainMs > 0) {
    const seconds = Math.ceil((drainMs + graceMs) / 1000) + SECONDS_TO_END;
    return ok(
      `The server drains for ${drainMs} ms and gives running calls ${graceMs} ms to finish: wait at least ${seconds} s before you kill it`,
    );
  }
  return warning(
    'The server shuts down immediately, so requests that are still arriving fail',
    'Set "shutdown.drainMs"',
  );
}
