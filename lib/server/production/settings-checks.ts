import { failure, ok, warning } from '../../core/doctor/finding.js';
import { isLoopbackUrl } from '../../core/oauth/secure-url.js';
import { quoteAll } from '../../core/words/words.js';
import type { AuthSettings } from '../settings/auth/auth-options.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { CheckResult, SettingsCheck } from './production-check.js';

/** Checks of access to the server and its public URL. */
export const ACCESS_CHECKS: readonly SettingsCheck[] = [
  { id: 'open-server', run: checkOpen },
  { id: 'public-url', run: checkPublicUrl },
  { id: 'issuer', run: ({ auth }) => auth && checkIssuers(auth) },
  { id: 'audience', run: ({ auth }) => auth && checkAudience(auth) },
  { id: 'origins', run: checkOrigins },
];

function checkOpen({ auth, isMeantOpen }: ServerSettings): CheckResult {
  if (auth !== undefined) return ok('Requests need a token');
  if (isMeantOpen) return ok('Everybody may call it, as "auth: false" says');
  return failure('Everybody may call it', 'Give "auth", or write "auth: false" if that is meant');
}

function checkPublicUrl({ publicUrl }: ServerSettings): CheckResult {
  const example = '"https://shop.example.com/mcp"';
  if (publicUrl === undefined) {
    return warning(
      '"publicUrl" is missing: pages of its own origin are refused',
      `Write the URL that clients use, such as ${example}`,
    );
  }
  const { href, protocol } = publicUrl;
  if (isLoopbackUrl(href)) {
    return failure(
      `"${href}" leads clients to their own machine`,
      `Write the URL that clients use, such as ${example}`,
    );
  }
  if (protocol !== 'https:')
    return failure(`"${href}" lets tokens travel in the clear`, 'Serve it by "https:", and write that');
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
      `Issuers are reached by plain "http": ${quoteAll(insecure)}`,
      'Use "https": anyone on the network path could supply false keys',
    );
  }
  if (insecureHosts.length === 0) return ok('Issuers are reached by "https"');
  return warning(
    `"auth.insecureHosts" has ${quoteAll(insecureHosts)}`,
    'Take out what is not needed any more',
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
  if (exits.length === 0) return ok('Tokens must be meant for this server');
  return warning(
    `Tokens that were issued for other services may be taken: ${quoteAll(exits)}`,
    'Have the authorization server write the audience, and remove the option',
  );
}

function checkOrigins({ allowedOrigins, cors, auth }: ServerSettings): CheckResult {
  const lists = { allowedOrigins: allowedOrigins, 'cors.origins': cors?.origins ?? [] };
  const open = Object.entries(lists).flatMap(([name, origins]) => (origins.includes('*') ? [name] : []));
  if (open.length === 0) return ok('Only pages of listed origins may call');
  if (auth !== undefined) return ok('Pages of any site may call, with a token');
  return warning(`Pages of any site may call, without a token: ${quoteAll(open)}`, 'List the origins');
}

/** Checks of secrets, timeouts, lifetimes, telemetry and shutdown. */
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

/** Longer lifetimes of sessions and tokens are a security risk. */
const LONGEST_MS = { idle: 12 * HOUR_MS, lifetime: 7 * 24 * HOUR_MS, token: HOUR_MS };

/** The maximum duration of shutdown after draining. */
const SECONDS_TO_END = 10;

/** A random secret of 32 characters has more distinct characters than this, in any alphabet. */
const FEWEST_CHARACTERS = 9;

function checkSecret({ secrets }: ServerSettings): CheckResult {
  const fix = 'Set a random one, the same in every process: openssl rand -base64 32';
  if (secrets.length === 0) {
    return warning(
      '"secret" is missing: values that clients carry are not valid after a restart or in another process',
      fix,
    );
  }
  const isWeak = secrets.some((secret) => new Set(secret).size < FEWEST_CHARACTERS || / /.test(secret));
  return isWeak
    ? failure('"secret" looks like something that a person chose: it can be guessed', fix)
    : ok('"secret" is set');
}

function checkCluster({ cluster }: ServerSettings): CheckResult | undefined {
  if (cluster?.isEncrypted === undefined) return undefined;
  if (cluster.isEncrypted) return ok('Shared values travel encrypted, or stay on this machine');
  return warning(
    'Redis is reached without TLS: its password and its traffic can be read on the way',
    'Use a URL that begins with "rediss:", or the option "tls" of the client',
  );
}

function checkErrors({ exposeErrors }: ServerSettings): CheckResult {
  if (exposeErrors !== true) return ok('Callers do not see unexpected errors');
  return failure('"exposeErrors" shows callers the messages of unexpected errors', 'Take it back');
}

function checkCallTimeout({ callTimeoutMs }: ServerSettings): CheckResult {
  if (callTimeoutMs !== undefined) return ok(`Calls may take ${callTimeoutMs} ms`);
  return warning('Calls have no time limit', 'Set "callTimeoutMs", 60000 for example');
}

function checkLifetimes({ sessions, auth }: ServerSettings): CheckResult {
  const tokens = Math.max(0, ...(auth?.jwt ?? []).map(({ cacheTtlMs }) => cacheTtlMs));
  const long = [
    ...(sessions.idleTimeoutMs > LONGEST_MS.idle ? ['"sessions.idleTimeoutMs"'] : []),
    ...(sessions.lifetimeMs > LONGEST_MS.lifetime ? ['"sessions.lifetimeMs"'] : []),
    ...(tokens > LONGEST_MS.token ? ['"auth.jwt.cacheTtlMs"'] : []),
  ];
  if (long.length === 0) return ok('Sessions and tokens end in time');
  return warning(`Stored values live very long: ${long.join(', ')}`, 'Lower it, or leave the default');
}

function checkTelemetry({ telemetry }: ServerSettings): CheckResult {
  if (telemetry === undefined) {
    return warning('Nothing is traced or measured', 'Give "telemetry" a tracer and a meter provider');
  }
  const { captureArguments, captureResults, redact } = telemetry;
  if ((captureArguments === true || captureResults === true) && redact === undefined) {
    return warning('Spans hold arguments or results without redaction', 'Give "telemetry.redact"');
  }
  return ok('Spans or metrics are recorded');
}

function checkDraining({ shutdown: { drainMs, graceMs } }: ServerSettings): CheckResult {
  if (drainMs > 0) {
    const seconds = Math.ceil((drainMs + graceMs) / 1000) + SECONDS_TO_END;
    return ok(
      `It drains for ${drainMs} ms, and lets calls end for ${graceMs} ms: kill it after ${seconds} s at the earliest`,
    );
  }
  return warning('It ends at once, and fails requests that still come', 'Set "shutdown.drainMs"');
}
