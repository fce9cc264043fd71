import { isObject, isRequestId, type Params, type RequestId } from '../../core/protocol/json-rpc.js';
import type { OperationFacts } from '../../core/telemetry/operation-facts.js';

/** A client's message that is about to be served. */
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

/** A session's names. */
export interface NamedSession {
  readonly id: string;
  readonly fingerprint: string;
}

/** Returns the facts about a message for telemetry. Written out as a literal, because it runs for every request. */
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

/** Reads the known parts of a refused message. */
export function readMessage(message: unknown): Pick<OperationFacts, 'params' | 'id'> & { method?: string } {
  if (!isObject(message) || typeof message['method'] !== 'string') return {};
  const { method, params, id } = message;
  return {
    method,
    params: isObject(params) ? params : undefined,
    id: isRequestId(id) ? id : undefined,
  };
}

/**
 * Knows the names that exist on a server. Names that a caller may have invented must not become span names or metric
 * attributes.
 */
export interface KnownNames {
  hasMethod(method: string): boolean;
  /** Returns whether a request's tool or prompt exists; true for methods without a target. */
  hasTarget(method: string, params: Params | undefined): boolean;
}

/** The default, which knows every name. */
export const ALL_KNOWN: KnownNames = Object.freeze({ hasMethod: () => true, hasTarget: () => true });
