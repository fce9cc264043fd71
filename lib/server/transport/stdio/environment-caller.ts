import { Logger } from '../../../core/logger/logger.js';
import type { JsonRpcRequest } from '../../../core/protocol/json-rpc.js';
import type { Authentication } from '../../context/authentication.js';
import { formatLine } from '../../log/format-line.js';
import type { RequestSpan, RequestTracing } from '../../telemetry/request-tracing.js';
import type { DuplexCaller } from '../duplex/duplex-parts.interface.js';
import { traceMessage } from '../duplex/trace-message.js';

/** The caller that started the process, with a token from the environment if there is one. */
export class EnvironmentCaller implements DuplexCaller {
  readonly isPipe = true;
  readonly #logger = new Logger('McpStdio');
  #authentication: Authentication | undefined;

  constructor(
    private readonly tracing: RequestTracing | undefined,
    authentication: Authentication | undefined,
  ) {
    this.#authentication = authentication;
  }

  /** The token as long as it lasts: the process may last longer. */
  get authentication(): Authentication | undefined {
    const authentication = this.#authentication;
    const { expiresAt = Infinity } = authentication?.claims ?? {};
    if (expiresAt * 1000 <= Date.now()) {
      this.#authentication = undefined;
      const line = 'The token from the environment has expired: start the server with another';
      this.#logger.warn(formatLine(line, { authentication }));
    }
    return this.#authentication;
  }

  trace(request: JsonRpcRequest): RequestSpan | undefined {
    return this.tracing && traceMessage(this.tracing, request, this.authentication);
  }
}
