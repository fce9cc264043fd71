import { describeFailure } from '../core/log/describe-failure.js';
import { Logger } from '../core/logger/logger.js';

const logger = new Logger('McpAuthorizationServer');

/** Logs why a request failed. The reason is not sent to the browser or the client. */
export function reportFailure(error: unknown): void {
  logger.error(`A request to the authorization server failed: ${describeFailure(error).text}`);
}
