import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { fingerprintSession } from '../../core/protocol/fingerprint-session.js';
import { fingerprintTask } from '../../core/protocol/fingerprint-task.js';
import { isObject, type Params, type RequestId } from '../../core/protocol/json-rpc.js';
import { parseTraceparent } from '../../core/telemetry/parse-traceparent.js';
import type { Claims } from '../../core/oauth/claims.js';
import { escapeText } from '../../core/log/escape-text.js';
import { findSubject } from '../context/find-subject.js';
import { findClient, type Carriage } from '../telemetry/network.js';
import type { AuditCaller, AuditEvent, AuditEventType } from './audit-event.interface.js';
import type { AuditTrail } from './audit-trail.js';
import { findArguments } from './redact-arguments.js';

/** Who is behind an operation, as far as that is known. */
export interface AuditedSender {
  readonly claims?: Claims | undefined;
  readonly identity?: string | undefined;
}

/** An operation as it begins. */
export interface AuditedFacts {
  readonly type: AuditEventType;
  readonly carriage: Carriage;
  readonly sender?: AuditedSender | undefined;
  /** The id of the session that it is in. */
  readonly sessionId?: string | undefined;
  readonly version?: string | undefined;
  readonly method?: string | undefined;
  readonly params?: Params | undefined;
  readonly requestId?: RequestId | undefined;
  readonly task?: string | undefined;
  /** The trace that telemetry records it in. */
  readonly traceId?: string | undefined;
}

/** How an operation ended. */
export interface AuditedEnd
  extends
    Pick<AuditEvent, 'outcome' | 'time' | 'durationMs' | 'requestBytes' | 'answerBytes'>,
    Pick<AuditEvent, 'action' | 'reason' | 'errorCode' | 'http' | 'incident' | 'task'> {
  /** @default none */
  readonly usedScopes?: readonly string[] | undefined;
  /** @default none */
  readonly missingScopes?: readonly string[] | undefined;
}

const NO_SCOPES: readonly string[] = Object.freeze([]);

const LONGEST_METHOD = 128;
const LONGEST_ID = 128;

/** Builds an event. It is written out, so that all have one shape. */
export function buildEvent(trail: AuditTrail, facts: AuditedFacts, end: AuditedEnd): AuditEvent {
  const { carriage, params, sessionId } = facts;
  const method = escapeChosen(facts.method, LONGEST_METHOD);
  const target = method === undefined ? undefined : escapeChosen(findSubject(params));
  return {
    id: randomUUID(),
    type: facts.type,
    time: end.time,
    server: trail.server,
    process: trail.process,
    transport: selectTransport(carriage),
    caller: describeCaller(facts),
    session: sessionId === undefined ? undefined : nameSession(sessionId),
    protocolVersion: facts.version,
    method,
    target,
    arguments: method === undefined ? undefined : trail.redact(findArguments(method, params), method, target),
    requestId: boundId(facts.requestId),
    task: nameTask(end.task ?? facts.task),
    action: end.action,
    usedScopes: end.usedScopes ?? NO_SCOPES,
    missingScopes: end.missingScopes ?? NO_SCOPES,
    outcome: end.outcome,
    reason: end.reason,
    errorCode: end.errorCode,
    http: end.http,
    durationMs: end.durationMs,
    requestBytes: end.requestBytes,
    answerBytes: end.answerBytes,
    traceId: facts.traceId ?? findTraceOfCaller(facts),
    incident: end.incident,
  };
}

/** Clients choose it: what comes of it is one line, and text that every database takes. */
function escapeChosen(text: string | undefined, longest?: number): string | undefined {
  return text === undefined ? undefined : escapeText(text, longest);
}

/** Each event of a session has its name, which takes longer to find than the rest of the event. */
const names = new LRUCache<string, string>({ max: 1000 });

function nameSession(id: string): string {
  const known = names.get(id);
  if (known !== undefined) return known;
  const name = fingerprintSession(id);
  names.set(id, name);
  return name;
}

function nameTask(id: string | undefined): string | undefined {
  return id === undefined ? undefined : fingerprintTask(id);
}

function boundId(id: RequestId | undefined): RequestId | undefined {
  return typeof id === 'string' ? escapeText(id, LONGEST_ID) : id;
}

function selectTransport({ http, isPipe }: Carriage): AuditEvent['transport'] {
  if (http !== undefined) return 'http';
  return isPipe === true ? 'stdio' : 'in-process';
}

function describeCaller({ sender, carriage }: AuditedFacts): AuditCaller {
  const { claims, identity } = sender ?? {};
  return {
    subject: escapeChosen(claims?.sub),
    issuer: escapeChosen(claims?.iss),
    clientId: escapeChosen(claims?.clientId),
    identity: escapeChosen(identity),
    address: findClient(carriage)?.address,
  };
}

function findTraceOfCaller({ params, carriage }: AuditedFacts): string | undefined {
  const meta = params?.['_meta'];
  const told = isObject(meta) ? parseTraceparent(meta['traceparent']) : undefined;
  const { traceparent } = carriage.http?.headers ?? {};
  if (told === undefined && traceparent === undefined) return undefined;
  return (told ?? parseTraceparent(traceparent))?.traceId;
}
