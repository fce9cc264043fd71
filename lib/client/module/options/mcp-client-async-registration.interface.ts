import type { FactoryProvider, ModuleMetadata, Type } from '@nestjs/common';
import type { McpClientOptions } from './mcp-client-options.js';

/** Gives the options of a client. */
export interface McpClientOptionsFactory {
  createMcpClientOptions(): McpClientOptions | Promise<McpClientOptions>;
}

/** A client to register whose options other providers give. */
export interface McpClientAsyncRegistration {
  /** The name it is injected by. */
  readonly name: string;
  /** Modules that export the providers to inject. @default [] */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  /** The providers that the factory is called with. @default [] */
  readonly inject?: NonNullable<FactoryProvider['inject']>;
  /** Gives the options. */
  readonly useFactory?: (...args: never[]) => McpClientOptions | Promise<McpClientOptions>;
  /** A class that gives the options, to be provided here. */
  readonly useClass?: Type<McpClientOptionsFactory>;
  /** A class that gives the options, and is provided elsewhere. */
  readonly useExisting?: Type<McpClientOptionsFactory>;
}
