import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { CallerEnd, CallerPart } from '../../sessions/callers/caller-end.js';
import { isMeant } from '../../sessions/callers/caller-filter.js';
import { CallerParts } from '../../sessions/callers/caller-parts.js';
import type { EndedOfCaller } from '../../sessions/callers/mcp-sessions.interface.js';
import { McpAuthenticator } from '../mcp-authenticator.js';

/** Makes the tokens of logged-out callers be validated again. */
@Injectable()
export class ForgottenCallers implements CallerPart, OnModuleInit {
  constructor(
    private readonly authenticator: McpAuthenticator,
    private readonly parts: CallerParts,
  ) {}

  onModuleInit(): void {
    this.parts.add(this);
  }

  endOf({ terms }: CallerEnd): Partial<EndedOfCaller> {
    // What tests put in the authenticator's place keeps nothing.
    if (this.authenticator instanceof McpAuthenticator) {
      this.authenticator.forget((authentication) => isMeant(terms, authentication));
    }
    return {};
  }
}
