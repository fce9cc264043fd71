import type { HttpRequest } from '../../telemetry/network.js';

/** Says of what request a line of the log is, as far as it is known before its body is read. */
export function buildSubject(request: object | undefined): { readonly http?: HttpRequest } {
  if (request === undefined || !('headers' in request)) return {};
  return { http: { headers: request.headers as HttpRequest['headers'], request } };
}
