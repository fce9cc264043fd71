import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { McpModule, type McpModuleAsyncOptions } from 'nestjs-mcp';
import {
  McpAuthorizationServerModule,
  type McpAuthorizationServerAsyncOptions,
} from 'nestjs-mcp/authorization-server';
import { McpClientModule, type McpClientAsyncRegistration } from 'nestjs-mcp/client-module';
import { bootFailure } from '../../support/applications/boot-failure.js';

const serverInfo = { name: 'desk', version: '1.0.0' };

@Injectable()
class Vault {
  createMcpOptions(): never {
    return undefined as never;
  }

  createMcpAuthorizationServerOptions(): never {
    throw new Error('the vault is sealed');
  }

  createMcpClientOptions(): Promise<never> {
    return Promise.reject(new Error('the vault is sealed'));
  }
}

@Module({ providers: [Vault], exports: [Vault] })
class VaultModule {}

const seal = (): never => {
  throw new Error('the vault is sealed');
};
const nothing = () => undefined as never;
const nothingLater = () => Promise.resolve(null as never);
const sealLater = () => Promise.reject<never>(new Error('the vault is sealed'));

describe('A factory of the options of a server', () => {
  it.each<[string, McpModuleAsyncOptions, string]>([
    [
      'gives nothing',
      { useFactory: nothing },
      '"useFactory" of the server "default" returned undefined: return',
    ],
    [
      'gives nothing later',
      { useFactory: nothingLater, server: 'admin' },
      '"useFactory" of the server "admin" returned null: return an object such as { serverInfo:',
    ],
    [
      'throws',
      { useFactory: seal, server: 'admin' },
      '"useFactory" of the server "admin" failed: the vault is sealed',
    ],
    [
      'throws later',
      { useFactory: sealLater },
      '"useFactory" of the server "default" failed: the vault is sealed',
    ],
    [
      'is a class and gives nothing',
      { useClass: Vault },
      '"useClass" of the server "default" (Vault) returned undefined',
    ],
    [
      'is elsewhere and gives nothing',
      { imports: [VaultModule], useExisting: Vault },
      '"useExisting" of the server "default" (Vault) returned undefined',
    ],
  ])('that %s is named, with its server (MOD-11)', async (_what, options, message) => {
    const fault = await bootFailure({ imports: [McpModule.forRootAsync(options)] });
    expect(fault).toMatchObject({ name: 'McpConfigurationError' });
    expect(fault.message).toContain(message);
  });

  it('keeps the stack of what failed, which Nest logs, and the error itself (MOD-11)', async () => {
    const fault = await bootFailure({ imports: [McpModule.forRootAsync({ useFactory: seal })] });
    expect(fault.stack).toMatch(/^McpConfigurationError: The MCP option "useFactory".*\n {4}at seal /);
    expect(fault.cause).toEqual(new Error('the vault is sealed'));
  });

  it('says itself what is wrong with the options that it gives (MOD-11)', async () => {
    const useFactory = () => ({ serverInfo, statless: true }) as never;
    const fault = await bootFailure({ imports: [McpModule.forRootAsync({ useFactory })] });
    expect(fault.message).toBe('The MCP option "statless" (did you mean "stateless"?) is not a known option');
  });
});

describe('A factory of the options of a client', () => {
  it.each<[string, Partial<McpClientAsyncRegistration>, string]>([
    [
      'gives nothing',
      { useFactory: nothing },
      '"clients.desk.useFactory" returned undefined: return an object such as',
    ],
    ['throws', { useFactory: seal }, '"clients.desk.useFactory" failed: the vault is sealed'],
    ['throws later', { useFactory: sealLater }, '"clients.desk.useFactory" failed: the vault is sealed'],
    ['is a class', { useClass: Vault }, '"clients.desk.useClass" (Vault) failed: the vault is sealed'],
    [
      'is elsewhere',
      { imports: [VaultModule], useExisting: Vault },
      '"clients.desk.useExisting" (Vault) failed',
    ],
  ])('that %s is named (CLI-18)', async (_what, options, message) => {
    const clients = McpClientModule.forRootAsync([{ name: 'desk', ...options }]);
    const fault = await bootFailure({ imports: [clients] });
    expect(fault).toMatchObject({ name: 'McpClientConfigurationError' });
    expect(fault.message).toContain(message);
  });
});

describe('A factory of the options of an authorization server', () => {
  it.each<[string, McpAuthorizationServerAsyncOptions, string]>([
    [
      'gives nothing',
      { useFactory: nothing },
      '"useFactory" of the authorization server returned undefined: return an object such as { issuer:',
    ],
    [
      'throws later',
      { useFactory: sealLater },
      '"useFactory" of the authorization server failed: the vault is sealed',
    ],
    [
      'is a class',
      { useClass: Vault },
      '"useClass" of the authorization server (Vault) failed: the vault is sealed',
    ],
    [
      'is elsewhere',
      { imports: [VaultModule], useExisting: Vault },
      '"useExisting" of the authorization server (Vault) failed: the vault is sealed',
    ],
  ])('that %s is named (MOD-11) (AS-01)', async (_what, options, message) => {
    const fault = await bootFailure({ imports: [McpAuthorizationServerModule.forRootAsync(options)] });
    expect(fault).toMatchObject({ name: 'McpConfigurationError' });
    expect(fault.message).toContain(message);
  });
});

describe('Two servers of one application', () => {
  const desk = McpModule.forRoot({ serverInfo });

  it('at one path are both named (MOD-06)', async () => {
    const admin = McpModule.forRoot({ serverInfo, server: 'admin', mcpPath: '/MCP' });
    const fault = await bootFailure({ imports: [desk, admin] });
    expect(fault.message).toContain('"mcpPath" is "/mcp" for two servers, ');
    expect(fault.message).toContain('"desk" (without "server")');
    expect(fault.message).toContain('"admin"');
    expect(fault.message).toMatch(/: give each server its own path$/);
  });

  it('without names get one message that says all that they need (MOD-06)', async () => {
    const shop = McpModule.forRoot({ serverInfo: { name: 'shop', version: '1.0.0' } });
    const fault = await bootFailure({ imports: [desk, shop] });
    expect(fault.message).toContain('"desk" (without "server") and "shop" (without "server")');
    expect(fault.message).toContain('such as { server: "admin", mcpPath: "/admin" }');
    expect(fault.message).toContain('McpModule.forFeature()');
    const elsewhere = McpModule.forRoot({ serverInfo, mcpPath: '/elsewhere' });
    const next = await bootFailure({ imports: [desk, elsewhere] });
    expect(next.message).toContain(
      'Two servers have no name: import the module once, or give one of them a different name',
    );
  });
});
