import { describe, expect, it } from '@jest/globals';
import { buildExtensionMethod } from '../../../../lib/server/dispatch/mcp-extensions.js';
import type { ExtensionMethod } from '../../../../lib/server/dispatch/extension.interface.js';
import { buildContext, buildPeer } from '../../support/requests.js';

const ID = 'com.example/reports';
const RESULT = Object.freeze({ reports: [] });

describe('buildExtensionMethod', () => {
  const call = (version: string, isDeclared: boolean, parts: Partial<ExtensionMethod> = {}) => {
    const method = buildExtensionMethod(ID, { method: 'reports/list', handle: () => RESULT, ...parts });
    const capabilities = isDeclared ? { extensions: { [ID]: {} } } : {};
    return Promise.resolve(
      method.handle(buildContext('reports/list', { peer: buildPeer(version, { capabilities }) })),
    );
  };

  it('answers clients that declared the extension, with a result of its own (EXT-03) (CAP-03)', async () => {
    const result = await call('2026-07-28', true);
    expect(result).toEqual(RESULT);
    // The result is completed by whoever sends it.
    expect(Object.isFrozen(result)).toBe(false);
  });

  it('tells others what is missing, or that there is no such method (EXT-03)', async () => {
    await expect(call('2026-07-28', false)).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [ID]: {} } } },
    });
    await expect(call('2025-11-25', false)).rejects.toMatchObject({ code: -32601 });
  });

  it('answers everybody where it is not gated, for those who ask so (EXT-03)', async () => {
    expect(await call('2025-11-25', false, { requiresDeclaration: false })).toEqual(RESULT);
    const requiresDeclaration: ExtensionMethod['requiresDeclaration'] = ({ revision }) =>
      revision.kind === 'perRequest';
    expect(await call('2025-11-25', false, { requiresDeclaration })).toEqual(RESULT);
    await expect(call('2026-07-28', false, { requiresDeclaration })).rejects.toMatchObject({ code: -32021 });
  });

  it('fails as the extension does, at once or later (EXT-03)', async () => {
    const fail = () => {
      throw new Error('no reports');
    };
    await expect(call('2025-11-25', true, { handle: fail })).rejects.toThrow('no reports');
    const later = async () => fail();
    await expect(call('2025-11-25', true, { handle: later })).rejects.toThrow('no reports');
  });
});
