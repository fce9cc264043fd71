import { InputRequesterFactory } from '../../../../lib/server/input-requests/input-requester-factory.js';
import { RequestStateCodec } from '../../../../lib/server/input-requests/request-state.js';
import type { Peer } from '../../../../lib/server/context/peer.interface.js';
import { RequestContext } from '../../../../lib/server/context/request-context.js';
import type { Interruption } from '../../../../lib/server/context/request-parts.interface.js';
import type { ClientCapabilities } from '../../../../lib/core/protocol/capabilities.js';
import { Sealer } from '../../../../lib/core/sealing/sealer.js';
import type { McpOptions } from '../../../../lib/server/settings/mcp-options.js';
import { buildPeer, buildRequest, RecordingChannel, type Json } from '../../support/requests.js';
import { buildSettings } from '../../support/settings.js';

export const ABLE: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: { listChanged: true },
};

interface CallParts {
  readonly method?: string;
  readonly params?: Json;
  /** @default one of the stateless wire that can all */
  readonly peer?: Peer;
}

/** What a server asks with, without the server. */
export class Asking {
  readonly codec: RequestStateCodec;
  readonly factory: InputRequesterFactory;

  constructor(options: Partial<McpOptions> = {}) {
    const settings = buildSettings(options);
    this.codec = new RequestStateCodec(new Sealer(settings.keyring), settings);
    this.factory = new InputRequesterFactory(this.codec, settings);
  }

  /** Begins a call, as the dispatcher does. */
  begin({ method = 'tools/call', params = { name: 'ask' }, peer }: CallParts = {}): AskingCall {
    return new AskingCall(this.factory, {
      method,
      params,
      peer: peer ?? buildPeer(undefined, { capabilities: ABLE }),
    });
  }
}

/** A call with what it sends, and how it is interrupted. */
export class AskingCall {
  readonly channel = new RecordingChannel();
  readonly context: RequestContext;
  /** How the call ended before its handler did. */
  readonly interrupted: Promise<Interruption>;

  constructor(factory: InputRequesterFactory, { method, params, peer }: Required<CallParts>) {
    this.context = new RequestContext(buildRequest(method, params), {
      peer,
      channel: this.channel,
      inputRequesters: factory,
    });
    this.interrupted = new Promise((resolve) => {
      this.context.onInterrupt = resolve;
    });
  }

  /** Waits until the round ends with questions, and gives its result. */
  async roundResult(): Promise<{ readonly inputRequests: Json; readonly requestState: string }> {
    const { result, failure } = await this.interrupted;
    if (result === undefined) throw failure ?? new Error('The call was cancelled');
    return result as never;
  }
}
