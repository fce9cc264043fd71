import { describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import type { McpClient } from '../../../../lib/client/module/index.js';
import type { ServerEntries } from '../../../../lib/gateway/servers/server-entries.js';
import { ServerSubscriptions } from '../../../../lib/gateway/servers/server-subscriptions.js';
import type { GatewayServerSettings } from '../../../../lib/gateway/settings/gateway-options.js';
import type { McpNotifier } from '../../../../lib/index.js';

const SETTINGS = { name: 'shop', limits: { refreshMs: 50 } } as unknown as GatewayServerSettings;

describe('ServerSubscriptions', () => {
  it('subscribes as soon as the server offers the resource of a resumed session (GATE-02)', () => {
    const subscriptions$ = new Subject<{
      readonly type: 'subscribed' | 'unsubscribed';
      readonly uri: string;
    }>();
    const updated: string[] = [];
    const notifier = { subscriptions$, resourceUpdated: (uri: string) => void updated.push(uri) };
    const updates$ = new Subject<void>();
    const client = { subscribe: () => updates$ } as unknown as McpClient;
    const offered: { readonly listed: string; readonly uri: string }[] = [];
    const entries = { findOfferedUri: () => offered[0] } as unknown as ServerEntries;
    const subscriptions = new ServerSubscriptions(
      SETTINGS,
      client,
      entries,
      notifier as unknown as McpNotifier,
    );
    subscriptions.begin();
    subscriptions$.next({ type: 'subscribed', uri: 'shop+shop://stock' });
    expect(updates$.observed).toBe(false);
    offered.push({ listed: 'shop://stock', uri: 'shop+shop://stock' });
    subscriptions.resume();
    updates$.next();
    expect(updated).toEqual(['shop+shop://stock']);
    subscriptions$.next({ type: 'unsubscribed', uri: 'shop+shop://stock' });
    expect(updates$.observed).toBe(false);
    subscriptions.close();
  });
});
