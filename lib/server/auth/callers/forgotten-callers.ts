import type { CallerEnd, CallerPart } from '../../sessions/callers/caller-end.js';
import { isMeant } from '../../sessions/callers/caller-filter.js';
import type { EndedOfCaller } from '../../sessions/callers/mcp-sessions.interface.js';
import type { McpAuthenticator } from '../mcp-authenticator.js';

/** Makes the tokens of logged-out callers be validated again. */
export class ForgottenCallers implements CallerPart {
  constructor(private readonly authenticator: McpAuthenticator) {}

  endOf({ terms }: CallerEnd): Partial<EndedOfCaller> {
    this.authenticator.forget((authentication) => isMeant(terms, authentication));
    return {};
  }
}
