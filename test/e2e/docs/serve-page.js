/** Serves the providers that the blocks of one page export: `PAGE` is the folder with the compiled blocks, `TOKEN` that of a reader who may do everything. */
import 'reflect-metadata';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CONTROLLER_WATERMARK, INJECTABLE_WATERMARK } from '@nestjs/common/constants.js';
import { NestFactory } from '@nestjs/core';
import { McpModule } from 'nestjs-mcp';

const { PAGE, TOKEN } = process.env;
const PROGRAMS = /(?:^|\/)(?:main|app\.module)\.js$/;
const files = readdirSync(PAGE, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.js') && !PROGRAMS.test(name),
);
const blocks = await Promise.all(files.map(load));
const exported = blocks.flatMap((block) => Object.values(block));
const providers = exported.filter(
  (value) =>
    typeof value === 'function' && Reflect.hasMetadata(INJECTABLE_WATERMARK, value) && !isGuard(value),
);

const modules = exported.filter((value) => typeof value?.module === 'function' && value.module !== McpModule);
const controllers = exported.filter(
  (value) => typeof value === 'function' && Reflect.hasMetadata(CONTROLLER_WATERMARK, value),
);

/** A block may show a package that is not installed here. */
async function load(name) {
  return import(pathToFileURL(join(PAGE, name)).href).catch((error) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return {};
    throw error;
  });
}

/** Nest makes a guard where it is used, from what is there. */
function isGuard({ prototype }) {
  return typeof prototype.canActivate === 'function';
}

class PageModule {}
const server = McpModule.forRoot({
  serverInfo: { name: 'page', version: '1.0.0' },
  tasks: true,
  auth: { bearer: { token: TOKEN, subject: 'reader' } },
});
const app = await NestFactory.create(
  { module: PageModule, imports: [server, ...modules], providers, controllers },
  { logger: ['error'] },
);
app.enableShutdownHooks();
await app.listen(0, '127.0.0.1');
console.log(`ready ${await app.getUrl()}/mcp`);
