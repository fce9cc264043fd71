import type { IncomingHttpHeaders } from 'node:http';

/** Headers about the message, the connection and content negotiation, which only describe the caller's own request. */
const OF_MESSAGE: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'connection', 'content-encoding', 'content-length', 'content-type'],
  ...['dpop', 'expect', 'http2-settings', 'keep-alive', 'last-event-id', 'proxy-connection', 'range'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

const PREFIXES = ['mcp-', 'if-', 'content-', ':'];

/**
 * Headers that identify the caller, the connection or the resource. They cannot be arguments, because a model must not
 * choose them.
 */
const OF_CALLER: ReadonlySet<string> = new Set([
  ...['authorization', 'cookie', 'forwarded', 'host', 'origin', 'proxy-authorization', 'referer', 'via'],
  ...['x-http-method', 'x-http-method-override', 'x-method-override', 'x-original-url', 'x-rewrite-url'],
  ...['x-real-ip', 'x-client-ip', 'x-cluster-client-ip', 'true-client-ip', 'cf-connecting-ip'],
]);

/** Returns whether a header in the caller's request describes the caller, so it is forwarded to routes. */
function isOfCaller(name: string): boolean {
  return !OF_MESSAGE.has(name) && !PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** Returns whether callers may pass a header as an argument. */
export function isArgumentHeader(name: string): boolean {
  return (
    isOfCaller(name) && !OF_CALLER.has(name) && !name.startsWith('x-forwarded-') && !name.startsWith('sec-')
  );
}

/** Selects the headers that are forwarded from the caller's request to a route: credentials, tenant, language, addresses. */
export function selectCallerHeaders(given: IncomingHttpHeaders): IncomingHttpHeaders {
  const selected = Object.entries(given).filter(([name]) => isOfCaller(name));
  const authority = given[':authority'];
  return {
    ...(typeof authority === 'string' && { host: authority }),
    ...Object.fromEntries(selected),
  };
}
