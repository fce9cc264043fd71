import { Answers } from '../../../lib/server/dispatch/answers.js';
import { FailureMapper } from '../../../lib/server/dispatch/failure-mapper.js';
import { IncomingNotifications } from '../../../lib/server/dispatch/incoming-notifications.js';
import { MethodTable } from '../../../lib/server/dispatch/method-table.js';
import { Pipeline } from '../../../lib/server/dispatch/pipeline.js';
import type { Arrival, Step } from '../../../lib/server/dispatch/step.js';
import {
  Closed,
  ConciseMeta,
  DuplicateId,
  RunningLimit,
} from '../../../lib/server/dispatch/steps/running-requests.js';
import type { McpMethod } from '../../../lib/server/methods/mcp-method.interface.js';
import type { JsonRpcRequest } from '../../../lib/core/protocol/json-rpc.js';
import { ChallengingResponse } from '../../../lib/core/protocol/outbound-message.js';
import { DetachedRequests } from '../../../lib/server/sessions/in-flight-requests.js';
import { SessionRegistry } from '../../../lib/server/sessions/session-registry.js';
import type { McpOptions } from '../../../lib/server/settings/mcp-options.js';
import { buildPeer, RecordingChannel, type Json } from './requests.js';
import { buildSettings } from './settings.js';
import { AskerFactory } from '../../../lib/server/asking/asker-factory.js';
import { RequestStateCodec } from '../../../lib/server/asking/request-state.js';
import { Sealer } from '../../../lib/core/sealing/sealer.js';

/** A pipeline of the steps that every server has, over methods of the test's own, under names that revisions know. */
export class TestDispatch {
  readonly sessions: SessionRegistry;
  readonly detached = new DetachedRequests();
  readonly pipeline: Pipeline;

  /** @param steps stand before the server's own */
  constructor(methods: readonly McpMethod[], options: Partial<McpOptions> = {}, ...steps: readonly Step[]) {
    const settings = buildSettings(options);
    this.sessions = new SessionRegistry(settings);
    this.pipeline = new Pipeline(
      [...steps, new Closed(), new DuplicateId(), new RunningLimit(settings), new ConciseMeta()],
      new MethodTable(methods),
      new Answers(new FailureMapper(settings), settings),
      new IncomingNotifications(this.sessions, settings),
      new AskerFactory(new RequestStateCodec(new Sealer(), settings), settings),
      settings,
    );
  }

  /** Dispatches a request and gives its answer as the client reads it, with its HTTP status and the challenge beside it. */
  async request(
    request: JsonRpcRequest,
    parts: Partial<Arrival> = {},
  ): Promise<(Json & { readonly status: number; readonly wwwAuthenticate?: string }) | undefined> {
    const channel = new RecordingChannel();
    const arrival = { peer: buildPeer(), channel, inFlight: this.detached, ...parts };
    const response = await this.pipeline.dispatch(request, arrival);
    if (response === undefined) return undefined;
    const { json, httpStatus: status } = response;
    const challenge = response instanceof ChallengingResponse && {
      wwwAuthenticate: response.wwwAuthenticate,
    };
    return { ...(JSON.parse(json) as Json), status, ...challenge };
  }
}
