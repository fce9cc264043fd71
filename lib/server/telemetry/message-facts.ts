import { isObject, isRequestId, type Params, type RequestId } from '../../core/protocol/json-rpc.js';
import type { OperationFacts } from '../../core/telemetry/operation-facts.js';

/** A message of a client that is about to be served. */
export interface ServedMessage {
  readonly method: string;
  readonly params?: Params | undefined;
  /** Absent for a notification. */
  readonly id?: RequestId | undefined;
  readonly version: string;
  readonly session?: NamedSession | undefined;
  readonly hasKnownMethod: boolean;
  readonly hasKnownTarget: boolean;
}

/** What a session is called. */
export interface NamedSession {
  readonly id: string;
  readonly fingerprint: string;
}

/** Returns what is known of a message as telemetry names it. It is written out, since every request has them. */
export function buildFacts(
  { method, params, version, hasKnownMethod, hasKnownTarget }: ServedMessage,
  { id, session, network, client }: Pick<OperationFacts, 'id' | 'session' | 'network' | 'client'>,
): OperationFacts {
  return {
    method,
    params,
    id,
    version,
    session,
    network,
    client,
    server: undefined,
    hasKnownMethod,
    hasKnownTarget,
  };
}

/** Reads what may be known of a message that was refused. */
export function readMessage(message: unknown): Pick<OperationFacts, 'params' | 'id'> & { method?: string } {
  if (!isObject(message) || typeof message['method'] !== 'string') return {};
  const { method, params, id } = message;
  return {
    method,
    params: isObject(params) ? params : undefined,
    id: isRequestId(id) ? id : undefined,
  };
}

/** Tells which names a server has. Callers may invent any others, so these name neither spans nor series of metrics. */
export interface KnownNames {
  hasMethod(method: string): boolean;
  /** Tells whether there is the tool or prompt of a request; true for methods that are about neither. */
  hasTarget(method: string, params: Params | undefined): boolean;
}

/** Knows everything, where nobody else says what there is. */
export const ALL_KNOWN: KnownNames = Object.freeze({ hasMethod: () => true, hasTarget: () => true });
