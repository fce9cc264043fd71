import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { HandlerInvoker } from '../../../../lib/server/catalog/invocation/handler-invoker.js';
import { MethodTable } from '../../../../lib/server/dispatch/method-table.js';
import { ServedHandlersReport } from '../../../../lib/server/dispatch/served-handlers-report.js';
import type { ServerIdentity } from '../../../../lib/server/settings/mcp.constants.js';
import { CapturedLog } from '../../support/captured-log.js';
import { TestCatalog } from '../../support/catalog.js';

describe('OfferReport', () => {
  let log: CapturedLog;
  let catalog: TestCatalog;
  let methods: MethodTable;

  beforeEach(() => {
    log = CapturedLog.begin();
    catalog = new TestCatalog();
    methods = new MethodTable([]);
  });
  afterEach(() => log.release());

  function tell(identity: ServerIdentity = { server: 'default', isDefault: true }, leftOut?: string): void {
    const invoker = { listLeftOut: () => leftOut } as HandlerInvoker;
    new ServedHandlersReport(identity, catalog, methods, invoker).log('at /mcp');
  }

  it('counts what there is, each by its kind (MOD-01)', () => {
    const { tools, resources } = catalog.entries;
    tools.add({ name: 'open' }, () => '');
    tools.add({ name: 'close' }, () => '');
    resources.add({ name: 'open', uri: 'desk://open' }, () => '');
    tell({ server: 'desk', isDefault: false });
    expect(log.messages).toEqual(['Server "desk": 2 tools, 1 resource at /mcp\nMcp']);
    expect(log.warnings).toEqual([]);
  });

  it('counts extension methods where there is nothing else (MOD-01)', () => {
    methods.add({ method: 'reports/list', handle: () => ({}) });
    tell();
    expect(log.messages).toEqual(['Server "default": extension methods at /mcp\nMcp']);
  });

  it('names what there is before extension methods (MOD-01)', () => {
    methods.add({ method: 'reports/list', handle: () => ({}) });
    catalog.entries.tools.add({ name: 'open' }, () => '');
    tell();
    expect(log.messages).toEqual(['Server "default": 1 tool at /mcp\nMcp']);
  });

  it('names the global enhancers that do not run, where there is something to run them on (APP-02)', () => {
    tell(undefined, 'guards "TokenGuard"');
    expect(log.messages).toEqual([]);
    catalog.entries.tools.add({ name: 'open' }, () => '');
    tell(undefined, 'guards "TokenGuard"');
    expect(log.messages[1]).toBe(
      'Server "default" does not run these global enhancers on handlers: guards "TokenGuard". Use "globalEnhancers" to choose which ones run\nMcp',
    );
  });

  const UNLISTED = 'serves nothing: list the classes with @Tool() in "providers"';
  const UNASSIGNED = `${UNLISTED}, and in "McpModule.forFeature" unless they belong to the default server`;

  it.each([
    ['default', true, UNLISTED],
    ['default', false, UNLISTED],
    ['desk', true, UNLISTED],
    ['desk', false, UNASSIGNED],
  ])(
    'warns of the server %j, default: %j, where there is nothing (MOD-01) (MOD-05)',
    (server, isDefault, text) => {
      tell({ server, isDefault });
      expect(log.warnings).toEqual([`Server "${server}" ${text}\nMcp`]);
      expect(log.messages).toEqual([]);
    },
  );
});
