import { Injectable, type Type } from '@nestjs/common';
import {
  ApplicationConfig,
  DiscoveryService,
  HttpAdapterHost,
  LazyModuleLoader,
  MetadataScanner,
  ModuleRef,
  ModulesContainer,
} from '@nestjs/core';
import type { ServerIdentity } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';

/** The Nest services that a server uses. */
@Injectable()
export class NestParts {
  constructor(
    readonly moduleRef: ModuleRef,
    readonly modules: ModulesContainer,
    readonly application: ApplicationConfig,
    readonly host: HttpAdapterHost,
    readonly discovery: DiscoveryService,
    readonly scanner: MetadataScanner,
    readonly lazyModules: LazyModuleLoader,
  ) {}
}

/** One server's controller classes. */
export interface ServerControllers {
  readonly endpoint: Type;
  readonly metadata: Type;
  readonly card: Type;
}

/** The inputs of {@link createServer}. */
export interface ServerInputs {
  readonly settings: ServerSettings;
  readonly identity: ServerIdentity;
  readonly controllers: ServerControllers;
  readonly nest: NestParts;
}
