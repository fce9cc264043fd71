import type { AskerSource } from './asker-source.interface.js';
import type { CallerState } from './caller-state.interface.js';
import type { CallOperation } from './call-operation.interface.js';
import type { AuthView } from './auth-view.interface.js';
import type { MemoryHold } from '../memory/memory-hold.js';
import type { TransportKind } from '../settings/transport-kind.js';
import type { McpContext, TaskView } from './mcp-context.interface.js';
import type { Peer, ReplyChannel } from './peer.interface.js';
import type { StateSource } from './state-source.interface.js';

/** What is different in a call that somebody makes in the client's place. */
export interface Hosting {
  /** Its maker, which is not informed a second time. */
  readonly maker: object;
  /** The request that it is made for, if that is still there. */
  readonly origin?: object | undefined;
  /** The task that the call runs as. */
  readonly task?: TaskView | undefined;
  /** The state of the caller. @default what the call itself tells about that */
  readonly state?: CallerState | undefined;
  /** How telemetry follows the request that made the call. @default it is not known */
  readonly cause?: Pick<CallOperation, 'spanContext' | 'carried'> | undefined;
  /** How the request came that made the call. @default it is not known */
  readonly transport?: TransportKind | undefined;
  /** Runs instead of the handler. */
  readonly work?: ((context: McpContext) => unknown) | undefined;
}

/** The parts of a request in addition to its message. */
export interface RequestParts {
  readonly peer: Peer;
  readonly channel: ReplyChannel;
  /** The access of the request; absent if the server asks for no token. */
  readonly auth?: AuthView | undefined;
  /** What the request takes of the memory that its caller may have. @default not counted */
  readonly memory?: MemoryHold | undefined;
  /** Absent if nobody can be asked. */
  readonly askers?: AskerSource | undefined;
  /** Absent if nothing is kept for callers. */
  readonly states?: StateSource | undefined;
  /** What is different if not the client makes the request. @default nothing */
  readonly hosting?: Hosting | undefined;
  /** How telemetry and the audit follow the request. @default not at all */
  readonly operation?: CallOperation | undefined;
}
