/** The severities of a log message, least severe first (MCP server/utilities/logging, RFC 5424 §6.2.1). */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

/** A log entry's severity: a syslog level (RFC 5424 §6.2.1). */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A session's level until `logging/setLevel`, chosen by the server (MCP server/utilities/logging). */
export const FIRST_LOG_LEVEL: LogLevel = 'info';

const LEVELS: ReadonlySet<unknown> = new Set(LOG_LEVELS);

/** Returns whether a value is a log level; levels are case-sensitive. */
export function isLogLevel(value: unknown): value is LogLevel {
  return LEVELS.has(value);
}

/**
 * Returns whether a message of `level` is sent to a client that requested `minimum`.
 *
 * @example
 * isAtLeast('error', 'warning'); // true
 */
export function isAtLeast(level: LogLevel, minimum: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(minimum);
}

/**
 * Builds the parameters of `notifications/message`. Without data, `data` is `null`, because it is required.
 */
export function buildLogEntry(level: LogLevel, data: unknown, logger?: string): object {
  return { level, ...(logger !== undefined && { logger }), data: data ?? null };
}
