import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { authorize, RESOURCE } from '../../support/applications/protected-desk.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { startProcesses, type Processes } from '../../support/cluster/processes.js';

@Injectable()
class InvoiceTools {
  @Tool()
  exchange(_arguments: object, { auth }: McpContext): Promise<string> {
    return auth.exchange({ audience: 'invoices' }).catch(String);
  }
}

describe('A message of HTTP+SSE that reaches another process than its stream', () => {
  let issuer: TestIssuer;
  let processes: Processes;

  beforeEach(async () => {
    issuer = await TestIssuer.start();
    const exchange = {
      tokenEndpoint: `${issuer.url}/token`,
      clientId: 'desk',
      clientSecret: 'the-secret-of-the-desk',
    };
    const auth = { resourceUri: RESOURCE, authorizationServers: [issuer.url], jwt: {}, exchange };
    processes = await startProcesses({ providers: [InvoiceTools], options: { sse: true, auth } });
  });
  afterEach(async () => {
    await processes.close();
    await issuer.stop();
  });

  it('brings no token that could be exchanged, which the error says with what to do (RELAY-05)', async () => {
    const token = await issuer.token();
    const [one, other] = processes.servers;
    const client = await SseClient.connect(`${one.origin}/sse`, { headers: authorize(token) });
    const endpoint = client.endpoint.replace(one.origin, other.origin);
    const message = { jsonrpc: '2.0', id: 'far', method: 'tools/call', params: { name: 'exchange' } };
    const posted = await sendHttp(endpoint, { json: message, headers: authorize(token) });
    const { result } = await client.response('far');
    expect(posted.status).toBe(202);
    expect(JSON.stringify(result)).toContain('was posted to a process that does not have the stream');
    expect(processes.cluster.sent.filter((text) => text.includes(token))).toEqual([]);
    await client.close();
  });
});
