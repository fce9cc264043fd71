import { DiscoveryFailedError } from './discovery-failed.error.js';

/** Is thrown if a server names no authorization server: there is nowhere to log in. */
export class NoAuthorizationServerError extends DiscoveryFailedError {
  override readonly name = 'NoAuthorizationServerError';

  constructor(url: string, options?: ErrorOptions) {
    const fault = 'names no authorization server';
    const advice =
      'Use a fixed token ("StaticTokenSource"), or ask the operator of the server who gives tokens';
    super({ url, fault, advice }, options);
  }
}
