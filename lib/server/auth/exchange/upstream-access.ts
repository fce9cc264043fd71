import type { ModuleRef } from '@nestjs/core';
import { describeFailure } from '../../../core/log/describe-failure.js';
import { Logger } from '../../../core/logger/logger.js';
import { findProvided } from '../../catalog/discovery/providers.js';
import type { Authentication } from '../../context/authentication.js';
import { allowUpstream } from '../../context/token-exchange.js';
import { ToolError } from '../../context/tool-errors.js';
import { UPSTREAM_TOKENS, type UpstreamTokenFinder } from '../../settings/mcp.constants.js';

/** Lets handlers call `auth.upstream()`, if an authorization server is in the same application. */
export class UpstreamAccess {
  readonly #logger = new Logger('McpAuth');
  #finder: UpstreamTokenFinder | 'none' | undefined;

  constructor(private readonly moduleRef: ModuleRef) {}

  /** Lets handlers get the token that the identity provider issued for a caller. */
  allow(authentication: Authentication): void {
    const finder = (this.#finder ??= this.#find());
    if (finder === 'none') return;
    allowUpstream(authentication, () => this.#request(finder, authentication));
  }

  /** All modules are ready once a caller is authenticated. */
  #find(): UpstreamTokenFinder | 'none' {
    return findProvided<UpstreamTokenFinder>(this.moduleRef, UPSTREAM_TOKENS)[0] ?? 'none';
  }

  async #request(finder: UpstreamTokenFinder, authentication: Authentication): Promise<string> {
    let token: string | undefined;
    try {
      token = await finder.find(authentication);
    } catch (error) {
      this.#logger.warn(`No token from the identity provider is available: ${describeFailure(error).text}`);
      throw new ToolError('The call cannot be made on your behalf at the moment');
    }
    if (token !== undefined) return token;
    throw new ToolError('The call cannot be made on your behalf until you have logged in again');
  }
}
