import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { start, type Started } from '../../../sample/03-protected/start.js';
import { ProtectedClient } from './protected-client.js';

const RESOLUTION = 'Solved by the one who logged in.';

let desk: Started;

beforeAll(async () => {
  desk = await start({ desk: 0, authorizationServer: 0 });
});

afterAll(() => desk.stop());

describe('the sample 03-protected', () => {
  it('says whose tokens it takes, and for which scopes (PRM-01, PRM-02)', async () => {
    const response = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', desk.url));
    expect(await response.json()).toMatchObject({
      resource: desk.url.href,
      authorization_servers: [desk.issuer],
      scopes_supported: ['desk:read', 'desk:write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Support desk',
    });
  });

  it('answers whoever has no token by where to get one, and for which scope (AUTH-14)', async () => {
    const { status, headers } = await fetch(desk.url, { headers: { accept: 'text/event-stream' } });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${desk.url.origin}/.well-known/oauth-protected-resource/mcp", scope="desk:read"`,
    );
  });

  it('knows its callers apart by the claims of their tokens (AUTH-10)', async () => {
    const grace = new ProtectedClient(desk.url.href, 'auto', 'Grace');
    await grace.connect();
    const { structuredContent } = await grace.call('my_tickets');
    await grace.close();
    expect(structuredContent).toMatchObject({ tickets: [{ id: 'T-1001' }, { id: 'T-1002' }] });
  });
});

describe.each(['auto', 'legacy'] as const)('a client at the sample 03-protected in the mode %s', (mode) => {
  let client: ProtectedClient;

  beforeEach(async () => {
    client = new ProtectedClient(desk.url.href, mode);
    await client.connect();
  });

  afterEach(() => client.close());

  async function openTicket(): Promise<string> {
    const subject = `Ticket of the mode ${mode}`;
    const { structuredContent } = await client.call('open_ticket', { subject, customer: 'orchard-school' });
    return (structuredContent as { id: string }).id;
  }

  it('logs in for what it needs first (AUTH-08, AUTH-14)', () => {
    expect(client.decisions.map(({ asked }) => Object.keys(asked))).toEqual([
      ['desk:read', 'offline_access'],
    ]);
    expect(client.provider.tokens()?.scope).toBe('desk:read');
  });

  it('reads with that and nothing more (AUTH-08)', async () => {
    const { structuredContent } = await client.call('read_ticket', { id: 'T-1003' });
    expect(structuredContent).toMatchObject({ id: 'T-1003', openedBy: 'ada' });
    expect(client.decisions).toHaveLength(1);
  });

  it('is stepped up by the tool that writes, and by none after it (STEP-01, STEP-02)', async () => {
    const id = await openTicket();
    expect(client.decisions).toHaveLength(2);
    expect(client.decisions[1]?.loggedIn).toBe(false);
    expect(client.provider.tokens()?.scope).toBe('desk:read desk:write');
    const { structuredContent } = await client.call('close_ticket', { id, resolution: RESOLUTION });
    expect(structuredContent).toMatchObject({ id, status: 'closed', openedBy: 'ada', closedBy: 'ada' });
    expect(client.decisions).toHaveLength(2);
  });

  it('is stepped up for each customer by the arguments, once, and loses nothing (XTN-04)', async () => {
    await openTicket();
    const before = client.decisions.length;
    for (const customer of ['tidewater-clinic', 'blue-kettle-cafe', 'tidewater-clinic']) {
      const { structuredContent } = await client.call('customer_history', { customer });
      expect(structuredContent).toMatchObject({ tickets: [{ customer }] });
    }
    expect(client.decisions.slice(before).map(({ asked }) => Object.keys(asked))).toEqual([
      expect.arrayContaining(['customer:tidewater-clinic:read']),
      expect.arrayContaining(['customer:blue-kettle-cafe:read']),
    ]);
    const scopes = client.provider.tokens()?.scope?.split(' ');
    expect(scopes).toEqual(
      expect.arrayContaining([
        'desk:read',
        'desk:write',
        'customer:tidewater-clinic:read',
        'customer:blue-kettle-cafe:read',
      ]),
    );
  });

  it('goes on where it was with the token that it got (HTTP-03)', async () => {
    const { sessionId } = client;
    expect(sessionId === undefined).toBe(mode === 'auto');
    await openTicket();
    expect(client.sessionId).toBe(sessionId);
  });

  it('writes nothing where the user says no, and reads on (STEP-02)', async () => {
    const before = await client.call('list_tickets');
    client.decision = 'deny';
    await expect(openTicket()).rejects.toThrow('The user said no');
    expect(await client.call('list_tickets')).toEqual(before);
    expect(client.provider.tokens()?.scope).toBe('desk:read');
  });
});
