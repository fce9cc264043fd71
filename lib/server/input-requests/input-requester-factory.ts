import type { ClusterBus } from '../cluster/cluster-bus.js';
import { LocalBus } from '../cluster/local-bus.js';
import type { InputRequester } from '../context/input-request.interface.js';
import type { InputRequestContext, InputRequesters } from '../context/request-parts.interface.js';
import { ToolError } from '../context/tool-errors.js';
import { INPUT_REQUEST_BUILDERS } from './input-request-builders.js';
import type { RequestStateCodec } from './request-state.js';
import { RoundTripInputRequester } from './round-trip-input-requester.js';
import { SessionInputRequester } from './session-input-requester.js';
import { isWithoutSession } from '../sessions/session-opening.interface.js';
import { Session } from '../sessions/session.js';
import type { ServerSettings } from '../settings/server-settings.js';

/** The methods whose calls may end with an input request (MCP 2026-07-28 basic/patterns/mrtr). */
const MULTI_ROUND_TRIP_METHODS: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
]);

/** Creates the input requester that matches a call's revision. */
export class InputRequesterFactory implements InputRequesters {
  readonly builders = INPUT_REQUEST_BUILDERS;

  constructor(
    private readonly states: RequestStateCodec,
    private readonly settings: ServerSettings,
    private readonly bus: ClusterBus = new LocalBus(),
  ) {}

  isMultiRoundTrip(method: string): boolean {
    return MULTI_ROUND_TRIP_METHODS.has(method);
  }

  create(context: InputRequestContext): InputRequester {
    if (context.revision.kind === 'perRequest') {
      if (this.isMultiRoundTrip(context.method)) return new RoundTripInputRequester(context, this.states);
      throw new ToolError(`"${context.method}" cannot send input requests to the client`);
    }
    if (context.peer instanceof Session) {
      const { isShared, member } = this.bus;
      const { timeoutMs } = this.settings.inputRequests;
      return new SessionInputRequester(context, context.peer, timeoutMs, isShared ? member : undefined);
    }
    const isLost = isWithoutSession(context.peer);
    throw new ToolError(
      isLost
        ? 'This server has no sessions, so the client cannot receive requests: use a client of revision 2026-07-28'
        : 'There is no session, so the client cannot receive requests',
    );
  }
}
