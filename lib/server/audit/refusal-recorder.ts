import { escapeText } from '../../core/log/escape-text.js';
import { fingerprintSession } from '../../core/protocol/fingerprints.js';
import type { McpError } from '../../core/protocol/mcp.error.js';
import { isObject, isRequestId } from '../../core/protocol/json-rpc.js';
import { listMissing } from '../../core/oauth/auth.error.js';
import type { CallOpener, OpenableCall } from '../context/call-operation.interface.js';
import { selectTransport } from '../settings/transport-kind.js';
import type { HttpRequest } from '../telemetry/network.js';
import { type Refusal, selectRefusalReason } from '../telemetry/refusal.js';
import type { ServerTelemetry } from '../telemetry/server-telemetry.js';
import type { AuditedFacts, AuditedHttp } from './audit-event.js';
import type { AuditTrail } from './audit-trail.js';
import { measureValue, recordEvent } from './record-event.js';

/** Records requests that were refused before they reached a method, in telemetry and in the audit. */
export class RefusalRecorder {
  constructor(
    private readonly trail: AuditTrail,
    private readonly calls: CallOpener,
    private readonly telemetry?: ServerTelemetry,
  ) {}

  /** Whether refusals are audited. */
  get isAudited(): boolean {
    return this.trail.isEnabled;
  }

  /** Records a refusal. If events are required, the promise may resolve to an error to send in its place. */
  record(given: Refusal): Promise<McpError | undefined> | undefined {
    if (this.telemetry === undefined && !this.trail.isEnabled) return undefined;
    const refusal = this.#rewrite(given);
    const traceId = this.telemetry?.recordRefusal(refusal);
    return this.trail.isEnabled ? this.#audit(refusal, traceId) : undefined;
  }

  /** A call of the `callTool` proxy is recorded as a call of the target tool. */
  #rewrite(refusal: Refusal): Refusal {
    const { message } = refusal;
    if (!isCall(message)) return refusal;
    const opened = this.calls.rewrite(message);
    if (opened === message) return refusal;
    return { ...refusal, message: opened, requestBytes: refusal.requestBytes ?? measureValue(message) };
  }

  #audit(refusal: Refusal, traceId: string | undefined): Promise<McpError | undefined> | undefined {
    const { error, status, http, shortage, message, startedAt } = refusal;
    const now = performance.now();
    const durationMs = startedAt === undefined ? 0 : now - startedAt;
    const reason = refusal.reason ?? selectRefusalReason(status, error.code);
    return recordEvent(this.trail, buildFacts(refusal, traceId), {
      time: new Date(Date.now() - durationMs),
      outcome: isProblem(status, error.code) ? 'error' : 'refused',
      reason,
      errorCode: error.code,
      http: http && describeHttp(http, status),
      missingScopes: shortage && listMissing(shortage),
      durationMs,
      requestBytes: refusal.requestBytes ?? (message === undefined ? 0 : measureValue(message)),
      answerBytes: refusal.answerBytes ?? 0,
      incident: refusal.incident,
    });
  }
}

/** The server's internal errors are not refusals. */
function isProblem(status: number | undefined, code: number): boolean {
  return selectRefusalReason(status, code) === 'internal_error';
}

function isCall(message: unknown): message is OpenableCall {
  return isObject(message) && message['method'] === 'tools/call' && isObject(message['params']);
}

function buildFacts(
  { http, isPipe, authentication, sessionId, message }: Refusal,
  traceId: string | undefined,
): AuditedFacts {
  const { method, params, id } = isObject(message) ? message : {};
  const named = sessionId ?? http?.headers['mcp-session-id'];
  const source = { http, isPipe };
  return {
    type: 'request',
    source,
    transport: selectTransport(source),
    caller: authentication,
    session: typeof named === 'string' ? fingerprintSession(named) : undefined,
    method: typeof method === 'string' ? method : undefined,
    params: isObject(params) ? params : undefined,
    requestId: isRequestId(id) ? id : undefined,
    traceId,
  };
}

/** An Express or Fastify request object. */
interface RoutedRequest {
  readonly method?: string;
  readonly url?: string;
  readonly originalUrl?: string;
}

const LONGEST_PATH = 512;

function describeHttp({ request }: HttpRequest, status: number | undefined): AuditedHttp {
  const { method = '', url = '', originalUrl = url } = Object(request) as RoutedRequest;
  const [path = ''] = originalUrl.split('?', 1);
  return { method, path: escapeText(path, LONGEST_PATH), status };
}
