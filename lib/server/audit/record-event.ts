import { randomUUID } from 'node:crypto';
import { escapeText } from '../../core/log/escape-text.js';
import { fingerprintTask } from '../../core/protocol/fingerprints.js';
import { isObject, type RequestId } from '../../core/protocol/json-rpc.js';
import type { McpError } from '../../core/protocol/mcp.error.js';
import type { OutboundMessage } from '../../core/protocol/outbound-message.js';
import { parseTraceparent } from '../../core/telemetry/trace-context.js';
import { findSubject } from '../context/find-subject.js';
import { findClientAddress } from '../telemetry/network.js';
import type { AuditCaller, AuditedFacts, AuditEvent } from './audit-event.js';
import type { AuditTrail } from './audit-trail.js';

/** How an operation ended. */
export interface AuditedEnd
  extends
    Pick<AuditEvent, 'outcome' | 'time' | 'durationMs' | 'requestBytes' | 'answerBytes'>,
    Pick<AuditEvent, 'action' | 'reason' | 'errorCode' | 'http' | 'incident' | 'task'> {
  /** @default the one that the method's parameters name */
  readonly target?: string | undefined;
  /** @default none */
  readonly usedScopes?: readonly string[] | undefined;
  /** @default none */
  readonly missingScopes?: readonly string[] | undefined;
}

const NO_SCOPES: readonly string[] = Object.freeze([]);

const LONGEST_METHOD = 128;
const LONGEST_ID = 128;

/**
 * Records an operation. If events are required, the promise resolves to the error with which the operation fails.
 *
 * @param isAdmitted whether room was reserved for the event
 */
export function recordEvent(
  trail: AuditTrail,
  facts: AuditedFacts,
  end: AuditedEnd,
  isAdmitted = false,
): Promise<McpError | undefined> | undefined {
  return trail.record(buildEvent(trail, facts, end), facts, isAdmitted);
}

/**
 * The properties of all events, in order. Events are copies of this object: once most objects created from a literal
 * have survived for a while, V8 allocates further ones in the old generation, which only full collections free.
 */
const BLANK: AuditEvent = {
  id: '',
  type: 'request',
  time: new Date(0),
  server: '',
  process: undefined,
  transport: undefined,
  caller: {},
  session: undefined,
  protocolVersion: undefined,
  method: undefined,
  target: undefined,
  arguments: undefined,
  requestId: undefined,
  task: undefined,
  action: undefined,
  usedScopes: NO_SCOPES,
  missingScopes: NO_SCOPES,
  outcome: 'ok',
  reason: undefined,
  errorCode: undefined,
  http: undefined,
  // V8 represents integers differently, which would change the shape of all events.
  durationMs: 0.5,
  requestBytes: 0,
  answerBytes: 0,
  traceId: undefined,
  incident: undefined,
};

/** The properties that every caller has, in order. */
const BLANK_CALLER: AuditCaller = {
  subject: undefined,
  issuer: undefined,
  clientId: undefined,
  identity: undefined,
  address: undefined,
};

/** Builds an event. Written out as a literal so that all events share one shape. */
function buildEvent(trail: AuditTrail, facts: AuditedFacts, end: AuditedEnd): AuditEvent {
  const { params } = facts;
  const method = escapeClientText(facts.method, LONGEST_METHOD);
  const target = escapeClientText(end.target ?? (method === undefined ? undefined : findSubject(params)));
  return {
    ...BLANK,
    id: createEventId(),
    type: facts.type,
    time: end.time,
    server: trail.server,
    process: trail.process,
    transport: facts.transport,
    caller: describeCaller(facts),
    session: facts.session,
    protocolVersion: facts.version,
    method,
    target: method === undefined ? target : escapeClientText(trail.showTarget(method, target)),
    arguments: method === undefined ? undefined : trail.showArguments(method, target, params),
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
    traceId: isTraceId(facts.traceId) ? facts.traceId : findCallerTrace(facts),
    incident: end.incident,
  };
}

/** Escapes a client-supplied string into a single line that every database accepts. */
function escapeClientText(text: string | undefined, longest?: number): string | undefined {
  return text === undefined ? undefined : escapeText(text, longest);
}

function nameTask(id: string | undefined): string | undefined {
  return id === undefined ? undefined : fingerprintTask(id);
}

function boundId(id: RequestId | undefined): RequestId | undefined {
  return typeof id === 'string' ? escapeText(id, LONGEST_ID) : id;
}

function describeCaller({ caller, source }: AuditedFacts): AuditCaller {
  const { claims, identity } = caller ?? {};
  return {
    ...BLANK_CALLER,
    subject: escapeClientText(claims?.sub),
    issuer: escapeClientText(claims?.iss),
    clientId: escapeClientText(claims?.clientId),
    identity: escapeClientText(identity),
    address: findClientAddress(source),
  };
}

/** A disabled SDK creates spans with a trace id of zeros (W3C Trace Context §3.2.2.3). */
function isTraceId(traceId: string | undefined): traceId is string {
  return traceId !== undefined && !/^0+$/.test(traceId);
}

function findCallerTrace({ params, source }: AuditedFacts): string | undefined {
  const meta = params?.['_meta'];
  const fromMeta = isObject(meta) ? parseTraceparent(meta['traceparent']) : undefined;
  const { traceparent } = source.http?.headers ?? {};
  if (fromMeta === undefined && traceparent === undefined) return undefined;
  return (fromMeta ?? parseTraceparent(traceparent))?.traceId;
}

/** The counter's digits. The other digits stay the same for the life of the process. */
const COUNTED_DIGITS = 12;

const OWN_DIGITS = createOwnDigits();

/** The last two digits of all ids. */
const LAST_DIGITS = Array.from({ length: 0x100 }, (_, count) => formatDigits(count, 2));

/** The prefix shared by a block of ids, which differ in their last two digits. */
let head = '';
let blocks = 0;
let next = LAST_DIGITS.length;

/**
 * Creates a unique id: a UUID of random digits, drawn once per process, and a counter. A random UUID per event would
 * cost as much as the rest of the event.
 *
 * @see RFC 9562 §5.8, "UUID Version 8"
 */
export function createEventId(): string {
  if (next === LAST_DIGITS.length) beginBlock();
  const id = head + String(LAST_DIGITS[next]);
  next += 1;
  return id;
}

function beginBlock(): void {
  head = OWN_DIGITS + formatDigits(blocks, COUNTED_DIGITS - 2);
  blocks += 1;
  next = 0;
}

function formatDigits(count: number, digits: number): string {
  return count.toString(16).padStart(digits, '0');
}

function createOwnDigits(): string {
  const random = randomUUID();
  const version = '8';
  return random.slice(0, 14) + version + random.slice(15, -COUNTED_DIGITS);
}

/** Counts the bytes of an outgoing message. */
export function measureBytes(message: OutboundMessage): number {
  const { pieces } = message;
  return pieces === undefined
    ? Buffer.byteLength(message.json)
    : Buffer.byteLength(pieces[0]) + pieces[1].length;
}

/** Counts the bytes of a value as JSON. */
export function measureValue(value: unknown): number {
  const json = JSON.stringify(value) as string | undefined;
  return json === undefined ? 0 : Buffer.byteLength(json);
}
