import { ResponseBuilder } from '../../../lib/server/dispatch/response-builder.js';
import { FailureMapper } from '../../../lib/server/dispatch/failure-mapper.js';
import { IncomingNotifications } from '../../../lib/server/dispatch/incoming-notifications.js';
import { MethodTable } from '../../../lib/server/dispatch/method-table.js';
import { RequestDispatcher } from '../../../lib/server/dispatch/request-dispatcher.js';
import type { IncomingRequest, Step } from '../../../lib/server/dispatch/step.js';
import {
  ShutdownStep,
  MetaSizeStep,
  DuplicateIdStep,
  InFlightLimitStep,
} from '../../../lib/server/dispatch/steps/request-limits.js';
import type { McpMethod } from '../../../lib/server/methods/mcp-method.interface.js';
import type { JsonRpcRequest } from '../../../lib/core/protocol/json-rpc.js';
import { ChallengingResponse } from '../../../lib/core/protocol/outbound-message.js';
import { StatelessRequests } from '../../../lib/server/sessions/in-flight-requests.js';
import { SessionRegistry } from '../../../lib/server/sessions/session-registry.js';
import type { McpOptions } from '../../../lib/server/settings/mcp-options.js';
import { buildPeer, RecordingChannel, type Json } from './requests.js';
import { buildSettings } from './settings.js';
import { InputRequesterFactory } from '../../../lib/server/input-requests/input-requester-factory.js';
import { RequestStateCodec } from '../../../lib/server/input-requests/request-state.js';
import { Sealer } from '../../../lib/core/sealing/sealer.js';

/** A dispatcher with the steps that every server has, over methods of the test's own, under names that revisions know. */
export class TestDispatch {
  readonly sessions: SessionRegistry;
  readonly detached = new StatelessRequests();
  readonly dispatcher: RequestDispatcher;

  /** @param steps stand before the server's own */
  constructor(methods: readonly McpMethod[], options: Partial<McpOptions> = {}, ...steps: readonly Step[]) {
    const settings = buildSettings(options);
    this.sessions = new SessionRegistry(settings);
    this.dispatcher = new RequestDispatcher(
      [
        ...steps,
        new ShutdownStep(),
        new DuplicateIdStep(),
        new InFlightLimitStep(settings),
        new MetaSizeStep(),
      ],
      new MethodTable(methods),
      new ResponseBuilder(new FailureMapper(settings), settings),
      new IncomingNotifications(this.sessions, settings),
      new InputRequesterFactory(new RequestStateCodec(new Sealer(), settings), settings),
      settings,
    );
  }

  /** Dispatches a request and gives its answer as the client reads it, with its HTTP status and the challenge beside it. */
  async request(
    request: JsonRpcRequest,
    parts: Partial<IncomingRequest> = {},
  ): Promise<(Json & { readonly status: number; readonly wwwAuthenticate?: string }) | undefined> {
    const channel = new RecordingChannel();
    const arrival = { peer: buildPeer(), channel, inFlight: this.detached, ...parts };
    const response = await this.dispatcher.dispatch(request, arrival);
    if (response === undefined) return undefined;
    const { json, httpStatus: status } = response;
    const challenge = response instanceof ChallengingResponse && {
      wwwAuthenticate: response.wwwAuthenticate,
    };
    return { ...(JSON.parse(json) as Json), status, ...challenge };
  }
}
