import { Controller, Get, Injectable, UseGuards } from '@nestjs/common';
import {
  Claims,
  McpAuthGuard,
  Public,
  RequireScope,
  Tool,
  type AuthOptions,
  type DpopOptions,
} from 'nestjs-mcp';
import type { TestIssuer } from '../authorization/issuer.js';
import { Prover, type ProofSubject } from '../authorization/prover.js';
import { RESOURCE, bootDesk } from './protected-desk.js';
import type { AdapterName, RunningApp } from './boot.js';

/** Tells who calls, and lets somebody in. */
@Injectable()
export class BoundTools {
  entries = 0;

  @Tool({ description: 'Lets somebody in' })
  enter(@Claims('sub') subject?: string): string {
    this.entries += 1;
    return `entered: ${subject}`;
  }

  @Tool({ description: 'Needs more' })
  @RequireScope('desk:write')
  write(): string {
    return 'written';
  }
}

/** A route of the application's own. */
@Controller('reports')
@UseGuards(McpAuthGuard)
export class BoundReports {
  /** Two guards look at the proof of one request. */
  @Get('latest')
  @UseGuards(McpAuthGuard)
  latest(@Claims('sub') subject: string): object {
    return { of: subject };
  }

  @Get('open')
  @Public()
  open(@Claims('sub') subject?: string): object {
    return { of: subject ?? 'anybody' };
  }
}

/** Starts a desk that takes bound tokens of an issuer. */
export function bootBoundDesk(
  adapter: AdapterName,
  issuer: TestIssuer,
  dpop: DpopOptions['mode'] | DpopOptions,
  { auth = {}, ...options }: { readonly auth?: AuthOptions; readonly [option: string]: unknown } = {},
): Promise<RunningApp> {
  const own = { resourceUri: RESOURCE, authorizationServers: [issuer.url], jwt: {}, dpop };
  return bootDesk(adapter, {
    auth: { ...own, ...auth },
    options,
    providers: [BoundTools],
    controllers: [BoundReports],
  });
}

/** Has a client with a token that is bound to its key. */
export async function bindToken(
  issuer: TestIssuer,
  claims: { readonly [claim: string]: unknown } = {},
  subject: Partial<ProofSubject> = {},
): Promise<Prover> {
  const client = new Prover({ htu: RESOURCE });
  const token = await issuer.token({ cnf: { jkt: client.thumbprint }, ...claims });
  client.subject = { htu: RESOURCE, token, ...subject };
  return client;
}
