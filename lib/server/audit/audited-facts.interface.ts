import type { Claims } from '../../core/oauth/claims.js';
import type { Params, RequestId } from '../../core/protocol/json-rpc.js';
import type { TransportKind } from '../settings/transport-kind.js';
import type { Carriage } from '../telemetry/network.js';
import type { AuditEventType } from './audit-event.interface.js';

/** Who is behind an operation, as far as that is known. */
export interface AuditedSender {
  readonly claims?: Claims | undefined;
  readonly identity?: string | undefined;
  /** The address that a session of a stranger counts for, if no message says it. @default not known */
  readonly address?: string | undefined;
}

/** An operation as it begins. */
export interface AuditedFacts {
  readonly type: AuditEventType;
  readonly carriage: Carriage;
  /** How it came; absent if that is not known. */
  readonly transport: TransportKind | undefined;
  readonly sender?: AuditedSender | undefined;
  /** The fingerprint of its session. */
  readonly session?: string | undefined;
  readonly version?: string | undefined;
  readonly method?: string | undefined;
  readonly params?: Params | undefined;
  readonly requestId?: RequestId | undefined;
  readonly task?: string | undefined;
  /** The trace that telemetry records it in. */
  readonly traceId?: string | undefined;
}
