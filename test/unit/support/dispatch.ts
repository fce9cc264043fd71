import type { ReplyChannel } from '../../../lib/server/context/peer.interface.js';
import type { Arrival } from '../../../lib/server/dispatch/arrival.js';
import { Dispatcher } from '../../../lib/server/dispatch/dispatcher.js';
import { FailureMapper } from '../../../lib/server/dispatch/failure-mapper.js';
import { IncomingNotifications } from '../../../lib/server/dispatch/incoming-notifications.js';
import { MethodTable } from '../../../lib/server/dispatch/method-table.js';
import type { McpMethod } from '../../../lib/server/methods/mcp-method.interface.js';
import type { JsonRpcRequest } from '../../../lib/core/protocol/json-rpc.js';
import { ChallengingResponse } from '../../../lib/core/protocol/outbound-message.js';
import { DetachedRequests } from '../../../lib/server/sessions/in-flight-requests.js';
import { SessionRegistry } from '../../../lib/server/sessions/session-registry.js';
import type { McpOptions } from '../../../lib/server/settings/mcp-options.interface.js';
import { TestCatalogue } from './catalogue.js';
import { AuditTrail } from '../../../lib/server/audit/audit-trail.js';
import { buildPeer, RecordingChannel, type Json } from './requests.js';
import { buildSettings } from './settings.js';
import { PromptRegistry, ToolRegistry } from '../../../lib/server/catalogue/registries.js';
import { Operations } from '../../../lib/server/dispatch/operations.js';
import { AskerFactory } from '../../../lib/server/asking/asker-factory.js';
import { RequestStateCodec } from '../../../lib/server/asking/request-state.js';
import { Sealer } from '../../../lib/core/sealing/sealer.js';

/** A dispatcher over methods of the test's own, under names that revisions know. */
export class TestDispatch {
  readonly sessions: SessionRegistry;
  readonly detached = new DetachedRequests();
  readonly dispatcher: Dispatcher;

  constructor(methods: readonly McpMethod[], options: Partial<McpOptions> = {}) {
    const settings = buildSettings(options);
    this.sessions = new SessionRegistry(settings);
    const table = new MethodTable(methods);
    const notifications = new IncomingNotifications(this.sessions, settings);
    this.dispatcher = new Dispatcher(
      table,
      new FailureMapper(settings),
      notifications,
      new AskerFactory(new RequestStateCodec(new Sealer(), settings), settings),
      settings,
      new TestCatalogue().hidden,
      new Operations(
        undefined,
        table,
        new ToolRegistry(),
        new PromptRegistry(),
        notifications,
        new AuditTrail(settings, { server: 'desk', isDefault: true }),
        this.sessions,
      ),
    );
  }

  /** Dispatches a request and gives its answer as the client reads it, with its HTTP status and the challenge beside it. */
  async request(
    request: JsonRpcRequest,
    parts: Partial<Arrival> & { channel?: ReplyChannel } = {},
  ): Promise<(Json & { readonly status: number; readonly wwwAuthenticate?: string }) | undefined> {
    const { channel = new RecordingChannel(), ...given } = parts;
    const arrival = { peer: buildPeer(), inFlight: this.detached, ...given };
    const response = await this.dispatcher.dispatch(request, channel, arrival);
    if (response === undefined) return undefined;
    const { json, httpStatus: status } = response;
    const challenge = response instanceof ChallengingResponse && {
      wwwAuthenticate: response.wwwAuthenticate,
    };
    return { ...(JSON.parse(json) as Json), status, ...challenge };
  }
}
