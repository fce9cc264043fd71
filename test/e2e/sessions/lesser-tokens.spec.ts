import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  McpCatalog,
  McpNotifier,
  RequireScope,
  Resource,
  ResourceTemplate,
  Tool,
  type McpContext,
} from 'nestjs-mcp';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { Gates } from '../../support/applications/gate.js';
import { authorize, bootDesk, PUBLISHED } from '../../support/applications/protected-desk.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { initialize, perRequest, SessionClient } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { until } from '../../support/until.js';

const TOKENS = {
  full: { token: 'fixed-token-of-ada-with-all', subject: 'ada', scopes: ['desk:read', 'desk:secret'] },
  lesser: { token: 'fixed-token-of-ada-with-less', subject: 'ada', scopes: ['desk:read'] },
};
const FULL = authorize(TOKENS.full.token);
const LESSER = authorize(TOKENS.lesser.token);
const NAMED = z.object({ name: z.string() });

@Injectable()
class DeskHandlers {
  readonly gates = new Gates();

  @Tool({ description: 'Tells a secret, slowly', inputSchema: NAMED })
  @RequireScope('desk:secret')
  async tell({ name }: { name: string }, context: McpContext): Promise<string> {
    context.progress(1, 2, `half of the secret ${name}`);
    await this.gates.at(name).pass(context.signal);
    context.progress(2, 2, `most of the secret ${name}`);
    return `the secret ${name}`;
  }

  @Tool({ description: 'Finds out late that it tells a secret', inputSchema: NAMED })
  async late({ name }: { name: string }, context: McpContext): Promise<string> {
    context.progress(1, 2, 'begun');
    await this.gates.at(name).pass(context.signal);
    context.auth.requireScope('desk:secret');
    return `the secret ${name}`;
  }

  @Tool({ description: 'Waits', inputSchema: NAMED })
  async wait({ name }: { name: string }, context: McpContext): Promise<string> {
    context.progress(1, 2, 'begun');
    await this.gates.at(name).pass(context.signal);
    return `${name} is over`;
  }

  @Resource({ uri: 'desk://secret' })
  @RequireScope('desk:secret')
  secret(): string {
    return 'secret';
  }

  @ResourceTemplate({ uriTemplate: 'desk://secrets/{id}' })
  @RequireScope('desk:secret')
  secrets(): string {
    return 'secrets';
  }

  @Resource({ uri: 'desk://plain' })
  plain(): string {
    return 'plain';
  }
}

describe.each(ADAPTERS)(
  'What a session keeps for a token that allows more than another, on %s',
  (adapter) => {
    let desk: RunningApp;
    let gates: Gates;
    let notifier: McpNotifier;

    beforeAll(async () => {
      desk = await bootDesk(adapter, {
        auth: { ...PUBLISHED, bearer: Object.values(TOKENS) },
        providers: [DeskHandlers],
      });
      gates = desk.app.get(DeskHandlers).gates;
      notifier = desk.app.get(McpNotifier);
    });

    afterAll(() => desk.close());

    const open = () => initialize(desk.url, { headers: FULL });

    /** The same session, by another token. */
    const as = ({ url, handshake }: SessionClient, headers: object) =>
      new SessionClient(url, handshake, { ...headers });

    const resume = ({ url, headers }: SessionClient, lastEventId: string) =>
      sendHttp(url, { headers: { ...headers, accept: 'text/event-stream', 'last-event-id': lastEventId } });

    /** Begins a call, and leaves once its answer has begun. */
    async function leaveCall(session: SessionClient, tool: string, name: string): Promise<string> {
      const params = { name: tool, arguments: { name }, _meta: { progressToken: name } };
      const stream = await session.start('tools/call', params).stream();
      await stream.nextNotification('notifications/progress');
      const lastEventId = String(stream.lastEventId);
      await stream.close();
      return lastEventId;
    }

    it.each([
      ['declares', 'tell'],
      ['asks for late', 'late'],
    ])(
      'is no answer of a call that %s a scope, when a token without it comes back for it (FAIR-06) (HTTP-04)',
      async (_case, tool) => {
        const session = await open();
        const name = `left by ${tool}`;
        const lastEventId = await leaveCall(session, tool, name);
        gates.at(name).open();
        // The answer is kept by then.
        const full = await session.openStream({ lastEventId });
        expect((await full.nextMessage((message) => message.result !== undefined)).result).toMatchObject({
          content: [{ text: `the secret ${name}` }],
        });
        const { status, headers, text } = await resume(as(session, LESSER), lastEventId);
        const call = { name: 'tell', arguments: { name } };
        const refused = await as(session, LESSER).request('tools/call', call);
        expect([refused.status, status]).toEqual([403, 403]);
        expect(headers['www-authenticate']).toBe(refused.headers['www-authenticate']);
        expect(headers['www-authenticate']).toContain('scope="desk:secret"');
        expect(text).not.toContain('the secret');
      },
    );

    it('is told to no reader who came back before the handler asked for the scope (FAIR-06) (HTTP-04)', async () => {
      const session = await open();
      const lastEventId = await leaveCall(session, 'late', 'meanwhile');
      const lesser = await as(session, LESSER).openStream({ lastEventId });
      gates.at('meanwhile').open();
      await lesser.ended;
      expect(lesser.messages.filter(({ result }) => result !== undefined)).toEqual([]);
      const full = await session.openStream({ lastEventId });
      await full.nextMessage(({ result }) => result !== undefined);
    });

    it('is an answer for every token, where the call required nothing (FAIR-06) (HTTP-04)', async () => {
      const session = await open();
      const lastEventId = await leaveCall(session, 'wait', 'plainly');
      const lesser = await as(session, LESSER).openStream({ lastEventId });
      gates.at('plainly').open();
      const { result } = await lesser.nextMessage((message) => message.result !== undefined);
      expect(result).toMatchObject({ content: [{ text: 'plainly is over' }] });
    });

    it('is not what a call tells on the standing stream, where that was opened without the scope (FAIR-06)', async () => {
      const session = await open();
      const standing = await as(session, LESSER).openStream();
      const headers = { accept: 'application/json' };
      const tell = (tool: string, name: string) =>
        session.request(
          'tools/call',
          { name: tool, arguments: { name }, _meta: { progressToken: name } },
          headers,
        );
      for (const name of ['json', 'json-plain']) gates.at(name).open();
      await tell('tell', 'json');
      await tell('wait', 'json-plain');
      await standing.nextMessage(({ params }) => params?.['progressToken'] === 'json-plain');
      expect(JSON.stringify(standing.messages)).not.toContain('secret');
      await standing.close();
      const full = await session.openStream();
      await tell('tell', 'json');
      await full.nextMessage(({ params }) => params?.['progressToken'] === 'json');
      await full.close();
    });

    const updatesOf = ({ messages }: EventStream) =>
      messages
        .filter(({ method }) => method === 'notifications/resources/updated')
        .map(({ params }) => params?.['uri']);

    it.each(['desk://secret', 'desk://secrets/7'])(
      'is not that %s changed, on a stream by a token that cannot read it (FAIR-06)',
      async (uri) => {
        const session = await open();
        for (const subscribed of [uri, 'desk://plain']) {
          await session.request('resources/subscribe', { uri: subscribed });
        }
        const lesser = await as(session, LESSER).openStream();
        notifier.resourceUpdated(uri);
        notifier.resourceUpdated('desk://plain');
        await lesser.nextNotification('notifications/resources/updated');
        expect(updatesOf(lesser)).toEqual(['desk://plain']);
        await lesser.close();
        const full = await session.openStream();
        await as(session, LESSER).request('ping');
        notifier.resourceUpdated(uri);
        await full.nextMessage(({ params }) => params?.['uri'] === uri);
        await full.close();
      },
    );

    it('is told to the next token that may hear of it, though something else was heard since (FAIR-06) (NOTE-03)', async () => {
      const session = await open();
      for (const uri of ['desk://secret', 'desk://plain'])
        await session.request('resources/subscribe', { uri });
      const lesser = await as(session, LESSER).openStream();
      notifier.resourceUpdated('desk://secret');
      notifier.resourceUpdated('desk://plain');
      await lesser.nextNotification('notifications/resources/updated');
      await lesser.close();
      const full = await until(
        () => session.openStream().catch(() => undefined),
        'the end of the stream before',
      );
      await full.nextMessage(({ params }) => params?.['uri'] === 'desk://secret');
      notifier.resourceUpdated('desk://secret');
      await until(() => updatesOf(full).length === 2, 'what comes next');
      expect([updatesOf(lesser), updatesOf(full)]).toEqual([
        ['desk://plain'],
        ['desk://secret', 'desk://secret'],
      ]);
      await full.close();
    });

    it('is not that a resource changed which was replaced by one with a scope behind the subscription (FAIR-06)', async () => {
      const { resources } = desk.app.get(McpCatalog);
      const uris = ['desk://later', 'desk://plain'];
      resources.add({ name: 'later', uri: 'desk://later' }, () => 'sooner');
      const lesser = await initialize(desk.url, { headers: LESSER });
      for (const uri of uris) await lesser.request('resources/subscribe', { uri });
      const [standing, listening, full] = await Promise.all([
        lesser.openStream(),
        perRequest(desk.url, { headers: LESSER }).listen({ resourceSubscriptions: uris }),
        perRequest(desk.url, { headers: FULL }).listen({ resourceSubscriptions: uris }),
      ]);
      resources.remove('desk://later');
      resources.add({ name: 'later', uri: 'desk://later', requiredScopes: ['desk:secret'] }, () => 'later');
      for (const uri of uris) notifier.resourceUpdated(uri);
      for (const stream of [standing, listening]) {
        await stream.nextNotification('notifications/resources/updated');
        expect(updatesOf(stream)).toEqual(['desk://plain']);
      }
      await full.nextMessage(({ params }) => params?.['uri'] === 'desk://plain');
      expect(updatesOf(full)).toEqual(uris);
      await Promise.all([standing, listening, full].map((stream) => stream.close()));
      resources.remove('desk://later');
    });

    it('is listened to by no token that cannot read it (FAIR-06) (STEP-01)', async () => {
      const filter = { notifications: { resourceSubscriptions: ['desk://plain', 'desk://secrets/7'] } };
      const { status, headers } = await perRequest(desk.url, { headers: LESSER }).request(
        'subscriptions/listen',
        filter,
      );
      expect([status, headers['www-authenticate']]).toEqual([
        403,
        expect.stringContaining('scope="desk:secret"'),
      ]);
    });
  },
);
