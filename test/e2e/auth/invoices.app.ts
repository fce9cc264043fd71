import { inspect } from 'node:util';
import { Controller, Get, Injectable, Req, UseGuards } from '@nestjs/common';
import {
  McpAuthGuard,
  Public,
  Tool,
  type AuthenticatedRequest,
  type AuthOptions,
  type McpContext,
  type RequestedToken,
} from 'nestjs-mcp';
import type { AdapterName, RunningApp } from '../../support/applications/boot.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { json } from '../../support/authorization/party.js';
import { authorize, bootDesk, RESOURCE, textOf } from '../../support/applications/protected-desk.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { TokenParty } from '../../support/authorization/token-party.js';

export const CLIENT = { clientId: 'desk', clientSecret: 'the-secret-of-the-desk' };
export const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
export const INVOICES = { audience: 'invoices', scopes: ['invoices:read'] };

@Injectable()
export class InvoiceTools {
  /** What tools hold in their hands. */
  static seen = '';

  @Tool({ inputSchema: { type: 'object' } })
  async exchange(wanted: RequestedToken, { auth }: McpContext): Promise<string> {
    return auth.exchange(wanted);
  }

  @Tool()
  async exchangeOften(_input: unknown, { auth }: McpContext): Promise<string> {
    const tokens = await Promise.all(Array.from({ length: 10 }, () => auth.exchange(INVOICES)));
    return [...new Set(tokens)].join();
  }

  @Tool()
  @Public()
  async exchangeForAnybody(_input: unknown, { auth }: McpContext): Promise<string> {
    return auth.exchange();
  }

  @Tool()
  async show(_input: unknown, { auth }: McpContext): Promise<string> {
    await auth.exchange(INVOICES);
    InvoiceTools.seen = [
      inspect(auth, { depth: 9, showHidden: true, getters: true }),
      JSON.stringify(auth),
      JSON.stringify(auth.authentication),
    ].join();
    return 'shown';
  }
}

@Controller('report')
@UseGuards(McpAuthGuard)
class ReportController {
  @Get()
  exchange(@Req() { auth }: AuthenticatedRequest): Promise<string> | undefined {
    return auth?.exchange(INVOICES);
  }

  @Get('open')
  @Public()
  exchangeForAnybody(@Req() { auth }: AuthenticatedRequest): Promise<string> | undefined {
    return auth?.exchange(INVOICES);
  }
}

/** A desk that calls other services, who gives its callers' tokens, and who exchanges them. */
export class ExchangeScene {
  readonly log = new RecordedLog();
  #desk: RunningApp | undefined;

  private constructor(
    readonly issuer: TestIssuer,
    readonly server: TokenParty,
  ) {
    server.reply = () => json(this.give());
  }

  static async start(): Promise<ExchangeScene> {
    return new ExchangeScene(await TestIssuer.start(), await TokenParty.start());
  }

  get desk(): RunningApp {
    if (this.#desk === undefined) throw new Error('The desk is not booted');
    return this.#desk;
  }

  /** Starts the desk; `none` is one that exchanges no tokens. */
  async boot(
    adapter: AdapterName = 'express',
    exchange?: AuthOptions['exchange'] | 'none',
    auth: Partial<AuthOptions> = {},
  ): Promise<void> {
    const { tokenEndpoint } = this.server;
    this.#desk = await bootDesk(adapter, {
      auth: {
        resourceUri: RESOURCE,
        authorizationServers: [this.issuer.url],
        jwt: {},
        ...auth,
        ...(exchange !== 'none' && { exchange: exchange ?? { tokenEndpoint, ...CLIENT } }),
      },
      providers: [InvoiceTools],
      controllers: [ReportController],
      nest: { logger: this.log },
    });
  }

  /** Makes a token of another service. */
  give(members: { readonly [name: string]: unknown } = {}) {
    return this.server.grant({ issued_token_type: ACCESS_TOKEN, ...members });
  }

  /** Calls a tool, and gives the text of its result. */
  async call(token: string | undefined, name: string, wanted: object = {}): Promise<string> {
    const client = perRequest(this.desk.url, { headers: authorize(token) });
    const { result } = await client.start('tools/call', { name, arguments: wanted }).answer();
    return textOf(result ?? {});
  }

  async stop(): Promise<void> {
    await Promise.all([this.server.stop(), this.issuer.stop(), this.#desk?.close()]);
  }
}
