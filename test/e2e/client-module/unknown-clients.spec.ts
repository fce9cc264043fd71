import { describe, expect, it } from '@jest/globals';
import { Injectable, Optional } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { getMcpClientToken, InjectMcpClient, McpClientModule, McpClients } from 'nestjs-mcp/client-module';

const url = 'http://127.0.0.1/mcp';

@Injectable()
class ByParameter {
  constructor(@InjectMcpClient('ledgr-of-unknown-clients') readonly ledger: unknown) {}
}

@Injectable()
class ByProperty {
  @InjectMcpClient('ledgr-of-unknown-clients')
  readonly ledger: unknown;
}

@Injectable()
class IfThere {
  constructor(@Optional() @InjectMcpClient('ledgr-of-unknown-clients') readonly ledger: unknown) {}
}

@Injectable()
class Known {
  constructor(@InjectMcpClient('ledger-of-unknown-clients') readonly ledger: unknown) {}

  @InjectMcpClient('files-of-unknown-clients')
  readonly files: unknown;
}

const boot = (...providers: (typeof ByProperty | typeof ByParameter | typeof Known)[]) =>
  NestFactory.createApplicationContext(
    {
      module: class CustomerModule {},
      imports: [
        McpClientModule.forRoot([
          { name: 'ledger-of-unknown-clients', url },
          { name: 'files-of-unknown-clients', url },
        ]),
      ],
      providers,
    },
    { logger: false, abortOnError: false },
  );

describe('A client that is injected and that no module registers', () => {
  it.each([ByParameter, ByProperty])(
    'is named with the nearest and the known ones: %p (CLI-18)',
    async (user) => {
      const failed = boot(user);
      await expect(failed).rejects.toThrow(
        'nestjs-mcp:client:ledgr-of-unknown-clients (no client has this name: did you',
      );
      await expect(failed).rejects.toThrow('did you mean "ledger-of-unknown-clients"');
      await expect(failed).rejects.toThrow('"files-of-unknown-clients"');
    },
  );

  it('is nothing where it may be absent (CLI-18)', async () => {
    const app = await boot(IfThere);
    expect(app.get(IfThere).ledger).toBeUndefined();
    await app.close();
  });

  it('does not change how those are injected that there are (CLI-18)', async () => {
    const app = await boot(Known);
    const { ledger, files } = app.get(Known);
    const clients = app.get(McpClients);
    expect([ledger, files]).toEqual(
      ['ledger', 'files'].map((name) => clients.get(`${name}-of-unknown-clients`)),
    );
    expect(() => clients.get('ledgr-of-unknown-clients')).toThrow(
      'is not registered: did you mean "ledger-of-unknown-clients"',
    );
    await app.close();
  });

  it('can be provided by a test without the module, under its token (CLI-18)', async () => {
    const ledger = { callTool: () => undefined };
    const provide = getMcpClientToken('ledgr-of-unknown-clients');
    const module = await Test.createTestingModule({
      providers: [ByParameter, ByProperty, { provide, useValue: ledger }],
    }).compile();
    expect(module.get(ByParameter).ledger).toBe(ledger);
    expect(module.get(ByProperty).ledger).toBe(ledger);
  });
});
