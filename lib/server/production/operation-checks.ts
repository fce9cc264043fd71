import { failure, ok, warning } from '../../core/doctor/finding.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { Judgement, SettingsCheck } from './production-check.js';

/** How the server runs: what it keeps, shows, bounds and records, and how it ends. */
export const OPERATION_CHECKS: readonly SettingsCheck[] = [
  { id: 'secret', judge: judgeSecret },
  { id: 'cluster-tls', judge: judgeCluster },
  { id: 'error-details', judge: judgeErrors },
  { id: 'call-timeout', judge: judgeCallTimeout },
  { id: 'lifetimes', judge: judgeLifetimes },
  { id: 'telemetry', judge: judgeTelemetry },
  { id: 'draining', judge: judgeDraining },
];

const HOUR_MS = 3_600_000;

/** Lifetimes beyond which sessions and tokens help thieves more than users. */
const LONGEST_MS = { idle: 12 * HOUR_MS, lifetime: 7 * 24 * HOUR_MS, token: HOUR_MS };

/** What the end takes after draining, at most. */
const SECONDS_TO_END = 10;

/** A random secret of 32 characters has more distinct characters than this, in any alphabet. */
const FEWEST_CHARACTERS = 9;

function judgeSecret({ secrets }: ServerSettings): Judgement {
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

function judgeCluster({ cluster }: ServerSettings): Judgement | undefined {
  if (cluster?.isEncrypted === undefined) return undefined;
  if (cluster.isEncrypted) return ok('Shared values travel encrypted, or stay on this machine');
  return warning(
    'Redis is reached without TLS: its password and its traffic can be read on the way',
    'Use a URL that begins with "rediss:", or the option "tls" of the client',
  );
}

function judgeErrors({ exposeErrors }: ServerSettings): Judgement {
  if (exposeErrors !== true) return ok('Callers do not see unexpected errors');
  return failure('"exposeErrors" shows callers the messages of unexpected errors', 'Take it back');
}

function judgeCallTimeout({ callTimeoutMs }: ServerSettings): Judgement {
  if (callTimeoutMs !== undefined) return ok(`Calls may take ${callTimeoutMs} ms`);
  return warning('Calls have no time limit', 'Set "callTimeoutMs", 60000 for example');
}

function judgeLifetimes({ sessions, auth }: ServerSettings): Judgement {
  const tokens = Math.max(0, ...(auth?.jwt ?? []).map(({ cacheTtlMs }) => cacheTtlMs));
  const long = [
    ...(sessions.idleTimeoutMs > LONGEST_MS.idle ? ['"sessions.idleTimeoutMs"'] : []),
    ...(sessions.lifetimeMs > LONGEST_MS.lifetime ? ['"sessions.lifetimeMs"'] : []),
    ...(tokens > LONGEST_MS.token ? ['"auth.jwt.cacheTtlMs"'] : []),
  ];
  if (long.length === 0) return ok('Sessions and tokens end in time');
  return warning(`Stored values live very long: ${long.join(', ')}`, 'Lower it, or leave the default');
}

function judgeTelemetry({ telemetry }: ServerSettings): Judgement {
  if (telemetry === undefined) {
    return warning('Nothing is traced or measured', 'Give "telemetry" a tracer and a meter provider');
  }
  const { captureArguments, captureResults, redact } = telemetry;
  if ((captureArguments === true || captureResults === true) && redact === undefined) {
    return warning('Spans hold arguments or results without redaction', 'Give "telemetry.redact"');
  }
  return ok('Spans or metrics are recorded');
}

function judgeDraining({ shutdown: { drainMs, graceMs } }: ServerSettings): Judgement {
  if (drainMs > 0) {
    const seconds = Math.ceil((drainMs + graceMs) / 1000) + SECONDS_TO_END;
    return ok(
      `It drains for ${drainMs} ms, and lets calls end for ${graceMs} ms: kill it after ${seconds} s at the earliest`,
    );
  }
  return warning('It ends at once, and fails requests that still come', 'Set "shutdown.drainMs"');
}
