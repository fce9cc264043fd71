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

/** What Nest has that a server is made with. */
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

/** The classes of the controllers of one server. */
export interface ServerControllers {
  readonly endpoint: Type;
  readonly metadata: Type;
  readonly card: Type;
}

/** What one server is made from. */
export interface ServerInputs {
  readonly settings: ServerSettings;
  readonly identity: ServerIdentity;
  readonly controllers: ServerControllers;
  readonly nest: NestParts;
}
