import { describe, expect, it } from '@jest/globals';
import { migrateFiles } from './migrate-files.js';

const CONTROLLER = `import { Body, Controller, Delete, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import { McpStreamableHttpService } from '@rekog/mcp-nest';
import { KeyGuard } from '../key.guard';

@Controller('shop')
@UseGuards(KeyGuard)
export class ShopController {
  constructor(private readonly mcp: McpStreamableHttpService) {}

  @Post('/mcp')
  async post(@Req() req: any, @Res() res: any, @Body() body: unknown) {
    await this.mcp.handlePostRequest(req, res, body);
  }

  @Get('/mcp')
  get(@Req() req: any, @Res() res: any) {
    return this.mcp.handleGetRequest(req, res);
  }

  @Delete('/mcp')
  delete(@Req() req: any, @Res() res: any) {
    return this.mcp.handleDeleteRequest(req, res);
  }
}
`;
const MODULE = `import { Module } from '@nestjs/common';
import { McpModule } from '@rekog/mcp-nest';
import { ShopController } from './http/shop.controller';

@Module({
  imports: [McpModule.forRootAsync({ useFactory: () => ({ name: 'shop', version: '1.0.0' }) })],
  controllers: [ShopController],
})
export class AppModule {}
`;
const FILES = { 'src/http/shop.controller.ts': CONTROLLER, 'src/app.module.ts': MODULE };

describe('A controller that only passes requests on', () => {
  it('goes, and its server gets its path and decorators', async () => {
    const { files, notes, decisions } = await migrateFiles(FILES);
    expect(files['src/http/shop.controller.ts']).toBeUndefined();
    expect(files['src/app.module.ts']).toBe(`import { Module, UseGuards } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { KeyGuard } from './key.guard';

@Module({
  imports: [McpModule.forRootAsync({ useFactory: () => ({ serverInfo: { name: 'shop', version: '1.0.0' }, mcpPath: '/shop/mcp', stateless: true }), decorators: [UseGuards(KeyGuard)] })],
})
export class AppModule {}
`);
    expect(notes).toContain(
      'src/http/shop.controller.ts: "ShopController" was removed, because the module serves "/shop/mcp" with its decorators',
    );
    expect(decisions).toBe(0);
  });

  it.each([
    [
      'does more',
      CONTROLLER.replace(
        'return this.mcp.handleGetRequest',
        'count();\n    return this.mcp.handleGetRequest',
      ),
    ],
    ['has guards of one route', CONTROLLER.replace("@Get('/mcp')", "@Get('/mcp')\n  @UseGuards(KeyGuard)")],
    ['has several paths', CONTROLLER.replace("@Get('/mcp')", "@Get('/other')")],
    [
      'has a version',
      CONTROLLER.replace("@Controller('shop')", "@Controller({ path: 'shop', version: '1' })"),
    ],
    ['injects more', CONTROLLER.replace('constructor(', 'constructor(private readonly other: Other, ')],
  ])('is left to a person if it %s', async (_what, controller) => {
    const { files } = await migrateFiles({ ...FILES, 'src/http/shop.controller.ts': controller });
    expect(files['src/http/shop.controller.ts']).toMatch(/TODO\(nestjs-mcp\): .*#custom-controllers/);
    expect(files['src/app.module.ts']).toContain('controllers: [ShopController]');
  });

  it('is left to a person if something else needs it', async () => {
    const test = `import { ShopController } from './shop.controller';\nnew ShopController(undefined as never);\n`;
    const { files } = await migrateFiles({ ...FILES, 'src/http/shop.controller.spec.ts': test });
    expect(files['src/http/shop.controller.ts']).toContain('TODO(nestjs-mcp)');
    expect(files['src/http/shop.controller.spec.ts']).toBe(test);
  });

  it('goes in 2.x, where it extends one, and its middleware is that of the path', async () => {
    const transport = `import { McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
export const transport = new StreamableHttpTransport();
export const mcp = new McpStrategy({ name: 'shop', version: '1.0.0', transports: [transport] });
`;
    const controller = `import { Controller, UseGuards } from '@nestjs/common';
import { McpHttpControllerFor } from '@rekog/mcp-nest';
import { KeyGuard } from './key.guard';
import { transport } from './mcp';

@Controller('shop')
@UseGuards(KeyGuard)
export class ShopController extends McpHttpControllerFor(transport) {}

export const keyOfShop = 1;
`;
    const module = `import { Module } from '@nestjs/common';
import { ShopController } from './shop.controller';

@Module({ controllers: [ShopController, OtherController] })
export class AppModule {
  configure(consumer) {
    consumer.apply(Log).forRoutes(ShopController);
  }
}
`;
    const given = {
      'src/mcp.ts': transport,
      'src/shop.controller.ts': controller,
      'src/app.module.ts': module,
    };
    const { files } = await migrateFiles(given);
    expect(files['src/mcp.ts']).toContain(
      "mcpPath: '/shop', stateless: true, decorators: [UseGuards(KeyGuard)]",
    );
    expect(files['src/mcp.ts']).toContain("import { KeyGuard } from './key.guard';");
    expect(files['src/mcp.ts']).not.toContain('StreamableHttpTransport');
    expect(files['src/shop.controller.ts']?.trim()).toBe('export const keyOfShop = 1;');
    expect(files['src/app.module.ts']).toContain('controllers: [OtherController]');
    expect(files['src/app.module.ts']).toContain("forRoutes('/shop')");
  });
});
